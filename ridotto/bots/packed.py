"""A network's file, read and unpacked without NumPy, into the arrays of a build: for a browser, which has none."""

from __future__ import annotations

import ast
import json
import struct
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

from ridotto.engine.build import Build
from ridotto.engine.wasm.arrays import NAMES

HALF = "e"
"""Numbers of two bytes, as `struct` writes them."""


class Stored(NamedTuple):
    """An array in a file of NumPy's: the kind of its elements as `struct` writes it, its shape, and its bytes."""

    code: str
    shape: tuple[int, ...]
    data: bytes

    def on(self, build: Build) -> Any:
        """The array in the form that a build works on."""
        values: Any = memoryview(self.data).cast(self.code, self.shape)  # type: ignore[call-overload]
        return build.copy(values, NAMES[self.code])


def read(path: Path) -> dict[str, Stored]:
    """The arrays in an `.npz` file."""
    arrays = {}
    with ZipFile(path) as file:
        for name in file.namelist():
            whole = file.read(name)
            (length,) = struct.unpack_from("<H", whole, 8)
            head = ast.literal_eval(whole[10 : 10 + length].decode("latin1"))
            letter, size = head["descr"][1], int(head["descr"][2:])
            if head["fortran_order"] or head["descr"][0] not in "<|" or whole[:7] != b"\x93NUMPY\x01":
                raise ValueError(f"{name} has an unknown form")
            signed = {1: "b", 2: "h", 4: "i", 8: "q"}
            code = {2: HALF, 4: "f", 8: "d"}[size] if letter == "f" else signed[size]
            code = code.upper() if letter == "u" else code
            arrays[name.removesuffix(".npy")] = Stored(code, head["shape"], whole[10 + length :])
    return arrays


def facts_in(arrays: Mapping[str, Stored]) -> dict[str, Any]:
    """The facts about a network, among the arrays of its file."""
    facts: dict[str, Any] = json.loads(arrays["facts"].data)
    return facts


def weights_in(arrays: Mapping[str, Stored], build: Build) -> tuple[Any, ...]:
    """The weights of a network as its evaluation needs them: first, layers, biases, last, last_bias."""
    weights = {}
    for name in ("first", "layers", "last"):
        stored, scales = arrays[name].on(build), arrays[f"{name}_scale"].on(build)
        out: Any = build.array(arrays[name].shape, "float32")
        if name == "layers":
            for number in range(len(out)):
                build.network.unpack(stored[number], scales[number][0], out[number])
        else:
            build.network.unpack(stored, scales[0], out)
        weights[name] = out
    for name in ("biases", "last_bias"):
        weights[name] = build.copy(_nested(arrays[name]), "float32")
    folded: Any = build.array((_nested(arrays["shape"])[0], arrays["first"].shape[1]), "float32")
    rows, columns, numbers = (arrays[name].on(build) for name in ("rows", "columns", "numbers"))
    build.network.fold(rows, columns, numbers, weights["first"], folded)
    return folded, weights["layers"], weights["biases"], weights["last"], weights["last_bias"]


def _nested(stored: Stored) -> Any:
    """The values of an array of one or two dimensions, in lists."""
    values = list(struct.unpack(f"<{prod(stored.shape)}{stored.code}", stored.data))
    if len(stored.shape) == 1:
        return values
    return [values[at : at + stored.shape[1]] for at in range(0, len(values), stored.shape[1])]
