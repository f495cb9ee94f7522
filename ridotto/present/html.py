"""HTML from Python: elements whose text is escaped unless it is markup already.

>>> el("p", "Verdi & ", el("b", "Puccini"), cls="duet")
'<p class="duet">Verdi &amp; <b>Puccini</b></p>'
>>> el("input", name="seat", checked=True, disabled=False)
'<input name="seat" checked>'
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import Final

from ridotto.engine.fields import Seat
from ridotto.present.svg import Svg, seat_mark, tag

VOID: Final = frozenset(("br", "hr", "img", "input", "link", "meta"))
"""Elements without content."""


class Html(str):
    """Text that is markup already, for templates too."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


MARKUP: Final = (Html, Svg)


def el(name: str, /, *inside: str, cls: str = "", **attributes: object) -> Html:
    """An element. None, False and "" attributes are left out (an empty `value` is not), True ones stand alone.

    Underscores at the end of a name fall away (`for_`), others become hyphens (`data_do`).
    """
    written = f' class="{_quoted(cls)}"' if cls else ""
    for key, value in attributes.items():
        if value is True:
            written += f" {_attribute(key)}"
        elif value is not None and value is not False and (value != "" or key in ("value", "alt")):
            written += f' {_attribute(key)}="{_quoted(str(value))}"'
    if name in VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{join(*inside)}</{name}>")


def join(*parts: str) -> Html:
    """Several parts one after another."""
    return Html("".join([part if isinstance(part, MARKUP) else _escaped(part) for part in parts]))


@lru_cache(1000)
def _attribute(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


# Most texts come again with every action.


@lru_cache(8192)
def _quoted(text: str) -> str:
    return escape(text)


@lru_cache(8192)
def _escaped(text: str) -> str:
    return escape(text, quote=False)


@lru_cache(1000)
def seat_badge(seat: Seat, letter: str = "") -> Html:
    """The mark of a seat as a small SVG, to stand beside a name."""
    return Html(tag("svg", seat_mark(seat, 12, 12, 18, letter), viewBox="0 0 24 24", cls="drawing badge"))
