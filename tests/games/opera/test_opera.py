"""Opera by its rulebook: the worked round, the small examples, every ruling, options, and whole matches at random."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, permutations, product
from pathlib import Path
from typing import Any

import numpy
import pytest
from rich.text import Text

from ridotto.arena.simulation import Contest
from ridotto.core.errors import BadPosition, BadSeries, IllegalAction
from ridotto.core.match import Match
from ridotto.engine import fields
from ridotto.engine.build import Build
from ridotto.engine.errors import BadBox
from ridotto.engine.fields import HIDDEN
from ridotto.games.opera import components, findings, game, rules
from ridotto.games.opera.inputs import arrangement
from ridotto.games.opera.rules import A, F
from ridotto.games.opera.ui.words import Words
from ridotto.present import views
from ridotto.present.ui import ui

WORDS = Words(ui(game).narrator())
COMPOSERS = components.COMPOSERS
CITIES = components.CITIES
COLOURS = {"red": 0, "blue": 1, "yellow": 2, "green": 3}
HALLS = {"venezia": (1, 1, 1), "wien": (2, 2), "berlin": (1, 2), "london": (2, 2), "paris": (3, 2), "milano": (3, 3)}
"""Halls of the main and the wings, as the facts have them."""
SUPPLY: dict[str, dict[int, tuple[int, ...]]] = {
    "venezia": {2: (2, 1, 1), 3: (3, 2, 2), 4: (4, 3, 3)},
    **{city: {2: (2, 1), 3: (2, 2), 4: (3, 3)} for city in ("wien", "berlin", "london", "paris")},
    "milano": {2: (2, 1), 3: (2, 2), 4: (2, 2)},
}
"""Copies of the main and the wings by the number of players."""
Houses = Mapping[str, Sequence[str | None]]
LADDER = ["monteverdi", "beethoven", "handel", "mozart", "wagner", "verdi"]
"""From the lowest step to the highest, as in the worked round."""
OPTIONS: list[dict[str, int]] = [{}, {"screens": 1, "seven_rounds": 1}, {"dutch_esperto": 1}, {"literal_rearranging": 1}]


# Tables drawn for a test.


def seat_at(
    level: int = 0,
    ducats: int = 20,
    points: int = 0,
    houses: Houses | None = None,
    screen: Sequence[str] = (),
) -> dict[str, Any]:
    """A player: each house is the list of its halls, the great hall first, with a piece or None in each."""
    elsewhere = any("house" in halls for halls in (houses or {}).values())
    return {
        "level": level,
        "ducats": ducats,
        "points": points,
        "houses": {"venezia": [None if elsewhere else "house"], **(houses or {})},
        "screen": screen,
    }


def drawn(
    *players: Mapping[str, Any],
    round: int = 1,
    counts: int = 0,
    order: Sequence[int] = (),
    ladder: Sequence[str] = LADDER,
    century: Sequence[str] = ("mozart", "monteverdi", "wagner"),
    offer: Sequence[str] = (),
    palazzo: Sequence[str] = (),
    figures: Mapping[str, str | None] | None = None,
    discard: Sequence[str] = (),
    bank: int | None = None,
    **fields: Any,
) -> dict[str, Any]:
    """A position before the bids of a round; what is not named lies in the deck, the supply and the bank."""
    n = len(players)
    row = [0] * rules.FIELDS.width
    shown = rules.FIELDS.to_json(row)
    levels = [player["level"] for player in players]
    table = list(order) or sorted(range(n), key=lambda seat: -levels[seat])
    left = dict.fromkeys(COMPOSERS, 14)

    def used(name: str | None) -> None:
        if name in left:
            left[name] -= 1

    for name in chain(century, offer, palazzo, discard):
        used(name)
    shown |= {
        "version": rules.VERSION,
        "seats": n,
        "round": round,
        "counts": counts,
        "asked": "bid",
        "turn": None,
        "role": None,
        "hirer": None,
        "order": {str(i + 1): str(table[i]) if i < n else None for i in range(4)},
        "fame": {name: 1 + list(ladder).index(name) for name in COMPOSERS},
        "century": dict(zip(("1", "2", "3"), century, strict=True)),
        "offer": {name: list(offer).count(name) for name in COMPOSERS},
        "discard": {name: list(discard).count(name) for name in COMPOSERS},
        "palazzo": [name for name in COMPOSERS if name in palazzo],
        "figure": {"maestro": None, "critico": None, "esperto": None} | dict(figures or {}),
        "first": -1,
        "sold": None,
        "city": None,
    }
    supply = {city: list(SUPPLY[city][n]) + [0] * (4 - len(HALLS[city])) for city in CITIES}
    for seat in range(4):
        name = str(seat)
        shown["bid"][name] = -1
        shown["great"][name] = dict.fromkeys(CITIES)
        if seat >= n:
            continue
        player = players[seat]
        for key in ("level", "ducats", "points"):
            shown[key][name] = player[key]
        shown["earned"][name]["great"] = player["points"]
        for city, halls in player["houses"].items():
            parts = next(k for k in range(1, 5) if sum(HALLS[city][:k]) == len(halls))
            for part in range(parts):
                supply[city][part] -= 1
            shown["built"][name][city] = list(components.PART_NAMES[:parts])
            shown["halls"][name][city] = len(halls)
            shown["great"][name][city] = halls[0]
            shown["side"][name][city] = [piece for piece in rules.PIECE.names if piece in halls[1:]]
            for piece in halls:
                used(piece)
        pieces = list(player["screen"])
        if not any("house" in halls for halls in player["houses"].values()):
            pieces.append("house")
        for piece in pieces:
            shown["screen"][name][piece] += 1
            used(piece)
    shown["supply"] = {city: dict(zip(components.PART_NAMES, supply[city], strict=True)) for city in CITIES}
    shown["deck"] = left
    shown["bank"] = 174 - sum(player["ducats"] for player in players)
    shown |= fields
    return shown


def at_table(*players: Mapping[str, Any], seed: int = 1, **fields: Any) -> Match:
    """A match that stands as drawn."""
    return Match(game, position=drawn(*players, **fields), seed=seed)


def bids(match: Match, *ducats: int) -> None:
    """Everybody bids, in the order of the seats."""
    for seat, amount in enumerate(ducats):
        match.play(f"bid {amount}", seat)


def play(match: Match, seat: int, *actions: str) -> None:
    """One seat's actions, each checked; "arrange …" hands in a whole arrangement."""
    for action in actions:
        if action.startswith("arrange "):
            for number in arrangement(match.masked(seat), seat, action):
                match.play(number, seat)
        else:
            match.play(action, seat)


def acting(*players: Mapping[str, Any], **fields: Any) -> Match:
    """A match in the action phase: everybody has bid nothing."""
    match = at_table(*players, **fields)
    bids(match, *[0] * len(players))
    return match


def former(match: Match) -> Match:
    """The same table by version 1 of the rules."""
    return Match(game, position=match.position() | {"version": 1})


def word(match: Match, name: str, *path: str | int) -> Any:
    """A field of the position."""
    value = match.position()[name]
    for key in path:
        value = value[str(key)]
    return value


def told(match: Match, since: int = 0) -> list[tuple[Any, ...]]:
    """The events since a ply, each as its name and its arguments."""
    return [
        (one.event.name, *(arg.kind.to_json(v) for arg, v in zip(one.event.args, one.values, strict=True)))
        for one in match.events
        if one.ply >= since
    ]


def table_order(match: Match) -> list[tuple[int, int]]:
    """The budget table: seats with their levels, from the first to the last."""
    return [(int(seat), word(match, "level", seat)) for seat in word(match, "order").values() if seat is not None]


def purses(match: Match) -> list[int]:
    return [word(match, "ducats", seat) for seat in range(match.seats)]


def scores(match: Match) -> list[int]:
    return [word(match, "points", seat) for seat in range(match.seats)]


def ladder(match: Match) -> list[str]:
    """The composers from the lowest step to the highest."""
    return sorted(COMPOSERS, key=lambda name: word(match, "fame", name))


def reason(match: Match, action: str, seat: int | None = None) -> tuple[str, str]:
    """Why an action is refused, with its §."""
    refusal = match.why(action, seat)
    assert refusal is not None
    return refusal.reason, refusal.section


# The worked round.


def test_worked_round() -> None:
    """Round 6 of the rulebooks' example (§3 to §8), position after position: red, blue and yellow."""
    red, blue, yellow = 0, 1, 2
    match = at_table(
        seat_at(
            6,
            12,
            40,
            {
                "venezia": ["monteverdi"],
                "berlin": ["monteverdi"],
                "london": ["handel", "house"],
                "wien": ["monteverdi", "wagner", None, None],
            },
        ),
        seat_at(
            4,
            8,
            39,
            {"venezia": ["monteverdi", "beethoven", "mozart"], "berlin": ["verdi"], "paris": ["house", None, None]},
        ),
        seat_at(
            0,
            12,
            43,
            {"venezia": ["wagner"], "wien": ["verdi", "beethoven"], "paris": ["beethoven", "house", None, None, None]},
        ),
        round=6,
        counts=1,
        palazzo=["wagner"],
        offer=["wagner", "wagner", "verdi", "verdi", "beethoven", "handel", "mozart"],
        figures={"maestro": "london", "critico": "wien", "esperto": "berlin"},
    )

    # The budget phase: yellow's bid arrives first, yet the markers move in the order of the table.
    play(match, yellow, "bid 10")
    play(match, blue, "bid 1")
    assert ([(0, 6), (1, 4), (2, 0)], [12, 8, 12]) == (table_order(match), purses(match))
    play(match, red, "bid 3")
    assert [("bids", "0", 3, 9), ("bids", "1", 1, 5), ("bids", "2", 10, 10)] == told(match, match.ply - 1)
    assert [(yellow, 10), (red, 9), (blue, 5)] == table_order(match)
    assert [9, 7, 2] == purses(match)

    # The Signora: yellow sells Verdi, red may not sell Wagner, blue sells Mozart and fills the Palazzo.
    play(match, yellow, "hire signora", "sell verdi wien", "take ducats")
    assert ([(red, 9), (yellow, 8), (blue, 5)], [9, 7, 14]) == (table_order(match), purses(match))
    assert ("at_palazzo", "5.3") == reason(match, "sell wagner wien", red)
    assert {"sell monteverdi venezia", "sell handel london"} < set(match.legal(red))
    play(match, red, "decline")
    play(match, blue, "sell mozart venezia", "take ducats")
    assert ([(red, 9), (yellow, 8), (blue, 4)], [9, 15, 14]) == (table_order(match), purses(match))
    assert ["mozart", "wagner", "verdi"] == word(match, "palazzo")

    # The Critico: red praises Monteverdi in Venezia; nobody plays along.
    play(match, red, "hire critico", "move venezia", "praise monteverdi 2")
    assert ["beethoven", "handel", "monteverdi", "mozart", "wagner", "verdi"] == ladder(match)
    assert ([(yellow, 8), (red, 6), (blue, 4)], (yellow,)) == (table_order(match), match.to_act)

    # The Impresario: all three buy and rearrange.
    play(match, yellow, "hire impresario", "buy wagner", "buy wagner")
    play(match, yellow, "arrange venezia wagner; wien wagner beethoven; paris wagner beethoven house")
    assert ([(red, 6), (yellow, 5), (blue, 4)], 4) == (table_order(match), purses(match)[yellow])
    play(match, red, "buy verdi", "buy beethoven")
    play(match, red, "arrange london beethoven house; wien monteverdi wagner handel verdi")
    assert ([(yellow, 5), (blue, 4), (red, 4)], 2) == (table_order(match), purses(match)[red])
    play(match, blue, "buy verdi", "buy handel", "arrange venezia monteverdi beethoven handel; berlin verdi; paris verdi house")
    assert ([(yellow, 5), (red, 4), (blue, 2)], [2, 7, 4]) == (table_order(match), purses(match))

    # The Maestro goes to Paris, the Esperto to Wien; yellow does not score there.
    play(match, yellow, "hire maestro", "move paris")
    assert [(red, 4), (yellow, 3), (blue, 2)] == table_order(match)
    ply = match.ply
    play(match, red, "hire esperto", "move wien")
    assert ("scores", "0", "wien", 16) in told(match, ply)
    assert ("gives", "0", "verdi", "1") in told(match, ply)
    assert ([56, 39, 43], (yellow,)) == (scores(match), match.to_act)
    assert {"score", "decline"} == set(match.legal(yellow))
    ply = match.ply
    play(match, yellow, "decline")
    assert [("abstains", "2"), ("spent", "2", 3)] == told(match, ply)

    # The Architetto: blue builds a wing in Paris, and everything else runs its course.
    ply = match.ply
    play(match, blue, "hire architetto")
    assert [(yellow, 3), (red, 0), (blue, 0)] == table_order(match)
    play(match, blue, "build paris wing", "stop")
    events = told(match, ply)
    assert ("builds", "1", "paris", "wing", 2) in events
    expected = [("earns", "0", 7, 10), ("earns", "1", 6, 9), ("doubles", "1", "paris", 3)]
    expected += [("earns", "2", 6, 9), ("doubles", "2", "paris", 5)]
    assert expected == [event for event in events if event[0] in ("earns", "doubles")]
    assert ("most", ["monteverdi", "beethoven", "wagner"], 4) in events
    assert [("bonus", "0"), ("bonus", "1")] == [event for event in events if event[0] == "bonus"]
    assert [("unsold", "mozart", 1)] == [event for event in events if event[0] == "unsold"]
    assert ("empties", ["mozart", "wagner", "verdi"]) in events
    assert ("counting", 2, "monteverdi") in events
    expected = [("counts", "0", 14, 70), ("celebrates", "0", 6, 76), ("forfeits", "0", 1, 75)]
    expected += [("counts", "1", 14, 57), ("celebrates", "1", 2, 59), ("forfeits", "1", 3, 56)]
    expected += [("counts", "2", 18, 61), ("forfeits", "2", 2, 59)]
    assert expected == [event for event in events if event[0] in ("counts", "celebrates", "forfeits")]
    assert ("reveals", "milano") in events

    assert ["handel", "beethoven", "mozart", "monteverdi", "verdi", "wagner"] == ladder(match)
    assert [75, 56, 59] == scores(match)
    assert [13, 16, 18] == purses(match)
    assert [(yellow, 3), (red, 0), (blue, 0)] == table_order(match)
    assert (1, []) == (word(match, "screen", blue, "verdi"), word(match, "palazzo"))
    assert (7, 2, 7, "bid") == (
        word(match, "round"),
        word(match, "counts"),
        sum(word(match, "offer").values()),
        word(match, "asked"),
    )


