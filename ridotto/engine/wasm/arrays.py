"""Arrays in the memory of an instance of WebAssembly, with what bots use of lists and of NumPy's arrays."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ridotto.engine.wasm import Instance

CODES: Final = {
    "int8": "b",
    "uint8": "B",
    "int16": "h",
    "uint16": "H",
    "int32": "i",
    "uint32": "I",
    "int64": "q",
    "uint64": "Q",
    "float32": "f",
    "float64": "d",
    "bool": "?",
}
"""The kinds of elements, as `struct` writes them."""
NAMES: Final = {code: name for name, code in CODES.items()}
SMALLEST: Final = 64
"""The bytes of the smallest piece of memory."""


class Piece:
    """A piece of memory, which is used again when nobody has it any more."""

    def __init__(self, memory: Memory, address: int, size: int) -> None:
        self.address, self._memory, self._size = address, memory, size

    def __del__(self) -> None:
        self._memory.free.setdefault(self._size, []).append(self.address)


class Memory:
    """The memory of an instance."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.free: dict[int, list[int]] = {}
        """Pieces that are used no more, by their size."""

    def reserve(self, size: int) -> Piece:
        """A piece of memory, filled with zeros."""
        size = max(SMALLEST, -size // SMALLEST * -SMALLEST)
        free = self.free.get(size)
        if free:
            address = free.pop()
            self.instance.invoke("clear", address, struct.pack("<q", size))
        else:
            address, _ = self.instance.invoke("reserve", size)
            if address == 0:
                raise MemoryError(f"no {size} bytes of memory are left for a bot")
        return Piece(self, address & 0xFFFFFFFF, size)

    def array(self, shape: int | Sequence[int], dtype: str) -> Array:
        """An array of zeros."""
        code = CODES[dtype]
        whole = (shape,) if isinstance(shape, int) else tuple(shape)
        piece = self.reserve(prod(whole) * struct.calcsize(f"<{code}"))
        return Array(piece, piece.address, whole, code, self.instance)

    def copy(self, values: Any, dtype: str) -> Array:
        """An array of these values, which may be in lists of lists, or in an array of NumPy."""
        if hasattr(values, "__array_interface__"):
            array = self.array(values.shape, dtype)
            self.instance.write(array.address, values.astype(dtype, "C").tobytes())
            return array
        if isinstance(values, memoryview):
            array = self.array(values.shape or (), dtype)
            self.instance.write(array.address, values.tobytes())
            return array
        shape, one = [], values
        while hasattr(one, "__len__"):
            shape.append(len(one))
            one = one[0] if len(one) else 0
        for _ in shape[1:]:
            values = [value for line in values for value in line]
        array = self.array(shape, dtype)
        self.instance.write(array.address, struct.pack(f"<{len(values)}{array.code}", *values))
        return array

    def take(self, kinds: str, out: bytes) -> list[Any]:
        """The arrays that a function has made and returned, as arrays of NumPy; their kinds are such as "i1q1"."""
        import numpy

        taken: list[Any] = []
        at = 0
        for code, rank in zip(kinds[::2], kinds[1::2], strict=True):
            number = 5 + 2 * int(rank)
            info, _, items, size, address, *shape = struct.unpack_from(f"<{number}q", out, 8 * at)
            numbers = struct.unpack(f"<{items}{code}", self.instance.read(address, items * size))
            taken.append(numpy.array(numbers, NAMES[code]).reshape(shape[: int(rank)]))
            self.instance.invoke("release", info)
            at += number
        return taken


class Array:
    """An array in the memory of an instance, or a part of one. Parts share its memory."""

    __slots__ = ("_piece", "address", "code", "instance", "kind", "shape", "size", "words")

    def __init__(self, piece: Piece, address: int, shape: tuple[int, ...], code: str, instance: Instance) -> None:
        self._piece, self.address, self.shape, self.code, self.instance = piece, address, shape, code, instance
        self.size = struct.calcsize(f"<{code}")
        self.kind = f"{code}{len(shape)}"
        strides = [self.size * prod(shape[axis + 1 :]) for axis in range(len(shape))]
        self.words = struct.pack(f"<{5 + 2 * len(shape)}q", 0, 0, prod(shape), self.size, address, *shape, *strides)
        """Itself as an argument."""

    def __len__(self) -> int:
        return self.shape[0]

    def _part(self, first: int, shape: tuple[int, ...]) -> Array:
        return Array(self._piece, self.address + first * prod(self.shape[1:]) * self.size, shape, self.code, self.instance)

    def _index(self, index: Any) -> int:
        at = int(index)
        if not -len(self) <= at < len(self):
            raise IndexError(f"index {index} of an array of {len(self)}")
        return at % len(self)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            first, end, step = index.indices(len(self))
            if step != 1:
                return self.tolist()[index]
            return self._part(first, (max(0, end - first), *self.shape[1:]))
        if isinstance(index, tuple):
            return self[index[0]][index[1:]] if len(index) > 1 else self[index[0]]
        at = self._index(index)
        if len(self.shape) > 1:
            return self._part(at, self.shape[1:])
        return struct.unpack(f"<{self.code}", self.instance.read(self.address + at * self.size, self.size))[0]

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice) or len(self.shape) > 1:
            part = self[index]
            if not isinstance(part, Array):
                raise TypeError("steps of a slice cannot be set")
            values = value.tolist() if hasattr(value, "tolist") else value
            number = prod(part.shape)
            flat_values = list(values) if hasattr(values, "__len__") else [values] * number
            self.instance.write(part.address, struct.pack(f"<{number}{self.code}", *flat_values))
            return
        at = self._index(index)
        self.instance.write(self.address + at * self.size, _packed(self.code, value))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist()) if len(self.shape) == 1 else (self[at] for at in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Array | list | tuple) and self.tolist() == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{NAMES[self.code]} {self.tolist()}>"

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        import numpy

        return numpy.frombuffer(self.tobytes(), NAMES[self.code]).reshape(self.shape).astype(dtype or NAMES[self.code])

    def reshape(self, *shape: int) -> Any:
        """A copy, as an array of NumPy."""
        return self.__array__().reshape(*shape)

    def tobytes(self) -> bytes:
        return self.instance.read(self.address, prod(self.shape) * self.size)

    def tolist(self) -> list[Any]:
        values = list(struct.unpack(f"<{prod(self.shape)}{self.code}", self.tobytes()))
        for length in reversed(self.shape[1:]):
            values = [values[at : at + length] for at in range(0, len(values), length)]
        return values

    def copy(self) -> Array:
        """The same in memory of its own."""
        other = self._piece._memory.array(self.shape, NAMES[self.code])
        other.instance.write(other.address, self.tobytes())
        return other


