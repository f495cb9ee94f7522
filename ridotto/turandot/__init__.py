"""Turandot: the title page."""

from ridotto.core import Game
from ridotto.turandot import findings
from ridotto.words import mark

game = Game(
    name="turandot",
    title="Turandot",
    authors="Stefano Castelli",
    publisher="dV Giochi",
    year=2009,
    minutes=45,
    pitch=mark("Recruit six singers and a director in secret auditions, and give everyone the right role."),
    package="ridotto.turandot",
    roles=(),
    resigning="8.8",
    findings=findings.of,
)
