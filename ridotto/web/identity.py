"""Who is who: a name and a signed cookie, nothing more; and the tokens of links.

Everything that proves something is made from one secret in the data folder: the signature of the cookie, the nonce that a
form must bring back, the tokens in links, the secrets of deals. A token is an HMAC over a random salt of 128 bits that its
chair keeps, so the
database alone, a backup of it or a leak, opens no seat; and yet a link can be shown again.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from itsdangerous import Signer

from ridotto.core.narrator import LANGUAGES, LONGEST_NAME, clean_name, mark
from ridotto.engine.errors import RidottoError
from ridotto.web.errors import RequestError

COOKIE: Final = "ridotto"
COOKIE_SECONDS: Final = 2 * 365 * 24 * 3600
ID: Final = re.compile(r"[A-Za-z0-9_-]{22}")
"""The id of a person or a table."""

Theme = Literal["auto", "dark", "light"]
THEMES: Final[tuple[Theme, ...]] = ("auto", "dark", "light")


class BadSecret(RidottoError, OSError):
    """A secret that cannot be read."""


@dataclass(frozen=True)
class Person:
    """Somebody, as far as we know them. No language: the one their browser asks for."""

    id: str
    name: str = ""
    language: str = ""
    theme: Theme = "auto"
    motion: bool = True
    known: bool = False
    """Whether the database has them: only those who did something are kept."""


class Keys:
    """Signs cookies, and makes the tokens of forms and links, all from one secret."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._signer = Signer(secret, salt="ridotto.person", key_derivation="hmac", digest_method=hashlib.sha256)

    @lru_cache(20_000)  # noqa: B019 - a server has one
    def cookie(self, person: str) -> str:
        """What a browser keeps."""
        return self._signer.sign(person).decode()

    def person(self, cookie: str | None) -> str | None:
        """Who a cookie says one is, if it is letter by letter as we made it."""
        person = (cookie or "").rpartition(".")[0]
        return person if cookie and ID.fullmatch(person) and is_same_token(self.cookie(person), cookie) else None

    def nonce(self, person: str) -> str:
        """What a form of this person must bring back."""
        return self._token("nonce", person)

    def is_nonce(self, person: str, nonce: object) -> bool:
        return isinstance(nonce, str) and is_same_token(self.nonce(person), nonce)

    def anonymous(self, address: str) -> str:
        """What stands for a network address in the database: nobody who has that alone can find the address."""
        return self._token("address", address)

    def token(self, purpose: Literal["sit", "me", "watch"], table: str, seat: int, salt: str) -> str:
        """The token of a link, 128 bits."""
        return self._token(purpose, table, str(seat), salt)

    def deal_secret(self, table: str, salt: str) -> str:
        """The secret of a deal, 256 bits: it is stored nowhere, and shown when the match is over (see docs/fair-deal.md)."""
        return hmac.digest(self._secret, "\0".join(("deal", table, salt)).encode(), "sha256").hex()

    @lru_cache(20_000)  # noqa: B019 - a server has one
    def _token(self, *parts: str) -> str:
        return hmac.digest(self._secret, "\0".join(parts).encode(), "sha256")[:16].hex()


def is_same_token(token: str, given: str) -> bool:
    """Whether two tokens are equal, in a time that does not tell how far they are."""
    return hmac.compare_digest(token.encode(), given.encode("utf-8", "replace"))


def load_keys(data: Path) -> Keys:
    """The keys of a data folder; made at the first start, for its owner's eyes alone."""
    return Keys(_load_secret(data / "secret.key"))


def load_host_key(data: Path) -> str:
    """What whoever runs the server has in the address of their page. If the file is taken away, there is a new one."""
    return _load_secret(data / "host.key").decode()


def _load_secret(path: Path) -> bytes:
    """The secret in a file, which is made if it is not there."""
    try:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            path.chmod(0o600)
        else:
            with os.fdopen(descriptor, "wb") as file:
                if hasattr(os, "geteuid") and os.geteuid() == 0:  # the server that is to read it may not be root
                    owner = path.parent.stat()
                    os.fchown(descriptor, owner.st_uid, owner.st_gid)
                file.write(secrets.token_hex(32).encode())
                file.flush()
                os.fsync(file.fileno())
        secret = path.read_bytes().strip()
    except OSError as error:
        raise BadSecret(f"cannot use the secret in {str(path)!r}: {error.strerror or error}") from error
    if len(secret) < 32:
        raise BadSecret(f"the secret in {str(path)!r} is too short: take the file away, and links and cookies are made anew")
    return secret


def new_id() -> str:
    """A random id of 128 bits. None begins with a dash, which a command would take for an option."""
    return next(one for one in iter(lambda: secrets.token_urlsafe(16), "") if not one.startswith("-"))


def parse_name(text: str) -> str:
    """A name as somebody gives it in a form; refused if it is too long, so that nobody finds half of it on the table."""
    if len(" ".join(text.split())) > LONGEST_NAME:
        raise RequestError(mark("a name has {most} characters at most"), most=LONGEST_NAME)
    return clean_name(text)


def preferred_language(header: str) -> str:
    """The language of ours that a browser likes best.

    >>> preferred_language("de, fr-CH;q=0.7, en;q=0.9, nl;q=oops"), preferred_language("*")
    ('en', 'en')
    """
    best, language = 0.0, "en"
    for part in header[:1000].split(","):
        name, _, quality = part.strip().partition(";q=")
        try:
            weight = float(quality or 1)
        except ValueError:
            continue
        if name[:2].lower() in LANGUAGES and name[2:3] in ("", "-") and weight > best:
            best, language = weight, name[:2].lower()
    return language
