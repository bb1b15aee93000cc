"""The deal is the one that docs/fairness.md specifies, and it is uniform."""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverstones.rules import Seed

PAGE = Path(__file__).parents[2] / "docs" / "fairness.md"

Vector = dict[str, str]


def vectors() -> list[Vector]:
    """The test vectors of the page: one field and its value per line, a blank line between vectors."""
    block = re.search(r"```vectors\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    return [dict(re.split(r"  +", line) for line in part.splitlines()) for part in block[1].strip().split("\n\n")]


every_vector = pytest.mark.parametrize("vector", vectors(), ids=lambda vector: vector["seed"][-4:])


class Checker:
    """A second implementation of the page's algorithm, written from its text and not from the code."""

    def __init__(self, seed: str, purpose: str) -> None:
        self.prefix = purpose.encode("ascii") + bytes([10]) + bytes.fromhex(seed)
        self.taken = 0

    def byte(self, number: int) -> int:
        block, place = divmod(number, 32)
        counter = bytes((block >> shift) & 255 for shift in (56, 48, 40, 32, 24, 16, 8, 0))
        return hashlib.sha256(self.prefix + counter).digest()[place]

    def below(self, n: int) -> int:
        limit = 256 - (256 % n)
        while True:
            byte = self.byte(self.taken)
            self.taken += 1
            if byte < limit:
                return byte % n


def checked_commitment(seed: str) -> str:
    return hashlib.sha256(b"riverstones commitment 1\n" + bytes.fromhex(seed)).hexdigest()


def checked_deal(seed: str) -> tuple[str, int]:
    """The deal by the page's algorithm, and the number of bytes it used."""
    stream = Checker(seed, "riverstones shuffle 1")
    places = {place: str(place // 8 + 1) for place in range(72)}
    last = 71
    while last >= 1:
        other = stream.below(last + 1)
        at_last, at_other = places[last], places[other]
        places[last], places[other] = at_other, at_last
        last -= 1
    return "".join(places[place] for place in range(72)), stream.taken


def checked_first_seat(seed: str, seats: int) -> int:
    return Checker(seed, "riverstones start 1").below(seats)


def test_the_page_has_at_least_three_vectors() -> None:
    assert len({vector["seed"] for vector in vectors()}) >= 3


@every_vector
def test_the_code_gives_what_the_page_says(vector: Vector) -> None:
    seed = Seed.parse(vector["seed"])
    assert seed.reveal() == vector["seed"]
    assert seed.commitment == vector["commitment"]
    assert str(seed.deal()) == vector["deal"]
    assert [seed.first_seat(seats) for seats in (2, 3, 4)] == [int(seat) for seat in vector["first seat"].split()]


@every_vector
def test_a_checker_written_from_the_page_gives_what_the_page_says(vector: Vector) -> None:
    seed = vector["seed"]
    assert checked_commitment(seed) == vector["commitment"]
    assert checked_deal(seed) == (vector["deal"], int(vector["bytes used"]))
    assert [checked_first_seat(seed, seats) for seats in (2, 3, 4)] == [int(n) for n in vector["first seat"].split()]
    for purpose in ("shuffle", "start"):
        stream = Checker(seed, f"riverstones {purpose} 1")
        assert bytes(stream.byte(number) for number in range(16)).hex() == vector[purpose]


def test_one_vector_rejects_a_byte_for_the_first_seat() -> None:
    assert any(vector["start"].startswith("ff") for vector in vectors())


@given(st.binary(min_size=32, max_size=32))
def test_the_code_and_the_checker_agree_for_any_seed(secret: bytes) -> None:
    seed = Seed(secret)
    assert seed.commitment == checked_commitment(secret.hex())
    assert str(seed.deal()) == checked_deal(secret.hex())[0]
    assert all(seed.first_seat(seats) == checked_first_seat(secret.hex(), seats) for seats in (2, 3, 4))


@given(st.binary(min_size=32, max_size=32))
def test_a_seed_is_hidden_until_it_is_revealed(secret: bytes) -> None:
    seed = Seed(secret)
    assert seed.reveal() not in repr(seed)
    assert seed.reveal() not in str(seed)
    assert repr(secret) not in f"{seed} {seed!r}"
    assert Seed.parse(seed.reveal()) == seed


# Uniformity. The seeds are fixed, so these tests are deterministic.

SEEDS = [Seed(hashlib.sha256(f"fairness {number}".encode()).digest()) for number in range(1800)]


def chi_square(counts: Iterable[int], expected: float) -> float:
    """The chi-square statistic of counts with the same expectation."""
    return sum((count - expected) ** 2 / expected for count in counts)


def place_chi_square(deals: list[str]) -> float:
    """The chi-square statistic of digits by index of the deal: 576 on average if uniform, with a deviation of 34."""
    seen = Counter((place, digit) for deal in deals for place, digit in enumerate(deal))
    return chi_square((seen[place, digit] for place in range(72) for digit in "123456789"), len(deals) / 9)


FAIR_PLACES = range(576 - 4 * 34, 576 + 4 * 34)


def test_every_digit_is_equally_frequent_at_every_index_of_the_deal() -> None:
    assert round(place_chi_square([str(seed.deal()) for seed in SEEDS])) in FAIR_PLACES


def test_the_statistic_detects_a_slightly_biased_shuffle() -> None:
    """The well-known mistake of swapping each index with any other must be detected."""

    def slipped(number: int) -> str:
        rng = random.Random(number)
        digits = [digit for digit in "123456789" for _ in range(8)]
        for place in range(72):
            other = rng.randrange(72)
            digits[place], digits[other] = digits[other], digits[place]
        return "".join(digits)

    assert round(place_chi_square([slipped(number) for number in range(len(SEEDS))])) not in FAIR_PLACES


def test_neighbours_in_the_deal_are_equal_as_often_as_expected() -> None:
    """Of the 71 pairs of neighbours in a deal, 7 are expected to be equal."""
    deals = [str(seed.deal()) for seed in SEEDS]
    alike = sum(left == right for deal in deals for left, right in pairwise(deal))
    assert alike / len(deals) == pytest.approx(7, abs=4 * 2.5 / len(deals) ** 0.5)


@pytest.mark.parametrize(("seats", "limit"), [(2, 10.8), (3, 13.8), (4, 16.3)])
def test_every_seat_starts_equally_often(seats: int, limit: float) -> None:
    """The limit is exceeded by chance once in a thousand cases."""
    began = Counter(seed.first_seat(seats) for seed in SEEDS)
    assert chi_square((began[seat] for seat in range(seats)), len(SEEDS) / seats) < limit


def test_no_two_seeds_share_a_commitment_or_a_deal() -> None:
    assert len({seed.commitment for seed in SEEDS}) == len({seed.deal() for seed in SEEDS}) == len(SEEDS)
