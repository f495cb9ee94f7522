"""The declarations of a game: kinds, fields, actions, events and codes.

A game declares its fields, actions, events, reasons, endings and score parts once, line by line. Everything else
(views, notation, positions, documentation, tests) is derived from these declarations.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from keyword import iskeyword
from math import prod
from typing import Any, Final, Literal, TypeAlias, TypeVar, get_args

from ridotto.engine.errors import BadDeclaration

Row: TypeAlias = list[int]
Mask: TypeAlias = list[int]
Dice: TypeAlias = list[int]
Events: TypeAlias = list[int]
Seat: TypeAlias = int
Audience: TypeAlias = Literal["all", "owner", "nobody", "remembered"]
Target: TypeAlias = Literal["python", "cpu", "cuda", "wasm"]

HIDDEN: Final = -32768
"""The value of every word of a masked row that its reader may not know."""

EVENT_WIDTH: Final = 6
EVENT_ROOM: Final = 96


# Kinds of numbers.


@dataclass(frozen=True)
class Kind:
    """The kind of an integer: a plain number, one of a list of names, or a set of them.

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

    def to_json(self, value: int) -> Any:
        """`value` as JSON: a name, a list of names, a number, None for "none", "?" for HIDDEN."""
        if value == HIDDEN:
            return "?"
        if self.is_set:
            return [name for i, name in enumerate(self.names) if value >> i & 1]
        if self.names:
            return self.names[value] if 0 <= value < len(self.names) else None
        return value

    def from_json(self, data: Any) -> int | None:
        """The value that `to_json` writes as `data`, or None if there is no such value."""
        if self.is_set:
            if not isinstance(data, list) or len(data) != len({str(name) for name in data}):
                return None
            if not all(isinstance(name, str) and name in self.names for name in data):
                return None
            return sum(1 << self.names.index(name) for name in data)
        if self.names:
            if data is None:
                return -1
            return self.parse(data) if isinstance(data, str) else None
        return data if type(data) is int else None


NUMBER: Final = Kind("number")
FLAG: Final = Kind("flag", ("no", "yes"))


def seats_kind(most: int) -> Kind:
    """The kind of a seat, numbered from 0."""
    return Kind("seat", tuple(str(seat) for seat in range(most)))


def set_of(kind: Kind) -> Kind:
    """The kind of a set of `kind`, with one bit for each member."""
    return Kind(f"set of {kind.name}", kind.names, is_set=True)


# Declarations: fields, actions, events and codes.


def _check_audience(what: str, audience: str) -> None:
    if audience not in get_args(Audience):
        raise BadDeclaration(f"{what}: there is no audience {audience!r}; there are: {', '.join(get_args(Audience))}")


@dataclass(frozen=True)
class Field:
    """A named part of a row: its size, its values and its audience."""

    name: str
    kind: Kind
    meaning: str
    of: tuple[Kind, ...] = ()
    low: int = 0
    high: int | None = None
    audience: Audience = "all"
    owner: Seat | None = None
    live: int | Callable[[int], int] | None = None
    """The entries of the last axis that can be in use while a decision is due, if not all: a number, or a function of the
    number of seats. 0 is for a field that is filled at the end of a match, or while a seat waits for the others. Networks do
    not see the rest."""

    def __post_init__(self) -> None:
        _check_audience(f"field {self.name!r}", self.audience)
        if self.audience == "owner" and self.owner is None and not self.of:
            raise BadDeclaration(f"field {self.name!r} is for its owner: say of which seat, by `of=(SEAT,)` or `owner=`")

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
            raise BadDeclaration(f"field {self.name!r} holds plain numbers and needs `high`")
        return len(self.kind) - 1

    def live_at(self, seats: int) -> int:
        """The number of live entries of the last axis (see `live`) with so many seats."""
        all_of_them = len(self.of[-1]) if self.of else 1
        live = self.live(seats) if callable(self.live) else self.live
        return all_of_them if live is None else min(live, all_of_them)

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
    """An option of a game, chosen before the deal: a word of the row, which the rules test in the § that it changes."""

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

    def __post_init__(self) -> None:
        _check_audience(f"action {self.verb!r}", self.audience)

    @property
    def size(self) -> int:
        return prod(len(kind) for kind in self.of)


