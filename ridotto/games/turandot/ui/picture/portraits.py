"""The portraits of singers, in a field 100 wide and 66 high.

They are drawn after the traits on the card, so that the singers of another box have faces, too: the costume and the colour
behind it tell the category, the light around the head the stars.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from ridotto.games.turandot.components import CATEGORY, SEX, STARS
from ridotto.games.turandot.rules import FEMALE, UNDETERMINED
from ridotto.games.turandot.ui.picture.signs import emblem
from ridotto.present.kit import circle, drawing, path, rect
from ridotto.present.svg import group, tag

WOMEN_HAIR: Final = (
    ("M33 52Q28 9 50 8Q72 9 67 52Q60 56 50 54Q40 56 33 52Z", "M38 25Q39 12 50 12Q61 12 62 25Q56 16 47 17Q42 18 38 25Z"),
    ("M43 8a7 7 0 1 1 14 0a7 7 0 1 1 -14 0Z", "M37.5 28Q35 10 50 10Q65 10 62.5 28Q60 17 50 16.5Q40 17 37.5 28Z"),
    (
        "M35 44a7 7 0 0 1 -2 -12a7 7 0 0 1 3 -12a8 8 0 0 1 9 -10a8 8 0 0 1 11 0a8 8 0 0 1 9 10a7 7 0 0 1 3 12a7 7 0 0 1 -2 12Z",
        "M38.5 24Q41 13 50 13Q59 13 61.5 24Q50 18 38.5 24Z",
    ),
)
MEN_HAIR: Final = (
    "M37.5 25Q35 9 50 9Q65 9 62.5 25Q61 18 56 16Q46 19 40 17Q38 20 37.5 25Z",
    "M37.5 25Q35 8 52 9Q66 10 62.5 25Q60 15 44 17Q39 19 37.5 25Z"
    "M42 32.4Q46 29.6 50 31.4Q54 29.6 58 32.4Q54 34 50 32.8Q46 34 42 32.4Z",
    "M37.5 25Q36 10 50 10Q64 10 62.5 25Q58 16.5 50 16.5Q42 16.5 37.5 25Z"
    "M37.6 27Q38 47 50 47Q62 47 62.4 27Q60 33 50 31.4Q40 33 37.6 27Z",
    "M37.4 30Q33 22 38 19Q38 24 37.4 30ZM62.6 30Q67 22 62 19Q62 24 62.6 30Z"
    "M41 32.6Q46 30 50 31.6Q54 30 59 32.6Q60 29.4 61 30Q58 35 50 33Q42 35 39 30Q40 29.4 41 32.6Z",
)
OTHER_HAIR: Final = (
    "M50 11Q65 11 63.5 28Q60 33 50 31Z",
    "M36 34Q30 10 50 8Q70 10 64 34Q63 18 50 15Q37 18 36 34Z",
)


@drawing
def portrait(number: int, half: float = 50) -> str:
    """A singer at the top of a note, in a field that reaches so far to either side of the middle."""
    category, sex, stars = CATEGORY[number], SEX[number], STARS[number]
    which = sum(CATEGORY[other] == category for other in range(number))
    parts = [rect(50 - half, 0, 2 * half, 66, f"cat{category}", 5)]
    if stars == 3:
        parts.append(path(_rays(half), "ray"))
    if stars >= 2:
        parts.append(circle(50, 27, 25, "ray"))
    parts += _costume(category, sex)
    hair = WOMEN_HAIR[which % 3] if sex == FEMALE else ("", "")
    if hair[0]:
        parts.append(path(hair[0], "night"))
    if category == 5 and sex != FEMALE:
        parts.append(path("M30 52Q26 6 50 4Q74 6 70 52Q66 40 62 34Q60 14 50 13Q40 14 38 34Q34 40 30 52Z", "night"))
    parts += [
        rect(45.5, 36, 9, 12, "ivory", 3),
        tag("ellipse", cx=50, cy=26.5, rx=12, ry=14.5, cls="ivory"),
        path("M42.5 25.5q2.6 2.2 5.2 0M52.3 25.5q2.6 2.2 5.2 0", "nightline"),
        tag("ellipse", cx=50, cy=35, rx=2.7, ry=3.6, cls="night"),
    ]
    if sex == FEMALE:
        parts.append(path(hair[1], "night"))
    elif sex == UNDETERMINED:
        parts.append(path(OTHER_HAIR[which % 2], "gleam" if which % 2 == 0 else "night"))
    else:
        parts.append(path(MEN_HAIR[which % 4], "night"))
    parts += _headgear(category, which)
    return group(parts)


def _rays(half: float) -> str:
    """Beams from behind the head to the edge of the field."""
    rays = []
    for i in range(11):
        angle = -pi / 2 + pi * i / 10
        corners = []
        for side in (angle - 0.075, angle + 0.075):
            reach = min(half / max(abs(sin(side)), 1e-6), (27 if cos(side) > 0 else 39) / max(abs(cos(side)), 1e-6))
            corners.append(f"{50 + reach * sin(side):.1f} {27 - reach * cos(side):.1f}")
        rays.append(f"M50 27L{corners[0]}L{corners[1]}Z")
    return "".join(rays)


def _costume(category: int, sex: int) -> list[str]:
    """What tells a category at a glance: tails, a scarf, a toga, a studded jacket, a ruff, a high collar."""
    body = path("M14 66Q17 49 40 46H60Q83 49 86 66Z", "night" if category in (0, 3) else "robe")
    if category == 0:
        if sex == FEMALE:
            pearls = [circle(50 + 9 * sin(a / 4), 46 + 6 * cos(a / 4), 1.7, "ivory") for a in range(-6, 7)]
            return [body, *pearls]
        return [body, path("M41 46L50 64L59 46Z", "ivory"), emblem(0, 50, 50, 0.7, "night")]
    if category == 1:
        scarf = path("M36 45Q50 39 64 45L63 52Q50 57 37 52ZM55 53L66 64L58 66L51 54Z", "gleam")
        return [body, scarf]
    if category == 2:
        return [
            body,
            path("M26 66Q30 50 42 46Q58 56 80 56L84 66Z", "ivory"),
            circle(41, 48, 3, "gleam"),
        ]
    if category == 3:
        studs = [circle(22 + 6 * i, 60 - 3 * min(i, 9 - i), 1.6, "gleam") for i in (0, 1, 2, 7, 8, 9)]
        return [body, path("M40 46L50 58L60 46L66 50L50 66L34 50Z", "robe"), *studs]
    if category == 4:
        ruff = [circle(32 + 6 * i, 48 + abs(i - 3) * 0.6, 5, "ivory") for i in range(7)]
        return [body, *ruff, circle(50, 61, 2.6, "gleam")]
    return [
        path("M20 66L31 34L44 48H56L69 34L80 66Z", "night"),
        path("M31 34L44 48L47 66M69 34L56 48L53 66", "gleamline"),
    ]


def _headgear(category: int, which: int) -> list[str]:
    if category == 1 and which % 2:
        return [
            path("M34 16Q34 3 52 3Q68 4 67 14Q50 8 34 16Z", "gleam"),
            circle(51, 3, 2.2, "gleam"),
        ]
    if category == 2:
        leaves = [(side, *leaf) for side in (-1, 1) for leaf in ((13, 21, -70), (11.5, 15.5, -50), (7, 11, -28))]
        turned = [f"translate({50 + side * right} {y}) rotate({side * turn})" for side, right, y, turn in leaves]
        return [tag("ellipse", cx=0, cy=0, rx=5, ry=2.2, cls="gleam", transform=one) for one in turned]
    if category == 3:
        return [path("M42 14L41 3L46 8L48 -0L51 7L55 0L56 8L61 3L58 14Q50 9 42 14Z", "gleam")]
    if category == 4 and which % 2 == 0:
        return [path("M39 14Q50 6 61 14L53 1Z", "gleam"), circle(53, 2.4, 2.4, "ivory")]
    return []
