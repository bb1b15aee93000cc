"""Games whose positions become puzzles: two seats of different styles, played in compiled code.

Positions should look like those of real tables, so the styles range from a beginner who misses most flips to a careful
player who thinks of the reply. A game takes less than a millisecond without careful seats, which matters because some
kinds of puzzle come up once in twenty games.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from riverstones.engine.arrays import Integers
from riverstones.engine.careful import careful_play
from riverstones.engine.encoding import DIGIT_SHIFT, FLIPS_MASK, MOVE_MASK, POINTS_SHIFT, RED_BIT, board_from_text
from riverstones.engine.jit import jit
from riverstones.engine.kernel import (
    MAX_PLAYS,
    SAVED_SHAPE,
    STATE_SHAPE,
    Plays,
    State,
    apply,
    board_text,
    generate,
    load,
)
from riverstones.rules import TILE_COUNT, Board, Hand, Layout, Seed, Variant

MOVES: Final = 67
STONES: Final = 5

# Styles.
GREEDY: Final = 0
"""Makes a play with the most points."""
CAREFUL: Final = 1
"""Makes the play with the most points less half of what the next seat may expect."""
CASUAL: Final = 2
"""Sees nine of ten plays without a flip, and six of ten with one."""
BEGINNER: Final = 3
"""Sees two of three plays without a flip, and one of seven with one."""

STYLES: Final = (GREEDY, GREEDY, CAREFUL, CASUAL, CASUAL, BEGINNER)
"""Each seat draws one of these."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A position of a game, before a move: what the seat to move sees, and what only the dealer knows."""

    game: int
    ply: int
    variant: Variant
    board: Board
    hand: Hand
    other: Hand
    """The hand of the other seat."""
    scores: tuple[int, int]
    """The score of the seat to move and that of the other."""
    coming: Hand
    """The tiles of the bag, in the order in which they are drawn."""


class PlayedGame:
    """One game: its variant, deal and plays."""

    def __init__(self, seed: int, number: int) -> None:
        digest = hashlib.sha256(f"riverstones puzzles {seed} game {number}".encode()).digest()
        rng = random.Random(digest)
        self.number = number
        self.variant = Variant.EXPERT if rng.random() < 0.4 else Variant.STANDARD
        self.layout = rng.choice((Layout.SIDES, Layout.SIDES, Layout.SIDES, *Layout))
        styles = np.array([rng.choice(STYLES), rng.choice(STYLES)], np.int64)
        self.deal = Seed(digest).deal().digits
        self.expert = self.variant is Variant.EXPERT
        self.start = self.layout.board(self.deal)
        self.plays = np.zeros(MOVES, np.int64)
        self.hands = np.zeros((MOVES, 4), np.int64)
        """Before each move: the tiles of the seat to move, then those of the other, 0 for none."""
        self._work = Workspace()
        play_game(
            board_from_text(self.start.cells), self.expert, np.array(self.deal[STONES:], np.int64), styles,
            rng.getrandbits(62), self.plays, self.hands, self._work.state, self._work.list, self._work.saved,
        )  # fmt: skip

    def moment(self, ply: int) -> Moment:
        """The position before the move of this number, counted from 0."""
        work = self._work
        load(work.state, board_from_text(self.start.cells), self.expert)
        scores = [0, 0]
        for played, play in enumerate(self.plays[:ply].tolist()):
            scores[played % 2] -= play >> POINTS_SHIFT
            apply(work.state, play, work.saved)
        mine, theirs = self._hand(ply, 0), self._hand(ply, 2)
        drawn = STONES + 4 + ply
        return Moment(
            self.number, ply, self.variant, Board(board_text(work.state)), mine, theirs,
            (scores[ply % 2], scores[1 - ply % 2]), self.deal[min(drawn, TILE_COUNT) :],
        )  # fmt: skip

    def _hand(self, ply: int, first: int) -> Hand:
        return tuple(sorted(int(digit) for digit in self.hands[ply, first : first + 2] if digit))


class Workspace:
    """Preallocated memory for games and finders."""

    def __init__(self) -> None:
        self.state = np.zeros(STATE_SHAPE, np.int32)
        self.list = np.zeros(MAX_PLAYS, np.int64)
        self.saved = np.zeros(SAVED_SHAPE, np.int32)


@jit()
def next_random(rng: Integers) -> float:
    """A number from 0 to 1, from a linear congruential generator: the state is ``rng[0]``."""
    rng[0] = rng[0] * 6364136223846793005 + 1442695040888963407
    return float(rng[0] >> 33 & 0x3FFFFFFF) / 1073741824.0


@jit()
def _seen_play(plays: Plays, count: int, plain: float, flipping: float, rng: Integers) -> int:
    """The best play that a seat sees, the first of equals at random, or a placement that scores nothing."""
    start = int(next_random(rng) * count)
    chosen = 0
    for i in range(count):
        play = plays[(start + i) % count]
        if play >> POINTS_SHIFT == 0:
            continue
        sight = flipping if play & FLIPS_MASK else plain
        if next_random(rng) < sight and (chosen == 0 or play >> POINTS_SHIFT < chosen >> POINTS_SHIFT):
            chosen = play
    if chosen != 0:
        return int(chosen)
    # Of three placements at random, prefer one with an addend: that is what people start sums with.
    for _attempt in range(3):
        for i in range(count):
            play = plays[(start + i) % count]
            if play >> POINTS_SHIFT == 0:
                chosen = play
                break
        if chosen & RED_BIT == 0:
            break
        start = int(next_random(rng) * count)
    return int(chosen) if chosen != 0 else int(plays[start])


@jit(
    "void(uint8[::1], boolean, int64[::1], int64[::1], int64, int64[::1], int64[:, ::1], int32[:, ::1], int64[::1],"
    " int32[:, ::1])"
)
def play_game(
    board: NDArray[np.uint8],
    expert: bool,
    tiles: Integers,
    styles: Integers,
    seed: int,
    played: Plays,
    hands: Integers,
    state: State,
    plays: Plays,
    saved: State,
) -> None:
    """Play a whole game and write its plays and the hands before each of them."""
    rng = np.empty(1, np.int64)
    rng[0] = seed
    best = np.zeros(10, np.int64)
    pool = np.full(10, 8.0)
    load(state, board, expert)
    for square in range(81):
        if board[square]:
            pool[board[square] & 15] -= 1.0
    holding = np.zeros((2, 2), np.int64)
    drawn = 0
    for seat in range(2):
        for i in range(2):
            holding[seat, i] = tiles[drawn]
            drawn += 1
    for ply in range(len(played)):
        seat = ply % 2
        hand = 0
        for i in range(2):
            hands[ply, i] = holding[seat, i]
            hands[ply, 2 + i] = holding[1 - seat, i]
            if holding[seat, i]:
                hand |= 1 << holding[seat, i]
        style = styles[seat]
        if style == CAREFUL:
            play = careful_play(state, hand, pool, plays, saved, best)
        else:
            count = generate(state, hand, plays)
            if style == GREEDY:
                play = _seen_play(plays, count, 1.0, 1.0, rng)
            elif style == CASUAL:
                play = _seen_play(plays, count, 0.9, 0.6, rng)
            else:
                play = _seen_play(plays, count, 0.67, 0.15, rng)
        played[ply] = play
        digit = play >> DIGIT_SHIFT & 15
        pool[digit] -= 1.0
        apply(state, play & MOVE_MASK, saved)
        slot = 0 if holding[seat, 0] == digit else 1
        holding[seat, slot] = 0
        if drawn < len(tiles):
            holding[seat, slot] = tiles[drawn]
            drawn += 1
