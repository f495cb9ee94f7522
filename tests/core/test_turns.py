"""A turn with commas costs a bounded number of tries, keeps the order of cards, and its refusal tells no secret."""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from turn_orders import COMPOUND, some_turns

from ridotto.core import drafts, turns
from ridotto.core.errors import BadNotation, IllegalAction
from ridotto.core.match import Match
from ridotto.core.worlds import Step, watched_step
from ridotto.engine.fields import Row
from ridotto.games import GAMES


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list that gets one entry for each decision that is done while an order is looked for."""
    steps: list[int] = []

    def count(*given: object) -> Step:
        steps.append(1)
        return watched_step(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("ridotto.core.turns.watched_step", count)
    return steps


@pytest.mark.parametrize("game", COMPOUND)
def test_a_turn_costs_a_bounded_number_of_tries(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is listed: honest decisions, many times over, among others that exist and that do not fit."""
    chooser, most, steps = random.Random(game), 0, counted(monkeypatch)
    for turn in some_turns(game, 3, 11):
        actions = turn.match.rules.ACTIONS
        every = [actions.notation(number) for number in range(actions.size)]
        for listed in (
            turn.decisions,
            [*turn.decisions, chooser.choice(every)],
            [*turn.decisions, *every],
            turn.match.legal(turn.seat),
        ):
            for _ in range(4):
                steps.clear()
                text = ", ".join(chooser.choice(list(listed)) for _ in range(turns.MOST_DECISIONS))
                match = turn.match.after(turn.match.ply)
                with pytest.raises((IllegalAction, BadNotation)):
                    match.play(text, turn.seat)
                most = max(most, len(steps))
                assert turn.match.row == match.row
    assert 0 < most <= turns.MOST_TRIES


def test_the_tries_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no order is found within the tries, the turn is refused with what was wrong where most had been done."""
    turn = next(turn for turn in some_turns("turandot", 1, 3) if turn.kind == "cast")
    backwards = ", ".join(reversed(turn.decisions))
    turn.match.after(turn.match.ply).play(backwards, turn.seat)
    monkeypatch.setattr(turns, "MOST_TRIES", len(turn.decisions))
    with pytest.raises((IllegalAction, BadNotation)):
        turn.match.after(turn.match.ply).play(backwards, turn.seat)


def test_what_names_no_action_is_refused_before_anything_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Verbs of the game, and names of the game after them: everything else is no decision, whatever is asked."""
    turn, steps = next(turn for turn in some_turns("turandot", 1, 3) if turn.kind == "cast"), counted(monkeypatch)
    for wrong in ("pick nobody", "cast nobody", "cast liu nobody", "cats opale", "cast opale, cast a"):
        with pytest.raises(BadNotation, match="names no action of turandot"):
            turn.match.play(f"{', '.join(turn.decisions)}, {wrong}", turn.seat)
    assert [] == steps
    with pytest.raises(BadNotation) as refused:
        turn.match.play(f"cast opale, {'x' * 900}", turn.seat)
    assert len(str(refused.value)) < 300, "a long text is not repeated"


