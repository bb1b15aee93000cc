"""A software passkey for tests: ES256, no attestation."""

from __future__ import annotations

import hashlib
import json
import secrets
from typing import Any
from urllib.parse import urlsplit

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import bytes_to_base64url as text

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


class Authenticator:
    """One key for one site."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.domain = urlsplit(origin).hostname or ""
        self.name = secrets.token_bytes(16)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.count = 0

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _data(self, flags: int, attested: bytes = b"") -> bytes:
        self.count += 1
        return hashlib.sha256(self.domain.encode()).digest() + bytes([flags]) + self.count.to_bytes(4) + attested

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """The credential of a new passkey, as a browser sends it."""
        point = self.key.public_key().public_numbers()
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32), -3: point.y.to_bytes(32)})
        attested = bytes(16) + len(self.name).to_bytes(2) + self.name + public
        data = self._data(PRESENT | VERIFIED | ATTESTED, attested)
        client = self._client_data("webauthn.create", options["challenge"])
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._answer({"clientDataJSON": text(client), "attestationObject": text(attestation)})

    def use(self, options: dict[str, Any]) -> dict[str, Any]:
        """The credential to sign in, as a browser sends it."""
        data = self._data(PRESENT | VERIFIED)
        client = self._client_data("webauthn.get", options["challenge"])
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._answer(
            {"clientDataJSON": text(client), "authenticatorData": text(data), "signature": text(signature)}
        )

    def _answer(self, response: dict[str, str]) -> dict[str, Any]:
        return {"id": text(self.name), "rawId": text(self.name), "type": "public-key", "response": response}
