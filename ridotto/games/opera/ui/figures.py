"""The figures of the rulebook of Opera: the budget table, playing along, fame."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ridotto.present.figures import Figure, Part
from ridotto.present.lesson import Start

RED, BLUE, YELLOW, GREEN = "0", "1", "2", "3"

BEFORE: Final = Start(
    seed=7,
    seats=4,
    fields={
        "round": 2,
        "order": {"1": YELLOW, "2": RED, "3": GREEN, "4": BLUE},
        "level": {YELLOW: 4, RED: 4, GREEN: 2, BLUE: 0},
    },
)
"""The example of §3.2, before the bids."""
BIDS: Final = replace(BEFORE, played=("0: bid 0", "1: bid 5", "2: bid 1", "3: bid 2"))

HIRING: Final = Start(
    seed=7,
    seats=4,
    fields={
        "round": 2,
        "order": {"1": RED, "2": GREEN, "3": BLUE, "4": YELLOW},
        "level": {RED: 9, GREEN: 6, BLUE: 5, YELLOW: 0},
    },
    played=("0: bid 0", "1: bid 0", "2: bid 0", "3: bid 0"),
)
"""The example of §4.3, before Red hires."""
ALONG: Final = replace(
    HIRING,
    played=(
        *HIRING.played,
        *("0: hire architetto", "0: build venezia wing", "0: stop"),
        *("3: build wien main", "3: build wien wing", "1: build berlin main", "1: stop"),
    ),
)

LADDER: Final = Start(
    seed=7,
    seats=3,
    fields={
        "round": 2,
        "fame": {"verdi": 6, "mozart": 5, "handel": 4, "wagner": 3, "beethoven": 2, "monteverdi": 1},
        "built": {RED: {"berlin": ["main"]}, BLUE: {"berlin": ["main"]}, YELLOW: {"wien": ["main"]}},
        "halls": {RED: {"berlin": 1}, BLUE: {"berlin": 1}, YELLOW: {"wien": 2}},
        "supply": {"berlin": {"main": 0}, "wien": {"main": 1}},
        "great": {
            RED: {"venezia": "mozart", "berlin": "monteverdi"},
            BLUE: {"venezia": "mozart", "berlin": "monteverdi"},
            YELLOW: {"venezia": "mozart", "wien": "monteverdi"},
        },
        "side": {YELLOW: {"wien": ["house"]}},
        "screen": {RED: {"house": 1}, BLUE: {"house": 1}},
        "deck": {"mozart": 9, "monteverdi": 10},
    },
)
"""The first example of §7.1."""
RISEN: Final = replace(LADDER, played=("0: bid 0", "1: bid 0", "2: bid 0"))

ROUND: Final = Start(
    seed=7,
    seats=3,
    fields={
        "round": 3,
        "order": {"1": YELLOW, "2": RED, "3": BLUE},
        "level": {YELLOW: 2, RED: 1, BLUE: 0},
        "ducats": {RED: 12, BLUE: 9, YELLOW: 14},
        "bank": 139,
        "points": {RED: 9, BLUE: 7, YELLOW: 6},
        "earned": {
            RED: {"building": 4, "signora": 5},
            BLUE: {"building": 4, "signora": 3},
            YELLOW: {"building": 2, "signora": 4},
        },
        "fame": {"wagner": 6, "mozart": 5, "verdi": 4, "handel": 3, "monteverdi": 2, "beethoven": 1},
        "century": {"1": "handel", "2": "monteverdi", "3": "beethoven"},
        "offer": {"monteverdi": 1, "handel": 2, "beethoven": 1, "mozart": 1, "wagner": 0, "verdi": 2},
        "palazzo": ["beethoven"],
        "discard": {"beethoven": 0, "mozart": 0},
        "deck": {"monteverdi": 11, "handel": 10, "beethoven": 10, "mozart": 12, "wagner": 13, "verdi": 11},
        "figure": {"maestro": "berlin"},
        "built": {
            RED: {"wien": ["main"]},
            BLUE: {"venezia": ["main", "wing"], "berlin": ["main"]},
            YELLOW: {"berlin": ["main"]},
        },
        "halls": {RED: {"wien": 2}, BLUE: {"venezia": 2, "berlin": 1}, YELLOW: {"berlin": 1}},
        "supply": {"venezia": {"wing": 1}, "wien": {"main": 1}, "berlin": {"main": 0}},
        "great": {
            RED: {"venezia": "handel", "wien": "mozart"},
            BLUE: {"venezia": "wagner", "berlin": "beethoven"},
            YELLOW: {"venezia": "house", "berlin": "monteverdi"},
        },
        "side": {RED: {"wien": ["house"]}, BLUE: {"venezia": ["house"]}},
        "screen": {RED: {"verdi": 1}},
    },
    played=(
        *("0: bid 5", "1: bid 5", "2: bid 6"),
        *("2: hire impresario", "2: buy mozart", "2: buy handel", "2: place mozart", "2: place handel"),
        *("0: buy verdi", "0: stop", "0: place handel", "0: place mozart", "0: place verdi", "1: decline"),
        *("1: hire architetto", "1: build wien main", "1: stop"),
        *("2: decline", "0: build venezia wing", "0: stop"),
        *("2: hire maestro", "2: move venezia"),
        *("0: hire signora", "0: sell verdi screen", "0: take ducats"),
        *("1: decline", "2: sell monteverdi screen", "2: take points"),
        *("1: hire critico", "1: move wien", "1: scorn mozart 2"),
    ),
)
"""The round that §12 follows from the bids to the count."""

FIGURES: Final = {
    "budget": Figure((Part(BEFORE, "budget"), Part(BIDS, "budget"))),
    "along": Figure((Part(HIRING, "budget"), Part(ALONG, "budget"))),
    "fame": Figure((Part(LADDER, "ladder"), Part(RISEN, "ladder"))),
}
