"""Matching pennies: the smallest game in which two seats choose at once, and whose right mixture is known."""

from __future__ import annotations

from ridotto.core.game import Game

game = Game(
    name="pennies",
    title="Matching pennies",
    authors="traditional",
    publisher="nobody",
    year=1900,
    minutes=1,
    pitch="Show heads or tails.",
    package="pennies",
    roles=("even", "odd"),
    resigning="1",
)
