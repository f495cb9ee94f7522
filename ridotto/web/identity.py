"""Identity: a name and a signed cookie, nothing more; and the tokens of links.

Everything that proves something is made from one secret in the data folder: the signature of the cookie, the nonce that a
form must bring back, the tokens in links, the secrets of deals. A token is an HMAC over a random salt of 128 bits that is
stored with its chair. So the database alone, a backup of it or a leak, opens no seat; and yet a link can be shown again.
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
from typing import Final, Literal, NamedTuple

from itsdangerous import Signer

from ridotto.engine.errors import RidottoError
from ridotto.present.narrator import LANGUAGES, LONGEST_NAME, clean_name, mark
from ridotto.web import private_files
from ridotto.web.errors import RequestError

COOKIE: Final = "ridotto"
COOKIE_SECONDS: Final = 2 * 365 * 24 * 3600
BROWSER_COOKIE: Final = "ridotto-browser"
"""Which browser of a member it is: two accounts of one browser are taken for one person's."""
BROWSER: Final = re.compile(r"[0-9a-f]{32}")
HOST_COOKIE: Final = "ridotto-host"
HOST_SECONDS: Final = 12 * 3600
"""For how long whoever runs the server is let in after giving the key."""
ID: Final = re.compile(r"[A-Za-z0-9_-]{22}")
"""The id of a person or a table."""
COOKIE_TEXT: Final = re.compile(r"([A-Za-z0-9_-]{22})(?:\.([1-9][0-9]{0,8}))?")
"""The signed text of a cookie: a person, and the generation from the first sign-out on."""

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
    generation: int = 0
    """The number of times that they have signed out everywhere: cookies and nonces of earlier generations are void."""
    is_member: bool = False
    """Whether they can come back without this cookie: by a passkey or a recovery code."""
    is_hidden: bool = False
    """Whether a member's page is for themselves alone."""


class Session(NamedTuple):
    """The content of a cookie of ours."""

    person: str
    generation: int


class Keys:
    """Signs cookies, and makes the tokens of forms and links, all from one secret."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._signer = Signer(secret, salt="ridotto.person", key_derivation="hmac", digest_method=hashlib.sha256)

    @lru_cache(20_000)  # noqa: B019 - a server has one
    def cookie(self, person: str, generation: int = 0) -> str:
        """The cookie that a browser keeps."""
        return self._signer.sign(_subject(person, generation)).decode()

    def session(self, cookie: str | None) -> Session | None:
        """The content of a cookie, if it is letter by letter as we made it. Its person may have signed out since."""
        text = COOKIE_TEXT.fullmatch((cookie or "").rpartition(".")[0])
        if text is None or cookie is None:
            return None
        session = Session(text[1], int(text[2] or 0))
        return session if is_same_token(self.cookie(*session), cookie) else None

    def nonce(self, person: str, generation: int = 0) -> str:
        """The nonce that a form of this person must bring back."""
        return self._token("nonce", _subject(person, generation))

    def is_nonce(self, person: Person, nonce: object) -> bool:
        return isinstance(nonce, str) and is_same_token(self.nonce(person.id, person.generation), nonce)

    def host_cookie(self, key: str, person: Person, until: int) -> str:
        """The cookie of whoever gave the host's key: good until then, for them alone, while the key is the same."""
        return f"{until}.{self._token('host', key, _subject(person.id, person.generation), str(until))}"

    def is_host_cookie(self, cookie: str, key: str, person: Person, now: int) -> bool:
        until = cookie.partition(".")[0]
        if not re.fullmatch(r"[1-9][0-9]{0,11}", until) or int(until) <= now:
            return False
        return is_same_token(self.host_cookie(key, person, int(until)), cookie)

    def anonymous(self, address: str) -> str:
        """A code for a network address in the database: nobody who has that alone can compute the address."""
        return self._token("address", address)

    def fingerprint(self, browser: str) -> str:
        """The text that stands for a browser in the database."""
        return self._token("browser", browser)

    def token(self, purpose: Literal["sit", "me", "watch"], table: str, seat: int, salt: str) -> str:
        """The token of a link, 128 bits."""
        return self._token(purpose, table, str(seat), salt)

    def deal_secret(self, table: str, salt: str) -> str:
        """The secret of a deal, 256 bits: it is stored nowhere, and shown when the match is over (see docs/fair-deal.md)."""
        return hmac.digest(self._secret, "\0".join(("deal", table, salt)).encode(), "sha256").hex()

    @lru_cache(20_000)  # noqa: B019 - a server has one
    def _token(self, *parts: str) -> str:
        return hmac.digest(self._secret, "\0".join(parts).encode(), "sha256")[:16].hex()


def _subject(person: str, generation: int) -> str:
    """The signed text of a person: the person alone until they first sign out everywhere, as in version 0.1."""
    return f"{person}.{generation}" if generation else person


def is_same_token(token: str, given: str) -> bool:
    """Whether two tokens are equal, in a time that does not tell how far they are."""
    return hmac.compare_digest(token.encode(), given.encode("utf-8", "replace"))


def load_keys(data: Path) -> Keys:
    """The keys of a data folder; made at the first start, for its owner's eyes alone."""
    return Keys(_load_secret(data / "secret.key"))


def load_host_key(data: Path) -> str:
    """The key of the page of whoever runs the server. If the file is taken away, there is a new one."""
    return _load_secret(data / "host.key").decode()


def _load_secret(path: Path) -> bytes:
    """The secret in a file, which is made if it is not there."""
    try:
        try:
            descriptor = private_files.create(path)
        except FileExistsError:
            path.chmod(0o600)
        else:
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(secrets.token_hex(32).encode())
                    file.flush()
                    os.fsync(file.fileno())
            except OSError:  # the disk is full: half a secret would be in the way of the next start
                path.unlink(missing_ok=True)
                raise
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
