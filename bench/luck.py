"""The mean luck of every level, which must be zero whoever plays: the figures of docs/study.md.

    python -m bench.luck --games 400
    python -m bench.luck --games 400 --turns 4 pebble

Plays games between bots of one level and adds up the effect on the first seat of the tiles that each seat drew. Prints
the mean over the games, its standard error, and their ratio z, which exceeds 3 in one of 370 measurements by chance.
With `--turns` only so many turns of each game are measured, spread over the game and different in every game.
"""

from __future__ import annotations

import argparse
import hashlib
import statistics
from collections.abc import Collection, Iterator

from riverstones.engine import bots
from riverstones.rules import Game, Seed, Setup, view
from riverstones.study.review.luck import Look


def luck_of(level: str, number: int, setup: Setup, measured: Collection[int]) -> Iterator[tuple[int, float]]:
    """The seat that drew, and the effect on the first seat, for these turns of a game between bots of one level."""
    game = Game.begin(setup, Seed(hashlib.sha256(f"luck {number}".encode()).digest()).deal())
    players = [bots.make(level, seed=100 * number + seat) for seat in range(setup.seats)]
    while not game.over:
        if len(game.turns) in measured:
            yield game.to_move, Look.at(game).luck[0]
        game = game.play(players[game.to_move](view(game, game.to_move)))


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description="Measure the mean luck of the levels.")
    parser.add_argument("levels", nargs="*", help="the levels (default: all of them)")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--turns", type=int, default=67, help="the number of turns measured in each game")
    options = parser.parse_args()
    setup = Setup(options.seats)
    print(f"{options.games} games per level, {setup.seats} seats, {options.turns} turns of each")
    print("level      own tiles ± error      z   others' tiles ± error      z   (effect on the first seat, in %)")
    for level in options.levels or bots.offered():
        own, others = [], []
        for number in range(options.games):
            measured = {(number * 29 + place * 67 // options.turns) % 67 for place in range(options.turns)}
            lucks = list(luck_of(level, number, setup, measured))
            own.append(100 * sum(luck for seat, luck in lucks if seat == 0))
            others.append(100 * sum(luck for seat, luck in lucks if seat != 0))
        cells = []
        for effects in (own, others):
            mean, error = statistics.mean(effects), statistics.stdev(effects) / len(effects) ** 0.5
            cells.append(f"{mean:+8.3f} ± {error:6.3f}  {mean / error:+6.2f}")
        print(f"{level:9}  {'      '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
