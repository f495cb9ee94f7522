"""Puzzles: positions in which one decision is clearly best, and a bot without a search misses it.

A puzzle is one seat's view (a position with "?" for the rest), the best decision, and the values of all decisions by a long
search. The puzzles of a game are in its file `puzzles.json`; `ridotto puzzles GAME` finds new ones.

>>> from ridotto.games import GAMES
>>> puzzles = load(GAMES["fantome"])
>>> all(puzzle.lead >= LEAST_LEAD for puzzle in puzzles)
True
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Any, Final

from ridotto.bots import opinion as opinions
from ridotto.bots.bot import Budget, Opinion
from ridotto.bots.continuations import paired
from ridotto.bots.judging import calibrated
from ridotto.bots.reasons import Comparison, compare
from ridotto.bots.registry import find as find_bot
from ridotto.bots.search import Search
from ridotto.bots.setup import derived_seed
from ridotto.core import position as positions
from ridotto.core.game import Game
from ridotto.core.state import State
from ridotto.core.view import View
from ridotto.engine import build as builds
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat, Target

FILE: Final = "puzzles.json"
FORMAT: Final = "ridotto puzzles"
LEAST_LEAD: Final = 0.15
"""The least lead of the best decision over any other, as a share of the win."""
LEAST_CHOICES: Final = 3
"""The fewest legal decisions."""
GLANCE: Final = "greedy"
"""The bot that must miss it."""
GLANCES: Final = 5
"""The tries of that bot: it must miss it every time."""
QUICK_PLAYOUTS: Final = 80
"""Playouts of a search that rejects most positions."""
QUICK_LEAD: Final = 0.08
"""The least lead in that search: noise can hide as much of a real one."""
FIRST_PLAYOUTS: Final = 300
"""Playouts of the search that finds candidates."""
LONG_PLAYOUTS: Final = 6000
"""Playouts of each of the two searches that confirm one, with other seeds."""
WIDE_C_PUCT: Final = 8000
"""The `c_puct` of the second one, in thousandths: large, so that it visits every decision."""
LEAST_VISITS: Final = 50
"""The fewest visits of every decision in that search."""
CHECKS: Final = 100
"""Pairs of continuations in which the best decision must bring more than the glance."""
PURE: Final = 0.9
"""The least probability of the best one, if nobody sees the choice."""


class BadPuzzles(RidottoError, ValueError):
    """A file of puzzles that cannot be read."""


@dataclass(frozen=True)
class Puzzle:
    """A position in which one seat has to decide."""

    seats: int
    seat: Seat
    position: Mapping[str, Any]
    """The seat's view; "?" for what it may not know."""
    best: str
    """The best decision, in notation."""
    glance: str
    """The decision of the bot without a search."""
    values: Mapping[str, float]
    """For every decision, its share of the win by a long search."""
    compared: Mapping[str, Any]
    """The tables after the best decision and after the glance; see `Comparison`."""

    @property
    def lead(self) -> float:
        """The lead of the best decision over the second best, as a share of the win."""
        return self.values[self.best] - max(value for name, value in self.values.items() if name != self.best)

    def view(self, game: Game) -> View:
        """The seat's view."""
        row, _ = positions.read_masked(game, self.position)
        state = State(game, game.build(), self.seats, row)
        return state.view(self.seat, 0, ())

    def comparison(self) -> Comparison:
        return Comparison.read(self.seat, self.compared)

    def json(self) -> dict[str, Any]:
        return {
            "seats": self.seats,
            "seat": self.seat,
            "position": dict(self.position),
            "best": self.best,
            "glance": self.glance,
            "values": {name: round(value, 3) for name, value in self.values.items()},
            "compared": dict(self.compared),
        }


def document(game: Game, puzzles: Sequence[Puzzle]) -> dict[str, Any]:
    """Puzzles as a JSON document."""
    return {"format": FORMAT, "version": 1, "game": game.name, "puzzles": [one.json() for one in puzzles]}


