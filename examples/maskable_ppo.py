"""MaskablePPO of Stable-Baselines3 on one seat of a game, in subprocesses, against stronger and stronger opponents.

It needs `pip install 'ridotto[rl]' stable-baselines3 sb3-contrib`, and no adapter: the environments are those of Gymnasium.

    python examples/maskable_ppo.py fantome --seat 0 --opponents random --minutes 10
    python examples/maskable_ppo.py fantome --seat 1 --opponents random,level:1 --minutes 60 --out phantom.npz
    ridotto arena fantome --bots 'greedy,cmd:python examples/maskable_ppo_bot.py inspector.npz phantom.npz'

An opponent gives way to the next when the learner wins often enough, nine matches of ten unless told otherwise. A measurement
is a number of matches on other deals, in which the learner does what it holds best, as Stable-Baselines3 evaluates policies.
At the end it is measured against all of them on new deals; with `--least`, fewer wins than that are a failure.
Where a game has features (`features.py`), the learner is shown them.
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


KINDS = {"fantome": 3}
"""How many of the features there are for each action, by game; they are the last ones, kind by kind."""


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
        own = seen[:, self.start : self.start + self.kinds * self.actions].unflatten(1, (self.kinds, self.actions))
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


class Clock(BaseCallback):
    """Measures now and then, and stops when the time is up or the opponent is beaten."""

    def __init__(self, chosen: argparse.Namespace, bots: str, enough: float, until: float, began: float) -> None:
        super().__init__()
        self.chosen, self.bots, self.enough, self.until, self.began = chosen, bots, enough, until, began
        self.next = time.monotonic() + chosen.every

    def _on_step(self) -> bool:
        now = time.monotonic()
        if now >= self.next or now >= self.until:
            self.next = now + self.chosen.every
            won = share_won(self.model, self.chosen.game, self.chosen.seat, self.bots, self.chosen.matches, seed=1_000_001)
            line = {
                "minutes": round((time.monotonic() - self.began) / 60, 2),
                "steps": self.num_timesteps,
                "opponent": self.bots,
                "won": round(won, 4),
            }
            print(json.dumps(line), flush=True)
            if won >= self.enough:
                return False
        return now < self.until


def keep(model: MaskablePPO, path: Path) -> None:
    """Write the layers that choose actions, so that `maskable_ppo_bot.py` can play them without PyTorch."""
    last = model.policy.action_net
    weights = {name: array.numpy() for name, array in last.state_dict().items()}
    numpy.savez(path, start=getattr(last, "start", 0), **weights)


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn one seat of a game with MaskablePPO.")
    parser.add_argument("game")
    parser.add_argument("--seat", type=int, default=0)
    parser.add_argument("--opponents", default="random", help="names of bots, one after the other")
    parser.add_argument("--minutes", type=float, default=10, help="how long it learns, in all")
    parser.add_argument("--every", type=float, default=60, help="seconds between measurements")
    parser.add_argument(
        "--enough", default="0.9", help="the share of wins after which the next opponent comes, or one for each"
    )
    parser.add_argument("--least", default="0", help="the share of wins that it must have in the end, or one for each opponent")
    parser.add_argument("--matches", type=int, default=400, help="matches of a measurement; in the end more than twice as many")
    parser.add_argument("--processes", type=int, default=16, help="environments, each in a process of its own")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where the policy is kept")
    chosen = parser.parse_args()
    torch.set_num_threads(1)  # the network is small: more threads would only wait for each other
    # What all processes import is imported once, before they are forked.
    multiprocessing.set_forkserver_preload(["stable_baselines3.common.vec_env.subproc_vec_env", "ridotto.rl.gymnasium"])
    began = time.monotonic()
    until, model = began + 60 * chosen.minutes, None
    opponents = chosen.opponents.split(",")
    enough, least = ([float(one) for one in text.split(",")] for text in (chosen.enough, chosen.least))
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
                learning_rate=lambda _: 2e-3 * max(0.1, (until - time.monotonic()) / (until - began)),
                policy_kwargs={"net_arch": {"pi": [], "vf": [128, 128]}, "kinds": KINDS.get(chosen.game, 0)},
                seed=chosen.seed,
            )
        else:
            model.set_env(environments)
        clock = Clock(chosen, bots, enough[min(at, len(enough) - 1)], until, began)
        model.learn(1 << 40, callback=clock, reset_num_timesteps=False)
        environments.close()
        if time.monotonic() >= until:
            break
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
