"""Builds: a game's rules and the shared machinery, loaded from the same files for one target.

A *build* is a game's rules together with the shared machinery, executed for one *target*: ``python`` runs the source
as it stands on plain lists, ``cpu`` compiles it with Numba, ``cuda`` compiles it for a GPU.
"""

from __future__ import annotations

import builtins
import hashlib
import importlib.util
import os
import platform
import sys
import threading
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version as installed_version
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeVar

from ridotto.engine.digest import digest
from ridotto.engine.errors import BadBox, NoDevice
from ridotto.engine.fields import EVENT_ROOM, EVENT_WIDTH, Dice, Events, Mask, Row, Target


@dataclass
class _Loading(threading.local):
    """What is being loaded in this thread: seen by `compiled`, `constants` and `box` at the top of a module."""

    target: Target = "python"
    boxes: dict[str, Path] = field(default_factory=dict)


_loading = _Loading()
Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Mark a function of the rules or the machinery: left alone for `python`, compiled for `cpu` and `cuda`."""
    if _loading.target == "python":
        return function
    if _loading.target == "cuda":
        return cuda().jit(device=True)(function)  # type: ignore[no-any-return]
    import numba

    return numba.njit(cache=True, nogil=True, error_model="numpy")(function)  # type: ignore[return-value]


@cache
def cuda() -> Any:
    """Numba's door to the GPU, if there is one."""
    import numpy

    if not hasattr(numpy, "row_stack"):  # NumPy 2.5 has dropped it, and numba-cuda 0.30 asks for it.
        numpy.row_stack = numpy.vstack
    found: Any
    try:
        from numba import cuda as found
    except ImportError as error:
        raise NoDevice(f"the GPU needs numba-cuda: pip install 'ridotto[gpu]' ({error})") from error
    if not found.is_available():
        raise NoDevice("no NVIDIA GPU with a working driver was found; use the target 'cpu'")
    return found


def constants(values: Sequence[int]) -> Sequence[int]:
    """Constant numbers that the rules look up by index: a tuple for `python`, an array for compiled targets."""
    if _loading.target == "python":
        return tuple(values)
    import numpy

    frozen: Sequence[int] = numpy.array(values, dtype=numpy.int32)  # type: ignore[assignment]
    return frozen


