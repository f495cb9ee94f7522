"""The example that learns: what it does without PyTorch. A policy sits down as an outside program, a curve is drawn."""

from __future__ import annotations

import importlib.util
import shlex
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest

from ridotto.bots import Budget, find
from ridotto.core.match import Match
from ridotto.games import GAMES

SCRIPT = Path(__file__).parents[2] / "examples" / "selfplay.py"


@pytest.fixture
def selfplay() -> Any:
    """The example as a module."""
    spec = importlib.util.spec_from_file_location("selfplay", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def policy(selfplay: Any, tmp_path: Path) -> Path:
    """A policy of Turandot that has learnt nothing but to like the last of its actions best."""
    actions = GAMES["turandot"].rules.ACTIONS.size
    shapes = {"first": (8, selfplay.TRAITS.size), "second": (8, 8), "policy": (actions, 8)}
    weights: dict[str, Any] = {f"{name}.weight": numpy.zeros(shape, "float32") for name, shape in shapes.items()}
    weights |= {f"{name}.bias": numpy.zeros(shape[0], "float32") for name, shape in shapes.items()}
    weights["policy.bias"] += numpy.arange(actions)
    path = tmp_path / "last.npz"
    numpy.savez(path, **weights)
    return path


def test_a_policy_plays_as_a_program(policy: Path) -> None:
    """The script speaks the protocol of outside programs and plays what its policy likes best."""
    bot = find(f"cmd:{shlex.join([sys.executable, str(SCRIPT), 'bot', str(policy)])}").sit()
    match = Match(GAMES["turandot"], 2, seed=4)
    for number in range(6):
        seat = match.to_act[0]
        action = bot.choose(match.view(seat), Budget(number)) if seat == 0 else match.legal(seat).ids[0]
        if seat == 0:
            assert match.legal(seat).ids[-1] == action
        match.play(action, seat)


def test_a_learning_curve_is_drawn(selfplay: Any, tmp_path: Path) -> None:
    """`draw` makes a picture of what `train` has written down."""
    curve = tmp_path / "policy.csv"
    curve.write_text("minutes,decisions,won\n0.1,8192,0.01\n1.1,90000,0.5\n", "utf-8")
    selfplay.draw(curve, tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
