"""A view of Le Fantôme drawn as SVG: the house in section, La Carlotta's track, the cards, and the deduction.

Everything is worked out from the view itself, so that nobody is shown what they may not know. People are figures: a shape, two
letters and a colour each. A mask stands for the phantom and for where nobody is watching, an eye for company in the light.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

from ridotto.core.drawing import Panel, Svg, group, measure, piece, tag, target, wrap, write
from ridotto.core.narrator import mark, opening
from ridotto.core.view import Seen, View
from ridotto.engine.fields import HIDDEN
from ridotto.games.fantome import components, rules
from ridotto.games.fantome.components import ends
from ridotto.games.fantome.rules import EVERYBODY, F
from ridotto.games.fantome.sketch import AT, ORDER, POWERS, TOKENS, announced, way_out, would_clear
from ridotto.games.fantome.words import ROLES, ROOMS, Words, corridor

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
.shut { fill: $shade; stroke: $bad; stroke-width: 2.5; } .iron { fill: $bad; }
.shackle { fill: none; stroke: $bad; stroke-width: 4; } .hole { fill: $velvet; }
.pipe { fill: none; stroke: $rose; stroke-width: 9; stroke-linejoin: round; }
.bore { fill: none; stroke: $plush; stroke-width: 4; stroke-linejoin: round; } .astir .bore { stroke: $glow; }
.around { fill: none; stroke: $wood; stroke-width: 14; } .mouth { fill: $rose; }
.pawn { stroke: $ink; stroke-width: 1.6; stroke-linejoin: round; } .unlit .pawn { stroke: $paper; }
.onpaper .pawn { stroke: $pen; } .pawn.christine { stroke: #d9cdd5; } .raoul { fill: #b3202c; } .meg { fill: #f3a6c0; }
.giry { fill: #1f5fae; } .buquet { fill: #959ba3; } .christine { fill: #19151c; } .moncharmin { fill: #f7f3ec; }
.richard { fill: #5f2d8c; } .persan { fill: #7a4a21; }
.pale { fill: $ash; fill-opacity: 0.3; stroke: $ash; stroke-width: 1.6; stroke-linejoin: round; }
.unlit .pale { stroke: $paper; } .veil { fill: $plush; } .onpaper .veil { fill: $paper; } .unlit .veil { fill: $shade; }
.onpaper .pale { fill: $pen; fill-opacity: 0.12; stroke: $pen; stroke-opacity: 0.6; }
.onpale { fill: $ink; font-weight: 700; } .unlit .onpale { fill: $paper; } .onpaper .onpale { fill: $pen; }
.ondark { fill: #ffffff; font-weight: 700; } .onlight { fill: #1c1216; font-weight: 700; } .tick { fill: $good; }
.check { fill: none; stroke: $velvet; stroke-width: 2.6; stroke-linecap: round; stroke-linejoin: round; }
.spot { fill: $glow; fill-opacity: 0.4; } .point { fill: $glow; } .sign { fill: $gilt; }
.eyed { fill: none; stroke: $ash; stroke-width: 2; } .pupil { fill: $ash; } .unlit .eyed { stroke: $paper; }
.unlit .sign { fill: $paper; } .ring { fill: none; stroke: $gilt; stroke-width: 2.6; }
.handle { stroke: $gilt; stroke-width: 5; } .carpet { fill: $curtain; }
.start { fill: $wood; stroke: $gilt; stroke-width: 1; } .step { fill: $plush; stroke: $brass; stroke-width: 1; }
.stud { fill: $brass; } .here { fill: $paper; stroke: $glow; stroke-width: 3; } .onhere { fill: $pen; font-weight: 700; }
.exit { fill: $shade; stroke: $gilt; stroke-width: 2; } .onexit { fill: $paper; }
.gown { fill: $seat4; stroke: $ink; stroke-width: 1.6; stroke-linejoin: round; }
.plume { fill: $rose; stroke: $ink; stroke-width: 1.2; }
.now { fill: $glow; fill-opacity: 0.16; stroke: $glow; stroke-width: 2; } .strong { font-weight: 700; } .lamp { fill: $gilt; }
.laid { fill: $wood; stroke: $brass; stroke-width: 1; } .picked { fill: $paper; stroke: $glow; stroke-width: 4; }
.oncard .pictogram, .pictogram { fill: none; stroke: $pen; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.must { fill: none; stroke: $pen; stroke-width: 1.6; }
.may { fill: none; stroke: $pen; stroke-width: 1.4; stroke-dasharray: 3 2.4; } .press { fill: $pen; }
.onpress { fill: $paper; font-weight: 600; } .can .press { fill: $curtain; }
.back { fill: $curtain; stroke: $gilt; stroke-width: 1.2; }
.onback { fill: none; stroke: $paper; stroke-width: 1.2; stroke-opacity: 0.7; } .sealed .sign { fill: $paper; }
.verdict { fill: $wood; stroke: $brass; stroke-width: 1; } .rule { stroke: $brass; stroke-width: 1.5; }
.hush { fill: $velvet; stroke: $brass; stroke-width: 1; stroke-dasharray: 2 3; } .boards { fill: $brass; fill-opacity: 0.5; }
.onpaper .sign { fill: $pen; } .can .unlit .halo { fill-opacity: 0.04; }
"""
"""The classes of this game's drawing; see drawing.py. Figures have the colours of the printed pawns in both themes."""

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