# The small examples of the rulebooks.


def test_example_of_bidding() -> None:
    """§3.2: green 5, blue 4, red 3, yellow 0 bid 4, 5, 7, 6: red 10, then green and blue on 9, yellow 6."""
    match = at_table(seat_at(3), seat_at(4), seat_at(0), seat_at(5))
    bids(match, 7, 5, 6, 4)
    assert [(0, 10), (3, 9), (1, 9), (2, 6)] == table_order(match)
    assert [13, 15, 14, 16] == purses(match)


def test_example_of_the_architetto() -> None:
    """§5.2: the main of Wien and a wing in Venezia cost 6 ducats and bring 6 points."""
    match = acting(seat_at(10), seat_at())
    play(match, 0, "hire architetto", "build venezia wing", "build wien main")
    assert (14, 6) == (purses(match)[0], scores(match)[0])
    assert (2, 2) == (word(match, "halls", 0, "venezia"), word(match, "halls", 0, "wien"))


def test_example_of_the_ladder() -> None:
    """§7.1: Mozart (5) and Verdi (4) rise past Wagner (6), who falls to 4."""
    house = {"venezia": ["house", "verdi", "mozart"]}
    match = at_table(
        seat_at(houses=house), seat_at(), ladder=["handel", "beethoven", "monteverdi", "verdi", "mozart", "wagner"]
    )
    bids(match, 0, 0)
    assert ["handel", "beethoven", "monteverdi", "wagner", "verdi", "mozart"] == ladder(match)


@pytest.mark.parametrize(("payment", "ducats", "points"), [("ducats", 30, 0), ("points", 20, 5)])
def test_example_of_the_signora(payment: str, ducats: int, points: int) -> None:
    """§5.3: Verdi with fame 5 brings 10 ducats or 5 points; Mozart is barred when he is there."""
    steps = ["handel", "beethoven", "monteverdi", "wagner", "verdi", "mozart"]
    match = acting(seat_at(10, screen=["verdi", "mozart"]), seat_at(), ladder=steps, palazzo=["mozart"])
    play(match, 0, "hire signora")
    assert ("at_palazzo", "5.3") == reason(match, "sell mozart screen")
    play(match, 0, "sell verdi screen", f"take {payment}")
    assert (ducats, points) == (purses(match)[0], scores(match)[0])
    assert ["mozart", "verdi"] == word(match, "palazzo")


def test_example_of_the_esperto() -> None:
    """§5.6: 5 + 6 + 3 + 2 = 16 points, and Verdi is given up."""
    steps = ["beethoven", "handel", "monteverdi", "mozart", "wagner", "verdi"]
    match = acting(
        seat_at(10, points=9, houses={"wien": ["wagner", "verdi", "monteverdi", "handel"]}),
        seat_at(points=5),
        ladder=steps,
    )
    play(match, 0, "hire esperto", "move wien")
    assert [25, 5] == scores(match)
    assert (["monteverdi", "handel"], 1) == (word(match, "side", 0, "wien"), word(match, "screen", 1, "verdi"))


def test_example_of_a_count() -> None:
    """§8.2: Mozart with fame 6 in his century brings 7, Wagner 4, two empty halls in Berlin cost 2: 9 points."""
    steps = ["handel", "beethoven", "monteverdi", "wagner", "verdi", "mozart"]
    houses: Houses = {"venezia": ["mozart"], "berlin": ["wagner", None, None]}
    # Verdi is performed most and stays below Mozart, who is performed as often: nobody moves.
    other = {"venezia": ["mozart", "verdi", "house"], "wien": ["verdi", "wagner"]}
    match = at_table(seat_at(houses=houses), seat_at(houses=other), round=3, ladder=steps)
    bids(match, 0, 0)
    assert (steps[3:], 9) == (ladder(match)[3:], scores(match)[0])
    parts = {"building": 0, "signora": 0, "esperto": 0, "great": 10, "century": 1, "empty": -2}
    assert parts == word(match, "earned", 0)


def test_example_of_income() -> None:
    """§6.1: a house piece and Verdi in one house bring 3 ducats."""
    match = at_table(seat_at(1, houses={"venezia": ["verdi", "house"]}), seat_at(1))
    bids(match, 0, 0)
    assert [23, 21] == purses(match)


# §2 Setting up.


@pytest.mark.parametrize(("seats", "offer", "cap", "parts", "halls"), [(2, 5, 2, 19, 37), (3, 7, 3, 27, 51), (4, 9, 3, 38, 70)])
def test_set_up(seats: int, offer: int, cap: int, parts: int, halls: int) -> None:
    """§2.1, §2.2, §2.3, §2.4, §2.6, §2.8, §2.9, §10.3: what lies on the table for each number of players."""
    for seed in range(40):
        match = Match(game, seats, seed=seed)
        at = match.position()
        assert offer == sum(at["offer"].values())
        assert cap >= max(at["offer"].values())
        assert 3 == len(set(at["century"].values()))
        assert list(range(1, 7)) == sorted(at["fame"].values())
        start = int(at["order"]["1"])
        assert [str((start + i) % seats) for i in range(seats)] == [at["order"][str(i + 1)] for i in range(seats)]
        assert [20 + i for i in range(seats)] == [at["ducats"][str((start + i) % seats)] for i in range(seats)]
        left = sum(n for city in at["supply"].values() for n in city.values())
        assert parts == left + sum(len(b) for s in at["built"].values() for b in s.values())
        assert all(at["great"][str(seat)]["venezia"] == "house" for seat in range(seats))
        assert {"maestro": None, "critico": None, "esperto": None} == at["figure"]
        assert [0] * 4 == list(at["points"].values())
        in_play = 84 - sum(at["lost"].values())
        assert in_play == sum(at["deck"].values()) + sum(at["discard"].values()) + offer + 3
    every = [HALLS[city][k] * n for city in CITIES for k, n in enumerate(SUPPLY[city][seats])]
    assert (halls, parts) == (sum(every), sum(n for city in CITIES for n in SUPPLY[city][seats]))


def test_start_player_is_drawn_by_lot() -> None:
    """§2.7: every seat starts in about a third of the matches for three."""
    starts = [int(Match(game, 3, seed=seed).position()["order"]["1"]) for seed in range(150)]
    assert {0, 1, 2} == set(starts)
    assert 25 < min(starts.count(seat) for seat in range(3))


def test_century_repeats_are_discarded() -> None:
    """§2.5: a Composer of the Century drawn twice goes to the discard pile, and another is drawn."""
    for seed in range(60):
        match = Match(game, 2, seed=seed)
        events = told(match)
        again = [event[1] for event in events if event[0] == "repeats"]
        aside = {event[1]: event[3] for event in events if event[0] == "lays_out"}
        assert {c: again.count(c) + aside.get(c, 0) for c in COMPOSERS} == word(match, "discard")
        if again:
            assert set(again) < set(word(match, "century").values())
            return
    pytest.fail("no repeat in sixty deals")


# §3 The budget phase.


def test_bids_have_bounds() -> None:
    """§3.1: nobody bids more than they have, nor above level 10; nothing is a bid."""
    match = at_table(seat_at(3), seat_at(0, 4))
    assert [f"bid {n}" for n in range(8)] == list(match.legal(0))
    assert [f"bid {n}" for n in range(5)] == list(match.legal(1))
    assert ("too_high", "3.1") == reason(match, "bid 8", 0)
    assert ("too_much", "3.1") == reason(match, "bid 5", 1)


def test_a_bid_tells_nothing_until_all_are_in() -> None:
    """§3.1: a bid changes nothing that others see, except that it was made."""
    seen = []
    for bid in ("bid 0", "bid 9"):
        match = at_table(seat_at(), seat_at(), seat_at())
        match.play(bid, 1)
        assert [] == told(match, 1)
        seen.append(
            (
                views.as_json(match.view(0), ui(match.game).english),
                views.as_json(match.view(2), ui(match.game).english),
                views.as_json(match.view(None), ui(match.game).english),
            )
        )
        assert (["1"], (0, 2)) == (word(match, "has_bid"), match.to_act)
        assert ("wait", "4.1") == reason(match, "bid 1", 1)
    assert seen[0] == seen[1]


def test_order_of_arrival_leaves_no_trace() -> None:
    """§3.1: bids in any order give the same row, and the same events with the last of them."""
    amounts = [4, 4, 7, 0]
    seen = set()
    for arrival in permutations(range(4)):
        match = at_table(seat_at(3), seat_at(3), seat_at(), seat_at(), order=[1, 0, 2, 3])
        for seat in arrival:
            match.play(f"bid {amounts[seat]}", seat)
        seen.add((tuple(match.row), tuple(map(str, told(match)))))
    assert 1 == len(seen)


@pytest.mark.parametrize(
    ("order", "levels", "amounts", "expected"),
    [
        # A marker that leaves upwards lets its neighbour, who bids nothing, close up before a newcomer arrives.
        ([0, 1, 2], [3, 3, 0], [2, 0, 3], [(0, 5), (1, 3), (2, 3)]),
        # Of two that go to one level the one that stood first arrives first.
        ([2, 1, 0], [0, 0, 0], [5, 5, 5], [(2, 5), (1, 5), (0, 5)]),
        # A bid of nothing keeps its place before those that arrive.
        ([0, 1, 2], [5, 3, 2], [0, 2, 3], [(0, 5), (1, 5), (2, 5)]),
    ],
)
def test_budget_table_keeps_its_order(
    order: list[int], levels: list[int], amounts: list[int], expected: list[tuple[int, int]]
) -> None:
    """§3.2: a level is a list without gaps, and arriving markers go to its right end."""
    match = at_table(*(seat_at(level) for level in levels), order=order)
    bids(match, *amounts)
    assert expected == table_order(match)


# §4 The action phase.


def test_a_marker_going_down_stands_to_the_right() -> None:
    """§4.2: the fee moves the marker down, to the right of those already on that level."""
    match = acting(seat_at(9), seat_at(7), seat_at(7))
    play(match, 0, "hire maestro", "move wien")
    assert ([(1, 7), (2, 7), (0, 7)], (1,)) == (table_order(match), match.to_act)


def test_a_role_is_hired_once_and_must_be_paid() -> None:
    """§4.2: a role card is gone for the round, and a marker too low cannot pay the fee."""
    match = acting(seat_at(5), seat_at(0))
    play(match, 0, "hire maestro", "move wien")
    assert ("role_taken", "4.2") == reason(match, "hire maestro")
    assert ("no_budget", "4.2") == reason(match, "hire esperto")
    assert {"hire impresario", "hire architetto", "hire critico", "end"} == set(match.legal())


def test_three_roles_then_the_performance_ends() -> None:
    """§4.5: with three roles hired, whoever gets the initiative must end; until then they play along."""
    match = acting(seat_at(10), seat_at(3), seat_at(4))
    play(match, 0, "hire maestro", "move wien", "hire critico", "move berlin", "hire architetto", "build wien main", "stop")
    assert ((2,), 3) == (match.to_act, word(match, "hired", 0))
    play(match, 2, "decline")
    play(match, 1, "decline")
    assert ((2,), []) == (match.to_act, word(match, "passed"))
    # Red stands on level 3, has hired three roles, and may still join yellow's Impresario.
    play(match, 2, "hire impresario", "keep")
    assert [(1, 3), (0, 3), (2, 1)] == table_order(match)
    play(match, 1, "decline")
    assert (0,) == match.to_act
    ply = match.ply
    play(match, 0, "decline")
    play(match, 1, "end")
    assert ("spent", "0", 3) in told(match, ply)


def test_ending_is_final_for_the_round() -> None:
    """§4.5: a pass disc also ends playing along, and comes off at the end of the round."""
    match = acting(seat_at(9), seat_at(8))
    play(match, 0, "end")
    play(match, 1, "hire impresario", "keep")
    assert ((1,), ["0"]) == (match.to_act, word(match, "passed"))
    ply = match.ply
    play(match, 1, "end")
    assert [("ends", "1"), ("closes", "all_ended")] == told(match, ply)[:2]
    assert ([], [(0, 9), (1, 5)]) == (word(match, "passed"), table_order(match))


def test_phase_ends_when_nobody_can_pay() -> None:
    """§4.6: with the highest marker too low for any role left, nobody gets a disc and the phase is over."""
    match = at_table(seat_at(1), seat_at(1))
    ply = match.ply
    bids(match, 0, 0)
    events = told(match, ply)
    assert ("closes", "too_low") in events
    assert not {"ends", "spent", "forced"} & {event[0] for event in events}
    assert 2 == word(match, "round")


