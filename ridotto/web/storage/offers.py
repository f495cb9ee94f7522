"""Offers in the database: something at a table that needs the consent of the others. A table has one at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa

from ridotto.engine.fields import Seat
from ridotto.web.storage.database import Change
from ridotto.web.storage.schema import offers


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


def set_offer(id: str, offer: Offer | None) -> list[Change]:
    """Make an offer the one that the table has; None: it has none."""
    changes: list[Change] = [sa.delete(offers).where(offers.c.table == id)]
    if offer is not None:
        changes.append(sa.insert(offers).values(table=id, **vars(offer)))
    return changes


def agree(id: str, offer: Offer, seats: int, anew: bool) -> Change:
    """Let seats, one bit each, agree to an offer. Changes nothing if the table has another one by now."""
    same = sa.and_(offers.c.table == id, offers.c.ply == offer.ply, offers.c.kind == offer.kind, offers.c.seat == offer.seat)
    wanted = sa.or_(offers.c.anew, sa.literal(anew))
    return sa.update(offers).where(same).values(agreed=offers.c.agreed.bitwise_or(seats), anew=wanted)
