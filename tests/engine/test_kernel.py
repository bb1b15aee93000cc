"""The kernel finds exactly the legal plays with their points.

It is compared with the rulebook's figures, with a brute force that knows only what a Kakuro is and what a move scores,
and with the readable rules on positions from whole games.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import chain, combinations

import numpy as np
import pytest

from riverstones.rules import Board, Deal, Game, Layout, Setup, Variant, plays

kernel = pytest.importorskip("riverstones.engine.kernel", reason="Numba is not installed")
encoding = pytest.importorskip("riverstones.engine.encoding")
greedy = pytest.importorskip("riverstones.engine.greedy")

Tiles = dict[tuple[int, int], tuple[int, bool]]
"""A board for the brute force: (row, column) to (digit, is it red)."""
Kakuro = tuple[tuple[int, int], ...]

VARIANTS = [pytest.param(Variant.STANDARD, id="standard"), pytest.param(Variant.EXPERT, id="expert")]


# The brute force ------------------------------------------------------------------------------------------


def kakuros(tiles: Tiles) -> Iterator[tuple[Kakuro, int]]:
    """Every Kakuro of a board: its squares, the total first, and what it is worth."""
    for (row, column), (total, red) in tiles.items():
        if not red:
            continue
        for down, right in ((0, 1), (1, 0)):
            squares = [(row, column)]
            while True:
                square = squares[-1][0] + down, squares[-1][1] + right
                if square not in tiles or tiles[square][1]:
                    break
                squares.append(square)
            addends = [tiles[square][0] for square in squares[1:]]
            if len(addends) >= 2 and len(set(addends)) == len(addends) and sum(addends) % 10 == total:
                yield tuple(squares), sum(addends)


def next_square(kakuro: Kakuro) -> tuple[int, int]:
    """The square after the last addend of a Kakuro."""
    (row, column), (last_row, last_column) = kakuro[-2:]
    return 2 * last_row - row, 2 * last_column - column


def brute_force(tiles: Tiles, hand: set[int], expert: bool) -> dict[str, int]:
    """Every legal move and its points, by trying everything."""
    found = {}
    squares = {(row, column) for row in range(9) for column in range(9)}
    free = {
        (row, column)
        for row, column in squares - tiles.keys()
        if {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)} & tiles.keys()
    }
    before = {(kakuro, tuple(tiles[square] for square in kakuro)) for kakuro, _ in kakuros(tiles)}
    most = len(tiles) if expert else 1
    for flips in chain.from_iterable(combinations(sorted(tiles), count) for count in range(most + 1)):
        flipped = {square: (digit, red ^ (square in flips)) for square, (digit, red) in tiles.items()}
        stoppers = {square for square in flips if flipped[square][1]}
        for place in free:
            for digit in hand:
                for red in (False, True):
                    after = flipped | {place: (digit, red)}
                    made = [
                        (kakuro, points)
                        for kakuro, points in kakuros(after)
                        if (kakuro, tuple(after[square] for square in kakuro)) not in before
                        and next_square(kakuro) not in stoppers
                    ]
                    if flips and not any({place, *flips} <= set(kakuro) for kakuro, _ in made):
                        continue
                    found[text(place, digit, red, flips)] = sum(points for _, points in made)
    return found


def text(place: tuple[int, int], digit: int, red: bool, flips: tuple[tuple[int, int], ...]) -> str:
    names = ["abcdefghi"[column] + str(row + 1) for row, column in (place, *flips)]
    return "~".join([f"{names[0]}{'=' if red else '+'}{digit}", *names[1:]])


def cells(tiles: Tiles) -> str:
    characters = ["."] * 81
    for (row, column), (digit, red) in tiles.items():
        characters[9 * row + column] = "ABCDEFGHI"[digit - 1] if red else str(digit)
    return "".join(characters)


# The kernel's answers -------------------------------------------------------------------------------------


def generated(state: np.ndarray, hand: int) -> dict[str, int]:
    out = np.zeros(kernel.MAX_PLAYS, np.int64)
    count = kernel.generate(state, hand, out)
    found = {encoding.move_text(play): encoding.points_of(play) for play in out[:count].tolist()}
    assert len(found) == count, "a play was given twice"
    return found


def hand_of(digits: set[int]) -> int:
    return sum(1 << digit for digit in digits)


def random_tiles(rng: random.Random, count: int, rows: int, columns: int) -> Tiles:
    """Tiles in a rectangle somewhere on the board, small enough for long runs and Kakuros to be frequent."""
    top, left = rng.randint(0, 9 - rows), rng.randint(0, 9 - columns)
    squares = [(top + row, left + column) for row in range(rows) for column in range(columns)]
    share = rng.choice([0.2, 0.4, 0.6])
    return {square: (rng.randint(1, 9), rng.random() < share) for square in rng.sample(squares, count)}


# Tests ----------------------------------------------------------------------------------------------------

FIGURE_2 = "a2=9 b2+8 c2+3 c4=3 c5+9 d4=5 e4+2 e5=6 f5+7 f6+1 g6+5 h6+8"
FIGURE_3 = "g1=9 f2+6 g2+3 h2+9 e3+6 g3+9 d4=5 e4+2 f4+6 e5=6 f5+7 f6+1 g6+5 h6+8 e7+4 f7=8"
FIGURE_7 = "a3=1 b3+8 c3+2 d3+1 e3+4 f3+5 g3+2 e4+3 e5+1"


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("position", "move", "points"),
    [
        ("a1=8 b1+3", "c1+5", 8),
        ("a1=8 c1+5", "b1+3", 8),
        ("b1+3 c1+5", "a1=8", 8),
        ("a1+7 b1+1", "c1=8", 0),
        (FIGURE_2, "c6+4", 13),
        (FIGURE_2, "e6=4", 14),
        (FIGURE_2, "d2+8", 0),
        (FIGURE_2, "f4+6", 0),
        (FIGURE_2, "f7=8", 0),
        (FIGURE_3, "e2=8", 26),
        (FIGURE_3, "e6=4", 14),
        (FIGURE_3, "g4+7", 34),
        ("a1+2 b1+6 c1+4", "d1+2~a1", 12),
        ("a1=3 b1+9 c1+3 d1=2 e1+5 f1+1 g1+6", "h1+7~d1", 33),
        ("a1=2 c1+1 d1+6 e1+5", "b1+5~e1", None),
        (FIGURE_7, "h3+7~e3", 18),
        (FIGURE_7 + " h1=9 h2+2", "h3+7~e3", 27),
    ],
)
def test_the_figures_of_the_rulebook(position: str, move: str, points: int | None, variant: Variant) -> None:
    state = kernel.new_state(Board.of(position).cells, variant is Variant.EXPERT)
    hand = 1 << encoding.digit_of(encoding.move_from_text(move))
    assert generated(state, hand).get(move) == points


@pytest.mark.parametrize("seed", range(40))
def test_one_flip_against_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    rows, columns = rng.choice([(1, 9), (9, 1), (2, 9), (9, 2), (3, 4), (5, 5), (9, 9)])
    tiles = random_tiles(rng, rng.randint(1, min(20, rows * columns - 1)), rows, columns)
    digits = set(rng.sample(range(1, 10), 2)) if len(tiles) > 10 else set(range(1, 10))
    assert generated(kernel.new_state(cells(tiles)), hand_of(digits)) == brute_force(tiles, digits, False)


@pytest.mark.parametrize("seed", range(40))
def test_many_flips_against_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    rows, columns = rng.choice([(1, 9), (9, 1), (2, 5), (5, 2), (3, 3)])
    tiles = random_tiles(rng, rng.randint(2, min(7, rows * columns - 1)), rows, columns)
    digits = set(range(1, 10)) if len(tiles) < 6 else set(rng.sample(range(1, 10), 3))
    state = kernel.new_state(cells(tiles), expert=True)
    assert generated(state, hand_of(digits)) == brute_force(tiles, digits, True)


def test_full_lines_against_brute_force() -> None:
    """Eight tiles in a line and one hole: the most flips a line can have, and the longest Kakuros."""
    rng = random.Random(8)
    for _ in range(12):
        order = rng.sample(range(1, 10), 9)
        hole = rng.randrange(9)
        tiles = {(4, column): (order[column], rng.random() < 0.6) for column in range(9) if column != hole}
        state = kernel.new_state(cells(tiles), expert=True)
        digits = {order[hole], rng.randint(1, 9)}
        assert generated(state, hand_of(digits)) == brute_force(tiles, digits, True)


def walk(seed: int, variant: Variant) -> Iterator[Game]:
    """The positions of a game in which half of the moves are the best play and half are chosen at random."""
    rng = random.Random(seed)
    digits = [digit for digit in range(1, 10) for _ in range(8)]
    rng.shuffle(digits)
    layout = rng.choice(list(Layout))
    setup = Setup(seats=rng.choice([2, 3, 4]), variant=variant, layout=layout)
    game = Game.begin(setup, Deal(tuple(digits)))
    while not game.over:
        yield game
        choices = game.plays()
        flips = [play for play in choices if play.move.flips]
        if rng.random() < 0.5:
            choices = choices[:1]
        elif flips and rng.random() < 0.5:
            choices = flips
        game = game.play(rng.choice(choices).move)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(20))
def test_every_play_equals_the_rules(seed: int, variant: Variant) -> None:
    """On positions of whole games the kernel's plays are those of the rules."""
    expert = variant is Variant.EXPERT
    live = None
    for game in walk(seed, variant):
        fresh = kernel.new_state(game.board.cells, expert)
        if live is None:
            live = fresh
        else:
            kernel.play(live, encoding.move_from_text(str(game.turns[-1].move)))
            assert np.array_equal(facts(live), facts(fresh)), "what was kept up to date equals what is found anew"
        judged = {str(play.move): play.points for play in plays(game.board, game.hand, variant)}
        assert generated(live, hand_of(set(game.hand))) == judged


