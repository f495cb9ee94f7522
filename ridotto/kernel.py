"""What every game is declared with, and the builds that run it.

A game declares its fields, actions, events, reasons, endings and score parts once, as tables. Everything else
(views, notation, positions, documentation, tests) is derived from those tables.

A *build* is a game's rules together with the shared machinery, executed for one *target*: ``python`` runs the source
as it stands on plain lists, ``cpu`` compiles it with Numba, ``cuda`` compiles it for a GPU. All come from the same files.
"""

from __future__ import annotations

import builtins
import hashlib
import importlib.util
import json
import os
import platform
import sys
import threading
import tomllib
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.metadata import version as installed_version
from itertools import product
from keyword import iskeyword
from math import prod
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal, TypeAlias, TypeVar

Row: TypeAlias = list[int]
Mask: TypeAlias = list[int]
Dice: TypeAlias = list[int]
Events: TypeAlias = list[int]
Seat: TypeAlias = int
Audience: TypeAlias = Literal["all", "owner", "nobody", "remembered"]
Target: TypeAlias = Literal["python", "cpu", "cuda"]

HIDDEN: Final = -32768
"""What a masked row holds where its reader may not look."""

EVENT_WIDTH: Final = 6
EVENT_ROOM: Final = 96


class RidottoError(Exception):
    """Anything Ridotto refuses, with a message for the person who asked."""


class NoDevice(RidottoError, RuntimeError):
    """A GPU was asked for and there is none to be used."""


class BadBox(RidottoError, ValueError):
    """A file of components that does not describe a box the rules can be played with."""


# Kinds: what a number stands for.


@dataclass(frozen=True)
class Kind:
    """What an integer stands for: a plain number, or one of a list of names.

    >>> Kind("fruit", ("apple", "pear")).parse("pear")
    1
    """

    name: str
    names: tuple[str, ...] = ()
    is_set: bool = False

    def __len__(self) -> int:
        return len(self.names)

    def parse(self, text: str) -> int | None:
        """The value that `text` names, or None."""
        return self.names.index(text) if text in self.names else None

    def show(self, value: int) -> Any:
        """`value` as JSON: a name, a list of names, a number, None for "none", "?" for what is hidden."""
        if value == HIDDEN:
            return "?"
        if self.is_set:
            return [name for i, name in enumerate(self.names) if value >> i & 1]
        if self.names:
            return self.names[value] if 0 <= value < len(self.names) else None
        return value

    def read(self, shown: Any) -> int | None:
        """The value that `show` gave as `shown`, or None if there is no such value."""
        if self.is_set:
            if not isinstance(shown, list) or len(shown) != len({str(name) for name in shown}):
                return None
            if not all(isinstance(name, str) and name in self.names for name in shown):
                return None
            return sum(1 << self.names.index(name) for name in shown)
        if self.names:
            if shown is None:
                return -1
            return self.parse(shown) if isinstance(shown, str) else None
        return shown if type(shown) is int else None


NUMBER: Final = Kind("number")
FLAG: Final = Kind("flag", ("no", "yes"))


def seats_kind(most: int) -> Kind:
    """The kind of a seat, numbered from 0."""
    return Kind("seat", tuple(str(seat) for seat in range(most)))


def set_of(kind: Kind) -> Kind:
    """The kind of a set of `kind`, one bit a member."""
    return Kind(f"set of {kind.name}", kind.names, is_set=True)


# Declarations: fields, actions, events and the small tables.


@dataclass(frozen=True)
class Field:
    """One named stretch of a row: what it holds, between which bounds, and who may know it."""

    name: str
    kind: Kind
    meaning: str
    of: tuple[Kind, ...] = ()
    low: int = 0
    high: int | None = None
    audience: Audience = "all"
    owner: Seat | None = None

    @cached_property
    def size(self) -> int:
        return prod(len(kind) for kind in self.of)

    @cached_property
    def top(self) -> int:
        """The largest value allowed."""
        if self.high is not None:
            return self.high
        if self.kind.is_set:
            return (1 << len(self.kind)) - 1
        if not self.kind.names:
            raise ValueError(f"field {self.name!r} holds plain numbers and needs `high`")
        return len(self.kind) - 1

    def may_see(self, index: int, seat: Seat | None) -> bool:
        """Whether `seat` (None: a spectator) may know the word at `index`."""
        if self.audience in ("all", "remembered"):
            return True
        if self.audience == "nobody" or seat is None:
            return False
        if self.owner is not None:
            return seat == self.owner
        return seat == index // (self.size // len(self.of[0]))


@dataclass(frozen=True)
class Option:
    """A choice made before the deal: a word of the row, tested at the § it changes."""

    name: str
    section: str
    sentence: str
    low: int = 0
    high: int = 1
    default: int = 0


@dataclass(frozen=True)
class Action:
    """A family of actions: a verb and the kinds of its arguments."""

    verb: str
    section: str
    meaning: str
    of: tuple[Kind, ...] = ()
    audience: Audience = "all"

    @property
    def size(self) -> int:
        return prod(len(kind) for kind in self.of)


