"""Turns at Turandot as people may type them: who gets which card, who sings which role, in any order."""

from __future__ import annotations

from collections.abc import Sequence

from ridotto.core import inputs
from ridotto.core.inputs import Early
from ridotto.engine.fields import Seat
from ridotto.games.turandot.components import TROUPE
from ridotto.games.turandot.rules import (
    ACTIONS,
    AUDITION,
    CAST,
    NONE,
    ROLE,
    SINGER,
    UNDERSTUDY,
    A,
    F,
    already_cast,
    next_lacking,
)


class Inputs(inputs.Inputs):
    def early(self, row: Sequence[int], seat: Seat, noted: Sequence[str] = ()) -> list[Early]:
        """Understudies may be given in any order, and roles cast in any order; nobody is given or cast twice."""
        taken = {one.split()[-1] for one in noted}
        if row[F.asked] == UNDERSTUDY:
            section, first = ACTIONS.family(A.give).section, next_lacking(list(row))
            return [
                Early(f"give {other} {position + 1}", section)
                for other in range(row[F.seats])
                if row[F.lacking] >> other & 1 and other != first
                for position in range(TROUPE)
                if row[F.offer + position] != NONE and str(position + 1) not in taken
            ]
        if row[F.asked] != CAST:
            return []
        section, used = ACTIONS.family(A.cast).section, already_cast(list(row), seat)
        troupe = row[F.troupe + seat * TROUPE : F.troupe + (seat + 1) * TROUPE]
        free = [one for one in sorted(troupe) if not used >> one & 1 and SINGER.names[one] not in taken]
        roles = range(row[F.assigned + seat] + 1, TROUPE)
        return [Early(f"cast {ROLE.names[role]} {SINGER.names[singer]}", section) for role in roles for singer in free]

    def meaning(self, row: Sequence[int], seat: Seat, text: str) -> int | None:
        """`give 2 3` names the seat that gets the card, `cast liu opale` the role."""
        verb, *what = text.lower().split() or [""]
        if len(what) != 2:
            return None
        if verb == "give" and row[F.asked] == UNDERSTUDY and what[0] == str(next_lacking(list(row))):
            return ACTIONS.parse(f"give {what[1]}")
        if verb == "cast" and row[F.asked] == CAST and row[F.assigned + seat] < TROUPE:
            return ACTIONS.parse(f"cast {what[1]}") if ROLE.parse(what[0]) == row[F.assigned + seat] else None
        return None

    def begins_turn(self, row: Sequence[int], seat: Seat) -> bool:
        """A turn begins with a bid, and with the first role that is cast."""
        return row[F.asked] == AUDITION or (row[F.asked] == CAST and not row[F.assigned + seat])
