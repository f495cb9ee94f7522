"""Many tables of one game at once, as arrays: for learners, for search, for counting.

Every table has a match going; where one ends, the next is dealt at once. What happens depends on the seed alone, not on the
number of threads or on where it runs: on the CPU the arrays are NumPy's, on a GPU they stay on the device and can be shared
without a copy with whatever speaks `__cuda_array_interface__` (PyTorch, CuPy, JAX).

>>> from ridotto.games import GAMES
>>> batch = Batch(GAMES["fantome"], tables=100, seed=7)
>>> batch.play(50)
>>> batch.decisions, batch.masks.shape, int(batch.ended.sum()) > 0
(5000, (100, 3), True)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Literal

from ridotto.core.errors import IllegalAction
from ridotto.core.game import Game
from ridotto.engine.build import cuda
from ridotto.engine.fields import EVENT_ROOM, EVENT_WIDTH, Seat

BLOCKS: Final = 528
"""How many blocks of tables a GPU should have to work on, at least, before a block gets more tables."""


class Batch:
    """Tables of one game, each at some moment of a match.

    `acting` is the seat that is asked at each table (of several that owe a simultaneous choice, the first), `masks` its
    legal actions as bits in 32-bit words. `rewards` are the shares of matches won (tables, seats) and `ended` the number
    of matches that ended since the last call.
    """

    def __init__(
        self,
        game: Game,
        tables: int,
        seats: int | None = None,
        options: Mapping[str, int] | None = None,
        *,
        seed: int = 0,
        threads: int = 1,
        target: Literal["cpu", "cuda"] = "cpu",
    ) -> None:
        import numpy

        self.game, self.tables, self.seed, self.threads = game, tables, seed, threads
        self.seats = game.seat_count(seats)
        self.build = game.build(target)
        self.decisions = 0
        width, actions = self.build.rules.FIELDS.width, self.build.rules.ACTIONS
        self._empty: Callable[..., Any] = cuda().device_array if target == "cuda" else numpy.empty
        self._move: Callable[..., Any] = cuda().to_device if target == "cuda" else numpy.asarray
        self._options = self._move(numpy.array([*game.settle(options).values(), 0], "int16"))
        self._events = self._move(numpy.array([-1] + [0] * EVENT_ROOM * EVENT_WIDTH, "int16"))
        self._choose = self._move(numpy.full(tables, -1, "int16"))
        self.rows = self._empty((tables, width), "int16")
        self.dice = self._empty((tables, 5), "int64")
        self.matches = self._move(numpy.zeros(tables, "int64"))
        self.acting = self._empty(tables, "int8")
        self.masks = self._empty((tables, actions.words), "uint32")
        self.rewards = self._move(numpy.zeros((tables, self.seats), "float32"))
        self.ended = self._move(numpy.zeros(tables, "int32"))
        self._chosen, self._kinds = self._empty(tables, "int16"), self._empty(tables, "int16")
        self._fault: Any = self._move(numpy.array([-1], "int64"))
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._run("deal_tables", self.rows, self.dice, self.acting, self.masks, self._options, self._events, self.seats, seed)

    def play(self, decisions: int, thinkers: int | None = None) -> None:
        """Make that many decisions at every table: at random, or by the game's own bot for the seats in the set `thinkers`.

        The bot runs on the CPU alone.
        """
        if thinkers is not None and self.build.target == "cuda":
            raise ValueError("the game's own bot plays on the CPU; on a GPU play at random or hand in actions")
        self._advance(self._choose, decisions, thinkers)

    def step(self, actions: Any) -> None:
        """Do one action at every table: ids, as an array; -1 lets chance choose.

        A table whose action is not legal stays as it is, and IllegalAction names the first such, after all others went on.
        On a GPU the saying waits for `check`, so that a step need not wait for the device.
        """
        self._advance(self._taken(actions), 1, None)

    def check(self) -> None:
        """Raise IllegalAction if an action handed in on a GPU was not legal."""
        fault = int(self._fault.copy_to_host()[0]) if self.build.target == "cuda" else -1
        if fault >= 0:
            raise self._illegal(fault, "")

    def observations(self, out: Any = None) -> Any:
        """The rows as the acting seats may know them: HIDDEN where they may not look."""
        masked = self._empty(self.rows.shape, "int16") if out is None else out
        self._run("observe_tables", self.rows, self.acting, masked)
        return masked

    def legal(self) -> tuple[Any, Any]:
        """The legal actions as ids in ascending order, filled up with -1, and how many there are at each table."""
        ids = self._empty((self.tables, self.build.rules.ACTIONS.size), "int16")
        counts = self._empty(self.tables, "int16")
        self._run("list_tables", self.masks, counts, ids)
        return ids, counts

    def _taken(self, actions: Any) -> Any:
        if self.build.target == "cuda":
            taken = cuda().as_cuda_array(actions) if hasattr(actions, "__cuda_array_interface__") else self._move(actions)
        else:
            import numpy

            taken = numpy.asarray(actions)
        if taken.shape != (self.tables,) or taken.dtype.kind not in "iu":
            raise ValueError(f"needs {self.tables} whole numbers, one action a table, not {taken.shape} of {taken.dtype}")
        return taken

    def _advance(self, actions: Any, decisions: int, thinkers: int | None) -> None:
        state = (self.rows, self.dice, self.matches, self.acting, self.masks, self.rewards, self.ended, actions)
        if self.build.target == "cuda":
            more: tuple[Any, ...] = (
                self._chosen,
                self._kinds,
                self._fault,
                self._options,
                self._events,
                self.seats,
                self.seed,
                decisions,
            )
            self._run("advance_tables", *state, *more)
        else:
            before = self.acting.copy() if actions is not self._choose else None
            scratch = [self.build.row() for _ in range(self.threads)]
            more = (self._options, self._events, scratch, self.seats, self.seed, decisions, thinkers)
            faults = [fault for fault in self._run("advance_tables", *state, *more) if fault >= 0]
            if faults and before is not None:
                raise self._illegal(faults[0], self._named(int(actions[faults[0]])), int(before[faults[0]]))
        self.decisions += decisions * self.tables

    def _run(self, name: str, *args: Any) -> list[int]:
        """Run a function of the build on all tables: in threads, or as a kernel."""
        if self.build.target == "cuda":
            device = self.build.device
            each = min(max(self.tables // BLOCKS, device.THREADS), device.MOST)
            getattr(device, name)[-(-self.tables // each), device.THREADS](*args, each)
            return []
        function = getattr(self.build.driver, name)
        each = -(-self.tables // self.threads)

        def share(thread: int) -> int:
            own = [arg[thread] if isinstance(arg, list) else arg for arg in args]
            return function(*own, thread * each, min(self.tables, (thread + 1) * each))  # type: ignore[no-any-return]

        if self._pool is None:
            return [share(0)]
        return list(self._pool.map(share, range(self.threads)))

    def _named(self, action: int) -> str:
        actions = self.build.rules.ACTIONS
        return f"{actions.notation(action)!r}" if 0 <= action < actions.size else f"{action}, of 0 to {actions.size - 1},"

    def _illegal(self, table: int, action: str, seat: Seat | None = None) -> IllegalAction:
        who = f" by seat {seat}" if seat is not None else ""
        message = f"illegal action {action}{who} at table {table}: it was left as it is; choose out of `masks`"
        return IllegalAction(" ".join(message.split()))
