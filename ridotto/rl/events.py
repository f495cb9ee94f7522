"""The last events that a seat has seen, as lines of one-hot numbers.

A line has one element for each kind of event, then a piece for each kind of argument: one of several names is one element a
name, a set one element a member, a number itself divided by 100, and what not everybody may know has one more element, which
is 1 where it is hidden. Two arguments of one kind in an event have a piece each. Seats are counted as in `Tensors`.

>>> from ridotto.rl import Tensors
>>> lines = Tensors("turandot", 3).event_lines
>>> [(piece.name, piece.size) for piece in lines.pieces[:4]]
[('event', 30), ('seat', 3), ('number', 1), ('position', 6)]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ridotto.core.tensors import Layout, Piece, Tensors, is_seat
from ridotto.core.view import Seen
from ridotto.engine.encoding import BIT, IS, NUMBER
from ridotto.engine.fields import EVENT_WIDTH, Arg, Audience, Event, Kind, Seat
from ridotto.rl import observe

OTHER: Final = "other"
"""The label of what happens to a match and not in it: resigning, taking back."""
KNOWN_TO: Final[dict[Audience, int]] = {
    "all": observe.ALL,
    "remembered": observe.ALL,
    "owner": observe.OWNER,
    "nobody": observe.NOBODY,
}


class EventLines(Layout):
    """The encoding of one event, as a seat has seen it, as a line of numbers; `table` is for compiled code."""

    def __init__(self, tensors: Tensors) -> None:
        self.tensors = tensors
        events: tuple[Event, ...] = tensors.game.rules.EVENTS
        self.codes = {event.name: code for code, event in enumerate(events)}
        labels = (*self.codes, OTHER)
        self.pieces = (Piece("event", (len(labels),), 0, ("event",), labels, "what happened"),)
        slots = self._slots(events)
        for (kind, number), may_hide in slots.items():
            names = kind.names[: tensors._axis(kind)] or (kind.name,)
            name = kind.name if number == 0 else f"{kind.name} {number + 1}"
            names += ("hidden",) * may_hide
            self.pieces += (Piece(name, (len(names),), self.pieces[-1].stop, (kind.name,), names, f"its {name}, if any"),)
        self.size = self.pieces[-1].stop
        places = dict(zip(slots, self.pieces[1:], strict=True))
        self.table = [self._line(event, places) for event in events] + [_filled([])]

    def encode(self, seen: Sequence[Seen], seat: Seat, last: int) -> Any:
        """The last events that a seat has seen, oldest first, as (last, size); lines of 0 where there were fewer."""
        import numpy

        out = numpy.zeros((last, self.size), "float32")
        recent = list(seen)[-last:] if last else []
        other = len(self.codes)
        lines = []
        for one in recent:
            code = self.codes.get(one.event.name, other)
            lines.append([code, *(one.values.values() if code != other else ())])
        shown = observe.load(self.tensors.game.build()).show_event
        rotation = seat if self.tensors.is_symmetric else 0
        for at, line in enumerate(lines, last - len(lines)):
            shown(line + [0] * (EVENT_WIDTH - len(line)), self.table, rotation, self.tensors.seats, out[at])
        return out

    def _slots(self, events: tuple[Event, ...]) -> dict[tuple[Kind, int], bool]:
        """The pieces of a line: a kind of argument, which one of that kind it is in its event, and whether it may be hidden."""
        slots: dict[tuple[Kind, int], bool] = {}
        for event in events:
            for slot, argument in _numbered(event):
                slots[slot] = slots.get(slot, False) or argument.audience not in ("all", "remembered")
        return slots

    def _line(self, event: Event, places: dict[tuple[Kind, int], Piece]) -> list[list[int]]:
        """The line of the table for one event: the event itself, then its arguments; see `ridotto.rl.observe`."""
        owner = next((at for at, argument in enumerate(event.args, 1) if argument.name == "seat"), 0)
        lines = [[owner, 0, -1, KNOWN_TO[event.audience], 0]]
        for slot, argument in _numbered(event):
            piece = places[slot]
            kind = argument.kind
            op = BIT if kind.is_set else IS if kind.names else NUMBER
            hidden_at = piece.stop - 1 if piece.labels[-1] == "hidden" else -1
            lines.append([piece.start, op, hidden_at, KNOWN_TO[argument.audience], int(is_seat(kind))])
        return _filled(lines)


def _numbered(event: Event) -> list[tuple[tuple[Kind, int], Arg]]:
    """The arguments of an event, each with its kind and which one of that kind it is."""
    kinds = [argument.kind for argument in event.args]
    return [
        ((kind, kinds[:at].count(kind)), argument) for at, (kind, argument) in enumerate(zip(kinds, event.args, strict=True))
    ]


def _filled(lines: list[list[int]]) -> list[list[int]]:
    """The line of an event with arguments that are not there up to the most that there can be."""
    return lines + [[-1, 0, -1, observe.ALL, 0]] * (EVENT_WIDTH - len(lines))
