"""Signs, each around its origin."""

from __future__ import annotations

from typing import Final

from ridotto.games.fantome.ui.words import Words
from ridotto.present.narrator import mark
from ridotto.present.scene import Item
from ridotto.present.svg import Svg

MASK: Final = Svg(
    '<path class="sign" fill-rule="evenodd" d="M-13-6Q-6-10 0-6Q6-10 13-6Q14 5 7 8Q2 9 0 3Q-2 9-7 8Q-14 5-13-6Z'
    'M-9-1Q-6-5-3-1Q-6 2-9-1ZM3-1Q6-5 9-1Q6 2 3-1Z"/>'
)
EYE: Final = Svg('<path class="eyed" d="M-13 0Q0-13 13 0Q0 13-13 0Z"/><circle class="pupil" r="4.5"/>')
GLASS: Final = Svg('<circle class="ring" cx="-3" cy="-3" r="8"/><path class="handle" d="M3.5 3.5L10 10"/>')
PADLOCK: Final = Svg(
    '<path class="shackle" d="M-8-2V-9A8 8 0 0 1 8-9V-2"/><rect class="iron" x="-13" y="-3" width="26" height="21" rx="4"/>'
    '<circle class="hole" cy="5" r="3.2"/><path class="hole" d="M-1.6 6h3.2l1 7h-5.2Z"/>'
)
SNUFFED: Final = Svg('<path class="eyed" d="M-9-4A9 9 0 1 1 9-4Q9 1 5 4V8H-5V4Q-9 1-9-4ZM-4 12H4M-14 12L14-16"/>')


def _coin(arrows: str) -> Svg:
    """A coin with arrows on it, which is seen where it can be clicked."""
    return Svg(f'<circle class="halo" r="17"/><circle class="coin" r="15"/><path class="arrows" d="{arrows}"/>')


SWAP: Final = _coin("M-8-4H7M3-8L8-4L3 0M8 5H-7M-3 1L-8 5L-3 9")
STAY: Final = _coin("M0-9V5M-5 0L0 5L5 0M-8 9H8")
SNUFF: Final = _coin("M-5-3A5 5 0 1 1 5-3Q5 0 3 2V5H-3V2Q-5 0-5-3ZM-2 8H2M-9 8L9-10")
WALK: Final = _coin("M-9 0H8M2-6L8 0L2 6")

SIGNS: Final = ((EYE, mark("cannot manifest")), (MASK, mark("can manifest")))
"""The sign and the name of each of the phantom's answers."""


def answer_sign(words: Words, can: int, key: str, parent: str, x: float, y: float) -> Item:
    """The sign of an answer, with its name as a title."""
    look, name = SIGNS[can]
    return Item(key, parent, look, x, y, title=words.say(name))
