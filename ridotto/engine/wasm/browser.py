"""A module of WebAssembly beside a Python that runs in the same browser, in Pyodide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class BrowserInstance:
    """An instance of JavaScript's `WebAssembly.Instance`."""

    def __init__(self, instance: Any) -> None:
        import js  # type: ignore[import-not-found]

        self._bytes: Any = js.Uint8Array
        self._memory: Any = instance.exports.memory
        self._functions: dict[str, Any] = {
            str(name): js.Reflect.get(instance.exports, name)
            for name in js.Object.keys(instance.exports)
            if str(name) != "memory"
        }

    @property
    def exports(self) -> Sequence[str]:
        return [name for name in self._functions if "_" != name[0]]

    def invoke(self, name: str, number: int, data: bytes = b"", size: int = 0) -> tuple[int, bytes]:
        if data:
            self.write(number, data)
        status = int(self._functions[name](number))
        return status, self.read(number, size) if size else b""

    def read(self, address: int, size: int) -> bytes:
        out: bytes = self._bytes.new(self._memory.buffer, address, size).to_bytes()
        return out

    def write(self, address: int, data: bytes) -> None:
        # The buffer is another one after the memory has grown.
        self._bytes.new(self._memory.buffer, address, len(data)).assign(data)
