"""The drawing of a table: SVG made of panels, in one visual language for all games.

A game's ``ui/picture.py`` describes a view as *panels* with items on them (see `ridotto.present.scene`). A page lays the panels
out as its width allows; `compose` puts them together into one self-contained picture. A phone shows a panel 340 pixels wide, so
the text in a panel of 360 units is at least 12 units high, in one of 720 at least 23.

Colours are classes, never attributes: `STYLE` here and in each game's picture names them as ``$gilt``, and `sheet` fills in
one of the `THEMES`. Colour never carries a meaning alone: seats also have a shape and a pattern.

>>> tag("text", "Verdi & Puccini", x=3, cls="name")
'<text x="3" class="name">Verdi &amp; Puccini</text>'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from itertools import accumulate
from math import ceil, cos, floor, pi, sin
from string import Template
from typing import TYPE_CHECKING, Final, Self

from ridotto.engine.fields import Seat
from ridotto.present.fonts import UNKNOWN, WIDTHS

if TYPE_CHECKING:
    from ridotto.present.composition import Composition

SERIF: Final = "'Source Serif Pro', 'Source Serif 4', Georgia, 'Times New Roman', serif"
SANS: Final = "'Source Sans Pro', 'Source Sans 3', 'Helvetica Neue', Arial, sans-serif"

THEMES: Final[dict[str, dict[str, str]]] = {
    "dark": {
        "velvet": "#160b12",  # the room
        "plush": "#26131d",  # a panel
        "curtain": "#5a1f33",  # red cloth
        "wood": "#3a2230",  # a raised part
        "gilt": "#e3bd6b",  # edges, titles
        "brass": "#8f7444",  # quiet edges
        "ink": "#f7eee2",  # text
        "ash": "#c9b8ab",  # quiet text
        "glow": "#ffdf8a",  # what can be done
        "shade": "#0b0509",  # the dark
        "rose": "#e08fa6",  # secret passages
        "good": "#8fdca6",
        "bad": "#ff9d88",
        "paper": "#f3e6cf",  # cards
        "pen": "#2a1720",  # text on cards
        "seat0": "#ff8a80",
        "seat1": "#82b8ff",
        "seat2": "#ffd95e",
        "seat3": "#86dd9a",
        "seat4": "#d6a3ff",
        "seat5": "#6fe3dc",
    },
    "light": {
        "velvet": "#efe4d2",
        "plush": "#fbf5ea",
        "curtain": "#9c3049",
        "wood": "#eadcc4",
        "gilt": "#7d5a10",
        "brass": "#b79a63",
        "ink": "#2a171e",
        "ash": "#66534d",
        "glow": "#b36b00",
        "shade": "#3a2a33",
        "rose": "#a83a5c",
        "good": "#1f6b3a",
        "bad": "#a32a17",
        "paper": "#fffdf7",
        "pen": "#2a171e",
        "seat0": "#b3261e",
        "seat1": "#1d559e",
        "seat2": "#7a5b00",
        "seat3": "#1f6b3a",
        "seat4": "#6b3a9e",
        "seat5": "#00696b",
    },
}
"""The same room in the evening and at a matinée."""

STYLE: Final = f"""
text {{ font-family: {SANS}; fill: $ink; }}
.title {{ font-family: {SERIF}; fill: $gilt; }}
.name {{ font-family: {SERIF}; }}
.bold {{ font-weight: 700; }}
.quiet {{ fill: $ash; }}
.panel {{ fill: $plush; stroke: $brass; stroke-width: 1; }}
.raised {{ fill: $wood; stroke: $brass; stroke-width: 1; }}
.edge {{ fill: none; stroke: $gilt; }}
.card {{ fill: $paper; stroke: $brass; }}
.oncard {{ fill: $pen; }}
.good {{ fill: $good; }}
.bad {{ fill: $bad; }}
.seat0 {{ fill: $seat0; }} .seat1 {{ fill: $seat1; }} .seat2 {{ fill: $seat2; }}
.seat3 {{ fill: $seat3; }} .seat4 {{ fill: $seat4; }} .seat5 {{ fill: $seat5; }}
.onseat {{ fill: $velvet; font-weight: 700; }}
.can {{ cursor: pointer; }}
.can .halo {{ stroke: $glow; stroke-width: 3; fill: $glow; fill-opacity: 0.14; }}
.halo {{ fill: none; stroke: none; pointer-events: all; }}
.trace {{ fill: none; stroke: $glow; stroke-width: 2; stroke-dasharray: 5 4; }}
"""
"""The style of all drawings. `can` marks what the reader may do now, `halo` the highlight on it, `trace` the last move."""

SERIFS: Final = frozenset(re.findall(r"\.(\w+) \{[^}]*font-family: 'Source Serif", STYLE))
BOLD: Final = frozenset(re.findall(r"\.(\w+) \{[^}]*font-weight: 700", STYLE))
"""The classes of texts that are not in plain sans. What only a game's own style makes bold is measured as if it were not."""