TITLES: Final = (mark("the house"), mark("deduction"), mark("notebook"), mark("for your eyes only"), mark("behind the mask"))


def panels(view: View, words: Words) -> list[Panel]:
    """The parts of the table, the most important first: the order on a phone."""
    drawn = [
        _house(view, words),
        _track(view, words),
        _cards(view, words),
        _deduction(view, words),
        _alibis(view, words),
        _notebook(view, words),
    ]
    if view.row[F.identity] != HIDDEN and view.outcome is None:
        drawn.append(_secret(view, words))
    return drawn


def preview(view: View, words: Words, action: int | str) -> list[Panel]:
    """The deduction and the track as they would be after an action, before any announcement; a draw leaves a "?"."""
    row, number = list(view.row), view.game.action(action)
    verb, n = rules.ACTIONS.family(number).verb, rules.ACTIONS.argument(number)
    if verb == "move":
        row[F.place + row[F.active]] = n
    elif verb == "dark":
        row[F.dark] = n
    elif verb == "send":
        row[F.place + _moving(view)] = n
    elif verb == "leave":
        row[F.place + row[F.companion]] = n
    elif verb == "swap":
        row[F.place + n], row[F.place + rules.RICHARD] = row[F.place + rules.RICHARD], row[F.place + n]
    elif verb == "use" and row[F.active] == rules.CHRISTINE:
        for who in _members(rules.drawn_in(row)):
            row[F.place + who] = row[F.place + rules.CHRISTINE]
    after = replace(view, row=tuple(row))
    return [_deduction(after, words, verb == "move" and row[F.active] == rules.RAOUL), _track(after, words)]


def vignette(words: Words) -> None:
    """The house as it is dealt, which is the first panel."""


def _told(view: View) -> list[Seen]:
    """The events in effect: those that were not taken back."""
    told: list[Seen] = []
    for one in view.seen:
        if one.event.name == "undone":
            told = [kept for kept in told if kept.ply <= one.values["ply"]]
        else:
            told.append(one)
    return told


def _watched(view: View) -> int:
    """The characters in company in the light."""
    return int(rules.watched(list(view.row)))


def _members(bits: int) -> list[int]:
    """The characters in a set."""
    return [who for who in range(8) if bits >> who & 1]


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
def _figure(who: int, pale: bool = False, mask: bool = False) -> str:
    """A character about 40 wide and 70 high, standing on its origin; a cleared one pale with a tick."""
    body = BODIES[who]
    colour = "pale" if pale else f"pawn {rules.CHARACTER.names[who]}"
    parts = [tag("path", cls="veil", d=body.robe + body.head)] if pale else []
    parts += [tag("path", cls=colour, d=body.robe), tag("path", cls=colour, d=body.head)]
    parts.append(write(TOKENS[who], 0, -7, 22, cls="onpale" if pale else body.letters))
    if pale:
        parts += [tag("circle", cls="tick", cx=15, cy=-38, r=9), tag("path", cls="check", d="M11-38L14-34L20-42")]
    if mask:
        parts.append(group([MASK], at=(0, -50)))
    return group(parts)


def _row_of(
    view: View, words: Words, bits: int, x: float, y: float, scale: float = 0.62, pitch: float = 30, pale: bool = False
) -> str:
    """Figures side by side, the first one's feet at x, y."""
    places = enumerate(_members(bits))
    return group(_small(words, who, x + i * pitch, y, scale, pale or not view.row[F.suspects] >> who & 1) for i, who in places)


def _small(words: Words, who: int, x: float, y: float, scale: float, pale: bool = False) -> str:
    """A figure of another size, with its name."""
    place = f"translate({x:.1f} {y:.1f}) scale({scale})"
    return tag("g", tag("title", opening(words.who(who))), _figure(who, pale), transform=place)


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
SIGNS: Final = ((EYE, mark("cannot manifest")), (MASK, mark("can manifest")))
"""By what the phantom would say of somebody there."""


def _sign(words: Words, can: int, x: float, y: float, scale: float = 1) -> str:
    sign, meaning = SIGNS[can]
    return tag("g", tag("title", words.say(meaning)), sign, transform=f"translate({x:.1f} {y:.1f}) scale({scale})")


# The house.


