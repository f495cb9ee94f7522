"""States for OpenSpiel: a row, the events that led to it, and the draw that it waits for. No import of OpenSpiel itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Any, Final

from ridotto.core import position
from ridotto.core.game import Game
from ridotto.core.state import State, seats_in
from ridotto.core.view import Seen, View, read_events, seen_by
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import EVENT_WIDTH, HIDDEN, Seat
from ridotto.games import find as find_game
from ridotto.rl.tensors import Tensors

NOT_INSTALLED: Final = "OpenSpiel is not installed: pip install 'ridotto[rl]'"


class Setup:
    """The common part of all states of one game with the same seats, options, box and start."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, int], box: str = "", start: str = "") -> None:
        import numpy

        self.game, self.seats, self.options, self.box, self.start = game, seats, dict(options), box, start
        self._start = read_start(start)
        self.build = game.build("cpu")
        self.tensors = Tensors(game, seats, is_whole=True)
        self._chosen = self.build.copy(list(options.values()))
        fields = game.rules.FIELDS
        self._hidden = {known_to: numpy.array(fields.hidden(known_to), int) for known_to in (*range(seats), None)}
        self._shape = " ".join(f"{one.name}:" + ",".join(["%d"] * one.size) for one in fields)

    @cached_property
    def initial_node(self) -> Node:
        """The node before the deal."""
        return Node.after(self, self.build.row(), None, 0, (), ())

    def masked(self, row: Any, known_to: Seat | None) -> Any:
        """A copy of a row with HIDDEN for every word that a seat (None: a spectator) may not know."""
        copy = row.copy()
        copy[self._hidden[known_to]] = HIDDEN
        return copy

    def private(self, row: Any, seat: Seat) -> Any:
        """A copy of a row with HIDDEN for every word, except those that the seat knows and a spectator does not."""
        import numpy

        own = numpy.setdiff1d(self._hidden[None], self._hidden[seat])
        copy = numpy.full_like(row, HIDDEN)
        copy[own] = row[own]
        return copy

    def text(self, row: Any) -> str:
        """A row as text: `name:number,…`, with ? for hidden words."""
        return (self._shape % tuple(row.tolist())).replace(str(HIDDEN), "?")

    def run(self, row: Any, step: Sequence[tuple[Seat, int]], draws: Sequence[int]) -> tuple[Any, list[int], int]:
        """The row after a step (an empty one: the deal), its events, and the number of outcomes of a missing draw (or 0)."""
        after, dice, events = row.copy(), self.build.tape(draws), self.build.events()
        if not step and self._start is not None:
            words, reader = self._start
            after[:] = words
            if reader != position.EVERYTHING:
                self.build.rules.redeal(after, reader, dice)
        elif not step:
            self.build.rules.deal(after, self.seats, self._chosen, dice, events)
        for seat, action in step:
            self.build.rules.apply(after, seat, action, dice, events)
        assert dice[3] >= 0, "chance chose an impossible outcome"
        used = events[: 1 + int(events[0]) * EVENT_WIDTH]
        return after, used.tolist(), int(dice[3])  # type: ignore[attr-defined]


@cache
def setup_of(name: str, seats: int, options: tuple[tuple[str, int], ...], box: str = "", start: str = "") -> Setup:
    return Setup(find_game(name, box or None), seats, dict(options), box, start)


def write_start(game: Game, fields: Mapping[str, Any]) -> str:
    """A position as the parameter `start` of a game: its reader and its words."""
    words, reader = position.read_masked(game, fields)
    return ".".join(map(str, ("row", reader, *words)))


def read_start(text: str) -> tuple[list[int], Seat] | None:
    """The words and the reader of a parameter `start`; None for a match that is dealt."""
    if not text:
        return None
    try:
        kind, reader, *words = text.split(".")
        if kind == "row":
            return list(map(int, words)), int(reader)
    except ValueError:
        pass
    raise RidottoError(f"{text!r} is no start of a match: `write_start` makes one of a position")


class Past:
    """The events of one step, and the past before it. Immutable."""

    __slots__ = ("_cache", "before", "events", "ply", "redealt_for", "step")

    def __init__(
        self,
        before: Past | None,
        ply: int,
        step: tuple[tuple[Seat, int], ...],
        events: Sequence[int],
        redealt_for: Seat | None = None,
    ) -> None:
        self.before, self.ply, self.step, self.events = before, ply, step, events
        self.redealt_for = redealt_for
        """If a seat, this step is a redeal for that seat: it knows its own past, the others that of a spectator."""
        self._cache: dict[Any, Any] = {}

    def chain(self, seat: Seat | None) -> list[tuple[Past, Seat | None]]:
        """The steps from the first to this one, each with the seat (None: a spectator) whose knowledge counts for it."""
        steps = []
        at: Past | None = self
        while at is not None:
            steps.append((at, seat))
            if at.redealt_for is not None and at.redealt_for != seat:
                seat = None
            at = at.before
        steps.reverse()
        return steps

    def seen(self, setup: Setup, known_to: Seat | None) -> list[Seen]:
        """The events of this step as a seat may know them."""
        return list(seen_by(known_to, read_events(setup.game.rules, self.events, self.ply)))

    def text(self, setup: Setup, known_to: Seat | None) -> str:
        """The actions and events of this step that a seat may know, as text."""
        if known_to not in self._cache:
            lines = [f"{setup.game.rules.ACTIONS.notation(action)}\n" for seat, action in self.step if seat == known_to]
            for seen in self.seen(setup, known_to):
                lines.append(f"{seen.event.name} {','.join(map(str, seen.values.values()))}\n".replace(str(HIDDEN), "?"))
            self._cache[known_to] = "".join(lines)
        text: str = self._cache[known_to]
        return text

    def history_text(self, setup: Setup, known_to: Seat | None) -> str:
        """The actions and events up to here that a seat may know, as text; extends the last cached text."""
        missing, reader = [], known_to
        at: Past | None = self
        while at is not None and ("history", known_to) not in at._cache:
            missing.append((at, known_to))
            if at.redealt_for is not None and at.redealt_for != known_to:
                known_to = None
            at = at.before
        text = at._cache["history", known_to] if at is not None else ""
        text += "".join(one.text(setup, step_known_to) for one, step_known_to in reversed(missing))
        self._cache["history", reader] = text
        return str(text)

    def lines(self, setup: Setup, known_to: Seat | None, viewer: Seat) -> Any:
        """The events of this step as a seat may know them, as numbers, one line for each event."""
        if (known_to, viewer) not in self._cache:
            seen = self.seen(setup, known_to)
            self._cache[known_to, viewer] = setup.tensors.short_history(seen, viewer, len(seen))
        return self._cache[known_to, viewer]


