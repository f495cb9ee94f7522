"""A training from beginning to end: learning, measuring, saving, continuing after a stop."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from ridotto.bots.networks import TrainedNetwork, save
from ridotto.core.errors import BadSetup
from ridotto.engine.errors import NoDevice, RidottoError
from ridotto.games import find
from ridotto.rl.training.learner import Learner, TrainingSettings, survey

PAST_SELVES: Final = 25
"""The number of times in a training that a past self is added."""
MATCHES: Final = 256
"""Matches in a measurement against the game's own bot, at each number of seats."""


class NoTorch(RidottoError):
    """PyTorch is not installed."""


@dataclass(frozen=True)
class Measured:
    """A point of the learning curve: when, and the share won against the game's own bot at each number of seats."""

    minutes: float
    decisions: int
    won: dict[int, float]
    errors: dict[int, float]
    """Standard errors of these shares."""


@dataclass
class Training:
    """A training and its progress."""

    learner: Learner
    out: Path
    minutes: float = 0.0
    """The time of learning, without measuring."""
    played_minutes: float = 0.0
    """Of that, in this run."""
    curve: list[Measured] = field(default_factory=list)
    begun_with: int = 0
    """The decisions of earlier runs."""

    @property
    def checkpoint(self) -> Path:
        """The file with everything that is needed to continue."""
        return _checkpoint(self.out)

    @property
    def speed(self) -> float:
        """Decisions a second in this run, learning included."""
        return (self.learner.decisions - self.begun_with) / max(1e-9, 60 * self.played_minutes)

    def run(self, every: float, on_progress: Callable[[Training], None], on_measured: Callable[[Training], None]) -> None:
        """Learn until the time is spent; measure and save after every `every` minutes, and at the end."""
        total = self.learner.settings.minutes
        self.learner.prepare()
        next_past = self.minutes
        next_measure = self.minutes + every
        while self.minutes < total:
            began = time.perf_counter()
            self.learner.advance(self.minutes / total)
            if self.learner.device == "cuda":
                self.learner.torch.cuda.synchronize()
            taken = (time.perf_counter() - began) / 60
            self.minutes += taken
            self.played_minutes += taken
            if self.minutes >= max(next_past, self.learner.settings.imitation * total):
                self.learner.remember()
                next_past = self.minutes + total / PAST_SELVES
            on_progress(self)
            if self.minutes >= min(next_measure, total):
                self.measure()
                self.save()
                on_measured(self)
                next_measure = self.minutes + every

    def measure(self) -> None:
        """Add a point to the learning curve."""
        learner = self.learner
        measured = {n: learner.measure(n, MATCHES, learner.settings.seed + learner.decisions) for n in learner.settings.seats}
        won, errors = ({n: round(one[i], 4) for n, one in measured.items()} for i in (0, 1))
        self.curve.append(Measured(round(self.minutes, 3), learner.decisions, won, errors))

    # Saving.

    def save(self) -> None:
        """Write the network and the checkpoint, each as a whole file or not at all."""
        state = self.learner.state() | {"minutes": self.minutes, "curve": [vars(one) for one in self.curve]}
        _replace(self.checkpoint, lambda path: self.learner.torch.save(state, path))
        _replace(self.out, lambda path: save(self.network(), path))

    def network(self) -> TrainedNetwork:
        """The network for playing."""
        import numpy

        learner, net = self.learner, self.learner.net
        answers = learner.actions + learner.room

        def array(tensor: Any) -> Any:
            return tensor.detach().float().cpu().numpy()

        return TrainedNetwork(
            self.facts(),
            learner.inputs,
            numpy.ascontiguousarray(array(net.first.weight).T),
            numpy.stack([array(layer.weight).T for layer in net.layers]),
            numpy.stack([array(net.first.bias), *(array(layer.bias) for layer in net.layers)]),
            numpy.ascontiguousarray(array(net.answer.weight).T[:, :answers]),
            array(net.answer.bias)[:answers],
        )

    def facts(self) -> dict[str, Any]:
        """Facts about the network and its training."""
        learner, game = self.learner, self.learner.game
        device = learner.torch.cuda.get_device_name() if learner.device == "cuda" else platform.processor() or "CPU"
        return {
            "game": game.name,
            "rules": game.version,
            "box": game.build().box,
            "options": game.settle(),
            "seats": list(learner.settings.seats),
            "training": learner.settings.plain()
            | {"decisions": learner.decisions, "device": device, "torch": learner.torch.__version__},
            "without": list(learner.survey.without),
            "is_whole": learner.settings.is_whole,
            "has_features": learner.settings.has_features,
            "curve": [vars(one) for one in self.curve],
        }


def _checkpoint(out: Path) -> Path:
    return out.with_suffix(".checkpoint")


def _replace(path: Path, write: Callable[[Path], None]) -> None:
    beside = path.with_name(f"{path.name}.part")
    write(beside)
    beside.replace(path)


def pick_device(wanted: str | None) -> str:
    """The device for PyTorch: the given one, otherwise a GPU if there is one."""
    try:
        import torch
    except ModuleNotFoundError as error:
        raise NoTorch("training needs PyTorch: pip install 'ridotto[train]'") from error
    if wanted == "cuda" and not torch.cuda.is_available():
        raise NoDevice("PyTorch has found no GPU; use --device cpu")
    return wanted or ("cuda" if torch.cuda.is_available() else "cpu")


def begin(settings: TrainingSettings, out: Path, device: str, threads: int, start: TrainedNetwork | None = None) -> Training:
    """A new training; or the one whose checkpoint is beside `out`, which goes on if its settings are the same.

    A new one may begin with the network `start`, which then also determines its inputs.
    """
    import torch

    torch.set_num_threads(threads)
    torch.backends.cuda.matmul.allow_tf32 = True
    checkpoint = _checkpoint(out)
    if start is not None:
        inputs = {"is_whole": start.facts.get("is_whole", True), "has_features": start.facts.get("has_features", False)}
        settings = replace(settings, start=start.digest, **inputs)
    if not checkpoint.exists():
        facts = survey(find(settings.game), settings, threads)
        if start is None:
            return Training(Learner(settings, device, threads, facts), out)
        learner = Learner(settings, device, threads, replace(facts, without=tuple(start.facts["without"])))
        learner.start_from(start)
        return Training(learner, out)
    try:
        state = torch.load(checkpoint, map_location=device, weights_only=True)
        before = TrainingSettings.of(state["settings"])
    except Exception as error:  # torch.load raises whatever the file provokes
        raise BadSetup(f"{str(checkpoint)!r} is not the checkpoint of a training: {error}") from error
    if replace(before, minutes=settings.minutes) != settings:
        differing = [name for name, value in settings.plain().items() if before.plain()[name] != value and name != "minutes"]
        raise BadSetup(f"{str(checkpoint)!r} is of a training with other settings ({', '.join(differing)}): name another file")
    learner = Learner.restored(state, settings.minutes, device, threads)
    curve = [Measured(**one) for one in state["curve"]]
    return Training(learner, out, state["minutes"], curve=curve, begun_with=learner.decisions)
