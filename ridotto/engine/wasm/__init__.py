"""The target `wasm`: a game's compiled functions as a module of WebAssembly, for a browser without a server.

`compile` makes the modules, where Numba is; here they are used, where there may be neither Numba nor NumPy. A build for this
target has the game's files loaded like any other. Its compiled functions are called in an *instance* of the module, and its
arrays are in the memory of that instance. A function that the module lacks runs interpreted, on the same arrays.

Each function of a module is exported by its full name and the kinds of its arguments and its result, and takes one number:
the address of a *block* of eight-byte words, which holds the arguments and receives the result.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Final, Protocol, TypeVar

from ridotto.engine.errors import NoModule, RidottoError
from ridotto.engine.wasm.arrays import Constants, Memory, flat

Function = TypeVar("Function", bound=Callable[..., Any])
BLOCK: Final = 1 << 12
"""The bytes of the block of arguments."""
RETURNED: Final = (0, -2)
"""The status of a function that has returned, with a result or without one."""


class Instance(Protocol):
    """A module of WebAssembly that has been instantiated, in this program or in another one."""

    @property
    def exports(self) -> Sequence[str]:
        """The names of its functions."""

    def invoke(self, name: str, number: int, data: bytes = b"", size: int = 0) -> tuple[int, bytes]:
        """Write the data to the address `number` and call a function with it; its result, and `size` bytes from there."""

    def read(self, address: int, size: int) -> bytes:
        """Bytes of its memory."""

    def write(self, address: int, data: bytes) -> None:
        """Change its memory."""


class CallFailed(RidottoError):
    """A function of a module that ended with an error, which compiled rules never do."""


_instances: dict[str, Instance] = {}


def install(package: str, instance: Instance) -> None:
    """Use this instance for the game in `package` from now on; a build that was loaded before keeps its own."""
    from ridotto.engine import build

    _instances[package] = instance
    build._builds.pop((package, "wasm", None), None)
    tag = f"@{package.replace('.', '_')}-wasm"
    for name in [name for name in sys.modules if name.endswith(tag)]:
        del sys.modules[name]


class Linked:
    """A game's functions and arrays in one instance."""

    def __init__(self, package: str) -> None:
        if package not in _instances:
            raise NoModule(f"no module of WebAssembly is installed for {package}; see ridotto.engine.wasm")
        self.instance = _instances[package]
        self.memory = Memory(self.instance)
        self.block = self.memory.reserve(BLOCK)
        self.functions: dict[str, tuple[str, str]] = {}
        """By name and kinds of arguments: the export, and the kind of its result."""
        self.missed: set[str] = set()
        """The calls that have been interpreted, since the module lacks the function for these arguments."""
        for export in self.instance.exports:
            name, _, result = export.partition(">")
            self.functions[name] = export, result

    def compiled(self, function: Function) -> Function:
        """A function that is called in the instance, if the module has it for these arguments; else it runs as it stands."""
        name = f"{function.__module__.partition('@')[0]}.{function.__name__}"

        @wraps(function)
        def called(*arguments: Any) -> Any:
            words, kinds, back = flat(arguments, self.memory)
            export = self.functions.get(f"{name}:{kinds}")
            if export is None:
                self.missed.add(f"{name}:{kinds}")
                return function(*arguments)
            status, out = self.instance.invoke(export[0], self.block.address, words, BLOCK if "(" in export[1] else 8)
            if status not in RETURNED:
                raise CallFailed(f"{name} ended with the status {status}")
            for array in back:
                array()
            return self._result(export[1], out, function.__globals__)

        return called  # type: ignore[return-value]

    def constants(self, values: Sequence[int]) -> Sequence[int]:
        """Constant numbers: a tuple, which is an array where a function of the instance is called with it."""
        return Constants(values)

    def _result(self, kind: str, out: bytes, names: dict[str, Any]) -> Any:
        """A result of some kind; several arrays are a tuple, whose class is one of the function's module."""
        if not kind:
            return None
        if kind == "i":
            return struct.unpack_from("<q", out)[0]
        if kind == "b":
            return out[0] != 0
        if kind == "f":
            return struct.unpack_from("<d", out)[0]
        name, _, parts = kind.partition("(")
        taken = self.memory.take(parts.removesuffix(")"), out)
        return names[name](*taken) if name else tuple(taken)
