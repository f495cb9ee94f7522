"""Offers in the database: something at a table that needs the consent of the others. A table has one at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from ridotto.engine.fields import Seat
from ridotto.web.storage.changes import Change


@dataclass(frozen=True)
class Offer:
    """Something that needs the others' consent."""

    kind: Literal["takeback", "standin"]
    seat: Seat
    """Whose decision would be taken back, or for whom a bot would play."""
    by: Seat
    """Who asks."""
    ply: int
    """Where the match stood."""
    anew: bool = False
    """Whether somebody wants what was learned dealt anew."""
    agreed: int = 0
    """The seats that have agreed, one bit each; the one that asks has when it has seen what the others will be told."""

    def has_agreed(self, seat: Seat) -> bool:
        return bool(self.agreed >> seat & 1)


NO_OFFER: Final = 'DELETE FROM offers WHERE "table" = :table'
SET_OFFER: Final = (
    'INSERT INTO offers ("table", kind, seat, "by", ply, anew, agreed) '
    "VALUES (:table, :kind, :seat, :by, :ply, :anew, :agreed) "
    'ON CONFLICT ("table") DO UPDATE SET kind = excluded.kind, seat = excluded.seat, "by" = excluded."by", '
    "ply = excluded.ply, anew = excluded.anew, agreed = excluded.agreed"
)
AGREE: Final = (
    "UPDATE offers SET agreed = agreed | :seats, anew = anew OR :anew "
    'WHERE "table" = :table AND ply = :ply AND kind = :kind AND seat = :seat'
)


def set_offer(id: str, offer: Offer | None) -> list[Change]:
    """Make an offer the one that the table has; None: it has none."""
    return [Change(NO_OFFER, {"table": id}) if offer is None else Change(SET_OFFER, {"table": id, **vars(offer)})]


def agree(id: str, offer: Offer, seats: int, anew: bool) -> Change:
    """Let seats, one bit each, agree to an offer. Changes nothing if the table has another one by now."""
    same = {"table": id, "ply": offer.ply, "kind": offer.kind, "seat": offer.seat}
    return Change(AGREE, {**same, "seats": seats, "anew": anew})
