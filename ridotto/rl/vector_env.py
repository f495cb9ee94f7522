"""Thousands of matches as one Gymnasium environment.

A step makes one decision of the learner in every environment. By default the learner plays all seats (self-play): a step
moves every match by one decision, and `infos["seat"]` says whose turn it is next. With `learner` it plays one seat; the other
seats choose at random or by the game's own bot, and a step ends when that seat has to act again. A list gives the seat of the
learner for each environment, or None for all seats.

Where a match ends the next one begins in the same step, as Gymnasium calls it (`AutoresetMode.SAME_STEP`). What happens
depends on the seed alone, whatever the number of threads; in self-play it is the same on a GPU.

>>> from ridotto.rl import vector
>>> matches = vector("fantome", 64)
>>> seen, infos = matches.reset(seed=1)
>>> seen["observation"].shape, seen["action_mask"].shape, infos["seat"][:4].tolist()
((64, 207), (64, 78), [0, 0, 0, 0])
>>> actions = seen["action_mask"].argmax(axis=1)
>>> seen, rewards, terminations, truncations, infos = matches.step(actions)
>>> rewards.shape, bool(terminations.any())
((64,), False)
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import numpy
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ridotto.core.batch import Batch
from ridotto.core.errors import BadSetup, IllegalAction
from ridotto.core.game import Game
from ridotto.engine.build import cuda
from ridotto.engine.fields import Seat
from ridotto.games import find
from ridotto.rl import observe
from ridotto.rl.arrays import Learning
from ridotto.rl.environment import Reward, check_reward, observation_space
from ridotto.rl.tensors import Tensors

OPPONENTS = ("random", "greedy")


class VectorMatches(VectorEnv[Any, Any, Any]):
    """Many matches of one game, stepped together.

    Rewards come at the end of a match: the share of the win, less an equal share (`reward="share"`), or the score, less the
    mean score of the match (`reward="score"`). The reward of a step is that of the seat that moved; `infos["rewards"]` has
    those of all seats. On a GPU (`target="cuda"`, self-play only) all results stay on the device, as arrays that PyTorch or
    CuPy take without a copy, and there are no final observations. With `copy=False` the next step writes into the same
    arrays.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        players: int | None = None,
        options: Mapping[str, int] | None = None,
        *,
        learner: Seat | Literal["each"] | list[Seat | None] | None = None,
        opponent: str = "greedy",
        reward: Reward = "share",
        threads: int = 1,
        target: Literal["cpu", "cuda"] = "cpu",
        copy: bool = True,
    ) -> None:
        self.game = find(game) if isinstance(game, str) else game
        self.tensors = Tensors(self.game, players)
        self.players, self.num_envs = self.tensors.seats, num_envs
        self.options, self.reward, self.threads, self.target, self.copy = options, reward, threads, target, copy
        if num_envs < 1:
            raise BadSetup(f"needs one environment at least, not {num_envs}")
        if opponent not in OPPONENTS:
            raise BadSetup(f"in many environments the others are one of {', '.join(OPPONENTS)}, not {opponent!r}")
        check_reward(reward)
        if target == "cuda" and (learner is not None or reward != "share"):
            raise BadSetup("on a GPU all seats are yours and the reward is 'share'")
        all_seats = (1 << self.players) - 1
        if learner == "each":
            learner_seats: list[Any] = [number % self.players for number in range(num_envs)]
        else:
            learner_seats = learner if isinstance(learner, list) else [learner] * num_envs
        if len(learner_seats) != num_envs:
            raise BadSetup(f"a list of learners has one for each of {num_envs} environments, not {len(learner_seats)}")
        for seat in learner_seats:
            if seat is not None and seat not in range(self.players):
                raise BadSetup(f"a learner is a seat from 0 to {self.players - 1}, 'each' or None, not {seat!r}")
        self._learners = numpy.array([all_seats if seat is None else 1 << seat for seat in learner_seats], "int16")
        self._bot_seats = all_seats & ~self._learners if opponent == "greedy" else numpy.zeros(num_envs, "int16")
        self.single_action_space = spaces.Discrete(self.game.rules.ACTIONS.size)
        self.single_observation_space = observation_space(self.tensors, self.game.rules.ACTIONS.size)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.batch: Batch | None = None

    # The interface of Gymnasium.

    def reset(self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Any]:
        """Deal a first match in every environment."""
        if isinstance(seed, list):
            raise BadSetup("the environments share one seed: give one number, not a list")
        super().reset(seed=seed)
        number = int(self.np_random.integers(1 << 62)) if seed is None else int(seed)
        self.batch = Batch(self.game, self.num_envs, self.players, self.options, seed=number, target=self.target)
        self._prepare(self.batch)
        if self.target == "cuda":
            self._observe_on_device(self.batch)
        else:
            self._run(self._no_actions, is_start=True)
        return self._observation(), {"seat": self._copied(self.batch.acting)}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Do one action in every environment. One whose action is not legal is left as it is, and IllegalAction names it."""
        if self.batch is None:
            raise BadSetup("call reset() before step()")
        if self.target == "cuda":
            return self._step_on_device(self.batch, actions)
        actions = numpy.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise BadSetup(f"needs {self.num_envs} whole numbers, one action each, not {actions.shape} of {actions.dtype}")
        movers = self.batch.acting.copy()
        fault = self._run(actions, is_start=False)
        if fault >= 0:
            message = (
                f"illegal action {int(actions[fault])} by seat {movers[fault]} in environment {fault}: choose by `action_mask`"
            )
            raise IllegalAction(message)
        over = self.batch.ended > 0
        rewards = self.batch.rewards
        if self.reward == "score":
            shares = rewards - rewards.mean(axis=1, keepdims=True)
        else:
            shares = (rewards - self.batch.ended[:, None] / self.players).astype("float32")
        infos: dict[str, Any] = {"seat": self._copied(self.batch.acting), "rewards": shares}
        if over.any():
            infos["final_obs"], infos["_final_obs"] = self._final_observations(over, movers), over
        return self._observation(), shares[self._environments, movers], over, self._never.copy(), infos

    def advice(self) -> Any:
        """What the game's own bot would do in every environment, by what the seat to act may know: for imitation learning.

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

    # On the CPU.

    def _prepare(self, batch: Batch) -> None:
        size, actions = self.num_envs, self.game.rules.ACTIONS.size
        if self.target == "cuda":
            device = cuda()
            self._seen = device.device_array((size, self.tensors.size), "float32")
            self._allowed = device.device_array((size, actions), "int8")
            self._masked = device.device_array(batch.rows.shape, "int16")
            self._movers, self._paid = device.device_array(size, "int8"), device.device_array(size, "float32")
            self._over, self._never = device.device_array(size, "bool"), device.to_device(numpy.zeros(size, bool))
            self._kernels = observe.load_kernels(batch.build)
            return
        self._seen = numpy.empty((size, self.tensors.size), "float32")
        self._allowed = numpy.empty((size, actions), "int8")
        masked, self._lasts = numpy.empty_like(batch.rows), numpy.zeros_like(batch.rows)
        arrays: list[Any] = [self._learners, self._bot_seats, masked, self._seen, self._allowed, self._lasts]
        self._learning = Learning(*arrays)
        self._environments, self._never = numpy.arange(size), numpy.zeros(size, bool)
        self._no_actions = numpy.full(size, -1, "int64")
        self._own_dice = batch.dice.copy()
        self._work = [batch.build.workspace() for _ in range(self.threads)]

    def _run(self, actions: Any, is_start: bool) -> int:
        """Step all environments; returns the first one whose action is not legal, or -1."""
        batch = self.batch
        assert batch is not None
        step = observe.load(batch.build).step_rows
        each = -(-self.num_envs // self.threads)

        def share(thread: int) -> int:
            first, last = thread * each, min(self.num_envs, (thread + 1) * each)
            work, is_scored = self._work[thread], self.reward == "score"
            arrays = batch.arrays, self._learning, self.tensors.encoding
            return int(step(*arrays, work, batch.deal, actions, is_scored, is_start, first, last))

        faults = [share(0)] if self._pool is None else list(self._pool.map(share, range(self.threads)))
        return next((fault for fault in faults if fault >= 0), -1)

    def _final_observations(self, over: Any, movers: Any) -> Any:
        """The final observation of each match that has ended, from the seat that made the learner's last decision in it."""
        found = numpy.full(self.num_envs, None, object)
        (ended,) = over.nonzero()
        seen = self.tensors.encode_many(self._lasts[ended], movers[ended])
        no_actions = numpy.zeros(self.game.rules.ACTIONS.size, "int8")
        for i, number in enumerate(ended):
            found[number] = {"observation": seen[i], "action_mask": no_actions}
        return found

    def _observation(self) -> dict[str, Any]:
        return {"observation": self._copied(self._seen), "action_mask": self._copied(self._allowed)}

    def _copied(self, array: Any) -> Any:
        return array.copy() if self.copy and self.target == "cpu" else array

    # On a GPU.

    def _observe_on_device(self, batch: Batch) -> None:
        kernels = self._kernels
        batch.observations(self._masked)
        self.tensors.encode_many(self._masked, batch.acting, self._seen)
        kernels.spread_masks[kernels.BLOCKS, kernels.NARROW](batch.masks, self._allowed)

    def _step_on_device(self, batch: Batch, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """`step` on the device; only `batch.check()` raises IllegalAction, so that a step need not wait."""
        kernels = self._kernels
        self._movers.copy_to_device(batch.acting)
        batch.step(actions)
        kernels.pay_rows[kernels.BLOCKS, kernels.THREADS](batch.arrays, self._movers, self._paid, self._over)
        self._observe_on_device(batch)
        infos = {"seat": batch.acting, "rewards": batch.rewards}
        return self._observation(), self._paid, self._over, self._never, infos


def vector(game: Game | str, num_envs: int, players: int | None = None, **more: Any) -> VectorMatches:
    """Many matches of a game as one Gymnasium environment; see `VectorMatches`."""
    return VectorMatches(game, num_envs, players, **more)
