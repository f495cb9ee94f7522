"""Thousands of matches as one Gymnasium environment.

A step makes one decision of the learner in every environment. By default the learner plays all seats (self-play): a step
moves every match by one decision, and `infos["seat"]` says whose turn it is next. With `learner` it plays one seat; an opponent
plays the others, and a step ends when that seat has to act again. A list gives the seat of the learner for each environment,
or None for all seats.

Where a match ends the next one begins in the same step, as Gymnasium calls it (`AutoresetMode.SAME_STEP`). What happens
depends on the seed alone, whatever the number of threads, and is the same on a GPU.

>>> from ridotto.rl import vector
>>> matches = vector("fantome", 64)
>>> seen, infos = matches.reset(seed=1)
>>> seen["observation"].shape, seen["action_mask"].shape, infos["seat"][:4].tolist()
((64, 203), (64, 78), [0, 0, 0, 0])
>>> actions = seen["action_mask"].argmax(axis=1)
>>> seen, rewards, terminations, truncations, infos = matches.step(actions)
>>> rewards.shape, bool(terminations.any())
((64,), False)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from sys import getrefcount
from typing import Any, Final, Literal

import numpy
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ridotto import bots
from ridotto.bots import Bot, Budget
from ridotto.core import position as positions
from ridotto.core.batch import Batch
from ridotto.core.errors import BadSetup, IllegalAction
from ridotto.core.game import Game
from ridotto.core.state import State
from ridotto.core.view import MatchEvent, read_events, seen_by
from ridotto.engine.build import LEAST_SCRATCH, cuda
from ridotto.engine.fields import EVENT_ROOM, EVENT_WIDTH, Seat
from ridotto.games import find
from ridotto.rl import observe
from ridotto.rl.arrays import Exchange, Learning, Memory, Packing
from ridotto.rl.environment import (
    SEEDS,
    Reward,
    check_form,
    check_history,
    check_reset_options,
    check_reward,
    feature_count,
    observation_space,
    start_of,
    traits_for,
)
from ridotto.rl.tensors import DTYPES, FORMS, Form, Tensors

COMPILED: Final = ("random", "greedy")
"""Opponents that choose in compiled code."""
REWARDS: Final[tuple[Reward, ...]] = ("share", "zero-sum", "score")
"""In the order of the numbers that compiled code has for them."""

Policy = Callable[[dict[str, Any]], Any]
"""An opponent as a function: it is given the observations of the seats that it plays, and returns their actions."""


class Spares:
    """Arrays of one shape that are given away, and given again once nobody else holds them or a view of them.

    To write into new memory at every step takes longer than the step itself.
    """

    MOST: Final = 4
    """The number of arrays in turn: two are enough for a loop that uses one observation at a time."""

    def __init__(self, like: Any) -> None:
        self._kept = [numpy.empty_like(like)]
        self._idle = self._references(0)
        """The references to an array that is in this list alone."""

    def take(self) -> Any:
        """An array that nobody else holds; what is in it is anything."""
        for number in range(len(self._kept)):
            if self._references(number) <= self._idle:
                return self._kept[number]
        fresh = numpy.empty_like(self._kept[0])
        if len(self._kept) < self.MOST:
            self._kept.append(fresh)
        return fresh

    def _references(self, number: int) -> int:
        return getrefcount(self._kept[number])


class VectorMatches(VectorEnv[Any, Any, Any]):
    """Many matches of one game, stepped together.

    `opponent` is a bot by its name, or a function that gets the observations of all rows in which it has to act, as a step
    returns them, and gives an action for each. `random` and `greedy` are compiled; the others are asked one after the other,
    and are handed the views of their seats. Rewards come at the end of a match: the share of the win, less an equal share
    (`reward="share"`); the same, but 0 for all if nobody wins (`"zero-sum"`); or the score, less the mean score of the match
    (`"score"`). The reward of a step is that of the seat that moved; `infos["rewards"]` has those of all seats. `form` says
    how observations are written (see `ridotto.rl.tensors.Form`), and `position` where all matches begin. With `traits` cards
    are shown by what is printed on them (`ridotto.rl.traits`), with `history` an observation also has that many of the last
    events that the seat has seen, one-hot (`ridotto.rl.events`), and with `features` what the game works out for networks.

    On a GPU (`target="cuda"`) all results stay on the device, as arrays that PyTorch or CuPy take without a copy; final
    observations are there if `final=True`. With `copy=False` the next step writes into the same arrays.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        players: int | None = None,
        options: Mapping[str, int] | None = None,
        *,
        learner: Seat | Literal["each"] | list[Seat | None] | None = None,
        opponent: str | Bot | Policy = "greedy",
        reward: Reward = "share",
        form: Form = "float32",
        traits: bool = False,
        history: int = 0,
        features: bool = False,
        position: Mapping[str, Any] | None = None,
        threads: int = 1,
        target: Literal["cpu", "cuda"] = "cpu",
        copy: bool = True,
        final: bool | None = None,
    ) -> None:
        self.game = find(game) if isinstance(game, str) else game
        self.tensors = Tensors(self.game, players)
        self.players, self.num_envs = self.tensors.seats, num_envs
        self.reward, self.form, self.threads, self.target, self.copy = reward, form, threads, target, copy
        self.final = target == "cpu" if final is None else final
        if num_envs < 1:
            raise BadSetup(f"needs one environment at least, not {num_envs}")
        check_reward(reward)
        check_form(form)
        check_history(history)
        self.traits, self.history, self.features = traits_for(self.tensors, traits, form), history, features
        self._learner_seats = self._sets_of_learners(learner)
        self.opponent = opponent if not isinstance(opponent, str) or opponent in COMPILED else bots.find(opponent)
        self._is_outside = opponent not in COMPILED
        """Whether the opponent does not choose in compiled code."""
        self._is_bot = self._is_outside and not callable(self.opponent)
        if target == "cuda" and self._is_bot:
            raise BadSetup(f"on a GPU the others are a function, or one of {', '.join(COMPILED)}, not {opponent!r}")
        self._start: tuple[Any, Seat] = numpy.zeros((0, self.game.rules.FIELDS.width), "int16"), positions.EVERYTHING
        if position is not None:
            row, reader = positions.read_masked(self.game, start_of(self.game, self.players, options, position))
            self._start, options = (numpy.array([row], "int16"), reader), positions.options_of(self.game, row)
        self.options = options
        self.metadata = {
            **type(self).metadata,
            "name": f"{self.game.name}_v{self.game.version}",
            "rules": self.game.version,
            "box": self.game.build().box,
        }
        self.single_action_space = spaces.Discrete(self.game.rules.ACTIONS.size)
        parts = history, form, self.traits, features
        self.single_observation_space = observation_space(self.tensors, self.game.rules.ACTIONS.size, *parts)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.batch: Batch | None = None

    def _sets_of_learners(self, learner: Seat | Literal["each"] | list[Seat | None] | None) -> Any:
        """The seats that learn in each environment, as sets."""
        if learner == "each":
            seats: list[Any] = [number % self.players for number in range(self.num_envs)]
        else:
            seats = learner if isinstance(learner, list) else [learner] * self.num_envs
        if len(seats) != self.num_envs:
            raise BadSetup(f"a list of learners has one for each of {self.num_envs} environments, not {len(seats)}")
        for seat in seats:
            if seat is not None and seat not in range(self.players):
                raise BadSetup(f"a learner is a seat from 0 to {self.players - 1}, 'each' or None, not {seat!r}")
        return numpy.array([(1 << self.players) - 1 if seat is None else 1 << seat for seat in seats], "int16")

    def __getstate__(self) -> dict[str, Any]:
        if self.target == "cuda":
            raise BadSetup("an environment on a GPU is not copied; its `batch` can be")
        return {name: value for name, value in vars(self).items() if name not in ("_pool", "_spares")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        if self.batch is not None:
            self._prepare_spares()

    # The interface of Gymnasium.

    def reset(self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Any]:
        """Deal a first match in every environment; with the option `reset_mask`, the next match where the mask is true."""
        check_reset_options(options, "reset_mask")
        if isinstance(seed, list):
            raise BadSetup("the environments share one seed: give one number, not a list")
        if options and options.get("reset_mask") is not None:
            return self._reset_some(seed, numpy.asarray(options["reset_mask"]))
        super().reset(seed=seed)
        number = int(self.np_random.integers(1 << 62)) if seed is None else int(seed)
        self.batch = Batch(self.game, self.num_envs, self.players, self.options, seed=number, target=self.target)
        self._prepare(self.batch)
        self._advance(self.batch, numpy.full(self.num_envs, observe.START, "int64"))
        return self._observation(), self._infos(self.batch)

    def _reset_some(self, seed: int | None, mask: Any) -> tuple[Any, Any]:
        if self.batch is None or seed is not None:
            raise BadSetup("a reset_mask is for environments that were reset before, and goes without a seed")
        if mask.shape != (self.num_envs,) or mask.dtype != bool or not mask.any():
            raise BadSetup(f"a reset_mask has {self.num_envs} booleans, one at least true, not {mask.shape} of {mask.dtype}")
        if self.target == "cuda":
            raise BadSetup("on a GPU all environments are reset together")
        self.batch.matches[mask] += 1
        self._advance(self.batch, numpy.where(mask, observe.START, observe.LEAVE), keeps=True)
        return self._observation(), self._infos(self.batch)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Do one action in every environment. One whose action is not legal is left as it is, and IllegalAction names it.

        On a GPU only `batch.check()` raises it, so that a step need not wait.
        """
        if self.batch is None:
            raise BadSetup("call reset() before step()")
        if self.target == "cuda":
            return self._step_on_device(self.batch, actions)
        actions = numpy.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise BadSetup(f"needs {self.num_envs} whole numbers, one action each, not {actions.shape} of {actions.dtype}")
        movers = self.batch.acting.copy()
        fault = self._advance(self.batch, actions)
        if fault >= 0:
            message = (
                f"illegal action {int(actions[fault])} by seat {movers[fault]} in environment {fault}: choose by `action_mask`"
            )
            raise IllegalAction(message)
        over = self.batch.ended > 0
        rewards = self.batch.rewards.copy()
        infos = self._infos(self.batch, rewards)
        if self.final and over.any():
            infos["final_obs"], infos["_final_obs"] = self._final_observations(over, movers), over
        return self._observation(), rewards[self._environments, movers], over, self._never.copy(), infos

    def advice(self) -> Any:
        """The choices of the game's own bot in every environment, by the view of the seat to act: for imitation learning.

        It draws from dice of its own, so that it does not change the matches.
        """
        if self.batch is None or self.target == "cuda":
            raise BadSetup("advice is given on the CPU, after reset()")
        batch, out = self.batch, numpy.empty(self.num_envs, "int64")
        work, masked = batch.build.workspace(), self._learning.masked
        observe.load(batch.build).advise_rows(batch.arrays, masked, self._own_dice, work, out, 0, self.num_envs)  # type: ignore[arg-type]
        return out

    def close_extras(self, **kwargs: Any) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def _infos(self, batch: Batch, rewards: Any = None) -> dict[str, Any]:
        """The infos that every environment has, with the masks that say so."""
        infos = {"seat": self._copied(batch.acting), "_seat": self._always}
        return infos if rewards is None else infos | {"rewards": rewards, "_rewards": self._always}

    def _observation(self) -> dict[str, Any]:
        observation = {"observation": self._learning.seen, "action_mask": self._learning.allowed}
        if self.history:
            observation["history"] = self._learning.memory.shown
        return observation | {"features": self._features} if self.features else observation

    def _copied(self, array: Any) -> Any:
        return array.copy() if self.copy and self.target == "cpu" else array

    # Arrays.

    def _prepare(self, batch: Batch) -> None:
        """The arrays of a new batch."""
        size, width = self.num_envs, batch.build.rules.FIELDS.width
        self._environments = numpy.arange(size)
        self._never, self._always = self._array(numpy.zeros(size, bool)), self._array(numpy.ones(size, bool))
        all_seats = (1 << self.players) - 1
        others = all_seats & ~self._learner_seats
        arrays: dict[str, Any] = {
            "learners": self._learner_seats | others if self._is_outside else self._learner_seats,
            "bot_seats": others if self.opponent == "greedy" else numpy.zeros(size, "int16"),
            "movers": numpy.full(size, -1, "int8"),
            "masked": numpy.zeros((size, width), "int16"),
            "seen": numpy.empty((size, self._length), DTYPES[self.form]),
            "allowed": numpy.empty((size, self.game.rules.ACTIONS.size), "int8"),
            "lasts": numpy.zeros((size, width), "int16"),
            "events": numpy.zeros((size if self._is_bot or self.history else 0, 1 + EVENT_ROOM * EVENT_WIDTH), "int16"),
            "start": self._start[0],
        }
        count = feature_count(self.game) if self.features else 0
        self._features = self._array(numpy.zeros((size, count), "float32"))
        packing: list[Any] = [self._array(array) for array in self.tensors.packing]
        self._learning = Learning(
            **{name: self._array(array) for name, array in arrays.items()},
            reader=self._start[1],
            reward=REWARDS.index(self.reward),
            form=FORMS.index(self.form),
            packing=Packing(*packing),
            exchange=self._exchange(size),
            memory=self._memory(size),
        )
        if self.target == "cuda":
            self._prepare_device(batch)
            return
        self._prepare_spares()
        self._own_dice = batch.dice.copy()
        self._work = [batch.build.workspace() for _ in range(self.threads)]
        self._histories: list[list[MatchEvent]] = [[] for _ in range(size)]
        self._plies, self._numbers = [0] * size, [0] * size
        self._seated: list[dict[Seat, Bot]] = [{} for _ in range(size)]

    @property
    def _length(self) -> int:
        return self.tensors.length(self.form) if self.traits is None else self.traits.size

    def _exchange(self, size: int) -> Exchange:
        """The traits for compiled code; empty arrays without them."""
        if self.traits is None:
            nothing: Any = numpy.zeros((0, 1), "float32"), *(numpy.zeros(0, one) for one in ("int32", "int32", "float32"))
            return Exchange(*map(self._array, nothing))
        return Exchange(*map(self._array, (numpy.empty((size, self.tensors.size), "float32"), *self.traits.exchange)))

    def _memory(self, size: int) -> Memory:
        """The last events for compiled code; empty arrays without them."""
        lines = self.tensors.event_lines
        rows, last = size if self.history else 0, max(1, self.history)
        arrays: dict[str, Any] = {
            "lines": numpy.zeros((rows, self.players, last, EVENT_WIDTH), "int16"),
            "counts": numpy.zeros((rows, self.players), "int32"),
            "table": numpy.array(lines.table, "int32"),
            "shown": numpy.empty((rows, last, lines.size), "float32"),
            "lasts": numpy.empty((rows if self.final else 0, last, lines.size), "float32"),
        }
        flags: dict[str, Any] = {"is_symmetric": self.tensors.is_symmetric, "is_read": self._is_bot}
        return Memory(**{name: self._array(array) for name, array in arrays.items()}, **flags)

    def _prepare_spares(self) -> None:
        self._spares = {name: Spares(array) for name, array in self._shown(self._learning).items()}

    def _shown(self, learning: Learning) -> dict[str, Any]:
        """The arrays that a step gives away."""
        arrays = {"seen": learning.seen, "allowed": learning.allowed, "shown": learning.memory.shown}
        return arrays | {"features": self._features}

    def _array(self, array: Any) -> Any:
        return cuda().to_device(array) if self.target == "cuda" else array

    # Going on to the next decision of a learner.

    def _advance(self, batch: Batch, actions: Any, *, keeps: bool = False) -> int:
        """Do the learner's actions, and let outside opponents choose until learners have to act everywhere.

        Returns the first environment whose action is not legal, or -1. Rows that are left as they are keep what they showed
        if `keeps`.
        """
        if self.target == "cuda":
            return self._advance_on_device(batch, actions)
        if self.copy:
            before = self._learning
            taken = {name: spares.take() for name, spares in self._spares.items()}
            if keeps:
                for name, array in self._shown(before).items():
                    taken[name][:] = array
            self._features = taken.pop("features")
            memory = before.memory._replace(shown=taken.pop("shown"))
            self._learning = before._replace(**taken, memory=memory)
        fault = self._run(batch, actions, is_learners=True)
        if self._is_bot:
            self._listen(batch, actions)
        while self._is_outside:
            (rows,) = (self._learner_seats >> batch.acting & 1 == 0).nonzero()
            if not len(rows):
                break
            chosen = numpy.full(self.num_envs, observe.LEAVE, "int64")
            chosen[rows] = self._ask_bots(batch, rows) if self._is_bot else self._ask_policy(rows)
            refused = self._run(batch, chosen, is_learners=False)
            if refused >= 0:
                raise IllegalAction(
                    f"the opponent chose {int(chosen[refused])} at seat {batch.acting[refused]} in environment {refused}, "
                    "which is not legal: it has to choose by `action_mask`"
                )
            if self._is_bot:
                self._listen(batch, chosen)
        return fault

    def _run(self, batch: Batch, actions: Any, *, is_learners: bool) -> int:
        """Step all environments in compiled code; returns the first one whose action is not legal, or -1."""
        compiled = observe.load(batch.build)
        each = -(-self.num_envs // self.threads)
        arrays = batch.arrays, self._learning, self.tensors.encoding

        def share(thread: int) -> int:
            first, last = thread * each, min(self.num_envs, (thread + 1) * each)
            fault = compiled.step_rows(*arrays, self._work[thread], batch.deal, actions, is_learners, first, last)
            if self.features:
                masked = self._learning.masked
                compiled.feature_rows(batch.arrays, masked, self._work[thread], self._features, 0, first, last)
            return int(fault)

        faults = [share(0)] if self._pool is None else list(self._pool.map(share, range(self.threads)))
        return next((fault for fault in faults if fault >= 0), -1)

    # Opponents outside compiled code.

    def _ask_policy(self, rows: Any) -> Any:
        """The actions of an opponent that is a function."""
        assert callable(self.opponent)
        seen = {name: array[rows] for name, array in self._observation().items()}
        actions = numpy.asarray(self.opponent(seen))
        if actions.shape != (len(rows),) or actions.dtype.kind not in "iu":
            raise BadSetup(f"the opponent gives {len(rows)} whole numbers, not {actions.shape} of {actions.dtype}")
        return actions

    def _listen(self, batch: Batch, actions: Any) -> None:
        """Add the events of the last step to what has happened in each match, for bots that draw conclusions from it."""
        events: Any = self._learning.events
        for i in (actions != observe.LEAVE).nonzero()[0]:
            if actions[i] == observe.START or batch.matches[i] != self._numbers[i]:
                self._histories[i], self._plies[i], self._seated[i] = [], 0, {}
                self._numbers[i] = int(batch.matches[i])
            self._histories[i] += read_events(self.game.rules, events[i].tolist(), self._plies[i])
            self._plies[i] += 1
            events[i, 0] = 0

    def _ask_bots(self, batch: Batch, rows: Any) -> list[int]:
        """The actions of an opponent that is a bot; each match has bots of its own at its seats."""
        build = batch.build

        def ask(i: int) -> int:
            seat = int(batch.acting[i])
            bot = self._seated[i].setdefault(seat, self.opponent.sit())  # type: ignore[union-attr]
            state = State(self.game, build, self.players, batch.rows[i])
            view = state.view(seat, self._plies[i], seen_by(seat, self._histories[i]))
            return bot.choose(view, Budget(build.dice.draw(batch.dice[i], SEEDS)))

        return [ask(i) for i in rows] if self._pool is None else list(self._pool.map(ask, rows))

    def _final_observations(self, over: Any, movers: Any) -> Any:
        """The final observation of each match that has ended, from the seat that made the learner's last decision in it."""
        observations = numpy.full(self.num_envs, None, object)
        (ended,) = over.nonzero()
        lasts: Any = self._learning.lasts
        seen = self.tensors.encode_many(lasts[ended], movers[ended], form=self.form)
        if self.traits is not None:
            seen = self.traits.encode(seen)
        histories: Any = self._learning.memory.lasts
        no_actions = numpy.zeros(self.game.rules.ACTIONS.size, "int8")
        for i, number in enumerate(ended):
            observations[number] = {"observation": seen[i], "action_mask": no_actions}
            if self.history:
                observations[number]["history"] = histories[number].copy()
            if self.features:
                observations[number]["features"] = numpy.zeros(self._features.shape[1], "float32")
        return observations

    # On a GPU.

    def _prepare_device(self, batch: Batch) -> None:
        device, size = cuda(), self.num_envs
        self._movers, self._paid = device.device_array(size, "int8"), device.device_array(size, "float32")
        self._over = device.device_array(size, "bool")
        self._kernels = observe.load_kernels(batch.build)
        self._is_plain = (
            self.reward == "share"
            and not self.final
            and not self.history
            and not len(self._start[0])
            and (bool((self._learner_seats == (1 << self.players) - 1).all()))
        )
        """Whether a step is one decision in every row, dealt and paid as a batch does it, which is faster."""
        spare = size, max(batch.rows.shape[1], LEAST_SCRATCH)
        self._scratch = None if self._is_plain and not self.features else device.device_array(spare, "int16")
        self._finals = device.device_array_like(self._learning.seen) if self.final else None

    def _advance_on_device(self, batch: Batch, actions: Any) -> int:
        """Do actions in every row, and let the others choose, until a learner has to act everywhere."""
        if self._is_plain:
            if not isinstance(actions, numpy.ndarray) or int(actions[0]) != observe.START:
                batch.step(actions)
        else:
            self._launch(batch, batch._as_actions(actions), is_learners=True)
        self._observe_on_device(batch)
        while callable(self.opponent):
            acting = batch.acting.copy_to_host()
            (rows,) = (self._learner_seats >> acting & 1 == 0).nonzero()
            if not len(rows):
                break
            chosen = numpy.full(self.num_envs, observe.LEAVE, "int64")
            given = cuda().as_cuda_array(found) if cuda().is_cuda_array(found := self.opponent(self._observation())) else found
            chosen[rows] = (given.copy_to_host() if hasattr(given, "copy_to_host") else numpy.asarray(given))[rows]
            self._launch(batch, batch._as_actions(chosen), is_learners=False)
            self._observe_on_device(batch)
        return -1

    def _launch(self, batch: Batch, actions: Any, *, is_learners: bool) -> None:
        kernels = self._kernels
        arrays = batch.arrays, self._learning, batch._events, self._scratch, batch.deal, actions, is_learners, batch._fault
        has_bots = self.opponent == "greedy" and bool((self._learner_seats != (1 << self.players) - 1).any())
        step = kernels.step_rows_with_bots if has_bots else kernels.step_rows
        try:
            step[kernels.BLOCKS, kernels.NARROW](*arrays)
        except Exception as error:
            if "too much global constant data" not in str(error):
                raise
            raise BadSetup(
                f"the bot of {self.game.name} has tables too large for a GPU: take 'random' or a function"
            ) from error

    def _observe_on_device(self, batch: Batch) -> None:
        kernels = self._kernels
        batch.observations(self._learning.masked)
        self._write_on_device(self._learning.masked, batch.acting, self._learning.seen)
        if self.history:
            kernels.show_memories[kernels.BLOCKS, kernels.WARP](self._learning.memory, batch.acting, self.players)
        if self.features:
            arguments = batch.arrays, self._learning.masked, self._scratch, self._features, 0
            kernels.feature_rows[kernels.BLOCKS, kernels.WARP](*arguments)
        kernels.spread_masks[kernels.BLOCKS, kernels.NARROW](batch.masks, self._learning.allowed)

    def _write_on_device(self, masked: Any, viewers: Any, out: Any) -> None:
        """Write masked rows as observations."""
        if self.traits is None:
            self.tensors.encode_many(masked, viewers, out, self.form)
            return
        kernels, exchange = self._kernels, self._learning.exchange
        self.tensors.encode_many(masked, viewers, exchange.named)
        kernels.exchange_rows[kernels.BLOCKS, kernels.NARROW](exchange, out)

    def _step_on_device(self, batch: Batch, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        kernels = self._kernels
        self._movers.copy_to_device(batch.acting)
        self._advance_on_device(batch, actions)
        equal = 1.0 / self.players if self._is_plain else 0.0
        kernels.pay_rows[kernels.BLOCKS, kernels.THREADS](batch.arrays, self._movers, self._paid, self._over, equal)
        infos = self._infos(batch, batch.rewards)
        if self._finals is not None:
            self._write_on_device(self._learning.lasts, self._movers, self._finals)
            infos |= {"final_obs": self._finals, "_final_obs": self._over}
            if self.history:
                infos |= {"final_history": self._learning.memory.lasts, "_final_history": self._over}
        return self._observation(), self._paid, self._over, self._never, infos


def vector(game: Game | str, num_envs: int, players: int | None = None, **more: Any) -> VectorMatches:
    """Many matches of a game as one Gymnasium environment; see `VectorMatches`."""
    return VectorMatches(game, num_envs, players, **more)