@dataclass(frozen=True)
class Arg:
    """One argument of an event. The owner is the event's argument named `seat`."""

    name: str
    kind: Kind
    audience: Audience = "all"


@dataclass(frozen=True)
class Event:
    """Something that happens at the table, as numbers, with who may know each of them."""

    name: str
    section: str
    meaning: str
    args: tuple[Arg, ...] = ()
    audience: Audience = "all"

    @cached_property
    def is_open(self) -> bool:
        """Whether everybody may know all of it."""
        return {"all", "remembered"} >= {self.audience, *(arg.audience for arg in self.args)}


@dataclass(frozen=True)
class Named:
    """A line of a small table: a reason, a fault, an ending, a part of the score."""

    name: str
    section: str
    meaning: str = ""
    seats: int = 0
    """At tables of so many seats alone; 0: at all."""


T = TypeVar("T")


def _codes(title: str, names: Iterable[str], values: Iterable[int]) -> Any:
    """A namedtuple of numbers: a compile-time constant for Numba, a readable name in the rules (`pass_` for "pass")."""
    shape: Callable[..., Any] = namedtuple(title, [name + "_" * iskeyword(name) for name in names])  # type: ignore[misc]
    return shape(*values)


class Fields(tuple[Field, ...]):
    """The layout of a row. `F` gives the offset of each field by name.

    Every row begins with the version of the rules, the number of seats and the options.
    """

    F: Any
    width: int
    options: tuple[Option, ...]
    _hidden: dict[Seat | None, tuple[int, ...]]

    @classmethod
    def of(cls, version: int, seats: tuple[int, int], options: Sequence[Option], *fields: Field) -> Fields:
        head = [
            Field("version", NUMBER, "version of the rules this match is played by", low=1, high=version),
            Field("seats", NUMBER, "number of seats", low=seats[0], high=seats[1]),
        ]
        head += [Field(o.name, NUMBER, o.sentence, low=o.low, high=o.high) for o in options]
        self = cls((*head, *fields))
        offsets = [0]
        for one in self:
            offsets.append(offsets[-1] + one.size)
        self.F = _codes("F", [one.name for one in self], offsets[:-1])
        self.width = offsets[-1]
        self.options = tuple(options)
        self._hidden = {}
        return self

    def slices(self) -> Iterator[tuple[Field, int]]:
        """Each field with its offset."""
        return zip(self, self.F, strict=True)

    def hidden(self, seat: Seat | None) -> tuple[int, ...]:
        """The indices of a row that `seat` may not know."""
        if seat not in self._hidden:
            self._hidden[seat] = self._find_hidden(seat)
        return self._hidden[seat]

    def masked(self, row: Iterable[int], seat: Seat | None) -> Row:
        """A copy of a row with everything blanked that `seat` may not know."""
        copy = row[:] if type(row) is list else [int(word) for word in row]
        for index in self.hidden(seat):
            copy[index] = HIDDEN
        return copy

    def _find_hidden(self, seat: Seat | None) -> tuple[int, ...]:
        return tuple(
            at + i for one, at in self.slices() if one.audience != "all" for i in range(one.size) if not one.may_see(i, seat)
        )

    def field_at(self, index: int) -> Field:
        """The field that the word at `index` belongs to."""
        return next(one for one, at in self.slices() if at <= index < at + one.size)

    def show(self, row: Sequence[int]) -> dict[str, Any]:
        """The row as named fields, ready for JSON."""
        return {one.name: _nest(one, [one.kind.show(word) for word in row[at : at + one.size]]) for one, at in self.slices()}

    def read(self, shown: Mapping[str, Any]) -> tuple[Row, list[str]]:
        """The row that named fields describe, and everything that is wrong with them."""
        row = [0] * self.width
        faults = [f"unknown field {name!r}" for name in shown if name not in self.F._fields]
        for one, at in self.slices():
            if one.name not in shown:
                faults.append(f"field {one.name!r} is missing")
                continue
            leaves = _flatten(one, shown[one.name])
            if leaves is None:
                faults.append(f"field {one.name!r} needs {_shape(one)}")
                continue
            for i, leaf in enumerate(leaves, at):
                value = one.kind.read(leaf)
                if value is None or not one.low <= value <= one.top:
                    faults.append(f"field {one.name!r} holds {_values(one)}, not {leaf!r}")
                else:
                    row[i] = value
        return row, faults


def _nest(one: Field, leaves: list[Any]) -> Any:
    """The leaves of a field under the names of what they belong to, from the inside out."""
    for kind in reversed(one.of):
        names, step = kind.names, len(kind)
        leaves = [dict(zip(names, leaves[at : at + step], strict=True)) for at in range(0, len(leaves), step)]
    return leaves[0]


def _flatten(one: Field, shown: Any) -> list[Any] | None:
    """The leaves of a nested field, from the outside in; None if its names are not those of its kinds."""
    parts = [shown]
    for kind in one.of:
        names = set(kind.names)
        if not all(isinstance(part, Mapping) and names == part.keys() for part in parts):
            return None
        parts = [part[name] for part in parts for name in kind.names]
    return parts


