"""People as figures: a shape, two letters and a colour each."""

from __future__ import annotations

from typing import Final, NamedTuple

from ridotto.games.fantome import rules
from ridotto.games.fantome.ui.picture.signs import MASK
from ridotto.games.fantome.ui.sketch import TOKENS
from ridotto.games.fantome.ui.words import Words
from ridotto.present.kit import drawing, path
from ridotto.present.narrator import opening
from ridotto.present.scene import Item
from ridotto.present.svg import Svg, group, write

NAMES: Final = rules.CHARACTER.names


class Body(NamedTuple):
    """The shape of a character: a robe below, a head and what is on it, and the class of the letters on its colour."""

    robe: str
    head: str
    letters: str


MAN: Final = "M-18 0L-16-30Q-15-40 0-41Q15-40 16-30L18 0Z"
STOUT: Final = "M-15 0Q-23-16-17-30Q-13-40 0-41Q13-40 17-30Q23-16 15 0Z"
GOWN: Final = "M-20 0Q-15-20-9-27Q-14-34-9-39Q0-43 9-39Q14-34 9-27Q15-20 20 0Z"
TUTU: Final = "M-7 0L-8-5L-20-6Q-21-18-9-27Q-12-34-8-39Q0-42 8-39Q12-34 9-27Q21-18 20-6L8-5L7 0Z"
SHAWL: Final = "M-19 0L-18-16L-13-20Q-17-28-13-36Q-8-41 0-42Q8-41 13-36Q17-28 13-20L18-16L19 0Z"
ROBE: Final = "M-20 0L-13-34Q-8-41 0-41Q8-41 13-34L20 0Z"
FACE: Final = "M-9-50A9 9 0 1 1 9-50A9 9 0 1 1-9-50Z"

BODIES: Final = (
    Body(MAN, FACE + "M-9-51Q-10-62 2-61Q10-60 9-51Q3-56-9-51ZM-8-41L0-37L8-41L8-34L0-37L-8-34Z", "ondark"),
    Body(TUTU, FACE + "M-5-62A5 5 0 1 1 5-62A5 5 0 1 1-5-62Z", "onlight"),
    Body(SHAWL, FACE + "M-13-54Q-12-58-8-58Q-8-66 1-66Q9-66 9-58Q13-58 13-54ZM6-65Q12-73 18-69Q14-63 8-62Z", "ondark"),
    Body(MAN, FACE + "M-10-53Q-10-61 0-61Q9-61 9-56L16-54Q15-51 9-52Z", "onlight"),
    Body(GOWN, "M-13-36Q-17-54-9-60Q0-66 9-60Q17-54 13-36Q0-42-13-36Z" + FACE + "M-8-54Q-2-55 0-59Q2-55 8-54", "ondark"),
    Body(STOUT, FACE + "M-13-55H13V-58H8V-71H-8V-58H-13Z", "onlight"),
    Body(MAN, FACE + "M-9-50Q-14-50-13-43Q-9-42-8-46ZM9-50Q14-50 13-43Q9-42 8-46ZM21 0V-36Q21-40 18-40Q15-40 15-37", "ondark"),
    Body(ROBE, FACE + "M-8-55L-10-67Q0-70 10-67L8-55Q0-57-8-55ZM-7-46Q0-43 7-46Q6-38 0-35Q-6-38-7-46Z", "ondark"),
)
"""A viscount with a bow tie, a dancer with a bun, a keeper of boxes in a plumed bonnet, a stagehand in a cap, a singer
with long hair, a stout manager in a top hat, a bald one with a stick, and the Persian with his lambskin hat and beard."""


@drawing
def figure(who: int, mask: bool = False) -> str:
    """A character about 40 wide and 70 high, standing on its origin; pale with a tick in an item that is cleared."""
    body, colour = BODIES[who], f"pawn {NAMES[who]}"
    parts = [
        path(body.robe + body.head, "veil"),
        path(body.robe, colour),
        path(body.head, colour),
        write(TOKENS[who], 0, -6, 25, cls=body.letters, within=34),
        Svg('<g class="tick"><circle cx="15" cy="-38" r="9"/><path class="check" d="M11-38L14-34L20-42"/></g>'),
    ]
    if mask:
        parts.append(group([MASK], at=(0, -50)))
    return "".join(parts)


@drawing
def pawn(who: int, mask: bool) -> str:
    """A character on the board, with a spotlight for when it is active, and a halo for when it is eligible."""
    return "".join(
        [
            '<rect class="halo aim" x="-20" y="-73" width="40" height="75" rx="9"/>',
            '<ellipse class="spot cue" cy="-2" rx="25" ry="8"/>',
            figure(who, mask),
            '<path class="point cue" d="M-8-88H8L0-77Z"/>',
        ]
    )


@drawing
def titles(words: Words) -> list[str]:
    """The characters' names, each as a title."""
    return [opening(words.who(who)) for who in range(rules.PEOPLE)]


def person(words: Words, who: int, parent: str, group: str, x: float, y: float, scale: float, is_cleared: bool) -> Item:
    """A figure in a panel or an item, one of a group, with its feet at x, y."""
    cls = "cleared" if is_cleared else ""
    return Item(f"{group}-{NAMES[who]}", parent, figure(who), x, y, scale, cls, titles(words)[who])
