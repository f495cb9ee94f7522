"""A view as an array of numbers, derived from the declared fields alone.

Every field that can vary becomes a *piece* of the array, with a name, a shape and a meaning:

- one of several names: one element a name, 1 for the one that holds (and one for "none", where there may be none);
- a set: one element a member; a flag: one element;
- a number: itself, divided by the largest it can be, or by 100 if that is less;
- what a seat may not know has one more element, which is 1 where it is hidden; the others are then 0.

Where the game is the same from every seat (no field belongs to one particular seat), seats are counted from the viewer:
0 is the viewer, 1 the next one round the table. Elsewhere the first piece says which seat is looking. Seats that are not at
the table are left out.

>>> tensors = Tensors("turandot", 3)
>>> piece = tensors.piece("money")
>>> piece.shape, piece.axes, piece.start
((3, 1), ('seat', 'number'), 1263)
>>> from ridotto import Match, find
>>> match = Match(find("turandot"), 3, seed=1)
>>> tensors.split(tensors.encode(match.masked(2), 2))["money"].tolist()
[[1.0], [1.0], [1.0]]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, product
from math import prod
from typing import TYPE_CHECKING, Any, Final

from ridotto.core.game import Game
from ridotto.core.view import Seen
from ridotto.engine.build import cuda
from ridotto.engine.fields import HIDDEN, Event, Field, Kind, Seat
from ridotto.games import find
from ridotto.rl import observe
from ridotto.rl.arrays import Elements, Encoding
from ridotto.rl.observe import BIT, IS, NUMBER

if TYPE_CHECKING:
    import numpy

MOST: Final = 100
"""The largest divisor of a number: some fields may hold thousands by the rules, but never do."""
ARGUMENTS: Final = 5
"""The most arguments an event has."""


@dataclass(frozen=True)
class Piece:
    """A named part of the array; `axes` says what each dimension of the shape counts, `labels` names the last dimension."""

    name: str
    shape: tuple[int, ...]
    start: int
    axes: tuple[str, ...]
    labels: tuple[str, ...]
    meaning: str

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def stop(self) -> int:
        return self.start + self.size


@dataclass(frozen=True)
class _Element:
    """One number of the array, for one viewer: the word that it is about, and what it says about the word."""

    word: int
    op: int
    argument: int = 0
    scale: float = 0.0


class Layout:
    """The layout of an array: named pieces, side by side."""

    pieces: tuple[Piece, ...]
    size: int

    def piece(self, name: str) -> Piece:
        """The piece of that name."""
        for piece in self.pieces:
            if piece.name == name:
                return piece
        raise LookupError(f"no piece {name!r}; there are: {', '.join(piece.name for piece in self.pieces)}")

    def split(self, array: Any) -> dict[str, Any]:
        """An array, or many of them in a row, piece by piece, each in its own shape; nothing is copied."""
        return {
            piece.name: array[..., piece.start : piece.stop].reshape(*array.shape[:-1], *piece.shape) for piece in self.pieces
        }


class Tensors(Layout):
    """How views of one game, at a table of so many seats, become arrays.

    `pieces` name the parts of the array, `size` is its length, `is_symmetric` says whether seats are counted from the viewer.
    """

    def __init__(self, game: Game | str, seats: int | None = None) -> None:
        self.game = find(game) if isinstance(game, str) else game
        self.seats = self.game.seat_count(seats)
        fields = self.game.rules.FIELDS
        self.is_symmetric = all(one.owner is None for one in fields)
        pieces: list[Piece] = []
        programs: list[list[_Element]] = [[] for _ in range(self.seats)]
        if not self.is_symmetric:
            labels = tuple(map(str, range(self.seats)))
            pieces.append(Piece("viewer", (self.seats,), 0, ("seat",), labels, "the seat that is looking"))
            for viewer, program in enumerate(programs):
                # The word of the number of seats is never hidden: it is equal to itself, and to nothing else.
                program += [
                    _Element(fields.F.seats, IS, self.seats if seat == viewer else HIDDEN) for seat in range(self.seats)
                ]
        for one, at in fields.slices():
            if one.name == "seats" or one.low == one.top:
                continue
            for viewer, program in enumerate(programs):
                for index in self._indices(one, viewer):
                    program += self._word(one, at + index, viewer)
            start = pieces[-1].stop if pieces else 0
            pieces.append(self._piece(one, start))
        self.pieces, self.size = tuple(pieces), pieces[-1].stop
        assert all(len(program) == self.size for program in programs)
        self._programs = programs

    def __repr__(self) -> str:
        return f"Tensors({self.game.name!r}, {self.seats})"

    # One view.

    def encode(self, row: Sequence[int], seat: Seat) -> numpy.ndarray[Any, numpy.dtype[numpy.float32]]:
        """A masked row, as that seat sees it, as numbers."""
        import numpy

        words, ops, arguments, scales = (numpy.asarray(array) for array in self.elements)
        word = numpy.asarray(row, "int32")[words[seat]]
        known = word != HIDDEN
        bits = known & ((word >> numpy.where(ops == BIT, arguments[seat], 0) & 1) == 1)
        sizes = numpy.where(known, word, 0).astype("float32") * scales
        found: Any = numpy.select([ops == IS, ops == BIT], [word == arguments[seat], bits], sizes)
        return numpy.asarray(found, numpy.float32)

    # Many views.

    @cached_property
    def elements(self) -> Elements:
        """The encoding element by element."""
        import numpy

        words: Any = numpy.array([[one.word for one in program] for program in self._programs], "int16")
        arguments: Any = numpy.array([[one.argument for one in program] for program in self._programs], "int16")
        ops: Any = numpy.array([one.op for one in self._programs[0]], "int8")
        scales: Any = numpy.array([one.scale for one in self._programs[0]], "float32")
        return Elements(words, ops, arguments, scales)

    @cached_property
    def encoding(self) -> Encoding:
        """The encoding word by word."""
        import numpy

        steps, places = [], []
        for program in self._programs:
            words = [(word, list(found)) for word, found in groupby(enumerate(program), key=lambda one: one[1].word)]
            lines: list[tuple[int, int, int, int]] = []
            all_places: list[int] = []
            for word, found in words:
                hidden = next((at for at, one in found if one.op == IS and one.argument == HIDDEN), -1)
                shown = [(at, one) for at, one in found if one.argument != HIDDEN]
                op = shown[0][1].op
                lines.append((word, op, len(all_places), hidden))
                first = -1 if op == IS else 0
                line = [-1] * (max(one.argument for _, one in shown) - first + 1)
                for at, one in shown:
                    if one.argument >= first:
                        line[one.argument - first] = at
                all_places += line
            steps.append(lines)
            places.append(all_places)
        arrays: list[Any] = [numpy.array(steps, "int32"), numpy.array(places, "int32"), self.elements.scales]
        return Encoding(*arrays)

    @cached_property
    def bounds(self) -> tuple[Any, Any]:
        """The least and the most that each element can be."""
        import numpy

        fields = self.game.rules.FIELDS
        low, high = numpy.zeros(self.size, "float32"), numpy.ones(self.size, "float32")
        for at, one in enumerate(self._programs[0]):
            if one.op == NUMBER:
                field, scale = fields.field_at(one.word), self.elements.scales[at]
                low[at], high[at] = min(0, field.low) * scale, field.top * scale
        return low, high

    def encode_many(self, masked: Any, seats: Any, out: Any = None) -> Any:
        """Many masked rows (rows, words) as numbers (rows, size), each as its seat sees it.

        Arrays of a GPU give an array there.
        """
        import numpy

        if not isinstance(masked, numpy.ndarray):
            return self._encode_on_device(masked, seats, out)
        out = numpy.empty((len(masked), self.size), "float32") if out is None else out
        observe.load(self.game.build("cpu")).encode_rows(masked, seats, self.encoding, out, 0, len(masked))  # type: ignore[arg-type]
        return out

    @cached_property
    def _elements_on_device(self) -> Elements:
        return Elements(*(cuda().to_device(array) for array in self.elements))

    def _encode_on_device(self, masked: Any, seats: Any, out: Any) -> Any:
        kernels = observe.load_kernels(self.game.build("cuda"))
        out = cuda().device_array((masked.shape[0], self.size), "float32") if out is None else out
        kernels.encode_rows[kernels.BLOCKS, kernels.THREADS](masked, seats, self._elements_on_device, out)
        return out

    # From fields to elements.

    def _axis(self, kind: Kind) -> int:
        return self.seats if _is_seat(kind) else len(kind)

    def _indices(self, one: Field, viewer: Seat) -> Iterator[int]:
        """The words of a field in the order in which the viewer counts them."""
        for place in product(*(range(self._axis(kind)) for kind in one.of)):
            index = 0
            for kind, number in zip(one.of, place, strict=True):
                index = index * len(kind) + (self._seat(number, viewer) if _is_seat(kind) else number)
            yield index

    def _seat(self, number: int, viewer: Seat) -> Seat:
        """The seat that the viewer counts as that number."""
        return (viewer + number) % self.seats if self.is_symmetric else number

    def _word(self, one: Field, word: int, viewer: Seat) -> Iterator[_Element]:
        """What one word of a field becomes."""
        kind = one.kind
        if kind.is_set:
            members = range(self._axis(kind))
            yield from (_Element(word, BIT, self._seat(i, viewer) if _is_seat(kind) else i) for i in members)
        elif _is_number(kind):
            yield _Element(word, NUMBER, scale=1 / _scale(one))
        else:
            if _is_seat(kind):
                yield from (_Element(word, IS, self._seat(i, viewer)) for i in range(self.seats))
            else:
                yield from (_Element(word, IS, value) for value in range(max(0, one.low), one.top + 1))
            if one.low < 0:
                yield _Element(word, IS, -1)
        if _may_hide(one):
            yield _Element(word, IS, HIDDEN)

    def _piece(self, one: Field, start: int) -> Piece:
        kind = one.kind
        last = kind.name.removeprefix("set of ")
        if _is_number(kind):
            labels: tuple[str, ...] = (last,)
        elif kind.is_set or _is_seat(kind):
            labels = kind.names[: self._axis(kind)]
        else:
            labels = kind.names[max(0, one.low) : one.top + 1]
        labels += ("none",) * (one.low < 0 and not _is_number(kind)) + ("hidden",) * _may_hide(one)
        shape = (*(self._axis(kind) for kind in one.of), len(labels))
        return Piece(one.name, shape, start, (*(kind.name for kind in one.of), last), labels, one.meaning)

    # What has happened.

    @cached_property
    def history_width(self) -> int:
        """How many numbers encode one event."""
        return len(self.game.rules.EVENTS) + 1 + 2 * ARGUMENTS

    def history(self, seen: Sequence[Seen], seat: Seat, last: int) -> numpy.ndarray[Any, numpy.dtype[numpy.float32]]:
        """The last events that a seat has seen, oldest first, as (last, history_width); rows of 0 where there were fewer.

        An event is one element for each kind of event there is (the last for resigning and taking back), then for each of
        five arguments its number, divided by the largest its kind has (or by 100), and whether it is hidden. Seats are
        counted as everywhere.
        """
        import numpy

        events: tuple[Event, ...] = self.game.rules.EVENTS
        kinds = {event.name: code for code, event in enumerate(events)}
        out = numpy.zeros((last, self.history_width), "float32")
        recent = list(seen)[-last:] if last else []
        for line, one in zip(out[last - len(recent) :], recent, strict=True):
            line[kinds.get(one.event.name, len(events))] = 1
            for i, argument in enumerate(one.event.args):
                at, value = len(events) + 1 + 2 * i, one.values[argument.name]
                if value == HIDDEN:
                    line[at + 1] = 1
                else:
                    line[at] = self._argument(argument.kind, value, seat)
        return out

    def _argument(self, kind: Kind, value: int, viewer: Seat) -> float:
        if _is_seat(kind) and self.is_symmetric:
            if kind.is_set:
                value = sum(1 << i for i in range(self.seats) if value >> self._seat(i, viewer) & 1)
            elif value >= 0:
                value = (value - viewer) % self.seats
        largest = (1 << len(kind)) - 1 if kind.is_set else len(kind) if kind.names else MOST
        return value / largest


def _is_seat(kind: Kind) -> bool:
    return kind.name in ("seat", "set of seat")


def _is_number(kind: Kind) -> bool:
    """Whether one element is enough for it: a number, or a flag."""
    return not kind.names or kind.name == "flag"


def _may_hide(one: Field) -> bool:
    return one.audience not in ("all", "remembered")


def _scale(one: Field) -> int:
    return min(MOST, max(abs(one.low), one.top))
