"""Matches for research: bots in every seating of every deal, fast because only the engine is involved.

    python -m bench.match ocean river --deals 100
    python -m bench.match ocean rival200 --deals 100 --expert
    python -m bench.match ocean greedy greedy greedy --deals 40

`greedy` makes the first of the plays with the most points, `fickle` a random one of them.

Prints the win rate of the first bot against the others (a tie shares the win), with 95 % intervals that treat all games
of a deal as one observation.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from bench.rival import Rival
from riverstones.engine.choose import choose
from riverstones.engine.encoding import hand_from_digits, move_text, points_of
from riverstones.engine.kernel import MAX_PLAYS, generate, new_state
from riverstones.engine.levels import SEARCHING, Level
from riverstones.rules import Deal, Game, Move, Seed, Setup, Variant, View, view

Bot = Callable[[View], Move]


def plays_of(known: View) -> list[int]:
    """Every play, from the kernel, by points."""
    state = new_state(known.position.board.cells, known.setup.variant is Variant.EXPERT)
    plays = np.empty(MAX_PLAYS, np.int64)
    count = generate(state, hand_from_digits("".join(map(str, known.hand))), plays)
    return sorted(plays[:count].tolist())


def greedy(known: View) -> Move:
    """The first of the plays with the most points: what `stream` plays, but faster."""
    return Move.parse(move_text(plays_of(known)[0]))


def fickle(known: View) -> Move:
    """A random one of the plays with the most points; the same in the same position."""
    plays = plays_of(known)
    best = [play for play in plays if points_of(play) == points_of(plays[0])]
    return Move.parse(move_text(random.Random(f"{known.position.board} {known.hand}").choice(best)))


def level_bot(level: Level) -> Bot:
    """A bot that plays a level."""
    return lambda known: choose(known, level)


def bot_named(name: str, levels: dict[str, Level] = SEARCHING) -> Bot:
    """A bot by name: `greedy`, `fickle`, `rivalN` for N worlds, or a level."""
    if name == "greedy":
        return greedy
    if name == "fickle":
        return fickle
    if worlds := re.fullmatch("rival([1-9][0-9]*)", name):
        return Rival(int(worlds[1]), seed=1)
    if name not in levels:
        raise ValueError(f"there is no bot called {name!r}")
    return level_bot(levels[name])


@dataclass
class Tally:
    """The results so far; every list has one entry per deal."""

    wins: list[float] = field(default_factory=list)
    margins: list[float] = field(default_factory=list)
    points: list[float] = field(default_factory=list)
    move_seconds: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        wins, margins = interval(self.wins), interval(self.margins)
        moves = sorted(self.move_seconds)
        return (
            f"wins {100 * wins[0]:.1f} % ± {100 * wins[1]:.1f}, margin {margins[0]:+.1f} ± {margins[1]:.1f}, "
            f"points {statistics.mean(self.points):.0f}, per move {1000 * moves[len(moves) // 2]:.0f} ms (median), "
            f"{1000 * moves[-1]:.0f} ms (longest)"
        )


def interval(values: list[float]) -> tuple[float, float]:
    """The mean, and half the width of its 95 % interval."""
    return statistics.mean(values), 1.96 * statistics.stdev(values) / math.sqrt(len(values))


def deal_number(number: int) -> Deal:
    """The deal with this number, the same in all matches."""
    return Seed(number.to_bytes(32, "big")).deal()


def play_game(bots: list[Bot], setup: Setup, deal: Deal, timed: int, seconds: list[float]) -> tuple[int, ...]:
    """Play one game and return the final scores; the moves of the seat `timed` are timed."""
    game = Game.begin(setup, deal)
    while not game.over:
        known = view(game, game.to_move)
        begun = time.perf_counter()
        move = bots[game.to_move](known)
        if game.to_move == timed:
            seconds.append(time.perf_counter() - begun)
        game = game.play(move)
    return game.scores


def play_match(first: Bot, others: list[Bot], deals: range, variant: Variant, report: Callable[[Tally], None]) -> Tally:
    """Play every deal with the first bot in every seat, the others after it in order."""
    tally = Tally()
    seats = len(others) + 1
    setup = Setup(seats=seats, variant=variant)
    for number in deals:
        wins, margins, points = [], [], []
        for seat in range(seats):
            table = [first, *others]
            table = table[seats - seat :] + table[: seats - seat]
            scores = play_game(table, setup, deal_number(number), seat, tally.move_seconds)
            best = max(scores)
            wins.append((scores[seat] == best) / scores.count(best))
            margins.append(scores[seat] - max(scores[:seat] + scores[seat + 1 :]))
            points.append(scores[seat])
        tally.wins.append(statistics.mean(wins))
        tally.margins.append(statistics.mean(margins))
        tally.points.append(statistics.mean(points))
        if len(tally.wins) % 10 == 0:
            report(tally)
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "bots",
        nargs="+",
        help="greedy, fickle, rivalN or a level; two to four",
    )
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--from", type=int, default=1, dest="first", help="number of the first deal")
    parser.add_argument("--expert", action="store_true")
    parser.add_argument("--quiet", action="store_true", help="print only the result")
    options = parser.parse_args()
    if not 2 <= len(options.bots) <= 4:
        parser.error("a match has two to four bots")
    if options.deals < 2 or options.first < 0:
        parser.error("a match has two deals or more, numbered from 0")
    try:
        bots = [bot_named(name) for name in options.bots]
    except ValueError as error:
        parser.error(str(error))
    variant = Variant.EXPERT if options.expert else Variant.STANDARD
    name = f"{options.bots[0]} against {' '.join(options.bots[1:])}, {variant.value}"

    def report(tally: Tally) -> None:
        if not options.quiet:
            print(f"  {len(tally.wins) * len(bots)} games: {tally}", flush=True)

    tally = play_match(bots[0], bots[1:], range(options.first, options.first + options.deals), variant, report)
    print(f"{name}, {options.deals * len(bots)} games: {tally}", flush=True)


if __name__ == "__main__":
    main()
