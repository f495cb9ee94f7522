"""Tournaments at tables of two to five seats: pairing by an integer programme, standings, state as JSON.

>>> names = ["Rosina", "Figaro", "Almaviva", "Bartolo", "Basilio", "Berta"]
>>> evening = Tournament(Settings(seats=3, rounds=2, seed=7), [Player(name, 1500 - 50 * i) for i, name in enumerate(names)])
>>> first = evening.next_round()
>>> [sorted(table.players) for table in first.tables]
[['Almaviva', 'Figaro', 'Rosina'], ['Bartolo', 'Basilio', 'Berta']]
>>> first.certificate.status
'optimal'
>>> for number, table in enumerate(first.tables):
...     evening.record(number, {min(table.players): 1.0})
>>> [(one.place, one.name, one.score) for one in standings(evening)][:2]
[(1, 'Bartolo', 3.0), (2, 'Almaviva', 3.0)]
"""

from ridotto.club.pairing.certificate import Certificate
from ridotto.club.pairing.rules import rules
from ridotto.club.pairing.standings import Standing, standings
from ridotto.club.pairing.tournament import (
    TIE_BREAKS,
    BadTournament,
    Player,
    Round,
    Settings,
    Table,
    Tournament,
)

__all__ = [
    "TIE_BREAKS",
    "BadTournament",
    "Certificate",
    "Player",
    "Round",
    "Settings",
    "Standing",
    "Table",
    "Tournament",
    "rules",
    "standings",
]
