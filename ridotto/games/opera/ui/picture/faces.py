"""Faces: the composers on the fame ladder and the roles on their cards, drawn with a few strokes."""

from __future__ import annotations

from typing import Final

from ridotto.present.kit import drawing, path
from ridotto.present.svg import Svg, group, tag

HEAD: Final = "M-7.5-6A7.5 9.5 0 1 0 7.5-6A7.5 9.5 0 1 0-7.5-6Z"
BUST: Final = "M-16 14.4C-14 9-8 7-3.5 6V1H3.5V6C8 7 14 9 16 14.4A20 24 0 0 1-16 14.4Z"
ROUND_BUST: Final = "M-15 12C-13 9-8 7-3.5 6V1H3.5V6C8 7 13 9 15 12A22 22 0 0 1-15 12Z"
LOOK: Final = "M-4-7.4h2.4M1.6-7.4h2.4M.2-6.4l-1.2 3.2h1.8M-2.2-.6q2.2 1.6 4.4 0"
"""Eyes, nose and mouth."""
WILD: Final = "M-9-2C-16-10-9-21 0-18C9-21 16-10 9-2C9-8 5-12 0-12C-5-12-9-8-9-2Z"
BEARD: Final = "M-7.4-4C-7.5 6-3 9 0 9C3 9 7.5 6 7.4-4C4 1-4 1-7.4-4Z"
HAT: Final = "M-12-10H12V-11.5H7.5V-21H-7.5V-11.5H-12Z"

ROLES: Final = (
    (("M-5.5-2Q-2.5-4.5 0-2Q2.5-4.5 5.5-2Q2.5 0 0-1.4Q-2.5 0-5.5-2Z", "hair"),),  # a moustache below the hat
    (("M-8.2-3C-11-18 11-18 8.2-3L7-7C6-11 4-12 0-12C-4-12-6-11-7-7Z", "hair"),),  # combed, with sideburns
    (("M-8.6 2C-14-18 14-18 8.6 2C9-7 5-12 0-12C-5-12-9-7-8.6 2ZM-4.5-14.5A4.5 5 0 1 1 4.5-14.5Z", "hair"),),  # with a bun
    ((WILD, "hair"),),
    (("M-4 0C-3 4-1.5 8 0 10C1.5 8 3 4 4 0C2 2-2 2-4 0ZM-7.6-3Q-11-7-7.6-11ZM7.6-3Q11-7 7.6-11Z", "hair"),),  # a goatee
    (("M-7.5-8C-8-18 8-18 7.5-8C5-13-5-13-7.5-8Z" + BEARD, "hair gray"),),
)
"""The hair and the beard of each role."""
COMPOSERS: Final = (
    (
        ("M-11 8Q-6 4 0 7Q6 4 11 8Q6 12 0 10Q-6 12-11 8Z", "features"),  # a ruff
        ("M-7.6-7C-8-16 8-16 7.6-7C5-12-5-12-7.6-7ZM-3.5 .5C-3 4-1 8 0 9C1 8 3 4 3.5 .5C1.5 2-1.5 2-3.5 .5Z", "hair"),
    ),
    (("M-12 10C-16-4-11-18 0-18C11-18 16-4 12 10C10 4 9-2 8-6C6-11 4-12 0-12C-4-12-6-11-8-6C-9-2-10 4-12 10Z", "hair gray"),),
    ((WILD, "hair"), ("M-5 5L0 9L5 5L3 11H-3Z", "features")),  # a cravat
    (("M-8-3C-11-18 11-18 8-3C8-9 5-12 0-12C-5-12-8-9-8-3ZM-8-4a3.2 3 0 1 0-1 5ZM8-4a3.2 3 0 1 1 1 5Z", "hair gray"),),
    (
        ("M-12-9C-11-20 8-22 13-12C9-8-6-7-12-9Z", "hair"),  # a beret
        ("M-7.5-5C-8 4-4 8 0 8C4 8 8 4 7.5-5C6 0 4 4 0 4C-4 4-6 0-7.5-5Z", "hair"),
    ),
    ((BEARD, "hair gray"), (HAT, "hair")),
)
"""A mark of each composer: a ruff, a large wig, wild hair, a wig with curls, a beret, a hat and a full beard."""


def _face(marks: tuple[tuple[str, str], ...], bust: str) -> list[str]:
    return [path(bust, "robe"), path(HEAD, "features"), *(path(d, cls) for d, cls in marks), path(LOOK, "strokes")]


def role_face(role: int) -> str:
    """The face of a role, about 40 wide and 48 high."""
    return group(_face(ROLES[role], BUST))


@drawing
def composer_face(composer: int, size: float) -> str:
    """A composer in a round frame of their colour."""
    half = size / 2
    face = tag("g", *_face(COMPOSERS[composer], ROUND_BUST), transform=f"translate(0 {half * 0.16:.2f}) scale({size / 46:.3f})")
    disc = tag("circle", cls=f"composer{composer}", r=half - 1)
    return group([disc, Svg(face), tag("circle", cls="rim", r=half - 1)])
