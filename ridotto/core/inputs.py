"""The texts by which people may decide, besides the notation of single actions. No readers, no sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ridotto.engine.fields import Seat


class Early(NamedTuple):
    """A decision that a seat may make before the one that is due, since the rulebook leaves the order free."""

    text: str
    """Notation, or a text for `Inputs.meaning`. The last word is the choice, the others are its subject."""
    section: str


Series = Callable[[Sequence[int], Seat, str], list[int]]
"""Turns a masked row, a seat and the rest of a text such as `arrange venezia verdi` into a list of actions.

Raises BadSeries if the text is wrong."""


class Inputs:
    """`inputs.py`: the texts of a game and their meaning, as a subclass called `Inputs`. Every method has a default."""

    def series(self) -> Mapping[str, Series]:
        """Texts that stand for a series of actions: by their first word ("arrange"), the function that reads the rest."""
        return {}

    def early(self, row: Sequence[int], seat: Seat, noted: Sequence[str] = ()) -> Sequence[Early]:
        """The decisions that the seat to act may make before the one that is due; see `ridotto.core.turns`.

        `noted` are those that it has made early already: decisions that are incompatible with them are left out.
        """
        return ()

    def meaning(self, row: Sequence[int], seat: Seat, text: str) -> int | None:
        """The action that a text means now, if not the one of that notation; None: the notation holds."""
        return None

    def begins_turn(self, row: Sequence[int], seat: Seat) -> bool:
        """Whether the decision that is due begins a turn, where a seat may have several turns in a row.

        A draft ends there. It ends in any case where another seat has to decide, and where something is drawn or revealed.
        """
        return False

    # For all games.

    def is_series(self, text: str) -> bool:
        """Whether a text stands for a series of actions, such as `arrange venezia verdi`."""
        return text.partition(" ")[0].lower() in self.series()

    def read_series(self, row: Sequence[int], seat: Seat, text: str) -> list[int]:
        """The actions of a series. Raises BadSeries if the text is wrong."""
        verb, _, rest = text.partition(" ")
        return self.series()[verb.lower()](row, seat, rest)
