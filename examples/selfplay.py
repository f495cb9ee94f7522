"""A player of Turandot that learns: it imitates the game's own bot, `greedy`, then improves on it by PPO.

    python examples/selfplay.py train [--minutes 60] [--out policy.npz]
    python examples/selfplay.py draw policy.csv curve.png
    python examples/selfplay.py bot policy.npz

`train` needs PyTorch (pip install torch) and uses a GPU for the network if there is one. For the first part of the time the
network learns to do what `greedy` would. After that it plays, in some matches both seats, in the others one seat against
`greedy`. Every minute it is measured against `greedy`, each seat in half of the matches, and written down: the policy, and
beside it the learning curve as policy.csv, which `draw` makes a picture of. `bot` does without PyTorch: it speaks
as docs/programs.md says, so that a policy can sit down in the arena:

    ridotto arena turandot --bots 'greedy,cmd:python examples/selfplay.py bot policy.npz'
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from ridotto.rl import Tensors, Traits, vector

GAME: Final = "turandot"
TRAITS: Final = Traits(Tensors(GAME, 2))
"""What the network sees: singers by what is printed on their cards; nothing that is the same whenever a seat decides."""
LEARNERS: Final = (None, None, 0, 1, 0, 1, 0, 1)
"""Which seats are the network's, from environment to environment: both (None), or one against the game's own bot."""
IMITATION: Final = 0.3
"""The share of the time for imitating that bot first."""
WORTH: Final = 0.2
"""The reward for a point. Scores say more about a match than who has won it, so they are the reward."""
WIDTH, LENGTH = 192, 32
"""The width of the two hidden layers; the steps in every environment between two updates."""
EPOCHS, PARTS, CLIP, GAE_LAMBDA, ENTROPY = 2, 16, 0.2, 0.95, 0.003


# Playing, in NumPy.


def choose(weights: dict[str, np.ndarray], seen: np.ndarray, legal: list[int]) -> int:
    """The likeliest of the legal actions."""
    for layer in ("first", "second"):
        seen = np.maximum(seen @ weights[f"{layer}.weight"].T + weights[f"{layer}.bias"], 0)
    logits = seen @ weights["policy.weight"].T + weights["policy.bias"]
    return max(legal, key=lambda action: logits[action])


def bot(policy: Path) -> None:
    """Play in the arena: answer each line of JSON with another."""
    weights = dict(np.load(policy))
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "hello":
            answer: dict[str, Any] = {"ok": True, "name": policy.stem}
        elif request["do"] == "choose":
            view = request["view"]
            ids = {action["id"]: action["notation"] for action in view["actions"]}
            seen = TRAITS.encode(TRAITS.tensors.encode(view["row"], view["seat"]))
            answer = {"action": ids[choose(weights, seen, list(ids))]}
        elif request["do"] == "error":
            print(request["error"]["message"], file=sys.stderr)
            continue
        else:
            break
        print(json.dumps(answer), flush=True)


# Learning, in PyTorch.


class Learner:
    """A network in many matches at once, and how it gets better."""

    def __init__(self, num_envs: int, threads: int, seed: int) -> None:
        import torch

        torch.manual_seed(seed)
        torch.set_num_threads(threads)
        self.torch, self.threads = torch, threads
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        layers = {"first": (TRAITS.size, WIDTH), "second": (WIDTH, WIDTH)}
        layers |= {"policy": (WIDTH, TRAITS.tensors.game.rules.ACTIONS.size), "value": (WIDTH, 1)}
        self.net = torch.nn.ModuleDict({name: torch.nn.Linear(*sizes) for name, sizes in layers.items()}).to(self.device)
        self.optimizer = torch.optim.Adam(self.net.parameters())
        learner = list(islice(cycle(LEARNERS), num_envs))
        self.matches = vector(GAME, num_envs, 2, learner=learner, reward="score", threads=threads)
        self.seen, infos = self.matches.reset(seed=seed)
        self.seats = infos["seat"]

    def evaluate(self, views: Any, legal: Any) -> tuple[Any, Any]:
        """The logarithms of the probabilities of all actions, and the value for the seat."""
        hidden = self.net["second"](self.net["first"](views).relu()).relu()
        logits = self.net["policy"](hidden).masked_fill(legal == 0, -1e9)
        return logits.log_softmax(-1), self.net["value"](hidden).squeeze(-1)

    def act(self, seen: dict[str, Any], chance: float = 1.0) -> tuple[Any, Any, Any, Any, Any]:
        """The observations on the device; for every environment an action, the logarithm of its probability, and the value."""
        with self.torch.no_grad():
            views = self.torch.as_tensor(TRAITS.encode(seen["observation"])).to(self.device)
            legal = self.torch.as_tensor(seen["action_mask"]).to(self.device)
            logs, values = self.evaluate(views, legal)
            # With this noise (Gumbel) each action is chosen with its probability; without it, always the likeliest.
            noise = -self.torch.empty_like(logs).exponential_().clamp(min=1e-20).log()
            actions = (logs + chance * noise).argmax(-1)
            return views, legal, actions, logs.gather(-1, actions[:, None]).squeeze(-1), values

    def play(self, imitate: bool) -> list[Any]:
        """Play on, and return what `update` needs for every decision.

        In imitation, only half of the advice is followed, so that the network also learns what to do after its own mistakes.
        """
        torch, steps = self.torch, []
        for _ in range(LENGTH):
            views, legal, actions, chances, values = self.act(self.seen)
            before, done = self.seats, actions
            if imitate:
                actions = torch.as_tensor(self.matches.advice()).to(self.device)
                done = torch.where(torch.rand(len(actions), device=self.device) < 0.5, actions, done)
            self.seen, rewards, over, _, infos = self.matches.step(done.cpu().numpy())
            self.seats = infos["seat"]
            # The game is zero-sum: the next value counts for or against the seat that moved.
            carry = np.where(self.seats == before, 1.0, -1.0) * ~over
            outcome = (torch.as_tensor(array).to(values) for array in (WORTH * rewards, carry))
            steps.append((views, legal, actions, chances, values, *outcome))
        following, advantage, advantages = self.act(self.seen)[4], 0.0, []
        for *_, values, rewards, carry in reversed(steps):
            advantage = rewards + carry * following - values + GAE_LAMBDA * carry * advantage
            following = values
            advantages.append(advantage)
        views, legal, actions, chances, values = (torch.cat([step[i] for step in steps]) for i in range(5))
        estimates = torch.cat(advantages[::-1])
        has_choice = legal.sum(-1) > 1  # there is nothing to learn from the others
        return [part[has_choice] for part in (views, legal, actions, chances, estimates, estimates + values)]

    def update(self, imitate: bool, pace: float, rollout: list[Any]) -> None:
        """Make the advised actions more likely, or by proximal policy optimisation those with a positive advantage."""
        torch = self.torch
        self.optimizer.param_groups[0]["lr"] = pace
        for _ in range(EPOCHS):
            for part in torch.randperm(len(rollout[0]), device=self.device).chunk(PARTS):
                views, legal, actions, chances, advantages, returns = (array[part] for array in rollout)
                logs, values = self.evaluate(views, legal)
                chosen = logs.gather(-1, actions[:, None]).squeeze(-1)
                ratio = (chosen - chances).exp()
                scaled = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
                objective = chosen if imitate else torch.min(ratio * scaled, ratio.clamp(1 - CLIP, 1 + CLIP) * scaled)
                entropy = -(logs.exp() * logs).sum(-1)
                loss = (0.5 * (values - returns).square() - objective - ENTROPY * entropy).mean()
                self.optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                self.optimizer.step()

    def strength(self, matches: int, seed: int) -> float:
        """The share of matches won against the game's own bot, in either seat as often."""
        envs = vector(GAME, matches, 2, learner="each", threads=self.threads)
        seen, _ = envs.reset(seed=seed)
        won = np.full(matches, np.nan)
        while np.isnan(won).any():
            seen, rewards, over, _, _ = envs.step(self.act(seen, chance=0.0)[2].cpu().numpy())
            # Only the first match of each environment counts: short ones would count too often.
            first = over & np.isnan(won)
            won[first] = rewards[first] + 0.5
        return float(won.mean())