def facts(state: np.ndarray) -> np.ndarray:
    """A state without stale entries after the last flip of each line."""
    clean = state.copy()
    for line in range(18):
        clean[line, 22 + clean[line, 21] :] = 0
    return clean


@pytest.mark.parametrize("variant", VARIANTS)
def test_best_by_digit_is_the_first_of_the_sorted_plays(variant: Variant) -> None:
    out = np.zeros(kernel.MAX_PLAYS, np.int64)
    best = np.zeros(10, np.int64)
    for game in walk(99, variant):
        state = kernel.new_state(game.board.cells, variant is Variant.EXPERT)
        kernel.best_by_digit(state, best)
        for digit in range(1, 10):
            count = kernel.generate(state, 1 << digit, out)
            assert best[digit] == out[:count].min()


@pytest.mark.parametrize("variant", VARIANTS)
def test_undo_restores_everything(variant: Variant) -> None:
    out = np.zeros(kernel.MAX_PLAYS, np.int64)
    saved = np.zeros(kernel.SAVED_SHAPE, np.int32)
    for game in walk(7, variant):
        state = kernel.new_state(game.board.cells, variant is Variant.EXPERT)
        before = state.copy()
        count = kernel.generate(state, encoding.ALL_DIGITS, out)
        for play in out[:count:3].tolist():
            kernel.apply(state, play, saved)
            assert kernel.board_text(state) == after(game.board, encoding.move_text(play))
            kernel.undo(state, play, saved)
            assert np.array_equal(state, before)


