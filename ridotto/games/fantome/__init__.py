"""Le Fantôme de l'Opéra: the title page."""

from ridotto.core.game import Game
from ridotto.engine.errors import mark

game = Game(
    name="fantome",
    title="Le Fantôme de l'Opéra",
    authors="Bruno Cathala & Ludovic Maublanc",
    publisher="Hurrican",
    year=2013,
    minutes=30,
    pitch=mark("One of eight people in the opera house is the phantom: hide among them, or find out who it is in time."),
    package="ridotto.games.fantome",
    roles=(mark("inspector"), mark("phantom")),
    resigning="7.3",
)
