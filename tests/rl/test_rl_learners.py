"""A second library of learners takes an environment as it is; `make learners` installs it and runs this."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "tianshou_dqn.py"


def test_tianshou_learns_with_masks() -> None:
    """DQN on PettingZoo's environment, without an adapter: it learns and plays, and an illegal action would raise."""
    pytest.importorskip("tianshou", minversion="2", reason="pip install 'tianshou>=2'; `make learners` does")
    spec = importlib.util.spec_from_file_location("tianshou_dqn", EXAMPLE)
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    assert example.learn("fantome", 0, steps=800, matches=20) > 0.4  # random play has 0.73 there
