"""The engine of Liar's Dice against the second, independent model of its rules, decision by decision."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest
from models.liars_dice_model import Model

from ridotto.core.match import Match
from ridotto.games import GAMES

GAME = GAMES["liars_dice"]


class Disagreement(AssertionError):
    """The engine and the model do not say the same."""


def rolled(match: Match, ply: int) -> list[int]:
    """The faces that were rolled in an entry: chance counts them from 0."""
    return [draw + 1 for draw in match.entries[ply].draws]


def laid_out(match: Match) -> Model:
    """The model's table after the deal of a match."""
    chosen = match.options
    return Model(match.seats, chosen["dice"], chosen["sides"], bool(chosen["single"]), rolled(match, 0))


def of_engine(match: Match) -> dict[str, Any]:
    """The engine's table, in plain words."""
    now = match.position()
    cups = [sorted(int(face) for face, n in now["cup"][str(seat)].items() for _ in range(n)) for seat in range(match.seats)]
    over = match.outcome is not None
    return {
        "cups": cups,
        "left": [now["left"][str(seat)] for seat in range(match.seats)],
        "bid": (now["quantity"], int(now["face"])) if now["quantity"] else None,
        "bidder": int(now["bidder"]) if now["bidder"] else None,
        "turn": None if over else match.to_act[0],
        "round": now["round"],
        "legal": list(match.legal()),
        "winners": list(match.outcome.winners) if match.outcome else [],
    }


def of_model(model: Model, resigned: int | None) -> dict[str, Any]:
    """The model's table, in the same words."""
    over = bool(model.winners) or resigned is not None
    others = [player for player in range(len(model.cups)) if player != resigned]
    return {
        "cups": model.cups,
        "left": [len(cup) - (player == model.lost) for player, cup in enumerate(model.cups)],
        "bid": model.last_bid,
        "bidder": model.last_bidder,
        "turn": None if over else model.turn,
        "round": model.round,
        "legal": [] if over else model.legal(),
        "winners": model.winners if resigned is None else others,
    }


def compare(match: Match, model: Model, where: str, resigned: int | None = None) -> None:
    """Hold the whole table, who is to act and what is legal against each other."""
    expected, now = of_model(model, resigned), of_engine(match)
    if lines := [f"{key}: the model says {expected[key]}, the engine {now[key]}" for key in now if expected[key] != now[key]]:
        raise Disagreement("\n  ".join([f"{where}:", *lines]))


def confirm(match: Match, name: str) -> int:
    """Play a recorded match once more beside the model, undone and resigned entries too; how many decisions agreed."""
    again = Match(match.game, match.seats, match.options, deal=match.entries[0])
    models = [laid_out(again)]
    compare(again, models[0], f"{name}, ply 0, after the deal")
    decisions = 0
    for ply, entry in enumerate(match.entries[1:], 1):
        model, resigned = copy.deepcopy(models[-1]), None
        again.repeat(entry)
        verb, _, argument = entry.do.partition(" ")
        if verb == "undo":
            model = copy.deepcopy(models[int(argument)])
        elif verb == "resign":
            resigned = entry.seat
        else:
            model.play(entry.do, rolled(again, ply))
            decisions += 1
        compare(again, model, f"{name}, ply {ply}, after {entry.do!r}", resigned)
        models.append(model)
    return decisions


def agree(decisions: int, first_seed: int) -> Counter[str]:
    """Random matches of all set-ups until so many decisions agreed; how often each verb and each ending came up."""
    seen: Counter[str] = Counter()
    for seed in range(first_seed, first_seed + decisions):
        chooser = random.Random(seed)
        options = {one.name: chooser.randint(one.low, one.high) for one in GAME.rules.OPTIONS}
        match = Match(GAME, chooser.choice(GAME.seats), options, seed=seed, clock=lambda: 0.0)
        while match.to_act:
            # Low bids make long rounds, high ones bold challenges.
            action = (
                min(chooser.choices(match.legal().ids, k=3)) if chooser.random() < 0.6 else chooser.choice(match.legal().ids)
            )
            match.play(action)
            seen[match.entries[-1].do.split()[0]] += 1
        assert match.outcome is not None
        seen[match.outcome.ending] += 1
        seen["decisions"] += confirm(match, f"seed {seed}")
        if seen["decisions"] >= decisions:
            return seen
    raise AssertionError("matches without decisions")


@pytest.mark.parametrize("decisions", [5_000, pytest.param(300_000, marks=pytest.mark.soak)])
def test_engine_and_model_agree(decisions: int) -> None:
    """Whole tables and legal actions agree over thousands of random decisions, with all verbs, endings and set-ups."""
    seen = agree(decisions, first_seed=decisions)
    assert all(seen[name] > 20 for name in ("bid", "liar", "last", "decided")), seen


def test_undone_and_resigned_entries_agree() -> None:
    """A match with entries taken back and given up agrees entry by entry."""
    match = Match(GAME, 3, seed=11, clock=lambda: 0.0)
    for do in ("bid 2 3", "bid 4 5", "liar"):
        match.play(do)
    match.undo()
    match.undo(1)
    match.play("bid 3 3")
    match.resign(1)
    match.undo()
    match.resign(2)
    assert 4 == confirm(match, "undone")


def test_a_difference_is_reported() -> None:
    """The message names where, and what differs on both sides."""
    match = Match(GAME, 2, {"dice": 1}, seed=3)
    model = laid_out(match)
    model.turn, model.round = 1, 4
    with pytest.raises(Disagreement) as caught:
        compare(match, model, "here")
    assert ["here:", "  turn: the model says 1, the engine 0", "  round: the model says 4, the engine 1"] == str(
        caught.value
    ).splitlines()
