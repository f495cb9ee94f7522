"""The house in section: the rooms, what can be done in each of them, and the people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ridotto.core.view import Seen, View
from ridotto.games.fantome import rules
from ridotto.games.fantome.rules import A, F
from ridotto.games.fantome.ui.facts import members
from ridotto.games.fantome.ui.messages import ROOM_NAMES
from ridotto.games.fantome.ui.picture.people import NAMES, pawn, titles
from ridotto.games.fantome.ui.picture.plan import ROOM_TALL, ROOM_WIDE, corner
from ridotto.games.fantome.ui.picture.signs import SNUFF, SNUFFED, STAY, SWAP, WALK, answer_sign
from ridotto.games.fantome.ui.picture.ways import hung_padlock, lockable, traces, ways
from ridotto.games.fantome.ui.words import Words
from ridotto.present.kit import blank, centred, circle, drawing, halo
from ridotto.present.scene import Item
from ridotto.present.svg import Svg, measure, tag, wrap, write

LAMPLIGHT: Final = Svg(
    '<defs><radialGradient id="fantome-house-light" cx="0.5" cy="0.1" r="0.95"><stop offset="0" class="warm"/>'
    '<stop offset="1" class="cool"/></radialGradient></defs>'
)
LIGHT: Final = tag("rect", width=ROOM_WIDE, height=ROOM_TALL, fill="url(#fantome-house-light)")
NIGHT: Final = blank(ROOM_WIDE, ROOM_TALL, "night")
ROOM_ACTIONS: Final = {rules.DARK: A.dark, rules.SEND: A.send, rules.LEAVE: A.leave}
"""The actions of which a room is the argument, by what is asked; otherwise a move."""


def house_items(view: View, words: Words, last: Sequence[Seen]) -> Iterator[Item]:
    """The rooms with the people in them, and the ways between, with the traces of the last action."""
    row = view.row
    dark, asked, active = row[F.dark], row[F.asked], row[F.active]
    yield from _lights(dark)
    yield from ways(words, row[F.padlock], active == rules.MEG and asked == rules.MOVE)
    yield from _rooms(words, dark, ROOM_ACTIONS.get(asked, A.move))
    yield from _people(view, words)
    yield from traces(row, last)
    yield hung_padlock(words, row[F.padlock])
    if asked == rules.LOCK:
        yield from lockable()
    if asked == rules.MOVE and active == rules.BUQUET:
        yield from _coins("snuff", SNUFF, A.dark)
    elif asked == rules.LEAVE:
        yield from _coins("walk", WALK, A.move)


def undealt(view: View, words: Words) -> Iterator[Item]:
    """The house before the deal: nobody is there yet."""
    yield from _lights(rules.NOBODY)
    yield from ways(words, rules.NOBODY, False)
    yield from _names(words)


# Rooms.


@drawing
def _names(words: Words) -> list[Item]:
    """The rooms with their names, where nothing can be pointed at."""
    return [Item(f"room-{room}", "house", _room(words, room), *corner(room)) for room in range(len(ROOM_NAMES))]


@drawing
def _lights(dark: int) -> list[Item]:
    """The lamplight of the rooms, and the night in one of them."""
    rooms = [Item(f"light-{room}", "house", NIGHT if room == dark else LIGHT, *corner(room)) for room in range(len(ROOM_NAMES))]
    return [Item("lamplight", "house", LAMPLIGHT), *rooms]


@drawing
def _rooms(words: Words, dark: int, action: int) -> list[Item]:
    """The rooms with their names: each can be pointed at, with whoever stands in it."""
    items = []
    for room in range(len(ROOM_NAMES)):
        look, cls = _room(words, room), "unlit" if room == dark else ""
        items.append(Item(f"room-{room}", "house", look, *corner(room), cls=cls, action=action + room, ask=True))
    return [*items, Item("blackout", f"room-{dark}", SNUFFED, ROOM_WIDE - 22, 58, title=words.say("dark"))]


@drawing
def _room(words: Words, room: int) -> str:
    """A room's number and name, in one line or two, and its halo."""
    name, wide = words.say(ROOM_NAMES[room]), ROOM_WIDE - 49
    lines = wrap(name, wide, 21) if measure(name, 21, "serif") > wide else [name]
    size = 24 if len(lines) == 1 else 21
    parts = [halo(2, 2, ROOM_WIDE - 4, ROOM_TALL - 4, 6)]
    parts += [circle(19, 20, 14, "number"), write(str(room), 19, 28, 24, cls="onnumber")]
    parts += [write(line, 38, 28 + i * 20, size, cls="name", anchor="start", within=wide) for i, line in enumerate(lines)]
    return "".join(parts)


