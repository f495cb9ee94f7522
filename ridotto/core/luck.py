"""Luck: each seat's gain from every draw of a match, against the expectation before it. docs/luck.md has the method.

>>> from ridotto.core.match import Match
>>> from ridotto.games import GAMES
>>> match = Match(GAMES["fantome"], seed=7)
>>> judge = LuckJudge(match.game, match.seats, playouts=1, target="python")
>>> [(draw.number, draw.outcomes) for draw in judge.draws_of(match, 0)][:3]
[(0, 8), (1, 7), (2, 6)]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine import arrays
from ridotto.engine.fields import Row, Seat, Target

START_PLAYOUTS: Final = 4000
"""Playouts for the seats' expectation before the deal."""
SLOW_START_PLAYOUTS: Final = 20
"""The same for interpreted rules."""
DIGITS: Final = 5
"""Decimals of luck in a document."""


@dataclass(frozen=True)
class Draw:
    """A draw of a match, and its luck for each seat: a share of the win, less the expected share."""

    ply: int
    number: int
    """Within the entry, from 0 on."""
    outcomes: int
    outcome: int
    luck: tuple[float, ...]


@dataclass(frozen=True)
class MatchLuck:
    """The luck in a match: each seat's expectation at the start, and every draw in effect."""

    start: tuple[float, ...]
    draws: tuple[Draw, ...]

    def json(self) -> dict[str, Any]:
        draws = [
            [one.ply, one.number, one.outcomes, one.outcome, [round(luck, DIGITS) for luck in one.luck]] for one in self.draws
        ]
        return {"start": [round(share, DIGITS) for share in self.start], "draws": draws}

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> MatchLuck:
        draws = tuple(Draw(one[0], one[1], one[2], one[3], tuple(one[4])) for one in document["draws"])
        return cls(tuple(document["start"]), draws)


