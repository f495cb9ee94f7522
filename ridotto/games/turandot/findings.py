"""The part of a report on balance about Turandot alone: Puccini, money, the bluff card and the fictitious troupe."""

from __future__ import annotations

from typing import Any

FEW = 30
"""Cases below which a share is not worth telling."""


def of(contest: Any) -> list[str]:
    """Sentences about a Contest of simulation.py, all of whose matches were played to the end."""
    rules = contest.game.rules
    sentences = [_first_holder(contest)]
    sentences += _by_number(contest, rules.F.elements, "stage elements")
    sentences += _by_number(contest, rules.F.spent, "money cards paid for numbers")
    sentences.append(_bluffs(contest))
    if contest.seats == 2:
        lost = contest.rows[:, rules.F.ending] == rules.END.fictitious
        sentences.append(f"The fictitious troupe wins {lost.mean():.1%} of the matches.")
    return sentences


def _first_holder(contest: Any) -> str:
    """Puccini goes round one seat after each round but the last, so the last holder tells who the first was."""
    rules = contest.game.rules
    first = (contest.rows[:, rules.F.puccini] - (rules.ROUNDS - 1)) % contest.seats
    wins = contest.won[range(len(first)), first]
    return f"The first to hold Puccini wins {wins.mean():.1%} of the matches (parity {1 / contest.seats:.1%})."


def _by_number(contest: Any, at: int, what: str) -> list[str]:
    """The wins of seats that ended with none, one, two or three of something."""
    numbers = contest.rows[:, at : at + contest.seats]
    parts = []
    for number in range(contest.game.rules.MONEY + 1):
        held = numbers == number
        if held.sum() >= FEW:
            parts.append(f"with {number}, {contest.won[held].mean():.1%} ({held.mean():.1%} of the seats)")
    return [f"Wins by {what}: {'; '.join(parts)}."] if parts else []


def _bluffs(contest: Any) -> str:
    """The share of auditions with the bluff card; of two choices that differ by it alone, it is in the second."""
    rules = contest.game.rules
    laid = contest.chosen[:, :, rules.A.bid + 1 : rules.A.give : 2].sum(axis=2) / rules.ROUNDS
    winners = contest.won > 0
    return (
        f"The bluff card is laid in {laid.mean():.1%} of a seat's auditions: "
        f"by winners in {_mean(laid[winners])}, by the others in {_mean(laid[~winners])}."
    )


def _mean(values: Any) -> str:
    return f"{values.mean():.1%}" if len(values) else "none"
