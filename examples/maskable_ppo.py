"""MaskablePPO of Stable-Baselines3 on one seat of a game, in subprocesses, against stronger and stronger opponents.

It needs `pip install 'ridotto[rl]' stable-baselines3 sb3-contrib`, and no adapter: the environments are those of Gymnasium.

    python examples/maskable_ppo.py fantome --seat 0 --opponents random --steps 80000
    python examples/maskable_ppo.py fantome --seat 1 --opponents random,level:1 --steps 80000,200000 --out phantom.npz
    ridotto arena fantome --bots 'greedy,cmd:python examples/maskable_ppo_bot.py inspector.npz phantom.npz'

An opponent gives way to the next after a number of steps, so what is learnt does not depend on how busy the machine is. A
measurement is a number of matches on other deals, in which the learner does what it holds best, as Stable-Baselines3 evaluates
policies. At the end it is measured against all of them on new deals; with `--least`, fewer wins than that are a failure.
Where a game has features (`ai/features.py`), the learner is shown them.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from pathlib import Path
from typing import Any

import numpy
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableMultiInputActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import SubprocVecEnv, VecMonitor

from ridotto.games import find
from ridotto.rl import vector


def has_features(game: str) -> bool:
    """Whether there is something to show besides the row."""
    return find(game).build().features.COUNT > 0


KINDS = {"fantome": 5}
"""How many of the features there are for each action, by game; they are the last ones, kind by kind."""

SCALE = 8.0
"""What they are multiplied by: one suspect, an eighth in the features, is 1. Small numbers would be learnt slowly."""


class Worth(torch.nn.Module):
    """What each action is worth: one small network for all of them looks at the numbers that belong to an action.

    To what it finds is added what a linear layer makes of everything. So what is learnt about one action holds for others.
    """

    def __init__(self, size: int, actions: int, kinds: int, start: int, width: int = 32) -> None:
        super().__init__()
        self.actions, self.kinds, self.start = actions, kinds, start
        self.line, self.rest = torch.nn.Linear(size, actions), torch.nn.Linear(size, width)
        self.own, self.out = torch.nn.Linear(kinds, width), torch.nn.Linear(width, 1, bias=False)
        self.name = torch.nn.Parameter(0.1 * torch.randn(actions, width))
        for layer, gain in ((self.line, 0.01), (self.out, 0.1)):
            torch.nn.init.orthogonal_(layer.weight, gain)

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        own = SCALE * seen[:, self.start : self.start + self.kinds * self.actions].unflatten(1, (self.kinds, self.actions))
        hidden = torch.relu(self.own(own.transpose(1, 2)) + self.rest(seen)[:, None] + self.name)
        found: torch.Tensor = self.line(seen) + self.out(hidden)[..., 0]
        return found


class ByAction(MaskableMultiInputActorCriticPolicy):
    """A policy of Stable-Baselines3 whose last layer is `Worth`."""

    def __init__(self, *args: Any, kinds: int = 0, **more: Any) -> None:
        self.kinds = kinds
        super().__init__(*args, **more)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        if self.kinds:
            # Stable-Baselines3 sorts the parts of an observation by their names: action_mask, features, observation.
            actions, count = (self.observation_space[part].shape[0] for part in ("action_mask", "features"))
            self.action_net = Worth(self.mlp_extractor.latent_dim_pi, actions, self.kinds, count + (1 - self.kinds) * actions)
            self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


def make(game: str, seat: int, bots: str, number: int) -> Any:
    """What makes one environment, in a process of its own."""

    def environment() -> Any:
        from ridotto.rl import single

        return single(game, seat=seat, bots=bots, features=has_features(game), number=number)

    return environment


def share_won(model: MaskablePPO, game: str, seat: int, bots: str, matches: int, seed: int) -> float:
    """The share of matches that the policy wins, one in each environment, so that short ones do not count more often."""
    environments = vector(game, matches, learner=seat, opponent=bots, features=has_features(game), threads=2)
    seen, _ = environments.reset(seed=seed)
    shares = numpy.full(matches, numpy.nan)
    while numpy.isnan(shares).any():
        masks = seen["action_mask"].astype(bool)
        actions, _ = model.predict(seen, action_masks=masks, deterministic=True)
        seen, rewards, over, _, _ = environments.step(actions)
        first = over & numpy.isnan(shares)
        shares[first] = rewards[first] + 1 / environments.players
    environments.close()
    return float(shares.mean())


class Measure(BaseCallback):
    """Measures now and then, and at the end, how often the learner wins against an opponent."""

    def __init__(self, chosen: argparse.Namespace, bots: str, began: float) -> None:
        super().__init__()
        self.chosen, self.bots, self.began = chosen, bots, began
        self.next = chosen.every

    def _on_step(self) -> bool:
        if self.num_timesteps >= self.next:
            self._measure()
            self.next += self.chosen.every
        return True

    def _on_training_end(self) -> None:
        self._measure()

    def _measure(self) -> None:
        won = share_won(self.model, self.chosen.game, self.chosen.seat, self.bots, self.chosen.matches, seed=1_000_001)
        minutes = round((time.monotonic() - self.began) / 60, 2)
        line = {"minutes": minutes, "opponent": self.bots, "steps": self.num_timesteps, "won": round(won, 4)}
        print(json.dumps(line), flush=True)


def keep(model: MaskablePPO, path: Path) -> None:
    """Write the layers that choose actions, so that `maskable_ppo_bot.py` can play them without PyTorch."""
    last = model.policy.action_net
    weights = {name: array.numpy() for name, array in last.state_dict().items()}
    if "own.weight" in weights:
        weights["own.weight"] = SCALE * weights["own.weight"]
    numpy.savez(path, start=getattr(last, "start", 0), **weights)


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn one seat of a game with MaskablePPO.")
    parser.add_argument("game")
    parser.add_argument("--seat", type=int, default=0)
    parser.add_argument("--opponents", default="random", help="names of bots, one after the other")
    parser.add_argument("--steps", default="80000", help="how many steps it learns against an opponent, or a number for each")
    parser.add_argument("--every", type=int, default=100_000, help="steps between measurements")
    parser.add_argument("--least", default="0", help="the share of wins that it must have in the end, or one for each opponent")
    parser.add_argument("--matches", type=int, default=400, help="matches of a measurement; in the end more than twice as many")
    parser.add_argument("--processes", type=int, default=16, help="environments, each in a process of its own")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where the policy is kept")
    chosen = parser.parse_args()
    torch.set_num_threads(1)  # the network is small: more threads would only wait for each other
    # What all processes import is imported once, before they are forked.
    multiprocessing.set_forkserver_preload(["stable_baselines3.common.vec_env.subproc_vec_env", "ridotto.rl.gymnasium"])
    began, model = time.monotonic(), None
    opponents = chosen.opponents.split(",")
    steps, least = ([float(one) for one in text.split(",")] for text in (chosen.steps, chosen.least))
    for at, bots in enumerate(opponents):
        makers = [make(chosen.game, chosen.seat, bots, number) for number in range(chosen.processes)]
        environments = VecMonitor(SubprocVecEnv(makers))
        if model is None:
            model = MaskablePPO(
                ByAction,
                environments,
                n_steps=4096 // chosen.processes,
                batch_size=512,
                n_epochs=4,
                gamma=1.0,
                gae_lambda=0.9,
                ent_coef=0.005,
                learning_rate=lambda left: 2e-3 * max(0.1, left),  # of the steps against this opponent, the share to come
                policy_kwargs={"net_arch": {"pi": [], "vf": [128, 128]}, "kinds": KINDS.get(chosen.game, 0)},
                seed=chosen.seed,
            )
        else:
            model.set_env(environments)
        model.learn(int(steps[min(at, len(steps) - 1)]), callback=Measure(chosen, bots, began))
        environments.close()
    assert model is not None
    if chosen.out:
        keep(model, chosen.out)
    has_failed = False
    for at, bots in enumerate(opponents):
        matches, wanted = 5 * chosen.matches // 2, least[min(at, len(least) - 1)]
        won = share_won(model, chosen.game, chosen.seat, bots, matches, seed=2_000_003)
        print(json.dumps({"in the end against": bots, "matches": matches, "won": round(won, 4), "least": wanted}), flush=True)
        has_failed |= won < wanted
    sys.exit(1 if has_failed else 0)


if __name__ == "__main__":
    main()