def _house(view: View, words: Words) -> Panel:
    """The rooms with the people in them, and the ways between."""
    box = components.BOX["house"]
    corridors = [ends(way) for way in box["corridors"]]
    parts = [_backdrop(), *(_light(view, room) for room in range(len(AT)))]
    passages = [_pipe(a, b) for a, b in sorted(map(ends, box["passages"]), key=lambda pair: pair not in PIPES)]
    astir = view.row[F.active] == rules.MEG and view.row[F.asked] == rules.MOVE
    parts.append(group([tag("title", words.say("secret passage (Meg)")), *passages], cls="astir" if astir else ""))
    parts += [_corridor(view, words, number, *ends) for number, ends in enumerate(corridors)]
    people = [_person(view, words, who, *place) for who, place in enumerate(_standing(view))]
    parts += [_room(view, words, room, people) for room in range(len(AT))]
    if _chooses_people(view):
        parts += people
    parts += _traces(view)
    a, b = corridors[view.row[F.padlock]]
    x, y, _ = _way(a, b)
    name = f"{words.say('padlock')} {corridor(view.row[F.padlock])}"
    parts.append(piece("padlock", group([PADLOCK], at=(x, y)), title=name))
    if view.row[F.asked] == rules.LOCK:
        parts += [_lockable(view, words, number, *ends) for number, ends in enumerate(corridors)]
    return Panel("house", opening(words.say(TITLES[0])), WIDE, HOUSE_TALL, "".join(parts))


def _corner(room: int) -> tuple[int, int]:
    """The upper left corner of a room."""
    column, floor = AT[room]
    return LEFT[column], TOP[floor]


def _light(view: View, room: int) -> str:
    """The lamplight of a room, or the night in it."""
    x, y = _corner(room)
    if view.row[F.dark] == room:
        return tag("rect", cls="night", x=x, y=y, width=ROOM_WIDE, height=ROOM_TALL)
    return tag("rect", x=x, y=y, width=ROOM_WIDE, height=ROOM_TALL, fill="url(#fantome-house-light)")


def _room(view: View, words: Words, room: int, people: list[str]) -> str:
    """A room's name and people: one target, where it can be chosen."""
    x, y = _corner(room)
    dark = view.row[F.dark] == room
    here = [who for who in range(8) if view.row[F.place + who] == room]
    parts = []
    parts.append(tag("rect", cls="halo", x=x + 2, y=y + 2, width=ROOM_WIDE - 4, height=ROOM_TALL - 4, rx=6))
    parts.append(_nameplate(words, room, x, y))
    if here:
        parts.append(_sign(words, 1 - (_watched(view) >> here[0] & 1), x + 19, y + 53))
    if dark:
        parts.append(piece("blackout", group([SNUFFED], at=(x + ROOM_WIDE - 22, y + 58)), title=words.say("dark")))
    if not _chooses_people(view):
        parts += [people[who] for who in here]
    verb = {rules.DARK: "dark", rules.SEND: "send", rules.LEAVE: "leave"}.get(view.row[F.asked], "move")
    return target(view, words, f"{verb} {room}", group(parts, cls="unlit" if dark else ""), ask=True)


def _nameplate(words: Words, room: int, x: float, y: float) -> str:
    """A room's number and name, in one line or two."""
    name, wide = words.say(ROOMS[room]), ROOM_WIDE - 49
    lines = wrap(name, wide, 21) if measure(name, 21) > wide else [name]
    size = 23 if len(lines) == 1 else 20
    parts = [tag("circle", cls="number", cx=x + 19, cy=y + 20, r=14), write(str(room), x + 19, y + 28, 23, cls="onnumber")]
    parts += [
        write(line, x + 38, y + 28 + i * 20, size, cls="name", anchor="start", within=wide) for i, line in enumerate(lines)
    ]
    return group(parts)


def _chooses_people(view: View) -> bool:
    """Whether a person on the board may be what is chosen: then people stand in front of the rooms."""
    swaps = view.row[F.asked] == rules.MOVE and view.row[F.active] == rules.RICHARD
    return bool(swaps or view.row[F.asked] == rules.COMPANION)


def _standing(view: View) -> list[tuple[float, float, float]]:
    """Where each character stands and how large: up to four in front, the others behind them."""
    places = [(0.0, 0.0, 1.0)] * 8
    for room in range(len(AT)):
        x, y = _corner(room)
        here = [who for who in range(8) if view.row[F.place + who] == room]
        back, front = here[: max(0, len(here) - 4)], here[-4:]
        size = 1.22 if len(here) < 4 else 0.86 if back else 1.0
        for people, floor in ((back, y + ROOM_TALL - 58), (front, y + ROOM_TALL - 5)):
            for i, who in enumerate(people):
                places[who] = (x + ROOM_WIDE / 2 + (i - (len(people) - 1) / 2) * 41 * max(size, 1), floor, size)
    return places


