"""Reconstruct from a record which tiles were drawn.

Every tile has its index in the deal: first the stones, then two for each seat, then one for each turn while the bag
lasts. The hands shown in the turns reveal the tiles at those indexes, so a record can be checked and replayed without
its seed. With a seed every tile is known from the start, and the hands have to agree with it.
"""

from __future__ import annotations

from collections import Counter

from riverstones.rules import COPIES, DIGITS, HAND_SIZE, TILE_COUNT, Deal, Hand


class Dealing:
    """The deal as far as it is known, and which of its tiles each seat holds."""

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
        """Give a seat the next tile, as an index into the deal."""
        if self._drawn < TILE_COUNT:
            self._held[seat].append(self._drawn)
            self._drawn += 1

    def size(self, seat: int) -> int:
        """The number of tiles a seat holds."""
        return len(self._held[seat])

    def known(self, seat: int) -> Hand:
        """The tiles in a seat's hand that are known so far."""
        return tuple(sorted(digit for place in self._held[seat] if (digit := self._tiles[place]) is not None))

    def show(self, seat: int, hand: Hand) -> bool:
        """Record a hand that was shown; False if it contradicts what is known."""
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
        """Remove a tile from a hand, and draw the next one."""
        places = self._held[seat]
        if digit not in self.known(seat):
            self._forget(seat)
        if places:
            places.remove(next((place for place in places if self._tiles[place] == digit), places[0]))
            self._draw(seat)

    def _forget(self, seat: int) -> None:
        """Treat a hand as unknown again, so that one mistake does not make every later hand look wrong.

        If the whole deal is known, nothing is forgotten.
        """
        if not self._all_known:
            for place in self._held[seat]:
                self._tiles[place] = None

    def surplus(self) -> dict[int, int]:
        """The digits seen on more than eight tiles, with the number of tiles."""
        counts = Counter(digit for digit in self._tiles if digit is not None)
        return {digit: counts[digit] for digit in DIGITS if counts[digit] > COPIES}

    def deal(self) -> Deal:
        """A deal that agrees with everything seen; unseen tiles are filled in, lowest first."""
        counts = Counter(digit for digit in self._tiles if digit is not None)
        left = iter([digit for digit in DIGITS for _ in range(COPIES - counts[digit])])
        return Deal(tuple(next(left) if digit is None else digit for digit in self._tiles))
