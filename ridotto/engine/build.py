"""Builds: a game's rules and the engine around them, loaded from the same files for one target.

A *build* is a game ready to run: its rules, its bot, the driver and the search, for one *target*. ``python`` runs the source as
it stands, on plain lists; ``cpu`` compiles it with Numba; ``cuda`` compiles it for a GPU; ``wasm`` calls it in a module of
WebAssembly (see `ridotto.engine.wasm`). All of them give the same results, word by word.

>>> build = load("ridotto.games.fantome")
>>> row, events = build.row(), build.events()
>>> build.rules.deal(row, 2, [0], build.generator(seed=1), events)
>>> build.rules.to_act(row)
1

With the target ``python`` and the standard box, a game's modules are the ordinary ones: `build.rules` is what
an ordinary import of its `rules.py` gives, so that a breakpoint there is met and its coverage is measured. For other targets
and for another box, the same files are loaded again as modules of their own (see `ridotto.engine.copies`).

>>> import ridotto.games.fantome.rules
>>> build.rules is ridotto.games.fantome.rules
True
"""

from __future__ import annotations

import ast
import hashlib
import os
import platform
import re
import threading
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import version as installed_version
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from ridotto.engine.arrays import Tree, Workspace
from ridotto.engine.copies import Copies, source
from ridotto.engine.digest import digest
from ridotto.engine.errors import BadBox, NoDevice
from ridotto.engine.fields import EVENT_ROOM, EVENT_WIDTH, Dice, Events, Mask, Row, Target

if TYPE_CHECKING:
    from ridotto.engine.contract import (
        BotRules,
        DiceFunctions,
        Driver,
        FeatureRules,
        Luck,
        NetworkFunctions,
        Rules,
        Search,
    )
    from ridotto.engine.wasm import Linked

Function = TypeVar("Function", bound=Callable[..., Any])
LONGEST_BOX_NAME: Final = 60
"""Most characters of the name of a box."""


# What the modules of a build import. These functions are for the target `python` and the standard box; copies for anything else
# import other functions under the same names, from the module that `_tools` makes.


def compiled(function: Function) -> Function:
    """Mark a function of the rules or the engine as compiled for `cpu` and `cuda`; for `python` it stays as it is."""
    return function


def constants(values: Sequence[int]) -> Sequence[int]:
    """Constant numbers that the rules look up by index: a tuple for `python`, an array for compiled targets."""
    return tuple(values)


def box(module_file: str) -> dict[str, Any]:
    """The components of a game: from the chosen box file, otherwise from `components.toml` beside `module_file`."""
    return _read_box(Path(module_file).with_name("components.toml"))


