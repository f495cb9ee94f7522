"""Opera: the title page."""

from ridotto.core.game import Game
from ridotto.engine.errors import mark
from ridotto.games.opera import findings

game = Game(
    name="opera",
    title="Opera",
    authors="Hans van Tol",
    publisher="The Game Master",
    year=2009,
    minutes=120,
    pitch=mark("Bid for budgets, hire six roles, build opera houses and stage the composers whose fame is about to rise."),
    package="ridotto.games.opera",
    roles=(mark("red"), mark("blue"), mark("yellow"), mark("green")),
    resigning="9.3",
    findings=findings.of,
)
