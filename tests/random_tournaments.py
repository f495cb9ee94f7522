"""Random tournaments, for the tests of pairing."""

from __future__ import annotations

from random import Random

from ridotto.club.pairing import Player, Settings, Tournament


def play(tournament: Tournament, dice: Random) -> None:
    """Give every table of the last round its results: mostly one winner, sometimes two who share."""
    for number, table in enumerate(tournament.rounds[-1].tables):
        weights = [10 ** (tournament.player(name).strength / 400) for name in table.players]
        for _ in range(tournament.settings.legs):
            winner = dice.choices(table.players, weights)[0]
            second = dice.choice(table.players)
            shares = {winner: 1.0} if dice.random() < 0.8 or second == winner else {winner: 0.5, second: 0.5}
            adjusted = dict.fromkeys(table.players, 1 / len(table.players))
            tournament.record(number, shares, adjusted)


def random_tournament(seed: int, most_players: int = 14) -> tuple[Tournament, Random]:
    """A tournament before its first round, and the dice that it goes on with."""
    dice = Random(seed)
    seats = dice.randint(2, 5)
    least = dice.randint(2, seats)
    system = dice.choice(["swiss", "swiss", "swiss", "round robin"])
    settings = Settings(
        seats=seats,
        system="swiss" if system == "swiss" else "round robin",
        rounds=dice.randint(2, 6),
        least=dice.choice([None, least]),
        legs=dice.choice([1, 1, 2]),
        seed=seed,
    )
    players = [Player(f"P{number}", float(dice.randint(800, 1600))) for number in range(dice.randint(2 * seats, most_players))]
    return Tournament(settings, players), dice


def disturb(tournament: Tournament, dice: Random) -> None:
    """Sometimes somebody comes late, leaves or returns."""
    if dice.random() < 0.25 and len(tournament.present) > 2 * tournament.settings.seats:
        tournament.withdraw(dice.choice(tournament.present))
    if dice.random() < 0.2 and tournament.away:
        tournament.come_back(dice.choice(sorted(tournament.away)))
    if dice.random() < 0.2 and tournament.settings.system == "swiss":
        tournament.join(Player(f"late {len(tournament.players)}", float(dice.randint(800, 1600))))