def _read_box(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadBox(f"cannot read the box {str(path)!r}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadBox(f"the box {str(path)!r} is not a TOML file: {error}") from error


def _read_other_box(path: Path | None) -> tuple[dict[str, Any] | None, str]:
    """The components in a file and their name: its `box_name`, or the file's name. None and "" without a file."""
    if path is None:
        return None, ""
    data = _read_box(path)
    name = data.pop("box_name", path.stem)
    if not isinstance(name, str) or not 1 <= len(name) <= LONGEST_BOX_NAME or not name.isprintable():
        raise BadBox(f"the box {str(path)!r}: box_name must be a text of 1 to {LONGEST_BOX_NAME} characters, not {name!r}")
    return data, name


@cache
def cuda() -> Any:
    """Numba's module for the GPU, if there is a GPU."""
    import numpy

    if not hasattr(numpy, "row_stack"):  # NumPy 2.5 has dropped it, and numba-cuda 0.30 asks for it.
        numpy.row_stack = numpy.vstack
    module: Any
    try:
        from numba import cuda as module
    except ImportError as error:
        raise NoDevice(f"the GPU needs numba-cuda: pip install 'ridotto[gpu]' ({error})") from error
    if not module.is_available():
        raise NoDevice("no NVIDIA GPU with a working driver was found; use the target 'cpu'")
    return module


# A build.


@dataclass(frozen=True, eq=False)
class Build:
    """One game ready to run for one target: its modules, and the arrays they work on. Made by `load`."""

    game: str
    target: Target
    box: str
    """Digest of the components."""
    box_name: str
    """The name in the file of another box; "" for the game's own."""
    components: ModuleType
    rules: Rules
    bot: BotRules
    features: FeatureRules
    driver: Driver
    search: Search
    luck: Luck
    network: NetworkFunctions
    dice: DiceFunctions
    key: tuple[str, Target, Path | None]
    """The arguments of `load`."""
    sources: tuple[Path, ...]
    """The files that determine what the rules and the bots do."""
    cache: Path | None
    """The folder of machine code; None for `python` and `wasm`."""
    copies: Copies = field(repr=False)
    device: Any = None
    """The kernels of a GPU; for `cuda` alone."""
    linked: Linked | None = field(default=None, repr=False)
    """The instance of a module of WebAssembly; for `wasm` alone."""

    def __reduce__(self) -> Any:
        """A build is not copied: elsewhere it is loaded again."""
        return load, self.key

    def module(self, name: str) -> ModuleType | None:
        """A module of the game that is not compiled, such as `inputs` or `ui.words`; None if the game has none of that name.

        It belongs to this build: it sees the components of this box. For the target `python` alone.
        """
        full_name = f"{self.key[0]}.{name}"
        return self.copies.load(full_name) if source(full_name) else None

    def extend(self, name: str) -> ModuleType:
        """Load another module into this build, by its full name: code that works on the rules of any game.

        When it imports `rules` and `bot` from `ridotto.engine.contract`, it gets those of this build; its `compiled` functions
        are compiled for this build's target and cached in its folder. If it imports another module of this kind, that module
        has to be loaded first.
        """
        self.copies.add(name)
        return self.copies.load(name)

    def row(self) -> Row:
        """An empty row."""
        return self.array(self.rules.FIELDS.width, "int16")

    def scratch(self) -> Row:
        """A spare row for a bot to work with, which is never shorter than `LEAST_SCRATCH`, however small the box."""
        return self.array(max(self.rules.FIELDS.width, LEAST_SCRATCH), "int16")

    def mask(self) -> Mask:
        """An empty mask of legal actions."""
        return self.array(self.rules.ACTIONS.words, "uint32")

    def events(self, *, muted: bool = False) -> Events:
        """An empty list of events; a muted one stays empty."""
        events = self.array(1 + EVENT_ROOM * EVENT_WIDTH, "int16")
        events[0] = -1 if muted else 0
        return events

    def generator(self, seed: int, stream: int = 0) -> Dice:
        """Dice that draw from a random number generator with this seed."""
        dice = self.array(5, "int64")
        self.dice.start(dice, seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF, stream & 0xFFFFFFFF, stream >> 32 & 0xFFFFFFFF)
        return dice

    def tape(self, outcomes: Sequence[int]) -> Dice:
        """Dice that give these outcomes, and then record how many outcomes the next draw has."""
        return self.copy([1, 0, len(outcomes), 0, *outcomes], "int64")

    def workspace(self, dice: Dice | None = None) -> Workspace:
        """The arrays with which one thread plays matches, with muted events; with new dice, or with these."""
        return Workspace(
            row=self.row(),
            mask=self.mask(),
            dice=self.generator(0) if dice is None else dice,
            events=self.events(muted=True),
            scratch=self.scratch(),
            parts=self.array(len(self.rules.PARTS), "int16"),
        )

    def tree(self, slots: int, edges: int) -> Tree:
        """An empty search tree with `slots` slots for nodes, a power of two, and `edges` slots for edges."""
        floats: Any = self.array(edges * self.search.EDGE, "float64")
        return Tree(
            nodes=self.array(slots * self.search.NODE, "int64"),
            edges=floats,
            counters=self.array(self.search.COUNTERS, "int64"),
            path=self.array(2 * self.search.MOST_DEPTH, "int64"),
            values=self.array(8, "int64"),
        )

    def array(self, size: int | tuple[int, ...], dtype: str) -> list[int]:
        """`size` zeros, in the form this target works on; for a compiled target also in several dimensions."""
        if self.target == "python":
            assert isinstance(size, int)
            return [0] * size
        if self.linked is not None:
            return cast("list[int]", self.linked.memory.array(size, dtype))
        import numpy

        zeros: list[int] = numpy.zeros(size, dtype)  # type: ignore[assignment]
        return zeros

    def copy(self, values: Sequence[int], dtype: str = "int16") -> list[int]:
        """`values` in the form this target works on."""
        if self.target == "python":
            return [int(value) for value in values]
        if self.linked is not None:
            return cast("list[int]", self.linked.memory.copy(values, dtype))
        import numpy

        array: list[int] = numpy.array(values, dtype)  # type: ignore[assignment]
        return array


# Loading.

TOOLS: Final = "ridotto.engine.build"
CONTRACT: Final = "ridotto.engine.contract"
PLAIN_BOT: Final = "ridotto.engine.plain_bot"
PLAIN_FEATURES: Final = "ridotto.engine.plain_features"
NETWORK: Final = ("ridotto.engine.encoding", "ridotto.engine.network")
ENGINE: Final = (
    *("ridotto.engine.driver", "ridotto.engine.search", "ridotto.engine.luck", "ridotto.engine.device"),
    *(*NETWORK, PLAIN_BOT, PLAIN_FEATURES),
)
"""Modules that are loaded once for each game and target, since they import the rules of one game."""
TOOLBOX: Final = ("ridotto.engine.dice", "ridotto.engine.exponential")
"""Modules that are compiled for each game too, but import no rules."""
DECIDING: Final = (*TOOLBOX, "ridotto.engine.driver", "ridotto.engine.search", *NETWORK, PLAIN_BOT, PLAIN_FEATURES)
"""Modules of the engine that determine what the rules and the bots of a game do."""
LEAST_SCRATCH: Final = 256
"""Words that a bot may write to in its spare row, whatever the box."""
_builds: dict[tuple[str, Target, Path | None], Build] = {}


def load(package: str, target: Target = "python", box_file: Path | None = None) -> Build:
    """The game in `package`, ready to run for a target; with other components than its own if `box_file` is given.

    It is loaded once: later calls return the same build. A `cpu` build compiles a function when it is first called, and
    keeps the machine code in a folder (`Build.cache`) for the next process.
    """
    key = package, target, box_file
    if key not in _builds:
        _builds.setdefault(key, _load(*key))
    return _builds[key]


def _load(package: str, target: Target, box_file: Path | None) -> Build:
    game = package.rpartition(".")[2]
    other_box, box_name = _read_other_box(box_file)
    is_plain = target == "python" and other_box is None
    tag = "-".join([package.replace(".", "_"), target, *([] if other_box is None else [digest(other_box)[:8]])])
    copies = Copies(tag, None if is_plain else package)
    copies.add(*ENGINE)
    cache = _cache_folder(package, target, box_file) if target in ("cpu", "cuda") else None
    linked = None
    if target == "wasm":
        from ridotto.engine.wasm import Linked

        if other_box is not None:
            raise BadBox("a module of WebAssembly has the game's own box; use the target 'cpu' or 'python'")
        linked = Linked(package)
    if not is_plain:
        copies.put(TOOLS, _tools(target, cache, package, other_box, linked))
    if target != "python":
        copies.add(*TOOLBOX)
    bot = f"{package}.ai.bot" if source(f"{package}.ai.bot") else PLAIN_BOT
    copies.replace(f"{CONTRACT}.rules", f"{package}.rules")
    copies.replace(f"{CONTRACT}.bot", bot)
    features = f"{package}.ai.features" if source(f"{package}.ai.features") else PLAIN_FEATURES
    copies.replace(f"{CONTRACT}.features", features)
    if is_plain and bot != PLAIN_BOT and _mentions(bot, PLAIN_BOT):
        # It imports some functions of the plain bot, which have to import the rules of this game.
        copies.add(bot)

    components = copies.load(f"{package}.components")
    return Build(
        game=game,
        target=target,
        box=digest(components.BOX),
        box_name=box_name,
        components=components,
        rules=cast("Rules", copies.load(f"{package}.rules")),
        bot=cast("BotRules", copies.load(bot)),
        features=cast("FeatureRules", copies.load(features)),
        driver=cast("Driver", copies.load("ridotto.engine.driver")),
        search=cast("Search", copies.load("ridotto.engine.search")),
        luck=cast("Luck", copies.load("ridotto.engine.luck")),
        network=cast("NetworkFunctions", copies.load("ridotto.engine.network")),
        dice=cast("DiceFunctions", copies.load("ridotto.engine.dice")),
        key=(package, target, box_file),
        sources=(*_own_sources(package), *(path for name in DECIDING if (path := source(name)))),
        cache=cache,
        copies=copies,
        device=copies.load("ridotto.engine.device") if target == "cuda" else None,
        linked=linked,
    )


def _mentions(module: str, other: str) -> bool:
    """Whether a module's source names another one."""
    file = source(module)
    return file is not None and other in file.read_text("utf-8")


def folder(package: str) -> Path:
    """The folder of the game in `package`."""
    file = source(package)
    if file is None:
        raise ModuleNotFoundError(f"no package {package!r} to load a game from")
    return file.parent


def _own_sources(package: str) -> list[Path]:
    """The source files of a game that determine what its rules and bots do."""
    own = folder(package)
    readers = {own / "__init__.py", own / "inputs.py"}
    return sorted(path for path in own.rglob("*.py") if path not in readers and not path.is_relative_to(own / "ui"))


# What copies import instead of the functions at the top of this file.


def _tools(
    target: Target, cache: Path | None, package: str, other_box: dict[str, Any] | None, linked: Linked | None
) -> ModuleType:
    """This module for the copies of one build, with `compiled`, `constants` and `box` as that build needs them."""
    module = ModuleType(TOOLS)
    module.__dict__.update(vars(import_module(TOOLS)))
    if target == "cpu":
        assert cache is not None
        module.__dict__.update(compiled=_compiler(cache, package), constants=_numpy_constants)
    elif target == "cuda":
        module.__dict__.update(compiled=cuda().jit(device=True), constants=_numpy_constants)
    elif linked is not None:
        module.__dict__.update(compiled=linked.compiled, constants=linked.constants)
    if other_box is not None:
        own = folder(package)
        module.__dict__.update(box=lambda file: other_box if Path(file).parent == own else box(file))
    return module


def _numpy_constants(values: Sequence[int]) -> Sequence[int]:
    import numpy

    frozen: Sequence[int] = numpy.array(values, dtype=numpy.int32)  # type: ignore[assignment]
    return frozen


def _compiler(cache: Path, package: str) -> Callable[[Function], Function]:
    """A decorator that compiles a function with Numba and caches its machine code in a folder."""

    def compiled(function: Function) -> Function:
        import numba

        with _caching_in(cache / _cache_key(function.__module__.partition("@")[0], package)):
            return numba.njit(cache=True, nogil=True, error_model="numpy")(function)  # type: ignore[return-value]

    return compiled


@cache
def _cache_key(module: str, package: str) -> str:
    """The cache key of a module that was added to a build: a hash of its source and of the modules it imports.

    Numba notices a changed file of a function itself, but not of the functions it calls or receives. The key is empty for
    modules of the engine and of the game, which are part of the game's own folder name.
    """
    needed: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        file = source(name) if name.partition(".")[0] == module.partition(".")[0] else None
        if name in needed or file is None or name.startswith(("ridotto.engine", package)):
            continue
        needed[name] = hashlib.sha256(file.read_bytes()).hexdigest()
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.ImportFrom) and node.module:
                waiting += [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
    return digest(needed)[:12] if needed else ""


def not_compiled(error: BaseException) -> str | None:
    """One sentence about a failed compilation and its place; None for an error that is not Numba's.

    Numba lists every call from the outside in, and the cause first.
    """
    if not type(error).__module__.startswith("numba."):
        return None
    lines = [line.strip() for line in str(error).splitlines()]
    cause = next((line for line in lines if line and not line.startswith("Failed in nopython mode")), type(error).__name__)
    place = re.search(r'^File "(.+)", line (\d+):\s+def (\w+)', str(error), re.MULTILINE)
    where = f" ({Path(place[1]).name}, line {place[2]}, in {place[3]})" if place else ""
    if cause.startswith("NameError") and (called := re.search(r"<function (\w+) at", str(error))):
        # Numba does not name the line: only the function that uses the name, and its caller.
        where = f" (in {called[1]}{f', called in {Path(place[1]).name}, line {place[2]}' if place else ''})"
    hint = "; is `@compiled` missing?" if "<class 'function'>" in cause else ""
    return f"cannot be compiled: {cause}{where}{hint}"


_caching = threading.Lock()


@contextmanager
def _caching_in(folder: Path) -> Iterator[None]:
    """Let Numba use this folder for the functions that are decorated inside the block.

    Numba has one setting for all threads, and reads it when a function is decorated. It distinguishes functions by file and
    line alone, so that two games, two boxes or two sets of flags in one folder would get each other's machine code.
    """
    from numba import config

    with _caching:
        before = config.CACHE_DIR  # type: ignore[attr-defined]
        config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
        try:
            yield
        finally:
            config.CACHE_DIR = before  # type: ignore[attr-defined]


def _cache_folder(package: str, target: Target, box_file: Path | None) -> Path:
    """The cache folder for machine code: its name depends on the sources, the box, the compiler and the flags."""
    components = box_file or folder(package) / "components.toml"
    files = [*_own_sources(package), *sorted(Path(__file__).parent.glob("*.py"))]
    if components.exists():
        files.append(components)
    parts = [
        *(hashlib.sha256(path.read_bytes()).hexdigest() for path in files),
        installed_version("numba"),
        installed_version("llvmlite"),
        platform.python_version(),
        platform.machine(),
        *sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_") and "CACHE" not in k),
    ]
    name = f"{package.rpartition('.')[2]}-{target}-{digest(parts)[:20]}"
    return cache_home() / name


def cache_home() -> Path:
    """The folder with the machine code of all games."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "ridotto"