def test_phase_ends_when_all_roles_are_taken() -> None:
    """§4.6: after the sixth role the action phase is over, whatever budget is left."""
    match = acting(seat_at(10, screen=["verdi"]), seat_at(10), seat_at(0))
    play(match, 0, "hire maestro", "move wien")
    play(match, 1, "hire critico", "move paris")
    play(match, 0, "hire signora", "sell verdi screen", "take points")
    play(match, 1, "decline")
    play(match, 1, "hire architetto", "build wien main", "stop")
    play(match, 0, "decline")
    play(match, 0, "hire impresario", "keep")
    play(match, 1, "decline")
    ply = match.ply
    play(match, 1, "hire esperto", "move berlin")
    assert ("closes", "all_taken") in told(match, ply)
    assert (2, [(0, 3), (1, 1), (2, 0)]) == (word(match, "round"), table_order(match))


def test_intermezzo_costs_nothing() -> None:
    """§4.4: whoever declines keeps their level; the hirer cannot decline, nor a seat that has begun."""
    match = acting(seat_at(9), seat_at(6), seat_at(5))
    play(match, 0, "hire architetto")
    assert ("hirer", "4.4") == reason(match, "decline")
    play(match, 0, "build wien main", "stop")
    assert (1,) == match.to_act
    play(match, 1, "decline")
    play(match, 2, "build wien main")
    assert ("begun", "4.4") == reason(match, "decline")
    play(match, 2, "stop")
    assert [(0, 7), (1, 6), (2, 4)] == table_order(match)


@pytest.mark.parametrize(("purse", "choices"), [(0, 1), (20, 5)])
def test_a_purse_is_never_shown_by_a_skip(purse: int, choices: int) -> None:
    """§4.3: a seat is asked to play along even when its purse leaves nothing but to decline."""
    match = acting(seat_at(9), seat_at(3, purse), seat_at(0))
    play(match, 0, "hire architetto", "build wien main", "stop")
    # With ducats blue may decline, or build either wing of Venezia, or the main of Wien or Berlin.
    assert ((1,), choices) == (match.to_act, len(match.legal()))


def test_a_screen_is_never_shown_by_a_skip() -> None:
    """§4.3: a seat without a piece to sell is asked to play along with the Signora all the same."""
    match = acting(seat_at(9, screen=["verdi"]), seat_at(3), seat_at(0))
    play(match, 0, "hire signora", "sell verdi screen", "take ducats")
    assert ((1,), ["decline"]) == (match.to_act, list(match.legal()))


def between_roles(*players: Mapping[str, Any], taken: Sequence[str], **fields: Any) -> Match:
    """A match in which seat 0 has the initiative and the last seat has hired the roles taken."""
    hired = {str(seat): len(taken) if seat == len(players) - 1 else 0 for seat in range(4)}
    return at_table(*players, asked="hire", turn="0", taken=list(taken), hired=hired, **fields)


def test_top_seat_is_asked_even_if_it_can_only_end() -> None:
    """§4.2: where only the purse or the screen stands in the way the seat is asked, and may only end."""
    match = between_roles(seat_at(2, 1), seat_at(0), taken=["maestro"])
    assert ["end"] == list(match.legal())
    assert ("no_part", "5.2") == reason(match, "hire architetto")
    assert ("nothing_to_sell", "5.3") == reason(match, "hire signora")


def test_performance_ends_by_itself_where_everybody_sees_why() -> None:
    """§4.5: with only the Architetto left to pay and nothing left to build, the seat gets its disc unasked."""
    whole: Houses = {"venezia": ["house", None, None], "wien": [None] * 4, "berlin": [None] * 3}
    fields: dict[str, Any] = {"asked": "hire", "turn": "2", "passed": [], "order": [2, 0, 1]}
    hired = {"0": 0, "1": 3, "2": 0, "3": 0}
    match = at_table(
        seat_at(2, houses=whole),
        seat_at(1),
        seat_at(3),
        taken=["maestro", "signora", "impresario"],
        hired=hired,
        **fields,
    )
    ply = match.ply
    play(match, 2, "hire critico", "move wien")
    assert [("forced", "0")] == [event for event in told(match, ply) if event[0] in ("forced", "ends")]
    assert 2 == word(match, "round")


def test_initiative_goes_to_the_first_without_a_disc() -> None:
    """§4.1: whoever stands first in the table hires, again and again; a pass disc hands the initiative on."""
    match = acting(seat_at(4), seat_at(10), seat_at(7))
    assert (1,) == match.to_act
    play(match, 1, "hire maestro", "move wien")
    assert (1,) == match.to_act
    play(match, 1, "end")
    assert (2,) == match.to_act
    assert ("wait", "4.1") == reason(match, "hire critico", 0)
    play(match, 2, "hire critico", "move paris")
    assert ([(1, 8), (0, 4), (2, 4)], (0,)) == (table_order(match), match.to_act)


# §5.1 The Impresario.


def buyers(
    *levels: int, offer: Sequence[str] = ("verdi", "verdi", "wagner", "monteverdi", "beethoven"), **fields: Any
) -> Match:
    """A match in which seat 0 has hired the Impresario."""
    match = acting(*(seat_at(level) for level in levels), offer=offer, **fields)
    play(match, 0, "hire impresario")
    return match


def test_prices_are_fame_and_two_pieces_the_most() -> None:
    """§5.1: a piece costs its composer's fame; two may be bought, even of one composer; none need be."""
    match = buyers(8, 0, 0)
    assert ["stop", "buy monteverdi", "buy beethoven", "buy wagner", "buy verdi"] == list(match.legal())
    play(match, 0, "buy verdi", "buy verdi")
    assert (8, 2, "rearrange") == (purses(match)[0], word(match, "screen", 0, "verdi"), word(match, "asked"))


def test_a_second_piece_may_be_dearer() -> None:
    """§5.1: two pieces are bought in any order; what is left in the purse is all that counts."""
    match = buyers(8, 0, 0)
    play(match, 0, "buy wagner")
    assert ["stop", "buy monteverdi", "buy beethoven", "buy verdi"] == list(match.legal())
    assert ("not_offered", "5.1") == reason(match, "buy mozart")


def test_by_version_1_the_dearer_piece_is_bought_first() -> None:
    """§5.1: by the former rules a second piece could not cost more than the first."""
    match = former(buyers(8, 0, 0))
    play(match, 0, "buy wagner")
    assert ["stop", "buy monteverdi", "buy beethoven"] == list(match.legal())
    assert ("dearer_first", "5.1") == reason(match, "buy verdi")
    assert ("not_offered", "5.1") == reason(match, "buy mozart")


@pytest.mark.parametrize("version", [1, 2])
def test_the_order_of_two_purchases_costs_nothing(version: int) -> None:
    """§5.1: each set of at most two pieces leads to one table; by version 1 in one order, now in all of them."""
    pieces = ("verdi", "verdi", "wagner", "monteverdi", "beethoven")
    sets = {tuple(sorted(c)) for n in range(3) for c in combinations(pieces, n)}
    orders = {c for n in range(3) for c in permutations(pieces, n)}

    match = buyers(8, 0, 0, offer=pieces)
    if version == 1:
        match = former(match)
    ends = [row for _, row in every_way(match.row, {rules.BUY})]
    assert len(sets) == len({tuple(row) for row in ends})
    bought = [
        tuple(sorted(name for name, n in zip(COMPOSERS, row[F.screen : F.screen + 6], strict=True) for _ in range(n)))
        for row in ends
    ]
    expected = sets if version == 1 else [tuple(sorted(order)) for order in orders]
    assert sorted(expected) == sorted(bought)


def test_a_second_piece_is_asked_unless_everybody_sees_there_is_none() -> None:
    """§5.1: with an empty purse the second piece is asked and only `stop` answers; with none to follow it is not asked."""
    match = acting(seat_at(8, 6), seat_at(), offer=["verdi", "verdi"])
    play(match, 0, "hire impresario", "buy verdi")
    assert ["stop"] == list(match.legal())
    match = acting(seat_at(8, 6), seat_at(), offer=["verdi"])
    play(match, 0, "hire impresario", "buy verdi")
    assert "rearrange" == word(match, "asked")


def test_the_hirer_needs_no_level_for_a_second_piece() -> None:
    """§5.1: the fee covers two pieces, also for a hirer whose marker is on level 0 now."""
    match = acting(seat_at(3), seat_at(0), seat_at(0), offer=["verdi", "wagner"])
    play(match, 0, "hire impresario", "buy verdi")
    assert (0, ["stop", "buy wagner"]) == (word(match, "level", 0), list(match.legal()))


def test_playing_along_with_the_impresario() -> None:
    """§5.1: along, each piece costs a level, and rearranging only costs one; two pieces need two levels."""
    match = buyers(10, 6, 2, 1)
    play(match, 0, "stop", "keep")
    play(match, 1, "buy wagner", "buy beethoven", "keep")
    assert (4, 20 - 5 - 2) == (word(match, "level", 1), purses(match)[1])
    play(match, 2, "stop", "keep")
    assert (1, 20) == (word(match, "level", 2), purses(match)[2])
    play(match, 3, "buy verdi")
    assert ("rearrange", 0) == (word(match, "asked"), word(match, "level", 3))


def test_level_zero_cannot_join_with_three() -> None:
    """§4.3: without a level left nobody plays along, and nobody is asked."""
    match = buyers(8, 0, 0)
    play(match, 0, "stop", "keep")
    assert (0,) == match.to_act


# §5.2 The Architetto.


def test_sites_and_their_conditions() -> None:
    """§5.2: open cities, wings beside their main, each part once, while copies last, for 2 ducats a hall."""
    match = acting(seat_at(9, houses={"wien": [None, None]}), seat_at(houses={"wien": [None] * 4}))
    play(match, 0, "hire architetto")
    assert ["build venezia wing", "build venezia wing2", "build berlin main"] == list(match.legal())
    assert ("city_closed", "5.2") == reason(match, "build london main")
    assert ("built_already", "5.2") == reason(match, "build wien main")
    assert ("no_copy", "5.2") == reason(match, "build wien wing")
    assert ("no_main", "5.2") == reason(match, "build berlin wing")
    assert ("must_build", "5.2") == reason(match, "stop")
    play(match, 0, "build venezia wing2")
    assert ["stop", "build venezia wing", "build berlin main"] == list(match.legal())


def test_by_version_1_the_earlier_part_is_built_first() -> None:
    """§5.2: by the former rules the second part came later in the order of the cities, and the last part ended the turn."""
    match = former(acting(seat_at(9), seat_at()))
    play(match, 0, "hire architetto", "build venezia wing2")
    assert ("earlier_part", "5.2") == reason(match, "build venezia wing")
    assert ["stop", "build wien main", "build berlin main"] == list(match.legal())
    match = former(acting(seat_at(9, houses={"berlin": [None]}), seat_at()))
    play(match, 0, "hire architetto", "build berlin wing")
    assert 1 == match.to_act[0], "the wing of Berlin is the last part there is"


def test_the_order_of_two_parts_costs_nothing() -> None:
    """§5.2: whatever two parts are built, either order leads to the same table, and none ends the turn early."""
    match = acting(seat_at(9, houses={"berlin": [None]}), seat_at(0), seat_at(0))
    play(match, 0, "hire architetto")
    ends: dict[tuple[str, ...], set[tuple[int, ...]]] = {}
    for way, row in every_way(match.row, {rules.BUILD}):
        ends.setdefault(tuple(sorted(way)), set()).add(tuple(row))
    assert {1} == {len(tables) for tables in ends.values()}
    parts = ("venezia wing", "venezia wing2", "wien main", "berlin wing")
    pairs = {tuple(sorted(f"build {part}" for part in pair)) for pair in combinations(parts, 2)}
    pairs.add(("build wien main", "build wien wing"))
    assert pairs == {one for one in ends if "stop" not in one}


def test_a_main_and_its_own_wing() -> None:
    """§5.2: the two parts may be a main and its wing."""
    match = acting(seat_at(9), seat_at())
    play(match, 0, "hire architetto", "build berlin main", "build berlin wing")
    assert (3, 6, 14) == (word(match, "halls", 0, "berlin"), scores(match)[0], purses(match)[0])
    assert (1, 0) == (word(match, "supply", "berlin", "main"), word(match, "supply", "berlin", "wing"))


def test_a_part_too_dear() -> None:
    """§5.2: a part that the purse cannot pay is refused; a second one is asked all the same."""
    match = acting(seat_at(9, 3), seat_at())
    play(match, 0, "hire architetto")
    assert ("part_dear", "5.2") == reason(match, "build wien main")
    play(match, 0, "build venezia wing")
    assert ["stop"] == list(match.legal())


def test_playing_along_with_the_architetto() -> None:
    """§5.2: along, each part costs a level; one level allows one part."""
    match = acting(seat_at(10), seat_at(5), seat_at(1))
    play(match, 0, "hire architetto", "build wien main", "stop")
    play(match, 1, "build venezia wing", "build wien main")
    assert (3, 6) == (word(match, "level", 1), scores(match)[1])
    play(match, 2, "build berlin main")
    assert ((0,), 0) == (match.to_act, word(match, "level", 2))


def test_cities_open_after_counts() -> None:
    """§8.5: London and Paris open for round 4, Milano for round 7."""
    opened = []
    for number, counts in ((3, 0), (4, 1), (7, 2)):
        match = acting(seat_at(9, 99), seat_at(), round=number, counts=counts)
        play(match, 0, "hire architetto")
        opened.append({action.split()[1] for action in match.legal()} & {"london", "paris", "milano"})
    assert [set(), {"london", "paris"}, {"london", "paris", "milano"}] == opened


# §5.3 The Signora.