def _person(view: View, words: Words, who: int, x: float, y: float, size: float) -> str:
    """A character on the board; the one that is being moved stands in a spotlight."""
    row = view.row
    suspect = row[F.suspects] >> who & 1
    unmasked = view.outcome is not None and row[F.identity] == who
    name = opening(words.who(who))
    title = name if suspect else f"{name}: {words.say('cleared')}"
    parts = [_figure(who, not suspect, unmasked)]
    if who == _moving(view) or unmasked:
        parts.insert(0, Svg('<ellipse class="spot" cy="-2" rx="25" ry="8"/>'))
        parts.append(Svg('<path class="point" d="M-8-88H8L0-77Z"/>'))
    if _chooses_people(view):
        verb = "take" if row[F.asked] == rules.COMPANION else "swap"
        halo = Svg('<rect class="halo" x="-20" y="-73" width="40" height="75" rx="9"/>')
        parts = [target(view, words, f"{verb} {rules.CHARACTER.names[who]}", halo, *parts, ask=True)]
    place = f"translate({x:.1f} {y:.1f}) scale({size})"
    return piece(f"figure-{rules.CHARACTER.names[who]}", *parts, title=title, transform=place)


def _moving(view: View) -> int:
    """The character whose way is being chosen, or -1."""
    if view.outcome is not None:
        return -1
    if view.row[F.asked] == rules.SEND:
        return _members(view.row[F.expelled])[0]
    return int(view.row[F.companion if view.row[F.asked] == rules.LEAVE else F.active])


# The ways.


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


def _corridor(view: View, words: Words, number: int, a: int, b: int) -> str:
    """A corridor: gilt and lit where it is open."""
    x, y, kind = _way(a, b)
    shut = view.row[F.padlock] == number
    way = "shut" if shut else "door"
    if kind == "door":
        shapes = [tag("path", cls=way, d="M-15 32V-12Q-15-30 0-30Q15-30 15-12V32Z"), tag("path", cls="gilded", d="M0-30V32")]
    elif kind == "stairs":
        steps = "M-34 14V-14H34V14Z"
        shapes = [tag("path", cls=way, d=steps), tag("path", cls="gilded", d="M-34 14H-22V8H-10V2H2V-4H14V-10H26V-14")]
    elif kind == "flight":
        turn = 1 if x < WIDE / 2 else -1
        steps = "".join(f"h{12 * turn}v-10" for _ in range(6))
        d = f"M{-44 * turn} 30{steps}h{22 * turn}V{-18}L{-20 * turn} 30Z"
        frame = f"M{28 * turn}-30V-62Q{28 * turn}-78 {40 * turn}-78Q{52 * turn}-78 {52 * turn}-62V-30Z"
        shapes = [tag("path", cls=way, d=frame), tag("path", cls=way, d=d)]
    else:
        (x1, y1), (x2, y2) = ((c[0] + ROOM_WIDE / 2 - x, c[1] + ROOM_TALL / 2 - y) for c in (_corner(a), _corner(b)))
        shapes = [tag("path", cls="gilded", d=f"M{x1} {y1}L{x2} {y2}")]
    title = tag("title", f"{words.say('corridor')} {corridor(number)}")
    return group([title, *shapes], at=(x, y))


def _lockable(view: View, words: Words, number: int, a: int, b: int) -> str:
    """The place where the padlock can be put on a corridor."""
    x, y, kind = _way(a, b)
    wide, tall = {"door": (46, 76), "stairs": (76, 48), "flight": (116, 76)}.get(kind, (46, 46))
    halo = tag("rect", cls="halo", x=x - wide / 2, y=y - tall / 2, width=wide, height=tall, rx=10)
    return target(view, words, f"lock {rules.CORRIDOR.names[number]}", halo, ask=True)


@cache
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


def _traces(view: View) -> list[str]:
    """How people went in the last move."""
    told = _told(view)
    last = max((one.ply for one in told), default=0)
    ways = []
    for one in told:
        if one.ply == last > 0:
            seen, row = one.values, view.row
            if one.event.name == "moves":
                ways.append((seen["start"], seen["room"]))
            elif one.event.name == "sent":
                ways.append((row[F.place + rules.MONCHARMIN], seen["room"]))
            elif one.event.name == "left":
                ways.append((row[F.place + rules.PERSAN], seen["room"]))
            elif one.event.name == "swaps":
                ways.append((row[F.place + seen["who"]], row[F.place + rules.RICHARD]))
    return [_trace(*way) for way in ways if way[0] != way[1]]


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
    light = tag("stop", offset=0, cls="warm") + tag("stop", offset=1, cls="cool")
    shine = tag("radialGradient", Svg(light), id="fantome-house-light", cx=0.5, cy=0.1, r=0.95)
    parts = [tag("defs", shine), tag("rect", cls="sky", width=WIDE, height=HOUSE_TALL, rx=10)]
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


