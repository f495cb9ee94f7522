"""A view as an array of numbers, derived from the declared fields alone.

Every field that can vary becomes a *piece* of the array, with a name, a shape and a meaning:

- one of several names: one element a name, 1 for the one that holds (and one for "none", where there may be none);
- a set: one element a member; a flag: one element;
- a number: itself, divided by the largest it can be, or by 100 if that is less;
- a word that may be hidden: one more element, which is 1 where it is hidden; the others are then 0.

Where the game is the same from every seat (no field belongs to one particular seat), seats are counted from the viewer:
0 is the viewer, 1 the next one round the table. Elsewhere the first piece is the viewer's seat. Seats that are not at
the table are left out. If the array is *padded*, it has room for the largest table instead, filled with 0, and a last piece
with the number of seats: then arrays of all tables have one shape.

A *whole* array has an element for everything that a row can hold. Any other has only what a learner needs at its decisions: it
leaves out the secrets of others, fields that are filled at the end of a match (`Field.live`), and the elements for "none".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, product
from math import prod
from typing import TYPE_CHECKING, Any, Final

from ridotto.core.game import Game
from ridotto.engine.arrays import Elements, Encoding
from ridotto.engine.build import Build
from ridotto.engine.encoding import BIT, HIDDEN_AT, IS, NUMBER, OP
from ridotto.engine.fields import HIDDEN, Field, Kind, Seat

if TYPE_CHECKING:
    import numpy

MOST: Final = 100
"""The largest divisor of a number: some fields may hold thousands by the rules, but never do."""


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
    """One number of the array, for one viewer: a word, and a test or a scale of it."""

    word: int
    op: int
    argument: int = 0
    scale: float = 0.0


NOBODY: Final = _Element(0, NUMBER)
"""An element about a seat that is not at the table: always 0."""


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
    """The encoding of views of one game with so many seats as arrays.

    `pieces` name the parts of the array, `size` is its length, `is_symmetric` says whether seats are counted from the viewer.
    With `is_padded`, the array has room for the largest table there is. The fields named in `without` are left out.
    """

    def __init__(
        self,
        game: Game,
        seats: int | None = None,
        *,
        is_padded: bool = False,
        is_whole: bool = True,
        without: Collection[str] = (),
    ) -> None:
        self.game, self.is_padded, self.is_whole = game, is_padded, is_whole
        self.seats = self.game.seat_count(seats)
        self.room = self.game.seats[-1] if is_padded else self.seats
        fields = self.game.rules.FIELDS
        self.is_symmetric = all(one.owner is None for one in fields)
        pieces: list[Piece] = []
        programs: list[list[_Element]] = [[] for _ in range(self.seats)]
        if not self.is_symmetric:
            labels = tuple(map(str, range(self.room)))
            pieces.append(Piece("viewer", (self.room,), 0, ("seat",), labels, "the viewer's seat"))
            for viewer, program in enumerate(programs):
                # The word of the number of seats is never hidden: it is equal to itself, and to nothing else.
                program += [_Element(fields.F.seats, IS, self.seats if seat == viewer else HIDDEN) for seat in range(self.room)]
        for one, at in fields.slices():
            if one.name in ("version", "seats", *without) or one.low == one.top:
                continue
            if not is_whole and (one.audience == "nobody" or self._live(one) == 0):
                continue
            for viewer, program in enumerate(programs):
                for index in self._indices(one, viewer):
                    program += self._nobody(one) if index is None else self._word(one, at + index, viewer)
            start = pieces[-1].stop if pieces else 0
            pieces.append(self._piece(one, start))
        if is_padded:
            labels = tuple(map(str, self.game.seats))
            pieces.append(Piece("seats", (len(labels),), pieces[-1].stop, ("number",), labels, "the number of seats"))
            for program in programs:
                program += [_Element(fields.F.seats, IS, number) for number in self.game.seats]
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
        encoded: Any = numpy.select([ops == IS, ops == BIT], [word == arguments[seat], bits], sizes)
        return numpy.asarray(encoded, numpy.float32)

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
        """The encoding word by word, as arrays of NumPy."""
        return self.encoding_on(self.game.build("cpu"))

    def encoding_on(self, build: Build) -> Encoding:
        """The encoding word by word, as arrays of a compiled build."""
        steps: list[Any] = []
        places: list[Any] = []
        for program in self._programs:
            present = ((at, one) for at, one in enumerate(program) if one != NOBODY)
            words = [(word, list(group)) for word, group in groupby(present, key=lambda one: one[1].word)]
            lines: list[tuple[int, int, int, int]] = []
            all_places: list[int] = []
            for word, elements in words:
                hidden = next((at for at, one in elements if one.op == IS and one.argument == HIDDEN), -1)
                known = [(at, one) for at, one in elements if one.argument != HIDDEN]
                op = known[0][1].op
                lines.append((word, op, known[0][0] if op == NUMBER else len(all_places), hidden))
                if op == NUMBER:
                    continue
                first = -1 if op == IS else 0
                line = [-1] * (max(one.argument for _, one in known) - first + 1)
                for at, one in known:
                    if one.argument >= first:
                        line[one.argument - first] = at
                all_places += line
            lines.sort(key=lambda line: (line[OP], line[OP] == NUMBER and line[HIDDEN_AT] < 0))
            steps.append([*zip(*lines, strict=True)])
            places.append(all_places)
        scales: list[Any] = [one.scale for one in self._programs[0]]
        arrays: list[Any] = [build.copy(steps, "int32"), build.copy(places, "int32"), build.copy(scales, "float32")]
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

    # From fields to elements.

    def _axis(self, kind: Kind) -> int:
        return self.room if is_seat(kind) else len(kind)

    def _axes(self, one: Field) -> list[range]:
        """The numbers along each axis of a field."""
        axes = [range(self._axis(kind)) for kind in one.of]
        if not self.is_whole and axes:
            axes[-1] = axes[-1][: self._live(one)]
            if self._is_own(one):
                axes[0] = range(1)
        return axes

    def _live(self, one: Field) -> int:
        """The live entries of a field's last axis with this number of seats; if padded, with any number."""
        return max(one.live_at(seats) for seats in (self.game.seats if self.is_padded else (self.seats,)))

    def _is_own(self, one: Field) -> bool:
        """Whether the array has the viewer's own part of a field alone, which is never hidden."""
        return not self.is_whole and one.audience == "owner" and one.owner is None

    def _indices(self, one: Field, viewer: Seat) -> Iterator[int | None]:
        """The words of a field in the order in which the viewer counts them; None for a seat that is not at the table."""
        for place in product(*self._axes(one)):
            if self._is_own(one) and not self.is_symmetric:
                place = (viewer, *place[1:])
            index = 0
            is_there = True
            for kind, number in zip(one.of, place, strict=True):
                is_there &= not is_seat(kind) or number < self.seats
                index = index * len(kind) + (self._seat(number, viewer) if is_seat(kind) else number)
            yield index if is_there else None

    def _seat(self, number: int, viewer: Seat) -> Seat:
        """The seat that the viewer counts as that number."""
        return (viewer + number) % self.seats if self.is_symmetric else number

    def _nobody(self, one: Field) -> Iterator[_Element]:
        """The elements of one word of a field, for a seat that is not at the table."""
        return (NOBODY for _ in self._word(one, 0, 0))

    def _word(self, one: Field, word: int, viewer: Seat) -> Iterator[_Element]:
        """The elements of one word of a field."""
        kind = one.kind
        if kind.is_set:
            members = range(self._axis(kind))
            bits = (_Element(word, BIT, self._seat(i, viewer) if is_seat(kind) else i) for i in members)
            yield from (bit if i < self.seats or not is_seat(kind) else NOBODY for i, bit in enumerate(bits))
        elif _is_number(kind):
            yield _Element(word, NUMBER, scale=1 / _scale(one))
        else:
            if is_seat(kind):
                seats = (_Element(word, IS, self._seat(i, viewer)) for i in range(self.room))
                yield from (seat if i < self.seats else NOBODY for i, seat in enumerate(seats))
            else:
                yield from (_Element(word, IS, value) for value in range(max(0, one.low), one.top + 1))
            if one.low < 0 and self.is_whole:
                yield _Element(word, IS, -1)
        if self._may_hide(one):
            yield _Element(word, IS, HIDDEN)

    def _may_hide(self, one: Field) -> bool:
        return one.audience not in ("all", "remembered") and not self._is_own(one)

    def _piece(self, one: Field, start: int) -> Piece:
        kind = one.kind
        last = kind.name.removeprefix("set of ")
        if _is_number(kind):
            labels: tuple[str, ...] = (last,)
        elif kind.is_set or is_seat(kind):
            labels = kind.names[: self._axis(kind)]
        else:
            labels = kind.names[max(0, one.low) : one.top + 1]
        labels += ("none",) * (one.low < 0 and self.is_whole and not _is_number(kind)) + ("hidden",) * self._may_hide(one)
        own = int(self._is_own(one))
        shape = (*(len(axis) for axis in self._axes(one)[own:]), len(labels))
        return Piece(one.name, shape, start, (*(kind.name for kind in one.of[own:]), last), labels, one.meaning)


def is_seat(kind: Kind) -> bool:
    return kind.name in ("seat", "set of seat")


def _is_number(kind: Kind) -> bool:
    """Whether it has one element: a number, or a flag."""
    return not kind.names or kind.name == "flag"


def _scale(one: Field) -> int:
    return min(MOST, max(abs(one.low), one.top))
