"""The ways between the rooms: corridors, the padlock, secret passages, and the traces of the last move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ridotto.core.view import Seen
from ridotto.games.fantome import components, rules
from ridotto.games.fantome.components import ends
from ridotto.games.fantome.rules import A, F
from ridotto.games.fantome.ui.picture.plan import LEFT, ROOM_TALL, ROOM_WIDE, SLAB, TOP, WALL, WIDE, corner, middle
from ridotto.games.fantome.ui.picture.signs import PADLOCK
from ridotto.games.fantome.ui.sketch import AT
from ridotto.games.fantome.ui.words import Words, corridor
from ridotto.present.kit import circle, drawing, halo, path, rect
from ridotto.present.scene import Item
from ridotto.present.svg import group

CORRIDORS: Final = tuple(ends(way) for way in components.BOX["house"]["corridors"])
PASSAGES: Final = tuple(ends(way) for way in components.BOX["house"]["passages"])
PIPES: Final = {
    (1, 7): (
        f"M152 {TOP[1] + ROOM_TALL - 24}V{TOP[2] - SLAB // 2}H466V{TOP[2] + 6}",
        (152, TOP[1] + ROOM_TALL - 24),
        (466, TOP[2] + 6),
    ),
    (4, 9): (f"M336 46V19Q336 12 343 12H691Q698 12 698 19V{TOP[1] + 6}", (336, 46), (698, TOP[1] + 6)),
}
"""Secret passages between rooms that are not above one another, with their two ends."""
LOCKABLE: Final = {"door": (46, 76), "stairs": (76, 42), "flight": (116, 76), "line": (46, 46)}
"""The light on each kind of corridor while the padlock can be hung there."""


class Middle(NamedTuple):
    """The middle of a corridor, and its looks there: a door, stairs inside, a flight of stairs outside, or a bare line."""

    x: float
    y: float
    kind: str


@drawing
def _middle(a: int, b: int) -> Middle:
    (here, upper), (there, lower) = sorted((AT[a], AT[b]), key=lambda at: (at[1], at[0]))
    if upper == lower and there - here == 1:
        return Middle(LEFT[there] - WALL / 2, TOP[upper] + ROOM_TALL - 32, "door")
    if here == there and lower - upper == 1:
        return Middle(LEFT[here] + (52 if here < 2 else ROOM_WIDE - 52), TOP[lower] - SLAB / 2, "stairs")
    if (here, there, upper, lower) in ((1, 0, 0, 1), (2, 3, 0, 1)):
        return Middle((130 if there == 0 else WIDE - 130), TOP[1] - 30, "flight")
    (x, y), (x2, y2) = corner(a), corner(b)
    return Middle((x + x2 + ROOM_WIDE) / 2, (y + y2 + ROOM_TALL) / 2, "line")


@drawing
def ways(words: Words, padlock: int, are_passages_open: bool) -> list[Item]:
    """The secret passages, and the corridors: gilt and lit where they are open."""
    cls, title = "astir" if are_passages_open else "", words.say("secret passage (Meg)")
    items = [Item("passages", "house", _passages(), cls=cls, title=title)]
    for number, (a, b) in enumerate(CORRIDORS):
        x, y, _ = _middle(a, b)
        cls, title = "shut" if number == padlock else "", f"{words.say('corridor')} {corridor(number)}"
        items.append(Item(f"corridor-{rules.CORRIDOR.names[number]}", "house", _corridor(a, b), x, y, cls=cls, title=title))
    return items


@drawing
def _corridor(a: int, b: int) -> str:
    x, y, kind = _middle(a, b)
    if kind == "door":
        return path("M-15 32V-12Q-15-30 0-30Q15-30 15-12V32Z", "door") + path("M0-30V32", "gilded")
    if kind == "stairs":
        return path("M-34 11V-11H34V11Z", "door") + path("M-34 11H-22V6H-10V2H2V-3H14V-7H26V-11", "gilded")
    if kind == "flight":
        turn = 1 if x < WIDE / 2 else -1
        frame = f"M{28 * turn}-30V-62Q{28 * turn}-78 {40 * turn}-78Q{52 * turn}-78 {52 * turn}-62V-30Z"
        steps = "".join(f"h{12 * turn}v-10" for _ in range(6))
        return path(frame, "door") + path(f"M{-44 * turn} 30{steps}h{22 * turn}V{-18}L{-20 * turn} 30Z", "door")
    (x1, y1), (x2, y2) = middle(a), middle(b)
    return path(f"M{x1 - x} {y1 - y}L{x2 - x} {y2 - y}", "gilded")


def hung_padlock(words: Words, padlock: int) -> Item:
    """The padlock in its corridor."""
    x, y, _ = _middle(*CORRIDORS[padlock])
    return Item("padlock", "house", PADLOCK, x, y, title=f"{words.say('padlock')} {corridor(padlock)}")


@drawing
def lockable() -> list[Item]:
    """The places where the padlock can be hung."""
    items = []
    for number, (a, b) in enumerate(CORRIDORS):
        x, y, kind = _middle(a, b)
        wide, tall = LOCKABLE[kind]
        light = halo(-wide / 2, -tall / 2, wide, tall, 10)
        items.append(Item(f"lock-{rules.CORRIDOR.names[number]}", "house", light, x, y, action=A.lock + number, ask=True))
    return items


@drawing
def _passages() -> str:
    return "".join(_pipe(a, b) for a, b in sorted(PASSAGES, key=lambda pair: pair not in PIPES))


def _pipe(a: int, b: int) -> str:
    """A secret passage: a rose pipe with open mouths."""
    (x, y), (x2, y2) = corner(a), corner(b)
    if (a, b) in PIPES:
        d, *mouths = PIPES[a, b]
    elif x == x2 and y > y2:
        mouths = [(x + 148, y2 + ROOM_TALL - 26), (x + 148, y + 6)]
        d = f"M{x + 148} {y2 + ROOM_TALL - 26}V{y + 6}"
    else:
        mouths = [(x + ROOM_WIDE // 2, y + ROOM_TALL // 2), (x2 + ROOM_WIDE // 2, y2 + ROOM_TALL // 2)]
        d = "M{} {}L{} {}".format(*mouths[0], *mouths[1])
    tube = [path(d, cls) for cls in ("around", "pipe", "bore")]
    return group([*tube, *(rect(x - 9, y - 3, 18, 6, "mouth", 3) for x, y in mouths)])


def traces(row: Sequence[int], last: Sequence[Seen]) -> Iterator[Item]:
    """The ways of everybody who was moved by the last action."""
    moved = []
    for one in last:
        seen = one.values
        if one.event.name == "moves":
            moved.append((seen["start"], seen["room"]))
        elif one.event.name == "sent":
            moved.append((row[F.place + rules.MONCHARMIN], seen["room"]))
        elif one.event.name == "left":
            moved.append((row[F.place + rules.PERSAN], seen["room"]))
        elif one.event.name == "swaps":
            moved.append((row[F.place + seen["who"]], row[F.place + rules.RICHARD]))
    for number, (start, end) in enumerate(way for way in moved if way[0] != way[1]):
        yield Item(f"trace-{number}", "house", _trace(start, end))


@drawing
def _trace(start: int, end: int) -> str:
    """A bent dashed line from room to room."""
    (x, y), (x2, y2) = middle(start), middle(end)
    bend = f"M{x:.0f} {y:.0f}Q{(x + x2) / 2:.0f} {min(y, y2) - 26:.0f} {x2:.0f} {y2:.0f}"
    return group([path(bend, "trace"), circle(x2, y2, 5, "point")], pointer_events="none")
