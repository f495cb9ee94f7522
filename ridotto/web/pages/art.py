"""The drawings of the start page: the room, and a picture for each game. Colours are classes of house.css."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from ridotto.core.drawing import Svg, group, tag
from ridotto.core.game import Game
from ridotto.core.match import Match

SEED: Final = 11
"""The deal that is shown on the card of a game."""


@cache
def hero() -> Svg:
    """The stage of the house, its curtain half drawn, with a card table in the light."""
    parts = [
        tag("rect", cls="a-dark", width=1200, height=360),
        tag("path", cls="a-beam", d="M440-20L600-20L800 330H400Z"),
        tag("path", cls="a-beam", d="M600-20L760-20L800 330H400Z"),
        *_boxes(),
        tag("ellipse", cls="a-floor", cx=600, cy=344, rx=420, ry=40),
        _table(),
        _curtain(),
        tag("g", _curtain(), transform="translate(1200 0) scale(-1 1)"),
        _valance(),
        *_lights(),
    ]
    return Svg(
        tag(
            "svg",
            *parts,
            viewBox="0 0 1200 360",
            cls="art hero-art",
            aria_hidden="true",
            preserveAspectRatio="xMidYMid slice",
        )
    )


def _boxes() -> list[str]:
    """The boxes at the back of the house, tier upon tier, with a few lamps."""
    parts = []
    for tier in range(3):
        y = 92 + tier * 66
        for at in range(14):
            x = 250 + at * 54 - tier * 4
            parts.append(tag("path", cls="a-box", d=f"M{x} {y + 40}V{y + 14}Q{x + 18} {y - 10} {x + 36} {y + 14}V{y + 40}Z"))
            if (at * 7 + tier * 5) % 6 == 0:
                parts.append(tag("circle", cls="a-lamp", cx=x + 18, cy=y + 20, r=3))
        parts.append(tag("path", cls="a-gilt-line", d=f"M220 {y + 44}Q600 {y + 58} 980 {y + 44}"))
    return parts


def _table() -> str:
    """A gaming table with a mask, three cards and a score."""
    cards = []
    for turn, x, sign in ((-14, 556, MASK), (0, 600, NOTE), (14, 644, MOON)):
        face = [
            tag("rect", cls="a-card", x=-27, y=-40, width=54, height=80, rx=6),
            tag("rect", cls="a-card-line", x=-22, y=-35, width=44, height=70, rx=4),
            tag("path", cls="a-sign", d=sign, fill_rule="evenodd"),
        ]
        cards.append(tag("g", *face, transform=f"translate({x} {300 + abs(turn) * 0.5:g}) rotate({turn}) scale(0.8)"))
    return group(
        [
            tag("path", cls="a-cloth", d="M430 336Q600 306 770 336L790 370H410Z"),
            tag("path", cls="a-fringe", d="M430 336Q600 306 770 336"),
            *cards,
        ]
    )


MASK: Final = (
    "M-19-10Q-9-17 0-10Q9-17 19-10Q20 6 9 8Q3 8 0 2Q-3 8-9 8Q-20 6-19-10ZM-14-4Q-9-9-4-3Q-9 2-14-4ZM14-4Q9-9 4-3Q9 2 14-4Z"
)
NOTE: Final = "M-4 14A8 6 0 1 1-8 4V-22L14-26V8A8 6 0 1 1 10-2V-16L-4-13Z"
MOON: Final = "M6-22A22 22 0 1 0 20 12A18 18 0 0 1 6-22Z"


def _curtain() -> str:
    """One half of the curtain, gathered at the side."""
    folds = "".join(f"M{x} 0Q{x + 6} 190 {x * 0.42 + 4:g} 360" for x in (36, 78, 122, 168, 214, 258))
    return group(
        [
            tag("path", cls="a-curtain", d="M0 0H306Q300 170 176 262Q132 300 150 360H0Z"),
            tag("path", cls="a-fold", d=folds),
            tag("path", cls="a-tassel", d="M196 236Q168 268 122 276L120 286Q176 280 206 246Z"),
            tag("path", cls="a-hem", d="M306 0Q300 170 176 262Q132 300 150 360"),
        ]
    )


def _valance() -> str:
    """The swags over the stage."""
    swags = "".join(f"M{x} 0H{x + 200}Q{x + 190} 64 {x + 100} 70Q{x + 10} 64 {x} 0Z" for x in range(0, 1200, 200))
    hems = "".join(f"M{x} 6Q{x + 10} 64 {x + 100} 70Q{x + 190} 64 {x + 200} 6" for x in range(0, 1200, 200))
    folds = "".join(f"M{x + 30} 0Q{x + 46} 44 {x + 100} 50M{x + 170} 0Q{x + 154} 44 {x + 100} 50" for x in range(0, 1200, 200))
    drops = "".join(f"M{x - 9} 0H{x + 9}L{x + 6} 40L{x} 56L{x - 6} 40Z" for x in range(0, 1201, 200))
    return group(
        [
            tag("path", cls="a-curtain", d=swags),
            tag("path", cls="a-fold", d=folds),
            tag("path", cls="a-hem", d=hems),
            tag("path", cls="a-tassel", d=drops),
        ]
    )


def _lights() -> list[str]:
    """The footlights."""
    return [tag("path", cls="a-foot", d=f"M{x} 360V352A11 11 0 0 1 {x + 22} 352V360Z") for x in range(214, 980, 84)]


# A picture for each game.


@cache
def vignette(game: Game, language: str) -> Svg:
    """What a game looks like, for its card: drawn by the game itself."""
    del language
    picture = game.build().picture
    body, box = VIGNETTES[game.name](game, picture) if game.name in VIGNETTES else _panel(game, picture)
    return Svg(tag("svg", *body, viewBox=box, cls="drawing vignette", aria_hidden="true", preserveAspectRatio="xMidYMid slice"))


def _panel(game: Game, picture: Any) -> tuple[list[str], str]:
    """The first panel of a deal."""
    panel = picture.panels(Match(game, seed=SEED).view())[0]
    return [Svg(panel.body)], f"0 0 {panel.width} {panel.height}"


def _fantome(game: Game, picture: Any) -> tuple[list[str], str]:
    """The house in section, as it is dealt."""
    return _panel(game, picture)[0], "0 0 720 360"


def _opera(game: Game, picture: Any) -> tuple[list[str], str]:
    """An opera house whose halls are full of composers."""
    parts = [
        tag("rect", cls="sky", width=720, height=420),
        *(
            tag("circle", cls="gilt", cx=x, cy=y, r=1.8)
            for x, y in ((60, 50), (140, 96), (590, 60), (660, 120), (520, 34), (230, 40))
        ),
        tag("rect", cls="wall", x=40, y=196, width=640, height=190),
        tag("rect", cls="wall", x=214, y=150, width=292, height=236),
        tag("path", cls="seat0 roof", d="M196 152L360 62L524 152Z"),
        tag("circle", cls="hall great", cx=360, cy=120, r=22),
        tag("path", cls="seat0 roof", d="M30 198H212V182H44ZM508 198H690L676 182H508Z"),
    ]
    parts += [tag("rect", cls="column", x=x, y=172, width=14, height=196) for x in (226, 300, 406, 480)]
    for at, (x, number) in enumerate(((360, 2), (92, 0), (164, 1), (556, 3), (628, 4))):
        great = at == 0
        wide, top = (72, 204) if great else (58, 250)
        curve = f"M{x - wide / 2:g} 372V{top}A{wide / 2:g} {wide / 2:g} 0 0 1 {x + wide / 2:g} {top}V372Z"
        parts.append(tag("path", cls="hall great" if great else "hall", d=curve))
        parts.append(group([Svg(picture._token(number, 62 if great else 48))], at=(x, 282 if great else 306)))
    for x, number in ((268, 5), (452, 4)):
        parts.append(tag("path", cls="hall", d=f"M{x - 22} 372V264A22 22 0 0 1 {x + 22} 264V372Z"))
        parts.append(group([Svg(picture._token(number, 38))], at=(x, 310)))
    parts += [
        tag("rect", cls="wall", x=20, y=384, width=680, height=12),
        tag("rect", cls="wall", x=0, y=396, width=720, height=24),
    ]
    return parts, "0 44 720 360"


def _turandot(game: Game, picture: Any) -> tuple[list[str], str]:
    """Singers at an audition, fanned out under the curtain."""
    from ridotto.core.narrator import spoken

    parts = [
        tag("rect", cls="room", width=720, height=420),
        tag("path", cls="beam", d="M300 0H420L640 420H80Z"),
        tag("path", cls="beam", d="M240 0H330L500 420H40Z"),
        tag("path", cls="beam", d="M390 0H480L680 420H220Z"),
    ]
    chosen = SINGERS
    for at, number in enumerate(chosen):
        turn = (at - (len(chosen) - 1) / 2) * 11
        x, y = 360 + (at - (len(chosen) - 1) / 2) * 122, 74 + abs(turn) * 1.5
        card = Svg(picture._singer_card(number, spoken()))
        parts.append(tag("g", card, transform=f"translate({x:g} {y:g}) rotate({turn:g} 0 280) scale(1.5) translate(-55 0)"))
    curtain = tag("g", Svg(picture._curtain(360)), transform="scale(2)")
    return [*parts, curtain], "0 0 720 360"


SINGERS: Final = (4, 13, 1, 19, 22)
VIGNETTES: Final = {"fantome": _fantome, "opera": _opera, "turandot": _turandot}
