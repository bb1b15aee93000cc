"""The tiles that a seat could have drawn, with their probabilities.

Nobody sees a drawn tile before that seat's next turn: no move so far has depended on it. So it is *unrevealed* until
then, and all unrevealed tiles are alike: the drawn tile could as well have been any tile of the bag, or any tile that
another seat has drawn and not yet looked at. Exchanging it with one of those changes nothing that anybody has done.
Therefore each of them is exactly equally likely, whoever plays and however well, and the mean luck is zero.

Tiles that the other seats have kept are not among them: those were revealed in earlier turns.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from math import comb

from riverstones.rules import Game, Hand


def kept_by(game: Game, seat: int) -> Hand:
    """The tiles that a seat has held since its last turn; none before its first."""
    last = next((turn for turn in reversed(game.turns) if turn.seat == seat), None)
    if last is None:
        return ()
    assert last.hand is not None  # only views hide hands
    kept = list(last.hand)
    kept.remove(last.move.tile.digit)
    return tuple(kept)


def unrevealed(game: Game) -> Counter[int]:
    """The number of tiles of each digit that nobody has seen before the turn of the seat to move."""
    tiles = Counter(game.deal.digits[game.drawn :])
    for seat, hand in enumerate(game.hands):
        tiles += Counter(hand) - Counter(kept_by(game, seat))
    return tiles


def possible_hands(game: Game) -> dict[Hand, float]:
    """Every hand that the seat to move could have, given what it kept, with its probability."""
    kept = kept_by(game, game.to_move)
    fresh = len(game.hand) - len(kept)
    tiles = unrevealed(game)
    ways: dict[Hand, int] = {}
    for drawn in combinations_with_replacement(sorted(tiles), fresh):
        # The ways to draw so many of each digit; 0 if there are not as many.
        count = 1
        for digit, wanted in Counter(drawn).items():
            count *= comb(tiles[digit], wanted)
        if count:
            ways[tuple(sorted((*kept, *drawn)))] = count
    total = sum(ways.values())
    return {hand: count / total for hand, count in ways.items()}