def test_pieces_are_sold_from_anywhere() -> None:
    """§5.3: from behind the screen or out of any hall; the house piece never; a hall it leaves stays empty."""
    houses = {"venezia": ["verdi"], "wien": ["house", "verdi"]}
    match = acting(seat_at(9, houses=houses, screen=["verdi"]), seat_at())
    play(match, 0, "hire signora")
    assert ["sell verdi screen", "sell verdi venezia", "sell verdi wien"] == list(match.legal())
    assert ("not_there", "5.3") == reason(match, "sell mozart screen")
    play(match, 0, "sell verdi venezia", "take points")
    assert (None, 6, 1) == (word(match, "great", 0, "venezia"), scores(match)[0], word(match, "screen", 0, "verdi"))


@pytest.mark.parametrize(("seats", "places"), [(2, 3), (3, 3), (4, 4)])
def test_a_full_palazzo_ends_playing_along(seats: int, places: int) -> None:
    """§5.3: three pieces fill it with two or three players, four with four; nobody is asked to play along then."""
    there = ["monteverdi", "handel", "beethoven"][: places - 1]
    players = [seat_at(9 - seat, screen=["verdi", "wagner"]) for seat in range(seats)]
    match = acting(*players, palazzo=there)
    play(match, 0, "hire signora", "sell verdi screen", "take ducats")
    assert ((1,), "hire") == (match.to_act, word(match, "asked"))
    match = acting(*players, palazzo=there[:-1])
    play(match, 0, "hire signora", "sell verdi screen", "take ducats")
    assert ((1,), "sell") == (match.to_act, word(match, "asked"))


def test_a_full_palazzo_cannot_be_hired_for() -> None:
    """§5.3: should the Palazzo be full, the Signora cannot be hired."""
    match = between_roles(seat_at(9, screen=["verdi"]), seat_at(), taken=["maestro"], palazzo=["handel", "mozart", "wagner"])
    assert ("palazzo_full", "5.3") == reason(match, "hire signora")


def test_playing_along_with_the_signora() -> None:
    """§5.3: along, selling costs a level."""
    match = acting(seat_at(9, screen=["verdi"]), seat_at(3, screen=["wagner"]), seat_at())
    play(match, 0, "hire signora", "sell verdi screen", "take ducats")
    play(match, 1, "sell wagner screen", "take ducats")
    assert (2, 30) == (word(match, "level", 1), purses(match)[1])


# §5.4, §5.8 The Maestro and the figures.


def test_figures_move_to_another_city_with_room() -> None:
    """§5.4, §5.8: from its portrait a figure may go anywhere with a place, closed cities included; later it must leave."""
    match = acting(seat_at(10), seat_at())
    play(match, 0, "hire maestro")
    assert [f"move {city}" for city in CITIES] == list(match.legal())
    match = acting(seat_at(10), seat_at(), figures={"maestro": "wien", "critico": "berlin", "esperto": "wien"})
    play(match, 0, "hire maestro")
    assert [f"move {city}" for city in CITIES if city not in ("wien", "berlin")] == list(match.legal())
    assert ("same_city", "5.8") == reason(match, "move wien")
    assert ("no_place", "5.8") == reason(match, "move berlin")
    match = acting(seat_at(10), seat_at(), figures={"critico": "wien", "esperto": "wien"})
    play(match, 0, "hire maestro")
    assert ("no_place", "5.8") == reason(match, "move wien")


def test_the_maestro_doubles_even_when_not_hired() -> None:
    """§6.2: income in his city comes twice for everybody; points do not."""
    house = {"wien": ["verdi", "wagner"]}
    match = at_table(seat_at(1, houses=house), seat_at(1, houses=house), seat_at(1), figures={"maestro": "wien"})
    bids(match, 0, 0, 0)
    assert [27, 27, 21] == purses(match)
    assert [0, 0, 0] == scores(match)


@pytest.mark.parametrize(("operas", "income"), [(0, 0), (1, 1), (2, 3), (3, 5), (4, 8), (5, 11), (6, 15)])
def test_income_table(operas: int, income: int) -> None:
    """§6.1: 1, 3, 5, 8, 11 and 15 ducats for one to six operas in a house."""
    halls = [*COMPOSERS[:operas], *[None] * (6 - operas)]
    match = at_table(seat_at(1, houses={"milano": halls}), seat_at(1), round=8, counts=2)
    bids(match, 0, 0)
    assert [21 + income, 21] == purses(match)


# §5.5 The Critico.


def critic(city: str = "wien") -> Match:
    """A match in which seat 0 has sent the Critico to a city where Verdi (6), Wagner (5) and Monteverdi (1) are performed."""
    houses = {"wien": ["verdi", "house"]}
    match = acting(seat_at(10), seat_at(houses=houses), seat_at(houses={"wien": ["wagner", "monteverdi"]}))
    play(match, 0, "hire critico", f"move {city}")
    return match


def test_the_critico_moves_a_composer_performed_there() -> None:
    """§5.5: up or down by one or two within the ladder, or not at all; anybody's opera there will do."""
    match = critic()
    expected = {"withhold", "praise monteverdi 1", "praise monteverdi 2", "praise wagner 1"}
    expected |= {f"scorn {name} {steps}" for name in ("verdi", "wagner") for steps in (1, 2)}
    assert expected == set(match.legal())
    assert ("not_performed", "5.5") == reason(match, "praise mozart 1")
    assert ("ladder_end", "5.5") == reason(match, "praise wagner 2")


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("withhold", "monteverdi beethoven handel mozart wagner verdi"),
        ("praise monteverdi 2", "beethoven handel monteverdi mozart wagner verdi"),
        ("praise wagner 1", "monteverdi beethoven handel mozart verdi wagner"),
        ("scorn verdi 2", "monteverdi beethoven handel verdi mozart wagner"),
        ("scorn wagner 2", "monteverdi beethoven wagner handel mozart verdi"),
    ],
)
def test_composers_passed_shift_by_one(action: str, expected: str) -> None:
    """§5.5: whoever is passed on the ladder shifts one step the other way."""
    match = critic()
    play(match, 0, action)
    assert expected.split() == ladder(match)


def test_the_critico_where_nobody_performs() -> None:
    """§5.5: in a city without an opera of the six composers nothing is asked; a house piece does not count."""
    for city in ("milano", "venezia"):
        match = critic(city)
        assert ("hire", LADDER) == (word(match, "asked"), ladder(match))


# §5.6 The Esperto.


def expert(*players: Mapping[str, Any], city: str = "wien", **fields: Any) -> Match:
    """A match in which seat 0 has sent the Esperto to a city."""
    match = acting(*players, **fields)
    play(match, 0, "hire esperto", f"move {city}")
    return match


WIEN = {"wien": ["mozart", "wagner"]}


def test_best_piece_goes_to_the_poorest() -> None:
    """§5.6: the fewest points before scoring decide; of several rivals the last in the budget table."""
    match = expert(seat_at(10, points=5, houses=WIEN), seat_at(3, points=2), seat_at(3, points=2), seat_at(2, points=4))
    assert (1, 14) == (word(match, "screen", 2, "wagner"), scores(match)[0])
    match = expert(seat_at(10, points=5, houses=WIEN), seat_at(3, points=2), seat_at(3, points=2), order=[0, 2, 1])
    assert 1 == word(match, "screen", 1, "wagner")


@pytest.mark.parametrize("rival", [5, 7])
def test_poorest_hirer_discards(rival: int) -> None:
    """§5.6: if the hirer has the fewest points, alone or with others, the piece goes to the discard pile."""
    match = expert(seat_at(10, points=5, houses=WIEN), seat_at(points=rival))
    assert (1, 0) == (word(match, "discard", "wagner"), word(match, "lost", "wagner"))
    assert ["mozart", []] == [word(match, "great", 0, "wien"), word(match, "side", 0, "wien")]


def test_dutch_esperto() -> None:
    """§11.3: with the option the piece leaves the game instead; pieces of others are discarded all the same."""
    players = seat_at(10, points=5, houses=WIEN), seat_at(points=5, houses={"wien": ["verdi", "house"]})
    match = expert(*players, seat_at(points=9), dutch_esperto=1)
    assert (0, 1) == (word(match, "discard", "wagner"), word(match, "lost", "wagner"))
    play(match, 1, "score")
    assert (1, 0) == (word(match, "discard", "verdi"), word(match, "lost", "verdi"))


def test_the_esperto_without_famous_operas() -> None:
    """§5.6: with nothing there, or the house piece alone, the hirer scores nothing and keeps everything."""
    match = expert(seat_at(10, points=5), seat_at(), city="venezia")
    assert ([5, 0], "house") == (scores(match), word(match, "great", 0, "venezia"))
    match = expert(seat_at(10, points=5), seat_at(), city="milano")
    assert [5, 0] == scores(match)


def test_others_may_score_with_the_esperto() -> None:
    """§5.6: in the order of the table, at no cost, for the discard pile; also after a pass disc and at level 0."""
    match = acting(seat_at(8), seat_at(9, houses=WIEN), seat_at(0, houses={"wien": ["verdi", "house"]}))
    play(match, 1, "end")
    play(match, 0, "hire esperto", "move wien")
    assert ((1,), ["decline", "score"]) == (match.to_act, list(match.legal()))
    play(match, 1, "score")
    assert ((2,), [0, 9, 0]) == (match.to_act, scores(match))
    play(match, 2, "score")
    assert ([0, 9, 6], 1, 1) == (scores(match), word(match, "discard", "wagner"), word(match, "discard", "verdi"))
    assert [(1, 9), (0, 4), (2, 0)] == table_order(match)


def test_the_example_of_the_esperto() -> None:
    """§5.6: in the book's example Green gets the Verdi, and of the others Blue alone is asked."""
    match = expert(
        seat_at(8, points=31, houses={"london": ["verdi", "handel", "house", None]}),
        seat_at(4, points=24, houses={"london": ["mozart", None]}),
        seat_at(1, points=27, houses={"london": ["house", None]}),
        seat_at(2, points=24),
        city="london",
        round=4,
        counts=1,
        ladder=["monteverdi", "beethoven", "handel", "wagner", "mozart", "verdi"],
    )
    assert ([40, 24, 27, 24], 1) == (scores(match), word(match, "screen", COLOURS["green"], "verdi"))
    assert (COLOURS["blue"],) == match.to_act
    play(match, COLOURS["blue"], "score")
    assert ([40, 29, 27, 24], 1) == (scores(match), word(match, "discard", "mozart"))
    assert "hire" == word(match, "asked")


def test_no_century_bonus_with_the_esperto() -> None:
    """§5.6: the Composer of the Century brings no bonus there."""
    match = expert(seat_at(10, points=5, houses=WIEN), seat_at(), century=("mozart", "wagner", "verdi"))
    assert 5 + 4 + 5 == scores(match)[0]


# §5.7 Rearranging.


def staging(houses: Houses, screen: Sequence[str] = (), rounds: tuple[int, int] = (1, 0), **fields: Any) -> Match:
    """A match in which seat 0 may rearrange these houses and what lies behind the screen."""
    match = acting(seat_at(10, houses=houses, screen=screen), seat_at(), round=rounds[0], counts=rounds[1], **fields)
    play(match, 0, "hire impresario")
    return match


def every_way(row: list[int], questions: set[int], way: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], list[int]]]:
    """Every sequence of seat 0's answers to these questions, with the row it leads to."""
    if row[F.asked] not in questions:
        yield way, row
        return
    build = game.build()
    for action in range(rules.ACTIONS.size):
        if rules.refuses(row, 0, action) == 0:
            after = row[:]
            rules.apply(after, 0, action, build.generator(1), build.events(muted=True))
            yield from every_way(after, questions, (*way, rules.ACTIONS.notation(action)))


def arrangements(match: Match) -> list[tuple[tuple[str, ...], tuple[Any, ...]]]:
    """Every way through the rearranging, with the programme it leads to."""
    return [(way, programme(row)) for way, row in every_way(match.row, {rules.REARRANGE, rules.STAGE})]


def programme(row: list[int]) -> tuple[Any, ...]:
    """What stands in the houses of seat 0 and behind its screen."""
    at = rules.FIELDS.to_json(row)
    great, side, screen = at["great"]["0"], at["side"]["0"], at["screen"]["0"]
    return (*((great[city], tuple(side[city])) for city in CITIES), tuple(screen.values()))


def every_programme(houses: Mapping[str, int], pieces: Sequence[str]) -> set[tuple[Any, ...]]:
    """All outcomes by brute force: each piece goes to a hall or behind the screen."""
    slots = [(city, hall) for city, halls in houses.items() for hall in range(halls)]
    ends = set()
    for places in product([None, *slots], repeat=len(pieces)):
        taken = [place for place in places if place is not None]
        shown = [(place[0], piece) for place, piece in zip(places, pieces, strict=True) if place is not None]
        if len(set(taken)) < len(taken) or len(set(shown)) < len(shown):
            continue
        where = dict(zip(places, pieces, strict=True))
        left = [piece for place, piece in zip(places, pieces, strict=True) if place is None]
        lines: list[Any] = []
        for city in CITIES:
            side = [where[city, hall] for hall in range(1, houses.get(city, 0)) if (city, hall) in where]
            lines.append((where.get((city, 0)), tuple(piece for piece in rules.PIECE.names if piece in side)))
        ends.add((*lines, tuple(left.count(piece) for piece in rules.PIECE.names)))
    return ends


