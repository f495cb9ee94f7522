"""Facts about a row, for drawings, words and reasons: the rules work them out, on a copy of the row.

None of it depends on what a reader may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ridotto.engine.fields import Seat
from ridotto.games.fantome import rules
from ridotto.games.fantome.components import EXIT
from ridotto.games.fantome.rules import F

MUTED: Final = [-1]
"""A list of events that stays empty."""


class Announcement(NamedTuple):
    """The consequences of one of the phantom's answers, §6."""

    can: int
    """1: "I can manifest"."""
    cleared: int
    """The suspects that it would clear."""
    left: int
    """The number of suspects that would be left; with none, the answer is impossible."""
    space: int
    """La Carlotta's space after it."""
    winner: Seat | None
    """The winner; None if the match would go on."""


def announcements(row: Sequence[int]) -> tuple[Announcement, Announcement]:
    """Both answers, "can manifest" first, if the round ended now."""
    return announcement(row, 1), announcement(row, 0)


def announcement(row: Sequence[int], can: int) -> Announcement:
    """One of the answers, if the round ended now."""
    after = list(row)
    rules.clear_suspects(after, rules.watched(after), can, MUTED)
    rules.step(after, can, MUTED)
    left, space = after[F.suspects].bit_count(), after[F.carlotta]
    winner = rules.INSPECTOR if left == 1 else rules.PHANTOM if left and space == EXIT else None
    return Announcement(can, row[F.suspects] & ~after[F.suspects], left, space, winner)


def turns(row: Sequence[int]) -> list[Seat]:
    """Whose turn each of the four cards of the round is, §3.2."""
    return [_player(row, played) for played in range(rules.CARDS)]


def _player(row: Sequence[int], played: int) -> Seat:
    then = list(row)
    then[F.played], then[F.ending] = played, 0
    return int(rules.to_act(then)).bit_length() - 1


def face_down(row: Sequence[int]) -> int:
    """The number of alibi cards in the pile: all but the phantom's own, §2.7, and those that were drawn, §5.1."""
    return int(rules.PEOPLE - 1 - row[F.shown].bit_count() - row[F.kept] + row[F.ghosts])


def members(cast: int) -> list[int]:
    """The characters of a set."""
    return [who for who in range(rules.PEOPLE) if cast >> who & 1]
