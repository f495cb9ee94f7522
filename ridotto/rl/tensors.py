"""Views as arrays for learners: many at once, on the CPU or on a GPU, and the events that a seat has seen.

What the numbers mean is explained in `ridotto.core.tensors`.

>>> tensors = Tensors("turandot", 3)
>>> piece = tensors.piece("money")
>>> piece.shape, piece.axes, piece.start
((3, 1), ('seat', 'number'), 914)
>>> from ridotto import Match, find
>>> match = Match(find("turandot"), 3, seed=1)
>>> tensors.split(tensors.encode(match.masked(2), 2))["money"].tolist()
[[1.0], [1.0], [1.0]]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from ridotto.core import tensors
from ridotto.core.game import Game
from ridotto.core.tensors import MOST, Layout, Piece, is_seat
from ridotto.core.view import Seen
from ridotto.engine.arrays import Elements
from ridotto.engine.build import cuda
from ridotto.engine.encoding import NUMBER
from ridotto.engine.fields import HIDDEN, Event, Kind, Seat
from ridotto.games import find
from ridotto.rl import observe
from ridotto.rl.arrays import Packing
from ridotto.rl.events import EventLines

if TYPE_CHECKING:
    import numpy

__all__ = ["Layout", "Piece", "Tensors"]

Form: TypeAlias = Literal["float32", "uint8", "bits", "row"]
"""The forms of an observation: as numbers, mostly from 0 to 1; as whole numbers, those over 255 cut off; as bits, eight in a
byte (`numpy.unpackbits` unpacks them); or as the masked row itself."""
FORMS: Final[tuple[Form, ...]] = get_args(Form)
"""In the order of the numbers that compiled code has for them."""
DTYPES: Final[Mapping[Form, str]] = {"float32": "float32", "uint8": "uint8", "bits": "uint8", "row": "int16"}
ARGUMENTS: Final = 5
"""The most arguments an event has."""


class Tensors(tensors.Tensors):
    """The encoding of views of one game with so many seats as arrays.

    `pieces` name the parts of the array, `size` is its length, `is_symmetric` says whether seats are counted from the viewer.
    With `is_padded`, the array has room for the largest table there is. The fields named in `without` are left out.
    """

    def __init__(
        self,
        game: Game | str,
        seats: int | None = None,
        *,
        is_padded: bool = False,
        is_whole: bool = False,
        without: Collection[str] = (),
    ) -> None:
        ours = find(game) if isinstance(game, str) else game
        super().__init__(ours, seats, is_padded=is_padded, is_whole=is_whole, without=without)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if not name.endswith("_on_device")}

    # Many views.

    def encode_many(self, masked: Any, seats: Any, out: Any = None, form: Form = "float32") -> Any:
        """Many masked rows (rows, words) as numbers (rows, `length(form)`), each as its seat sees it.

        Arrays of a GPU give an array there.
        """
        import numpy

        if not isinstance(masked, numpy.ndarray):
            return self._encode_on_device(masked, seats, out, form)
        out = numpy.empty((len(masked), self.length(form)), DTYPES[form]) if out is None else out
        encode_rows = observe.load(self.game.build("cpu")).encode_rows
        encode_rows(masked, seats, self.encoding, FORMS.index(form), self.packing, out, 0, len(masked))  # type: ignore[arg-type]
        return out

    @cached_property
    def _elements_on_device(self) -> Elements:
        return Elements(*(cuda().to_device(array) for array in self.elements))

    @cached_property
    def _packing_on_device(self) -> tuple[Any, Any, Any]:
        """The least that each element stands for; and for each bit its element (-1: none), and which of its bits it is."""
        import numpy

        bits = 8 * self.length("bits")
        elements, shifts = numpy.full(bits, -1, "int32"), numpy.zeros(bits, "int32")
        packing = self.packing
        for at, (start, width) in enumerate(zip(packing.starts, packing.widths, strict=True)):
            elements[start : start + width] = at
            shifts[start : start + width] = range(width - 1, -1, -1)
        lows, elements, shifts = (cuda().to_device(array) for array in (packing.lows, elements, shifts))
        return lows, elements, shifts

    def _encode_on_device(self, masked: Any, seats: Any, out: Any, form: Form) -> Any:
        kernels = observe.load_kernels(self.game.build("cuda"))
        out = cuda().device_array((masked.shape[0], self.length(form)), DTYPES[form]) if out is None else out
        elements, (lows, bit_elements, shifts) = self._elements_on_device, self._packing_on_device
        grid = kernels.BLOCKS, kernels.THREADS
        if form == "float32":
            kernels.encode_rows[grid](masked, seats, elements, out)
        elif form == "uint8":
            kernels.encode_bytes[grid](masked, seats, elements, lows, out)
        elif form == "bits":
            kernels.encode_bits[grid](masked, seats, elements, lows, bit_elements, shifts, out)
        else:
            out.copy_to_device(masked)
        return out

    # Forms.

    def length(self, form: Form) -> int:
        """The length of an observation of this form."""
        if form == "row":
            return int(self.game.rules.FIELDS.width)
        return (int(self.packing.starts[-1] + self.packing.widths[-1]) + 7) // 8 if form == "bits" else self.size

    @cached_property
    def packing(self) -> Packing:
        """The packing of elements as whole numbers, and as bits: a number has as many bits as its range needs."""
        import numpy

        fields = self.game.rules.FIELDS
        lows, widths = numpy.zeros(self.size, "int32"), numpy.ones(self.size, "int32")
        for at, one in enumerate(self._programs[0]):
            if one.op == NUMBER and one.scale:
                field = fields.field_at(one.word)
                lows[at], widths[at] = field.low, (field.top - field.low).bit_length()
        starts = numpy.cumsum(widths, dtype="int32") - widths
        arrays: list[Any] = [lows, starts.astype("int32"), widths]
        return Packing(*arrays)

    def form_bounds(self, form: Form) -> tuple[Any, Any]:
        """The least and the most that each number of an observation can be."""
        import numpy

        if form == "float32":
            return self.bounds
        length = self.length(form)
        if form == "row":
            return numpy.full(length, HIDDEN, "int16"), numpy.full(length, 32767, "int16")
        return numpy.zeros(length, "uint8"), numpy.full(length, 255, "uint8")

    def encode_as(self, row: Sequence[int], seat: Seat, form: Form) -> Any:
        """One masked row in one of the forms."""
        import numpy

        if form == "float32":
            return self.encode(row, seat)
        if form == "row":
            return numpy.array(row, "int16")
        return self.encode_many(numpy.array([row], "int16"), numpy.array([seat], "int8"), form=form)[0]

    # What has happened.

    @cached_property
    def event_lines(self) -> EventLines:
        """The encoding of an event as a line of one-hot numbers."""
        return EventLines(self)

    def history(self, seen: Sequence[Seen], seat: Seat, last: int) -> numpy.ndarray[Any, numpy.dtype[numpy.float32]]:
        """The last events that a seat has seen, oldest first, a line each; lines of 0 where there were fewer."""
        return self.event_lines.encode(seen, seat, last)  # type: ignore[no-any-return]

    @cached_property
    def short_history_width(self) -> int:
        """The width of an event in `short_history`."""
        return len(self.game.rules.EVENTS) + 1 + 2 * ARGUMENTS

    def short_history(self, seen: Sequence[Seen], seat: Seat, last: int) -> numpy.ndarray[Any, numpy.dtype[numpy.float32]]:
        """The same in fewer numbers, for whole matches, as (last, short_history_width).

        An event is one element for each kind of event there is (the last for resigning and taking back), then for each of
        five arguments its number, divided by the largest its kind has (or by 100), and whether it is hidden. Seats are
        counted as everywhere.
        """
        import numpy

        events: tuple[Event, ...] = self.game.rules.EVENTS
        kinds = {event.name: code for code, event in enumerate(events)}
        out = numpy.zeros((last, self.short_history_width), "float32")
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
        if is_seat(kind) and self.is_symmetric:
            if kind.is_set:
                value = sum(1 << i for i in range(self.seats) if value >> self._seat(i, viewer) & 1)
            elif value >= 0:
                value = (value - viewer) % self.seats
        largest = (1 << len(kind)) - 1 if kind.is_set else len(kind) if kind.names else MOST
        return value / largest