def _shape(one: Field) -> str:
    return "an entry for each " + " and ".join(f"{k.name} ({', '.join(k.names)})" for k in one.of)


def _values(one: Field) -> str:
    if one.kind.is_set:
        return f"a list of different names out of {', '.join(one.kind.names)}"
    if one.kind.names:
        some = list(one.kind.names[max(one.low, 0) : one.top + 1])
        return "one of " + ", ".join(some + (["null"] if one.low < 0 else []))
    return f"whole numbers {one.low} to {one.top}"


class Actions(tuple[Action, ...]):
    """The action space. `A` gives the first id of each verb; notation is verb and arguments.

    >>> fruit = Kind("fruit", ("apple", "pear"))
    >>> actions = Actions.of(Action("eat", "1", "eat it", (fruit,)), Action("pass", "2", "do nothing"))
    >>> actions.size, actions.notation(1), actions.parse("pass"), actions.A.eat
    (3, 'eat pear', 2, 0)
    """

    A: Any
    size: int
    words: int

    @classmethod
    def of(cls, *families: Action) -> Actions:
        self = cls(families)
        bases = [0]
        for one in self:
            bases.append(bases[-1] + one.size)
        self.A = _codes("A", [one.verb for one in self], bases[:-1])
        self.size = bases[-1]
        self.words = (self.size + 31) // 32
        self._notation = tuple(
            " ".join((one.verb, *arguments)) for one in self for arguments in product(*(kind.names for kind in one.of))
        )
        self._ids = {text: i for i, text in enumerate(self._notation)}
        self._families = tuple(one for one in self for _ in range(one.size))
        self._firsts = tuple(first for one, first in zip(self, self.A, strict=True) for _ in range(one.size))
        return self

    _notation: tuple[str, ...]
    _ids: dict[str, int]
    _families: tuple[Action, ...]
    _firsts: tuple[int, ...]

    def notation(self, action: int) -> str:
        return self._notation[action]

    def parse(self, text: str) -> int | None:
        """The id of a notation, or None. Case and extra spaces do not matter."""
        return self._ids.get(" ".join(text.lower().split()))

    def family(self, action: int) -> Action:
        return self._families[action]

    def argument(self, action: int) -> int:
        """The argument of an action of one argument (or the combined one of several)."""
        return action - self._firsts[action]


class EventTable(tuple[Event, ...]):
    """The events of a game; `E` gives their codes by name."""

    E: Any

    @classmethod
    def of(cls, *events: Event) -> EventTable:
        self = cls(events)
        for one in self:
            if len(one.args) >= EVENT_WIDTH:
                raise ValueError(f"event {one.name!r} has more than {EVENT_WIDTH - 1} arguments")
        self.E = _codes("E", [one.name for one in self], range(len(self)))
        return self


class Table(tuple[Named, ...]):
    """A small table of named lines; `codes` gives their numbers by name, from 1."""

    codes: Any

    @classmethod
    def of(cls, title: str, *lines: Named) -> Table:
        self = cls(lines)
        self.codes = _codes(title, [one.name for one in self], range(1, len(self) + 1))
        return self

    def line(self, code: int) -> Named:
        return self[code - 1]


# Builds: the same source for every target.


@dataclass
class _Loading(threading.local):
    """What is being loaded in this thread: seen by `compiled`, `table` and `box` at the top of a module."""

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


def table(values: Sequence[int]) -> Sequence[int]:
    """A constant table the rules index: a tuple for `python`, an array for compiled targets."""
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


def digest(value: Any) -> str:
    """A SHA-256 of plain data, the same however its text was laid out."""
    return hashlib.sha256(canonical(value)).hexdigest()


def canonical(value: Any) -> bytes:
    """Plain data as the one sequence of bytes that is hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


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


CHAIN: Final = ("ridotto.dice", "{game}.components", "{game}.rules", "{game}.bot", "ridotto.driver", "ridotto.search")
"""The modules of a build, in the order they are loaded; each sees the build's own copy of those before it."""
LAUNCHED: Final = ("ridotto.device",)
"""What the build for a GPU has besides: the kernels that are launched there."""
SPOKEN: Final = ("{game}.words", "{game}.sketch", "{game}.picture")
"""What the interpreted build has besides: how its numbers, with its box, are put into words, sketched and drawn."""


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
        besides = {"python": SPOKEN, "cpu": (), "cuda": LAUNCHED}[target]
        names = [name.format(game=package) for name in CHAIN + besides]
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
                    copies["ridotto.contract"] = _joined(copies[names[2]], copies[names[3]])
        finally:
            if target != "python":
                config.CACHE_DIR = kept  # type: ignore[attr-defined]
    finally:
        _loading.target, _loading.boxes = before
    dice, parts, rules, bot, driver, search, *more = (copies[name] for name in names)
    extra = {name.rpartition(".")[2]: module for name, module in zip(besides, more, strict=True)}
    return Build(game, target, box_digest, parts, rules, bot, driver, search, dice, cache=folder, **extra)


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
    module = ModuleType("ridotto.contract")
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
