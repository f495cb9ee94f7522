"""A player that learns: it imitates the game's own bot, `greedy`, then improves on it by PPO on the vector environment.

    python examples/selfplay.py train [--game turandot] [--minutes 60] [--out policy.npz]
    python examples/selfplay.py draw policy.csv curve.png
    python examples/selfplay.py bot policy.npz

`train` needs PyTorch (pip install torch) and uses a GPU for the network if there is one. For the first part of the time
(`--imitation`) the network learns to do what `greedy` would. After that it plays: at some tables both seats, at the others
(`--mixed`) one seat against `greedy`. Every minute it is measured against `greedy`, each seat at half of the tables, and
written down: the policy, and beside it the learning curve as policy.csv, which `draw` makes a picture of. `bot` needs NumPy
alone: it speaks as docs/programs.md says, so that a policy can sit down in the arena:

    ridotto arena turandot --bots 'greedy,cmd:python examples/selfplay.py bot policy.npz'
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any, Final

import numpy as np

from ridotto.rl import Tensors

WIDTH: Final = 192
"""Of the two hidden layers."""
LENGTH: Final = 32
"""Decisions at every table between two updates."""
EPOCHS, PARTS = 2, 16
CLIP, TRACE, ENTROPY = 0.2, 0.95, 0.003
IMITATING, IMPROVING = 2e-3, 3e-4
"""The size of steps."""
REWARD: Final = {"fantome": ("share", 2.0), "turandot": ("score", 0.2)}
"""What is played for, and times what: points tell more of a match of Turandot than who has won it."""


# Seeing and playing, in NumPy.


class Lens:
    """What the network looks at: the numbers of a view, with singers by their properties instead of their names.

    Whoever plays Turandot reads stars, sex, category and favourite role off the cards. A network that is shown names alone
    has to find that out for each of 36 singers, in each place where one may be.
    """

    def __init__(self, tensors: Tensors) -> None:
        self.tensors = tensors
        self.properties: dict[str, np.ndarray] = {}
        if tensors.game.name == "turandot":
            box = tensors.game.build().components
            stars = np.array(box.STARS)[:, None] / 3
            tables = ((box.SEX, 3), (box.CATEGORY, box.CATEGORIES), (box.FAVOURITE, len(box.ROLES)))
            named = [np.array(column)[:, None] == np.arange(size) for column, size in tables]
            singers = np.concatenate([stars, *named], axis=1).astype("float32")
            directors = np.eye(len(box.DIRECTOR_IDS), dtype="float32")
            cards = np.zeros((len(singers) + len(directors), singers.shape[1] + len(directors)), "float32")
            cards[: len(singers), : singers.shape[1]] = singers
            cards[len(singers) :, singers.shape[1] :] = directors
            self.properties = {"singer": singers, "card": cards}

    def __call__(self, seen: np.ndarray) -> np.ndarray:
        """Views (tables, size) as the network sees them (tables, features)."""
        parts = []
        for piece in self.tensors.pieces:
            part = seen[:, piece.start : piece.stop]
            table = self.properties.get(piece.axes[-1])
            if table is not None and len(piece.shape) > 1 and piece.shape[-1] > len(table):
                places = part.reshape(len(seen), -1, piece.shape[-2], piece.shape[-1])[..., : len(table)] @ table
                # Each place by itself, and all of them together: how many of what there are.
                parts += [places.reshape(len(seen), -1), places.sum(axis=2).reshape(len(seen), -1)]
            else:
                parts.append(part)
        return np.concatenate(parts, axis=1)


def choose(weights: dict[str, np.ndarray], seen: np.ndarray, legal: list[int]) -> int:
    """The likeliest of the legal actions."""
    seen = seen[weights["kept"]]
    for layer in ("first", "second"):
        seen = np.maximum(seen @ weights[f"{layer}.weight"].T + weights[f"{layer}.bias"], 0)
    liking = seen @ weights["policy.weight"].T + weights["policy.bias"]
    return max(legal, key=lambda action: liking[action])


def bot(policy: Path) -> None:
    """Speak with the arena: one line of JSON for each that comes."""
    weights = dict(np.load(policy))
    lens: Lens | None = None
    for line in sys.stdin:
        told = json.loads(line)
        if told["do"] == "hello":
            answer: dict[str, Any] = {"ok": True, "name": policy.stem}
        elif told["do"] == "choose":
            view = told["view"]
            lens = lens or Lens(Tensors(view["game"], view["seats"]))
            ids = {action["id"]: action["notation"] for action in view["actions"]}
            seen = lens(lens.tensors.encode(view["row"], view["seat"])[None])[0]
            answer = {"action": ids[choose(weights, seen, list(ids))]}
        elif told["do"] == "error":
            print(told["error"]["message"], file=sys.stderr)
            continue
        else:
            break
        print(json.dumps(answer), flush=True)


# Learning.


class Learner:
    """A network and how it gets better."""

    def __init__(self, tensors: Tensors, seed: int, threads: int) -> None:
        import torch

        torch.manual_seed(seed)
        torch.set_num_threads(threads)
        self.torch = torch
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.lens = Lens(tensors)
        self.kept = varying(self.lens, seed)
        self.net = torch.nn.ModuleDict(
            {
                "first": torch.nn.Linear(len(self.kept), WIDTH),
                "second": torch.nn.Linear(WIDTH, WIDTH),
                "policy": torch.nn.Linear(WIDTH, tensors.game.rules.ACTIONS.size),
                "value": torch.nn.Linear(WIDTH, 1),
            }
        ).to(self.device)
        self.optimizer = torch.optim.Adam(self.net.parameters(), IMITATING)

    def look(self, views: Any, legal: Any) -> tuple[Any, Any]:
        """How likely each action is, as logarithms, and what the seat may hope for."""
        hidden = self.net["second"](self.net["first"](views).relu()).relu()
        logits = self.net["policy"](hidden).masked_fill(legal == 0, -1e9)
        return logits.log_softmax(-1), self.net["value"](hidden).squeeze(-1)

    def act(self, seen: dict[str, Any], surely: bool = False) -> tuple[Any, Any, Any, Any, Any]:
        """What was seen, on the device; an action at every table, how likely it was, and the value."""
        torch = self.torch
        with torch.no_grad():
            views = torch.as_tensor(self.lens(seen["observation"])[:, self.kept]).to(self.device)
            legal = torch.as_tensor(seen["action_mask"]).to(self.device)
            logs, values = self.look(views, legal)
            if surely:
                actions = logs.argmax(-1)
            else:
                sums = logs.exp().cumsum(-1)
                point = torch.rand(len(sums), 1, device=self.device) * sums[:, -1:] * (1 - 1e-6)
                actions = (sums <= point).sum(-1)
            return views, legal, actions, logs.gather(-1, actions[:, None]).squeeze(-1), values

    def update(self, imitate: bool, views: Any, legal: Any, actions: Any, chances: Any, gains: Any, returns: Any) -> None:
        """Make the actions likelier that were advised, or by proximal policy optimisation those that were a gain."""
        torch = self.torch
        for _ in range(EPOCHS):
            for part in torch.randperm(len(actions), device=self.device).chunk(PARTS):
                logs, values = self.look(views[part], legal[part])
                chosen = logs.gather(-1, actions[part, None]).squeeze(-1)
                ratio = (chosen - chances[part]).exp()
                gain = (gains[part] - gains[part].mean()) / (gains[part].std() + 1e-8)
                better = chosen if imitate else torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
                better = better.mean()
                spread = -(logs.exp() * logs.clamp(min=-30)).sum(-1).mean()
                loss = -better + 0.5 * (values - returns[part]).square().mean() - ENTROPY * spread
                self.optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                self.optimizer.step()

    def pace(self, step: float) -> None:
        """How large the steps of learning are."""
        for group in self.optimizer.param_groups:
            group["lr"] = step

    def save(self, path: Path) -> None:
        weights = {name: value.cpu().numpy() for name, value in self.net.state_dict().items()}
        np.savez(path, kept=self.kept, **weights)


def varying(lens: Lens, seed: int) -> np.ndarray:
    """The features that are not the same all the time: what is always hidden, or shown in the end alone, is left out."""
    from ridotto.rl import vector

    tables = vector(lens.tensors.game, 1000, lens.tensors.seats)
    seen, _ = tables.reset(seed=seed)
    first, chance = lens(seen["observation"])[0], np.random.default_rng(seed)
    changed = np.zeros(len(first), bool)
    for _ in range(100):
        changed |= (lens(seen["observation"]) != first).any(axis=0)
        mask = seen["action_mask"]
        seen = tables.step((mask * chance.random(mask.shape)).argmax(axis=1))[0]
    return changed.nonzero()[0]


class Playing:
    """One vector environment being played: what was seen, done and gained at its tables."""

    def __init__(self, learner: Learner, tables: Any, seed: int, worth: float) -> None:
        self.learner, self.tables, self.worth = learner, tables, worth
        self.seen, infos = tables.reset(seed=seed)
        self.seats = infos["seat"]

    def roll(self, imitate: bool) -> list[Any]:
        """Play on, and say for every decision what `update` needs to know.

        To imitate, half of what is advised is done, so that the network is also told what to do after its own mistakes.
        """
        torch, steps = self.learner.torch, []
        for _ in range(LENGTH):
            views, legal, actions, chances, values = self.learner.act(self.seen)
            before, done = self.seats, actions
            if imitate:
                actions = torch.as_tensor(self.tables.advice()).to(self.learner.device)
                done = torch.where(torch.rand(len(actions), device=self.learner.device) < 0.5, actions, done)
            self.seen, rewards, over, _, infos = self.tables.step(done.cpu().numpy())
            self.seats = infos["seat"]
            # With two seats what one hopes for the other fears: the next value counts for or against the seat that moved.
            carry = np.where(self.seats == before, 1.0, -1.0) * ~over
            told = (torch.as_tensor(array, dtype=values.dtype).to(values) for array in (self.worth * rewards, carry))
            steps.append((views, legal, actions, chances, values, *told))
        following, gain = self.learner.act(self.seen)[4], 0.0
        gains = []
        for *_, values, rewards, carry in reversed(steps):
            gain = rewards + carry * following - values + TRACE * carry * gain
            following = values
            gains.append(gain)
        views, legal, actions, chances, values = (torch.cat([step[i] for step in steps]) for i in range(5))
        found = torch.cat(gains[::-1])
        open_to_choice = legal.sum(-1) > 1  # from the others there is nothing to learn
        return [part[open_to_choice] for part in (views, legal, actions, chances, found, found + values)]


def strength(learner: Learner, game: str, matches: int, threads: int, seed: int) -> tuple[float, ...]:
    """The share of matches won against the game's own bot, by seat."""
    from ridotto.rl import vector

    tables = vector(game, matches, 2, learner="each", threads=threads)
    seen, infos = tables.reset(seed=seed)
    own, won = infos["seat"], np.full(matches, np.nan)
    while np.isnan(won).any():
        seen, rewards, over, _, _ = tables.step(learner.act(seen, surely=True)[2].cpu().numpy())
        # Only the first match at each table counts: short ones would count too often.
        first = over & np.isnan(won)
        won[first] = rewards[first] + 0.5
    return float(won[own == 0].mean()), float(won[own == 1].mean())


