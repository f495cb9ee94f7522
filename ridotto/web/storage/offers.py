"""Offers in the database: something at a table that needs the consent of the others. A table has one at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import sqlalchemy as sa

from ridotto.engine.fields import Seat
from ridotto.web.storage.changes import Change, upsert
from ridotto.web.storage.schema import offers


@dataclass(frozen=True)
class Offer:
    """Something that needs the others' consent."""

    kind: Literal["takeback", "standin"]
    seat: Seat
    """The seat whose decision would be taken back, or for which a bot would play."""
    proposer: Seat
    """The seat that asks."""
    ply: int
    """The ply at which it was made."""
    redeal: bool = False
    """Whether what was learned is to be dealt again."""
    agreed: int = 0
    """The seats that have agreed, one bit each; the one that asks has when it has seen what the others will be told."""

    def has_agreed(self, seat: Seat) -> bool:
        return bool(self.agreed >> seat & 1)


SET_OFFER: Final = upsert(offers)
DELETE_OFFER: Final = sa.delete(offers).where(offers.c.table == sa.bindparam("table"))
AGREE: Final = (
    sa.update(offers)
    .where(*(offers.c[name] == sa.bindparam(name) for name in ("table", "ply", "kind", "seat")))
    .values(
        agreed=offers.c.agreed.bitwise_or(sa.bindparam("seats")),
        redeal=sa.or_(offers.c.redeal, sa.bindparam("redeal", type_=sa.Boolean)),
    )
)


def set_offer(id: str, offer: Offer | None) -> list[Change]:
    """Replace the offer of a table; None: delete it."""
    return [Change(DELETE_OFFER, {"table": id}) if offer is None else Change(SET_OFFER, {"table": id, **vars(offer)})]


def agree(id: str, offer: Offer, seats: int, redeal: bool) -> Change:
    """Let seats, one bit each, agree to an offer. Changes nothing if the table has another one by now."""
    same = {"table": id, "ply": offer.ply, "kind": offer.kind, "seat": offer.seat}
    return Change(AGREE, {**same, "seats": seats, "redeal": redeal})