def sheet(style: str, theme: str) -> str:
    """A style with the colours of one theme."""
    return Template(style).substitute(THEMES[theme])


# Elements.


def tag(name: str, *inside: str, cls: object = "", **attributes: object) -> str:
    """An element. Text in `inside` is escaped unless it is itself an element; None and "" attributes are left out.

    Underscores at the end of a name fall away (`for_`), others become hyphens (`text_anchor`).
    """
    if cls:
        attributes["class"] = cls
    attributes_text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(number(value))}"'
        for key, value in attributes.items()
        if value is not None and value != ""
    )
    body = "".join(part if isinstance(part, Svg) else escape(part, quote=False) for part in inside)
    return Svg(f"<{name}{attributes_text}>{body}</{name}>" if body else f"<{name}{attributes_text}/>")


class Svg(str):
    """Text that is markup already."""

    __slots__ = ()


def group(parts: Iterable[str], *, at: tuple[float, float] | None = None, cls: str = "", **attributes: object) -> str:
    """Several elements as one, moved to `at`."""
    place = f"translate({number(at[0])} {number(at[1])})" if at else None
    return tag("g", *parts, cls=cls, transform=place, **attributes)


SMALLEST: Final = 12
"""The smallest text size in a panel that is 360 units wide."""
SMALLER, NARROWEST = 0.9, 0.72
"""The least scale, and then the least width, of a text that has too little room."""


def write(
    text: str, x: float, y: float, size: float, *, cls: str = "", anchor: str = "middle", within: float = 0, **more: object
) -> str:
    """A line of text. With `within`, it is no wider than that: made a little smaller, then narrower, then smaller down to
    SMALLEST, and then cut.

    >>> write("Bellegarde", 0, 0, 14, within=50)
    '<text x="0" y="0" font-size="13" text-anchor="middle" textLength="50" lengthAdjust="spacingAndGlyphs">Bellegarde</text>'
    >>> write("Cornélia Bellegarde", 0, 0, 14, within=50)[-20:]
    '>Cornélia Be…</text>'
    """
    if within and measure(text, size, font := font_of(cls)) > within:
        fits = within / measure(text, 1, font)
        size = min(size, max(SMALLEST, floor(2 * max(fits, min(ceil(2 * SMALLER * size) / 2, fits / NARROWEST))) / 2))
        if fits < size * NARROWEST:
            ends = accumulate(measure(one, size, font) for one in text)
            room = within / NARROWEST - measure("…", size, font)
            text = text[: sum(end <= room for end in ends)].rstrip() + "…"
        if measure(text, size, font) > within:
            more = {"textLength": f"{within:g}", "lengthAdjust": "spacingAndGlyphs", **more}
    return tag("text", text, x=x, y=y, font_size=size, text_anchor=None if anchor == "start" else anchor, cls=cls, **more)


def wrap(text: str, width: float, size: float, font: str = "sans") -> list[str]:
    """Wrap a text into lines no wider than `width`; no-break spaces are kept.

    >>> wrap("Tour\\u00a01 : la place a Puccini", 70, 12)
    ['Tour\\xa01 : la', 'place a', 'Puccini']
    """
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and measure(longer, size, font) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def measure(text: str, size: float, font: str = "sans") -> float:
    """The width of a line of text in one of the `WIDTHS`: what a browser shows may be a little narrower, by its kerning.

    >>> measure("Turandot", 20), measure("Turandot", 20, "serif-bold")
    (78.26, 85.3)
    """
    return size * _thousandths(text, font) / 1000


@lru_cache(8192)
def _thousandths(text: str, font: str) -> int:
    widths = WIDTHS[font]
    return sum(widths.get(one, UNKNOWN) for one in text)


