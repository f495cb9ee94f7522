"""The figures of the rulebook of Turandot: an audition with a clash, a casting."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ridotto.games.turandot.components import ROLES, SINGER_IDS
from ridotto.present.figures import Figure, Part
from ridotto.present.lesson import Start

NAMES: Final = ("Ada", "Bruno", "Clara", "Dario")
ADA, BRUNO, CLARA = "0", "1", "2"


def pile_without(gone: Iterable[str]) -> dict[str, str]:
    """The pile when some singers have come on."""
    seen = set(gone)
    return {singer: "no" if singer in seen else "yes" for singer in SINGER_IDS}


COME_ON: Final = ("grosjean", "zia", "isaure", "pirouette", "clairvent")
AUDITION: Final = Start(
    seed=1,
    seats=4,
    fields={
        "puccini": ADA,
        "owing": [ADA],
        "offer": {str(number): singer for number, singer in enumerate(COME_ON, 1)},
        "pile": pile_without(COME_ON),
    },
    played=("bid 4 0 bluff", "bid 1 1 plain", "money bluff", "bid 1 0 plain"),
)
"""The first round that the book follows, after the reveal (§4.5)."""

TROUPES: Final = {
    ADA: ("clairvent", "vauquelin", "regnaud", "sermaize", "malgrange", "lavoie"),
    BRUNO: ("vega", "opale", "courtadon", "aubrac", "cabriole", "malo"),
    CLARA: ("froufrou", "brandebourg", "grosjean", "rasko", "thoraval", "bouboule"),
}
UNHIRED: Final = ("zia", "isaure", "pirouette", "ginette", "lulu", "corvin")
CAST: Final = ("froufrou", "brandebourg", "grosjean", "rasko", "thoraval")
CASTING: Final = Start(
    seed=1,
    seats=3,
    fields={
        "round": 7,
        "asked": "cast",
        "owing": [ADA, BRUNO, CLARA],
        "offer": dict.fromkeys("1234"),
        "pile": pile_without((*TROUPES[ADA], *TROUPES[BRUNO], *TROUPES[CLARA], *UNHIRED)),
        "pool": [],
        "troupe": {seat: {str(i): one for i, one in enumerate(troupe, 1)} for seat, troupe in TROUPES.items()},
        "director": {ADA: "temple", BRUNO: "terrible", CLARA: "perfection"},
        "money": {CLARA: 2},
        "elements": {CLARA: 1},
    },
    played=tuple(f"2: cast {singer}" for singer in CAST),
)
"""The example of §8.5, when Clara has one role left to cast."""
assert len(CAST) == len(ROLES) - 1

SHOWN: Final = ("singers-1", "singers-2", "places", "troupes-1", "troupes-2", "troupes-3")
"""The panels of the first round."""

FIGURES: Final = {
    "clash": Figure(tuple(Part(AUDITION, name) for name in SHOWN), NAMES),
    "casting": Figure((Part(CASTING, "stage", shown_to=2), Part(CASTING, "bench", shown_to=2)), NAMES[:3]),
}
