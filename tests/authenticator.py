"""An authenticator for tests: makes passkeys and answers by them, as a browser and its device would."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, ATTESTED = 1, 4, 64


def to_text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def to_bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Authenticator:
    """A device with one passkey."""

    def __init__(self, id: bytes, origin: str = "http://localhost:8765") -> None:
        self.id, self.origin, self.uses = id, origin, 0
        self.key = ec.generate_private_key(ec.SECP256R1())

    def register(self, options: dict[str, Any], **given: Any) -> str:
        """The answer to the options of `navigator.credentials.create`."""
        numbers = self.key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(key)
        data = self._data(PRESENT | VERIFIED | ATTESTED, **given) + attested
        told = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options["challenge"])
        return self._answer(clientDataJSON=to_text(client), attestationObject=to_text(told))

    def sign_in(self, options: dict[str, Any], **given: Any) -> str:
        """The answer to the options of `navigator.credentials.get`."""
        self.uses += 1
        data, client = self._data(PRESENT | VERIFIED, **given), self._client("webauthn.get", options["challenge"])
        signature = self.key.sign(data + sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._answer(
            clientDataJSON=to_text(client), authenticatorData=to_text(data), signature=to_text(signature), userHandle=""
        )

    def _data(self, flags: int, site: str = "") -> bytes:
        party = site or urlsplit(self.origin).hostname or ""
        return sha256(party.encode()).digest() + bytes([flags]) + self.uses.to_bytes(4, "big")

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}).encode()

    def _answer(self, **response: str) -> str:
        told = to_text(self.id)
        response = {name: value for name, value in response.items() if value}
        return json.dumps({"id": told, "rawId": told, "type": "public-key", "response": response, "clientExtensionResults": {}})
