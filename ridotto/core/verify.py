"""Verification of a finished match: its draws must be those that server and players committed to before it began.

A record alone shows that the draws follow from the secret and the shares in it. That these are the ones that were committed to
*before the deal*, only a receipt can show: what a player's browser received and stored then. See docs/fair-deal.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ridotto.core import record
from ridotto.core.draws import outcome_counts
from ridotto.core.fair import HEX, MATCH, FairDeal, Keyed, commit_to_secret, commit_to_share
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat

FORMAT: Final = "ridotto receipt"
FORMAT_VERSION: Final = 1


class NotVerifiable(RidottoError, ValueError):
    """A match whose draws cannot be computed again."""


class BadReceipt(RidottoError, ValueError):
    """A receipt that cannot be read."""


@dataclass(frozen=True)
class Receipt:
    """A browser's proof: the commitments that it received before it revealed its share, and that share."""

    match: str
    seat: Seat
    commitment: str
    commitments: tuple[str | None, ...]
    share: str
    head: tuple[int, str] | None = None
    """A ply, and the hash of the entry there, as the browser received it during the match."""

    def json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "match": self.match,
            "seat": self.seat,
            "commitment": self.commitment,
            "commitments": list(self.commitments),
            "share": self.share,
            "head": None if self.head is None else {"ply": self.head[0], "hash": self.head[1]},
        }


def read_receipt(document: Any) -> Receipt:
    """The receipt in a JSON document. Raises BadReceipt."""
    if not isinstance(document, dict) or document.get("format") != FORMAT or document.get("version") != FORMAT_VERSION:
        raise BadReceipt(f'not a receipt: a receipt is a JSON object with "format": "{FORMAT}", "version": {FORMAT_VERSION}')
    seat, commitments, head = document.get("seat"), document.get("commitments"), document.get("head")
    digits = [document.get("commitment"), document.get("share")]
    if isinstance(commitments, list):
        digits += [one for one in commitments if one is not None]
    if head is not None:
        digits.append(head.get("hash") if isinstance(head, dict) else None)
    is_ply = head is None or (isinstance(head, dict) and type(head.get("ply")) is int and head["ply"] >= 0)
    is_match = isinstance(document.get("match"), str) and MATCH.fullmatch(document["match"])
    is_seat = isinstance(commitments, list) and type(seat) is int and 0 <= seat < len(commitments)
    if not (is_match and is_seat and is_ply and all(isinstance(one, str) and HEX.fullmatch(one) for one in digits)):
        raise BadReceipt("not a receipt: it has match, seat, commitment, commitments, share and head, as a page saved them")
    assert isinstance(commitments, list) and isinstance(seat, int)
    return Receipt(
        document["match"],
        seat,
        document["commitment"],
        tuple(commitments),
        document["share"],
        None if head is None else (head["ply"], head["hash"]),
    )


@dataclass(frozen=True)
class Discrepancy:
    """A discrepancy: a reason such as "draw_differs", with its values."""

    reason: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Verification:
    """The result of a verification: no discrepancies, if every draw is as it must be."""

    match: Match
    discrepancies: tuple[Discrepancy, ...]
    draws: int
    """The number of draws that were computed again."""
    is_from_position: bool
    """Whether the match began with a position, which nobody drew: it is taken as given."""
    server_shares: tuple[Seat, ...]
    """The seats for which the server's share was used."""

    @property
    def is_right(self) -> bool:
        return not self.discrepancies


def verify(document: Any, games: Mapping[str, Game], receipt: Receipt | None = None) -> Verification:
    """Compute every draw of a record again, and compare the record with a receipt.

    Raises BadRecord for a record that was changed, NotVerifiable where there is nothing to work out.
    """
    match, _ = record.read(document, games)
    fair = match.fair
    if fair is None:
        raise NotVerifiable(
            "the draws of this match cannot be verified: it was dealt by chance alone, from a seed, or by an older version"
        )
    if fair.secret is None:
        raise NotVerifiable("the match is not over: its secret is shown when it is, and not before")
    discrepancies = [*_check_beginning(match, fair), *_check_commitments(fair), *_check_draws(match, fair.chance())]
    if receipt is not None:
        discrepancies += _compare(document, fair, receipt)
    return Verification(
        match,
        tuple(discrepancies),
        sum(len(entry.draws) for entry in match.entries),
        match.entries[0].position is not None,
        tuple(seat for seat, share in enumerate(fair.shares) if share is None),
    )


def _check_beginning(match: Match, fair: FairDeal) -> list[Discrepancy]:
    """Browsers commit to shares before a deal, and never to a position: so a record cannot have both."""
    if match.entries[0].position is None or not any(fair.commitments):
        return []
    return [Discrepancy("position_with_shares")]


def _check_commitments(fair: FairDeal) -> list[Discrepancy]:
    assert fair.secret is not None
    discrepancies = []
    if commit_to_secret(fair.match, fair.secret) != fair.commitment:
        discrepancies.append(Discrepancy("another_secret"))
    for seat, (commitment, share) in enumerate(zip(fair.commitments, fair.shares, strict=True)):
        if share is not None and (commitment is None or commit_to_share(share) != commitment):
            discrepancies.append(Discrepancy("another_share", {"seat": seat}))
    return discrepancies


def _check_draws(match: Match, chance: Keyed) -> list[Discrepancy]:
    for ply, entry in enumerate(match.entries):
        for number, outcomes in enumerate(outcome_counts(match, ply)):
            expected, drawn = chance.draw(ply, number, outcomes), entry.draws[number]
            if drawn != expected:
                values = {"ply": ply, "number": number + 1, "drawn": drawn, "expected": expected, "outcomes": outcomes}
                return [Discrepancy("draw_differs", values)]  # whatever follows may follow from this one
    return []


def _compare(document: Mapping[str, Any], fair: FairDeal, receipt: Receipt) -> list[Discrepancy]:
    """The discrepancies between a record and a receipt."""
    if receipt.match != fair.match or len(receipt.commitments) != len(fair.commitments):
        return [Discrepancy("receipt_of_another_match")]
    discrepancies = []
    if receipt.commitment != fair.commitment:
        discrepancies.append(Discrepancy("another_secret_committed"))
    for seat, (recorded, committed) in enumerate(zip(fair.commitments, receipt.commitments, strict=True)):
        if recorded != committed:
            discrepancies.append(Discrepancy("another_share_committed", {"seat": seat}))
    own = fair.shares[receipt.seat]
    if own is None:
        discrepancies.append(Discrepancy("share_left_out"))
    elif own != receipt.share:
        discrepancies.append(Discrepancy("share_replaced"))
    if receipt.head is not None:
        ply, hash_then = receipt.head
        entries = document["entries"]
        if ply >= len(entries) or entries[ply]["hash"] != hash_then:
            discrepancies.append(Discrepancy("another_log", {"ply": ply}))
    return discrepancies