@dataclass(frozen=True)
class Arg:
    """One argument of an event. The owner is the event's argument named `seat`."""

    name: str
    kind: Kind
    audience: Audience = "all"

    def __post_init__(self) -> None:
        _check_audience(f"argument {self.name!r}", self.audience)


@dataclass(frozen=True)
class Event:
    """Something that happens in a match, as numbers with an audience each.

    Two arguments mean the same in every game: `seat` is the owner of the event, who alone may know what has the audience
    `owner`; an event with the argument `round` begins that round.
    """

    name: str
    section: str
    meaning: str
    args: tuple[Arg, ...] = ()
    audience: Audience = "all"

    def __post_init__(self) -> None:
        _check_audience(f"event {self.name!r}", self.audience)
        owned = "owner" in (self.audience, *(arg.audience for arg in self.args))
        if owned and all(arg.name != "seat" for arg in self.args):
            raise BadDeclaration(
                f"event {self.name!r} tells its owner something, but has no argument `seat` that says who that is"
            )

    @cached_property
    def is_open(self) -> bool:
        """Whether the event and all its arguments are public."""
        return {"all", "remembered"} >= {self.audience, *(arg.audience for arg in self.args)}

    @cached_property
    def begins_round(self) -> bool:
        """Whether a round begins with it: such events divide a log into rounds."""
        return any(arg.name == "round" for arg in self.args)


@dataclass(frozen=True)
class Named:
    """The name and the meaning of one code: a reason, a fault, an ending or a part of the score."""

    name: str
    section: str
    meaning: str = ""
    seats: int = 0
    """Used only in matches with this number of seats; 0: in all."""


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
        """A copy of a row with HIDDEN for every word that `seat` may not know."""
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

    def to_json(self, row: Sequence[int]) -> dict[str, Any]:
        """The row as named fields, ready for JSON."""
        return {one.name: _nest(one, [one.kind.to_json(word) for word in row[at : at + one.size]]) for one, at in self.slices()}

    def from_json(self, data: Mapping[str, Any], is_masked: bool = False) -> tuple[Row, list[str]]:
        """The row that named fields describe, and everything that is wrong with them; if masked, "?" stands for HIDDEN."""
        row = [0] * self.width
        faults = [f"unknown field {name!r}" for name in data if name not in self.F._fields]
        for one, at in self.slices():
            if one.name not in data:
                faults.append(f"field {one.name!r} is missing")
                continue
            leaves = _flatten(one, data[one.name])
            if leaves is None:
                faults.append(f"field {one.name!r} needs {_shape(one)}")
                continue
            for i, leaf in enumerate(leaves, at):
                if is_masked and leaf == "?":
                    row[i] = HIDDEN
                    continue
                value = one.kind.from_json(leaf)
                if value is None or not one.low <= value <= one.top:
                    faults.append(f"field {one.name!r} holds {_values(one)}, not {leaf!r}")
                else:
                    row[i] = value
        return row, faults


def _nest(one: Field, leaves: list[Any]) -> Any:
    """The values of a field as nested mappings by the names of its kinds, built from the inside out."""
    for kind in reversed(one.of):
        names, step = kind.names, len(kind)
        leaves = [dict(zip(names, leaves[at : at + step], strict=True)) for at in range(0, len(leaves), step)]
    return leaves[0]


def _flatten(one: Field, data: Any) -> list[Any] | None:
    """The values of nested mappings in the order of the row; None if the names are not those of the field's kinds."""
    parts = [data]
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
        """The argument of an action; for an action with several arguments, one number for all of them."""
        return action - self._firsts[action]


class EventCodes(tuple[Event, ...]):
    """The events of a game; `E` gives their codes by name."""

    E: Any

    @classmethod
    def of(cls, *events: Event) -> EventCodes:
        self = cls(events)
        for one in self:
            if len(one.args) >= EVENT_WIDTH:
                raise BadDeclaration(f"event {one.name!r} has more than {EVENT_WIDTH - 1} arguments")
        self.E = _codes("E", [one.name for one in self], range(len(self)))
        return self


class Codes(tuple[Named, ...]):
    """Reasons, endings, faults or score parts, numbered from 1; `codes` gives the number of each by name."""

    codes: Any

    @classmethod
    def of(cls, title: str, *lines: Named) -> Codes:
        self = cls(lines)
        self.codes = _codes(title, [one.name for one in self], range(1, len(self) + 1))
        return self

    def line(self, code: int) -> Named:
        return self[code - 1]