@drawing
def _coins(name: str, look: str, action: int) -> list[Item]:
    """A coin in every room, for another action than that of the room itself: it is seen where that can be done."""
    corners = [corner(room) for room in range(len(ROOM_NAMES))]
    return [
        Item(f"{name}-{room}", "house", look, x + ROOM_WIDE - 22, y + 94, action=action + room)
        for room, (x, y) in enumerate(corners)
    ]


# People.


def _people(view: View, words: Words) -> Iterator[Item]:
    """The phantom's answer in each room, and everybody on the board, whoever is being moved in a spotlight."""
    row, names, moving, may_choose = view.row, titles(words), _moving(view), view.row[F.asked] == rules.COMPANION
    watched, may_swap = rules.watched(list(row)), row[F.asked] == rules.MOVE and row[F.active] == rules.RICHARD
    here: dict[int, list[int]] = {}
    for who in range(rules.PEOPLE):
        here.setdefault(row[F.place + who], []).append(who)
    for room in sorted(here):
        yield answer_sign(words, 1 - (watched >> here[room][0] & 1), f"sign-{room}", f"room-{room}", 19, 53)
    for who in range(rules.PEOPLE):
        room, is_suspect = row[F.place + who], row[F.suspects] >> who & 1
        is_unmasked = view.outcome is not None and row[F.identity] == who
        x, y, size = _standing(len(here[room]))[here[room].index(who)]
        cls = _state(not is_suspect, who == moving or is_unmasked, may_choose)
        title = names[who] if is_suspect else f"{names[who]}: {words.say('cleared')}"
        person = Item(f"figure-{NAMES[who]}", f"room-{room}", pawn(who, is_unmasked), x, y, size, cls, title)
        left, top = corner(room)
        if may_choose:
            person = person._replace(parent="house", x=x + left, y=y + top, action=A.take + who, ask=True)
        yield person
        if may_swap:
            yield from _swap(row, who, x + left, y + top - 85 * size)


def _moving(view: View) -> int:
    """The character whose way is being chosen, or NOBODY."""
    if view.outcome is not None:
        return rules.NOBODY
    if view.row[F.asked] == rules.SEND:
        return members(view.row[F.expelled])[0]
    return int(view.row[F.companion if view.row[F.asked] == rules.LEAVE else F.active])


@drawing
def _state(is_cleared: bool, is_active: bool, is_eligible: bool) -> str:
    states = (("cleared", is_cleared), ("active", is_active), ("eligible", is_eligible))
    return " ".join(name for name, holds in states if holds)


@drawing
def _standing(people: int) -> list[tuple[float, float, float]]:
    """The place and the size of so many people in a room: up to four in front, the others behind them."""
    behind = max(0, people - 4)
    ranks = ((behind, ROOM_TALL - 47, 0.72), (people - behind, ROOM_TALL - 5, 0.86 if behind else 1.08 if people < 4 else 1))
    return [(round(x, 1), y, size) for number, y, size in ranks for x in centred(number, 41 * max(size, 1), ROOM_WIDE / 2)]


def _swap(row: Sequence[int], who: int, x: float, y: float) -> Iterator[Item]:
    """The sign above a head: to swap places with them; above Richard's, to stay, which a swap in his room comes to.

    A click in a room is always a move.
    """
    beside = rules.company(list(row), rules.RICHARD)
    if who == rules.RICHARD:
        with_whom = min(members(beside), default=rules.RICHARD)
        yield Item("swap-stay", "house", STAY, x, y, action=A.swap + with_whom, ask=True)
    elif not beside >> who & 1:
        yield Item(f"swap-{NAMES[who]}", "house", SWAP, x, y, action=A.swap + who, ask=True)


# Several who are sent away.


def sends_several(view: View) -> bool:
    """Whether the reader sends several away, in whatever order."""
    return bool(view.legal) and view.row[F.asked] == rules.SEND and view.row[F.expelled].bit_count() > 1


def sending(view: View, words: Words) -> Iterator[Item]:
    """The people who are sent, and the rooms next door: either is touched first."""
    for item in _rooms(words, view.row[F.dark], A.send):
        if item.action in view.legal:
            room = item.action - A.send
            yield item._replace(action=-1, ask=False, part=f"choice={room}", label=words.room(room))
    expelled = {f"figure-{NAMES[who]}": who for who in members(view.row[F.expelled])}
    for item in _people(view, words):
        if item.key in expelled:
            who = expelled[item.key]
            left, top = corner(view.row[F.place + who])
            label, state = titles(words)[who], f"{item.cls} eligible".strip()
            lifted = item._replace(parent="house", x=item.x + left, y=item.y + top, cls=state)
            yield lifted._replace(part=f"about={NAMES[who]}", label=label)
