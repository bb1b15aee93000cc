"""Games and boards for tests, from Hypothesis and from seeded generators."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from riverstones.rules import (
    COPIES,
    DIGITS,
    SQUARES,
    Board,
    Deal,
    Game,
    Layout,
    Move,
    Scoring,
    Setup,
    Side,
    Square,
    Tile,
    Variant,
)
from riverstones.rules.squares import LINES_OF

ALL_TILES = [digit for digit in DIGITS for _ in range(COPIES)]
PLACEMENTS = 67

squares: st.SearchStrategy[Square] = st.sampled_from(SQUARES)
tiles: st.SearchStrategy[Tile] = st.builds(Tile, st.sampled_from(DIGITS), st.sampled_from(Side))
moves: st.SearchStrategy[Move] = st.builds(Move, squares, tiles, st.lists(squares, max_size=4).map(tuple))
deals: st.SearchStrategy[Deal] = st.permutations(ALL_TILES).map(lambda digits: Deal(tuple(digits)))
boards: st.SearchStrategy[Board] = (
    st.lists(st.sampled_from(".........123456789123456789ABCDEFGHI"), min_size=81, max_size=81).map("".join).map(Board)
)
"""Any board, even with more tiles of a digit than exist."""


@st.composite
def moves_on(draw: st.DrawFn, board: Board) -> Move:
    """A move that is often nearly legal: next to other tiles, with flips in its row or its column."""
    square = draw(st.sampled_from(board.frontier() or SQUARES) | squares)
    line = draw(st.sampled_from(LINES_OF[square]))
    laid = [other for other in line.squares if board[other]]
    flips = draw(st.lists(st.sampled_from(laid), max_size=3) if laid else st.just([])) + draw(
        st.lists(squares, max_size=1)
    )
    return Move(square, draw(tiles), tuple(flips))


@st.composite
def setups(draw: st.DrawFn, scoring: Scoring = Scoring.AUTOMATIC) -> Setup:
    """A setup: any number of seats, either variant, any layout, any first seat."""
    seats = draw(st.integers(2, 4))
    start = draw(st.integers(0, seats - 1))
    return Setup(seats, draw(st.sampled_from(Variant)), draw(st.sampled_from(Layout)), start, scoring)


@st.composite
def games(draw: st.DrawFn, least: int = 0, most: int = PLACEMENTS) -> Game:
    """A game in progress. Choice 0 is the best play, so a failing example shrinks to sensible moves."""
    game = Game.begin(draw(setups()), draw(deals))
    for choice in draw(st.lists(st.integers(0, 999), min_size=least, max_size=most)):
        plays = game.plays()
        game = game.play(plays[choice % len(plays)].move)
    return game


def random_setup(rng: random.Random, variant: Variant | None = None) -> Setup:
    """A random setup."""
    seats = rng.choice((2, 3, 4))
    variant = variant or rng.choice(list(Variant))
    return Setup(seats, variant, rng.choice(list(Layout)), rng.randrange(seats))


def random_deal(rng: random.Random) -> Deal:
    """A random deal."""
    return Deal(tuple(rng.sample(ALL_TILES, len(ALL_TILES))))


def random_move(rng: random.Random, game: Game) -> Move:
    """A legal move: half of the time the best one, otherwise any, so that Kakuros and flips are frequent."""
    plays = game.plays()
    return (plays[0] if rng.random() < 0.5 else rng.choice(plays)).move


def random_game(rng: random.Random, placements: int, variant: Variant | None = None) -> Game:
    """A game after this many placements."""
    game = Game.begin(random_setup(rng, variant), random_deal(rng))
    for _ in range(placements):
        game = game.play(random_move(rng, game))
    return game


def random_board(rng: random.Random, count: int, width: int, height: int) -> Board:
    """A board with this many tiles in a rectangle, whether reachable by play or not."""
    left, top = rng.randint(0, 9 - width), rng.randint(0, 9 - height)
    inside = [SQUARES[9 * (top + row) + left + column] for row in range(height) for column in range(width)]
    reds = rng.choice((0.15, 0.3, 0.5))
    board = Board()
    for square in rng.sample(inside, count):
        side = Side.TOTAL if rng.random() < reds else Side.ADDEND
        board = board.place(square, Tile(rng.choice(DIGITS), side))
    return board
