"""Random secrets for clients, stored only as hashes, and the signatures of cookies and tickets."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence


def new_token() -> str:
    """A new random secret of 256 bits."""
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> str:
    """The hash under which a secret is stored. A random secret needs no salt."""
    return hashlib.sha256(token.encode()).hexdigest()


class Signer:
    """Signs values that a client sends back, so that forged ones are rejected without a database query."""

    def __init__(self, keys: Sequence[str]) -> None:
        """The first key signs; all of them are valid."""
        self._keys = [key.encode() for key in keys]

    def sign(self, purpose: str, value: str) -> str:
        """The value with its signature."""
        return f"{value}.{_signature(self._keys[0], purpose, value)}"

    def check(self, purpose: str, signed: str) -> str | None:
        """The value if its signature for this purpose is valid, else None."""
        value = signed.rpartition(".")[0]
        return value if value and any(_is_signed(key, purpose, signed) for key in self._keys) else None

    def is_current(self, purpose: str, signed: str) -> bool:
        """Whether a value is signed with the key that signs now, not with an older one."""
        return _is_signed(self._keys[0], purpose, signed)


def _is_signed(key: bytes, purpose: str, signed: str) -> bool:
    value, _, signature = signed.rpartition(".")
    return hmac.compare_digest(signature.encode(), _signature(key, purpose, value).encode())


def _signature(key: bytes, purpose: str, value: str) -> str:
    return hmac.new(key, f"{purpose}\n{value}".encode(), hashlib.sha256).hexdigest()