def _track(view: View, words: Words) -> Panel:
    """Her spaces, where she stands, and where either announcement would take her."""
    box = components
    space, end, start = view.row[F.carlotta], way_out(view), box.CENTRE + box.HANDICAP
    door = 84
    pitch = (WIDE - 24 - door) / end
    where = words.say("on space {space}, steps to the exit: {steps}", space=space, steps=end - space)

    def middle(number: int) -> float:
        return 12 + (number + 0.5) * pitch if number < end else WIDE - 12 - door / 2

    base = 136
    parts = [tag("rect", cls="panel", width=WIDE, height=TRACK_TALL, rx=10)]
    parts.append(write("La Carlotta", 20, 34, 27, cls="title", anchor="start"))
    parts.append(write(where, WIDE - 20, 33, 23, cls="quiet", anchor="end", within=WIDE - 220))
    parts.append(tag("rect", cls="carpet", x=8, y=base - 32, width=WIDE - 16, height=40, rx=4))
    for number in range(end):
        cls = "here" if number == space else "start" if number <= start else "step"
        x = 12 + number * pitch
        parts.append(tag("rect", cls=cls, x=x + 1, y=base - 28, width=pitch - 2, height=32, rx=3))
        if number == space or (number % 5 == 0 and abs(number - space) > 1):
            cls = "onhere" if number == space else "strong"
            parts.append(write(str(number), middle(number), base - 4, 23, cls=cls))
        else:
            parts.append(tag("circle", cls="stud", cx=middle(number), cy=base - 12, r=3))
    parts.append(tag("path", cls="exit", d=f"M{WIDE - 12 - door} {base + 4}V72Q{middle(end)} 46 {WIDE - 12} 72V{base + 4}Z"))
    rays = "".join(f"M{middle(end)} 98L{middle(end) + side} {74 - 8 * (abs(side) < 20)}" for side in (-30, -16, 0, 16, 30))
    parts.append(tag("path", cls="line", d=f"M{WIDE - 12 - door} 98H{WIDE - 12}{rays}"))
    if space < end:
        parts.append(write(words.say("exit"), middle(end), base - 8, 23, cls="onexit", within=door - 16))
    if view.outcome is None:
        marks: dict[int, list[int]] = {}
        for can in (1, 0):
            left, landing = announced(view, can)
            if left > 1:
                marks.setdefault(landing, []).append(can)
        for (landing, cans), x in zip(sorted(marks.items()), _apart(sorted(map(middle, marks))), strict=True):
            at = middle(landing)
            parts.append(tag("path", cls="point", d=f"M{at - 6} {base + 18}H{at + 6}L{at} {base + 9}Z"))
            parts += [_sign(words, can, x + 12 - i * 30 - 30, base + 33) for i, can in enumerate(cans)]
            parts.append(write(str(landing) if landing < end else "", x + 0, base + 41, 25, cls="strong", anchor="start"))
    parts += _walk(view, middle, base)
    diva = tag("g", DIVA, transform=f"translate({middle(space):.1f} {base - (29 if space < end else 8)}) scale(0.88)")
    parts.append(piece("carlotta", diva, title=f"La Carlotta, {where}"))
    return Panel("track", "La Carlotta", WIDE, TRACK_TALL, "".join(parts))


def _apart(middles: list[float]) -> list[float]:
    """Where the marks stand of at most two landings, from left to right: below them, and clear of one another and the edges."""
    found = [min(x, WIDE - 50) for x in middles]
    if len(found) == 2:
        missing = max(0.0, MARK_WIDE - (found[1] - found[0]))
        right = min(found[1] + missing / 2, WIDE - 50)
        found = [min(found[0], right - MARK_WIDE), right]
    return found


def _walk(view: View, middle: Callable[[int], float], base: float) -> list[str]:
    """How La Carlotta walked in the last move."""
    told = _told(view)
    last = max((one.ply for one in told), default=0)
    space = view.row[F.carlotta]
    for one in told:
        if one.ply == last and one.event.name in ("steps", "ghost"):
            back = 1 if one.values.get("seat") == rules.INSPECTOR else -1
            before = space - one.values["steps"] if "steps" in one.values else space + back
            if 0 <= before != space:
                x, x2 = middle(before), middle(space)
                return [tag("path", cls="trace", d=f"M{x:.0f} {base - 30}Q{(x + x2) / 2:.0f} {base - 70} {x2:.0f} {base - 30}")]
    return []


# The cards.


class Turns(NamedTuple):
    """The cards of this round, and who has played which, in order."""

    cards: int
    played: list[int]


def _turns(view: View) -> Turns:
    """What the row tells, and the events where the row has forgotten it."""
    row = view.row
    cards = row[F.offered] | (0 if row[F.active] < 0 else 1 << row[F.active])
    if row[F.pile]:
        cards = EVERYBODY & ~row[F.pile]
    played: list[int] = []
    for one in _told(view):
        if one.event.name == "offers":
            cards, played = one.values["cards"], []
        elif one.event.name == "picks":
            played.append(one.values["who"])
            cards |= 1 << one.values["who"]
    return Turns(cards, played)


ROUND_TALL: Final = 468


