"""The drawings of the start page: the room, and a picture for each game. Colours are classes of house.css."""

from __future__ import annotations

from functools import cache
from typing import Final

from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.present import svg as drawing
from ridotto.present.svg import Svg, group, tag
from ridotto.present.ui import ui
from ridotto.present.words import Words

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
    """The picture of a game for its card: drawn by the game itself, or as it is dealt."""
    words = ui(game).words(ui(game).narrator(language))
    body, box = ui(game).picture.vignette(words) or _deal(game, words)
    return Svg(tag("svg", *body, viewBox=box, cls="drawing vignette", aria_hidden="true", preserveAspectRatio="xMidYMid slice"))


CARD: Final = (1200, 630)
"""The size of a preview, as messengers show it."""
CARD_STYLE: Final = """
.card-room, .card-veil { fill: $velvet; } .card-edge { fill: none; stroke: $gilt; stroke-width: 6; }
.card-mask { fill: $gilt; } .card-title { fill: $ink; font: 600 76px 'Source Serif Pro'; }
.card-words { fill: $glow; font: 40px 'Source Sans Pro'; }
"""


def invitation_card(game: Game, language: str) -> Svg:
    """The preview of an invitation: the game, and nothing of the table that it leads to."""
    words = ui(game).words(ui(game).narrator(language))
    body, box = ui(game).picture.vignette(words) or _deal(game, words)
    width, height = CARD
    style = drawing.sheet(drawing.STYLE + ui(game).picture.STYLE + CARD_STYLE, "dark")
    return Svg(
        tag(
            "svg",
            tag("style", Svg(style)),
            tag("rect", cls="card-room", width=width, height=height),
            tag("svg", *body, viewBox=box, width=width, height=height - 200, preserveAspectRatio="xMidYMid slice"),
            tag("rect", cls="card-veil", y=height - 210, width=width, height=210),
            tag("path", cls="card-mask", d=MASK, fill_rule="evenodd", transform=f"translate(110 {height - 88}) scale(3)"),
            tag("text", game.title, cls="card-title", x=220, y=height - 112),
            tag("text", words.say("You are invited to play."), cls="card-words", x=222, y=height - 50),
            tag("rect", cls="card-edge", x=3, y=3, width=width - 6, height=height - 6),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {width} {height}",
            width=width,
            height=height,
        )
    )


def _deal(game: Game, words: Words) -> tuple[list[str], str]:
    """The first panel of a deal, as much of it as a card is high."""
    panels = ui(game).panels(Match(game, seed=SEED).view(), words)
    if not panels:
        return [], "0 0 720 360"
    panel = panels[0]
    return [Svg(panel.body)], f"0 0 {panel.width} {min(panel.height, panel.width // 2)}"
