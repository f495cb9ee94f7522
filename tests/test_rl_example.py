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
from ridotto.core import Match
from ridotto.games import GAMES
from ridotto.rl import Tensors

SCRIPT = Path(__file__).parent.parent / "examples" / "selfplay.py"


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
    tensors = Tensors("turandot", 2)
    kept = selfplay.varying(selfplay.Lens(tensors), 1)
    actions = GAMES["turandot"].rules.ACTIONS.size
    shapes = {"first": (8, len(kept)), "second": (8, 8), "policy": (actions, 8)}
    weights: dict[str, Any] = {f"{name}.weight": numpy.zeros(shape, "float32") for name, shape in shapes.items()}
    weights |= {f"{name}.bias": numpy.zeros(shape[0], "float32") for name, shape in shapes.items()}
    weights["policy.bias"] += numpy.arange(actions)
    weights["kept"] = kept
    path = tmp_path / "last.npz"
    numpy.savez(path, **weights)
    return path


def test_singers_are_seen_by_their_properties(selfplay: Any) -> None:
    """Of three singers in a troupe the lens tells stars, sex, category and favourite role, one by one and together."""
    tensors = Tensors("turandot", 2)
    box = GAMES["turandot"].build().components
    row = Match(GAMES["turandot"], 2, seed=1).row
    at = GAMES["turandot"].rules.FIELDS.F.troupe
    row[at : at + 3] = [4, 11, 30]
    row[at + 3 : at + 12] = [-1] * 9
    seen = selfplay.Lens(tensors)(tensors.encode(GAMES["turandot"].rules.FIELDS.masked(row, 0), 0)[None])[0]
    width = 1 + 3 + box.CATEGORIES + 6
    (before,) = [piece for piece in tensors.pieces if piece.stop == tensors.piece("troupe").start]
    offers = 6 * (width + 9) + width + 9
    start = before.stop - tensors.piece("offer").size + offers
    third = seen[start + 2 * width : start + 3 * width]
    assert [box.STARS[30] / 3] == pytest.approx(third[:1].tolist())
    assert box.SEX[30] == third[1:4].argmax() and box.CATEGORY[30] == third[4:10].argmax()
    assert box.FAVOURITE[30] == third[10:].argmax()
    together = seen[start + 12 * width :][:width]
    assert pytest.approx(sum(box.STARS[singer] for singer in (4, 11, 30)) / 3) == together[0]
    assert [sum(box.SEX[singer] == sex for singer in (4, 11, 30)) for sex in range(3)] == together[1:4].tolist()


def test_what_never_varies_is_left_out(selfplay: Any) -> None:
    """What is always hidden, or shown in the end alone, is not learnt from."""
    lens = selfplay.Lens(Tensors("turandot", 2))
    kept = selfplay.varying(lens, 1)
    seen = lens(numpy.zeros((1, lens.tensors.size), "float32"))
    assert 0.3 < len(kept) / seen.shape[1] < 0.8


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
    curve.write_text("minutes,decisions,seat 0,seat 1,turandot,cpu,2 threads\n0.1,8192,0,0.01\n1.1,90000,0.4,0.6\n", "utf-8")
    selfplay.draw(curve, tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
