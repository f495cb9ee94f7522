"""The bare house, without people: sky, walls, roofs, and the furniture of each room."""

from __future__ import annotations

from typing import Final, NamedTuple

from ridotto.games.fantome.ui.picture.plan import HOUSE_TALL, LEFT, ROOM_TALL, ROOM_WIDE, TOP, WALL, WIDE, corner
from ridotto.present.kit import blank, circle, drawing, path, rect
from ridotto.present.svg import Svg, group, tag

DRAWN_TALL: Final = 152
"""The height of the rooms for which the furniture is drawn: it is made lower with them."""


def _disc(x: float, y: float, radius: float) -> str:
    """A circle as part of the furniture: made lower, it is round."""
    tall = round(radius * DRAWN_TALL / ROOM_TALL, 1)
    return f"M{x - radius} {y}a{radius} {tall} 0 1 1 {2 * radius} 0a{radius} {tall} 0 1 1-{2 * radius} 0Z"


class Furniture(NamedTuple):
    """The furniture of a room: paths in shade, gilt, cloth and line, and its lamps."""

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
"""The furniture of each room, drawn behind the people."""

STARS: Final = (
    *((30, 40), (58, 92), (96, 30), (150, 66), (24, 150), (168, 24)),
    *((560, 60), (606, 40), (650, 78), (580, 130), (668, 140), (622, 112)),
)
MOON: Final = Svg('<path class="moon" d="M84 72A34 34 0 1 1 60 128A40 40 0 0 0 84 72Z"/>')
ROOFS: Final = Svg(
    '<path class="dome" d="M178 70Q184 22 256 16Q258 8 272 4Q286 8 289 16Q360 22 366 70Z"/>'
    '<path class="line" d="M272 16V66M240 20Q214 34 210 66M304 20Q330 34 334 66M186 54H358"/>'
    '<path class="dome" d="M360 70L372 42H526L538 70Z"/>'
    '<path class="line" d="M372 54H526M392 42V70M430 42V70M468 42V70M506 42V70"/>'
)
"""The cupola with its lantern, and the gable of the fly tower, 72 high."""


@drawing
def backdrop() -> str:
    """All of it as one drawing."""
    stars = [circle(x, y, 1.5 + (x + y) % 3 / 2, "star") for x, y in STARS]
    roofs = [tag("g", ROOFS, transform=f"scale(1 {TOP[0] / 72:.3f})"), _balustrade(6), _balustrade(539)]
    upper = rect(LEFT[1] - WALL, TOP[0] - 6, 2 * (ROOM_WIDE + WALL) + WALL, TOP[1] - TOP[0], "wall", None)
    lower = rect(LEFT[0] - WALL, TOP[1] - 11, WIDE - 12, TOP[2] + ROOM_TALL + 8 - TOP[1] + 11, "wall", None)
    rooms = [group(_furnished(things), at=corner(room)) for room, things in enumerate(FURNISHED)]
    return "".join([blank(WIDE, HOUSE_TALL, "sky", 10), *stars, MOON, *roofs, upper, lower, *rooms])


def _balustrade(x: int) -> str:
    """The balustrade on the roof of a wing."""
    posts = "".join(f"M{x + 8 + post * 13} {TOP[1] - 12}v-10" for post in range(13))
    return path(f"M{x} {TOP[1] - 24}H{x + 175}{posts}", "line")


def _furnished(things: Furniture) -> list[str]:
    """A room with its furniture."""
    shapes = (("deep", things.shade), ("leaf", things.gilt), ("cloth", things.cloth), ("line", things.lines))
    lower = ROOM_TALL / DRAWN_TALL
    furniture = tag("g", *(path(d, cls) for cls, d in shapes if d), transform=f"scale(1 {lower:.3f})")
    return [
        blank(ROOM_WIDE, ROOM_TALL, "chamber"),
        furniture,
        *(circle(x, round(y * lower), 3.5, "lamp") for x, y in things.lamps),
    ]