def _packed(code: str, value: Any) -> bytes:
    """One element; whole numbers that are too large lose their upper bits, as in compiled code."""
    if code in "fd?":
        return struct.pack(f"<{code}", value)
    size = struct.calcsize(f"<{code}")
    return (int(value) & ((1 << 8 * size) - 1)).to_bytes(size, "little")


class Constants(tuple[int, ...]):
    """Constant numbers, which are written to memory where a function needs them as an array."""

    array: Array | None = None

    def in_memory(self, memory: Memory) -> Array:
        if self.array is None:
            self.array = memory.copy(self, "int32")
        return self.array


def flat(arguments: Sequence[Any], memory: Memory) -> tuple[bytes, str, list[Callable[[], None]]]:
    """Arguments as words, their kinds, and what is to be called afterwards: it brings changes back to arrays of NumPy."""
    words: list[bytes] = []
    kinds: list[str] = []
    back: list[Callable[[], None]] = []
    for value in arguments:
        _flatten(value, memory, words, kinds, back)
    return b"".join(words), "".join(kinds), back


def _flatten(value: Any, memory: Memory, words: list[bytes], kinds: list[str], back: list[Callable[[], None]]) -> None:
    if isinstance(value, Array):
        words.append(value.words)
        kinds.append(value.kind)
    elif isinstance(value, int):
        words.append(struct.pack("<q", value))
        kinds.append("i")
    elif value is None:
        return
    elif isinstance(value, Constants):
        _flatten(value.in_memory(memory), memory, words, kinds, back)
    elif isinstance(value, tuple):
        for one in value:
            _flatten(one, memory, words, kinds, back)
    elif isinstance(value, float):
        words.append(struct.pack("<d", value))
        kinds.append("f")
    elif getattr(value, "shape", ()):
        copied = memory.copy(value, str(value.dtype))

        def bring(target: Any = value, source: Array = copied) -> None:
            if target.flags.writeable:
                target[...] = source.__array__()

        back.append(bring)
        _flatten(copied, memory, words, kinds, back)
    elif hasattr(value, "item"):
        _flatten(value.item(), memory, words, kinds, back)
    else:
        raise TypeError(f"{value!r} cannot be an argument of a function in WebAssembly")