def _cards(view: View, words: Words) -> Panel:
    """Who plays when, the cards face up with their powers, and those to come."""
    row, over = view.row, view.outcome is not None
    title = words.say("Round {round}", round=row[F.round])
    turns = _turns(view)
    parts = [
        tag("rect", cls="panel", width=360, height=ROUND_TALL, rx=10),
        write(title, 14, 28, 20, cls="title", anchor="start"),
    ]
    coming = words.say("next round:")
    if not over:
        if row[F.pile]:
            parts.append(write(coming, 224, 26, 13, cls="quiet", anchor="end", within=120))
            parts.append(_row_of(view, words, row[F.pile], 242, 45, 0.56, 30))
        else:
            parts.append(
                write(f"{coming} {words.say('four of all eight')}", 346, 27, 13, cls="quiet", anchor="end", within=236)
            )
    for turn in range(4):
        parts.append(_slot(view, words, turn, turns))
    for i, who in enumerate(_members(turns.cards)[:4]):
        parts.append(_card(view, words, who, 8 + i % 2 * 176, 124 + i // 2 * 172, turns))
    return Panel("cards", title, 360, ROUND_TALL, "".join(parts))


def _slot(view: View, words: Words, turn: int, turns: Turns) -> str:
    """One of the four turns of a round: whose it is, and whom they played."""
    row = view.row
    seat = ((turn + 1) // 2 + row[F.round] + 1) & 1
    now = turn == row[F.played] and view.outcome is None
    x = 8 + turn * 88
    parts = [tag("rect", cls="now" if now else "laid", x=x, y=48, width=80, height=66, rx=8)]
    parts.append(group([MASK if seat else GLASS], at=(x + 24, 72)))
    if turn < len(turns.played):
        parts.append(_small(words, turns.played[turn], x + 58, 92, 0.57, not row[F.suspects] >> turns.played[turn] & 1))
    elif now:
        parts.append(Svg(f'<path class="point" d="M{x + 51} 64L{x + 65} 72L{x + 51} 80Z"/>'))
    parts.append(write(words.say(ORDER[seat]), x + 40, 108, 13, cls="strong" if now else "quiet", within=74))
    return group(parts)


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


def _when(who: int, x: float, y: float) -> str:
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
    )


def _card(view: View, words: Words, who: int, x: float, y: float, turns: Turns) -> str:
    """A character's card, 168 by 164: to be picked, being played, or laid aside."""
    row, name = view.row, rules.CHARACTER.names[who]
    active = row[F.active] == who
    aside = not active and not row[F.offered] >> who & 1
    ink = "quiet" if aside else "oncard"
    suspect = bool(row[F.suspects] >> who & 1)
    parts = [tag("rect", cls="laid" if aside else "picked" if active else "card", width=168, height=164, rx=9)]
    parts.append(tag("rect", cls="halo", width=168, height=164, rx=9))
    parts.append(tag("g", _figure(who, not suspect), cls="" if aside else "onpaper", transform="translate(33 99) scale(1.24)"))
    parts.append(write(opening(words.who(who)), 66, 28, 18, cls=f"name {ink}", anchor="start", within=88))
    buttons = _answers(view) if active else []
    for i, (action, text) in enumerate(buttons):
        top = 42 + i * 58
        face = [tag("rect", cls=cls, x=62, y=top, width=98, height=50, rx=8) for cls in ("press", "halo")]
        face.append(write(words.say(text), 111, top + 31, 15, cls="onpress", within=86))
        parts.append(target(view, words, action, *face))
    if len(buttons) == 2:
        return piece(f"card-{name}", group(parts, at=(x, y)))
    if not aside and not buttons:
        parts.append(_when(who, 80, 54))
    if not buttons:
        parts.append(write(f"§5.{who + 1}", 160, 94, 12, cls=ink, anchor="end"))
    for i, line in enumerate(wrap(words.say(POWERS[who]), 144, 14)):
        parts.append(write(line, 11, 119 + i * 17, 14, cls=ink, anchor="start"))
    title = f"{opening(words.who(who))}: {words.say(POWERS[who])}"
    if not active:
        parts = [target(view, words, f"pick {name}", *parts, ask=True)]
    return piece(f"card-{name}", group(parts, at=(x, y)), title=title)


def _answers(view: View) -> list[tuple[str, str]]:
    """The small decisions that are taken on the card itself."""
    if view.row[F.asked] == rules.POWER:
        return [("use", mark("use it")), ("decline", mark("leave it"))]
    if view.row[F.asked] == rules.COMPANION:
        return [("alone", mark("go alone"))]
    return []


# The alibis.


def _alibis(view: View, words: Words) -> Panel:
    """The ten cards of the alibi pile: shown, kept by the phantom, still face down."""
    row, box = view.row, components
    shown, kept, ghosts = row[F.shown], row[F.kept], row[F.ghosts]
    held = row[F.held] if view.outcome is not None else 0
    down = 7 - shown.bit_count() - kept + ghosts
    faces: list[str] = [_alibi(words, who) for who in _members(shown)]
    faces += [_alibi(words, None)] * (box.PHANTOM_CARDS - ghosts)
    faces += [_alibi(words, who) for who in _members(held)] or [_reverse(True)] * kept
    faces += [_reverse(False)] * down
    pitch = min(34.0, 332 / len(faces))
    parts = [
        tag("rect", cls="panel", width=360, height=128, rx=10),
        write(words.say("Alibis"), 14, 27, 19, cls="title", anchor="start"),
    ]
    parts += [group([face], at=(12 + i * pitch, 38)) for i, face in enumerate(faces)]
    parts.append(
        write(words.say("kept by the phantom: {count}", count=kept), 346, 26, 13, cls="quiet", anchor="end", within=220)
    )
    parts.append(
        write(
            words.say("face down: {count} (phantom cards: {ghosts})", count=down, ghosts=ghosts),
            14,
            115,
            14,
            anchor="start",
            within=332,
        )
    )
    return Panel("alibis", words.say("Alibis"), 360, 128, "".join(parts))


def _alibi(words: Words, who: int | None) -> str:
    """An alibi card face up: a character, or a phantom card."""
    paper = Svg('<rect class="card" width="30" height="52" rx="4"/>')
    if who is None:
        return group([paper, group([MASK], at=(15, 26))], cls="onpaper")
    return group([paper, _small(words, who, 15, 48, 0.6)], cls="onpaper")


def _reverse(kept: bool) -> str:
    """An alibi card face down; one the phantom keeps bears a mask."""
    parts: list[str] = [Svg('<rect class="back" width="30" height="52" rx="4"/>')]
    parts.append(
        group([MASK], at=(15, 26)) if kept else Svg('<path class="onback" d="M15 12L24 26L15 40L6 26ZM4 4H26V48H4Z"/>')
    )
    return group(parts, cls="sealed")


# The deduction.

VERDICT_TALL: Final = 168
CLEARS: Final = (mark("clears whoever is alone or in the dark"), mark("clears whoever has company in the light"))


def _deduction(view: View, words: Words, unsure: bool = False) -> Panel:
    """Who would be cleared by either announcement, and where La Carlotta would go, for the position as it stands."""
    if view.outcome is not None:
        return _unmasking(view, words)
    tall = 44 + 2 * (VERDICT_TALL + 8)
    parts = [tag("rect", cls="panel", width=360, height=tall, rx=10)]
    parts.append(write(words.say("If the round ended now, the phantom"), 14, 29, 18, cls="title", anchor="start", within=296))
    parts.append(write("?" if unsure else "§6.2", 346, 28, 20 if unsure else 12, cls="quiet", anchor="end"))
    parts += [_verdict(view, words, can, 8, 42 + i * (VERDICT_TALL + 8)) for i, can in enumerate((1, 0))]
    return Panel("deduction", opening(words.say(TITLES[1])), 360, tall, "".join(parts))


def _verdict(view: View, words: Words, can: int, x: float, y: float) -> str:
    """One announcement: its consequence, the suspects it would leave, and those it would clear."""
    left, landing = announced(view, can)
    cleared = would_clear(view, can)
    parts = [tag("rect", cls="verdict", width=344, height=VERDICT_TALL, rx=8), _sign(words, can, 24, 24, 1.15)]
    parts.append(
        write(
            words.say(SIGNS[can][1]),
            46,
            30,
            18,
            cls="name",
            anchor="start",
            within=176 if left > 1 and landing < way_out(view) else 290,
        )
    )
    if left == 0:
        parts.append(write(words.say("impossible: no suspect would be left"), 172, 92, 15, cls="quiet", within=320))
        return group(parts, at=(x, y))
    if left == 1:
        parts.append(write(opening(words.say("the inspector wins")), 46, 52, 15, cls="strong", anchor="start", within=290))
    elif landing == way_out(view):
        parts.append(
            write(words.say("La Carlotta leaves, the phantom wins"), 46, 52, 15, cls="strong", anchor="start", within=290)
        )
    else:
        parts.append(write(words.say(CLEARS[can]), 46, 50, 13, cls="quiet", anchor="start", within=290))
    if left > 1 and landing < way_out(view):
        walk = f"{view.row[F.carlotta]} → {landing}"
        parts.append(tag("g", DIVA, transform=f"translate({306 - measure(walk, 20):.0f} 34) scale(0.4)"))
        parts.append(write(walk, 334, 31, 20, cls="strong", anchor="end"))
    beyond = 25 + left * 41 + 8
    parts.append(_row_of(view, words, view.row[F.suspects] & ~cleared, 25, 134, 0.94, 41))
    parts.append(_row_of(view, words, cleared, beyond, 134, 0.94, 41, pale=True))
    parts.append(write(words.say("suspects: {count}", count=left), 10, 158, 15, cls="strong", anchor="start"))
    if cleared:
        beside = min(max(beyond - 16, 122), 220)
        parts.append(tag("path", cls="rule", d=f"M{beyond - 24} 66V134"))
        parts.append(
            write(words.say("cleared: {count}", count=cleared.bit_count()), beside, 158, 15, cls="good", anchor="start")
        )
    return group(parts, at=(x, y))


def _unmasking(view: View, words: Words) -> Panel:
    """The end: who the phantom was, and who has won."""
    assert view.outcome is not None
    identity = view.row[F.identity]
    (winner,) = view.outcome.winners
    wins = (words.say("the inspector wins"), words.say("the phantom wins"))[winner]
    meanings = [words.say(line.meaning) for line in rules.ENDINGS if line.name == view.outcome.ending]
    meanings.append(words.say("{role} gives up", role=words.say(ROLES[1 - winner])))
    parts = [tag("rect", cls="panel", width=360, height=300, rx=10)]
    parts.append(write(opening(wins), 180, 36, 24, cls="title", within=270))
    parts.append(write(opening(meanings[0]), 180, 59, 13.5, cls="quiet", within=338))
    parts.append(write(f"§{view.outcome.section}", 346, 28, 12, cls="quiet", anchor="end"))
    parts.append(
        Svg(
            '<path class="spot" d="M150 74H210L262 236H98Z"/><path class="boards" d="M20 232H340V246H20Z"/>'
            '<path class="cloth" d="M20 72H120Q112 150 52 220L20 232ZM340 72H240Q248 150 308 220L340 232Z"/>'
            '<path class="line" d="M44 72Q44 150 30 226M74 72Q72 150 40 222M100 72Q94 150 50 216M316 72Q316 150 330 226'
            "M286 72Q288 150 320 222"
            'M260 72Q266 150 310 216"/>'
        )
    )
    parts.append(tag("g", _figure(identity, False, True), transform="translate(180 236) scale(2)"))
    parts.append(write(words.say("The phantom was {who}.", who=words.who(identity)), 180, 272, 18, cls="name", within=330))
    kept = words.cast(view.row[F.held]) if view.row[F.held] else words.say("none")
    parts.append(write(f"{words.say('alibis kept:')} {kept}", 180, 291, 13, cls="quiet", within=336))
    return Panel("deduction", opening(wins), 360, 300, "".join(parts))


# The notebook.


def _notebook(view: View, words: Words) -> Panel:
    """What was announced in each round, who was cleared by it, and whom an alibi cleared."""
    lines: list[tuple[str, str, int]] = []
    number = 0
    for one in _told(view):
        if one.event.name == "offers":
            number = one.values["round"]
        elif one.event.name == "announces":
            lines.append((str(number), _sign(words, one.values["can"], 0, 0, 0.8), 0))
        elif one.event.name == "clears" and lines:
            lines[-1] = (*lines[-1][:2], one.values["who"])
        elif one.event.name == "shows" and one.values["new"]:
            lines.append(
                (str(number), Svg('<rect class="card" x="-7" y="-11" width="14" height="22" rx="2"/>'), 1 << one.values["who"])
            )
    x, y, entries = 14.0, 42.0, []
    for text, sign, cleared in lines:
        wide = 44 + 27 * cleared.bit_count()
        if x + wide > 352:
            x, y = 14.0, y + 44
        entry = [write(text, 0, 26, 15, cls="strong", anchor="start"), group([sign], at=(28, 21))]
        entry.append(_row_of(view, words, cleared, 54, 38, 0.56, 27, pale=True))
        entries.append(group(entry, at=(x, y)))
        x += wide + 6
    tall = int(y + 46) if lines else 66
    title = opening(words.say(TITLES[2]))
    parts = [tag("rect", cls="panel", width=360, height=tall, rx=10), write(title, 14, 27, 19, cls="title", anchor="start")]
    count = words.say("suspects: {count}", count=view.row[F.suspects].bit_count())
    parts.append(write(count, 346, 27, 15, cls="strong", anchor="end"))
    if not lines:
        parts.append(write(words.say("nobody is cleared yet"), 14, 52, 14, cls="quiet", anchor="start"))
    return Panel("notebook", title, 360, tall, "".join([*parts, *entries]))


# What the phantom alone knows.


def _secret(view: View, words: Words) -> Panel:
    """The phantom's own face and alibis: small and quiet, where a neighbour's glance does not fall.

    Open eyes, which look back at a match that is over, are nobody's, and are told of the phantom as of somebody else.
    """
    identity, held, own = view.row[F.identity], view.row[F.held], view.seat is not None
    can = 1 - (_watched(view) >> identity & 1)
    name, title = words.who(identity), opening(words.say(TITLES[3 + (not own)]))
    parts = [tag("rect", cls="hush", width=360, height=108, rx=10), _small(words, identity, 34, 80, 0.75)]
    who = words.say("You are {who}.", who=name) if own else words.say("The phantom is {who}.", who=name)
    parts.append(write(who, 66, 26, 14, anchor="start", within=286))
    lead = words.say("now you would say:") if own else words.say("would say now:")
    parts.append(write(f"{lead} {words.say(SIGNS[can][1])}", 66, 50, 14, cls="quiet", anchor="start", within=286))
    label = words.say("alibis kept:") + ("" if held else f" {words.say('none')}")
    parts.append(write(label, 66, 84, 14, cls="quiet", anchor="start"))
    parts.append(_row_of(view, words, held, 90 + measure(label, 14), 100, 0.56, 29))
    return Panel("secret", title, 360, 108, "".join(parts), private=True)
