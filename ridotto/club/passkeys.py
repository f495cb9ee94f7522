"""Passkeys (WebAuthn): what a browser is asked, and whether its answer is true. Needs the extra `club`.

Nothing here is remembered: whoever asks keeps the challenge, and takes each for one answer alone.
"""

from __future__ import annotations

import ipaddress
import json
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final
from urllib.parse import urlsplit

from ridotto.engine.errors import RidottoError

CHALLENGE_BYTES: Final = 32
LONGEST_ANSWER: Final = 16 * 1024
"""Characters of the answer of a browser."""
ID: Final = re.compile(r"[A-Za-z0-9_-]{1,1400}")
"""The id of a passkey: base64url, of 1023 bytes at most."""


class BadPasskey(RidottoError, ValueError):
    """An answer of a browser that proves nothing."""


@dataclass(frozen=True)
class RelyingParty:
    """The site that somebody signs in to, as browsers know it: a passkey is for it alone."""

    id: str
    origin: str


@dataclass(frozen=True)
class Passkey:
    """A passkey, as a site stores it."""

    id: str
    """In base64url, as all bytes here."""
    public_key: str
    sign_count: int


def is_installed() -> bool:
    """Whether the extra `club` is there."""
    return find_spec("webauthn") is not None


def relying_party(origin: str) -> RelyingParty | None:
    """The site of an address; None where browsers have no passkeys: without https, and by a number instead of a name.

    >>> relying_party("https://table.example:8443")
    RelyingParty(id='table.example', origin='https://table.example:8443')
    >>> relying_party("http://localhost:8765") is not None, relying_party("http://table.example"), relying_party("https://192.0.2.7")
    (True, None, None)
    """
    parts = urlsplit(origin)
    name = parts.hostname or ""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        is_local = name == "localhost" or name.endswith(".localhost")
        return RelyingParty(name, origin) if name and (is_local or parts.scheme == "https") else None
    return None


def new_challenge() -> str:
    """A challenge, for one answer."""
    return secrets.token_urlsafe(CHALLENGE_BYTES)


def registration_options(party: RelyingParty, person: str, name: str, challenge: str, known: Iterable[str]) -> dict[str, Any]:
    """The options of `navigator.credentials.create`, as JSON; `known` are the passkeys that somebody has already."""
    from webauthn import base64url_to_bytes, generate_registration_options, options_to_json
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = generate_registration_options(
        rp_id=party.id,
        rp_name="Ridotto",
        user_id=person.encode(),
        user_name=name,
        challenge=base64url_to_bytes(challenge),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(one)) for one in known],
    )
    found: dict[str, Any] = json.loads(options_to_json(options))
    return found


def verify_registration(party: RelyingParty, answer: str, challenge: str) -> Passkey:
    """The passkey that a browser has made for this challenge; raises BadPasskey."""
    from webauthn import base64url_to_bytes, verify_registration_response
    from webauthn.helpers import bytes_to_base64url

    _check_length(answer)
    try:
        made = verify_registration_response(
            credential=answer,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=party.id,
            expected_origin=party.origin,
        )
    except Exception as error:  # the answer may be anything, and the library lets through what its parsers raise
        raise BadPasskey(f"this is no passkey for {party.id}: {error}") from error
    made_id, key = bytes_to_base64url(made.credential_id), bytes_to_base64url(made.credential_public_key)
    if len(made_id) > 1400 or len(key) > 2000:
        raise BadPasskey("this passkey is too large")
    return Passkey(made_id, key, made.sign_count)


def sign_in_options(party: RelyingParty, challenge: str) -> dict[str, Any]:
    """The options of `navigator.credentials.get`, as JSON: any passkey for this site, so nobody has to say who they are."""
    from webauthn import base64url_to_bytes, generate_authentication_options, options_to_json

    options = generate_authentication_options(rp_id=party.id, challenge=base64url_to_bytes(challenge))
    found: dict[str, Any] = json.loads(options_to_json(options))
    return found


def passkey_id(answer: str) -> str:
    """The passkey by which a browser answers; raises BadPasskey."""
    _check_length(answer)
    try:
        passkey = str(json.loads(answer)["id"])
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise BadPasskey("this is no answer of a browser") from error
    if not ID.fullmatch(passkey):
        raise BadPasskey("this is no id of a passkey")
    return passkey


def verify_sign_in(party: RelyingParty, answer: str, challenge: str, passkey: Passkey) -> int:
    """The number of uses that a passkey states in its answer to this challenge; raises BadPasskey."""
    from webauthn import base64url_to_bytes, verify_authentication_response

    _check_length(answer)
    try:
        proven = verify_authentication_response(
            credential=answer,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=base64url_to_bytes(passkey.public_key),
            credential_current_sign_count=passkey.sign_count,
        )
    except Exception as error:
        raise BadPasskey(f"this passkey does not open {party.id}: {error}") from error
    return int(proven.new_sign_count)


def _check_length(answer: str) -> None:
    if len(answer) > LONGEST_ANSWER:
        raise BadPasskey(f"an answer has {LONGEST_ANSWER} characters at most")
