"""What every panel has: a heading and a frame; and the curtain."""

from __future__ import annotations

from typing import Final

from ridotto.games.turandot.ui.picture.signs import stroke
from ridotto.present import kit
from ridotto.present.kit import EDGE, INNER, WIDE, drawing, path
from ridotto.present.scene import Item
from ridotto.present.svg import group, measure, tag, write


@drawing
def frame(panel: str, tall: float) -> Item:
    """The edge of a panel whose height changes."""
    return Item(f"{panel}-frame", panel, kit.frame(tall))


@drawing
def heading(text: str, note: str = "") -> str:
    """The title of a panel, and a quiet word on the right."""
    parts = [write(text, EDGE + 2, 23, 18, cls="title", anchor="start", within=INNER)]
    if note:
        free = INNER - measure(text, 18, "serif") - 12
        parts.append(write(note, WIDE - EDGE - 2, 23, 15.6, cls="quiet", anchor="end", within=free))
    return group([*parts, stroke(EDGE, 31, WIDE - EDGE, 31)])


def _curtain(wide: int, swags: int = 6) -> str:
    """The valance over the stage."""
    each = wide / swags
    edge = "".join(f"q{each / 2:g} 22 {each:g} 0" for _ in range(swags))
    hem = "".join(f"q{-each / 2:g} 22 {-each:g} 0" for _ in range(swags))
    seams = [each * seam for seam in range(1, swags)]
    folds = [
        path(f"M{x:g} 0q{right * 0.1:g} 14 {right * 0.28:g} 21q{-right * 0.05:g} -12 {-right * 0.04:g} -21Z", "fold")
        for right in (each, -each)
        for x in seams
    ]
    return group(
        [
            path(f"M0 12V10A10 10 0 0 1 10 0H{wide - 10}A10 10 0 0 1 {wide} 10V12{hem}Z", "drape"),
            *folds,
            path(f"M0 12{edge}", "fringe"),
            *(path(f"M{x - 4:g} 10h8l-1.4 12h-5.2Z", "gleam") for x in seams),
        ]
    )


CURTAIN: Final = _curtain(WIDE)


def drapes(tall: int) -> tuple[str, str]:
    """The curtain drawn aside on either side of a stage."""
    left = f"M0 10H22Q12 {tall * 0.5:g} 16 {tall * 0.68:g}Q8 {tall * 0.9:g} 18 {tall}H0Z"
    fold = f"M8 10Q2 {tall * 0.5:g} 8 {tall * 0.68:g}Q2 {tall * 0.9:g} 8 {tall}H4Q0 {tall * 0.6:g} 3 10Z"
    one = [path(left, "drape"), path(fold, "fold"), path(f"M-.5 {tall * 0.66:g}h18v7h-18Z", "gleam")]
    return group(one), tag("g", *one, transform=f"translate({WIDE} 0) scale(-1 1)")
