"""The pages of the club: one's own account, signing in, and what members see of one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from ridotto.web.pages.models import Reader
from ridotto.web.pages.site import page


class PasskeyView(Protocol):
    """A passkey, as its owner is shown it."""

    @property
    def id(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def created(self) -> int: ...
    @property
    def used(self) -> int: ...


@dataclass(frozen=True)
class AccountPage:
    """What somebody's own page tells of how they sign in."""

    is_member: bool
    is_hidden: bool
    passkeys: Sequence[PasskeyView]
    codes_left: int
    codes: tuple[str, ...]
    """New recovery codes, which are shown once."""
    may_have_passkeys: bool
    """Whether browsers have passkeys at this address."""
    local_address: str
    """The address by which they would, on this very machine; else ""."""
    now: int


def me(reader: Reader, account: AccountPage) -> str:
    """One's own page: the name, the ways to sign in, and how a guest becomes a member."""
    return page("me.html", reader, reader.narrator, account=account, day=day)


def sign_in(reader: Reader, guest_tables: int, may_have_passkeys: bool, local_address: str) -> str:
    """The ways to sign in; `guest_tables` is at how many tables the reader sits who is a guest so far."""
    values = {"guest_tables": guest_tables, "may_have_passkeys": may_have_passkeys, "local_address": local_address}
    return page("signin.html", reader, reader.narrator, **values)


def day(seconds: float) -> str:
    """A day as it is written everywhere.

    >>> day(0)
    '1970-01-01'
    """
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")