def runs_of_the_rules(match: Match, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list that gets the id of every action that the rules are asked to do in a match."""
    apply, runs = match.rules.apply, list[int]()

    def counting(row: Row, seat: int, action: int, *rest: list[int]) -> None:
        runs.append(action)
        apply(row, seat, action, *rest)

    monkeypatch.setattr(match.rules, "apply", counting)
    return runs


def test_the_rules_run_once_for_each_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was done on a copy to find the order is taken over; a decision out of order is refused, and costs no run."""
    match = Match(GAMES["fantome"], seed=4)
    runs = runs_of_the_rules(match, monkeypatch)
    for text in ("pick giry, lock 4-8, move 1", "move 1, lock 4-8, pick giry"):
        runs.clear()
        match.after(match.ply).play(text)
        assert ["pick giry", "lock 4-8", "move 1"] == [match.rules.ACTIONS.notation(action) for action in runs]
    runs.clear()
    drafts.drafted(match, 0, ["pick giry", "move 1", "lock 4-8"]).view(0)
    assert 3 == len(runs)


def test_only_a_draw_makes_the_rules_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """§5.1 of Le Fantôme: Raoul's alibi is drawn when the turn is done, and not while its order is looked for."""
    match, seat = next((match, seat) for match, seat in map(two_cards, range(1, 200)) if "pick raoul" in match.legal(seat))
    with_raoul = match.after(match.ply)
    with_raoul.play("pick raoul")
    move = next(action for action in with_raoul.legal() if action.startswith("move"))
    runs = runs_of_the_rules(match, monkeypatch)
    match.play(f"pick raoul, {move}", seat)
    draws = len(match.entries[-1].draws)
    assert draws and 2 + 1 + draws == len(runs), "the search, the first run without a draw, and one for each draw"


def two_cards(seed: int) -> tuple[Match, int]:
    """A match of Le Fantôme in which one seat plays the next two cards, and that seat."""
    match = Match(GAMES["fantome"], seed=seed)
    while match.position()["played"] != 1:
        match.play(match.legal()[-1])
    return match, match.to_act[0]


def moved(match: Match, card: str) -> tuple[str, ...]:
    """The decisions of a card that only moves; none if it does something else, or draws."""
    seat = match.to_act[0]
    match.play(f"pick {card}")
    move = next((action for action in match.legal() if action.startswith("move")), None)
    if move is None:
        return ()
    match.play(move)
    fine = seat in match.to_act and match.position()["asked"] == "pick" and not match.entries[-1].draws
    return (f"pick {card}", move) if fine else ()


def test_cards_are_played_in_the_order_in_which_they_were_written() -> None:
    """§3.3 of Le Fantôme: who plays two cards in a row names the first one first, and no other order is tried."""
    checked = 0
    for seed in range(1, 120):
        match, seat = two_cards(seed)
        for first, second in permutations([action.split()[1] for action in match.legal(seat)], 2):
            one = match.after(match.ply)
            if not (begun := moved(one, first)):
                continue
            one.play(f"pick {second}")
            last = next((action for action in one.legal() if action.startswith("move")), None)
            if last is None or one.after(one.ply).why(last) is not None:
                continue
            for text in (begun[0], begun[1], f"pick {second}", last), (begun[1], begun[0], last, f"pick {second}"):
                written = match.after(match.ply)
                written.play(", ".join(text), seat)
                assert [*begun, f"pick {second}", last] == [entry.do for entry in written.entries[match.ply :]]
            checked += 1
    assert checked > 10


def test_a_card_that_must_wait_is_refused_and_not_played_last() -> None:
    """§5.1 of Le Fantôme: Raoul's move draws an alibi, so nothing may follow it, and nobody else moves before it either."""
    match, seat = next((match, seat) for match, seat in map(two_cards, range(1, 200)) if "pick raoul" in match.legal(seat))
    other = next(action.split()[1] for action in match.legal(seat) if action != "pick raoul")
    with_raoul = match.after(match.ply)
    with_raoul.play("pick raoul")
    move = next(action for action in with_raoul.legal() if action.startswith("move"))
    before = match.row, match.ply
    with pytest.raises(IllegalAction) as refused:
        match.play(f"pick raoul, {move}, pick {other}", seat)
    assert refused.value.refusal is not None and "later" == refused.value.refusal.reason
    assert before == (match.row, match.ply)


def test_two_cards_are_done_as_written_or_refused() -> None:
    """`pick raoul, move 0, pick richard, swap meg` is refused, whatever would be possible with Richard first."""
    both = {"pick raoul", "pick richard"}
    match, seat = next((match, seat) for match, seat in map(two_cards, range(1, 2000)) if both <= set(match.legal(seat)))
    options = {}
    for card, verb in (("raoul", "move"), ("richard", "swap")):
        one = match.after(match.ply)
        one.play(f"pick {card}")
        options[card] = next(action for action in one.legal() if action.startswith(verb) and action != "swap raoul")
    raoul, richard = ("pick raoul", options["raoul"]), ("pick richard", options["richard"])
    for text in (", ".join(raoul + richard), ", ".join((raoul[1], raoul[0], *richard)), ", ".join(raoul + richard[::-1])):
        before = match.row, match.ply
        with pytest.raises(IllegalAction) as refused:
            match.play(text, seat)
        assert refused.value.refusal is not None and "later" == refused.value.refusal.reason
        assert before == (match.row, match.ply)
    match.play(", ".join(richard + raoul), seat)
    assert [*richard, *raoul] == [entry.do for entry in match.entries[-4:]]


@pytest.mark.parametrize(
    "text", ["bid 3, hire maestro", "bid 3, hire impresario", "bid 3, bid 4", "hire maestro, bid 3", "bid 99, bid 3"]
)
def test_a_refused_turn_lists_what_is_legal_now(text: str) -> None:
    """§3.1 of Opera: whatever the other has bid in secret, the error for programs is the same to the last letter."""
    errors = set()
    for hidden in ("bid 0", "bid 8"):
        match = Match(GAMES["opera"], 2, seed=1)
        match.play(hidden, 0)
        with pytest.raises((IllegalAction, BadNotation)) as refused:
            match.play(text, 1)
        errors.add(str(refused.value))
    (error,) = errors
    if "names no action" not in error:
        assert "legal: 'bid 0', 'bid 1'" in error