class LuckJudge:
    """The worth of positions: a fixed number for each, by playouts of the game's own bot with fixed dice."""

    def __init__(
        self,
        game: Game,
        seats: int,
        options: Mapping[str, int] | None = None,
        *,
        playouts: int | None = None,
        ahead: int | None = None,
        seed: int = 0,
        target: Target = "cpu",
    ) -> None:
        """A judge with the settings of the game's tuning, unless others are given."""
        self.game, self.seats = game, seats
        usual = game.tuning.luck
        self._build = build = game.build(target)
        self._options = build.copy(list(game.settle(options).values()))
        self._work, self._row = build.workspace(), build.row()
        most = build.luck.MOST_DRAWS
        self._judge = arrays.Judge(
            seats,
            usual.playouts if playouts is None else playouts,
            usual.ahead if ahead is None else ahead,
            seed,
            build.row(),
            build.array(8, "int16"),
            _numbers(build.array(8, "float64")),
            build.array(most + build.luck.TAPE + 1, "int64"),
            build.generator(0),
            arrays.Playouts(
                build.array(build.luck.KEPT * build.rules.FIELDS.width, "int16"),
                build.array(build.luck.KEPT, "int64"),
                _numbers(build.array(8 * build.luck.KEPT, "float64")),
            ),
        )

    def worth(self, row: Sequence[int]) -> tuple[float, ...]:
        """Every seat's expected share of the win in a position; the share itself if the match is over."""
        shares = _numbers(self._build.array(8, "float64"))
        self._build.luck.worth(self._build.copy(row), self._judge, shares, self._work)
        return tuple(float(share) for share in shares[: self.seats])

    def start(self, playouts: int | None = None) -> tuple[float, ...]:
        """Every seat's expected share of the win before the deal, by the judge."""
        most = playouts or (SLOW_START_PLAYOUTS if self._build.target == "python" else START_PLAYOUTS)
        judge = self._judge._replace(playouts=most)
        self._build.luck.worth_of_outcome(self.deal(self._build.row()), judge, 0, self._work)
        return tuple(float(share) for share in judge.shares[: self.seats])

    def luck(self, step: arrays.Step, draws: Sequence[int]) -> list[tuple[int, tuple[float, ...]]]:
        """For each draw of a step, its number of outcomes and the luck of each seat."""
        return [self.luck_of_draw(step, draws, at) for at in range(len(draws))]

    def luck_of_draw(self, step: arrays.Step, draws: Sequence[int], at: int) -> tuple[int, tuple[float, ...]]:
        """The number of outcomes of one draw of a step, and the luck of each seat in it."""
        build = self._build
        luck, given = _numbers(build.array(8, "float64")), build.copy(list(draws), "int64")
        count = build.luck.luck_of(step, given, at, self._judge, luck, self._work)
        return int(count), tuple(float(one) for one in luck[: self.seats])

    def luck_of_choice(self, step: arrays.Step, chances: Mapping[int, float]) -> tuple[float, ...]:
        """The luck of each seat in a bot's random choice of a step's action, given the chance of each action."""
        build = self._build
        luck, weights = (_numbers(build.array(size, "float64")) for size in (8, build.rules.ACTIONS.size))
        for action, chance in chances.items():
            weights[action] = chance
        build.luck.add_choice(step, step.action, weights, self._judge, luck, self._work)
        return tuple(float(one) for one in luck[: self.seats])

    def deal(self, empty: Sequence[int]) -> arrays.Step:
        """The deal, from an empty row."""
        return self._step(self._build.luck.DEAL, empty)

    def action(self, before: Sequence[int], seat: Seat, action: int) -> arrays.Step:
        """The action of a seat, from the row before it."""
        return self._step(self._build.luck.APPLY, before, seat, action)

    def _step(self, kind: int, before: Sequence[int], seat: Seat = 0, action: int = 0) -> arrays.Step:
        return arrays.Step(self._build.copy(before), kind, seat, action, self._options, self.seats)

    def step_of(self, match: Match, ply: int) -> arrays.Step:
        """The step of an entry of a match that has draws."""
        entry = match.entries[ply]
        if entry.do == "deal":
            empty: Row = match.build.row()
            empty[match.rules.FIELDS.F.version] = match.version
            return self.deal(empty)
        before = match.after(ply).row
        if entry.do == "redeal":
            return self._step(self._build.luck.REDEAL, match.rules.FIELDS.masked(before, None))
        assert entry.seat is not None
        return self.action(before, entry.seat, match.game.action(entry.do))

    def draws_of(self, match: Match, ply: int) -> list[Draw]:
        """The draws of an entry of a match, with their luck."""
        return [self.draw_of(match, ply, number) for number in range(len(match.entries[ply].draws))]

    def draw_of(self, match: Match, ply: int, number: int) -> Draw:
        """One draw of an entry of a match, with its luck."""
        draws = match.entries[ply].draws
        outcomes, luck = self.luck_of_draw(self.step_of(match, ply), draws, number)
        return Draw(ply, number, outcomes, draws[number], luck)


def plies_of(match: Match) -> list[int]:
    """The plies of the entries in effect that have draws."""
    return [ply for ply in match.line if match.entries[ply].draws]


def start_of(match: Match, judge: LuckJudge) -> tuple[float, ...]:
    """Each seat's expectation at the start: as measured, if the game's tuning has it, otherwise by the judge."""
    if match.entries[0].do != "deal":
        return judge.worth(match.row_after(0))
    measured = measured_start(match)
    return judge.start() if measured is None else measured


def measured_start(match: Match) -> tuple[float, ...] | None:
    """Each seat's expectation at the start, if the game's tuning has it."""
    is_usual = match.entries[0].do == "deal" and match.options == match.game.settle()
    return match.game.tuning.luck.start.get(match.seats) if is_usual else None


def _numbers(array: list[int]) -> list[float]:
    """The same array, typed as floats."""
    return array  # type: ignore[return-value]
