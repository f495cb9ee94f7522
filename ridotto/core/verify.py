"""Whether the draws of a finished match are those that server and players committed to before it began.

A record alone shows that the draws follow from the secret and the shares in it. That these are the ones that were committed to
*before the deal*, only a receipt can show: what a player's browser was told then, and kept. See docs/fair-deal.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ridotto.core import record
from ridotto.core.fair import HEX, MATCH, FairDeal, Keyed, commit_to_secret, commit_to_share
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.errors import RidottoError, mark
from ridotto.engine.fields import Seat

FORMAT: Final = "ridotto receipt"
FORMAT_VERSION: Final = 1
DIFFERS: Final = mark("Entry {ply}, draw {number} (one of {outcomes}): it is {drawn}, but {expected} follows from the key.")


class NotVerifiable(RidottoError, ValueError):
    """A match whose draws cannot be worked out again."""


class BadReceipt(RidottoError, ValueError):
    """A receipt that cannot be read."""


@dataclass(frozen=True)
class Receipt:
    """What a browser was told before it showed its share, and what it showed."""

    match: str
    seat: Seat
    commitment: str
    commitments: tuple[str | None, ...]
    share: str
    head: tuple[int, str] | None = None
    """A ply, and the hash of the entry there, as the browser was told it while the match went on."""

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


def read_receipt(told: Any) -> Receipt:
    """The receipt in a JSON document. Raises BadReceipt."""
    if not isinstance(told, dict) or told.get("format") != FORMAT or told.get("version") != FORMAT_VERSION:
        raise BadReceipt(f'not a receipt: a receipt is a JSON object with "format": "{FORMAT}", "version": {FORMAT_VERSION}')
    seat, commitments, head = told.get("seat"), told.get("commitments"), told.get("head")
    digits = [told.get("commitment"), told.get("share")]
    if isinstance(commitments, list):
        digits += [one for one in commitments if one is not None]
    if head is not None:
        digits.append(head.get("hash") if isinstance(head, dict) else None)
    is_ply = head is None or (isinstance(head, dict) and type(head.get("ply")) is int and head["ply"] >= 0)
    is_match = isinstance(told.get("match"), str) and MATCH.fullmatch(told["match"])
    is_seat = isinstance(commitments, list) and type(seat) is int and 0 <= seat < len(commitments)
    if not (is_match and is_seat and is_ply and all(isinstance(one, str) and HEX.fullmatch(one) for one in digits)):
        raise BadReceipt("not a receipt: it has match, seat, commitment, commitments, share and head, as a page saved them")
    assert isinstance(commitments, list) and isinstance(seat, int)
    seen = None if head is None else (head["ply"], head["hash"])
    return Receipt(told["match"], seat, told["commitment"], tuple(commitments), told["share"], seen)


@dataclass(frozen=True)
class Finding:
    """Something that is not as it should be."""

    text: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Verification:
    """What was found: nothing, if every draw is as it must be."""

    match: Match
    findings: tuple[Finding, ...]
    draws: int
    """How many draws were worked out again."""
    is_from_position: bool
    """Whether the match began with a position, which nobody drew: it is taken as given."""
    server_shares: tuple[Seat, ...]
    """The seats for which the server's share stands in."""

    @property
    def is_right(self) -> bool:
        return not self.findings


def verify(document: Any, games: Mapping[str, Game], receipt: Receipt | None = None) -> Verification:
    """Work out every draw of a record again, and compare what it says with a receipt.

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
    findings = [*_check_beginning(match, fair), *_check_commitments(fair), *_check_draws(match, fair.chance())]
    if receipt is not None:
        findings += _compare(document, fair, receipt)
    return Verification(
        match,
        tuple(findings),
        sum(len(entry.draws) for entry in match.entries),
        match.entries[0].position is not None,
        tuple(seat for seat, share in enumerate(fair.shares) if share is None),
    )


def _check_beginning(match: Match, fair: FairDeal) -> list[Finding]:
    """Browsers commit to shares before a deal, and never to a position: so a record cannot have both."""
    if match.entries[0].position is None or not any(fair.commitments):
        return []
    return [Finding(mark("Shares were committed to, so the match was dealt; but this record begins with a position."))]


def _check_commitments(fair: FairDeal) -> list[Finding]:
    assert fair.secret is not None
    found = []
    if commit_to_secret(fair.match, fair.secret) != fair.commitment:
        found.append(Finding(mark("The server's secret is not the one that it committed to.")))
    for seat, (commitment, share) in enumerate(zip(fair.commitments, fair.shares, strict=True)):
        if share is not None and (commitment is None or commit_to_share(share) != commitment):
            found.append(Finding(mark("The share of seat {seat} is not the one that it committed to."), {"seat": seat}))
    return found


def _check_draws(match: Match, chance: Keyed) -> list[Finding]:
    for ply, entry in enumerate(match.entries):
        for number, outcomes in enumerate(match.outcome_counts(ply)):
            expected, drawn = chance.draw(ply, number, outcomes), entry.draws[number]
            if drawn != expected:
                values = {"ply": ply, "number": number + 1, "drawn": drawn, "expected": expected, "outcomes": outcomes}
                return [Finding(DIFFERS, values)]  # whatever follows may follow from this one
    return []


def _compare(document: Mapping[str, Any], fair: FairDeal, receipt: Receipt) -> list[Finding]:
    """What is not as the receipt has it."""
    if receipt.match != fair.match or len(receipt.commitments) != len(fair.commitments):
        return [Finding(mark("The receipt is from another match."))]
    found = []
    if receipt.commitment != fair.commitment:
        found.append(Finding(mark("The server had committed to another secret before the shares were shown.")))
    for seat, (told, kept) in enumerate(zip(fair.commitments, receipt.commitments, strict=True)):
        if told != kept:
            found.append(Finding(mark("Seat {seat} had committed to another share."), {"seat": seat}))
    own = fair.shares[receipt.seat]
    if own is None:
        found.append(Finding(mark("The share of this receipt was left out: the server's stands in for it.")))
    elif own != receipt.share:
        found.append(Finding(mark("The share of this receipt was replaced by another one.")))
    if receipt.head is not None:
        ply, kept = receipt.head
        entries = document["entries"]
        if ply >= len(entries) or entries[ply]["hash"] != kept:
            found.append(Finding(mark("The log up to entry {ply} is not the one that was played."), {"ply": ply}))
    return found