def train(game: str, minutes: float, tables: int, threads: int, mixed: float, imitation: float, seed: int, out: Path) -> None:
    """Learn for so long; write the policy, and how it got better."""
    from ridotto.rl import vector

    learner = Learner(Tensors(game, 2), seed, threads)
    reward, worth = REWARD[game]
    both: dict[str, Any] = {"reward": reward, "threads": threads}
    against, sides = round(tables * mixed), []
    if against < tables:
        sides.append(Playing(learner, vector(game, tables - against, 2, **both), seed, worth))
    if against:
        sides.append(Playing(learner, vector(game, against, 2, learner="each", **both), seed + 1, worth))
    curve = out.with_suffix(".csv")
    curve.write_text(f"minutes,decisions,seat 0,seat 1,{game},{learner.device},{threads} threads\n", "utf-8")
    began, decisions, spent, due = time.perf_counter(), 0, 0.0, 0.0
    while spent < minutes:
        imitate = spent < minutes * imitation
        played = zip(*(side.roll(imitate) for side in sides), strict=True)
        learner.update(imitate, *(learner.torch.cat(parts) for parts in played))
        decisions += tables * LENGTH
        spent = (time.perf_counter() - began) / 60
        # Smaller steps towards the end of each part.
        if imitate:
            learner.pace(IMITATING * max(0.2, 1 - spent / (minutes * imitation)))
        else:
            learner.pace(IMPROVING * max(0.1, 1 - spent / minutes))
        if spent >= due or spent >= minutes:
            wins = strength(learner, game, 2000, threads, seed + decisions)
            print(f"{spent:5.1f} min {decisions:11,} decisions  wins {wins[0]:.1%} and {wins[1]:.1%}", flush=True)
            with curve.open("a", encoding="utf-8") as file:
                file.write(f"{spent:.3f},{decisions},{wins[0]:.4f},{wins[1]:.4f}\n")
            learner.save(out)
            due = spent + 1