@pytest.mark.parametrize(
    ("houses", "screen"),
    [
        ({"venezia": ["house"]}, ["verdi"]),
        ({"venezia": ["house", None, "mozart"]}, ["verdi", "verdi"]),
        ({"venezia": ["house"], "berlin": [None, "verdi", None]}, ["handel", "verdi"]),
        ({"venezia": [None, "house"], "wien": ["mozart", "wagner"]}, ["mozart"]),
    ],
)
def test_one_way_to_each_arrangement(houses: dict[str, list[str | None]], screen: list[str]) -> None:
    """§5.7: every arrangement that the pieces allow is reached in exactly one way, and by keeping in one more."""
    match = staging(houses, screen)
    ways = arrangements(match)
    kept = [end for way, end in ways if way == ("keep",)]
    placed = [end for way, end in ways if way != ("keep",)]
    pieces = [piece for halls in houses.values() for piece in halls if piece] + screen
    expected = every_programme({city: len(halls) for city, halls in houses.items()}, pieces)
    assert [programme(match.row)] == kept
    assert len(expected) == len(placed)
    assert expected == set(placed)


def test_rearranging_refusals() -> None:
    """§5.7: no piece twice in a house, none that is not in hand, side halls in the order of the pieces, no late keeping."""
    match = staging({"venezia": ["house", "mozart", "verdi"], "wien": ["mozart", None]})
    assert ("not_in_hand", "5.7") == reason(match, "place handel")
    play(match, 0, "place mozart")
    assert ("begun_placing", "5.7") == reason(match, "keep")
    assert ("twice", "5.7") == reason(match, "place mozart")
    play(match, 0, "place verdi")
    assert ("twice", "5.7") == reason(match, "place verdi")
    play(match, 0, "place house")
    assert ("not_in_hand", "5.7") == reason(match, "place house")
    match = staging({"venezia": ["house", "mozart", "verdi"]}, ["handel"])
    play(match, 0, "empty", "place mozart")
    assert ("earlier_piece", "5.7") == reason(match, "place handel")


def test_house_piece_may_go_anywhere() -> None:
    """§5.7: the house piece counts as a composer of its own, in any city or behind the screen."""
    match = staging({"venezia": ["house"], "wien": ["verdi", None]})
    play(match, 0, "arrange venezia -; wien verdi house")
    assert (None, ["house"]) == (word(match, "great", 0, "venezia"), word(match, "side", 0, "wien"))
    match = staging({"venezia": ["house"]})
    play(match, 0, "arrange venezia -")
    assert 1 == word(match, "screen", 0, "house")


def test_two_seats_may_perform_one_composer_in_a_city() -> None:
    """§5.7: only within one house must composers differ."""
    match = acting(seat_at(9, screen=["verdi"]), seat_at(houses={"venezia": ["verdi"]}))
    play(match, 0, "hire impresario", "arrange venezia verdi")
    assert ["verdi", "verdi"] == [word(match, "great", seat, "venezia") for seat in (0, 1)]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("venezia mozart; wien mozart mozart", "Mozart is in that house already and cannot be in hall 2 in Wien too"),
        ("venezia handel", "Handel is not at hand for the great hall in Venezia"),
        ("venezia verdi house", "there is no hall 2 in Venezia: the house has 1 hall"),
        ("berlin verdi", "you have no house in Berlin"),
        ("venezia puccini", "'puccini' in the great hall in Venezia is not a piece"),
        ("roma verdi", "'roma' is not a city"),
        ("venezia verdi; venezia -", "Venezia is named twice"),
        ("venezia verdi", "Verdi is not at hand for the great hall in Wien"),
    ],
)
def test_a_faulty_arrangement_is_refused_whole(text: str, fault: str) -> None:
    """§5.7: a whole arrangement is refused with the § and the hall at fault, and nothing moves."""
    match = staging({"venezia": ["house"], "wien": ["verdi", "mozart"]})
    before = match.row
    with pytest.raises(BadSeries) as refused:
        arrangement(match.masked(0), 0, f"arrange {text}")
    assert WORDS.fault(match.masked(0), 0, refused.value).startswith(f"cannot arrange: {fault}")
    assert "5.7" == refused.value.section
    with pytest.raises(IllegalAction, match=f"cannot arrange: {re.escape(fault)}.*§5.7"):
        match.play(f"arrange {text}", 0)
    assert before == match.row


def test_an_arrangement_only_when_it_is_asked() -> None:
    """§5.7: halls are rearranged with the Impresario alone."""
    match = acting(seat_at(9), seat_at())
    for seat, fault in ((0, "Red hires a role"), (1, "it is not your turn: Red hires")):
        with pytest.raises(BadSeries) as refused:
            arrangement(match.masked(seat), seat, "venezia house")
        assert fault in WORDS.fault(match.masked(seat), seat, refused.value)


def test_whole_arrangements_lead_where_they_say() -> None:
    """§5.7: for every outcome, its text gives the very actions of its one way."""
    houses: Houses = {"venezia": ["house"], "berlin": [None, "verdi", None]}
    match = staging(houses, ["handel", "verdi"])
    for way, end in arrangements(match):
        if way == ("keep",):
            continue
        clauses = [
            f"{city} {great or '-'} {' '.join(side)}"
            for city, (great, side) in zip(CITIES, end, strict=False)
            if city in houses
        ]
        ids = arrangement(match.masked(0), 0, "; ".join(reversed(clauses)))
        assert list(way) == [rules.ACTIONS.notation(action) for action in ids]


# §7 The end phase.


def risen(steps: Sequence[str], risers: Sequence[str]) -> list[str]:
    """The ladder by another method: whoever stands right above a run of risers drops below that run."""
    top_down = list(reversed(steps))
    result: list[str] = []
    dropped: str | None = None
    for name in top_down:
        if name in risers:
            result.append(name)
            continue
        if dropped is not None:
            result.append(dropped)
        dropped = name
    if dropped is not None:
        result.append(dropped)
    return result[::-1]


@pytest.mark.parametrize("count", range(1, 7))
def test_ladder_with_ties(count: int) -> None:
    """§7.1: however many composers tie, each riser passes at most one and nobody rises past another riser."""
    for risers in combinations(COMPOSERS, count):
        houses: dict[str, list[str | None]] = {"venezia": ["house", None, None], "wien": [None] * 4, "berlin": [None] * 3}
        spots = [("wien", hall) for hall in range(4)] + [("berlin", hall) for hall in range(2)]
        for (city, hall), name in zip(spots, risers, strict=False):
            houses[city][hall] = name
        match = at_table(seat_at(1, houses=houses, screen=["verdi", "verdi"]), seat_at(1), palazzo=["mozart", "wagner"])
        bids(match, 0, 0)
        assert risen(LADDER, risers) == ladder(match)


def test_printed_cases_of_the_second_method() -> None:
    """§7.1: the method used above gives the two cases that the rulebooks print."""
    assert ["a", "b", "c", "f", "d", "e"] == risen(list("abcdef"), ["e", "d"])
    assert ["b", "a", "d", "c", "f", "e"] == risen(list("abcdef"), ["a", "c", "e"])


def test_nothing_performed_moves_nobody() -> None:
    """§7.1: house pieces, the Palazzo and screens do not count."""
    match = at_table(seat_at(1, screen=["handel"] * 3), seat_at(1), palazzo=["mozart"])
    ply = match.ply
    bids(match, 0, 0)
    assert LADDER == ladder(match)
    assert "most" not in [event[0] for event in told(match, ply)]


def test_end_phase_order() -> None:
    """§7: fame, unsold pieces and draws, then the Palazzo, then the ducat at level 0, then the round."""
    match = at_table(
        seat_at(1, houses={"venezia": ["mozart"]}),
        seat_at(0),
        palazzo=["monteverdi", "handel", "verdi"],
        offer=["wagner"],
    )
    ply = match.ply
    bids(match, 0, 0)
    names = list(dict.fromkeys(event[0] for event in told(match, ply)))
    assert ["bids", "closes", "earns", "most", "climbs", "unsold", "offers", "empties", "bonus", "opens"] == names


def test_role_cards_come_back_and_figures_stay() -> None:
    """§7.3: after a round all roles can be hired again, and the figures stand where they were."""
    match = acting(seat_at(6), seat_at(0))
    play(match, 0, "hire maestro", "move berlin", "end")
    assert ([], 0, "berlin") == (word(match, "taken"), word(match, "hired", 0), word(match, "figure", "maestro"))


def test_nine_rounds_and_three_counts() -> None:
    """§7.6, §8.1: the round marker moves on by one; it is counted after rounds 3, 6 and 9, and then the match is over."""
    counted = []
    for number in range(1, 10):
        counts = (number - 1) // 3
        match = at_table(seat_at(1), seat_at(1), round=number, counts=counts)
        bids(match, 0, 0)
        counted.append(word(match, "counts") - counts)
        assert min(number + 1, 9) == word(match, "round")
    assert [0, 0, 1, 0, 0, 1, 0, 0, 1] == counted
    assert () == match.to_act


def test_palazzo_stays_until_it_is_full() -> None:
    """§7.4: a Palazzo that is not full keeps its pieces, except after a count (§8.5)."""
    match = at_table(seat_at(1), seat_at(1), palazzo=["mozart", "verdi"])
    bids(match, 0, 0)
    assert ["mozart", "verdi"] == word(match, "palazzo")
    match = at_table(seat_at(1), seat_at(1), palazzo=["mozart", "verdi"], round=3)
    bids(match, 0, 0)
    assert ([], 1) == (word(match, "palazzo"), word(match, "discard", "verdi"))


def test_no_offer_after_the_last_round() -> None:
    """§7.2: after the last round the unsold pieces are discarded and none are drawn."""
    match = at_table(seat_at(1), seat_at(1), offer=["verdi", "mozart"], round=9, counts=2)
    bids(match, 0, 0)
    assert (0, 1) == (sum(word(match, "offer").values()), word(match, "discard", "verdi"))


def few(deck: Mapping[str, int], discard: Mapping[str, int], seats: int = 2) -> Match:
    """A match whose deck and discard pile hold these pieces; all others lie behind the first screen."""
    left = {name: 14 - deck.get(name, 0) - discard.get(name, 0) for name in COMPOSERS}
    for name in ("mozart", "monteverdi", "wagner"):
        left[name] -= 1
    screen = [name for name in COMPOSERS for _ in range(left[name])]
    pile = [name for name in COMPOSERS for _ in range(discard.get(name, 0))]
    others = [seat_at(1) for _ in range(seats - 1)]
    return at_table(seat_at(1, screen=screen), *others, discard=pile)


def test_reshuffle() -> None:
    """§7.2: an empty deck is made anew from the discard pile in the middle of a fill."""
    match = few({"verdi": 1, "handel": 1}, {"mozart": 2, "wagner": 2, "beethoven": 1})
    ply = match.ply
    bids(match, 0, 0)
    assert ("reshuffles", 5) in told(match, ply)
    at = match.position()
    assert (1, 1, 5) == (at["offer"]["verdi"], at["offer"]["handel"], sum(at["offer"].values()))
    assert (2, 0) == (sum(at["deck"].values()), sum(at["discard"].values()))


def test_capped_composers_are_drawn_through() -> None:
    """§7.2: pieces beyond the most of a composer go aside, not into the new deck; then less is offered."""
    match = few({"verdi": 6}, {"mozart": 1})
    ply = match.ply
    bids(match, 0, 0)
    at = match.position()
    assert (2, 1) == (at["offer"]["verdi"], at["offer"]["mozart"])
    assert ([0] * 6, 4) == (list(at["deck"].values()), at["discard"]["verdi"])
    offers = [event for event in told(match, ply) if event[0] in ("offers", "reshuffles", "adds")]
    assert [("offers", "verdi", 2, 4), ("reshuffles", 1), ("adds", "mozart", 1, 0)] == offers


def test_pieces_set_aside_are_not_reshuffled() -> None:
    """§7.2: what was set aside before a reshuffle lies on the discard pile afterwards, not in the deck."""
    match = few({"verdi": 5}, {"mozart": 9, "handel": 9})
    bids(match, 0, 0)
    at = match.position()
    assert (2, 3, 0) == (at["offer"]["verdi"], at["discard"]["verdi"], at["deck"]["verdi"])


def test_nothing_left_to_offer() -> None:
    """§7.2: with no piece in the deck or on the discard pile nothing is offered, and the hirer only rearranges (§5.1)."""
    match = few({}, {})
    bids(match, 0, 0)
    assert 0 == sum(word(match, "offer").values())
    bids(match, 9, 0)
    play(match, 0, "hire impresario")
    assert "rearrange" == word(match, "asked")


def test_every_piece_in_the_deck_is_as_likely() -> None:
    """§7.2: a draw names one of the pieces left, counted through the composers."""
    build = game.build()
    for n, name in enumerate(["handel"] * 2 + ["verdi"] * 3):
        row, _ = rules.FIELDS.from_json(drawn(seat_at(), seat_at(), discard=[]))
        for composer in range(6):
            row[F.deck + composer] = {1: 2, 5: 3}.get(composer, 0)
        assert name == COMPOSERS[rules.draw_piece(row, 5, build.tape([n]))]


def test_level_zero_brings_a_ducat() -> None:
    """§7.5: markers keep their level, and each on level 0 brings a ducat."""
    match = at_table(seat_at(1), seat_at(0), seat_at(0))
    bids(match, 0, 0, 0)
    assert ([21, 22, 22], [(0, 1), (1, 0), (2, 0)]) == (purses(match), table_order(match))


# §8, §9 Counts and the end.


@pytest.mark.parametrize(("round", "counts", "bonus"), [(3, 0, 1), (6, 1, 2), (9, 2, 3)])
def test_century_bonus_grows(round: int, counts: int, bonus: int) -> None:
    """§8.3: one, two and three points, in great halls only."""
    name = ("mozart", "monteverdi", "wagner")[counts]
    houses: Houses = {"venezia": [name, "house"], "wien": [name, None], "berlin": ["handel", name, None]}
    match = at_table(seat_at(1, houses=houses), seat_at(1), round=round, counts=counts)
    bids(match, 0, 0)
    earned = word(match, "earned", 0)
    assert (2 * bonus, -2) == (earned["century"], earned["empty"])


