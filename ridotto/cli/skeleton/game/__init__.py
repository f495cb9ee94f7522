"""The title page of the game."""

from ridotto.core.game import Game
from ridotto.present.narrator import mark

game = Game(
    name="skeleton_name",
    title="Skeleton Title",
    authors="you",
    publisher="nobody yet",
    year=2026,
    minutes=5,
    pitch=mark("Count up in turn; whoever says the last number wins."),
    package="skeleton_name",
    roles=(mark("red"), mark("blue")),
    resigning="4.2",
)
