"""Which tiles were drawn, as far as a record tells.

A tile has its place in the deal: first the stones, then two for each seat, then one for each turn while the bag lasts.
The hands that the turns show reveal what lies at those places, so that a record can be checked and replayed without its
seed. With a seed every place is known from the start, and the hands have to agree with it.
"""

from __future__ import annotations

from collections import Counter

from riverstones.rules import COPIES, DIGITS, HAND_SIZE, TILE_COUNT, Deal, Hand


class Dealing:
    """The deal as it comes to light, and what each seat holds of it."""

    def __init__(self, stones: tuple[int, ...], seats: int, deal: Deal | None = None) -> None:
        self._tiles: list[int | None] = [None] * TILE_COUNT if deal is None else list(deal.digits)
        self._tiles[: len(stones)] = stones
        self._all_known = deal is not None
        self._drawn = len(stones)
        self._held: list[list[int]] = [[] for _ in range(seats)]
        for seat in range(seats):
            for _ in range(HAND_SIZE):
                self._draw(seat)

    def _draw(self, seat: int) -> None:
        """Let a seat take the next tile; the seat holds places in the deal."""
        if self._drawn < TILE_COUNT:
            self._held[seat].append(self._drawn)
            self._drawn += 1

    def size(self, seat: int) -> int:
        """How many tiles a seat holds."""
        return len(self._held[seat])

    def known(self, seat: int) -> Hand:
        """The tiles in a seat's hand that are known already."""
        return tuple(sorted(digit for place in self._held[seat] if (digit := self._tiles[place]) is not None))

    def show(self, seat: int, hand: Hand) -> bool:
        """Learn what a seat holds; False if it cannot be."""
        places = self._held[seat]
        new = Counter(hand)
        new.subtract(self.known(seat))
        if len(hand) != len(places) or min(new.values(), default=0) < 0:
            self._forget(seat)
            return False
        unknown = [place for place in places if self._tiles[place] is None]
        for place, digit in zip(unknown, new.elements(), strict=True):
            self._tiles[place] = digit
        return True

    def play(self, seat: int, digit: int) -> None:
        """Take a tile out of a hand, and let the seat draw."""
        places = self._held[seat]
        if digit not in self.known(seat):
            self._forget(seat)
        if places:
            places.remove(next((place for place in places if self._tiles[place] == digit), places[0]))
            self._draw(seat)

    def _forget(self, seat: int) -> None:
        """Take nothing for granted about a hand any more, so that one slip does not make every later hand look wrong.

        A deal that is known as a whole stays known.
        """
        if not self._all_known:
            for place in self._held[seat]:
                self._tiles[place] = None

    def surplus(self) -> dict[int, int]:
        """The digits of which more than eight tiles were seen, with their number."""
        counts = Counter(digit for digit in self._tiles if digit is not None)
        return {digit: counts[digit] for digit in DIGITS if counts[digit] > COPIES}

    def deal(self) -> Deal:
        """A deal that agrees with everything that was seen; where nothing was seen, the lowest tile left."""
        counts = Counter(digit for digit in self._tiles if digit is not None)
        left = iter([digit for digit in DIGITS for _ in range(COPIES - counts[digit])])
        return Deal(tuple(next(left) if digit is None else digit for digit in self._tiles))
