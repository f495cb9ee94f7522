"""Texts that people may type at Le Fantôme: who is sent, whom Richard swaps with, and what may be decided early."""

from __future__ import annotations

from collections.abc import Sequence

from ridotto.core import inputs
from ridotto.core.inputs import Early
from ridotto.engine.fields import Seat
from ridotto.games.fantome import rules
from ridotto.games.fantome.components import CROWD, NEXT, REACH
from ridotto.games.fantome.components import ROOMS as ROOM_COUNT
from ridotto.games.fantome.rules import F


class Inputs(inputs.Inputs):
    def early(self, row: Sequence[int], seat: Seat, noted: Sequence[str] = ()) -> list[Early]:
        """The padlock and the blackout may follow a move or come before it; the Persian and whoever is sent go in any order."""
        asked, active = row[F.asked], row[F.active]
        if asked in (rules.LOCK, rules.COMPANION, rules.LEAVE):
            crowd = rules.company(list(row), active).bit_count() + 1
            reach = REACH[(row[F.padlock] * ROOM_COUNT + row[F.place + active]) * CROWD + crowd]
            return [_early(rules.A.move + room) for room in range(ROOM_COUNT) if reach >> room & 1]
        if asked == rules.MOVE and active == rules.BUQUET:
            return [_early(rules.A.dark + room) for room in range(ROOM_COUNT) if room != row[F.dark]]
        if asked != rules.SEND:
            return []
        beside = NEXT[row[F.padlock] * ROOM_COUNT + row[F.place + rules.MONCHARMIN]]
        return [
            Early(f"send {rules.CHARACTER.names[who]} {room}", rules.ACTIONS.family(rules.A.send).section)
            for who in range(8)
            if row[F.expelled] >> who & 1 and row[F.expelled] & ((1 << who) - 1)
            for room in range(ROOM_COUNT)
            if beside >> room & 1
        ]

    def meaning(self, row: Sequence[int], seat: Seat, text: str) -> int | None:
        """`send meg 3` names who is sent; a swap within Richard's room is the same with anybody there."""
        verb, *what = text.lower().split() or [""]
        who = rules.CHARACTER.parse(what[0]) if what else None
        if verb == "send" and len(what) == 2 and who is not None and row[F.asked] == rules.SEND:
            room = rules.ROOM.parse(what[1])
            first = row[F.expelled] & -row[F.expelled] == 1 << who
            return None if room is None or not first else int(rules.A.send) + room
        if verb == "swap" and len(what) == 1 and who is not None and row[F.asked] == rules.MOVE:
            here = rules.company(list(row), rules.RICHARD)
            if row[F.active] == rules.RICHARD and here >> who & 1:
                return int(rules.A.swap) + (here & -here).bit_length() - 1
        return None

    def begins_turn(self, row: Sequence[int], seat: Seat) -> bool:
        """A turn begins with the choice of a character."""
        return bool(row[F.asked] == rules.PICK)


def _early(action: int) -> Early:
    return Early(rules.ACTIONS.notation(action), rules.ACTIONS.family(action).section)
