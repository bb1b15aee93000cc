"""Compare the kernel with the rules, move for move, for as long as you like.

Games are played by seeded players that are in turn greedy, fond of flips or careless, from every layout, with two to
four seats, in both variants. At every position the two must give the same set of plays with the same points, for the
hand of the seat to move and sometimes for all nine digits, and the facts that the kernel updates incrementally must
equal those computed from scratch. The first difference is printed with its position and ends the run with status 1.
Ctrl-C ends it with a summary so far; `--seed` and `--first` repeat a part of it.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator

import numpy as np

from riverstones.engine import kernel
from riverstones.engine.encoding import move_from_text, move_text, points_of
from riverstones.rules import DIGITS, Board, Deal, Game, Hand, Layout, Play, Setup, Variant, plays


class Different(Exception):
    """The kernel and the rules do not agree."""


def compare(state: kernel.State, board: Board, hand: Hand, variant: Variant, buffer: kernel.Plays) -> int:
    """Compare the plays; returns their number and raises `Different` if they differ."""
    mask = sum(1 << digit for digit in set(hand))
    count = kernel.generate(state, mask, buffer)
    found = {move_text(play): points_of(play) for play in buffer[:count].tolist()}
    expected = {str(play.move): play.points for play in plays(board, hand, variant)}
    if found == expected and count == len(expected):
        return count
    wrong = sorted(
        f"  {move}: kernel {found.get(move, 'nothing')}, rules {expected.get(move, 'nothing')}"
        for move in found.keys() | expected.keys()
        if found.get(move) != expected.get(move)
    )
    digits = "".join(map(str, hand))
    raise Different(
        "\n".join([f"{board} {digits} {variant.value}", *wrong[:10], f"  {count} and {len(expected)} plays"])
    )


def compare_facts(state: kernel.State, board: Board, variant: Variant) -> None:
    fresh = kernel.new_state(board.cells, variant is Variant.EXPERT)
    best, fresh_best = np.zeros(10, np.int64), np.zeros(10, np.int64)
    kernel.best_by_digit(state, best)
    kernel.best_by_digit(fresh, fresh_best)
    # Entries after the last flip of a line may be stale.
    same = all(
        np.array_equal(kept[: 22 + kept[21]], found[: 22 + found[21]]) for kept, found in zip(state, fresh, strict=True)
    )
    if not same or not np.array_equal(best, fresh_best):
        raise Different(f"{board} {variant.value}: the incremental facts differ from those computed from scratch")


def choose(choices: list[Play], rng: random.Random) -> Play:
    """A move chosen in one of three moods, so that boards become crowded, scattered and full of Kakuros."""
    mood = rng.random()
    if mood < 0.45:
        return choices[0]
    flips = [play for play in choices if play.move.flips]
    return rng.choice(flips if flips and mood < 0.7 else choices)


def play_game(seed: int, number: int, buffer: kernel.Plays) -> Iterator[int]:
    """Play a game and compare at each position; yields the number of plays compared."""
    rng = random.Random(f"differential {seed} {number}")
    tiles = [digit for digit in DIGITS for _ in range(8)]
    rng.shuffle(tiles)
    variant = list(Variant)[number % 2]
    setup = Setup(rng.choice((2, 3, 4)), variant, rng.choice(list(Layout)))
    game = Game.begin(setup, Deal(tuple(tiles)))
    state = kernel.new_state(game.board.cells, variant is Variant.EXPERT)
    while not game.over:
        hand = tuple(DIGITS) if rng.random() < 0.1 else game.hand
        compared = compare(state, game.board, hand, variant, buffer)
        compare_facts(state, game.board, variant)
        move = choose(game.plays(), rng).move
        game = game.play(move)
        kernel.play(state, move_from_text(str(move)))
        yield compared


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=2000, help="number of games to compare")
    parser.add_argument("--seed", type=int, default=0, help="random seed of the games")
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    options = parser.parse_args()

    buffer = np.zeros(kernel.MAX_PLAYS, np.int64)
    games = positions = compared = 0
    begun = shown = time.monotonic()
    ended = ""
    try:
        for number in range(options.first, options.first + options.games):
            for count in play_game(options.seed, number, buffer):
                positions += 1
                compared += count
            games += 1
            if time.monotonic() - shown > 1:
                shown = time.monotonic()
                rate = positions / (shown - begun)
                print(
                    f"\r{games} of {options.games} games, {positions:,} positions, {rate:,.0f} per second ",
                    end="",
                    flush=True,
                )
    except KeyboardInterrupt:
        ended = " (stopped)"
    except Different as difference:
        sys.exit(
            f"\nGame {options.first + games} of seed {options.seed}: the kernel and the rules differ.\n{difference}"
        )
    print(f"\r{games} games, {positions:,} positions, {compared:,} plays: the kernel equals the rules{ended}.")


if __name__ == "__main__":
    main()
