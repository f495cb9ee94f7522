"""A tournament as plain data: players, rounds, tables, results."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from random import Random
from typing import Any, Final, Literal, TypeAlias

from ridotto.club.pairing.certificate import Certificate

System: TypeAlias = Literal["swiss", "round robin"]

FORMAT: Final = "ridotto tournament"
FORMAT_VERSION: Final = 1
MOST_SEATS: Final = 5
TIE_BREAKS: Final = ("opposition", "encounters", "wins", "luck")
"""The tie-breaks in their usual order; the lot decides what they leave equal."""
TOLERANCE: Final = 1e-6
"""Shares, scores and tie-breaks closer than this are equal."""


class BadTournament(ValueError):
    """A tournament, an entry or a result that cannot be."""


@dataclass(frozen=True)
class Player:
    """Somebody who takes part."""

    name: str
    strength: float = 0.0
    """A rating, in any scale: it only orders the players."""


@dataclass(frozen=True)
class Settings:
    """What is fixed before the first round."""

    seats: int
    """The seats of a full table, 2 to 5."""
    system: System = "swiss"
    rounds: int | None = None
    """How many rounds; None in a round robin: until everybody has met everybody."""
    least: int | None = None
    """The seats of the smallest table allowed, at least 2; None: tables are full, and who is left over has a bye."""
    legs: int = 1
    """The matches at a table in a round. The players move on by one seat each time: with two legs each has both roles."""
    bye_points: float = 1.0
    """The points of a bye. One is what a player gets at a table on average."""
    missed_points: float = 0.0
    """The points of a round before a late entry or after a withdrawal."""
    tie_breaks: tuple[str, ...] = TIE_BREAKS
    seed: int = 0
    """Where lots come from."""
    limit_s: float = 20.0
    """How long the solver may work on a round."""

    def __post_init__(self) -> None:
        if not 2 <= self.seats <= MOST_SEATS:
            raise BadTournament(f"tables have 2 to {MOST_SEATS} seats, not {self.seats}")
        if not 2 <= self.smallest <= self.seats:
            raise BadTournament(f"the smallest table has 2 to {self.seats} seats, not {self.least}")
        if not 1 <= self.legs <= self.smallest:
            raise BadTournament(f"a table plays 1 to {self.smallest} legs, not {self.legs}")
        if self.system not in ("swiss", "round robin"):
            raise BadTournament(f"no system {self.system!r}; known are 'swiss' and 'round robin'")
        if self.rounds is None and self.system == "swiss":
            raise BadTournament("a Swiss tournament needs a number of rounds")
        if self.rounds is not None and self.rounds < 1:
            raise BadTournament(f"a tournament has one round at least, not {self.rounds}")
        if unknown := set(self.tie_breaks) - set(TIE_BREAKS):
            raise BadTournament(f"no tie-break {sorted(unknown)[0]!r}; known are {', '.join(TIE_BREAKS)}")

    @property
    def smallest(self) -> int:
        """The seats of the smallest table allowed."""
        return self.seats if self.least is None else self.least


@dataclass(frozen=True)
class Table:
    """Players who meet in a round, and what came of it."""

    players: tuple[str, ...]
    """By seat, in the first leg."""
    shares: tuple[tuple[float, ...], ...] = ()
    """The shares of the win in each leg played, in the order of `players`."""
    luck_adjusted: tuple[float, ...] | None = None
    """The shares without luck, as means over all legs, if somebody has worked them out; in the order of `players`."""

    def seating(self, leg: int) -> tuple[str, ...]:
        """The players by seat in a leg, counted from 0."""
        cut = leg % len(self.players)
        return self.players[cut:] + self.players[:cut]

    def share(self, name: str) -> float:
        """A player's mean share of the win over the legs played."""
        at = self.players.index(name)
        return sum(leg[at] for leg in self.shares) / len(self.shares)

    def points(self, name: str) -> float:
        """A player's points: the share of the win times the seats of the table, so that an even share is 1 at any table."""
        return len(self.players) * self.share(name)


