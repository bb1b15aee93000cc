"""The deal: the order in which the 72 tiles leave the bag, and how anybody can check that it was fair.

A deal is data. It is derived from a secret seed by a shuffle that is easy to reproduce in any language: SHA-256 in
counter mode produces bytes, rejection sampling turns them into uniform numbers, and a Fisher-Yates shuffle turns those
into a permutation. The hash of the seed, its commitment, is published before play and the seed itself afterwards.
docs/fairness.md has the details and test vectors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from .errors import Malformed
from .tiles import COPIES, DIGITS, TILE_COUNT

SEED_BYTES = 32
_COMMIT = b"riverstones commitment 1\n"
_SHUFFLE = b"riverstones shuffle 1\n"
_START = b"riverstones start 1\n"
_ALL_TILES = [digit for digit in DIGITS for _ in range(COPIES)]


@dataclass(frozen=True, slots=True)
class Deal:
    """The digits of all 72 tiles in the order in which they are drawn."""

    digits: tuple[int, ...]

    def __post_init__(self) -> None:
        if sorted(self.digits) != _ALL_TILES:
            raise Malformed("deal", count=len(self.digits))

    @classmethod
    def parse(cls, text: str) -> Deal:
        """Read 72 digits without separators; raises `Malformed` if they are not the 72 tiles."""
        if not (text.isascii() and text.isdigit()):
            raise Malformed("deal", count=len(text))
        return cls(tuple(int(char) for char in text))

    def __str__(self) -> str:
        return "".join(map(str, self.digits))

    def __repr__(self) -> str:
        return f"Deal.parse({str(self)!r})"


@dataclass(frozen=True, slots=True, repr=False)
class Seed:
    """The 32 secret bytes that a deal is derived from. Their `repr` hides them, so no log can leak them."""

    secret: bytes

    def __post_init__(self) -> None:
        if len(self.secret) != SEED_BYTES:
            raise Malformed("seed", count=len(self.secret))

    @classmethod
    def parse(cls, text: str) -> Seed:
        """Read a published seed: 64 hexadecimal digits."""
        if len(text) != 2 * SEED_BYTES or set(text) - set("0123456789abcdef"):
            raise Malformed("seed_text", text=text)
        return cls(bytes.fromhex(text))

    def reveal(self) -> str:
        """The seed as text, to be published when the game is over."""
        return self.secret.hex()

    @property
    def commitment(self) -> str:
        """The hash that binds the dealer to this seed without giving it away."""
        return hashlib.sha256(_COMMIT + self.secret).hexdigest()

    def deal(self) -> Deal:
        """The deal derived from this seed."""
        source = _bytes(_SHUFFLE, self.secret)
        digits = _ALL_TILES.copy()
        for last in range(TILE_COUNT - 1, 0, -1):
            other = _below(last + 1, source)
            digits[last], digits[other] = digits[other], digits[last]
        return Deal(tuple(digits))

    def first_seat(self, seats: int) -> int:
        """The seat that starts when the first seat is drawn at random."""
        return _below(seats, _bytes(_START, self.secret))

    def __repr__(self) -> str:
        return f"<Seed with commitment {self.commitment}>"


def _bytes(purpose: bytes, secret: bytes) -> Iterator[int]:
    """An endless stream of bytes: the SHA-256 hashes of purpose, seed and a 64-bit counter, concatenated."""
    counter = 0
    while True:
        yield from hashlib.sha256(purpose + secret + counter.to_bytes(8, "big")).digest()
        counter += 1


def _below(limit: int, source: Iterator[int]) -> int:
    """A uniform number from 0 to limit - 1; bytes that would cause modulo bias are rejected."""
    fair = 256 - 256 % limit
    return next(byte for byte in source if byte < fair) % limit
