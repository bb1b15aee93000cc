"""Random secrets for clients, stored only as hashes, and the signatures of cookies and tickets."""

from __future__ import annotations

import hashlib
import hmac
import secrets


def new_token() -> str:
    """A new random secret of 256 bits."""
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> str:
    """The hash under which a secret is stored. A random secret needs no salt."""
    return hashlib.sha256(token.encode()).hexdigest()


class Signer:
    """Signs values that a client sends back, so that forged ones are rejected without a database query."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    def sign(self, purpose: str, value: str) -> str:
        """The value with its signature."""
        return f"{value}.{self._signature(purpose, value)}"

    def check(self, purpose: str, signed: str) -> str | None:
        """The value if its signature for this purpose is valid, else None."""
        value, _, signature = signed.rpartition(".")
        good = hmac.compare_digest(signature.encode(), self._signature(purpose, value).encode())
        return value if value and good else None

    def _signature(self, purpose: str, value: str) -> str:
        return hmac.new(self._key, f"{purpose}\n{value}".encode(), hashlib.sha256).hexdigest()
