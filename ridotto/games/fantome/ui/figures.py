"""The figures of the rulebook of Le Fantôme: moving, secret passages, a manifestation."""

from __future__ import annotations

from typing import Final

from ridotto.present.figures import Figure, Part
from ridotto.present.lesson import Start

MOVING: Final = Start(
    seed=1,
    seats=2,
    fields={
        "place": {
            "giry": "3",
            "richard": "1",
            "moncharmin": "1",
            "christine": "7",
            "meg": "9",
            "buquet": "8",
            "raoul": "4",
            "persan": "4",
        },
        "dark": "8",
        "padlock": "0-1",
        "offered": ["meg", "buquet", "christine", "moncharmin"],
        "pile": ["raoul", "giry", "richard", "persan"],
        "identity": "christine",
    },
    played=("pick moncharmin",),
)
"""The example of §4.1, with Moncharmin's card chosen."""

PASSAGES: Final = Start(
    seed=1,
    seats=2,
    fields={
        "place": {
            "meg": "1",
            "giry": "3",
            "christine": "7",
            "buquet": "8",
            "raoul": "4",
            "persan": "0",
            "moncharmin": "9",
            "richard": "2",
        },
        "dark": "8",
        "padlock": "0-1",
        "offered": ["meg", "buquet", "christine", "moncharmin"],
        "pile": ["raoul", "giry", "richard", "persan"],
        "identity": "christine",
    },
    played=("pick meg",),
)
"""The example of §5.2, with Meg's card chosen."""

MANIFESTATION: Final = Start(
    seed=1,
    seats=2,
    fields={
        "round": 1,
        "played": 3,
        "carlotta": 8,
        "place": {
            "christine": "9",
            "raoul": "9",
            "richard": "8",
            "giry": "8",
            "meg": "7",
            "buquet": "6",
            "persan": "6",
            "moncharmin": "5",
        },
        "dark": "8",
        "padlock": "0-1",
        "offered": ["meg"],
        "pile": ["raoul", "giry", "richard", "persan"],
        "identity": "christine",
    },
)
"""The example of §6.2."""

FIGURES: Final = {
    "movement": Figure((Part(MOVING, "house", shown_to=0),)),
    "passages": Figure((Part(PASSAGES, "house", shown_to=0),)),
    "manifestation": Figure((Part(MANIFESTATION, "house"), Part(MANIFESTATION, "deduction"))),
}
