"""A position as named fields: written, and read back with every check. It is to our games what FEN is to chess.

>>> from ridotto.games import find
>>> game = find("fantome")
>>> read(game, {"seats": 2})  # doctest: +ELLIPSIS
Traceback (most recent call last):
    ...
ridotto.core.errors.BadPosition: this position is not possible: field 'version' is missing; ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ridotto.core.errors import BadPosition
from ridotto.core.game import Game
from ridotto.engine.fields import Row


def write(game: Game, row: Sequence[int]) -> dict[str, Any]:
    """A row as named fields, ready for JSON; "?" where it is masked."""
    fields: dict[str, Any] = game.rules.FIELDS.show(row)
    return fields


def read(game: Game, fields: Mapping[str, Any]) -> Row:
    """The row that named fields describe. Raises BadPosition with everything that is wrong with them."""
    row: Row
    row, faults = game.rules.FIELDS.read(fields)
    if not faults:
        flags = game.rules.check(row)
        lines = enumerate(game.rules.FAULTS, 1)
        faults = [f"{line.meaning} (§{line.section})" for code, line in lines if flags >> code & 1]
    if faults:
        raise BadPosition(faults)
    return row


def seats_of(game: Game, row: Sequence[int]) -> int:
    """How many seats the match of a row has."""
    return int(row[game.rules.FIELDS.F.seats])


def options_of(game: Game, row: Sequence[int]) -> dict[str, int]:
    """The options that the match of a row is played with."""
    offsets = {field.name: at for field, at in game.rules.FIELDS.slices()}
    return {option.name: int(row[offsets[option.name]]) for option in game.rules.OPTIONS}
