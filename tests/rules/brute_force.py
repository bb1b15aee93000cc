"""The rules by brute force, from their definition alone.

Nothing from `riverstones` is imported here. A board is a dictionary from square names to tiles: `{"a1": "=8", "b1":
"+3"}`. To judge a move, the whole board is searched for Kakuros before and after it, and the rules are applied
literally to the two sets. It is slow, and meant to be too simple to be wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations, product

COLUMNS, ROWS = "abcdefghi", "123456789"

Tiles = dict[str, str]
"""The tile on each occupied square."""
Kakuro = tuple[str, ...]
"""The squares of a Kakuro with their tiles, the total first: `("a1=8", "b1+3", "c1+5")`."""
Flips = tuple[str, ...]
ChooseFlips = Callable[[Tiles, str], list[Flips]]
"""The sets of flips to try when a tile is placed on a square."""


def read_board(text: str) -> Tiles:
    """The tiles of a written board: nine rows from the top, `1`-`9` yellow, `A`-`I` red."""
    tiles = {}
    for number, row in zip(ROWS, text.split("/"), strict=True):
        for letter, char in zip(COLUMNS, row, strict=True):
            if char != ".":
                tiles[letter + number] = f"+{char}" if char.isdigit() else f"={'ABCDEFGHI'.index(char) + 1}"
    return tiles


def write_board(tiles: Tiles) -> str:
    """The written board of these tiles."""

    def char(square: str) -> str:
        tile = tiles.get(square, "+.")
        return tile[1] if tile[0] == "+" else "ABCDEFGHI"[int(tile[1]) - 1]

    return "/".join("".join(char(letter + number) for letter in COLUMNS) for number in ROWS)


def step(square: str, right: int, down: int) -> str | None:
    """The square this many columns to the right and rows down, if it is on the board."""
    column, row = COLUMNS.index(square[0]) + right, ROWS.index(square[1]) + down
    return COLUMNS[column] + ROWS[row] if 0 <= column < 9 and 0 <= row < 9 else None


RIGHT = {square: step(square, 1, 0) for square in map("".join, product(COLUMNS, ROWS))}
DOWN = {square: step(square, 0, 1) for square in RIGHT}
NEIGHBOURS = {
    square: [near for near in (RIGHT[square], DOWN[square], step(square, -1, 0), step(square, 0, -1)) if near]
    for square in RIGHT
}


def kakuros(tiles: Tiles) -> dict[Kakuro, str | None]:
    """Every Kakuro on a board, with the square after its last addend (None at the edge)."""
    found: dict[Kakuro, str | None] = {}
    for square, tile in tiles.items():
        if tile[0] == "+":
            continue
        for onwards in (RIGHT, DOWN):
            run = []
            behind = onwards[square]
            while behind is not None and tiles.get(behind, "=")[0] == "+":
                run.append(behind)
                behind = onwards[behind]
            if len(run) < 2:
                continue
            digits = [int(tiles[member][1]) for member in run]
            if len(set(digits)) == len(digits) and str(sum(digits))[-1] == tile[1]:
                found[(square + tile, *(member + tiles[member] for member in run))] = behind
    return found


def points(kakuro: Kakuro) -> int:
    """The sum of a Kakuro's addends."""
    return sum(int(member[-1]) for member in kakuro[1:])


class Judge:
    """Judges moves on one board."""

    def __init__(self, tiles: Tiles) -> None:
        self.tiles = tiles
        self.before = set(kakuros(tiles))

    def scored(self, square: str, tile: str, flips: Flips) -> frozenset[Kakuro]:
        """The Kakuros that a move would score: new ones whose run does not end at a tile that it flipped to red."""
        flipped = {flip: ("+" if self.tiles[flip][0] == "=" else "=") + self.tiles[flip][1] for flip in flips}
        flipped_to_red = {flip for flip, flipped_tile in flipped.items() if flipped_tile[0] == "="}
        after = kakuros({**self.tiles, **flipped, square: tile})
        return frozenset(
            kakuro for kakuro, behind in after.items() if kakuro not in self.before and behind not in flipped_to_red
        )

    def verdict(self, square: str, tile: str, flips: Flips = (), most_flips: int = 1) -> frozenset[Kakuro] | None:
        """The Kakuros that a move scores, or None if it is not legal."""
        if square in self.tiles or not any(near in self.tiles for near in NEIGHBOURS[square]):
            return None
        if len(flips) > most_flips or not all(flip in self.tiles for flip in flips):
            return None
        made = self.scored(square, tile, flips)
        if flips and not any({square, *flips} <= {member[:2] for member in kakuro} for kakuro in made):
            return None
        return made

    def verdicts(
        self, hand: Iterable[int], choose_flips: ChooseFlips, most_flips: int
    ) -> Iterator[tuple[str, frozenset[Kakuro] | None]]:
        """The verdict on every placement of a hand with every choice of flips, by the move's text."""
        tiles = [side + str(digit) for digit in sorted(set(hand)) for side in "+="]
        for square in RIGHT:
            if square in self.tiles or not any(near in self.tiles for near in NEIGHBOURS[square]):
                continue
            for flips, tile in product(choose_flips(self.tiles, square), tiles):
                yield move_text(square, tile, flips), self.verdict(square, tile, flips, most_flips)


def move_text(square: str, tile: str, flips: Flips) -> str:
    """A move as it is written, the flips in reading order."""
    return "".join([square, tile, *(f"~{flip}" for flip in in_reading_order(flips))])


def in_reading_order(squares: Iterable[str]) -> list[str]:
    return sorted(squares, key=lambda square: (square[1], square[0]))


def no_flip_or_one(tiles: Tiles, square: str) -> list[Flips]:
    """No flip, or any one tile of the board flipped."""
    return [(), *((flip,) for flip in tiles)]


def every_subset(tiles: Tiles, square: str) -> list[Flips]:
    """Every set of tiles of the board; only for small boards."""
    return subsets(tiles)


def every_subset_of_a_line(tiles: Tiles, square: str) -> list[Flips]:
    """Every set of tiles in the row of the square, and in its column: a Kakuro lies in one line."""
    in_column = subsets(flip for flip in tiles if flip[0] == square[0])
    in_row = subsets(flip for flip in tiles if flip[1] == square[1])
    return [*in_column, *(flips for flips in in_row if flips)]


def subsets(squares: Iterable[str]) -> list[Flips]:
    members = list(squares)
    return list(chain.from_iterable(combinations(members, count) for count in range(len(members) + 1)))