def read(document: Mapping[str, Any]) -> tuple[Puzzle, ...]:
    """The puzzles in a JSON document."""
    if document.get("format") != FORMAT or document.get("version") != 1:
        raise BadPuzzles(f'not puzzles: they are a JSON object with "format": "{FORMAT}" and "version": 1')
    return tuple(Puzzle(**one) for one in document["puzzles"])


@lru_cache
def load(game: Game) -> tuple[Puzzle, ...]:
    """The puzzles that come with a game; none with another box than its own."""
    path = builds.folder(game.package) / FILE
    if game.box_file is not None or not path.exists():
        return ()
    return read(json.loads(path.read_text("utf-8")))


def of_the_day(puzzles: Sequence[Puzzle], day: date) -> int:
    """The number of a day's puzzle, from 0 on: one after another, a new one every day."""
    return day.toordinal() % len(puzzles)


# Finding puzzles.


def find(view: View, seed: int, target: Target = "cpu") -> Puzzle | None:
    """The puzzle in a view, if there is one."""
    game = view.game
    if view.seat is None or len(view.legal) < LEAST_CHOICES:
        return None
    view = replace(view, seen=(), ply=0)  # a reader of the puzzle has not seen earlier events, either
    glances = _glances(view, seed, target)
    quick = _search(view, QUICK_PLAYOUTS, derived_seed(seed, "quick"), target)
    best = quick.ranked[0].action
    if best in glances or not _is_clear(game, quick, best, 0, QUICK_LEAD):
        return None
    if not _is_clear(game, _search(view, FIRST_PLAYOUTS, seed, target), best, 0):
        return None
    plain = _search(view, LONG_PLAYOUTS, derived_seed(seed, "plain"), target)
    if not _is_clear(game, plain, best, 0) or (plain.hidden and plain.ranked[0].share < PURE):
        return None
    wide = _search(view, LONG_PLAYOUTS, derived_seed(seed, "wide"), target, WIDE_C_PUCT)
    if not _is_clear(game, wide, best, LEAST_VISITS):
        return None
    better, glanced = paired(view, (best, glances[0]), GLANCE, CHECKS, seed, target)
    if better <= glanced:
        return None
    return _puzzle(view, best, glances[0], wide, seed, target)


def _puzzle(view: View, best: int, glance: int, wide: Opinion, seed: int, target: Target) -> Puzzle:
    assert view.seat is not None
    notation = view.game.rules.ACTIONS.notation
    return Puzzle(
        view.seats,
        view.seat,
        view.position,
        notation(best),
        notation(glance),
        {notation(one.action): calibrated(view.game, one.value) for one in sorted(wide.ranked, key=lambda one: -one.value)},
        compare(view, best, glance, seed=seed, target=target).json(),
    )


def _search(view: View, playouts: int, seed: int, target: Target, c_puct: int | None = None) -> Opinion:
    settings = view.game.tuning.search
    search = Search(playouts, settings=settings if c_puct is None else replace(settings, c_puct=c_puct))
    return search.opinion(view, Budget(seed, target=target))


def _glances(view: View, seed: int, target: Target) -> list[int]:
    glancing = find_bot(GLANCE)
    return [glancing.choose(view, Budget(derived_seed(seed, number), target=target)) for number in range(GLANCES)]


def _is_clear(game: Game, opinion: Opinion, best: int, least_visits: int, lead: float = LEAST_LEAD) -> bool:
    """Whether an opinion has this action first, by a sufficient and statistically certain lead."""
    first = opinion.ranked[0]
    if first.action != best:
        return False
    others = [one for one in opinion.ranked[1:] if one.visits]
    if least_visits and min(one.visits for one in opinion.ranked) < least_visits:
        return False
    leads = [calibrated(game, first.value) - calibrated(game, one.value) for one in others]
    if not leads or min(leads) < lead:
        return False
    nearest = max(others, key=lambda one: one.value)
    return not least_visits or first.value - nearest.value > 2 * opinions.margin(first, nearest)