def train(minutes: float, num_envs: int, threads: int, seed: int, out: Path) -> None:
    """Learn for a number of minutes; write the policy and the learning curve."""
    learner = Learner(num_envs, threads, seed)
    out.with_suffix(".csv").write_text("minutes,decisions,won\n", "utf-8")
    began, decisions, spent, due = time.perf_counter(), 0, 0.0, 0.0
    while spent < minutes:
        # Smaller steps towards the end of each part.
        imitate = spent < IMITATION * minutes
        pace = 2e-3 * (1 - spent / (IMITATION * minutes)) if imitate else 3e-4 * (1 - spent / minutes)
        learner.update(imitate, max(pace, 3e-5), learner.play(imitate))
        decisions += num_envs * LENGTH
        spent = (time.perf_counter() - began) / 60
        if spent >= min(due, minutes):
            won = learner.strength(2000, seed + decisions)
            print(f"{spent:5.1f} min {decisions:11,} decisions  won {won:.1%}", flush=True)
            with out.with_suffix(".csv").open("a", encoding="utf-8") as file:
                file.write(f"{spent:.3f},{decisions},{won:.4f}\n")
            np.savez(out, **{name: value.cpu().numpy() for name, value in learner.net.state_dict().items()})
            due = spent + 1


def draw(curve: Path, picture: Path) -> None:
    """A learning curve as a picture."""
    from matplotlib.figure import Figure

    minutes, decisions, won = np.loadtxt(curve, delimiter=",", skiprows=1, ndmin=2).T
    figure = Figure(figsize=(7, 3.8), layout="constrained")
    axes = figure.subplots()
    axes.plot(minutes, won, color="black")
    axes.axhline(0.5, color="grey", linestyle=":")
    axes.set(xlabel=f"minutes ({decisions[-1] / 1e6:.0f} million decisions)", ylabel="won against greedy", ylim=(0, 1))
    figure.savefig(picture, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    learning = commands.add_parser("train", help="learn, and write the policy and the curve")
    learning.add_argument("--minutes", type=float, default=60)
    learning.add_argument("--num-envs", type=int, default=512)
    learning.add_argument("--threads", type=int, default=2, help="of the CPU")
    learning.add_argument("--seed", type=int, default=1)
    learning.add_argument("--out", type=Path, default=Path("policy.npz"))
    drawing = commands.add_parser("draw", help="make a picture of a learning curve")
    drawing.add_argument("curve", type=Path)
    drawing.add_argument("picture", type=Path)
    commands.add_parser("bot", help="play, as an outside program").add_argument("policy", type=Path)
    chosen = vars(parser.parse_args())
    {"train": train, "draw": draw, "bot": bot}[chosen.pop("command")](**chosen)


if __name__ == "__main__":
    main()
