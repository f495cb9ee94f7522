"""The cities: a head with the parts in the supply and the places for figures, and below it everybody's houses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import ridotto.games.opera.ui.picture.houses as houses
from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.components import HALLS, STANDING
from ridotto.games.opera.rules import A, F
from ridotto.games.opera.ui.picture.facts import Halls, asks, opens_after
from ridotto.games.opera.ui.picture.marks import arch, coin, valance
from ridotto.games.opera.ui.sketch import ROMAN
from ridotto.games.opera.ui.words import Words
from ridotto.present.kit import EDGE, INNER, WIDE, drawing, frame, halo, line, path
from ridotto.present.narrator import opening
from ridotto.present.scene import Item
from ridotto.present.svg import group, tag, write

PANELS: Final = tuple(f"city-{name}" for name in rules.CITY.names)
HEAD: Final = houses.TOP - 3
"""The height of the head of a city."""


def height(seats: int, reader: Seat | None) -> float:
    """The height of a city's panel."""
    return houses.street(seats, reader).end + 1


def shared(view: View, words: Words, halls: Halls) -> list[Item]:
    """All cities as everybody sees them."""
    s, tall, items = view.row, height(view.seats, None), list[Item]()
    for city in range(6):
        opens = opens_after(view, city)
        items += _head(words, city, tall, opens, s[F.supply + city * 4 : F.supply + city * 4 + 4])
        if opens < 0:
            items += houses.items(words, view.seats, None, houses.city_of(view, city, halls))
    return items


def own(view: View, words: Words, halls: Halls) -> list[Item]:
    """All cities with the reader's own houses in front and large."""
    tall, items = height(view.seats, view.seat), list[Item]()
    for city in range(6):
        opens = opens_after(view, city)
        if view.seats > 2:
            items.append(_back(words, city, tall, opens))
        if opens < 0:
            items += houses.items(words, view.seats, view.seat, houses.city_of(view, city, halls))
    return items


def plots(view: View) -> Iterator[Item]:
    """The parts that the reader may build, where they would stand."""
    assert view.seat is not None
    if asks(view, rules.BUILD):
        yield from houses.plots(view)


@drawing
def _back(words: Words, city: int, tall: float, opens: int) -> Item:
    """A city behind everything that stands there."""
    text = words.say("opens after round {round}", round=ROMAN[opens - 1]) if opens > 0 else ""
    return Item(f"back-{rules.CITY.names[city]}", PANELS[city], background(city, tall, text))


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
    wide = min(72.0, (INNER - 92 - 44 * max(places, 1)) / len(sites))
    first = WIDE - EDGE - 40 * places
    return Heading(sites, first - 6 - wide * len(sites), wide, first)


@drawing
def _head(words: Words, city: int, tall: float, opens: int, supply: tuple[int, ...]) -> Sequence[Item]:
    """The name of a city with its places for figures, and its parts in the supply, with how many are left."""
    panel, name = PANELS[city], rules.CITY.names[city]
    sites, start, wide, _ = heading(city)
    visit = visited(city, words.city(city), words.halls(sum(HALLS[site] for site in sites)))
    items = [_back(words, city, tall, opens), Item(f"visit-{name}", panel, visit, action=A.move + city, ask=True)]
    for at, site in enumerate(sites):
        left, halls = supply[site & 3], words.halls(HALLS[site])
        price = rules.A_HALL * HALLS[site]
        title = f"{opening(words.part(site))}: {halls}, {words.ducats(price)}, {words.points(price)}, ×{left}"
        state = "dim" if left == 0 else "faint" if opens > 0 else ""
        part = f"{name}-{rules.PART.names[site & 3]}"
        x = start + at * wide
        items.append(Item(f"build-{part}", panel, tile(site), x, 10, 1, state, title, A.build + site, ask=True))
        number = line(f"×{left}", 14.5, "bold" if left else "quiet", "start")
        items.append(Item(f"left-{part}", f"build-{part}", number, min(wide / 2 + 1, wide - 21), 37))
    return items


@drawing
def visited(city: int, name: str, size: str) -> str:
    """The name of a city, how many halls it has, and its places for figures."""
    _, start, _, first = heading(city)
    places = STANDING[city]
    title = write(name, EDGE + 4, 31, 21, cls="title oncloth bold", anchor="start", within=start - EDGE - 8)
    below = write(size, EDGE + 4, 48, 14.5, cls="oncloth", anchor="start", within=start - EDGE - 8)
    spots = [tag("ellipse", cls="place", cx=first + 20 + 40 * at, cy=46, rx=17, ry=7) for at in range(places)]
    return "".join((halo(4, 8, start - 8, 48), halo(first - 2, 8, 40 * places + 4, 48), title, below, *spots))


@drawing
def tile(site: int) -> str:
    """A building part in the supply: its halls and its price."""
    wide, halls = heading(site >> 2).wide - 4, HALLS[site]
    is_main = site & 3 == 0
    pitch = min(13.0, (wide - 14) / halls)
    begin = wide / 2 - pitch * halls / 2
    parts = [tag("rect", cls="raised", width=wide, height=44, rx=5), halo(0, 0, wide, 44, 5)]
    for at in range(halls):
        parts.append(arch(begin + at * pitch + 1, 5, pitch - 2, 15, "hall great" if is_main and at == 0 else "hall"))
    if is_main:
        parts += [tag("rect", cls="column", x=begin + shift, y=6, width=2.6, height=14) for shift in (-1.6, pitch - 1)]
    radius = min(10, wide / 4.6)  # A box may have four parts in a city, and then they are narrow.
    return "".join((*parts, coin(str(rules.A_HALL * halls), radius, wide / 2 - 2 - radius, 32)))


# The background.


@drawing
def background(city: int, tall: float, opens: str) -> str:
    """A city against the sky behind its cloth; a closed one behind curtains that say when it opens."""
    sky = tag("path", cls="sky", d=SKYLINES[city], fill_rule="evenodd", transform="translate(6 2) scale(0.967 0.93)")
    parts = [frame(tall), group([sky], at=(0, tall - 100), cls="night" if opens else "")]
    if opens:
        parts += [_drapes(tall), write(opens, 180, 64 + (tall - 64) * 0.36, 15, cls="name")]
    return "".join((*parts, valance(HEAD)))


@drawing
def _drapes(tall: float) -> str:
    """The curtain of a city that is still closed, drawn aside a little on both sides."""
    low, knee, hip = tall - 1.5, round(tall * 0.6), round(tall * 0.4)
    half = f"M1 54V{low}H58C70 {knee + 20} 40 {knee} 70 {hip + 10}C92 {hip - 10} 108 80 112 54Z"
    folds = ""
    for x in (12, 34, 56, 78):
        foot = round(x * 0.55)
        folds += f"M{x} 54C{x + 2} {hip} {foot + 4} {knee} {foot} {low}h9C{foot + 14} {knee} {x + 10} {hip} {x + 9} 54Z"
    side = [path(half, "drape"), path(folds, "fold")]
    return group([group(side), tag("g", *side, transform=f"translate({WIDE} 0) scale(-1 1)")], cls="faint")


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
