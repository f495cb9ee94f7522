"""The cities: a head with the parts in the supply and the places for figures, and below it everybody's houses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import ridotto.games.opera.ui.picture.houses as houses
from ridotto.core.view import View
from ridotto.games.opera import rules
from ridotto.games.opera.components import HALLS, STANDING
from ridotto.games.opera.rules import A, F
from ridotto.games.opera.ui.picture.facts import Halls, asks, opens_after
from ridotto.games.opera.ui.picture.marks import EDGE, FACT, arch, coin, valance
from ridotto.games.opera.ui.sketch import ROMAN
from ridotto.games.opera.ui.words import Words
from ridotto.present.kit import Grid, drawing, frame, halo, line, path
from ridotto.present.narrator import opening
from ridotto.present.scene import Item
from ridotto.present.svg import group, tag, write

PANELS: Final = tuple(f"city-{name}" for name in rules.CITY.names)
HEAD: Final = houses.TOP - 3
"""The height of the head of a city."""
WIDTH: Final = houses.WIDTH
GAP: Final = 10
TALL: Final = 690
"""The height of all cities together."""


class Ground(NamedTuple):
    """The place of a city among the others, and its size: the same on every window, up to a scale."""

    x: float
    y: float
    wide: float
    tall: float


def grounds(view: View) -> tuple[Ground, ...]:
    """The places of all cities, two by two; those that are closed share the places that are left."""
    return _grounds(tuple(opens_after(view, city) < 0 for city in range(6)))


@drawing
def _grounds(is_open: tuple[bool, ...]) -> tuple[Ground, ...]:
    opened = [city for city in range(6) if is_open[city]]
    closed = [city for city in range(6) if not is_open[city]]
    rows = 2 if len(opened) < 4 else 3
    tall = (TALL - GAP * (rows - 1)) / rows
    cells = Grid(2, WIDTH, tall, gap=2 * GAP - 8, row_gap=GAP)
    found = {city: Ground(*cells.place(at), WIDTH, round(tall)) for at, city in enumerate(opened)}
    left = list(range(len(opened), 2 * rows))
    for at, cell in enumerate(left):
        share = closed[at :: len(left)]
        each = (tall - GAP * (len(share) - 1)) / max(1, len(share))
        x, y = cells.place(cell)
        found |= {city: Ground(x, y + step * (each + GAP), WIDTH, round(each)) for step, city in enumerate(share)}
    return tuple(found[city] for city in range(6))


def shared(view: View, words: Words, halls: Halls) -> list[Item]:
    """All cities as everybody sees them."""
    s, items = view.row, list[Item]()
    for city, ground in enumerate(grounds(view)):
        opens = opens_after(view, city)
        items += _head(words, city, ground.tall, opens, s[F.supply + city * 4 : F.supply + city * 4 + 4])
        if opens < 0:
            items += houses.items(words, view.seats, None, ground.tall, houses.city_of(view, city, halls))
    return items


def own(view: View, words: Words, halls: Halls) -> list[Item]:
    """The reader's own houses, with an edge around them, and what they are asked about all houses."""
    assert view.seat is not None
    items = list[Item]()
    for city, ground in enumerate(grounds(view)):
        if opens_after(view, city) < 0:
            items += houses.items(words, view.seats, view.seat, ground.tall, houses.city_of(view, city, halls))
            name, tall = rules.CITY.names[city], houses.street(view.seats, ground.tall)[view.seat].tall
            items.append(Item(f"own-{name}", f"house-{view.seat}-{name}", houses.own(tall)))
    return items


def plots(view: View) -> Iterator[Item]:
    """The parts that the reader may build, where they would stand."""
    assert view.seat is not None
    if asks(view, rules.BUILD):
        yield from houses.plots(view, [ground.tall for ground in grounds(view)])


# The head of a city.


class Heading(NamedTuple):
    """The layout of the head of a city: its building parts in the supply, and its places for figures."""

    sites: tuple[int, ...]
    start: float
    wide: float
    places: float


@drawing
def heading(city: int) -> Heading:
    """The head of a city."""
    places = STANDING[city]
    sites = tuple(city * 4 + part for part in range(4) if HALLS[city * 4 + part])
    wide = min(62.0, (WIDTH - 100 - STAND * max(places, 1)) / len(sites))
    first = WIDTH - EDGE - STAND * places
    return Heading(sites, first - 2 - wide * len(sites), wide, first)


STAND: Final = 32
"""The width of a figure's place."""


@drawing
def _head(words: Words, city: int, tall: float, opens: int, supply: tuple[int, ...]) -> Sequence[Item]:
    """The name of a city with its places for figures, and its parts in the supply, with how many are left."""
    panel, name = PANELS[city], rules.CITY.names[city]
    if opens > 0:
        return [
            Item(
                f"visit-{name}",
                panel,
                closed(city, tall, words.city(city), _opening(words, opens)),
                action=A.move + city,
                ask=True,
            )
        ]
    sites, start, wide, _ = heading(city)
    items = [
        Item(f"back-{name}", panel, background(city, tall)),
        Item(f"visit-{name}", panel, visited(city, words.city(city)), action=A.move + city, ask=True),
    ]
    for at, site in enumerate(sites):
        left, halls = supply[site & 3], words.halls(HALLS[site])
        price = rules.A_HALL * HALLS[site]
        title = f"{opening(words.part(site))}: {halls}, {words.ducats(price)}, {words.points(price)}, ×{left}"
        part = f"{name}-{rules.PART.names[site & 3]}"
        x = start + at * wide
        state = "" if left else "dim"
        items.append(Item(f"build-{part}", panel, tile(site), x, 4, 1, state, title, A.build + site, ask=True))
        number = line(f"×{left}", FACT, "bold" if left else "quiet", "start")
        items.append(Item(f"left-{part}", f"build-{part}", number, wide / 2 + 1, 35))
    return items


