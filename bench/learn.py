"""Learn to play from self-play: a value for the position after a move, fitted to what happened next.

    python -m bench.learn
    python -m bench.learn --iterations 6 --games 1000 --deals 500 --save weights.npy

The player chooses the play with the most points plus the learned value of the board it leaves. The value is linear in a
few numbers about that board, which say what each digit could score on it (`features`). It begins with zeros, so the
first games are those of `greedy`, ties aside. One iteration: play games against oneself; fit the value by least squares
to the points of the next moves, one's own less the opponent's; play on with the new value. Nothing is known about hands
that the seat does not see.

After each iteration the player meets `greedy` in the way of the arena: every deal is played in both seatings, and a
deal is one observation of the 95 % interval. The same arguments give the same figures, except for the times, whatever
the number of processes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from riverstones.engine import bots
from riverstones.engine.arena import run
from riverstones.engine.arena.game import Result
from riverstones.engine.arena.game import play as play_pairing
from riverstones.engine.arena.match import Match, Pairing
from riverstones.engine.arena.report import Tally, standings
from riverstones.engine.arrays import Floats, Integers
from riverstones.engine.encoding import ALL_DIGITS, DIGIT_SHIFT, POINTS_SHIFT, move_text
from riverstones.engine.jit import jit
from riverstones.engine.kernel import MAX_PLAYS, SAVED_SHAPE, State, apply, best_by_digit, generate, new_state, undo
from riverstones.envs.game_kernel import DRAWN, HANDS, NOTES, OFF_BOARD, TO_MOVE, begin, make, new_game, shuffle
from riverstones.rules import COPIES, DIGITS, Move, Variant, View

GAME_MOVES: Final = 67
_PLAIN: Final = 18
"""The number of features; each counts a second time in proportion to the tiles that are left."""
FEATURES: Final = 2 * _PLAIN
CHUNK: Final = 50
"""The number of games per task."""
LEARNED: Final = "learned"


@jit()
def _features(state: State, unseen: Integers, kept: int, bag: int, held: int, best: Integers, values: Floats) -> None:
    """Write the features of a board after a move.

    The seat that moved keeps the digit ``kept`` (0: none) and draws if there is a ``bag``. ``unseen`` has the number of
    tiles of each digit in the bag or in the other hand, which has ``held`` tiles. ``best`` is scratch memory.
    """
    best_by_digit(state, best)
    count = 0
    mean = 0.0
    highest = 0
    for digit in range(1, 10):
        best[digit] = -(best[digit] >> POINTS_SHIFT)
        count += unseen[digit]
        mean += unseen[digit] * best[digit]
        highest = max(highest, best[digit])
    mean /= max(count, 1)
    mine = best[kept] if kept else 0
    # The expected best of two different unseen tiles, and of the kept tile and an unseen one.
    most = mean
    if held == 2 and count >= 2:
        most = 0.0
        for digit in range(1, 10):
            for other in range(1, 10):
                pairs = unseen[digit] * (unseen[other] - (digit == other))
                most += pairs * max(best[digit], best[other])
        most /= count * (count - 1)
    elif held == 0:
        most = 0.0
    following = float(mine)
    if bag > 0:
        following = 0.0
        for digit in range(1, 10):
            following += unseen[digit] * max(mine, best[digit])
        following /= max(count, 1)
    values[0] = 1.0
    values[1] = most
    values[2] = following
    values[3] = mean
    values[4] = mine
    values[5] = highest
    values[6] = most * most / 20.0
    values[7] = following * following / 20.0
    values[8] = mine * most / 20.0
    for digit in range(1, 10):
        values[8 + digit] = kept == digit
    left = (bag + held + (kept != 0)) / GAME_MOVES
    for i in range(_PLAIN):
        values[_PLAIN + i] = values[i] * left


@jit(
    "int64(int32[:, ::1], int64[::1], int64, int64, int64, int64, float64[::1], int64[::1], int64[::1], float64[::1],"
    " int32[:, ::1])"
)
def choose(
    state: State,
    unseen: Integers,
    first: int,
    second: int,
    bag: int,
    held: int,
    weights: Floats,
    plays: Integers,
    best: Integers,
    values: Floats,
    saved: State,
) -> int:
    """The play with the most points plus learned value, for a hand of two digits (0: none)."""
    count = generate(state, (1 << first | 1 << second) & ALL_DIGITS, plays)
    chosen = plays[0]
    highest = -1.0e9
    for i in range(count):
        play = plays[i]
        value = -float(play >> POINTS_SHIFT)
        apply(state, play, saved)
        _features(state, unseen, second if play >> DIGIT_SHIFT & 15 == first else first, bag, held, best, values)
        undo(state, play, saved)
        for j in range(FEATURES):
            value += weights[j] * values[j]
        if value > highest or (value == highest and play < chosen):
            highest = value
            chosen = play
    return int(chosen)


@jit(
    "void(int32[:, ::1], uint64, uint64, int64, int64, int64[::1], float64[::1], int64[::1], float64[:, ::1],"
    " float64[::1], float64[:, ::1], float64[::1], int32[:, ::1], uint8[::1])"
)
def _self_play(
    game: State,
    seed: np.uint64,
    first: np.uint64,
    games: int,
    horizon: int,
    stones: Integers,
    weights: Floats,
    memory: Integers,
    seen: Floats,
    points: Floats,
    squares: Floats,
    products: Floats,
    saved: State,
    board: Any,
) -> None:
    """Play games and add up what least squares need: squares and products of features and outcomes."""
    unseen = memory[:10]
    best = memory[10:20]
    plays = memory[20:]
    for number in range(games):
        shuffle(game, seed, first + np.uint64(number))
        begin(game, 2, False, stones, board)
        for move in range(GAME_MOVES):
            seat = game[NOTES, TO_MOVE]
            one = int(game[NOTES, HANDS + 2 * seat])
            two = int(game[NOTES, HANDS + 2 * seat + 1])
            held = 0
            for i in range(2):
                held += game[NOTES, HANDS + 2 * (1 - seat) + i] != 0
            for digit in range(10):
                unseen[digit] = game[NOTES, OFF_BOARD + digit] - (digit == one) - (digit == two)
            bag = 72 - game[NOTES, DRAWN]
            play = choose(game, unseen, one, two, bag, held, weights, plays, best, seen[move], saved)
            make(game, play, saved)
            points[move] = -float(play >> POINTS_SHIFT)
            _features(game, unseen, two if play >> DIGIT_SHIFT & 15 == one else one, bag, held, best, seen[move])
        for move in range(GAME_MOVES):
            outcome = 0.0
            sign = -1.0
            for later in range(move + 1, min(move + 1 + horizon, GAME_MOVES)):
                outcome += sign * points[later]
                sign = -sign
            for i in range(FEATURES):
                products[i] += seen[move, i] * outcome
                for j in range(FEATURES):
                    squares[i, j] += seen[move, i] * seen[move, j]


def self_play(seed: int, horizon: int, weights: Floats, first: int) -> tuple[Floats, Floats]:
    """Play a chunk of games with these weights, beginning with the deal ``first`` of a seed."""
    squares, products = np.zeros((FEATURES, FEATURES)), np.zeros(FEATURES)
    seen, points = np.zeros((GAME_MOVES, FEATURES)), np.zeros(GAME_MOVES)
    stones = np.array(Match(("", "")).layout.stones, np.int64)
    memory, saved, board = np.zeros(20 + MAX_PLAYS, np.int64), np.zeros(SAVED_SHAPE, np.int32), np.zeros(81, np.uint8)
    _self_play(
        new_game(),
        np.uint64(seed),
        np.uint64(first),
        CHUNK,
        horizon,
        stones,
        weights,
        memory,
        seen,
        points,
        squares,
        products,
        saved,
        board,
    )
    return squares, products


def bot(weights: Floats, view: View) -> Move:
    """The learned player as a bot, for two seats."""
    position = view.position
    state = new_state(position.board.cells, view.setup.variant is Variant.EXPERT)
    first, second = [*view.hand, 0][:2]
    on_board = position.board.counts()
    unseen = np.array([0, *(COPIES - on_board[digit - 1] - view.hand.count(digit) for digit in DIGITS)], np.int64)
    held = len(position.hands[1 - position.to_move])
    plays, best = np.zeros(MAX_PLAYS, np.int64), np.zeros(10, np.int64)
    values, saved = np.zeros(FEATURES), np.zeros(SAVED_SHAPE, np.int32)
    return Move.parse(
        move_text(choose(state, unseen, first, second, position.bag, held, weights, plays, best, values, saved))
    )


def make_bot(weights: Floats, name: str, seed: int) -> bots.Bot:
    return partial(bot, weights) if name == LEARNED else bots.make(name, seed)


def play_game(match: Match, weights: Floats, pairing: Pairing) -> Result:
    return play_pairing(match, pairing, run.stopping, partial(make_bot, weights))


def fit(sums: Sequence[tuple[Floats, Floats]]) -> Floats:
    """The weights with the least squared error, with a little regularization."""
    # Sorted by content, so that the rounding does not depend on the order in which chunks arrive.
    ordered = sorted(sums, key=lambda pair: pair[1].tolist())
    squares = np.sum([one for one, _ in ordered], axis=0)
    products = np.sum([one for _, one in ordered], axis=0)
    weights: Floats = np.linalg.solve(squares + np.eye(FEATURES), products)
    return weights


def meet(opponent: str, weights: Floats, deals: int, seed: int, executor: Any, processes: int) -> tuple[str, bool]:
    """Play a match; returns a line about it, and whether the learned player is better for certain (95 %)."""
    match = Match((LEARNED, opponent), seed)
    tally = Tally(match)
    for result in run.results(partial(play_game, match, weights), match.pairings(2 * deals), executor, 2 * processes):
        tally.add(result)
    mine = next(standing for standing in standings(match, tally.deals()) if standing.name == LEARNED)
    share, margin = mine.win_rate, mine.margin
    line = (
        f"wins {100 * share.mean:.1f} % ({100 * share.interval.low:.1f} to {100 * share.interval.high:.1f}),"
        f" margin {margin.mean:+.1f} ({margin.interval.low:+.1f} to {margin.interval.high:+.1f})"
    )
    return line, share.interval.low > 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--games", type=int, default=1000, help=f"per iteration, rounded up to multiples of {CHUNK}")
    parser.add_argument("--horizon", type=int, default=6, help="the number of moves whose points count as the outcome")
    parser.add_argument("--deals", type=int, default=100, help="of each match")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--against", nargs="*", default=[], help="more opponents of the last weights")
    parser.add_argument("--save", type=Path, help="write the last weights to this file")
    options = parser.parse_args()
    weights: Floats = np.zeros(FEATURES)
    chunks = -(-options.games // CHUNK)
    trained = 0.0
    with run.processes(options.processes) as executor:
        list(run.results(partial(self_play, 0, 1, weights), range(options.processes), executor, options.processes))
        for iteration in range(options.iterations + 1):
            line, better = meet("greedy", weights, options.deals, options.seed, executor, options.processes)
            better_yet = ", better than greedy" if better else ""
            print(f"{iteration * chunks * CHUNK:6} games, {trained:5.1f} s of training: {line}{better_yet}", flush=True)
            if iteration == options.iterations:
                break
            begun = time.monotonic()
            firsts = range(iteration * chunks * CHUNK, (iteration + 1) * chunks * CHUNK, CHUNK)
            task = partial(self_play, options.seed, options.horizon, weights)
            weights = fit(list(run.results(task, firsts, executor, 2 * options.processes)))
            trained += time.monotonic() - begun
        for opponent in options.against:
            line, _ = meet(opponent, weights, options.deals, options.seed + 1, executor, options.processes)
            print(f"against {opponent}: {line}", flush=True)
    if options.save is not None:
        np.save(options.save, weights)


if __name__ == "__main__":
    main()
