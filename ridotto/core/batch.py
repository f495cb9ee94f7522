"""Many matches of one game at once, as arrays: for learners, for search, for counting.

Every row of the arrays is a match; where one ends, the next is dealt at once. What happens depends on the seed alone, not on
the number of threads or the target. On the CPU the arrays are NumPy arrays; on a GPU they stay on the device and can be shared
without a copy with libraries that support `__cuda_array_interface__` (PyTorch, CuPy, JAX).

>>> from ridotto.games import GAMES
>>> batch = Batch(GAMES["fantome"], size=100, seed=7)
>>> batch.play(50)
>>> batch.decisions, batch.masks.shape, int(batch.ended.sum()) > 0
(5000, (100, 3), True)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Literal, TypeVar

from ridotto.core.errors import IllegalAction
from ridotto.core.game import Game
from ridotto.engine.arrays import Deal, Grouping, Rows
from ridotto.engine.build import cuda
from ridotto.engine.fields import EVENT_ROOM, EVENT_WIDTH, Seat

LEAST_ROWS: Final = 64
"""The fewest rows in a block of a GPU: with fewer, the threads of a warp would hardly ever do the same."""


T = TypeVar("T")


class Batch:
    """Many matches of one game, one in each row.

    `acting` is the seat to act in each row (of several that owe a simultaneous choice, the first), `masks` its legal
    actions as bits in 32-bit words. `rewards` are the shares of matches won (rows, seats) and `ended` the number of
    matches that ended, both in the last call; with `is_scored` there are also the `scores` (rows, seats) in these matches.
    """

    def __init__(
        self,
        game: Game,
        size: int,
        seats: int | None = None,
        options: Mapping[str, int] | None = None,
        *,
        seed: int = 0,
        threads: int = 1,
        target: Literal["cpu", "cuda"] = "cpu",
        is_scored: bool = False,
    ) -> None:
        import numpy

        self.game, self.size, self.seed, self.threads = game, size, seed, threads
        self.seats = game.seat_count(seats)
        self.build = game.build(target)
        self.decisions = 0
        width, actions = self.build.rules.FIELDS.width, self.build.rules.ACTIONS
        self._random_actions = self._copy_to_target(numpy.full(size, -1, "int16"))
        self.rows = self._empty((size, width), "int16")
        self.dice = self._empty((size, 5), "int64")
        self.matches = self._copy_to_target(numpy.zeros(size, "int64"))
        self.acting = self._empty(size, "int8")
        self.masks = self._empty((size, actions.words), "uint32")
        self.rewards = self._copy_to_target(numpy.zeros((size, self.seats), "float32"))
        self.ended = self._copy_to_target(numpy.zeros(size, "int32"))
        self.scores = self._copy_to_target(numpy.zeros((size if is_scored else 0, self.seats), "int32"))
        self._options = game.settle(options)
        self._prepare()
        if target == "cuda":
            self._launch(self.build.device.deal_rows, self.arrays, self._events, self.deal)
        else:
            driver = self.build.driver
            self._share(lambda thread, rows: driver.deal_rows(self.arrays, self._work[thread], self.deal, *rows))

    def _prepare(self) -> None:
        """Make the arguments of compiled functions, the threads and the work arrays, which are not pickled."""
        import numpy

        self.arrays = Rows(*(getattr(self, name) for name in Rows._fields))
        """The arrays as compiled functions take them."""
        self.deal = Deal(
            self._copy_to_target(numpy.array([*self._options.values(), 0], "int16")),
            self.seats,
            self.seed,
        )
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        if self.build.target == "cuda":
            self._events = self._copy_to_target(numpy.array([-1] + [0] * EVENT_ROOM * EVENT_WIDTH, "int16"))
            self._multiprocessors = int(cuda().get_current_device().MULTIPROCESSOR_COUNT)
            self._fault = self._copy_to_target(numpy.array([-1], "int64"))
            self._grouping = Grouping(self._empty(self.size, "int16"), self._empty(self.size, "int16"), self._fault)
        else:
            self._work = [self.build.workspace() for _ in range(self.threads)]

    def __getstate__(self) -> dict[str, Any]:
        """The state of the matches; arrays of a GPU are copied to the host."""
        state = {
            name: getattr(self, name) for name in ("game", "build", "size", "seats", "seed", "threads", "decisions", "_options")
        }
        arrays = {name: getattr(self, name) for name in (*Rows._fields, "_random_actions")}
        if self.build.target == "cuda":
            arrays = {name: array.copy_to_host() for name, array in arrays.items()}
        return state | {"arrays": arrays}

    def __setstate__(self, state: dict[str, Any]) -> None:
        arrays = state.pop("arrays")
        vars(self).update(state)
        for name, array in arrays.items():
            setattr(self, name, self._copy_to_target(array))
        self._prepare()

    def play(self, decisions: int, bot_seats: int | None = None) -> None:
        """Make that many decisions in every row: at random, or by the game's own bot for the seats in the set `bot_seats`.

        The bot runs on the CPU alone.
        """
        if bot_seats is not None and self.build.target == "cuda":
            raise ValueError("the game's own bot plays on the CPU; on a GPU play at random or hand in actions")
        self._advance(self._random_actions, decisions, bot_seats)

    def step(self, actions: Any) -> None:
        """Do one action in every row: an array of ids, where -1 stands for a random action.

        A row whose action is not legal stays as it is; IllegalAction names the first such row, after all others were
        stepped. On a GPU only `check` raises it, so that a step need not wait for the device.
        """
        self._advance(self._as_actions(actions), 1, None)

    def check(self) -> None:
        """Raise IllegalAction if an action that was given to `step` on a GPU was not legal."""
        fault = int(self._fault.copy_to_host()[0]) if self.build.target == "cuda" else -1
        if fault >= 0:
            raise self._illegal(fault, "")

    def observations(self, out: Any = None) -> Any:
        """The rows as the acting seats may know them: HIDDEN for what they may not know."""
        masked = self._empty(self.rows.shape, "int16") if out is None else out
        if self.build.target == "cuda":
            self._launch(self.build.device.mask_rows, self.arrays, masked)
        else:
            self._share(lambda _, rows: self.build.driver.mask_rows(self.arrays, masked, *rows))
        return masked

    def legal(self) -> tuple[Any, Any]:
        """The legal actions as ids in ascending order, filled up with -1, and how many there are in each row."""
        ids = self._empty((self.size, self.build.rules.ACTIONS.size), "int16")
        counts = self._empty(self.size, "int16")
        if self.build.target == "cuda":
            self._launch(self.build.device.list_legal, self.arrays, counts, ids)
        else:
            self._share(lambda _, rows: self.build.driver.list_legal(self.arrays, counts, ids, *rows))
        return ids, counts

    def _empty(self, shape: int | tuple[int, ...], dtype: str) -> Any:
        """An uninitialised array on this batch's target."""
        import numpy

        return cuda().device_array(shape, dtype) if self.build.target == "cuda" else numpy.empty(shape, dtype)

    def _copy_to_target(self, array: Any) -> Any:
        """A copy of an array on this batch's target; on the CPU, the array itself."""
        import numpy

        return cuda().to_device(array) if self.build.target == "cuda" else numpy.asarray(array)

    def _as_actions(self, actions: Any) -> Any:
        if self.build.target == "cuda" and cuda().is_cuda_array(actions):
            taken = cuda().as_cuda_array(actions)
        else:
            taken = self._copy_to_target(actions)
        if taken.shape != (self.size,) or taken.dtype.kind not in "iu":
            raise ValueError(f"needs {self.size} whole numbers, one action a row, not {taken.shape} of {taken.dtype}")
        return taken

    def _advance(self, actions: Any, decisions: int, bot_seats: int | None) -> None:
        if self.build.target == "cuda":
            kernel = self.build.device.advance_rows
            self._launch(kernel, self.arrays, self._events, self.deal, actions, decisions, self._grouping)
        else:
            before = self.acting.copy() if actions is not self._random_actions else None
            advance = self.build.driver.advance_rows
            faults = self._share(
                lambda thread, rows: advance(self.arrays, self._work[thread], self.deal, actions, decisions, bot_seats, *rows)
            )
            fault = next((fault for fault in faults if fault >= 0), -1)
            if fault >= 0 and before is not None:
                raise self._illegal(fault, self._action_text(int(actions[fault])), int(before[fault]))
        self.decisions += decisions * self.size

    def _launch(self, kernel: Any, *args: Any) -> None:
        """Run a kernel on all rows."""
        device = self.build.device
        # All multiprocessors get as many rows: one block fills one of them.
        each = min(max(-(-self.size // self._multiprocessors), LEAST_ROWS), device.MOST)
        kernel[-(-self.size // each), device.THREADS](*args, each)

    def _share(self, work: Callable[[int, tuple[int, int]], T]) -> list[T]:
        """Divide all rows among the threads; `work` gets the number of its thread, its first row and the end of its rows."""
        each = -(-self.size // self.threads)
        parts = [(thread * each, min(self.size, (thread + 1) * each)) for thread in range(self.threads)]
        if self._pool is None:
            return [work(0, parts[0])]
        return list(self._pool.map(work, range(self.threads), parts))

    def _action_text(self, action: int) -> str:
        actions = self.build.rules.ACTIONS
        return f"{actions.notation(action)!r}" if 0 <= action < actions.size else f"{action}, of 0 to {actions.size - 1},"

    def _illegal(self, row: int, action: str, seat: Seat | None = None) -> IllegalAction:
        who = f" by seat {seat}" if seat is not None else ""
        message = f"illegal action {action}{who} in row {row}: it was left as it is; choose out of `masks`"
        return IllegalAction(" ".join(message.split()))
