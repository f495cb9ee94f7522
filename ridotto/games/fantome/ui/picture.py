"""A view of Le Fantôme as panels and items: the house in section, La Carlotta's track, the cards, and the deduction.

Everything is worked out from the view itself, so that nobody is shown what they may not know. People are figures: a shape, two
letters and a colour each. A mask stands for the phantom and for where nobody is watching, an eye for company in the light.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import takewhile
from typing import Final, NamedTuple

from ridotto.core.view import Seen, View
from ridotto.engine.fields import HIDDEN, Seat
from ridotto.games.fantome import components, rules
from ridotto.games.fantome.components import CENTRE, ends
from ridotto.games.fantome.rules import EVERYBODY, A, F
from ridotto.games.fantome.ui.sketch import AT, ORDER, POWERS, TOKENS, announced, way_out, would_clear
from ridotto.games.fantome.ui.words import ROLES, ROOMS, Words, corridor
from ridotto.present.kit.foresight import foresee
from ridotto.present.narrator import mark, opening
from ridotto.present.scene import Item, Layer, Move
from ridotto.present.svg import Panel, Svg, group, measure, tag, wrap, write

COLUMNS: Final[tuple[tuple[str, ...], ...]] = (("house", "track"), ("cards", "alibis"), ("deduction", "notebook", "secret"))
"""The panels of a wide picture, column by column."""

STYLE: Final = """
.sky { fill: $velvet; } .star { fill: $gilt; fill-opacity: 0.55; } .moon { fill: $gilt; fill-opacity: 0.5; }
.wall { fill: $wood; stroke: $brass; stroke-width: 1.5; } .chamber { fill: $plush; stroke: $brass; stroke-width: 1; }
.dome { fill: $wood; stroke: $gilt; stroke-width: 2; } .night { fill: $shade; fill-opacity: 0.94; }
.warm { stop-color: $glow; stop-opacity: 0.34; } .cool { stop-color: $glow; stop-opacity: 0; }
.line { fill: none; stroke: $brass; stroke-width: 1.6; stroke-opacity: 0.75; stroke-linecap: round; stroke-linejoin: round; }
.cloth { fill: $curtain; fill-opacity: 0.62; } .leaf { fill: $gilt; fill-opacity: 0.24; }
.deep { fill: $brass; fill-opacity: 0.2; } .number { fill: $gilt; } .onnumber { fill: $plush; font-weight: 700; }
.unlit .name { fill: $paper; }
.door { fill: $glow; fill-opacity: 0.38; stroke: $gilt; stroke-width: 2.5; stroke-linejoin: round; }
.gilded { fill: none; stroke: $gilt; stroke-width: 2.5; stroke-linecap: round; stroke-linejoin: round; }
.shut .door { fill: $shade; fill-opacity: 1; stroke: $bad; stroke-linejoin: miter; } .iron { fill: $bad; }
.shackle { fill: none; stroke: $bad; stroke-width: 4; } .hole { fill: $velvet; }
.pipe { fill: none; stroke: $rose; stroke-width: 9; stroke-linejoin: round; }
.bore { fill: none; stroke: $plush; stroke-width: 4; stroke-linejoin: round; } .astir .bore { stroke: $glow; }
.around { fill: none; stroke: $wood; stroke-width: 14; } .mouth { fill: $rose; }
.pawn { stroke: $ink; stroke-width: 1.6; stroke-linejoin: round; } .unlit .pawn { stroke: $paper; }
.onpaper .pawn { stroke: $pen; } .pawn.christine { stroke: #d9cdd5; } .raoul { fill: #b3202c; } .meg { fill: #f3a6c0; }
.giry { fill: #1f5fae; } .buquet { fill: #959ba3; } .christine { fill: #19151c; } .moncharmin { fill: #f7f3ec; }
.richard { fill: #5f2d8c; } .persan { fill: #7a4a21; }
.cleared .pawn { fill: $ash; fill-opacity: 0.3; stroke: $ash; } .unlit .cleared .pawn { stroke: $paper; }
.onpaper .cleared .pawn { fill: $pen; fill-opacity: 0.12; stroke: $pen; stroke-opacity: 0.6; }
.veil { fill: $plush; } .onpaper .veil { fill: $paper; } .unlit .veil { fill: $shade; } .tick { fill: $good; }
.veil, .tick { display: none; } .cleared .veil, .cleared .tick { display: inline; }
.ondark { fill: #ffffff; font-weight: 700; } .onlight { fill: #1c1216; font-weight: 700; }
.cleared text { fill: $ink; } .unlit .cleared text { fill: $paper; } .onpaper .cleared text { fill: $pen; }
.check { fill: none; stroke: $velvet; stroke-width: 2.6; stroke-linecap: round; stroke-linejoin: round; }
.spot { fill: $glow; fill-opacity: 0.4; } .point { fill: $glow; } .sign { fill: $gilt; }
.cue, .aim { display: none; } .active .cue, .eligible .aim { display: inline; }
.eyed { fill: none; stroke: $ash; stroke-width: 2; } .pupil { fill: $ash; } .unlit .eyed { stroke: $paper; }
.unlit .sign { fill: $paper; } .ring { fill: none; stroke: $gilt; stroke-width: 2.6; }
.handle { stroke: $gilt; stroke-width: 5; } .carpet { fill: $curtain; }
.start { fill: $wood; stroke: $gilt; stroke-width: 1; } .step { fill: $plush; stroke: $brass; stroke-width: 1; }
.stud { fill: $brass; } .here { fill: $paper; stroke: $glow; stroke-width: 3; } .onhere { fill: $pen; font-weight: 700; }
.exit { fill: $shade; stroke: $gilt; stroke-width: 2; } .onexit { fill: $paper; }
.gown { fill: $seat4; stroke: $ink; stroke-width: 1.6; stroke-linejoin: round; }
.plume { fill: $rose; stroke: $ink; stroke-width: 1.2; }
.turn { fill: $wood; stroke: $brass; stroke-width: 1; }
.now .turn { fill: $glow; fill-opacity: 0.16; stroke: $glow; stroke-width: 2; }
.role { fill: $ash; } .now .role { fill: $ink; font-weight: 700; } .strong { font-weight: 700; } .lamp { fill: $gilt; }
.sheet { fill: $wood; stroke: $brass; } .onpaper .sheet { fill: $paper; }
.picked .sheet { stroke: $glow; stroke-width: 4; } .print { fill: $ash; } .onpaper .print { fill: $pen; }
.when { display: none; } .onpaper .when { display: inline; } .asked .when, .asked .section, .covered .power { display: none; }
.pictogram { fill: none; stroke: $pen; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.must { fill: none; stroke: $pen; stroke-width: 1.6; }
.may { fill: none; stroke: $pen; stroke-width: 1.4; stroke-dasharray: 3 2.4; } .press { fill: $pen; }
.onpress { fill: $paper; font-weight: 600; } .can .press { fill: $curtain; }
.back { fill: $curtain; stroke: $gilt; stroke-width: 1.2; }
.onback { fill: none; stroke: $paper; stroke-width: 1.2; stroke-opacity: 0.7; } .sealed .sign { fill: $paper; }
.verdict { fill: $wood; stroke: $brass; stroke-width: 1; } .rule { stroke: $brass; stroke-width: 1.5; }
.hush { fill: $velvet; stroke: $brass; stroke-width: 1; stroke-dasharray: 2 3; } .boards { fill: $brass; fill-opacity: 0.5; }
.coin { fill: $paper; stroke: $pen; stroke-width: 1.2; } .arrows { fill: none; stroke: $pen; stroke-width: 2.4; }
.coin, .arrows { display: none; } .can > .coin, .can > .arrows { display: inline; }
.onpaper .sign { fill: $pen; } .can.unlit .halo { fill-opacity: 0.04; }
"""
"""The classes of this game's drawing; see drawing.py. Figures have the colours of the printed pawns in both themes.

What an item is like at the moment, such as cleared, active or picked, is told by its class: its look stays the same.
"""

WIDE: Final = 720
ROOM_WIDE, ROOM_TALL = 167, 152
LEFT: Final = (14, 189, 364, 539)
"""The left side of each column of rooms."""
TOP: Final = (72, 246, 426)
"""The ceiling of each floor."""
WALL, SLAB = 8, 28
HOUSE_TALL: Final = 604
TRACK_TALL: Final = 186
MARK_WIDE: Final = 64
"""A sign and a number of two figures, with some room between this mark and the next."""

PIPES: Final = {
    (1, 7): ("M152 374V412H466V432", (152, 374), (466, 432)),
    (4, 9): ("M336 58V22Q336 15 343 15H691Q698 15 698 22V252", (336, 58), (698, 252)),
}
"""Secret passages between rooms that are not above one another, with their two ends."""

NAMES: Final = rules.CHARACTER.names
TITLES: Final = (mark("the house"), mark("deduction"), mark("notebook"), mark("for your eyes only"), mark("behind the mask"))


def board(view: View, words: Words) -> dict[str, str]:
    """The house without people, La Carlotta's way, and the edges of the panels that keep their size."""
    return {
        "house": _backdrop(),
        "track": _carpet(),
        "cards": tag("rect", cls="panel", width=360, height=ROUND_TALL, rx=10),
        "alibis": tag("rect", cls="panel", width=360, height=ALIBIS_TALL, rx=10)
        + write(words.say("Alibis"), 14, 27, 19, cls="title", anchor="start"),
        "secret": tag("rect", cls="hush", width=360, height=SECRET_TALL, rx=10),
    }


def shared(view: View, words: Words) -> Layer:
    """The parts of the table, the most important first: the order on a phone. Nobody's name is in them."""
    words, told, verdicts = words.nameless(), _in_effect(view.seen), _verdicts(view)
    notes = _notes(told)
    panels = [
        _panel("house", opening(words.say(TITLES[0])), HOUSE_TALL, WIDE),
        _panel("track", "La Carlotta", TRACK_TALL, WIDE),
        _panel("cards", words.say("Round {round}", round=view.row[F.round]), ROUND_TALL),
        _deduction_panel(view, words, None),
        _panel("alibis", words.say("Alibis"), ALIBIS_TALL),
        _panel("notebook", opening(words.say(TITLES[2])), _notebook_tall(notes)),
    ]
    items = [
        *_house(view, words, told),
        *_track(view, words, told, verdicts),
        *_cards(view, words, told),
        *_deduction(view, words, verdicts, None),
        *_alibis(view, words),
        *_notebook(view, words, notes),
    ]
    if _knows_secret(view):
        panels.append(_secret_panel(words, TITLES[4]))
        items += _secret(view, words, None)
    return Layer(panels, items)


def own(view: View, words: Words) -> Layer:
    """What is said to the reader as "you", what the phantom alone knows, and how to choose among several who are sent away."""
    words, reader = words.nameless(), words.spoken_to(view.seat)
    if view.outcome is not None:
        items = [*_deduction(view, words, (), reader), *_own_alibis(view, words, reader)]
        return Layer([_deduction_panel(view, words, reader)], items)
    items = [*_own_deduction(view, words, reader), *_own_alibis(view, words, reader)]
    if sends_several(view):
        items += _sending(view, words)
    if not _knows_secret(view):
        return Layer((), items)
    mask = Item("mask", f"figure-{NAMES[view.row[F.identity]]}", MASK, 0, -50, 1.15)
    title = TITLES[3 if reader == rules.PHANTOM else 4]
    return Layer([_secret_panel(words, title)], [*items, mask, *_secret(view, words, reader)])


def moves(view: View, seen: Sequence[Seen]) -> list[Move]:
    """The alibis that were drawn from the pile: shown, kept, or a phantom card."""
    row, found = view.row, []
    down, kept, ghosts = _face_down(row), row[F.kept], components.PHANTOM_CARDS - row[F.ghosts]
    for one in _in_effect(seen):
        end = ""
        if one.event.name == "shows":
            end = f"alibi-{NAMES[one.values['who']]}"
        elif one.event.name == "keeps":
            kept -= 1
            end = f"alibi-kept-{kept}"
        elif one.event.name == "ghost":
            ghosts -= 1
            end = f"alibi-phantom-{ghosts}"
        if end:
            found.append(Move(f"alibi-down-{down}", end))
            down += 1
    return found[::-1]


def preview(view: View, words: Words, action: int) -> dict[str, Sequence[Item]]:
    """The deduction and the track as they would be after an action, before any announcement; a draw leaves a "?"."""
    # Not even the phantom is shown what they would say: as far as everybody can know, a round ends with the question.
    after = foresee(replace(view, row=view.public().row), action)
    is_unsure = not after.is_whole and after.row[F.active] == rules.RAOUL
    words, reader = words.nameless(), words.spoken_to(view.seat)
    later = replace(view, row=after.row)
    verdicts = _verdicts(later)
    return {
        "deduction": list(_deduction(later, words, verdicts, reader, is_unsure)),
        "track": list(_track(later, words, _in_effect(view.seen), verdicts)),
    }


def vignette(words: Words) -> None:
    """The house as it is dealt, which is the first panel."""


@lru_cache(1024)
def _panel(name: str, title: str, height: int, width: int = 360, private: bool = False) -> Panel:
    return Panel(name, title, width, height, private=private)


def _in_effect(seen: Sequence[Seen]) -> list[Seen]:
    """The events that were not taken back, the latest first."""
    found, last = [], sys.maxsize
    for one in reversed(seen):
        if one.event.name == "undone":
            last = min(last, one.values["ply"])
        elif one.ply <= last:
            found.append(one)
    return found


def _latest(told: Sequence[Seen]) -> list[Seen]:
    """The events of the last action, in order; none for those of the deal."""
    if not told or told[0].ply == 0:
        return []
    return list(takewhile(lambda one: one.ply == told[0].ply, told))[::-1]


@cache
def _members(bits: int) -> tuple[int, ...]:
    """The characters in a set."""
    return tuple(who for who in range(8) if bits >> who & 1)


@cache
def _names(words: Words) -> tuple[str, ...]:
    """The characters as a title names them."""
    return tuple(opening(words.who(who)) for who in range(8))


# Figures.


class Body(NamedTuple):
    """How a character looks: a robe below, a head and what is on it, and how letters show on its colour."""

    robe: str
    head: str
    letters: str


MAN: Final = "M-18 0L-16-30Q-15-40 0-41Q15-40 16-30L18 0Z"
STOUT: Final = "M-15 0Q-23-16-17-30Q-13-40 0-41Q13-40 17-30Q23-16 15 0Z"
GOWN: Final = "M-20 0Q-15-20-9-27Q-14-34-9-39Q0-43 9-39Q14-34 9-27Q15-20 20 0Z"
TUTU: Final = "M-7 0L-8-5L-20-6Q-21-18-9-27Q-12-34-8-39Q0-42 8-39Q12-34 9-27Q21-18 20-6L8-5L7 0Z"
SHAWL: Final = "M-19 0L-18-16L-13-20Q-17-28-13-36Q-8-41 0-42Q8-41 13-36Q17-28 13-20L18-16L19 0Z"
ROBE: Final = "M-20 0L-13-34Q-8-41 0-41Q8-41 13-34L20 0Z"
FACE: Final = "M-9-50A9 9 0 1 1 9-50A9 9 0 1 1-9-50Z"

BODIES: Final = (
    Body(MAN, FACE + "M-9-51Q-10-62 2-61Q10-60 9-51Q3-56-9-51ZM-8-41L0-37L8-41L8-34L0-37L-8-34Z", "ondark"),
    Body(TUTU, FACE + "M-5-62A5 5 0 1 1 5-62A5 5 0 1 1-5-62Z", "onlight"),
    Body(SHAWL, FACE + "M-13-54Q-12-58-8-58Q-8-66 1-66Q9-66 9-58Q13-58 13-54ZM6-65Q12-73 18-69Q14-63 8-62Z", "ondark"),
    Body(MAN, FACE + "M-10-53Q-10-61 0-61Q9-61 9-56L16-54Q15-51 9-52Z", "onlight"),
    Body(GOWN, "M-13-36Q-17-54-9-60Q0-66 9-60Q17-54 13-36Q0-42-13-36Z" + FACE + "M-8-54Q-2-55 0-59Q2-55 8-54", "ondark"),
    Body(STOUT, FACE + "M-13-55H13V-58H8V-71H-8V-58H-13Z", "onlight"),
    Body(MAN, FACE + "M-9-50Q-14-50-13-43Q-9-42-8-46ZM9-50Q14-50 13-43Q9-42 8-46ZM21 0V-36Q21-40 18-40Q15-40 15-37", "ondark"),
    Body(ROBE, FACE + "M-8-55L-10-67Q0-70 10-67L8-55Q0-57-8-55ZM-7-46Q0-43 7-46Q6-38 0-35Q-6-38-7-46Z", "ondark"),
)
"""A viscount with a bow tie, a dancer with a bun, a keeper of boxes in a plumed bonnet, a stagehand in a cap, a singer
with long hair, a stout manager in a top hat, a bald one with a stick, and the Persian with his lambskin hat and beard."""


@cache
def figure(who: int, mask: bool = False) -> str:
    """A character about 40 wide and 70 high, standing on its origin; pale with a tick in an item that is cleared."""
    body = BODIES[who]
    colour = f"pawn {NAMES[who]}"
    parts = [
        tag("path", cls="veil", d=body.robe + body.head),
        tag("path", cls=colour, d=body.robe),
        tag("path", cls=colour, d=body.head),
        write(TOKENS[who], 0, -7, 22, cls=body.letters),
        Svg('<g class="tick"><circle cx="15" cy="-38" r="9"/><path class="check" d="M11-38L14-34L20-42"/></g>'),
    ]
    if mask:
        parts.append(group([MASK], at=(0, -50)))
    return "".join(parts)


def _figures(
    view: View, words: Words, bits: int, parent: str, prefix: str, x: float, y: float, scale: float, pitch: float
) -> Iterator[Item]:
    """Figures side by side, the first one's feet at x, y."""
    for i, who in enumerate(_members(bits)):
        cls = "" if view.row[F.suspects] >> who & 1 else "cleared"
        yield Item(f"{prefix}-{NAMES[who]}", parent, figure(who), x + i * pitch, y, scale, cls, _names(words)[who])


# Signs, each around its origin.

MASK: Final = Svg(
    '<path class="sign" fill-rule="evenodd" d="M-13-6Q-6-10 0-6Q6-10 13-6Q14 5 7 8Q2 9 0 3Q-2 9-7 8Q-14 5-13-6Z'
    'M-9-1Q-6-5-3-1Q-6 2-9-1ZM3-1Q6-5 9-1Q6 2 3-1Z"/>'
)
EYE: Final = Svg('<path class="eyed" d="M-13 0Q0-13 13 0Q0 13-13 0Z"/><circle class="pupil" r="4.5"/>')
GLASS: Final = Svg('<circle class="ring" cx="-3" cy="-3" r="8"/><path class="handle" d="M3.5 3.5L10 10"/>')
PADLOCK: Final = Svg(
    '<path class="shackle" d="M-8-2V-9A8 8 0 0 1 8-9V-2"/><rect class="iron" x="-13" y="-3" width="26" height="21" rx="4"/>'
    '<circle class="hole" cy="5" r="3.2"/><path class="hole" d="M-1.6 6h3.2l1 7h-5.2Z"/>'
)
SNUFFED: Final = Svg('<path class="eyed" d="M-9-4A9 9 0 1 1 9-4Q9 1 5 4V8H-5V4Q-9 1-9-4ZM-4 12H4M-14 12L14-16"/>')
SWAP: Final = Svg(
    '<circle class="halo" r="17"/><circle class="coin" r="15"/>'
    '<path class="arrows" d="M-8-4H7M3-8L8-4L3 0M8 5H-7M-3 1L-8 5L-3 9"/>'
)
STAY: Final = Svg(
    '<circle class="halo" r="17"/><circle class="coin" r="15"/><path class="arrows" d="M0-9V5M-5 0L0 5L5 0M-8 9H8"/>'
)
SNUFF: Final = Svg(
    '<circle class="halo" r="17"/><circle class="coin" r="15"/>'
    '<path class="arrows" d="M-5-3A5 5 0 1 1 5-3Q5 0 3 2V5H-3V2Q-5 0-5-3ZM-2 8H2M-9 8L9-10"/>'
)
WALK: Final = Svg('<circle class="halo" r="17"/><circle class="coin" r="15"/><path class="arrows" d="M-9 0H8M2-6L8 0L2 6"/>')
SIGNS: Final = ((EYE, mark("cannot manifest")), (MASK, mark("can manifest")))
"""By what the phantom would say of somebody there."""


def _sign(words: Words, can: int, key: str, parent: str, x: float, y: float) -> Item:
    look, meaning = SIGNS[can]
    return Item(key, parent, look, x, y, title=words.say(meaning))


# The house.

CORRIDORS: Final = tuple(ends(way) for way in components.BOX["house"]["corridors"])
LAMPLIGHT: Final = Svg(
    '<defs><radialGradient id="fantome-house-light" cx="0.5" cy="0.1" r="0.95"><stop offset="0" class="warm"/>'
    '<stop offset="1" class="cool"/></radialGradient></defs>'
)
LIGHT: Final = tag("rect", width=ROOM_WIDE, height=ROOM_TALL, fill="url(#fantome-house-light)")
NIGHT: Final = tag("rect", cls="night", width=ROOM_WIDE, height=ROOM_TALL)
ROOM_ACTIONS: Final = {rules.DARK: A.dark, rules.SEND: A.send, rules.LEAVE: A.leave}
"""What pointing at a room means, by what is asked; otherwise a move."""


def _house(view: View, words: Words, told: Sequence[Seen]) -> Iterator[Item]:
    """The rooms with the people in them, and the ways between."""
    row = view.row
    padlock, asked = row[F.padlock], row[F.asked]
    yield from _lights(row[F.dark])
    yield from _ways(words, padlock, row[F.active] == rules.MEG and asked == rules.MOVE)
    yield from _rooms(words, row[F.dark], ROOM_ACTIONS.get(asked, A.move))
    yield from _people(view, words)
    yield from _traces(view, told)
    x, y, _ = _way(*CORRIDORS[padlock])
    yield Item("padlock", "house", PADLOCK, x, y, title=f"{words.say('padlock')} {corridor(padlock)}")
    if asked == rules.LOCK:
        yield from _lockable()
    if asked == rules.MOVE and row[F.active] == rules.BUQUET:
        yield from _coins("snuff", SNUFF, A.dark)
    elif asked == rules.LEAVE:
        yield from _coins("walk", WALK, A.move)


@cache
def _coins(name: str, look: str, action: int) -> tuple[Item, ...]:
    """A sign in every room, for what a click on the room itself does not mean: it is seen where that can be done."""
    corners = [_corner(room) for room in range(len(AT))]
    return tuple(
        Item(f"{name}-{room}", "house", look, x + ROOM_WIDE - 22, y + 94, action=action + room)
        for room, (x, y) in enumerate(corners)
    )


def _corner(room: int) -> tuple[int, int]:
    """The upper left corner of a room."""
    column, floor = AT[room]
    return LEFT[column], TOP[floor]


@cache
def _lights(dark: int) -> tuple[Item, ...]:
    """The lamplight of the rooms, and the night in one of them."""
    rooms = (Item(f"light-{room}", "house", NIGHT if room == dark else LIGHT, *_corner(room)) for room in range(len(AT)))
    return Item("lamplight", "house", LAMPLIGHT), *rooms


@cache
def _rooms(words: Words, dark: int, action: int) -> tuple[Item, ...]:
    """The rooms with their names: each can be pointed at, with whoever stands in it."""
    items = []
    for room in range(len(AT)):
        look, cls = _room(words, room), "unlit" if room == dark else ""
        items.append(Item(f"room-{room}", "house", look, *_corner(room), cls=cls, action=action + room, ask=True))
    return *items, Item("blackout", f"room-{dark}", SNUFFED, ROOM_WIDE - 22, 58, title=words.say("dark"))


def sends_several(view: View) -> bool:
    """Whether the reader sends several away, in whatever order."""
    return bool(view.legal and view.row[F.asked] == rules.SEND and len(_members(view.row[F.expelled])) > 1)


def _sending(view: View, words: Words) -> Iterator[Item]:
    """Whoever is sent, and the rooms next door: either is touched first."""
    for item in _rooms(words, view.row[F.dark], A.send):
        if item.action in view.legal:
            room = item.action - A.send
            yield item._replace(action=-1, ask=False, part=f"choice={room}", label=words.room(room))
    sent = {f"figure-{NAMES[who]}": who for who in _members(view.row[F.expelled])}
    for item in _people(view, words):
        if item.key in sent:
            who = sent[item.key]
            left, top = _corner(view.row[F.place + who])
            label, state = _names(words)[who], f"{item.cls} eligible".strip()
            lifted = item._replace(parent="house", x=item.x + left, y=item.y + top, cls=state)
            yield lifted._replace(part=f"about={NAMES[who]}", label=label)


@cache
def _room(words: Words, room: int) -> str:
    """A room's number and name, in one line or two, and its halo."""
    name, wide = words.say(ROOMS[room]), ROOM_WIDE - 49
    lines = wrap(name, wide, 21) if measure(name, 21) > wide else [name]
    size = 23 if len(lines) == 1 else 21
    parts = [tag("rect", cls="halo", x=2, y=2, width=ROOM_WIDE - 4, height=ROOM_TALL - 4, rx=6)]
    parts += [tag("circle", cls="number", cx=19, cy=20, r=14), write(str(room), 19, 28, 23, cls="onnumber")]
    parts += [write(line, 38, 28 + i * 20, size, cls="name", anchor="start", within=wide) for i, line in enumerate(lines)]
    return "".join(parts)


def _swaps(view: View) -> bool:
    """Whether Richard may swap places: a sign above each head stands for it, so that a click in a room is always a move."""
    return bool(view.row[F.asked] == rules.MOVE and view.row[F.active] == rules.RICHARD)


def _people(view: View, words: Words) -> Iterator[Item]:
    """What the phantom would say in each room, and everybody on the board, whoever is being moved in a spotlight."""
    row, names, moving, may_choose = view.row, _names(words), _moving(view), view.row[F.asked] == rules.COMPANION
    watched, may_swap = rules.watched(list(row)), _swaps(view)
    here: dict[int, list[int]] = {}
    for who in range(8):
        here.setdefault(row[F.place + who], []).append(who)
    for room in sorted(here):
        yield _sign(words, 1 - (watched >> here[room][0] & 1), f"sign-{room}", f"room-{room}", 19, 53)
    for who in range(8):
        room, suspect = row[F.place + who], row[F.suspects] >> who & 1
        unmasked = view.outcome is not None and row[F.identity] == who
        x, y, size = _standing(len(here[room]))[here[room].index(who)]
        cls = _state(not suspect, who == moving or unmasked, may_choose)
        title = names[who] if suspect else f"{names[who]}: {words.say('cleared')}"
        person = Item(f"figure-{NAMES[who]}", f"room-{room}", pawn(who, unmasked), x, y, size, cls, title)
        left, top = _corner(room)
        if may_choose:
            person = person._replace(parent="house", x=x + left, y=y + top, action=A.take + who, ask=True)
        yield person
        if may_swap:
            yield from _swap(who, [other for other in here[room] if other != who], x + left, y + top - 85 * size)


def _swap(who: int, beside: Sequence[int], x: float, y: float) -> Iterator[Item]:
    """The sign above a head: to swap places with them; above Richard's, to stay, which a swap in his room comes to."""
    if who == rules.RICHARD:
        with_whom = min(beside, default=rules.RICHARD)
        yield Item("swap-stay", "house", STAY, x, y, action=A.swap + with_whom, ask=True)
    elif rules.RICHARD not in beside:
        yield Item(f"swap-{NAMES[who]}", "house", SWAP, x, y, action=A.swap + who, ask=True)


@cache
def _state(is_cleared: bool, is_active: bool, is_eligible: bool) -> str:
    states = (("cleared", is_cleared), ("active", is_active), ("eligible", is_eligible))
    return " ".join(name for name, holds in states if holds)


@cache
def _standing(people: int) -> tuple[tuple[float, float, float], ...]:
    """Where so many people stand in a room, and how large: up to four in front, the others behind them."""
    behind, places = max(0, people - 4), []
    size = 1.22 if people < 4 else 0.86 if behind else 1.0
    for number, floor in ((behind, ROOM_TALL - 58), (people - behind, ROOM_TALL - 5)):
        for i in range(number):
            x = ROOM_WIDE / 2 + (i - (number - 1) / 2) * 41 * max(size, 1)
            places.append((round(x, 1), floor, size))
    return tuple(places)


@cache
def pawn(who: int, mask: bool) -> str:
    """A character on the board, with a spotlight for when it is active, and a halo for when it is eligible."""
    return "".join(
        [
            '<rect class="halo aim" x="-20" y="-73" width="40" height="75" rx="9"/>',
            '<ellipse class="spot cue" cy="-2" rx="25" ry="8"/>',
            figure(who, mask),
            '<path class="point cue" d="M-8-88H8L0-77Z"/>',
        ]
    )


def _moving(view: View) -> int:
    """The character whose way is being chosen, or -1."""
    if view.outcome is not None:
        return -1
    if view.row[F.asked] == rules.SEND:
        return _members(view.row[F.expelled])[0]
    return int(view.row[F.companion if view.row[F.asked] == rules.LEAVE else F.active])


# The ways.


@cache
def _way(a: int, b: int) -> tuple[float, float, str]:
    """Where the middle of a corridor is, and what it looks like there: a door, stairs inside or outside, or a bare line."""
    (here, upper), (there, lower) = sorted((AT[a], AT[b]), key=lambda at: (at[1], at[0]))
    if upper == lower and there - here == 1:
        return LEFT[there] - WALL / 2, TOP[upper] + ROOM_TALL - 32, "door"
    if here == there and lower - upper == 1:
        return LEFT[here] + (52 if here < 2 else ROOM_WIDE - 52), TOP[lower] - SLAB / 2, "stairs"
    if (here, there, upper, lower) in ((1, 0, 0, 1), (2, 3, 0, 1)):
        return (130 if there == 0 else WIDE - 130), 216, "flight"
    (x, y), (x2, y2) = _corner(a), _corner(b)
    return (x + x2 + ROOM_WIDE) / 2, (y + y2 + ROOM_TALL) / 2, "line"


@cache
def _ways(words: Words, padlock: int, astir: bool) -> tuple[Item, ...]:
    """The secret passages, and the corridors: gilt and lit where they are open."""
    title = words.say("secret passage (Meg)")
    items = [Item("passages", "house", _passages(), cls="astir" if astir else "", title=title)]
    for number, (a, b) in enumerate(CORRIDORS):
        x, y, _ = _way(a, b)
        title, cls = f"{words.say('corridor')} {corridor(number)}", "shut" if number == padlock else ""
        items.append(Item(f"corridor-{rules.CORRIDOR.names[number]}", "house", _corridor(a, b), x, y, cls=cls, title=title))
    return tuple(items)


@cache
def _corridor(a: int, b: int) -> str:
    x, y, kind = _way(a, b)
    if kind == "door":
        shapes = [tag("path", cls="door", d="M-15 32V-12Q-15-30 0-30Q15-30 15-12V32Z"), tag("path", cls="gilded", d="M0-30V32")]
    elif kind == "stairs":
        steps = "M-34 14V-14H34V14Z"
        shapes = [tag("path", cls="door", d=steps), tag("path", cls="gilded", d="M-34 14H-22V8H-10V2H2V-4H14V-10H26V-14")]
    elif kind == "flight":
        turn = 1 if x < WIDE / 2 else -1
        steps = "".join(f"h{12 * turn}v-10" for _ in range(6))
        d = f"M{-44 * turn} 30{steps}h{22 * turn}V{-18}L{-20 * turn} 30Z"
        frame = f"M{28 * turn}-30V-62Q{28 * turn}-78 {40 * turn}-78Q{52 * turn}-78 {52 * turn}-62V-30Z"
        shapes = [tag("path", cls="door", d=frame), tag("path", cls="door", d=d)]
    else:
        (x1, y1), (x2, y2) = ((c[0] + ROOM_WIDE / 2 - x, c[1] + ROOM_TALL / 2 - y) for c in (_corner(a), _corner(b)))
        shapes = [tag("path", cls="gilded", d=f"M{x1} {y1}L{x2} {y2}")]
    return "".join(shapes)


@cache
def _lockable() -> tuple[Item, ...]:
    """The places where the padlock can be put on a corridor."""
    items = []
    for number, (a, b) in enumerate(CORRIDORS):
        x, y, kind = _way(a, b)
        wide, tall = {"door": (46, 76), "stairs": (76, 48), "flight": (116, 76)}.get(kind, (46, 46))
        halo = tag("rect", cls="halo", x=-wide / 2, y=-tall / 2, width=wide, height=tall, rx=10)
        items.append(Item(f"lock-{rules.CORRIDOR.names[number]}", "house", halo, x, y, action=A.lock + number, ask=True))
    return tuple(items)


@cache
def _passages() -> str:
    passages = map(ends, components.BOX["house"]["passages"])
    return "".join(_pipe(a, b) for a, b in sorted(passages, key=lambda pair: pair not in PIPES))


def _pipe(a: int, b: int) -> str:
    """A secret passage: a rose pipe with open mouths."""
    (x, y), (x2, y2) = (_corner(room) for room in (a, b))
    if (a, b) in PIPES:
        d, *ends = PIPES[a, b]
    elif x == x2 and y > y2:
        ends = [(x + 148, y2 + ROOM_TALL - 26), (x + 148, y + 6)]
        d = f"M{x + 148} {y2 + ROOM_TALL - 26}V{y + 6}"
    else:
        ends = [(x + ROOM_WIDE // 2, y + ROOM_TALL // 2), (x2 + ROOM_WIDE // 2, y2 + ROOM_TALL // 2)]
        d = "M{} {}L{} {}".format(*ends[0], *ends[1])
    tube = [tag("path", cls=cls, d=d) for cls in ("around", "pipe", "bore")]
    return group([*tube, *(tag("rect", cls="mouth", x=x - 9, y=y - 3, width=18, height=6, rx=3) for x, y in ends)])


def _traces(view: View, told: Sequence[Seen]) -> Iterator[Item]:
    """How people went in the last move."""
    row, ways = view.row, []
    for one in _latest(told):
        seen = one.values
        if one.event.name == "moves":
            ways.append((seen["start"], seen["room"]))
        elif one.event.name == "sent":
            ways.append((row[F.place + rules.MONCHARMIN], seen["room"]))
        elif one.event.name == "left":
            ways.append((row[F.place + rules.PERSAN], seen["room"]))
        elif one.event.name == "swaps":
            ways.append((row[F.place + seen["who"]], row[F.place + rules.RICHARD]))
    for number, (start, end) in enumerate(way for way in ways if way[0] != way[1]):
        yield Item(f"trace-{number}", "house", _trace(start, end))


@cache
def _trace(start: int, end: int) -> str:
    """A bent dashed line from room to room."""
    (x, y), (x2, y2) = ((c[0] + ROOM_WIDE / 2, c[1] + ROOM_TALL / 2) for c in (_corner(start), _corner(end)))
    bend = (x + x2) / 2, min(y, y2) - 26
    d = f"M{x:.0f} {y:.0f}Q{bend[0]:.0f} {bend[1]:.0f} {x2:.0f} {y2:.0f}"
    return group([tag("path", cls="trace", d=d), tag("circle", cls="point", cx=x2, cy=y2, r=5)], pointer_events="none")


# The bare house, without people.


def _disc(x: float, y: float, radius: float) -> str:
    """A circle as part of a path."""
    return f"M{x - radius} {y}a{radius} {radius} 0 1 1 {2 * radius} 0a{radius} {radius} 0 1 1-{2 * radius} 0Z"


class Furniture(NamedTuple):
    """What stands in a room: paths in shade, gilt, cloth and line, and its lamps."""

    shade: str
    gilt: str
    cloth: str
    lines: str
    lamps: tuple[tuple[float, float], ...] = ()


TIERS: Final = "M0 64Q20 70 42 64V78Q20 84 0 78ZM167 64Q147 70 125 64V78Q147 84 167 78Z"
TIERS_BELOW: Final = "M0 98Q20 104 42 98V112Q20 118 0 112ZM167 98Q147 104 125 98V112Q147 118 167 112Z"
STAIRCASE: Final = "M56 152V140H62V130H68V120H74V110H94V120H100V130H106V140H112V152"
NICHES: Final = "M14 110V78Q34 52 54 78V110ZM64 110V78Q84 52 104 78V110ZM114 110V78Q134 52 154 78V110Z"
BOAT: Final = "M52 96H118Q112 112 100 112H68Q58 112 52 96Z"
OCULI: Final = _disc(36, 88, 13) + _disc(84, 82, 15) + _disc(132, 88, 13)

FURNISHED: Final = (
    # 0, the workshop: flats, a bench, pots of paint.
    Furniture(
        "M18 60L70 48V136H18Z",
        "M44 66L96 56V136H44Z",
        "M114 104H128V118H114ZM134 108H146V118H134Z",
        "M18 60L70 48V136M44 66L96 56V136M52 100Q66 70 88 84M108 118H158M114 118V148M152 118V148M121 104L126 84M140 108V92",
    ),
    # 1, under the stage: beams and a winch.
    Furniture(
        "M6 40H16V152H6ZM151 40H161V152H151ZM0 40H167V50H0Z",
        "",
        "",
        f"M16 92L60 50M151 92L107 50M16 140L48 152M151 140L119 152{_disc(84, 96, 32)}{_disc(84, 96, 8)}"
        "M84 56V136M44 96H124M56 68L112 124M112 68L56 124M116 96V52",
    ),
    # 2, the lake: vaults, water, a boat with a lantern.
    Furniture(
        "M0 104Q14 98 28 104T56 104T84 104T112 104T140 104T167 104V152H0Z",
        BOAT,
        "",
        "M0 96V62Q28 30 56 62V96M56 62Q84 30 112 62V96M112 62Q140 30 167 62V96M8 118q8-6 16 0t16 0M60 130q8-6 16 0t16 0"
        f"M116 120q8-6 16 0t16 0M20 142q8-6 16 0t16 0M112 142q8-6 16 0{BOAT}M110 96V72H118",
        ((118, 78),),
    ),
    # 3, the catacombs: niches with skulls and a candle.
    Furniture(
        NICHES,
        "M26 90a8 8 0 1 1 16 0v6h-4v6h-8v-6h-4ZM76 90a8 8 0 1 1 16 0v6h-4v6h-8v-6h-4Z",
        "",
        f"{NICHES}M0 122H167M30 122V136M84 122V136M138 122V136M0 136H167M57 136V152M111 136V152M130 110V92H138V110M134 92V88",
        ((134, 83),),
    ),
    # 4, the right wing: a dressing room.
    Furniture(
        "M18 62H34L40 132H12Z",
        "M56 56Q83 40 110 56V116H56Z",
        "M134 66L150 66L158 140H128Z",
        "M56 56Q83 40 110 56V116H56ZM44 120H122M50 120V150M116 120V150M66 104L96 66M78 108L102 78M142 66V58Q146 54 150 58"
        "M12 60V150M12 60H38",
        ((50, 66), (50, 84), (50, 102), (116, 66), (116, 84), (116, 102)),
    ),
    # 5, the stage: curtains and footlights.
    Furniture(
        "M0 132H167V152H0Z",
        "M60 132L84 58L108 132Z",
        "M0 34H167V50Q153 64 139 50Q125 64 111 50Q97 64 83 50Q69 64 55 50Q41 64 27 50Q13 64 0 50Z"
        "M0 52H34Q38 90 14 128L0 132ZM167 52H133Q129 90 153 128L167 132Z",
        "M10 54Q14 90 4 128M22 54Q26 92 10 128M157 54Q153 90 163 128M145 54Q141 92 157 128M0 132H167",
        ((30, 146), (66, 146), (102, 146), (138, 146)),
    ),
    # 6, the auditorium: boxes in tiers and a chandelier.
    Furniture(
        "M6 44h14v20h-14zM26 44h14v20h-14zM127 44h14v20h-14zM147 44h14v20h-14z"
        "M6 82h14v16h-14zM26 82h14v16h-14zM127 82h14v16h-14zM147 82h14v16h-14z",
        "",
        TIERS + TIERS_BELOW,
        f"{TIERS}{TIERS_BELOW}M84 34V48M62 60Q84 76 106 60M66 60Q84 44 102 60M84 48V70",
        ((62, 58), (73, 66), (84, 70), (95, 66), (106, 58)),
    ),
    # 7, the left wing: the great staircase between columns.
    Furniture(
        f"{STAIRCASE}Z",
        "M8 44H26V150H8ZM141 44H159V150H141Z",
        "",
        "M4 44H30M8 48V150M26 48V150M137 44H163M141 48V150M159 48V150M46 128V92M40 92H52M122 128V92M116 92H128"
        f"M74 110V70Q84 54 94 70V110{STAIRCASE}",
        ((40, 87), (52, 87), (116, 87), (128, 87)),
    ),
    # 8, the fly tower: battens, ropes, a painted moon and clouds.
    Furniture(
        "M44 92Q52 80 60 92Q70 88 70 98H38Q36 92 44 92ZM104 92Q112 80 120 92Q130 88 130 98H98Q96 92 104 92Z",
        _disc(82, 112, 18),
        "",
        "M0 46H167M0 40H167M30 46V152M52 46V84M112 46V84M140 46V152M24 84H140M24 90H140M82 90V94"
        "M90 98A16 16 0 1 0 90 126A20 20 0 0 1 90 98",
    ),
    # 9, the dome: ribs and round windows.
    Furniture(
        "",
        OCULI,
        "",
        f"M8 152V70Q20 36 40 34M159 152V70Q147 36 127 34M8 112H159{OCULI}M36 75V101M23 88H49M84 67V97M69 82H99"
        "M132 75V101M119 88H145M20 112V152M52 112V152M84 112V152M116 112V152M148 112V152",
    ),
)
"""What stands in each room, drawn behind the people."""

STARS: Final = "30,40 58,92 96,30 150,66 24,150 168,24 560,60 606,40 650,78 580,130 668,140 622,112"


@cache
def _backdrop() -> str:
    """Sky, walls, roofs and the rooms' furniture."""
    parts = [tag("rect", cls="sky", width=WIDE, height=HOUSE_TALL, rx=10)]
    for star in STARS.split():
        x, y = map(int, star.split(","))
        parts.append(tag("circle", cls="star", cx=x, cy=y, r=1.5 + (x + y) % 3 / 2))
    parts.append(Svg('<path class="moon" d="M84 72A34 34 0 1 1 60 128A40 40 0 0 0 84 72Z"/>'))
    # Roofs: the cupola with its lantern, the gable of the fly tower, the balustrades of the wings.
    parts.append(
        Svg(
            '<path class="dome" d="M178 70Q184 22 256 16Q258 8 272 4Q286 8 289 16Q360 22 366 70Z"/>'
            '<path class="line" d="M272 16V66M240 20Q214 34 210 66M304 20Q330 34 334 66M186 54H358"/>'
            '<path class="dome" d="M360 70L372 42H526L538 70Z"/>'
            '<path class="line" d="M372 54H526M392 42V70M430 42V70M468 42V70M506 42V70"/>'
        )
    )
    for x in (6, 539):
        posts = "".join(f"M{x + 8 + i * 13} 232V222" for i in range(13))
        parts.append(tag("path", cls="line", d=f"M{x} 220H{x + 175}{posts}"))
    # Walls, then the rooms cut out of them.
    parts.append(tag("rect", cls="wall", x=LEFT[1] - WALL, y=TOP[0] - 6, width=2 * (ROOM_WIDE + WALL) + WALL, height=180))
    parts.append(
        tag("rect", cls="wall", x=LEFT[0] - WALL, y=TOP[1] - 14, width=WIDE - 12, height=TOP[2] + ROOM_TALL + 12 - TOP[1] + 8)
    )
    for room, things in enumerate(FURNISHED):
        drawn = [tag("rect", cls="chamber", width=ROOM_WIDE, height=ROOM_TALL)]
        classes = zip(("deep", "leaf", "cloth", "line"), things, strict=False)
        drawn += [tag("path", cls=cls, d=path) for cls, path in classes if path]
        drawn += [tag("circle", cls="lamp", cx=x, cy=y, r=3.5) for x, y in things.lamps]
        parts.append(group(drawn, at=_corner(room)))
    return "".join(parts)


# La Carlotta's track.

DIVA: Final = Svg(
    '<path class="gown" d="M-22 0Q-12-16-8-30Q-13-36-8-41Q0-45 8-41Q13-36 8-30Q12-16 22 0Z"/>'
    '<path class="gown" d="M-8-51A8 8 0 1 1 8-51A8 8 0 1 1-8-51Z"/><path class="gown" d="M-17-56Q0-66 17-56Q0-52-17-56Z"/>'
    '<path class="plume" d="M4-60Q8-76 22-74Q20-62 8-58Z"/><path class="plume" d="M10-32L26-42Q30-34 27-26Z"/>'
)
BASE: Final = 136
"""The lower edge of the spaces, nearly."""
EXIT_WIDE: Final = 84
END: Final = components.EXIT
PITCH: Final = (WIDE - 24 - EXIT_WIDE) / END
MIDDLES: Final = (*(12 + (number + 0.5) * PITCH for number in range(END)), WIDE - 12 - EXIT_WIDE / 2)
"""Where the middle of each space is, and of the exit."""
STUD: Final = tag("circle", cls="stud", cy=-8, r=3)


def _carpet() -> str:
    """The spaces of the track; what is on every fifth may change."""
    start = components.CENTRE + components.HANDICAP
    parts = [tag("rect", cls="panel", width=WIDE, height=TRACK_TALL, rx=10)]
    parts.append(write("La Carlotta", 20, 34, 27, cls="title", anchor="start"))
    parts.append(tag("rect", cls="carpet", x=8, y=BASE - 32, width=WIDE - 16, height=40, rx=4))
    for number in range(END):
        cls = "start" if number <= start else "step"
        parts.append(tag("rect", cls=cls, x=12 + number * PITCH + 1, y=BASE - 28, width=PITCH - 2, height=32, rx=3))
        if number % 5:
            parts.append(tag("circle", cls="stud", cx=MIDDLES[number], cy=BASE - 12, r=3))
    return "".join(parts)


def _track(view: View, words: Words, told: Sequence[Seen], verdicts: Sequence[Verdict]) -> Iterator[Item]:
    """Where La Carlotta stands on her spaces, and where either announcement would take her."""
    space = view.row[F.carlotta]
    where = words.say("on space {space}, steps to the exit: {steps}", space=space, steps=END - space)
    yield Item("where", "track", _line(where, 23, "quiet", "end", WIDE - 220), WIDE - 20, 33)
    for number in range(0, END, 5):
        look = STUD if abs(number - space) < 2 else _line(str(number), 23, "strong", "middle")
        yield Item(f"number-{number}", "track", look, MIDDLES[number], BASE - 4)
    if space < END:
        yield Item("here", "track", _here(space), MIDDLES[space])
    yield Item("exit", "track", _exit(words.say("exit") if space < END else ""))
    if view.outcome is None:
        yield from _landings(words, verdicts)
    if walk := _walk(view, told):
        yield Item("walk", "track", walk)
    y = BASE - (29 if space < END else 8)
    yield Item("carlotta", "track", DIVA, round(MIDDLES[space], 1), y, 0.88, title=f"La Carlotta, {where}")


@cache
def _here(number: int) -> str:
    """The space where La Carlotta stands."""
    lit = tag("rect", cls="here", x=1 - PITCH / 2, y=BASE - 28, width=PITCH - 2, height=32, rx=3)
    return lit + write(str(number), 0, BASE - 4, 23, cls="onhere")


@cache
def _exit(text: str) -> str:
    """The door at the end of the track, with a word on it."""
    left, right, middle = WIDE - 12 - EXIT_WIDE, WIDE - 12, MIDDLES[END]
    rays = "".join(f"M{middle} 98L{middle + side} {74 - 8 * (abs(side) < 20)}" for side in (-30, -16, 0, 16, 30))
    door = tag("path", cls="exit", d=f"M{left} {BASE + 4}V72Q{middle} 46 {right} 72V{BASE + 4}Z")
    word = write(text, middle, BASE - 8, 23, cls="onexit", within=EXIT_WIDE - 16) if text else ""
    return door + tag("path", cls="line", d=f"M{left} 98H{right}{rays}") + word


def _landings(words: Words, verdicts: Sequence[Verdict]) -> Iterator[Item]:
    """Where either announcement would take La Carlotta: an arrow, a sign and the number of the space."""
    marks: dict[int, list[int]] = {}
    for verdict in verdicts:
        if verdict.left > 1:
            marks.setdefault(verdict.landing, []).append(verdict.can)
    landings = sorted(marks)
    for landing, x in zip(landings, _apart([MIDDLES[landing] for landing in landings]), strict=True):
        at = MIDDLES[landing]
        yield Item(f"landing-{marks[landing][0]}", "track", _landing(landing, round(x - at, 1)), at)
        for i, can in enumerate(marks[landing]):
            yield _sign(words, can, f"landing-sign-{can}", "track", round(x - 18 - i * 30, 1), BASE + 33)


@lru_cache(1024)
def _landing(landing: int, shift: float) -> str:
    """An arrow, and the number of a space that is not the exit."""
    arrow = tag("path", cls="point", d=f"M-6 {BASE + 18}H6L0 {BASE + 9}Z")
    return arrow + (write(str(landing), shift, BASE + 41, 25, cls="strong", anchor="start") if landing < END else "")


def _apart(middles: list[float]) -> list[float]:
    """Where the marks stand of at most two landings, from left to right: below them, and clear of one another and the edges."""
    found = [min(x, WIDE - 50) for x in middles]
    if len(found) == 2:
        missing = max(0.0, MARK_WIDE - (found[1] - found[0]))
        right = min(found[1] + missing / 2, WIDE - 50)
        found = [min(found[0], right - MARK_WIDE), right]
    return found


def _walk(view: View, told: Sequence[Seen]) -> str:
    """How La Carlotta walked in the last move, from space to space: for a phantom card and at the end of a round."""
    now = [one.values["space"] for one in _latest(told) if one.event.name in WALKS]
    if not now:
        return ""
    earlier = [one.values["space"] for one in told if one.event.name in WALKS][len(now) :]
    hops = ""
    before = earlier[0] if earlier else _first_space(view, told)
    for space in now:
        if before not in (None, space):
            x, x2 = MIDDLES[before], MIDDLES[space]
            hops += f"M{x:.0f} {BASE - 30}Q{(x + x2) / 2:.0f} {BASE - 70} {x2:.0f} {BASE - 30}"
        before = space
    return tag("path", cls="trace", d=hops) if hops else ""


def _first_space(view: View, told: Sequence[Seen]) -> int | None:
    """Where La Carlotta stood before her first walk; None if the beginning of the match was not seen."""
    return CENTRE + view.row[F.handicap] if any(one.event.name == "placed" for one in told) else None


WALKS: Final = ("ghost", "steps")
"""The events that move La Carlotta."""


# The cards.

ROUND_TALL: Final = 468


class Turns(NamedTuple):
    """The cards of this round, and who has played which, in order."""

    cards: int
    played: list[int]


def _turns(view: View, told: Sequence[Seen]) -> Turns:
    """What the row tells, and the events where the row has forgotten it."""
    row = view.row
    cards = row[F.offered] | (0 if row[F.active] < 0 else 1 << row[F.active])
    if row[F.pile]:
        cards = EVERYBODY & ~row[F.pile]
    played: list[int] = []
    for one in told:
        if one.event.name == "offers":
            cards = one.values["cards"]
            break
        if one.event.name == "picks":
            played.insert(0, one.values["who"])
    for who in played:
        cards |= 1 << who
    return Turns(cards, played)


def _cards(view: View, words: Words, told: Sequence[Seen]) -> Iterator[Item]:
    """Who plays when, the cards face up with their powers, and those to come."""
    row = view.row
    turns, coming = _turns(view, told), words.say("next round:")
    yield Item("round", "cards", _line(words.say("Round {round}", round=row[F.round]), 20, "title"), 14, 28)
    if view.outcome is None:
        if row[F.pile]:
            yield Item("coming", "cards", _line(coming, 14, "quiet", "end", 116), 220, 27)
            yield from _figures(view, words, row[F.pile], "cards", "coming", 240, 45, 0.62, 31)
        else:
            yield Item("coming", "cards", _line(f"{coming} {words.say('four of all eight')}", 14, "quiet", "end", 236), 346, 27)
    for turn in range(4):
        yield from _turn(view, words, turn, turns)
    for i, who in enumerate(_members(turns.cards)[:4]):
        yield from _card(view, words, who, 8 + i % 2 * 176, 124 + i // 2 * 172)


@lru_cache(1024)
def _line(text: str, size: float, cls: str, anchor: str = "start", within: float = 0) -> str:
    return write(text, 0, 0, size, cls=cls, anchor=anchor, within=within)


def _turn(view: View, words: Words, turn: int, turns: Turns) -> Iterator[Item]:
    """One of the four turns of a round: whose it is, and whom they played."""
    row, seat = view.row, ((turn + 1) // 2 + view.row[F.round] + 1) & 1
    now, has_played = turn == row[F.played] and view.outcome is None, turn < len(turns.played)
    cls = ("now" if has_played else "now active") if now else ""
    yield Item(f"turn-{turn}", "cards", slot(seat, words.say(ORDER[seat])), 8 + turn * 88, 48, cls=cls)
    if has_played:
        yield from _figures(view, words, 1 << turns.played[turn], f"turn-{turn}", "played", 58, 45, 0.62, 0)


@cache
def slot(seat: int, role: str) -> str:
    """A turn of a seat, with an arrow for when it is active."""
    return "".join(
        [
            '<rect class="turn" width="80" height="66" rx="8"/>',
            group([MASK if seat else GLASS], at=(24, 24)),
            '<path class="point cue" d="M51 16L65 24L51 32Z"/>',
            write(role, 40, 60, 14, cls="role", within=74),
        ]
    )


FOOT: Final = "M-7 2H5M1-3L6 2L1 7"
PICTOGRAMS: Final = (
    "M-5-7H5V7H-5ZM-2-2A2.4 2.4 0 1 1 2.4-2M-3 4Q0 0 3 4",
    "M-8-3H-1V3H8M-8-6V0M8 0V6",
    "M-6-1H6V8H-6ZM-4-1V-4A4 4 0 0 1 4-4V-1",
    "M-5-2A5 5 0 1 1 5-2Q4 1 2 3H-2Q-4 1-5-2ZM-2 7H2M-8 7L8-9",
    "M-9 0H-3M-5-2L-3 0L-5 2M9 0H3M5-2L3 0L5 2M0-9V-3M-2-5L0-3L2-5M0 9V3M-2 5L0 3L2 5",
    "M-3 0H-9M-7-2L-9 0L-7 2M3 0H9M7-2L9 0L7 2M0-3V-9M-2-7L0-9L2-7M0 3V9M-2 7L0 9L2 7",
    "M-8-3H7M3-7L7-3L3 1M8 4H-7M-3 0L-7 4L-3 8",
    "M-7 8L-5-1H-1L1 8ZM-5-4A2 2 0 1 1-1-4A2 2 0 1 1-5-4M1 8L3-1H7L9 8ZM3-4A2 2 0 1 1 7-4A2 2 0 1 1 3-4",
)
"""A sign for each power: an alibi card, a pipe, a padlock, a lamp, in, out, to and fro, two together."""
TIMES: Final = ("→", "+", "⇄", "⇄", "→", "→", "/", "+")
"""When a power works, between the move and the power: after it, during it, before or after it, instead of it."""
FORCED: Final = (True, False, True, True, False, False, False, False)


def when(who: int, x: float, y: float) -> str:
    """The move and the power of a character: a full ring for what must be, a broken one for what may be."""
    between = {
        "→": "M-6 0H5M1-4L5 0L1 4",
        "⇄": "M-6-3H5M2-6L5-3L2 0M6 4H-5M-2 1L-5 4L-2 7",
        "+": "M-5 0H5M0-5V5",
        "/": "M-4 7L4-7",
    }
    return group(
        [
            Svg('<circle class="must" r="12"/>'),
            tag("path", cls="pictogram", d=FOOT),
            group([tag("path", cls="pictogram", d=between[TIMES[who]])], at=(24, 0)),
            group(
                [tag("circle", cls="must" if FORCED[who] else "may", r=13), tag("path", cls="pictogram", d=PICTOGRAMS[who])],
                at=(49, 0),
            ),
        ],
        at=(x, y),
        cls="when",
    )


def _card(view: View, words: Words, who: int, x: float, y: float) -> Iterator[Item]:
    """A character's card, 168 by 164: to be picked, being played, or laid aside."""
    row, key = view.row, f"card-{NAMES[who]}"
    is_active = row[F.active] == who
    answers = ANSWERS.get(row[F.asked], ()) if is_active else ()
    cls = "onpaper" if row[F.offered] >> who & 1 else ""
    if is_active:
        cls = ("onpaper picked", "onpaper picked asked", "onpaper picked asked covered")[len(answers)]
    title = "" if len(answers) == 2 else f"{_names(words)[who]}: {words.say(POWERS[who])}"
    action = -1 if is_active else A.pick + who
    yield Item(key, "cards", _face(words, who), x, y, cls=cls, title=title, action=action, ask=True)
    cls = "" if row[F.suspects] >> who & 1 else "cleared"
    yield Item(f"portrait-{NAMES[who]}", key, figure(who), 33, 99, 1.24, cls)
    for i, (name, action, text) in enumerate(answers):
        yield Item(name, key, _button(words.say(text)), 62, 42 + i * 58, action=action)


@cache
def _face(words: Words, who: int) -> str:
    """What is printed on a card, but for the portrait."""
    parts = [tag("rect", cls=cls, width=168, height=164, rx=9) for cls in ("sheet", "halo")]
    parts.append(write(_names(words)[who], 66, 28, 18, cls="name print", anchor="start", within=88))
    parts.append(when(who, 80, 54))
    parts.append(write(f"§5.{who + 1}", 160, 94, 14, cls="section print", anchor="end"))
    for i, line in enumerate(wrap(words.say(POWERS[who]), 144, 14)):
        parts.append(write(line, 11, 119 + i * 17, 14, cls="power print", anchor="start"))
    return "".join(parts)


ANSWERS: Final = {
    rules.POWER: (("use", A.use, mark("use it")), ("decline", A.decline, mark("leave it"))),
    rules.COMPANION: (("alone", A.alone, mark("go alone")),),
}
"""The small decisions that are taken on the card itself, by what is asked."""


@cache
def _button(text: str) -> str:
    face = [tag("rect", cls=cls, width=98, height=50, rx=8) for cls in ("press", "halo")]
    return "".join([*face, write(text, 49, 31, 15, cls="onpress", within=86)])


# The alibis.

ALIBIS_TALL: Final = 128
ALIBIS: Final = (
    mark("An alibi card, face down."),
    mark("An alibi card that was kept, face down."),
    mark("A phantom card that was among the alibis: it moved La Carlotta."),
)
"""What cards are whose face does not tell it."""


def _alibis(view: View, words: Words) -> Iterator[Item]:
    """The ten cards of the alibi pile: shown, kept by the phantom, still face down."""
    row = view.row
    kept, ghosts, down = row[F.kept], row[F.ghosts], _face_down(row)
    held = row[F.held] if view.outcome is not None else 0
    told = [words.say(text) for text in ALIBIS]
    cards = [(NAMES[who], alibi_card(words, who), "onpaper", "") for who in _members(row[F.shown])]
    cards += [(f"phantom-{i}", alibi_card(words, None), "onpaper", told[2]) for i in range(components.PHANTOM_CARDS - ghosts)]
    if held:
        cards += [(f"kept-{i}", alibi_card(words, who), "onpaper", "") for i, who in enumerate(_members(held))]
    else:
        cards += [(f"kept-{i}", alibi_back(True), "sealed", told[1]) for i in range(kept)]
    # Counted from the right, so that those that stay keep their places.
    cards += [(f"down-{i}", alibi_back(False), "sealed", told[0]) for i in reversed(range(down))]
    pitch = min(34.0, 332 / len(cards))
    for i, (name, look, cls, title) in enumerate(cards):
        yield Item(f"alibi-{name}", "alibis", look, 12 + i * pitch, 38, cls=cls, title=title)
    yield _alibis_kept(words.say("kept by the phantom: {count}", count=kept))
    text = words.say("face down: {count} (phantom cards: {ghosts})", count=down, ghosts=ghosts)
    yield Item("alibis-down", "alibis", _line(text, 14, "", within=332), 14, 115)


def _alibis_kept(text: str) -> Item:
    return Item("alibis-kept", "alibis", _line(text, 13, "quiet", "end", 220), 346, 26)


def _own_alibis(view: View, words: Words, reader: Seat | None) -> Iterator[Item]:
    """How many alibis the phantom keeps, said to the phantom."""
    if reader == rules.PHANTOM:
        yield _alibis_kept(words.say("kept by you: {count}", count=view.row[F.kept]))


def _face_down(row: Sequence[int]) -> int:
    """How many alibi cards are still in the pile."""
    return int(7 - row[F.shown].bit_count() - row[F.kept] + row[F.ghosts])


@cache
def alibi_card(words: Words, who: int | None) -> str:
    """An alibi card face up: a character, or a phantom card."""
    paper = Svg('<rect class="card" width="30" height="52" rx="4"/>')
    if who is None:
        return paper + group([MASK], at=(15, 26))
    return paper + tag("g", tag("title", _names(words)[who]), Svg(figure(who)), transform="translate(15 48) scale(0.6)")


@cache
def alibi_back(kept: bool) -> str:
    """An alibi card face down; one the phantom keeps bears a mask."""
    back = Svg('<rect class="back" width="30" height="52" rx="4"/>')
    return back + (
        group([MASK], at=(15, 26)) if kept else Svg('<path class="onback" d="M15 12L24 26L15 40L6 26ZM4 4H26V48H4Z"/>')
    )


# The deduction.

VERDICT_TALL: Final = 168
CLEARS: Final = (mark("clears whoever is alone or in the dark"), mark("clears whoever has company in the light"))


class Verdict(NamedTuple):
    """What an announcement would bring: who would be cleared, how many suspects be left, where La Carlotta would go."""

    can: int
    cleared: int
    left: int
    landing: int


def _verdicts(view: View) -> tuple[Verdict, ...]:
    """The two announcements, for the position as it stands."""
    return _verdicts_of(view.row[: F.identity])  # what the phantom alone knows comes after that, and changes nothing


@lru_cache(256)
def _verdicts_of(row: tuple[int, ...]) -> tuple[Verdict, ...]:
    return tuple(Verdict(can, would_clear(row, can), *announced(row, can)) for can in (1, 0))


def _deduction_panel(view: View, words: Words, reader: Seat | None) -> Panel:
    if view.outcome is None:
        return _panel("deduction", opening(words.say(TITLES[1])), 44 + 2 * (VERDICT_TALL + 8))
    return _panel("deduction", opening(_victory(words, view.outcome.winners[0], reader)), 300)


def _deduction(
    view: View, words: Words, verdicts: Sequence[Verdict], reader: Seat | None, unsure: bool = False
) -> Iterator[Item]:
    """Who would be cleared by either announcement, and where La Carlotta would go; at the end, who the phantom was."""
    if view.outcome is not None:
        (winner,), row, end = view.outcome.winners, view.row, view.outcome
        look = _unmasking(words, winner, end.ending, end.section, row[F.identity], row[F.held], reader)
        yield Item("unmasking", "deduction", look)
        return
    yield _deduction_frame(words, reader)
    yield Item("deduction-note", "deduction", _line("?" if unsure else "§6.2", 20 if unsure else 14, "quiet", "end"), 346, 28)
    for verdict in verdicts:
        yield from _verdict(view, words, verdict, reader)


def _own_deduction(view: View, words: Words, reader: Seat | None) -> Iterator[Item]:
    """What of the deduction speaks of the reader: the phantom's answer, and an announcement by which the reader would win."""
    if reader == rules.PHANTOM:
        yield _deduction_frame(words, reader)
    for verdict in _verdicts(view):
        if _winner(view, verdict) == reader:
            yield _verdict_frame(view, words, verdict, reader)


@cache
def _deduction_frame(words: Words, reader: Seat | None) -> Item:
    they = words.say("If the round ended now, the phantom")
    text = words.say("If the round ended now:") if reader == rules.PHANTOM else they
    frame = tag("rect", cls="panel", width=360, height=44 + 2 * (VERDICT_TALL + 8), rx=10)
    return Item("deduction-frame", "deduction", frame + write(text, 14, 29, 18, cls="title", anchor="start", within=296))


def _winner(view: View, verdict: Verdict) -> int:
    """Who would win by an announcement; -1 if nobody would."""
    if verdict.left == 1:
        return rules.INSPECTOR
    return rules.PHANTOM if verdict.left and verdict.landing == way_out(view) else -1


def _verdict_frame(view: View, words: Words, verdict: Verdict, reader: Seat | None) -> Item:
    """An announcement with its consequence."""
    look = _consequence(words, verdict.can, verdict.left, _winner(view, verdict), reader)
    return Item(f"verdict-{verdict.can}", "deduction", look, 8, 42 + (1 - verdict.can) * (VERDICT_TALL + 8))


def _verdict(view: View, words: Words, verdict: Verdict, reader: Seat | None) -> Iterator[Item]:
    """One announcement: its consequence, the suspects it would leave, and those it would clear."""
    can, cleared, left, landing = verdict
    key = f"verdict-{can}"
    yield _verdict_frame(view, words, verdict, reader)
    if left == 0:
        return
    if _winner(view, verdict) < 0:
        walk = f"{view.row[F.carlotta]} → {landing}"
        yield Item(f"{key}-diva", key, DIVA, round(306 - measure(walk, 20)), 34, 0.4)
        yield Item(f"{key}-walk", key, _line(walk, 20, "strong", "end"), 334, 31)
    # The figures stay in the same order, so that those that change sides are seen to go there.
    after, names = {0: 25, 1: _beyond(left)}, _names(words)
    for who in _members(view.row[F.suspects]):
        side = cleared >> who & 1
        yield Item(f"{key}-{NAMES[who]}", key, figure(who), after[side], 134, 0.94, "cleared" if side else "", names[who])
        after[side] += 41
    yield Item(f"{key}-tally", key, _tally(words, left, cleared.bit_count()))


def _beyond(left: int) -> int:
    """Where the first one stands who would be cleared, right of so many others."""
    return 25 + left * 41 + 8


@cache
def _consequence(words: Words, can: int, left: int, winner: int, reader: Seat | None) -> str:
    """The frame of an announcement with its sign, its name and what comes of it."""
    sign, meaning = SIGNS[can]
    signed = tag("g", tag("title", words.say(meaning)), sign, transform="translate(24 24) scale(1.15)")
    parts = [tag("rect", cls="verdict", width=344, height=VERDICT_TALL, rx=8), signed]
    parts.append(
        write(words.say(meaning), 46, 30, 18, cls="name", anchor="start", within=176 if left > 1 and winner < 0 else 290)
    )
    if left == 0:
        parts.append(write(words.say("impossible: no suspect would be left"), 172, 92, 15, cls="quiet", within=320))
    elif winner == rules.INSPECTOR:
        parts.append(write(opening(_victory(words, winner, reader)), 46, 52, 15, cls="strong", anchor="start", within=290))
    elif winner == rules.PHANTOM:
        they = words.say("La Carlotta leaves, the phantom wins")
        text = words.say("La Carlotta leaves, you win") if reader == winner else they
        parts.append(write(text, 46, 52, 15, cls="strong", anchor="start", within=290))
    else:
        parts.append(write(words.say(CLEARS[can]), 46, 50, 14, cls="quiet", anchor="start", within=290))
    return "".join(parts)


@cache
def _tally(words: Words, left: int, cleared: int) -> str:
    """How many suspects would be left, and how many cleared, with a line between them."""
    counted = write(words.say("suspects: {count}", count=left), 10, 158, 15, cls="strong", anchor="start")
    if not cleared:
        return counted
    rule, beside = tag("path", cls="rule", d=f"M{_beyond(left) - 24} 66V134"), min(max(_beyond(left) - 16, 122), 220)
    return counted + rule + write(words.say("cleared: {count}", count=cleared), beside, 158, 15, cls="good", anchor="start")


def _victory(words: Words, winner: int, reader: Seat | None) -> str:
    """Who wins, said to a reader."""
    if winner == reader:
        return words.say("you win")
    return (words.say("the inspector wins"), words.say("the phantom wins"))[winner]


def _left(words: Words, seat: Seat, reader: Seat | None) -> str:
    """Who has resigned, or run out of time, said to a reader."""
    who, is_late = words.say(ROLES[seat]), seat in words.narrator.late
    if reader == seat:
        return words.say("You ran out of time.") if is_late else words.say("You resigned.")
    return words.say("{who} ran out of time.", who=who) if is_late else words.say("{who} resigned.", who=who)


@lru_cache(256)
def _unmasking(words: Words, winner: int, ending: str, section: str, identity: int, held: int, reader: Seat | None) -> str:
    """The end: who the phantom was, and who has won, said to a reader."""
    meanings = [words.say(line.meaning) for line in rules.ENDINGS if line.name == ending]
    meanings.append(_left(words, 1 - winner, reader))
    parts = [tag("rect", cls="panel", width=360, height=300, rx=10)]
    parts.append(write(opening(_victory(words, winner, reader)), 180, 36, 24, cls="title", within=270))
    parts.append(write(opening(meanings[0]), 180, 59, 13.5, cls="quiet", within=338))
    parts.append(write(f"§{section}", 346, 28, 12, cls="quiet", anchor="end"))
    parts.append(
        '<path class="spot" d="M150 74H210L262 236H98Z"/><path class="boards" d="M20 232H340V246H20Z"/>'
        '<path class="cloth" d="M20 72H120Q112 150 52 220L20 232ZM340 72H240Q248 150 308 220L340 232Z"/>'
        '<path class="line" d="M44 72Q44 150 30 226M74 72Q72 150 40 222M100 72Q94 150 50 216M316 72Q316 150 330 226'
        "M286 72Q288 150 320 222"
        'M260 72Q266 150 310 216"/>'
    )
    parts.append(tag("g", Svg(figure(identity, True)), transform="translate(180 236) scale(2)"))
    name, they = words.who(identity), words.say("The phantom was {who}.", who=words.who(identity))
    text = words.say("You were {who}.", who=name) if reader == rules.PHANTOM else they
    parts.append(write(text, 180, 272, 18, cls="name", within=330))
    kept = words.cast(held) if held else words.say("none")
    parts.append(write(f"{words.say('alibis kept:')} {kept}", 180, 291, 13, cls="quiet", within=336))
    return "".join(parts)


# The notebook.


class Note(NamedTuple):
    """What cleared people in a round, an announcement (whether the phantom can manifest) or an alibi (ALIBI), and whom."""

    round: int
    kind: int
    cleared: int
    x: int
    y: int


ALIBI: Final = 2


def _notes(told: Sequence[Seen]) -> list[Note]:
    """What was announced in each round, who was cleared by it, and whom an alibi cleared, as they stand in lines."""
    found: list[tuple[int, int, int]] = []
    number = 0
    for one in reversed(told):
        name = one.event.name
        if name == "offers":
            number = one.values["round"]
        elif name == "announces":
            found.append((number, one.values["can"], 0))
        elif name == "clears" and found:
            found[-1] = (*found[-1][:2], one.values["who"])
        elif name == "shows" and one.values["new"]:
            found.append((number, ALIBI, 1 << one.values["who"]))
    notes, x, y = [], 14, 42
    for number, kind, cleared in found:
        wide = 44 + 27 * cleared.bit_count()
        if x + wide > 352:
            x, y = 14, y + 44
        notes.append(Note(number, kind, cleared, x, y))
        x += wide + 6
    return notes


def _notebook_tall(notes: Sequence[Note]) -> int:
    return notes[-1].y + 46 if notes else 66


def _notebook(view: View, words: Words, notes: Sequence[Note]) -> Iterator[Item]:
    """The notes, and how many suspects are left."""
    yield Item("notebook-frame", "notebook", _notebook_frame(words, _notebook_tall(notes)))
    count = words.say("suspects: {count}", count=view.row[F.suspects].bit_count())
    yield Item("notebook-suspects", "notebook", _line(count, 15, "strong", "end"), 346, 27)
    if not notes:
        # In a match that goes on from a position, nothing tells when people were cleared.
        cleared = 8 - view.row[F.suspects].bit_count()
        before = words.count("{number} person was cleared before", "{number} people were cleared before", cleared)
        text = before if cleared else words.say("nobody is cleared yet")
        yield Item("notebook-empty", "notebook", _line(text, 14, "quiet"), 14, 52)
    for i, note in enumerate(notes):
        key = f"note-{i}"
        yield Item(key, "notebook", _note(words, note.round, note.kind), note.x, note.y)
        for n, who in enumerate(_members(note.cleared)):
            yield Item(f"{key}-{NAMES[who]}", key, figure(who), 54 + n * 27, 38, 0.56, "cleared", _names(words)[who])


@cache
def _notebook_frame(words: Words, tall: int) -> str:
    frame = tag("rect", cls="panel", width=360, height=tall, rx=10)
    return frame + write(opening(words.say(TITLES[2])), 14, 27, 19, cls="title", anchor="start")


@cache
def _note(words: Words, number: int, kind: int) -> str:
    """The number of a round, and the sign of an announcement or a small card."""
    if kind == ALIBI:
        sign = tag("rect", cls="card", x=21, y=10, width=14, height=22, rx=2)
    else:
        shape, meaning = SIGNS[kind]
        sign = tag("g", tag("title", words.say(meaning)), shape, transform="translate(28 21) scale(0.8)")
    return write(str(number), 0, 26, 15, cls="strong", anchor="start") + sign


# What the phantom alone knows.

SECRET_TALL: Final = 108


def _knows_secret(view: View) -> bool:
    """Whether the reader may know during the match who the phantom is."""
    return view.row[F.identity] != HIDDEN and view.outcome is None


def _secret_panel(words: Words, title: str) -> Panel:
    return _panel("secret", opening(words.say(title)), SECRET_TALL, private=True)


def _secret(view: View, words: Words, reader: Seat | None) -> Iterator[Item]:
    """The phantom's own face and alibis: small and quiet, where a neighbour's glance does not fall.

    Open eyes, which look back at a match that is over, are nobody's, and are told of the phantom as of somebody else.
    """
    identity, held, is_own = view.row[F.identity], view.row[F.held], reader == rules.PHANTOM
    can = 1 - (rules.watched(list(view.row)) >> identity & 1)
    name = words.who(identity)
    yield Item("secret-face", "secret", figure(identity), 34, 80, 0.75, title=opening(name))
    who = words.say("You are {who}.", who=name) if is_own else words.say("The phantom is {who}.", who=name)
    yield Item("secret-who", "secret", _line(who, 14, "", within=286), 66, 26)
    lead = words.say("now you would say:") if is_own else words.say("would say now:")
    yield Item("secret-now", "secret", _line(f"{lead} {words.say(SIGNS[can][1])}", 14, "quiet", within=286), 66, 50)
    label = words.say("alibis kept:") + ("" if held else f" {words.say('none')}")
    yield Item("secret-kept", "secret", _line(label, 14, "quiet"), 66, 84)
    yield from _figures(view, words, held, "secret", "kept", round(90 + measure(label, 14), 1), 100, 0.56, 29)
