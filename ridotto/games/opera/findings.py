"""The part of a report on balance about Opera alone."""

from __future__ import annotations

from math import sqrt
from typing import Any


def of(contest: Any) -> list[str]:
    """Sentences about a Contest: the lock on the first cities, the roles hired, the coins of the box."""
    found = _lock(contest) if contest.seats == 2 else []
    return [*found, _hires(contest), _bank(contest)]


def _lock(contest: Any) -> list[str]:
    """The share of matches in which one of two seats has the mains of Wien and Berlin to itself, and its results."""
    rules = contest.game.rules
    cities = rules.CITY.names
    houses = contest.rows[:, rules.F.built :].astype(int)
    wien, berlin = ((houses[:, [at, at + len(cities)]] & 1) == 1 for at in map(cities.index, ("wien", "berlin")))
    alone = wien & berlin & ~(wien | berlin)[:, ::-1]
    share = _share(alone.any(axis=1))
    said = f"One seat has the mains of both Wien and Berlin, and the other neither, in {share} of the matches"
    return [f"{said}; that seat wins {_share(contest.won[alone])} of them." if alone.any() else f"{said}."]


def _hires(contest: Any) -> str:
    """The number of times that each role is hired, all seats together."""
    rules = contest.game.rules
    times = contest.chosen[:, :, rules.A.hire :].sum(axis=1).mean(axis=0)
    roles = ", ".join(f"{role.capitalize()} {times[i]:.2f}" for i, role in enumerate(rules.ROLE.names))
    return f"Hired in a match, by all seats together: {roles}."


def _bank(contest: Any) -> str:
    """The share of matches in which the coins of the box did not do."""
    rules = contest.game.rules
    share = _share(contest.lows[:, rules.F.bank] < 0)
    return f"The players had more than the {rules.DUCATS} ducats of the box at some time in {share} of the matches."


def _share(values: Any) -> str:
    """A mean of shares with its 95 % interval."""
    error = 1.96 * values.std(ddof=1) / sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{values.mean():.1%} ± {error:.1%}"