def box(module_file: str) -> dict[str, Any]:
    """The components a game is played with: the file chosen at start, else the one beside `module_file`."""
    beside = Path(module_file).with_name("components.toml")
    path = _loading.boxes.get(beside.parent.name, beside)
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadBox(f"cannot read the box {str(path)!r}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadBox(f"the box {str(path)!r} is not a TOML file: {error}") from error


@dataclass(frozen=True)
class Build:
    """One game ready to run for one target: its modules, and the arrays they work on."""

    game: str
    target: Target
    box: str
    """Digest of the components."""
    components: ModuleType
    rules: Any
    bot: Any
    driver: Any
    search: Any
    dice: Any
    device: Any = None
    words: Any = None
    sketch: Any = None
    picture: Any = None
    page: Any = None
    lesson: Any = None
    cache: Path | None = None

    def row(self) -> Row:
        """An empty row."""
        return self.array(self.rules.FIELDS.width, "int16")

    def mask(self) -> Mask:
        """An empty mask of legal actions."""
        return self.array(self.rules.ACTIONS.words, "uint32")

    def events(self, *, muted: bool = False) -> Events:
        """An empty list of events; a muted one stays empty."""
        events = self.array(1 + EVENT_ROOM * EVENT_WIDTH, "int16")
        events[0] = -1 if muted else 0
        return events

    def generator(self, seed: int, stream: int = 0) -> Dice:
        """Dice that go on for ever from a seed."""
        dice = self.array(5, "int64")
        self.dice.start(dice, seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF, stream & 0xFFFFFFFF, stream >> 32 & 0xFFFFFFFF)
        return dice

    def tape(self, outcomes: Sequence[int]) -> Dice:
        """Dice that give these outcomes and then say how many outcomes the next draw has."""
        return self.copy([1, 0, len(outcomes), 0, *outcomes], "int64")

    def array(self, size: int, dtype: str) -> list[int]:
        """`size` zeros, in the form this target works on."""
        if self.target == "python":
            return [0] * size
        import numpy

        zeros: list[int] = numpy.zeros(size, dtype)  # type: ignore[assignment]
        return zeros

    def copy(self, values: Sequence[int], dtype: str = "int16") -> list[int]:
        """`values` in the form this target works on."""
        if self.target == "python":
            return [int(value) for value in values]
        import numpy

        array: list[int] = numpy.array(values, dtype)  # type: ignore[assignment]
        return array


CHAIN: Final = (
    "ridotto.engine.dice",
    "{game}.components",
    "{game}.rules",
    "{game}.bot",
    "ridotto.engine.driver",
    "ridotto.engine.search",
)
"""The modules of a build, in the order they are loaded; each sees the build's own copy of those before it."""
LAUNCHED: Final = ("ridotto.engine.device",)
"""What the build for a GPU has besides: the kernels that are launched there."""
SPOKEN: Final = ("{game}.words", "{game}.sketch", "{game}.picture", "{game}.page", "{game}.lesson")
"""What the interpreted build has besides: how its numbers, with its box, are put into words, sketched, drawn and taught."""
OPTIONAL: Final = SPOKEN[1:]
"""What a game may do without: see `ridotto.core.protocols`."""


_building = threading.RLock()
"""One build at a time: Numba has one cache folder for all threads."""


def build(package: str, target: Target = "python", box_file: Path | None = None) -> Build:
    """Load the rules of the game in `package`, and the machinery around them, for one target; once."""
    with _building:
        return _build(package, target, box_file)


@cache
def _build(package: str, target: Target, box_file: Path | None) -> Build:
    game = package.rpartition(".")[2]
    before = _loading.target, _loading.boxes
    _loading.target, _loading.boxes = target, {game: box_file} if box_file else {}
    try:
        wanted = {"python": SPOKEN, "cpu": (), "cuda": LAUNCHED}[target]
        besides = [name for name in wanted if name not in OPTIONAL or _exists(name.format(game=package))]
        names = [name.format(game=package) for name in (*CHAIN, *besides)]
        sources = {name: _source(name) for name in names}
        components = _copy(names[1], sources[names[1]], f"{game}-{target}-box", {})
        box_digest = digest(components.BOX)
        folder = None
        if target != "python":
            from numba import config

            folder = _cache_folder(game, target, [*sources.values(), Path(__file__)], box_digest)
            kept = config.CACHE_DIR  # type: ignore[attr-defined]
            config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
        try:
            tag = f"{game}-{target}-{box_digest[:8]}"
            copies: dict[str, ModuleType] = {}
            for name in names:
                copies[name] = _copy(name, sources[name], tag, copies)
                if name == names[3]:
                    copies["ridotto.engine.contract"] = _joined(copies[names[2]], copies[names[3]])
        finally:
            if target != "python":
                config.CACHE_DIR = kept  # type: ignore[attr-defined]
    finally:
        _loading.target, _loading.boxes = before
    dice, parts, rules, bot, driver, search, *more = (copies[name] for name in names)
    extra = {name.rpartition(".")[2]: module for name, module in zip(besides, more, strict=True)}
    return Build(game, target, box_digest, parts, rules, bot, driver, search, dice, cache=folder, **extra)


def folder(package: str) -> Path:
    """The folder of the game in `package`."""
    return _source(package).parent


def _exists(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def _source(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no module {name!r} to build")
    return Path(spec.origin)


def _copy(name: str, path: Path, tag: str, copies: Mapping[str, ModuleType]) -> ModuleType:
    """Execute a source file as a module of its own that imports from `copies` where it can."""

    def fetch(wanted: str, *args: Any, **kwargs: Any) -> ModuleType:
        if wanted in copies:
            return copies[wanted]
        found = builtins.__import__(wanted, *args, **kwargs)
        own = {name: copies[f"{wanted}.{name}"] for name in dir(found) if f"{wanted}.{name}" in copies}
        if own:
            found = ModuleType(wanted)
            found.__dict__.update(vars(sys.modules[wanted]), **own)
        return found

    module = ModuleType(f"{name}@{tag}")
    module.__dict__.update(__file__=str(path), __builtins__={**vars(builtins), "__import__": fetch})
    sys.modules[module.__name__] = module  # Numba looks a cached function's module up by its name.
    exec(compile(path.read_text("utf-8"), str(path), "exec"), module.__dict__)
    return module


def _joined(rules: ModuleType, bot: ModuleType) -> ModuleType:
    """A game's rules and its bot as the one module that the machinery knows as the contract."""
    module = ModuleType("ridotto.engine.contract")
    module.__dict__.update(vars(rules), policy=bot.policy, value=bot.value, recall=bot.recall, plausible=bot.plausible)
    return module


def _cache_folder(game: str, target: Target, sources: Sequence[Path], box_digest: str) -> Path:
    """A folder for machine code that only this very source, box, compiler and set of flags can name."""
    flags = sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_") and "CACHE" not in k)
    parts = [
        *(hashlib.sha256(path.read_bytes()).hexdigest() for path in sources),
        box_digest,
        installed_version("numba"),
        installed_version("llvmlite"),
        platform.python_version(),
        platform.machine(),
        *flags,
    ]
    name = f"{game}-{target}-{digest(parts)[:20]}"
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "ridotto" / name
