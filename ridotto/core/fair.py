"""A verifiable deal: nobody chose the draws, and after the match anybody can compute them again.

The server commits to a secret, and every player's browser to a share. When all have committed, the shares are revealed, and
each draw follows from secret, shares, the id of the match, and the number of its log entry. docs/fair-deal.md has the protocol,
what it proves and what it does not. Hashes are of ASCII text, and written in hexadecimal digits.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat

HEX: Final = re.compile(r"[0-9a-f]{64}")
"""256 bits: a secret, a share, or a commitment."""
MATCH: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""The id of a match."""
RANGE: Final = 1 << 48
"""Numbers of the stream are smaller than this; JavaScript has them exactly."""
KEYS: Final = frozenset({"match", "commitment", "commitments", "shares"})


class BadDeal(RidottoError, ValueError):
    """A malformed deal."""


def new_secret() -> str:
    """A secret or a share that nobody can guess."""
    return secrets.token_hex(32)


def commit_to_secret(match: str, secret: str) -> str:
    """The commitment of the server to its secret for one match."""
    return _hash(f"ridotto secret {match} {secret}")


def commit_to_share(share: str) -> str:
    """The commitment of a browser to its share."""
    return _hash(f"ridotto share {share}")


def share_of_server(secret: str, seat: Seat) -> str:
    """The server's substitute for a missing share: it follows from the secret that the server committed to."""
    return _keyed(secret, f"ridotto share {seat}")


@dataclass(frozen=True)
class Keyed:
    """Draws that follow from a key and the numbers of entry and draw alone.

    >>> chance = Keyed("00" * 32)
    >>> [chance.draw(0, number, 6) for number in range(8)]
    [1, 2, 1, 2, 0, 2, 5, 0]
    >>> chance.draw(0, 3, 6), chance.draw(1, 3, 6)
    (2, 5)
    """

    key: str

    def draw(self, ply: int, number: int, outcomes: int) -> int:
        fair = RANGE - RANGE % outcomes  # from there on, numbers would favour the first outcomes
        attempt = 0
        while (drawn := int(_keyed(self.key, f"{ply} {number} {attempt}")[:12], 16)) >= fair:
            attempt += 1
        return drawn % outcomes

    def copy(self) -> Self:
        return self

    def __repr__(self) -> str:
        return "Keyed(…)"  # the key is a secret, and a traceback may be written to a log


@dataclass(frozen=True)
class FairDeal:
    """The inputs of a deal. Without the secret, they are public while the match goes on."""

    match: str
    """The id of the match."""
    commitment: str
    """The server's commitment to its secret."""
    commitments: tuple[str | None, ...]
    """The commitments of the seats to their shares; None without a browser's: a bot, or a player without JavaScript."""
    shares: tuple[str | None, ...]
    """The shares of the seats; None where the server's substitute is used."""
    secret: str | None = None

    def __repr__(self) -> str:
        return f"<FairDeal of {self.match!r}>"  # no secret in a traceback

    @classmethod
    def new(cls, match: str, secret: str, commitments: Sequence[str | None]) -> Self:
        """A deal before any share."""
        return cls(match, commit_to_secret(match, secret), tuple(commitments), (None,) * len(commitments), secret)

    @property
    def key(self) -> str:
        """The key of all draws."""
        assert self.secret is not None
        shares = [share or share_of_server(self.secret, seat) for seat, share in enumerate(self.shares)]
        return _hash(f"ridotto key {self.match} {self.secret} {' '.join(shares)}")

    def chance(self) -> Keyed:
        """The source of the match's draws."""
        return Keyed(self.key)

    @property
    def missing(self) -> tuple[Seat, ...]:
        """The seats that have committed to a share and not revealed it."""
        both = zip(self.commitments, self.shares, strict=True)
        return tuple(seat for seat, (commitment, share) in enumerate(both) if commitment and not share)

    def with_commitment(self, seat: Seat, commitment: str | None) -> Self:
        """The deal after a seat has committed to a share."""
        return replace(self, commitments=(*self.commitments[:seat], commitment, *self.commitments[seat + 1 :]))

    def with_share(self, seat: Seat, share: str) -> Self:
        """The deal after a seat has revealed its share. Raises BadDeal if that is not what it committed to."""
        if not HEX.fullmatch(share) or commit_to_share(share) != self.commitments[seat]:
            raise BadDeal(f"the share of seat {seat} is not the one that it committed to")
        return replace(self, shares=(*self.shares[:seat], share, *self.shares[seat + 1 :]))

    def with_secret(self, secret: str | None) -> Self:
        return replace(self, secret=secret)

    def json(self) -> dict[str, Any]:
        """The deal as it is written in a record, with the secret if that is known."""
        document: dict[str, Any] = {
            "match": self.match,
            "commitment": self.commitment,
            "commitments": list(self.commitments),
            "shares": list(self.shares),
        }
        return document if self.secret is None else document | {"secret": self.secret}

    @classmethod
    def read(cls, document: Any, seats: int) -> Self:
        """The deal of a record. Raises BadDeal."""
        if not isinstance(document, Mapping) or not KEYS <= set(document) <= KEYS | {"secret", "outcomes"}:
            raise BadDeal(f"a deal has the keys {', '.join(sorted(KEYS))}, and when the match is over, secret and outcomes")
        match, secret = document["match"], document.get("secret")
        if not isinstance(match, str) or not MATCH.fullmatch(match):
            raise BadDeal(f"the match of a deal is a short id, not {str(match)[:40]!r}")
        for name in ("commitments", "shares"):
            if not isinstance(document[name], list) or len(document[name]) != seats:
                raise BadDeal(f"{name} must be a list with an element for each of {seats} seats")
        for one in (
            document["commitment"],
            *(x for x in (secret, *document["commitments"], *document["shares"]) if x is not None),
        ):
            if not isinstance(one, str) or not HEX.fullmatch(one):
                raise BadDeal(f"a secret, a share or a commitment is 64 hexadecimal digits, not {str(one)[:40]!r}")
        return cls(match, document["commitment"], tuple(document["commitments"]), tuple(document["shares"]), secret)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _keyed(key: str, text: str) -> str:
    return hmac.digest(key.encode("ascii"), text.encode("ascii"), "sha256").hex()
