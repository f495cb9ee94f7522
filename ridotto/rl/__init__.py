"""The games behind the interfaces that researchers already use.

`Tensors` turns a view into an array of numbers; everything else is built on it. `Traits` replaces the names of cards by what is
printed on them. What needs an optional package is imported when it is first used.

>>> from ridotto.rl import Tensors
>>> Tensors("fantome").size
203
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from ridotto.engine.errors import RidottoError
from ridotto.rl.tensors import Piece, Tensors
from ridotto.rl.traits import Traits

if TYPE_CHECKING:
    from ridotto.rl.gymnasium import single
    from ridotto.rl.pettingzoo import aec, parallel
    from ridotto.rl.vector_env import vector

LAZY: Final = {
    "aec": "ridotto.rl.pettingzoo",
    "parallel": "ridotto.rl.pettingzoo",
    "single": "ridotto.rl.gymnasium",
    "vector": "ridotto.rl.vector_env",
}
"""The names that need PettingZoo or Gymnasium, and their modules."""

__all__ = ["Piece", "Tensors", "Traits", "aec", "parallel", "single", "vector"]


def __getattr__(name: str) -> Any:
    if name not in LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(LAZY[name]), name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("ridotto"):
            raise
        raise RidottoError(f"{error.name} is not installed: pip install 'ridotto[rl]'") from error
