"""Deals from small seeds: game number k of seed s, computed without a stored generator.

The deals of tables come from 32 secret bytes and a cryptographic hash (`rules.Seed`), because nobody must guess them.
Deals of experiments must be quick and easy to repeat instead. They come from SplitMix64, a well-known mixing function
of 64 bits, and are the same on every machine:

    key     = mix(mix(seed) + number)
    word(i) = mix(key + i + 1)                                       all additions modulo 2**64
    shuffle : tiles 1 1 1 1 1 1 1 1 2 2 ... 9; for last = 71, 70, ..., 1, in the i-th step (i = 0, 1, ...):
              swap tile `last` with tile `(word(i) >> 32) * (last + 1) >> 32`
    bots    : the one in seat j gets the seed word(999 + j) >> 16

`game_kernel.shuffle` is the same in compiled code.
"""

from __future__ import annotations

from typing import Final

from riverstones.rules import COPIES, DIGITS, TILE_COUNT, Deal

__all__ = ["bot_seed", "deal"]

GOLDEN: Final = 0x9E3779B97F4A7C15
MIX_FIRST: Final = 0xBF58476D1CE4E5B9
MIX_SECOND: Final = 0x94D049BB133111EB
_WORD: Final = (1 << 64) - 1
_BOT_WORDS: Final = 1000
"""What is added to a game's key for the seed of the bot in seat 0; its deal adds 1 to 71."""


def mix(number: int) -> int:
    """SplitMix64's output for the counter ``number``: 64 bits that look random."""
    number = (number + 1) * GOLDEN & _WORD
    number = (number ^ number >> 30) * MIX_FIRST & _WORD
    number = (number ^ number >> 27) * MIX_SECOND & _WORD
    return number ^ number >> 31


def deal(seed: int, number: int = 0) -> Deal:
    """The deal of game ``number`` (from 0) of a seed from 0 to 2**64 - 1."""
    if not (0 <= seed <= _WORD and 0 <= number <= _WORD):
        raise ValueError("seed and number must be from 0 to 2**64 - 1")
    key = _key(seed, number)
    digits = [digit for digit in DIGITS for _ in range(COPIES)]
    for step, last in enumerate(range(TILE_COUNT - 1, 0, -1)):
        other = (mix(key + step + 1) >> 32) * (last + 1) >> 32
        digits[last], digits[other] = digits[other], digits[last]
    return Deal(tuple(digits))


def bot_seed(seed: int, number: int, seat: int) -> int:
    """The seed of the bot in a seat of game ``number`` of a seed, independent of all deals."""
    return mix(_key(seed, number) + _BOT_WORDS + seat) >> 16


def _key(seed: int, number: int) -> int:
    return mix(mix(seed) + number)