def test_points_may_fall_below_zero() -> None:
    """§8.4: empty halls cost points even where there are none."""
    match = at_table(seat_at(1, houses={"wien": [None] * 4}), seat_at(1), round=3)
    bids(match, 0, 0)
    assert -4 == scores(match)[0]


def test_winner_and_tie_break() -> None:
    """§9.1, §9.2: the most points win; of equals the one who stands first in the budget table."""
    for order, points, winner in (([0, 1], [5, 6], 1), ([0, 1], [6, 6], 0), ([1, 0], [6, 6], 1)):
        match = at_table(*(seat_at(1, points=p) for p in points), order=order, round=9, counts=2)
        bids(match, 0, 0)
        outcome = match.outcome
        assert outcome is not None
        assert ("last_count", "9.1", (winner,)) == (outcome.ending, outcome.section, outcome.winners)
        assert ((), tuple(points)) == (match.to_act, outcome.scores)
        assert ("over", "9") == reason(match, "bid 0", 0)


def test_resigning_ends_the_match() -> None:
    """§9.3: a seat may give up at any time; the match is over and the others have won."""
    match = at_table(seat_at(points=50), seat_at(), seat_at())
    match.resign(0)
    outcome = match.outcome
    assert outcome is not None
    assert ("resigned", "9.3", (1, 2)) == (outcome.ending, outcome.section, outcome.winners)


def test_bank_may_owe() -> None:
    """§2.6: the bank never runs out; below zero it owes coins."""
    match = at_table(seat_at(1, 100, houses={"venezia": ["house", "verdi"]}), seat_at(1, 74))
    bids(match, 0, 0)
    assert (-4, 178) == (word(match, "bank"), sum(purses(match)))


def test_seven_rounds() -> None:
    """§11.2: counts after rounds 3, 5 and 7; cities open for rounds 4 and 6; the seventh round is the last."""
    counted = []
    for number, counts in ((1, 0), (2, 0), (3, 0), (4, 1), (5, 1), (6, 2), (7, 2)):
        match = at_table(seat_at(1), seat_at(1), round=number, counts=counts, seven_rounds=1)
        bids(match, 0, 0)
        counted.append(word(match, "counts") - counts)
    assert [0, 0, 1, 0, 1, 0, 1] == counted
    assert match.outcome is not None
    assert ("short_count", "11.2") == (match.outcome.ending, match.outcome.section)
    match = acting(seat_at(9, 99), seat_at(), round=6, counts=2, seven_rounds=1)
    play(match, 0, "hire architetto")
    assert "build milano main" in match.legal()


# §10 Two players.


def test_four_roles_with_two() -> None:
    """§10.1: with two players four roles may be hired in a round, playing along not counted."""
    match = acting(seat_at(10), seat_at(0))
    play(match, 0, "hire maestro", "move wien", "hire critico", "move paris", "hire architetto", "build wien main", "stop")
    play(match, 1, "decline")
    assert ((0,), 3) == (match.to_act, word(match, "hired", 0))
    assert "hire impresario" in match.legal()


@pytest.mark.parametrize(("seats", "levels"), [(2, [5, 5, 4]), (3, [5, 4, 3])])
def test_first_action_along_is_free_with_two(seats: int, levels: list[int]) -> None:
    """§10.2: with two players the first piece or part along costs no level and the second one; else one each."""
    others = [seat_at(0)] * (seats - 2)
    match = acting(seat_at(10), seat_at(5), *others, offer=["verdi", "wagner"])
    play(match, 0, "hire impresario", "stop", "keep")
    seen = [word(match, "level", 1)]
    for action in ("buy verdi", "buy wagner"):
        play(match, 1, action)
        seen.append(word(match, "level", 1))
    assert levels == seen
    match = acting(seat_at(10), seat_at(5), *others)
    play(match, 0, "hire architetto", "build wien main", "stop")
    seen = [word(match, "level", 1)]
    for action in ("build venezia wing", "build berlin main"):
        play(match, 1, action)
        seen.append(word(match, "level", 1))
    assert levels == seen


def test_level_zero_joins_with_two() -> None:
    """§10.2: at level 0 the free first action is open: one piece, one part, one sale, or rearranging."""
    match = acting(seat_at(10, screen=["mozart"]), seat_at(0, screen=["verdi"]), offer=["verdi", "wagner"])
    play(match, 0, "hire impresario", "stop", "keep")
    assert {"stop", "decline", "buy verdi", "buy wagner"} == set(match.legal(1))
    play(match, 1, "buy wagner", "keep")
    play(match, 0, "hire architetto", "build wien main", "stop")
    play(match, 1, "build berlin main")
    play(match, 0, "hire signora", "sell mozart screen", "take points")
    play(match, 1, "sell verdi screen", "take ducats")
    assert (0, 20 - 5 - 2 + 12) == (word(match, "level", 1), purses(match)[1])


@pytest.mark.parametrize(("literal", "level"), [(0, 3), (1, 2)])
def test_price_of_rearranging_with_two(literal: int, level: int) -> None:
    """§11.4: with two players rearranging only is free, or costs a level by the literal reading."""
    match = acting(seat_at(10), seat_at(3), literal_rearranging=literal)
    play(match, 0, "hire impresario", "keep")
    play(match, 1, "stop", "keep")
    assert level == word(match, "level", 1)


def test_literal_price_keeps_level_zero_from_rearranging() -> None:
    """§11.4: at level 0 a piece may still be bought for nothing, but rearranging only cannot be paid."""
    match = acting(seat_at(10), seat_at(0), offer=["verdi"], literal_rearranging=1)
    play(match, 0, "hire impresario", "stop", "keep")
    assert ["decline", "buy verdi"] == list(match.legal(1))
    assert ("no_level", "4.3") == reason(match, "stop", 1)
    match = acting(seat_at(10), seat_at(0), literal_rearranging=1)
    play(match, 0, "hire impresario", "keep")
    assert (0,) == match.to_act


# What a seat may know.


def test_only_bids_are_hidden() -> None:
    """§3.1, §11.1: others' bids are blanked; purses and screens follow from what everybody saw."""
    match = Match(game, 4, seed=3)
    hidden = {rules.FIELDS.field_at(i).name for i in rules.FIELDS.hidden(0)}
    assert {"bid"} == hidden
    assert [0, HIDDEN, HIDDEN, HIDDEN] == [0 if v != HIDDEN else v for v in match.masked(0)[F.bid : F.bid + 4]]


def test_redeal_draws_bids_from_all_that_are_legal() -> None:
    """§3.1: a pending bid becomes each legal one as the dice say; seats without a bid get none."""
    match = at_table(seat_at(3), seat_at(6, 3), seat_at(), seat_at())
    match.play("bid 2", 1)
    match.play("bid 1", 2)
    build = game.build()
    seen = []
    for first, second in product(range(4), range(11)):
        row = match.masked(0)
        dice = build.tape([first, second])
        rules.redeal(row, 0, dice)
        assert (0, 2) == (dice[3], dice[1])
        assert 0 == rules.check(row)
        seen.append(tuple(row[F.bid : F.bid + 4]))
    assert [(-1, a, b, -1) for a in range(4) for b in range(11)] == seen
    row = match.masked(0)
    rules.redeal(row, 0, tape := build.tape([4]))
    assert -4 == tape[3]
    row = match.masked(None)
    rules.redeal(row, -1, build.tape([2, 1]))
    assert match.row == row


# Whole matches.


def random_match(
    build: Build, seats: int, options: Mapping[str, int], seed: int
) -> Iterator[tuple[Any, Any, int, int, list[int]]]:
    """Random play: before each action the row, the events of the last one, the seat, and its legal actions."""
    chooser = random.Random(seed)
    row, mask, dice, events = build.row(), build.mask(), build.generator(seed), build.events()
    chosen = build.copy([options.get(option.name, 0) for option in rules.OPTIONS])
    build.rules.deal(row, seats, chosen, dice, events)
    while waiting := int(build.rules.to_act(row)):
        seat = chooser.choice([seat for seat in range(seats) if waiting >> seat & 1])
        build.rules.legal(row, seat, mask)
        legal = [i for i in range(rules.ACTIONS.size) if int(mask[i >> 5]) >> (i & 31) & 1]
        action = chooser.choice(legal)
        yield row, events, seat, action, legal
        events[0] = 0
        build.rules.apply(row, seat, action, dice, events)
    yield row, events, -1, -1, []


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", OPTIONS)
def test_random_matches_keep_every_invariant(seats: int, options: dict[str, int]) -> None:
    """Nothing is lost, no dead end, legal is what no § refuses for every seat, and events fit their list."""
    build = game.build()
    for seed in range(4):
        for row, events, seat, _, legal in random_match(build, seats, options, seed):
            assert 0 == rules.check(row)
            assert events[0] < fields.EVENT_ROOM
            for one in range(seats):
                allowed = [i for i in range(rules.ACTIONS.size) if rules.refuses(row, one, i) == 0]
                if one == seat:
                    assert legal == allowed
                    assert legal
                elif not rules.to_act(row) >> one & 1:
                    assert [] == allowed
        assert 0 != rules.ending(row)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_builds_agree(seats: int) -> None:
    """Interpreted and compiled rules give the same rows, legal actions and events, word by word."""
    for options in OPTIONS:
        plain, fast = (random_match(game.build(target), seats, options, seats) for target in ("python", "cpu"))
        for one, other in zip(plain, fast, strict=True):
            assert one[0] == [int(word) for word in other[0]]
            told_words = 1 + one[1][0] * fields.EVENT_WIDTH
            assert one[1][:told_words] == [int(word) for word in other[1][:told_words]]
            assert one[2:] == other[2:]


def test_four_player_matches_reshuffle() -> None:
    """§7.2: with four players nearly every match needs the discard pile; with two or three none does."""
    shares = []
    for seats in (2, 3, 4):
        reshuffled = 0
        for seed in range(40):
            codes = set()
            for _, events, *_ in random_match(game.build("cpu"), seats, {}, seed):
                codes |= {int(events[1 + i * fields.EVENT_WIDTH]) for i in range(int(events[0]))}
            reshuffled += rules.E.reshuffles in codes
        shares.append(reshuffled)
    assert [0, 0] == shares[:2]
    assert 32 <= shares[2]


def test_score_parts_add_up() -> None:
    """§9.2: every point has its origin, and the outcome names them."""
    match = Match(game, 3, seed=5)
    chooser = random.Random(5)
    while match.to_act:
        seat = match.to_act[0]
        match.play(chooser.choice(list(match.legal(seat))), seat)
    outcome = match.outcome
    assert outcome is not None
    assert list(outcome.scores) == [sum(part.values()) for part in outcome.parts]
    assert [line.name for line in rules.PARTS] == list(outcome.parts[0])


# Positions that no match could reach.


def broken(**fields: Any) -> dict[str, Any]:
    return drawn(seat_at(4), seat_at(3)) | fields


@pytest.mark.parametrize(
    ("fields", "section"),
    [
        ({"bank": 0}, "2.6"),
        ({"fame": dict(zip(COMPOSERS, (1, 1, 3, 4, 5, 6), strict=True))}, "2.3"),
        ({"century": {"1": "mozart", "2": "mozart", "3": "wagner"}}, "2.5"),
        ({"deck": dict.fromkeys(COMPOSERS, 14)}, "2.4"),
        ({"order": {"1": "1", "2": "0", "3": None, "4": None}}, "3.2"),
        ({"order": {"1": "0", "2": "0", "3": None, "4": None}}, "3.2"),
        ({"has_bid": ["0"]}, "3.1"),
        ({"taken": ["maestro"]}, "4.2"),
        ({"points": {"0": 1, "1": 0, "2": 0, "3": 0}}, "9.2"),
        ({"round": 4}, "7.6"),
        ({"asked": "hire", "turn": "1"}, "4.1"),
        ({"asked": "move", "turn": "0", "role": "maestro", "hirer": "0"}, "4.1"),
        ({"figure": {"maestro": "berlin", "critico": "berlin", "esperto": None}}, "5.8"),
        ({"level": {"0": 4, "1": 3, "2": 1, "3": 0}}, "2.1"),
        ({"palazzo": ["monteverdi", "handel", "mozart", "verdi"]}, "5.3"),
        ({"offer": dict.fromkeys(COMPOSERS, 1)}, "7.2"),
    ],
)
def test_impossible_positions_are_refused(fields: dict[str, Any], section: str) -> None:
    """A position that breaks an invariant is refused with its §."""
    with pytest.raises(BadPosition, match=rf"\(§{re.escape(section)}\)"):
        Match(game, position=broken(**fields))


def test_impossible_houses_are_refused() -> None:
    """§5.2, §5.7: wings without a main, closed cities, crowded houses and wrong supplies are refused."""
    wing = drawn(seat_at(), seat_at())
    wing["built"]["0"]["wien"] = ["wing"]
    wing["halls"]["0"]["wien"] = 2
    wing["supply"]["wien"]["wing"] = 0
    closed = drawn(seat_at(houses={"paris": [None] * 3}), seat_at())
    twice = drawn(seat_at(houses={"venezia": ["house", "verdi"]}), seat_at())
    twice["side"]["0"]["venezia"] = ["verdi", "house"]
    supply = drawn(seat_at(), seat_at())
    supply["supply"]["wien"]["main"] = 0
    for position, section in ((wing, "5.2"), (closed, "5.2"), (twice, "5.7"), (supply, "2.2")):
        with pytest.raises(BadPosition, match=rf"\(§{re.escape(section)}\)"):
            Match(game, position=position)


