"""The rival that the engine is compared with: a look-ahead by sampling.

It considers the 100 plays with the most points. In each of a number of sampled worlds (the opponent's hand and its own
next draw) the opponent makes the reply with the most points, and the rival its next play with the most points. The
value of a play is its points, less the reply, plus the next play, averaged over the worlds, which are the same for all
plays. Two seats only.
"""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from riverstones.engine.encoding import DIGIT_SHIFT, POINTS_SHIFT, hand_from_digits, move_text
from riverstones.engine.jit import jit
from riverstones.engine.kernel import MAX_PLAYS, SAVED_SHAPE, State, apply, best_by_digit, generate, new_state, undo
from riverstones.rules import Move, Variant, View

CANDIDATES = 100


@jit("int64(int32[:, ::1], int64[::1], int64, int64[:, ::1])")
def _best(state: State, plays: NDArray[np.int64], hand_sum: int, worlds: NDArray[np.int64]) -> int:
    """The play with the best average. A world is the opponent's two tiles and the rival's draw; 0 is no tile."""
    saved = np.zeros(SAVED_SHAPE, np.int32)
    saved_reply = np.zeros(SAVED_SHAPE, np.int32)
    replies = np.zeros(10, np.int64)
    next_plays = np.zeros((10, 10), np.int64)
    known = np.zeros(10, np.bool_)
    chosen = plays[0]
    most = -1.0e9
    for i in range(len(plays)):
        play = plays[i]
        kept = hand_sum - (play >> DIGIT_SHIFT & 15)
        apply(state, play, saved)
        best_by_digit(state, replies)
        known[:] = False
        total = 0.0
        for w in range(len(worlds)):
            first, second, drawn = worlds[w, 0], worlds[w, 1], worlds[w, 2]
            digit = first
            if second != 0 and (first == 0 or replies[second] < replies[first]):
                digit = second
            if digit == 0:
                continue
            if not known[digit]:
                known[digit] = True
                apply(state, replies[digit], saved_reply)
                best_by_digit(state, next_plays[digit])
                undo(state, replies[digit], saved_reply)
            total += replies[digit] >> POINTS_SHIFT
            total -= min(next_plays[digit, kept] >> POINTS_SHIFT, next_plays[digit, drawn] >> POINTS_SHIFT)
        undo(state, play, saved)
        value = total / len(worlds) - (play >> POINTS_SHIFT)
        if value > most:
            most = value
            chosen = play
    return int(chosen)


class Rival:
    """The rival as a bot, with this many worlds per move."""

    def __init__(self, worlds: int, seed: int) -> None:
        self.worlds = worlds
        self.rng = random.Random(seed)

    def __call__(self, view: View) -> Move:
        """The move that it makes."""
        position = view.position
        state = new_state(position.board.cells, position.variant is Variant.EXPERT)
        plays = np.empty(MAX_PLAYS, np.int64)
        count = generate(state, hand_from_digits("".join(map(str, view.hand))), plays)
        unseen = [digit for digit, left in enumerate(position.unseen, start=1) for _ in range(left)]
        theirs = len(position.hands[1 - position.to_move])
        worlds = np.zeros((self.worlds, 3), np.int64)
        for world in worlds:
            tiles = self.rng.sample(unseen, min(len(unseen), theirs + (position.bag > 0)))
            world[:theirs] = tiles[:theirs]
            world[2 : 2 + len(tiles) - theirs] = tiles[theirs:]
        candidates = np.sort(plays[:count])[:CANDIDATES]
        return Move.parse(move_text(_best(state, candidates, sum(view.hand), worlds)))
