"""Counts of plays by depth from fixed positions, and a divide that shows where they differ (perft).

From a position, with the order of the bag fixed by the deal, there is a definite number of sequences of one, two or
three plays. A file in `counts/` states them: the game so far, the counts at each depth, and the subtotals of the
deepest by first move. Any implementation of the rules can be compared. If it disagrees, the subtotals show which first
move leads to the difference; add that move to the game and divide again.

    python -m tests.rules.divide tests/rules/counts/opening-sides.txt [--depth 2] [--brute-force]

prints a file's game with the current counts, in the form of the file.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from riverstones.rules import Deal, Game, Layout, Move, Setup, Variant
from tests.rules import brute_force

FOLDER = Path(__file__).parent / "counts"


class Tally(NamedTuple):
    """The plays at the end of sequences: their number, the number with flips, and the sum of their points."""

    plays: int
    flips: int
    points: int


Listing = Callable[[Game], dict[str, int]]
"""A function that lists the legal moves of a game as text, with their points."""


def by_rules(game: Game) -> dict[str, int]:
    return {str(play.move): play.points for play in game.plays()}


def by_brute_force(game: Game) -> dict[str, int]:
    """The same from the definition alone; slow. A Kakuro lies in one line, so only flips of a line are tried."""
    standard = game.setup.variant is Variant.STANDARD
    choose_flips = brute_force.no_flip_or_one if standard else brute_force.every_subset_of_a_line
    judge = brute_force.Judge(brute_force.read_board(str(game.board)))
    verdicts = judge.verdicts(game.hand, choose_flips, 1 if standard else 9)
    return {text: sum(map(brute_force.points, made)) for text, made in verdicts if made is not None}


def tally(game: Game, depth: int, listing: Listing = by_rules) -> Tally:
    """Count the plays at a depth; depth 1 counts those of this position."""
    moves = listing(game)
    if depth == 1:
        return Tally(len(moves), sum("~" in text for text in moves), sum(moves.values()))
    return total(divide(game, depth, listing))


def divide(game: Game, depth: int, listing: Listing = by_rules) -> dict[str, Tally]:
    """The tally at a depth of two or more, by first move in alphabetical order."""
    return {text: tally(game.play(Move.parse(text)), depth - 1, listing) for text in sorted(listing(game))}


def total(subtotals: dict[str, Tally]) -> Tally:
    """The tally that subtotals add up to."""
    return Tally(*map(sum, zip(*subtotals.values(), strict=True)))


@dataclass(frozen=True)
class Case:
    """The contents of a file: a game, its tallies from depth 1 on, and the divide of the deepest."""

    game: Game
    tallies: list[Tally]
    subtotals: dict[str, Tally]

    @classmethod
    def read(cls, path: Path) -> Case:
        """Read a file as `written` writes it."""
        head, counts, subtotals = path.read_text(encoding="ascii").split("\n\n")
        fields = dict(line.split(maxsplit=1) for line in head.splitlines())
        setup = Setup(int(fields["seats"]), Variant(fields["variant"]), Layout(fields["layout"]), int(fields["start"]))
        game = Game.begin(setup, Deal.parse(fields["deal"]))
        for text in fields.get("moves", "").split():
            game = game.play(Move.parse(text))
        return cls(game, list(_rows(counts).values()), _rows(subtotals))


def _rows(block: str) -> dict[str, Tally]:
    rows = [line.split() for line in block.splitlines()[1:]]
    return {name: Tally(*map(int, numbers)) for name, *numbers in rows}


def written(game: Game, depth: int, listing: Listing = by_rules) -> str:
    """A game with its counts down to a depth, in the form of a file."""
    setup = game.setup
    head = {
        "seats": setup.seats,
        "variant": setup.variant.value,
        "layout": setup.layout.value,
        "start": setup.start,
        "deal": game.deal,
        "moves": " ".join(str(turn.move) for turn in game.turns),
    }
    subtotals = divide(game, depth, listing)
    tallies = [*(tally(game, level, listing) for level in range(1, depth)), total(subtotals)]
    return "\n\n".join(
        [
            "\n".join(f"{name:<8}{value}" for name, value in head.items() if value != ""),
            _block("depth", {str(level): row for level, row in enumerate(tallies, start=1)}),
            _block(f"at {depth}", subtotals) + "\n",
        ]
    )


def _block(title: str, rows: dict[str, Tally]) -> str:
    head = f"{title:<16}{'plays':>8}{'flips':>8}{'points':>9}"
    return "\n".join([head, *(f"{name:<16}{row.plays:>8}{row.flips:>8}{row.points:>9}" for name, row in rows.items())])


def main() -> None:
    parser = argparse.ArgumentParser(description="Count the plays of a file's game and divide them by the first move.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--depth", type=int, help="depth of the count (default: that of the file)")
    parser.add_argument("--brute-force", action="store_true", help="list the plays from the definition (slow)")
    options = parser.parse_args()
    case = Case.read(options.file)
    listing = by_brute_force if options.brute_force else by_rules
    print(written(case.game, options.depth or len(case.tallies), listing), end="")


if __name__ == "__main__":
    main()
