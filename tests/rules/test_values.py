"""The value types of the game: parsing, formatting and immutability."""

from __future__ import annotations

import random
from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverstones import rules
from riverstones.rules import (
    SQUARES,
    Board,
    Deal,
    Explanation,
    Game,
    Malformed,
    Move,
    Play,
    Position,
    Seed,
    Series,
    Setup,
    Square,
    Tile,
    Turn,
    View,
    explain,
    view,
)
from tests.rules.strategies import boards, deals, games, moves, random_game, squares, tiles

NAMES = dict(vars(rules))


@given(st.one_of(squares, tiles, moves, boards, deals))
def test_a_value_reads_back_from_its_text_and_from_its_repr(value: Any) -> None:
    assert type(value).parse(str(value)) == value
    assert eval(repr(value), NAMES) == value


@pytest.mark.parametrize("kind", [Square, Tile, Move, Board, Deal, Seed])
@given(text=st.text() | st.text("abcdefghi123456789+=~./ABCDEFGHI", max_size=90))
def test_any_text_is_read_and_written_back_or_refused_as_malformed(kind: Any, text: str) -> None:
    try:
        value = kind.parse(text)
    except Malformed:
        return
    assert kind.parse(value.reveal() if kind is Seed else str(value)) == value


@pytest.mark.parametrize(
    ("kind", "text", "code"),
    [
        (Square, "j1", "square"),
        (Square, "a0", "square"),
        (Square, "E5", "square"),
        (Square, "", "square"),
        (Tile, "7", "tile"),
        (Tile, "+0", "tile"),
        (Tile, "-7", "tile"),
        (Move, "h3", "move"),
        (Move, "h3+7~", "move"),
        (Move, "h3+7 ~e3", "move"),
        (Move, "h3+7~e3\n", "move"),
        (Move, "h3+\N{ARABIC-INDIC DIGIT SEVEN}", "move"),
        (Move, "h3+7~e3~e3", "move_flips_twice"),
        (Board, "", "board_rows"),
        (Board, "/".join(["........."] * 8), "board_rows"),
        (Board, "/".join(["........."] * 8 + ["........"]), "board_row_length"),
        (Board, "/".join(["........."] * 8 + ["........0"]), "board_character"),
        (Board, "/".join(["........."] * 8 + ["........J"]), "board_character"),
        (Deal, "1" * 72, "deal"),
        (Deal, "123456789" * 7, "deal"),
        (Deal, "12345678\N{ARABIC-INDIC DIGIT NINE}" * 8, "deal"),
        (Seed, "0" * 63, "seed_text"),
        (Seed, "G" * 64, "seed_text"),
        (Seed, "A" * 64, "seed_text"),
    ],
)
def test_malformed_text_names_what_was_expected(kind: Any, text: str, code: str) -> None:
    with pytest.raises(Malformed) as malformed:
        kind.parse(text)
    assert malformed.value.code == code


def test_a_repeated_square_is_malformed() -> None:
    with pytest.raises(Malformed, match="square_twice"):
        Board.of("a1+3 a1=4")


def test_a_seed_has_32_bytes() -> None:
    with pytest.raises(Malformed, match="seed"):
        Seed(bytes(31))


def test_a1_is_the_top_left_corner_and_rows_count_downwards() -> None:
    assert [str(square) for square in SQUARES[:10]] == ["a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "a2"]
    assert str(Board.of("a1+1 i1=2 a9+3 e5=4")).split("/")[0::4] == ["1.......B", "....D....", "3........"]


def test_flips_are_kept_in_reading_order_and_once_each() -> None:
    e3, a1, b5 = map(Square.parse, ("e3", "a1", "b5"))
    move = Move(Square.parse("h3"), Tile.parse("+7"), (e3, b5, a1, e3))
    assert str(move) == "h3+7~a1~e3~b5"
    assert Move.parse("h3+7~b5~a1~e3") == move


@given(boards)
def test_a_board_counts_its_tiles(board: Board) -> None:
    laid = list(board)
    assert len(board) == len(laid) == sum(board.counts())
    assert all(board[square] == tile for square, tile in laid)
    assert all(board.count(digit) == sum(tile.digit == digit for _, tile in laid) for digit in range(1, 10))
    assert [square for square, _ in laid] == sorted(square for square, _ in laid)


@given(boards, squares, tiles)
def test_boards_are_changed_by_making_new_ones(board: Board, square: Square, tile: Tile) -> None:
    before = str(board)
    placed = board.place(square, tile)
    assert placed[square] == tile
    assert placed.flip([square])[square] == tile.flipped
    assert placed.flip([square]).flip([square]) == placed
    assert placed.clear(square)[square] is None
    assert board.flip([]) == board
    assert str(board) == before


@given(tiles)
def test_a_tile_flipped_twice_lies_as_before(tile: Tile) -> None:
    assert tile.flipped != tile
    assert tile.flipped.flipped == tile
    assert tile.flipped.digit == tile.digit


@pytest.fixture(scope="module")
def values() -> dict[type, Any]:
    """One value of each kind."""
    game = random_game(random.Random("frozen"), 30)
    play = game.plays()[0]
    found = [game, game.setup, game.deal, game.board, game.turns[0], play, play.move, play.move.tile, play.kakuros[0]]
    found += [explain(game.board, play.move), view(game, 0), Position.of(game), Seed(bytes(32))]
    return {type(value): value for value in found}


@pytest.mark.parametrize(
    "kind",
    [Game, Setup, Deal, Board, Turn, Play, Move, Tile, Series, Explanation, View, Position, Seed],
    ids=lambda kind: kind.__name__,
)
def test_a_value_is_hashable_and_cannot_be_changed(values: dict[type, Any], kind: type) -> None:
    value = values[kind]
    assert hash(value) == hash(replace(value))
    with pytest.raises(FrozenInstanceError):
        setattr(value, fields(value)[0].name, None)
    with pytest.raises((AttributeError, TypeError)):
        value.something_new = 1


@given(games(most=20))
def test_a_move_leaves_the_game_it_was_played_in_alone(game: Game) -> None:
    before = repr(game)
    game.play(game.plays()[0].move)
    assert repr(game) == before
