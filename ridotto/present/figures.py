"""The figures of rulebooks: parts of the table, drawn from positions.

A game's ``ui/figures.py`` lists them. A rulebook shows one where it has an image ``figure:NAME``, with a text for those who
cannot see it and a caption, in its own language::

    ![Moncharmin may go to 2 or 3.](figure:movement "Two people, two steps")

Nothing is stored: a figure is drawn when it is shown, so it is always that of the rules, the box and the drawings of today.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple, Protocol

from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.fields import Seat
from ridotto.present.html import Html, el
from ridotto.present.lesson import Start, prepared
from ridotto.present.svg import STYLE, THEMES, Svg, sheet, tag
from ridotto.present.ui import ui

SCHEME: Final = "figure:"
"""The beginning of the address of a figure in a rulebook."""
GAP: Final = 16
LIVE: Final = re.compile(r' (?:data-[a-z]+|role|tabindex|aria-label)="[^"]*"')
"""The parts of a table that a figure does not need."""
NAMED: Final = re.compile(r'\bid="|url\(#')
"""The places of names that must be unique on a page."""


@dataclass(frozen=True)
class Part:
    """One panel of a figure, at a position."""

    start: Start
    panel: str
    shown_to: Seat | None = None
    """The seat that sees it, with its legal actions lit; None: a spectator."""


@dataclass(frozen=True)
class Figure:
    """Panels side by side."""

    parts: tuple[Part, ...]
    names: tuple[str, ...] = ()
    """The names of the players; none: what the game calls the seats."""


class Figures(Protocol):
    """`ui/figures.py`: the figures of the rulebooks."""

    FIGURES: Mapping[str, Figure]


def figures(game: Game) -> Mapping[str, Figure]:
    """The figures of a game by name, which are those of its standard box; none without a `ui/figures.py`."""
    module: Figures | None = game.standard.build().module("ui.figures")
    return {} if module is None else module.FIGURES


def matches(game: Game, name: str) -> list[Match]:
    """The match that each part of a figure shows, with the standard box."""
    return [prepared(game.standard, part.start) for part in figures(game)[name].parts]


@cache
def drawn(game: Game, name: str, language: str, alt: str) -> Html:
    """A figure as an element of a page, whose theme gives the colours: a drawing for each part."""
    parts = [
        Html(tag("svg", Svg(part.body), viewBox=part.box, width=part.width, cls=f"drawing w{part.width}", aria_hidden="true"))
        for part in _drawings(game, name, language)
    ]
    return el("div", *parts, cls="drawings", role="img", aria_label=alt)


def picture(game: Game, name: str, language: str, alt: str, theme: str) -> str:
    """A figure as a separate file, its parts side by side, with the colours of one theme."""
    x, inside, parts = 0, [], _drawings(game, name, language)
    for part in parts:
        inside.append(tag("svg", Svg(part.body), x=x, width=part.width, height=part.height, viewBox=part.box))
        x += part.width + GAP
    width, height = x - GAP, max(part.height for part in parts)
    style = tag("style", Svg(re.sub(r"\s+", " ", sheet(STYLE + ui(game).picture.STYLE, theme))))
    room = tag("rect", width=width, height=height, fill=THEMES[theme]["velvet"])
    size = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    return tag("svg", tag("title", alt), style, room, *inside, xmlns="http://www.w3.org/2000/svg", **size)


class _Drawing(NamedTuple):
    """One part of a figure, drawn."""

    width: int
    height: int
    body: str

    @property
    def box(self) -> str:
        return f"0 0 {self.width} {self.height}"


def _drawings(game: Game, name: str, language: str) -> list[_Drawing]:
    """The parts of a figure."""
    figure, drawings = figures(game)[name], []
    for number, (part, match) in enumerate(zip(figure.parts, matches(game, name), strict=True)):
        words = ui(match.game).words(ui(match.game).narrator(language, figure.names))
        [panel] = [one for one in ui(match.game).panels(match.view(part.shown_to), words) if one.name == part.panel]
        # Several figures may stand on one page: the names inside each are its own.
        body = NAMED.sub(rf"\g<0>figure-{name}-{number}-", LIVE.sub("", panel.body))
        drawings.append(_Drawing(panel.width, panel.height, body))
    return drawings