class Node:
    """A state: a row, or a row and a step from it that waits for a draw. Immutable, so that clones share it."""

    __slots__ = ("_legal", "draws", "missing", "past", "ply", "row", "setup", "step", "texts", "waiting")

    def __init__(
        self, setup: Setup, row: Any, past: Past | None, ply: int, step: Any, draws: Sequence[int], missing: int
    ) -> None:
        self.setup, self.row, self.past, self.ply = setup, row, past, ply
        self.step, self.draws, self.missing = step, tuple(draws), missing
        self.waiting = 0 if missing else int(setup.build.rules.to_act(row))
        self._legal: dict[Seat, list[int]] = {}
        self.texts: dict[tuple[int, Seat], str] = {}
        """The texts of observers, as a cache."""

    @classmethod
    def after(
        cls, setup: Setup, row: Any, past: Past | None, ply: int, step: tuple[tuple[Seat, int], ...], draws: tuple[int, ...]
    ) -> Node:
        """The node that a step leads to, with the draws made so far."""
        after, events, missing = setup.run(row, step, draws)
        if missing:
            return cls(setup, row, past, ply, step, draws, missing)
        entries = max(1, len(step))
        return cls(setup, after, Past(past, ply + entries - 1, step, events), ply + entries, (), (), 0)

    def played(self, *step: tuple[Seat, int]) -> Node:
        """The node after these actions."""
        return Node.after(self.setup, self.row, self.past, self.ply, step, ())

    def drawn(self, outcome: int) -> Node:
        """The node after an outcome of the missing draw."""
        return Node.after(self.setup, self.row, self.past, self.ply, self.step, (*self.draws, outcome))

    def redealt(self, seat: Seat, seed: int) -> Node:
        """A node with another world that a seat cannot tell from this one."""
        row = self.setup.masked(self.row, seat)
        self.setup.build.rules.redeal(row, seat, self.setup.build.generator(seed))
        return Node(self.setup, row, Past(self.past, self.ply, (), (0,), seat), self.ply, (), (), 0)

    def __deepcopy__(self, memo: Any) -> Node:
        return self

    def __reduce__(self) -> Any:
        past = [(one.ply, one.step, list(one.events), one.redealt_for) for one, _ in self.past.chain(None)] if self.past else []
        here = self.setup
        setup = here.game.name, here.seats, tuple(here.options.items()), here.box, here.start
        return _restored, (setup, self.row.tolist(), past, self.ply, self.step, self.draws, self.missing)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that owe a decision."""
        return seats_in(self.waiting)

    @property
    def is_over(self) -> bool:
        return not self.missing and not self.waiting

    def legal(self, seat: Seat) -> list[int]:
        """The legal actions of a seat that owes a decision."""
        if seat not in self._legal:
            self._legal[seat] = list(self._state.legal(seat))
        return self._legal[seat]

    def returns(self) -> list[float]:
        """Each seat's share of the win, less an equal share; zeros before the end."""
        return returns_of(int(self.setup.build.rules.winners(self.row)) if self.is_over else 0, self.setup.seats)

    def known_row(self, known_to: Seat | None) -> Any:
        """The row as a seat may know it; nothing is hidden when the match is over."""
        return self.row if self.is_over else self.setup.masked(self.row, known_to)

    def view(self, seat: Seat) -> View:
        """The view of a bot at a seat."""
        chain = self.past.chain(seat) if self.past else []
        seen = [seen for one, known_to in chain for seen in one.seen(self.setup, known_to)]
        return self._state.view(seat, self.ply, seen)

    @property
    def _state(self) -> State:
        return State(self.setup.game, self.setup.build, self.setup.seats, self.row)


def _restored(setup: Any, row: Any, steps: Any, ply: int, step: Any, draws: Any, missing: int) -> Node:
    common = setup_of(*setup)
    past = None
    for one in steps:
        past = Past(past, *one)
    return Node(common, common.build.copy(row), past, ply, step, draws, missing)


def returns_of(won: int, seats: int) -> list[float]:
    if not won:
        return [0.0] * seats
    return [(won >> seat & 1) / won.bit_count() - 1 / seats for seat in range(seats)]