# Another box.


def test_default_box_adds_up() -> None:
    """§2.2: 38 parts, 70, 51 and 37 halls in play, places 1 or 2, and no fault."""
    assert [] == components.faults_of(components.BOX)
    copies, halls = list(components.COPIES), list(components.HALLS)
    assert [19, 27, 38] == [sum(copies[24 * k : 24 * k + 24]) for k in range(3)]
    assert [37, 51, 70] == [sum(c * h for c, h in zip(copies[24 * k : 24 * k + 24], halls, strict=True)) for k in range(3)]
    assert [1, 2, 1, 1, 2, 2] == list(components.STANDING)


def test_another_box_is_played(tmp_path: Path) -> None:
    """§2.2: with three mains and wings in Milano and two wings in Venezia the same rules run, under another digest."""
    text = Path(components.__file__).with_name("components.toml").read_text("utf-8")
    text = text.replace("halls = 1, copies = [1, 2, 3]", "halls = 1, copies = [1, 2, 2]", 2)
    for two in (1, 2):
        text = text.replace(f"halls = 3, copies = [{two}, 2, 2]", f"halls = 3, copies = [{two}, 2, 3]")
    path = tmp_path / "box.toml"
    path.write_text(text, "utf-8")
    other = game.with_box(path)
    assert other.build().box != game.build().box
    assert 38 == sum(list(other.build().components.COPIES)[48:])
    for row, *_ in random_match(other.build(), 4, {}, 1):
        assert 0 == other.rules.check(row)


