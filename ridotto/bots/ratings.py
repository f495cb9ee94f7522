"""How strong the levels were measured to be, for people to see. `ridotto certify` prints these lines; see docs/strength.md."""

from __future__ import annotations

from typing import Final

RATINGS: Final[dict[str, tuple[int, ...]]] = {
    "fantome": (747, 968, 1197, 1402, 1576),
    "opera": (306, 589, 885, 1224, 1548),
    "turandot": (694, 845, 968, 1104, 1249),
}
"""By game, of the levels 1 to 5 at two seats, in Elo points: the game's own bot at a glance has 1000."""