@dataclass(frozen=True)
class Round:
    """One round: who sits where, who has a bye, and what is proven about it."""

    tables: tuple[Table, ...]
    byes: tuple[str, ...]
    certificate: Certificate

    def table_of(self, name: str) -> Table | None:
        """The table at which somebody plays, or None."""
        return next((table for table in self.tables if name in table.players), None)


@dataclass
class Tournament:
    """Players, rounds and results. All else follows from these: `standings`, lots, and the next round."""

    settings: Settings
    players: Sequence[Player] = ()
    away: set[str] = field(default_factory=set)
    """Those who are not paired at present."""
    rounds: list[Round] = field(default_factory=list)

    def __post_init__(self) -> None:
        players, self.players = self.players, []
        for player in players:
            self._enter(player)

    def _enter(self, player: Player) -> None:
        if player.name in self.names:
            raise BadTournament(f"{player.name!r} takes part already")
        self.players = [*self.players, player]

    @property
    def names(self) -> list[str]:
        """Everybody who takes part or has taken part, in the order of entry."""
        return [player.name for player in self.players]

    @property
    def present(self) -> list[str]:
        """Those whom the next round pairs."""
        return [name for name in self.names if name not in self.away]

    def join(self, player: Player) -> None:
        """Let somebody in, also after the first round; a round robin's schedule is fixed by then."""
        if self.rounds and self.settings.system == "round robin":
            raise BadTournament(f"{player.name!r} comes too late: a round robin takes nobody after its first round")
        self._enter(player)

    def withdraw(self, name: str) -> None:
        """Leave somebody out of all rounds from the next on; their results stay."""
        self.player(name)
        self.away.add(name)

    def come_back(self, name: str) -> None:
        """Pair somebody again who had withdrawn."""
        self.player(name)
        self.away.discard(name)

    def player(self, name: str) -> Player:
        """The player with a name."""
        for player in self.players:
            if player.name == name:
                return player
        raise BadTournament(f"nobody is called {name!r} here")

    @property
    def is_round_finished(self) -> bool:
        """Whether every table of the last round has all its results."""
        return not self.rounds or all(len(table.shares) == self.settings.legs for table in self.rounds[-1].tables)

    @property
    def is_finished(self) -> bool:
        """Whether the last round is over and no other is due."""
        if not self.is_round_finished:
            return False
        if self.settings.rounds is not None:
            return len(self.rounds) >= self.settings.rounds
        met = self.meetings()
        return bool(self.rounds) and all(met[pair] for pair in combinations(sorted(self.present), 2))

    def next_round(self) -> Round:
        """Pair the next round and add it."""
        from ridotto.club.pairing.draw import draw_round

        if not self.is_round_finished:
            raise BadTournament(f"round {len(self.rounds)} is not over yet")
        if self.is_finished:
            raise BadTournament(f"the tournament is over after {len(self.rounds)} rounds")
        self.rounds.append(draw_round(self))
        return self.rounds[-1]

    def record(self, table: int, shares: Mapping[str, float], luck_adjusted: Mapping[str, float] | None = None) -> None:
        """Write down the next leg of a table of the last round: shares of the win by name, nothing for those not named.

        Results without luck are the means over all legs, so that the last leg brings them.
        """
        if not self.rounds or not 0 <= table < len(self.rounds[-1].tables):
            raise BadTournament(f"no table {table} in round {len(self.rounds)}")
        last = self.rounds[-1]
        before = last.tables[table]
        if len(before.shares) == self.settings.legs:
            raise BadTournament(f"table {table} has all its results")
        if strangers := set(shares) - set(before.players):
            raise BadTournament(f"{sorted(strangers)[0]!r} does not play at table {table}")
        if any(share < 0 for share in shares.values()) or abs(sum(shares.values()) - 1) > TOLERANCE:
            raise BadTournament(f"shares of the win are at least 0 and sum to 1, which {dict(shares)} do not")
        leg = tuple(float(shares.get(name, 0.0)) for name in before.players)
        adjusted = before.luck_adjusted if luck_adjusted is None else tuple(luck_adjusted[name] for name in before.players)
        after = replace(before, shares=(*before.shares, leg), luck_adjusted=adjusted)
        tables = (*last.tables[:table], after, *last.tables[table + 1 :])
        self.rounds[-1] = replace(last, tables=tables)

    def scores(self) -> dict[str, float]:
        """Everybody's points so far."""
        totals = dict.fromkeys(self.names, 0.0)
        for name, _, points in self.points_by_round():
            totals[name] += points
        return {name: round(total, 9) for name, total in totals.items()}

    def points_by_round(self) -> Iterator[tuple[str, Table | None, float]]:
        """For every finished round and everybody: their table, if they played, and their points."""
        for one in self.rounds:
            tables = {name: table for table in one.tables for name in table.players}
            for name in self.names:
                table = tables.get(name)
                if table is None:
                    yield name, None, self.settings.bye_points if name in one.byes else self.settings.missed_points
                elif len(table.shares) == self.settings.legs:
                    yield name, table, table.points(name)

    def meetings(self) -> Counter[tuple[str, str]]:
        """How often every pair has sat at the same table, names in alphabetical order."""
        tables = [table for one in self.rounds for table in one.tables]
        return Counter(pair for table in tables for pair in combinations(sorted(table.players), 2))

    def byes(self) -> Counter[str]:
        """How many byes everybody has had."""
        return Counter(name for one in self.rounds for name in one.byes)

    def seats_taken(self) -> dict[str, list[int]]:
        """The seats at which everybody has sat, match by match."""
        seats: dict[str, list[int]] = {name: [] for name in self.names}
        for one in self.rounds:
            for table in one.tables:
                for leg in range(self.settings.legs):
                    for seat, name in enumerate(table.seating(leg)):
                        seats[name].append(seat)
        return seats

    def lot(self, name: str) -> float:
        """The number that somebody has drawn: it decides last, and the smaller one is first."""
        return Random(f"{self.settings.seed}:{name}").random()

    def to_json(self) -> str:
        """All of it as JSON; `from_json` gives an equal tournament."""
        data = {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "settings": asdict(self.settings),
            "players": [asdict(player) for player in self.players],
            "away": sorted(self.away),
            "rounds": [asdict(one) for one in self.rounds],
        }
        return json.dumps(data, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Tournament:
        """The tournament that `to_json` has written."""
        data = json.loads(text)
        if (data.get("format"), data.get("version")) != (FORMAT, FORMAT_VERSION):
            raise BadTournament(f"not a {FORMAT} of version {FORMAT_VERSION}")
        settings = Settings(**{**data["settings"], "tie_breaks": tuple(data["settings"]["tie_breaks"])})
        rounds = [
            Round(tuple(_table(table) for table in one["tables"]), tuple(one["byes"]), Certificate(**one["certificate"]))
            for one in data["rounds"]
        ]
        return cls(settings, [Player(**player) for player in data["players"]], set(data["away"]), rounds)


def _table(data: Mapping[str, Any]) -> Table:
    adjusted = data["luck_adjusted"]
    shares = tuple(tuple(leg) for leg in data["shares"])
    return Table(tuple(data["players"]), shares, None if adjusted is None else tuple(adjusted))


def in_line(tournament: Tournament, names: Iterable[str]) -> list[str]:
    """Players in a line: by score, then by strength, then by lot."""
    scores = tournament.scores()
    strengths = {player.name: player.strength for player in tournament.players}
    return sorted(names, key=lambda name: (-scores[name], -strengths[name], tournament.lot(name)))