def draw(curve: Path, picture: Path) -> None:
    """A learning curve as a picture."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    from ridotto.games import find

    head, *lines = curve.read_text("utf-8").splitlines()
    game, device, threads = head.split(",")[4:]
    minutes, decisions, *wins = np.array([[float(number) for number in line.split(",")] for line in lines]).T
    figure, axes = pyplot.subplots(figsize=(7, 3.8), layout="constrained")
    for seat, shares, colour in zip(find(game).roles or ("seat 0", "seat 1"), wins, ("#2f6f9f", "#b23a48"), strict=True):
        axes.plot(minutes, shares, label=seat, color=colour, linewidth=1, alpha=0.7)
    axes.plot(minutes, np.mean(wins, axis=0), label="both", color="black", linewidth=2)
    axes.axhline(0.5, color="grey", linestyle=":", linewidth=1)
    where = f"{threads} of the CPU" if device == "cpu" else f"{threads} and a GPU"
    axes.set(xlabel=f"minutes ({where}; {decisions[-1] / 1e6:.0f} million decisions)", ylabel="won against greedy", ylim=(0, 1))
    axes.set_title(find(game).title)
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(picture, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    learning = commands.add_parser("train", help="learn, and write the policy and the curve")
    learning.add_argument("--game", choices=tuple(REWARD), default="turandot")
    learning.add_argument("--minutes", type=float, default=60)
    learning.add_argument("--tables", type=int, default=512)
    learning.add_argument("--threads", type=int, default=2, help="of the CPU")
    learning.add_argument("--mixed", type=float, default=0.75, help="the share of tables at which the game's own bot sits")
    learning.add_argument("--imitation", type=float, default=0.3, help="the share of the time for imitating that bot first")
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
