"""Liar's Dice: the title page."""

from __future__ import annotations

from ridotto.core.game import Game
from ridotto.present.narrator import mark

game = Game(
    name="liars_dice",
    title="Liar's Dice",
    authors="traditional",
    publisher="public domain",
    year=1800,
    minutes=15,
    pitch=mark("Everybody rolls in secret and bids on all dice together: raise the bid, or call the bidder a liar."),
    package="liars_dice",
    roles=(mark("red"), mark("blue"), mark("yellow"), mark("green"), mark("violet"), mark("turquoise")),
    resigning="4.3",
)