def test_findings() -> None:
    """§2.2, §4.2: four drawn-up matches: a lock that wins, one that loses, one main each, both mains each."""
    rows = numpy.zeros((4, rules.FIELDS.width), "int16")
    for match, seat, cities in ((0, 0, (1, 2)), (1, 1, (1, 2)), (2, 0, (1,)), (2, 1, (2,)), (3, 0, (1, 2)), (3, 1, (1, 2))):
        for city in cities:
            rows[match, F.built + 6 * seat + city] = 0b11
    # A wing is no main.
    rows[0, F.built + 6 + 1] = 0b10
    lows = numpy.zeros_like(rows)
    lows[2, F.bank] = -1
    chosen = numpy.zeros((4, 2, rules.ACTIONS.size), "int16")
    chosen[:, :, A.hire + components.ROLES.index("critico")] = [[1, 2], [0, 0], [0, 0], [0, 3]]
    won = numpy.array([[1.0, 0.0], [1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    lock, hires, bank = findings.of(Contest(game, 2, rows, lows, rows, chosen, won, rows))
    assert ["50.0%", "50.0%"] == re.findall(r"([\d.]+%) ±", lock)
    assert "Impresario 0.00, Architetto 0.00, Signora 0.00, Maestro 0.00, Critico 1.50, Esperto 0.00." in hires
    assert "174 ducats" in bank and ["25.0%"] == re.findall(r"([\d.]+%) ±", bank)
    nobody = findings.of(Contest(game, 2, rows[2:], lows[2:], rows[2:], chosen[2:], won[2:], rows[2:]))
    assert ["0.0%"] == re.findall(r"([\d.]+%) ±", nobody[0])
    assert [hires] == findings.of(Contest(game, 3, rows, lows, rows, chosen, won, rows))[:1]


def test_all_faults_of_a_box_are_listed_at_once(tmp_path: Path) -> None:
    """§2.2: a box with several faults is refused with every one of them."""
    box = copy.deepcopy(components.BOX)
    box["pieces"] = 13
    box["surprise"] = 1
    del box["income"]
    box["house_composers"] = ["", ""]
    box["cities"][0]["after"] = 1
    box["cities"][1]["standing"] = 3
    box["cities"][2]["parts"][0]["halls"] = 0
    box["cities"][3]["parts"][1]["copies"] = [3, 2, 1]
    box["cities"][4]["parts"][0]["name"] = "hall"
    faults = " / ".join(components.faults_of(box))
    for part in (
        "unknown entry 'surprise'",
        "'income' is missing",
        "pieces must be 14, not 13",
        "house_composers",
        "venezia: after",
        "wien: standing",
        "berlin main: halls",
        "london wing: copies",
        "paris: parts must be a main",
    ):
        assert part in faults
    box = copy.deepcopy(components.BOX)
    box["cities"][1]["parts"][1]["halls"] = 1
    box["cities"][5]["parts"][1]["copies"] = [1, 2, 3]
    assert [
        "wien: a whole house must have 4 halls, not 3",
        "there must be 38 parts with 4 players, not 39",
    ] == components.faults_of(box)
    path = tmp_path / "box.toml"
    path.write_text("pieces = 14.0\n", "utf-8")
    with pytest.raises(BadBox, match=r"this box cannot be played: 'composers' is missing; .*pieces must be 14, not 14.0"):
        game.with_box(path)


def box_with(**changes: Any) -> dict[str, Any]:
    """The standard box with other things of some cities: "venezia_after", or "wien_halls" for all its parts."""
    box = copy.deepcopy(components.BOX)
    for name, value in changes.items():
        city, _, what = name.partition("_")
        there = box["cities"][CITIES.index(city)]
        if what in ("after", "standing"):
            there[what] = value
        elif what == "halls":
            copies = there["parts"][1]["copies"]
            names = components.PART_NAMES[: len(value)]
            there["parts"] = [{"name": one, "halls": n, "copies": copies} for one, n in zip(names, value, strict=True)]
        else:
            there["parts"][components.PART_NAMES.index(what)]["copies"] = value
    return box


PRINTED = [
    ({"london_after": 0}, "london: after must be 1, the counts before it opens, not 0"),
    ({"berlin_after": 2}, "berlin: after must be 0, the counts before it opens, not 2"),
    ({"wien_after": 1}, "wien: after must be 0, the counts before it opens, not 1"),
    ({"paris_after": 2}, "paris: after must be 1, the counts before it opens, not 2"),
    ({"milano_after": 1}, "milano: after must be 2, the counts before it opens, not 1"),
    ({"venezia_halls": (2, 1)}, "venezia main: halls must be 1, not 2"),
    ({"venezia_halls": (1, 2)}, "venezia: one of the wings must have 1 hall"),
    ({"wien_halls": (3, 1)}, "wien main: halls must be 2, not 3"),
    ({"wien_halls": (2, 1)}, "wien: a whole house must have 4 halls, not 3"),
    ({"berlin_halls": (2, 1)}, "berlin main: halls must be 1, not 2"),
    ({"berlin_halls": (1, 1)}, "berlin: a whole house must have 3 or 4 halls, not 2"),
    ({"london_halls": (3, 1)}, "london main: halls must be 1 or 2, not 3"),
    ({"london_halls": (2, 3)}, "london: a whole house must have 2 to 4 halls, not 5"),
    ({"london_halls": (1, 2)}, "london: it must be possible to have 2 halls there"),
    ({"paris_halls": (4, 1)}, "paris main: halls must be 1 to 3, not 4"),
    ({"paris_halls": (3, 1, 1)}, "paris: one of the wings must have 2 halls"),
    ({"paris_halls": (2, 2)}, "paris: a whole house must have 5 halls, not 4"),
    ({"milano_halls": (3, 2)}, "milano: a whole house must have 6 halls, not 5"),
    ({"venezia_main": [2, 3, 3]}, "venezia main: copies must be 2, 3, 4, one for each player, not [2, 3, 3]"),
    ({"venezia_wing": [0, 0, 3]}, "venezia wing: with 3 players there must be at least 1, not 0"),
    ({"wien_main": [1, 1, 3]}, "wien main: with 3 players there must be at least 2, not 1"),
    ({"paris_wing": [1, 1, 3]}, "paris wing: with 3 players there must be at least 2, not 1"),
    ({"milano_standing": 0}, "milano: standing must be 1 or 2, not 0"),
]


@pytest.mark.parametrize(("change", "fault"), PRINTED)
def test_what_is_printed_is_checked(change: dict[str, Any], fault: str) -> None:
    """§2.2: when cities open (§8.5), and their halls and parts as far as the original prints them, are no owner's choice."""
    assert fault in components.faults_of(box_with(**change))


def test_every_printed_fault_is_told_at_once(tmp_path: Path) -> None:
    """§2.2: the five boxes that were once played, in one file: each fault is named."""
    bad = box_with(
        london_after=0, berlin_after=2, venezia_halls=(2, 1), wien_halls=(3, 1), paris_halls=(4, 1), milano_standing=5
    )
    faults = components.faults_of(bad)
    for beginning in ("london: after", "berlin: after", "venezia main: halls", "wien main: halls", "paris main: halls"):
        assert any(fault.startswith(beginning) for fault in faults), beginning
    assert "milano: standing must be 1 or 2, not 5" in faults


@pytest.mark.parametrize(
    "change",
    [
        {"london_halls": (2, 1)},
        {"london_standing": 2, "wien_standing": 1},
        {"wien_main": [1, 2, 3], "berlin_main": [1, 2, 3]},
        {"milano_halls": (2, 4)},
    ],
)
def test_what_is_reconstructed_is_free(change: dict[str, Any]) -> None:
    """§2.2, §5.8: what no source tells may be what an owner of the box sees."""
    left = [fault for fault in components.faults_of(box_with(**change)) if "38 parts" not in fault]
    assert [] == left


# Words.

SELDOM = ("loses", "forced", "spent", "reshuffles", "adds", "abstains", "celebrates")


def test_everything_has_words() -> None:
    """Every action, event and reason that random play meets is put into words, from masked rows alone."""
    events, reasons = set(), set()
    for seed, options in enumerate([*OPTIONS, {}, {}]):
        match = Match(game, 2 + seed % 3, options, seed=seed)
        chooser = random.Random(seed)
        events |= {event["event"] for event in views.events(match.view(0), ui(match.game).english)}
        while match.to_act:
            seat = chooser.choice(match.to_act)
            view = match.view(seat, match.ply - 1)
            assert views.question(view, ui(view.game).english).endswith(".")
            for action in views.actions(view, ui(view.game).english):
                assert action["label"] and "{" not in action["label"]
            for number in chooser.sample(range(rules.ACTIONS.size), 12):
                refusal = match.why(number, seat)
                assert ui(game).english.label(view.row, seat, number)
                if refusal is not None:
                    reasons.add(refusal.reason)
                    text = ui(game).english.refusal(refusal)
                    assert text and "{" not in text
            match.play(chooser.choice(list(match.legal(seat))), seat)
            for event in views.events(match.view(seat, match.ply - 1), ui(match.game).english):
                events.add(event["event"])
                assert event["text"].endswith(".") and "{" not in event["text"]
    assert {event.name for event in rules.EVENTS} - events <= {*SELDOM, "discards", "repeats"}
    assert {"not_asked", "no_budget", "role_taken", "at_palazzo", "not_there"} <= reasons


def test_every_reason_and_event_has_its_own_words() -> None:
    """Each reason and each event has a sentence of its own, also those that random play seldom meets."""
    match = critic()
    sentences = {line.name: WORDS.because(line.name, match.masked(0), 0, A.place) for line in rules.REASONS}
    assert len(sentences) == len(set(sentences.values()))
    numbers = {"seat": 0, "count": 1, "great": -1}
    texts = {
        event.name: WORDS.sentence(event.name, {arg.name: numbers.get(arg.name, 1) for arg in event.args})
        for event in rules.EVENTS
    }
    assert {("climbs", "shifts")} == {
        (a, b) for a in texts for b in texts if a < b and texts[a] == texts[b] and {a, b} != {"paid", "honoured"}
    }


WHERE_IT_STANDS = {
    "lays_out": "2.4",
    "joins": "4.3",
    "declines": "4.4",
    "spent": "4.5",
    "forced": "4.5",
    "closes": "4.6",
    "abstains": "5.6",
    "earns": "6.1",
    "doubles": "6.2",
    "offers": "7.2",
    "reshuffles": "7.2",
    "adds": "7.2",
    "empties": "7.4",
    "counts": "8.2",
    "celebrates": "8.3",
    "forfeits": "8.4",
    "clears": "8.5",
}
"""The § of the rulebook that lines of the log rest on, looked up by hand."""


def test_lines_of_the_log_rest_on_their_paragraph() -> None:
    """§2.4, §4.3, §5.6, §6.2, §7.4, §8.2, §8.3, §8.4, §8.5: the log cites where the rulebook has it."""
    assert WHERE_IT_STANDS == {event.name: event.section for event in rules.EVENTS if event.name in WHERE_IT_STANDS}


def test_the_first_offer_and_a_palazzo_emptied_by_a_count_have_their_own_lines() -> None:
    """§2.4, §8.5: the offer of the deal is not told as a new one, nor a Palazzo that is not full as a full one."""
    match = at_table(seat_at(1), seat_at(), round=3, palazzo=["verdi"])
    assert {"lays_out"} == {name for name, *_ in told(Match(game, 2, seed=1)) if name in ("lays_out", "offers", "adds")}
    ply = match.ply
    bids(match, 0, 0)
    names = [name for name, *_ in told(match, ply)]
    assert "clears" in names and "empties" not in names and "offers" in names


def test_playing_along_tells_its_levels() -> None:
    """§4.3, §10.2: each piece, part or rearranging along is told with its fee and the level after it."""
    match = acting(seat_at(9), seat_at(8), offer=["verdi", "mozart"])
    play(match, 0, "hire impresario", "stop", "keep")
    ply = match.ply
    play(match, 1, "buy verdi", "buy mozart", "keep")
    expected = [("joins", "1", "impresario", 0, 8), ("buys", "1", "verdi", 6)]
    expected += [("joins", "1", "impresario", 1, 7), ("buys", "1", "mozart", 4), ("keeps", "1")]
    assert expected == told(match, ply)
    assert [
        "Blue plays along with the Impresario, and pays no level.",
        "Blue buys Verdi for 6 ducats.",
        "Blue plays along with the Impresario for 1 level, down to level 7.",
    ] == [event["text"] for event in views.events(match.view(None, ply), ui(match.game).english)][:3]


NO_BREAK = "\N{NO-BREAK SPACE}"
LINES: list[tuple[str, dict[str, int], str, str, str]] = [
    (
        "adds",
        {"composer": 3, "pieces": 0, "aside": 2},
        "Set aside: 2 pieces by Mozart.",
        f"Écartées{NO_BREAK}: 2 œuvres de Mozart.",
        "Opzij gelegd: 2 stukken van Mozart.",
    ),
    (
        "offers",
        {"composer": 3, "pieces": 3, "aside": 1},
        "New offer: 3 pieces by Mozart. Set aside: 1 piece by Mozart.",
        f"Nouvelle offre{NO_BREAK}: 3 œuvres de Mozart. Écartée{NO_BREAK}: 1 œuvre de Mozart.",
        "Nieuw aanbod: 3 stukken van Mozart. Opzij gelegd: 1 stuk van Mozart.",
    ),
    (
        "stages",
        {"seat": 1, "city": 1, "great": -1, "side": 0},
        "Blue performs nothing in Wien.",
        "Bleu ne met rien à l'affiche à Wien.",
        "Blauw voert in Wien niets op.",
    ),
    (
        "stages",
        {"seat": 1, "city": 1, "great": 5, "side": 0},
        "Blue performs in Wien: Verdi in the great hall.",
        f"Bleu met à l'affiche à Wien{NO_BREAK}: Verdi dans la grande salle.",
        "Blauw voert op in Wien: Verdi in de grote zaal.",
    ),
    (
        "stages",
        {"seat": 1, "city": 1, "great": -1, "side": 0x41},
        "Blue performs in Wien: Monteverdi and the house piece, with nothing in the great hall.",
        f"Bleu met à l'affiche à Wien{NO_BREAK}: Monteverdi et l'œuvre maison, sans rien dans la grande salle.",
        "Blauw voert op in Wien: Monteverdi en het huisstuk, met niets in de grote zaal.",
    ),
    (
        "spent",
        {"seat": 0, "roles": 3},
        "Red has hired 3 roles, as many as allowed, and must end the performance.",
        "Rouge a engagé 3 rôles, le maximum, et doit terminer sa représentation.",
        "Rood heeft 3 rollen ingehuurd, het maximum, en moet de voorstelling beëindigen.",
    ),
    (
        "builds",
        {"seat": 2, "city": 0, "part": 1, "halls": 1},
        "Yellow builds the first wing in Venezia, 1 hall: 2 ducats, 2 points.",
        "Jaune construit la première aile de Venezia (1 salle) pour 2 ducats et marque 2 points.",
        "Geel bouwt de eerste vleugel in Venezia (1 zaal) voor 2 dukaten en scoort 2 punten.",
    ),
    (
        "forfeits",
        {"seat": 3, "points": 1, "total": 0},
        "Green loses 1 point for empty halls: 0 points now.",
        f"Vert perd 1 point pour ses salles vides{NO_BREAK}: 0 point à présent.",
        "Groen verliest 1 punt voor lege zalen: nu 0 punten.",
    ),
]


@pytest.mark.parametrize(("event", "seen", "en", "fr", "nl"), LINES)
def test_lines_by_hand(event: str, seen: dict[str, int], en: str, fr: str, nl: str) -> None:
    """Empty halves are left out, numbers agree, and names fall into place in three languages."""
    spoken = []
    for name in ("en", "fr", "nl"):
        spoken.append(Words(ui(game).narrator(name)).sentence(event, seen))
    assert [en, fr, nl] == spoken


def test_labels_of_parts_tell_their_price(tmp_path: Path) -> None:
    """§5.2: what a part costs and brings stands on its button, by the box that is played with."""
    row = [0] * rules.FIELDS.width
    build = rules.ACTIONS.parse("build london wing")
    assert build is not None
    assert "build the wing in London: 4 ducats, 4 points" == ui(game).english.label(row, 0, build)
    text = Path(components.__file__).with_name("components.toml").read_text("utf-8")
    before, london, after = text.partition('name = "london"')
    path = tmp_path / "box.toml"
    path.write_text(before + london + after.replace('"wing", halls = 2', '"wing", halls = 1', 1), "utf-8")
    assert "build the wing in London: 2 ducats, 2 points" == ui(game.with_box(path)).english.label(row, 0, build)


def test_notation_round_trip() -> None:
    """Every action has a notation that parses back to it, in lower-case English words."""
    for action in range(rules.ACTIONS.size):
        notation = rules.ACTIONS.notation(action)
        assert action == rules.ACTIONS.parse(notation)
        assert re.fullmatch(r"[a-z]+( [a-z0-9]+)*", notation)
    assert 135 == rules.ACTIONS.size


def test_refusals_name_what_would_do() -> None:
    """§5.3: a refused action says why, with its §, and what is legal."""
    for screen, palazzo, why in (
        ([], [], "you have no piece to sell"),
        (["verdi"], ["verdi"], "you have no piece that the Palazzo would take: it has Verdi"),
    ):
        match = acting(seat_at(3, screen=screen), seat_at(), palazzo=palazzo)
        refusal = rf"'hire signora' by seat 0 at ply 3: {why} \(§5.3\); legal: 'hire"
        with pytest.raises(IllegalAction, match=refusal):
            match.play("hire signora")


# The picture.


def test_closed_screens_are_not_drawn() -> None:
    """§11.1: with closed screens a rival's ducats and pieces change nothing in the picture; with open ones they do."""
    for screens, same in ((0, True), (1, False)):
        drawings = []
        for ducats, screen in ((20, ["verdi"]), (3, ["handel"])):
            position = drawn(seat_at(), seat_at(0, ducats, screen=screen), screens=screens)
            match = Match(game, position=_settled(position))
            drawings.append([ui(game).drawing(match.view(viewer), ui(game).english) for viewer in (0, None)])
            assert f"{ducats} ducats" in ui(game).drawing(match.view(1), ui(game).english)
        assert same == (drawings[0] == drawings[1])


def _settled(position: dict[str, Any]) -> dict[str, Any]:
    """The position with the pieces it lacks on the discard pile, so that the deck stays the same."""
    for name in COMPOSERS:
        century = list(position["century"].values()).count(name)
        held = sum(screen[name] for screen in position["screen"].values())
        position["deck"][name] = 12 - century
        position["discard"][name] = 2 - held
    return position


@pytest.mark.parametrize(("spoken", "letters"), [("en", "R B Y G"), ("fr", "R B J V"), ("nl", "R B Ge Gr")])
def test_seats_have_letters_of_their_colour(spoken: str, letters: str) -> None:
    """§2.1: in the budget table seats go by the first letters of their colour, in the language spoken, no two alike."""
    view = Match(game, position=drawn(*[seat_at()] * 4)).view(None)
    plain = Text.from_markup(ui(game).drawing(view, ui(game).words(ui(game).narrator(spoken))), emoji=False).plain
    table = next(line for line in plain.splitlines() if line.startswith("Budget"))
    assert letters.split() == table.split()[2:6]
    assert "⌂" in plain and "Ho" not in plain


def test_nothing_is_to_come_after_the_end() -> None:
    """§9.1: the picture of a finished match shows no next income and no next count."""
    match = at_table(seat_at(1), seat_at(), round=9, counts=2)
    assert "next income" in ui(game).drawing(match.view(None), ui(game).english)
    bids(match, 0, 0)
    assert () == match.to_act
    assert "next income" not in ui(game).drawing(match.view(None), ui(game).english)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_pictures_fit_eighty_columns(seats: int) -> None:
    """The table is drawn at every step, without markup errors, for players and spectators."""
    match = Match(game, seats, seed=seats)
    chooser = random.Random(seats)
    while match.to_act:
        seat = chooser.choice(match.to_act)
        for viewer in (seat, None):
            plain = Text.from_markup(ui(game).drawing(match.view(viewer, match.ply), ui(game).english), emoji=False).plain
            assert 80 >= max(len(line) for line in plain.split("\n"))
        match.play(chooser.choice(list(match.legal(seat))), seat)
    assert "Rounds" in ui(game).drawing(match.view(0), ui(game).english)


# The bot.


def bot_match(seats: int, bots: Sequence[int], seed: int, build: Build) -> int:
    """The winner of a match between the bot, on these seats, and random play."""
    row, mask, dice, events = build.row(), build.mask(), build.generator(seed), build.events(muted=True)
    scratch, chance = build.row(), random.Random(seed)
    build.rules.deal(row, seats, build.copy([0, 0, 0, 0]), dice, events)
    while waiting := int(build.rules.to_act(row)):
        seat = (waiting & -waiting).bit_length() - 1
        build.rules.legal(row, seat, mask)
        if seat in bots:
            masked = row.copy()
            for index in rules.FIELDS.hidden(seat):
                masked[index] = HIDDEN
            action = build.bot.policy(masked, seat, mask, dice, events, scratch)
        else:
            action = build.dice.nth_legal(mask, chance.randrange(int(build.dice.count_legal(mask))))
        assert build.dice.is_legal(mask, action)
        build.rules.apply(row, seat, action, dice, events)
    return int(build.rules.winners(row)).bit_length() - 1


@pytest.mark.parametrize(("seats", "share"), [(2, 0.95), (3, 0.9), (4, 0.85)])
def test_bot_beats_random_play(seats: int, share: float) -> None:
    """From what its seat may know the bot always finds a legal action, and nearly always beats random rivals."""
    build = game.build("cpu")
    won = sum(bot_match(seats, [seed % seats], seed, build) == seed % seats for seed in range(40))
    assert share * 40 <= won


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bot_is_the_same_in_every_build(seats: int) -> None:
    """The policy chooses alike interpreted and compiled, with every option."""
    plain, fast = game.build(), game.build("cpu")
    for options in OPTIONS:
        chosen = [options.get(option.name, 0) for option in rules.OPTIONS]
        rows = [build.row() for build in (plain, fast)]
        dice = [build.generator(seats) for build in (plain, fast)]
        for build, row, die in zip((plain, fast), rows, dice, strict=True):
            build.rules.deal(row, seats, build.copy(chosen), die, build.events(muted=True))
        while waiting := int(rules.to_act(rows[0])):
            seat = (waiting & -waiting).bit_length() - 1
            actions = []
            for build, row, die in zip((plain, fast), rows, dice, strict=True):
                mask = build.mask()
                build.rules.legal(row, seat, mask)
                action = int(build.bot.policy(row, seat, mask, die, build.events(muted=True), build.row()))
                build.rules.apply(row, seat, action, die, build.events(muted=True))
                actions.append(action)
            assert actions[0] == actions[1]
        assert rows[0] == [int(number) for number in rows[1]]


def choice(match: Match) -> str:
    """What the bot does where one seat is to act."""
    (seat,) = match.to_act
    build = game.build()
    mask = build.mask()
    rules.legal(match.masked(seat), seat, mask)
    scratch, dice = build.row(), build.generator(1)
    return str(
        rules.ACTIONS.notation(build.bot.policy(match.masked(seat), seat, mask, dice, build.events(muted=True), scratch))
    )


@pytest.mark.parametrize("ducats", [6, 12, 40])
def test_bot_does_not_rearrange_only_in_the_last_round(ducats: int) -> None:
    """§9.1: ducats are worth nothing in the end, so whoever pays a level for rearranging takes a piece for it as well."""
    # Verdi belongs into a great hall; for Beethoven there is no hall left.
    houses: Houses = {"venezia": ["handel"], "wien": ["mozart", "house"]}
    blue = seat_at(4, ducats, houses=houses, screen=["verdi"])
    match = acting(seat_at(5), blue, seat_at(), round=9, counts=2, offer=["beethoven"])
    play(match, 0, "hire impresario", "stop", "keep")
    assert {"buy beethoven", "stop", "decline"} == set(match.legal())
    assert "buy beethoven" == choice(match)


def test_bot_takes_points_once_it_is_rich() -> None:
    """§5.3: poor in the second round it sells for ducats; with more than it can spend, or at the end, for points."""
    for number, ducats, payment in ((2, 3, "ducats"), (2, 60, "points"), (8, 40, "points"), (9, 10, "points")):
        match = acting(seat_at(5, ducats, screen=["verdi"]), seat_at(), round=number, counts=(number - 1) // 3)
        play(match, 0, "hire signora", "sell verdi screen")
        assert f"take {payment}" == choice(match), (number, ducats)


def test_bot_uses_its_last_levels() -> None:
    """§9.1: levels are worth nothing in the end; with a piece to sell it hires the Signora rather than end."""
    match = acting(seat_at(3, 1, screen=["verdi"]), seat_at(), round=9, counts=2)
    assert "hire signora" == choice(match)


def test_bids_of_the_bot_mix() -> None:
    """§3.1: in one and the same position the bot does not always bid the same."""
    match = at_table(seat_at(3), seat_at(2), seat_at())
    build = game.build()
    mask = build.mask()
    rules.legal(match.masked(0), 0, mask)
    seen = {build.bot.policy(match.masked(0), 0, mask, build.generator(seed), [-1], build.row()) for seed in range(20)}
    assert len(seen) > 1
