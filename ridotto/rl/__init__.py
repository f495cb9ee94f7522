"""For researchers: the games behind the interfaces they already use.

`Tensors` says how a view becomes an array of numbers; everything else is built on it. `Traits` has what is printed on
cards instead of their names. What needs a package of its own is loaded when it is first asked for.

>>> from ridotto.rl import Tensors
>>> Tensors("fantome").size
207
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

LATER: Final = {
    "aec": "ridotto.rl.pettingzoo",
    "parallel": "ridotto.rl.pettingzoo",
    "single": "ridotto.rl.gymnasium",
    "vector": "ridotto.rl.vector_env",
}
"""What needs PettingZoo or Gymnasium, and the module it is in."""

__all__ = ["Piece", "Tensors", "Traits", "aec", "parallel", "single", "vector"]


def __getattr__(name: str) -> Any:
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(LATER[name]), name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("ridotto"):
            raise
        raise RidottoError(f"{error.name} is not installed: pip install 'ridotto[rl]'") from error
