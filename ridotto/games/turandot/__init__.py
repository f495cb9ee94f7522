"""Turandot: the title page."""

from ridotto.core.game import Game
from ridotto.engine.errors import mark
from ridotto.games.turandot import findings

game = Game(
    name="turandot",
    title="Turandot",
    authors="Stefano Castelli",
    publisher="dV Giochi",
    year=2009,
    minutes=45,
    pitch=mark("Recruit six singers and a director in secret auditions, and give everyone the right role."),
    package="ridotto.games.turandot",
    roles=(mark("red"), mark("blue"), mark("yellow"), mark("green"), mark("violet")),
    resigning="8.8",
    findings=findings.of,
)