def _opening(words: Words, after: int) -> str:
    return words.say("opens after round {round}", round=ROMAN[after - 1])


@drawing
def visited(city: int, name: str) -> str:
    """The name of a city, and its places for figures."""
    _, start, _, first = heading(city)
    places = STANDING[city]
    title = write(name, EDGE + 2, 31, 20, cls="title oncloth bold", anchor="start", within=start - EDGE - 4)
    spots = [tag("ellipse", cls="place", cx=first + STAND * (at + 0.5), cy=40, rx=14, ry=6) for at in range(places)]
    return "".join((halo(3, 3, start - 5, 42), halo(first - 1, 3, STAND * places + 4, 42), title, *spots))


@drawing
def tile(site: int) -> str:
    """A building part in the supply: its halls and its price."""
    wide, halls = heading(site >> 2).wide - 3, HALLS[site]
    is_main = site & 3 == 0
    pitch = min(12.0, (wide - 10) / halls)
    begin = wide / 2 - pitch * halls / 2
    parts = [tag("rect", cls="raised", width=wide, height=40, rx=5), halo(0, 0, wide, 40, 5)]
    for at in range(halls):
        parts.append(arch(begin + at * pitch + 1, 3, pitch - 2, 14, "hall great" if is_main and at == 0 else "hall"))
    if is_main:
        parts += [tag("rect", cls="column", x=begin + shift, y=4, width=2.4, height=13) for shift in (-1.4, pitch - 1)]
    radius = min(10, wide / 4.4)  # A box may have four parts in a city, and then they are narrow.
    return "".join((*parts, coin(str(rules.A_HALL * halls), radius, wide / 2 - 1 - radius, 29)))


# The background.


@drawing
def background(city: int, tall: float) -> str:
    """A city against the sky behind its cloth."""
    return "".join((frame(tall, WIDTH), _skyline(city, tall, ""), valance(HEAD, WIDTH)))


def _skyline(city: int, tall: float, cls: str) -> str:
    scale = f"translate(5 {tall - 98:g}) scale({(WIDTH - 10) / 360:.3f} 0.97)"
    return group([tag("path", cls="sky", d=SKYLINES[city], fill_rule="evenodd", transform=scale)], cls=cls)


@drawing
def closed(city: int, tall: float, name: str, text: str) -> str:
    """A city that is still closed, behind curtains that say when it opens."""
    parts = [frame(tall, WIDTH), *([_skyline(city, tall, "night")] if tall > 100 else []), _drapes(tall)]
    middle = tall / 2 + (4 if tall < 150 else -14)
    parts.append(write(name, WIDTH / 2, middle, 21, cls="title bold", within=150))
    parts.append(write(text, WIDTH / 2, middle + 22, FACT, cls="name", within=WIDTH - 84))
    return "".join((*parts, valance(22, WIDTH), halo(1, 1, WIDTH - 2, tall - 2, 10)))


@drawing
def _drapes(tall: float) -> str:
    """The curtain of a city that is still closed, drawn aside a little on both sides."""
    low, knee = tall - 1.5, round(tall * 0.62)
    half = f"M1 14V{low}H34C44 {knee + 14} 26 {knee} 40 {round(tall * 0.42)}C52 {round(tall * 0.3)} 58 24 62 14Z"
    folds = "".join(
        f"M{x} 14C{x + 1} {knee} {round(x * 0.6)} {knee} {round(x * 0.58)} {low}h5C{x + 4} {knee} {x + 6} {knee} {x + 5} 14Z"
        for x in (8, 24, 40)
    )
    side = [path(half, "drape"), path(folds, "fold")]
    return group([group(side), tag("g", *side, transform=f"translate({WIDTH} 0) scale(-1 1)")])


SKYLINES: Final = (
    # Venezia: the Salute, the campanile, a bridge over the canal.
    "M0 100V84H30V62H40V84H58V58C58 34 92 34 92 58V84H108V70H124V30L130 12L136 30V84H170C182 62 232 62 244 84H262V60H300V84"
    "H318V68H360V100Z",
    # Wien: roofs, the great spire, a wheel.
    "M0 100V76L24 58L48 76H70V56H84V40L92 4L100 40V56H150V72H176V60H206V76H236A32 32 0 1 1 300 76H322V64H360V100Z",
    # Berlin: the gate with its columns and the quadriga.
    "M0 100V80H70V58H84V46H150V38H158L164 28H196L202 38H210V46H276V58H290V80H360V100Z"
    "M98 92V58H118V92ZM134 92V58H154V92ZM170 92V58H190V92ZM206 92V58H226V92ZM242 92V58H262V92Z",
    # London: the clock tower, a dome, a bridge.
    "M0 100V82H36V32L43 20L50 6L57 20L64 32V82H110V70H132V60C132 38 176 38 176 60V70H198V82H226V50H238V82H290V50H302V82"
    "H360V100Z",
    # Paris: the opera house with its dome, and the tower.
    "M0 100V76H40V60H68C70 36 122 36 124 60H152V76H210C236 76 244 52 250 6H256C262 52 270 76 296 76H320V66H360V100Z",
    # Milano: the cathedral and its pinnacles.
    "M0 100V84H60V66L68 46L76 66L86 50L96 34L106 50L114 40L124 26L134 40L146 24L158 4L170 24L182 40L192 26L202 40L210 34"
    "L220 50L230 66L238 46L246 66V84H360V100Z",
)
"""The cities against the sky, as paths 360 wide and 100 high."""