@lru_cache(512)
def font_of(cls: str) -> str:
    """The font in which `STYLE` shows a text of these classes.

    >>> font_of("quiet"), font_of("title bold")
    ('sans', 'serif-bold')
    """
    classes = set(cls.split())
    return ("serif" if classes & SERIFS else "sans") + ("-bold" if classes & BOLD else "")


def number(value: object) -> str:
    """A number as SVG writes it: at most two places after the point."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


# Seats.

SIDES: Final = (0, 4, 3, -4, 6, 5)
"""The shape of each seat's mark: a disc, a square, a triangle, a lozenge, a hexagon, a pentagon."""


def seat_mark(seat: Seat, x: float, y: float, size: float, letter: str = "", cls: str = "") -> str:
    """The mark of a seat, with its colour, shape and letter, about `size` across."""
    if len(letter) > 1 and SIDES[seat] in (3, -4):
        size *= 1.2
    tall = max(SMALLEST, size * (0.56 if len(letter) == 1 else 0.5))
    lower = tall * 0.36 + size * (0.08 if SIDES[seat] == 3 else 0)
    letters = (write(letter, x, y + lower, tall, cls="onseat"),) if letter else ()
    return group([shape(SIDES[seat], x, y, size, cls=f"seat{seat} {cls}".strip()), *letters])


def shape(sides: int, x: float, y: float, size: float, cls: str = "", **attributes: object) -> str:
    """A disc (0), or a polygon of so many sides; -4 is a square on its point."""
    radius = size / 2
    if sides == 0:
        return tag("circle", cls=cls, cx=x, cy=y, r=radius, **attributes)
    turn = pi / 4 if sides == 4 else 0.0
    radius *= 1.25 if sides in (3, 4) else 1.1
    lift = size * 0.08 if sides == 3 else 0.0
    corners = (
        (x + radius * sin(turn + 2 * pi * i / abs(sides)), y + lift - radius * cos(turn + 2 * pi * i / abs(sides)))
        for i in range(abs(sides))
    )
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
    return tag("polygon", cls=cls, points=points, **attributes)


# Panels, and pictures made of them.


ID: Final = re.compile(r'(?<![\w-])id="([\w-]+)"')


@dataclass(frozen=True)
class Panel:
    """One part of the drawing of a table. `name` is the same in every language, `title` is for people.

    A game's picture gives panels without a body; `Game.panels` fills them with the board and the items that lie on it.
    """

    name: str
    title: str
    width: int
    height: int
    body: str = ""
    private: bool = False
    """Whether only its reader may see it: a page lets them fold it away."""

    def svg(self) -> str:
        """The panel as an element of a page."""
        size = f"0 0 {self.width} {self.height}"
        return tag("svg", tag("title", self.title), Svg(self.body), viewBox=size, cls=f"drawing {self.name}", role="group")

    def with_own_ids(self, name: str) -> Self:
        """The panel with ids that no other has, so that one page can show it several times.

        >>> Panel("a", "A", 9, 9, '<g id="light"/><rect fill="url(#light)"/>').with_own_ids("2").body
        '<g id="light-2"/><rect fill="url(#light-2)"/>'
        """
        body = self.body
        for one in ID.findall(body):
            for before, after in (('id="', '"'), ("#", ")"), ('"#', '"')):
                body = body.replace(f"{before}{one}{after}", f"{before}{one}-{name}{after}")
        return replace(self, body=body)


def compose(panels: Sequence[Panel], composition: Composition, style: str, theme: str = "dark", gap: int = 16) -> str:
    """One self-contained picture: the panels in their places, with a margin around them."""
    parts = []
    for panel in panels:
        if place := composition.places.get(panel.name):
            size = f"0 0 {panel.width} {panel.height}"
            x, y = number(place.x + gap), number(place.y + gap)
            title = tag("title", panel.title)
            parts.append(tag("svg", title, Svg(panel.body), x=x, y=y, width=place.wide, height=place.tall, viewBox=size))
    colours = Svg(re.sub(r"\s+", " ", sheet(STYLE + style, theme)))
    wide, tall = number(composition.wide + 2 * gap), number(composition.tall + 2 * gap)
    room = tag("rect", width=wide, height=tall, fill=THEMES[theme]["velvet"])
    size = f"0 0 {wide} {tall}"
    return tag(
        "svg", tag("style", colours), room, *parts, xmlns="http://www.w3.org/2000/svg", viewBox=size, width=wide, height=tall
    )
