"""Liar's Dice: the rulebook § by §, and its bot."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from pathlib import Path
from typing import Any

import pytest

from liars_dice import components
from ridotto.core.errors import IllegalAction
from ridotto.core.match import Entry, Match
from ridotto.engine.errors import BadBox
from ridotto.games import GAMES
from ridotto.present import views
from ridotto.present.ui import ui

GAME = GAMES["liars_dice"]
RULES: Any = GAME.rules


def rolled(*cups: Sequence[int], sides: int = 6, single: int = 0) -> Match:
    """A match in which these faces were rolled, a cup for each seat, all with as many dice."""
    options = {"dice": len(cups[0]), "sides": sides, "single": single}
    return Match(GAME, len(cups), options, draws=[face - 1 for cup in cups for face in cup], seed=1)


def standing(match: Match, left: Sequence[int], turn: int = 0) -> Match:
    """A match like this one, but with so many dice left at each seat, all of them ones."""
    position = match.position()
    faces = [str(face + 1) for face in range(RULES.SIDES)]
    for seat, number in enumerate(left):
        position["left"][str(seat)] = number
        position["cup"][str(seat)] = dict.fromkeys(faces, 0) | {"1": number}
    position["turn"] = str(turn)
    position["round"] = 1 + match.seats * match.options["dice"] - sum(left)
    return Match(GAME, position=position, seed=1)


def said(match: Match, *actions: str) -> Match:
    """The match after these actions of whoever is to act."""
    for action in actions:
        match.play(action)
    return match


def told(match: Match, ply: int = -1) -> list[tuple[str, dict[str, Any]]]:
    """What everybody was told of an entry."""
    wanted = match.ply - 1 if ply < 0 else ply
    return [
        (one["event"], one["args"]) for one in views.events(match.view(None), ui(match.game).english) if one["ply"] == wanted
    ]


def refusal(match: Match, action: str) -> str:
    """Why an action is refused to the seat to act."""
    found = match.why(action, match.to_act[0])
    assert found is not None
    return f"{found.reason} §{found.section}"


# §2 Setting up.


@pytest.mark.parametrize("seats", GAME.seats)
def test_everybody_has_as_many_dice(seats: int) -> None:
    """§2.1: five dice each, or as many as was agreed."""
    for options, number in (({}, 5), ({"dice": 2}, 2)):
        match = Match(GAME, seats, options, seed=seats)
        position = match.position()
        assert [number] * seats + [0] * (6 - seats) == list(position["left"].values())
        assert [number] * seats == [sum(position["cup"][str(seat)].values()) for seat in range(seats)]


def test_dice_have_as_many_sides_as_agreed() -> None:
    """§2.1: a die of three sides shows 1, 2 or 3, and nothing can be bid on a 4."""
    shown = set()
    for seed in range(30):
        match = Match(GAME, 3, {"sides": 3}, seed=seed)
        cups = match.position()["cup"].values()
        shown |= {face for cup in cups for face, number in cup.items() if number}
    assert {"1", "2", "3"} == shown
    assert "no_face §2.1" == refusal(match, "bid 1 4")
    assert {"1", "2", "3"} == {action.split()[2] for action in match.legal()}


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_first_seat_begins(seats: int) -> None:
    """§2.2: whatever was rolled."""
    assert {(0,)} == {Match(GAME, seats, seed=seed).to_act for seed in range(5)}


# §3 A round.


def test_everybody_sees_the_own_dice_alone() -> None:
    """§3.1: a roll is told to its owner, and that there was one to everybody."""
    match = rolled((1, 6, 3), (5, 5, 2))
    assert [
        ("opens", {"round": 1, "dice": 6}),
        ("rolls", {"seat": "0", "hand": "?"}),
        ("rolls", {"seat": "1", "hand": "?"}),
    ] == (told(match, 0))
    own = [one["args"] for one in views.events(match.view(1), ui(match.game).english) if one["event"] == "rolls"]
    assert [{"seat": "0", "hand": "?"}, {"seat": "1", "hand": "255"}] == own
    cups = match.view(1).position["cup"]
    assert {"1": 0, "2": 1, "3": 0, "4": 0, "5": 2, "6": 0} == cups["1"]
    assert set("?") == set(cups["0"].values())


def test_all_who_have_dice_roll_in_every_round() -> None:
    """§3.1: after a challenge all dice that are left are rolled anew."""
    match = said(rolled((1, 1), (2, 2), (3, 3)), "bid 6 1")
    match.play("liar", entry=Entry(1, "liar", (5, 4, 4, 3, 3)))
    assert [("opens", {"round": 2, "dice": 5})] == [one for one in told(match) if one[0] == "opens"]
    cups = match.position()["cup"]
    assert ["6", "5", "4"] == [next(face for face, n in cups[str(seat)].items() if n) for seat in range(3)]


def test_turns_go_round_the_table() -> None:
    """§3.2: one after the other, and nobody out of turn."""
    match = rolled((1,), (1,), (1,))
    for number, seat in enumerate((0, 1, 2, 0, 1), 1):
        assert (seat,) == match.to_act
        with pytest.raises(IllegalAction, match=r"§3\.2"):
            match.play(f"bid {1 + number // 3} {1 + number % 3}", (seat + 1) % 3)
        match.play(f"bid 1 {number}")


def test_players_without_dice_are_passed_over() -> None:
    """§3.2: seats 1 and 2 of four have none."""
    match = standing(rolled((1,), (1,), (1,), (1,)), (1, 0, 0, 1))
    assert [(0,), (3,), (0,)] == [match.to_act, said(match, "bid 1 1").to_act, said(match, "bid 1 2").to_act]


def test_bids_rise() -> None:
    """§3.3: after "four fives" come four sixes, and five or more of anything."""
    match = said(rolled((1, 2, 3), (1, 2, 3)), "bid 4 5")
    higher = ["bid 4 6", *(f"bid {quantity} {face}" for quantity in (5, 6) for face in range(1, 7)), "liar"]
    assert higher == list(match.legal())
    assert ["not_higher §3.3"] * 3 == [refusal(match, action) for action in ("bid 4 3", "bid 4 5", "bid 3 6")]
    assert ("bids", {"seat": "0", "quantity": 4, "face": "5"}) in told(match)


def test_a_bid_names_no_more_dice_than_there_are() -> None:
    """§3.3: with five dice on the table nobody can say six, although the match began with six."""
    match = standing(rolled((1, 2, 3), (1, 2, 3)), (3, 2))
    assert "bid 5 6" == match.legal()[-1]
    assert "too_many §3.3" == refusal(match, "bid 6 1")


def test_who_begins_must_bid_and_who_is_cornered_must_challenge() -> None:
    """§3.4: there is nothing to challenge before the first bid, and nothing else to do after the highest."""
    match = rolled((1,), (2,))
    assert "no_bid §3.4" == refusal(match, "liar")
    assert ["liar"] == list(said(match, "bid 2 6").legal())


@pytest.mark.parametrize(("quantity", "loser"), [(1, 1), (2, 1), (3, 1), (4, 0)])
def test_a_challenge_decides_who_was_wrong(quantity: int, loser: int) -> None:
    """§3.4: three dice show a two: whoever bid three or fewer was right, and the challenger loses."""
    match = said(rolled((2, 2, 1), (2, 3, 4)), f"bid {quantity} 2", "liar")
    expected = [
        ("challenges", {"seat": "1", "bidder": "0"}),
        ("shows", {"seat": "0", "hand": "122"}),
        ("shows", {"seat": "1", "hand": "234"}),
        ("counts", {"face": "2", "found": 3, "quantity": quantity}),
        ("loses", {"seat": str(loser), "left": 2}),
    ]
    assert expected == told(match)[:5]


@pytest.mark.parametrize(("sides", "face", "found"), [(6, 5, 3), (6, 6, 1), (6, 1, 1), (5, 5, 2), (5, 4, 2), (5, 1, 2)])
def test_the_highest_face_is_wild(sides: int, face: int, found: int) -> None:
    """§3.5: it counts for every face; a bid on it counts it alone; with fewer sides another face is the highest."""
    dice = (5, 5, 6, 2) if sides == 6 else (5, 5, 3, 2)
    match = said(rolled(dice[:2], dice[2:], sides=sides), f"bid 4 {face}", "liar")
    assert found == dict(told(match))["counts"]["found"]


# §4 The end.


def test_the_loser_puts_a_die_away_and_begins() -> None:
    """§4.1: the seat that was wrong has one die less and begins the next round."""
    for bid, loser in (("bid 1 1", 1), ("bid 4 1", 0)):
        match = said(rolled((1, 1), (1, 2)), bid, "liar")
        assert (loser,) == match.to_act
        assert {loser: 1, 1 - loser: 2} == {seat: match.position()["left"][str(seat)] for seat in (0, 1)}
        assert 2 == match.position()["round"]


def test_after_somebody_who_is_out_the_next_one_begins() -> None:
    """§4.1: seat 1 loses its last die; seat 2 has none either, so that seat 3 begins."""
    match = standing(rolled((1,), (1,), (1,), (1,)), (1, 1, 0, 1), turn=1)
    said(match, "bid 3 2", "liar")
    assert (3,) == match.to_act
    assert ("loses", {"seat": "1", "left": 0}) in told(match)


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_single_challenge_may_decide(seats: int) -> None:
    """§4.1: with the option `single` its loser has lost, and all others have won."""
    match = said(rolled(*[(1, 1)] * seats, single=1), "bid 1 1", "liar")
    assert match.outcome is not None
    assert ("decided", tuple(seat for seat in range(seats) if seat != 1)) == (match.outcome.ending, match.outcome.winners)


def test_the_last_with_dice_wins() -> None:
    """§4.2: and the score is what is left; the cups stay up, the die lost last beside them."""
    match = standing(rolled((1, 1), (1, 1), (1, 1)), (1, 0, 2))
    said(match, "bid 3 2", "liar")
    assert match.outcome is not None
    assert ("last", (2,), (0, 0, 2)) == (match.outcome.ending, match.outcome.winners, match.outcome.scores)
    assert ("ends", {"winners": ["2"]}) in told(match)
    assert [1, 0, 2] == [match.position()["cup"][str(seat)]["1"] for seat in range(3)]
    assert "over §4" == f"{match.why('liar', 2).reason} §{match.why('liar', 2).section}"  # type: ignore[union-attr]


def test_one_die_each_is_one_round() -> None:
    """§4.2: two players with a die each are done after one challenge, whatever was agreed on that."""
    for single in (0, 1):
        match = said(rolled((1,), (2,), single=single), "bid 1 1", "liar")
        assert match.outcome is not None and (0,) == match.outcome.winners


def test_giving_up() -> None:
    """§4.3: anybody may at any time, and all others have won."""
    match = rolled((1, 2), (3, 4), (5, 6))
    match.resign(1)
    assert match.outcome is not None
    assert ("resigned", "4.3", (0, 2)) == (match.outcome.ending, match.outcome.section, match.outcome.winners)


# What the box and the bot know.


def test_hands_are_all_there_are() -> None:
    """Every hand of up to five dice has a number, and one more die leads from one to the next."""
    assert sum(comb(size + 5, 5) for size in range(6)) == len(components.HANDS) == len(set(components.HANDS))
    number = 0
    for face in (5, 0, 3, 3):
        number = components.ADDED[number * components.SIDES + face]
    assert "1446" == components.HANDS[number]


@pytest.mark.parametrize(("line", "fault"), [("dice = 6\nsides = 6", "dice must be"), ("dice = 2", "sides must be a whole")])
def test_impossible_boxes_are_refused(tmp_path: Path, line: str, fault: str) -> None:
    """A box with too many dice, or without sides, is refused with what is wrong."""
    box = tmp_path / "box.toml"
    box.write_text(line)
    with pytest.raises(BadBox, match=fault):
        GAME.with_box(box)


def test_a_smaller_box(tmp_path: Path) -> None:
    """Two dice of four sides: six times two dice of four faces to bid on, and a challenge."""
    box = tmp_path / "box.toml"
    box.write_text("dice = 2\nsides = 4")
    game = GAME.with_box(box)
    assert 6 * 2 * 4 + 1 == game.rules.ACTIONS.size
    match = Match(game, 2, seed=1)
    while match.to_act:
        match.play(match.legal()[0])
    assert match.outcome is not None and 1 == len(match.outcome.winners)


@pytest.mark.parametrize(
    ("mine", "others", "bid", "expected"),
    [
        ((5, 5), 2, (2, 5), 1.0),  # both are there
        ((5, 6), 2, (3, 5), 1 - (4 / 6) ** 2),  # one of two others is a five or a six
        ((1, 1), 2, (2, 6), (1 / 6) ** 2),  # both others are sixes
        ((1, 1), 2, (3, 2), 0.0),  # two dice cannot make three
    ],
)
def test_chances_by_hand(mine: Sequence[int], others: int, bid: tuple[int, int], expected: float) -> None:
    """How likely a bid is, as the bot reckons."""
    match = rolled(mine, [1] * others)
    bot: Any = GAME.build().bot
    found = bot.chance(list(match.row), 0, bid[0], bid[1] - 1)
    assert round(10_000 * expected) == found


def test_the_policy_does_what_is_plain() -> None:
    """It never challenges what it sees, always what cannot be, and raises on what it has."""
    build = GAME.build()

    def choice(match: Match) -> str:
        seat, mask = match.to_act[0], build.mask()
        build.rules.legal(list(match.row), seat, mask)
        action = build.bot.policy(match.masked(seat), seat, mask, build.generator(1), build.events(muted=True), build.row())
        return str(RULES.ACTIONS.notation(action))

    assert "liar" == choice(said(rolled((1, 1), (2, 2)), "bid 3 1"))
    assert "bid 2 5" == choice(said(rolled((1, 1), (5, 5)), "bid 2 4"))
    assert "liar" != choice(said(rolled((1, 1), (5, 5)), "bid 2 5"))