def after(board: Board, move: str) -> str:
    placed, *flips = move.split("~")
    tiles = {(square.row, square.column): (tile.digit, tile.char.isalpha()) for square, tile in board}
    for flip in flips:
        square = int(flip[1]) - 1, "abcdefghi".index(flip[0])
        tiles[square] = tiles[square][0], not tiles[square][1]
    tiles[int(placed[1]) - 1, "abcdefghi".index(placed[0])] = int(placed[3]), placed[2] == "="
    return cells(tiles)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_games_equal_greedy_games_by_the_rules(seats: int, variant: Variant) -> None:
    rng = random.Random(seats)
    digits = [digit for digit in range(1, 10) for _ in range(8)]
    rng.shuffle(digits)
    deals = np.array([digits], np.uint8)
    scores, _ = greedy.greedy_games(deals, seats, variant is Variant.EXPERT)

    game = Game.begin(Setup(seats=seats, variant=variant), Deal(tuple(digits)))
    while not game.over:
        ranked = [(-play.points, encoding.move_from_text(str(play.move)), play.move) for play in game.plays()]
        game = game.play(min(ranked)[2])
    assert tuple(scores[0].tolist()) == game.scores


def test_moves_and_plays_sort_best_first_then_in_reading_order() -> None:
    texts = ["a1+2", "a1=2", "a1+3", "b1+2", "b1+2~a1", "a2+1", "a2+1~a1", "i9=9"]
    codes = [encoding.move_from_text(move) for move in texts]
    assert codes == sorted(codes)
    assert [encoding.move_text(code) for code in codes] == texts


@pytest.mark.parametrize(
    "bad", ["a1", "j1+2", "a1+0", "a1*2", "a1+2~", "a1+2~a1", "a1+2~b1~b1", "a1+2~b2", "a1+2~b1~a2"]
)
def test_moves_that_the_kernel_cannot_encode_are_refused(bad: str) -> None:
    with pytest.raises(ValueError, match=re.escape(bad)):
        encoding.move_from_text(bad)


def test_a_board_reads_and_writes_its_text() -> None:
    rows = "........./........./....6..../........./..9.D.7../........./....4..../........./........."
    assert kernel.board_text(kernel.new_state(rows)) == rows.replace("/", "")
    for bad in (rows[:-1], rows.replace("D", "J"), rows.replace("6", "0")):
        with pytest.raises(ValueError, match="not a board"):
            encoding.board_from_text(bad)
