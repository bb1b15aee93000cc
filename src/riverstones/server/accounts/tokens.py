"""Secrets that people carry: made by chance, signed, and kept here only as hashes."""

from __future__ import annotations

import hashlib
import hmac
import secrets


def new_token() -> str:
    """A fresh secret, 256 bits."""
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> str:
    """What is kept of a secret. It has enough chance in it to need no salt."""
    return hashlib.sha256(token.encode()).hexdigest()


class Signer:
    """Signs what a client gives back, so that forged values are known without a look into the database."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    def sign(self, purpose: str, value: str) -> str:
        """The value with its signature."""
        return f"{value}.{self._signature(purpose, value)}"

    def check(self, purpose: str, signed: str) -> str | None:
        """The value if its signature is right."""
        value, _, signature = signed.rpartition(".")
        good = hmac.compare_digest(signature.encode(), self._signature(purpose, value).encode())
        return value if value and good else None

    def _signature(self, purpose: str, value: str) -> str:
        return hmac.new(self._key, f"{purpose}\n{value}".encode(), hashlib.sha256).hexdigest()
