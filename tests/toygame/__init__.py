"""The raffle: a game for testing."""

from __future__ import annotations

from ridotto.core.game import Game

game = Game(
    name="toygame",
    title="The Raffle",
    authors="nobody",
    publisher="nobody",
    year=2026,
    minutes=1,
    pitch="Bid in secret for a few prizes.",
    package="toygame",
    roles=("first", "second", "third"),
    resigning="5",
)
