"""A position as named fields: written, and read back with every check. It is to our games what FEN is to chess.

A position may have "?" for what is hidden from a seat, or from a spectator, as in a view. A match that begins with such
a position deals what is hidden by chance.

>>> from ridotto.games import find
>>> game = find("fantome")
>>> read(game, {"seats": 2})  # doctest: +ELLIPSIS
Traceback (most recent call last):
    ...
ridotto.core.errors.BadPosition: this position is not possible: field 'version' is missing; ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ridotto.core.errors import BadPosition
from ridotto.core.game import Game
from ridotto.engine.fields import HIDDEN, Row, Seat

EVERYTHING: Final = -2
"""The reader of a position that hides nothing."""
SPECTATOR: Final = -1
"""The reader of a position that hides what a spectator may not know."""


def write(game: Game, row: Sequence[int]) -> dict[str, Any]:
    """A row as named fields, ready for JSON; "?" where it is masked."""
    fields: dict[str, Any] = game.rules.FIELDS.to_json(row)
    return fields


def read(game: Game, fields: Mapping[str, Any]) -> Row:
    """The row that named fields describe. Raises BadPosition with everything that is wrong with them."""
    row: Row
    row, faults = game.rules.FIELDS.from_json(fields)
    if faults:
        raise BadPosition(faults)
    check(game, row)
    return row


def check(game: Game, row: Row) -> None:
    """Raise BadPosition with every invariant that a row breaks, if it breaks any."""
    flags = game.rules.check(row)
    faults = [f"{line.meaning} (§{line.section})" for code, line in enumerate(game.rules.FAULTS, 1) if flags >> code & 1]
    if faults:
        raise BadPosition(faults)


def read_masked(game: Game, fields: Mapping[str, Any]) -> tuple[Row, Seat]:
    """The row that named fields describe, and its reader: a seat, SPECTATOR or EVERYTHING.

    Raises BadPosition with everything that is wrong with them, and for a "?" in any other place than a view has it. Hidden
    words cannot be checked before they are dealt.
    """
    row, faults = game.rules.FIELDS.from_json(fields, is_masked=True)
    if faults:
        raise BadPosition(faults)
    hidden = tuple(i for i, word in enumerate(row) if word == HIDDEN)
    if not hidden:
        return read(game, fields), EVERYTHING
    for seat in (None, *range(seats_of(game, row))):
        if hidden == game.rules.FIELDS.hidden(seat):
            return row, SPECTATOR if seat is None else seat
    raise BadPosition(["'?' stands for all that one seat or a spectator may not know, no more and no less"])


def seats_of(game: Game, row: Sequence[int]) -> int:
    """The number of seats in the match of a row."""
    return int(row[game.rules.FIELDS.F.seats])


def options_of(game: Game, row: Sequence[int]) -> dict[str, int]:
    """The options that the match of a row is played with."""
    return {name: int(row[at]) for name, at in game.option_offsets}
