"""Invariants of the game, checked at every state of whole games."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverstones.rules import (
    SQUARES,
    Board,
    Game,
    Layout,
    Move,
    Scoring,
    Setup,
    Square,
    Variant,
    all_series,
    explain,
    kakuros,
    plays,
    refusal,
)
from tests.rules.strategies import PLACEMENTS, boards, games, moves_on, random_deal
from tests.rules.walker import check_state, check_turn, replayed, walk

PER_SEAT = {2: (34, 33), 3: (23, 22, 22), 4: (17, 17, 17, 16)}
"""The number of tiles each seat places, in the order of play."""


@pytest.mark.parametrize("seats", PER_SEAT)
@pytest.mark.parametrize("variant", Variant, ids=lambda variant: variant.value)
@pytest.mark.parametrize("scoring", Scoring, ids=lambda scoring: scoring.value)
def test_every_invariant_holds_at_every_state_of_a_game(scoring: Scoring, variant: Variant, seats: int) -> None:
    rng = random.Random(f"{scoring.value} {variant.value} {seats}")
    for layout in Layout:
        setup = Setup(seats, variant, layout, rng.randrange(seats), scoring)
        before: Game | None = None
        for game in walk(setup, random_deal(rng), rng):
            check_state(game)
            if before is not None and len(game.turns) > len(before.turns):
                legal = refusal(before.board, game.turns[-1].move, variant) is None
                if legal:
                    check_turn(before, game)
            before = game
        assert before is not None
        assert replayed(before) == before


@pytest.mark.parametrize("seats", PER_SEAT)
@pytest.mark.parametrize("start", range(4))
def test_a_game_has_67_placements_shared_out_from_the_start_seat_on(seats: int, start: int) -> None:
    start %= seats
    rng = random.Random(f"length {seats} {start}")
    *_, game = walk(Setup(seats, start=start), random_deal(rng), rng)
    placed = Counter(turn.seat for turn in game.turns)
    assert len(game.turns) == PLACEMENTS
    assert tuple(placed[(start + n) % seats] for n in range(seats)) == PER_SEAT[seats]


@given(games())
def test_replaying_the_moves_gives_the_same_game(game: Game) -> None:
    again = replayed(game)
    assert again == game
    assert hash(again) == hash(game)
    assert repr(again) == repr(game)


@given(games(most=PLACEMENTS - 1), st.integers(0, 999))
def test_every_invariant_holds_in_any_game(game: Game, choice: int) -> None:
    check_state(game)
    found = game.plays()
    after = game.play(found[choice % len(found)].move)
    check_state(after)
    check_turn(game, after)


@given(games(), st.data())
def test_play_refuses_exactly_what_refusal_refuses(game: Game, data: st.DataObject) -> None:
    """`play` accepts a tile in hand exactly if `refusal` returns None."""
    if game.over:
        return
    move = data.draw(moves_on(game.board))
    expected = move.tile.digit in game.hand and refusal(game.board, move, game.setup.variant) is None
    try:
        game.play(move)
    except ValueError:
        assert not expected
    else:
        assert expected


def transposed(square: Square) -> Square:
    """The square with its row and its column exchanged."""
    return SQUARES[9 * square.column + square.row]


@given(boards, st.data(), st.sampled_from(Variant))
def test_rows_and_columns_are_symmetric(board: Board, data: st.DataObject, variant: Variant) -> None:
    move = data.draw(moves_on(board))
    mirror = Board("".join(board.cells[transposed(square)] for square in SQUARES))
    mirrored = Move(transposed(move.square), move.tile, tuple(transposed(square) for square in move.flips))
    here, there = explain(board, move, variant), explain(mirror, mirrored, variant)
    assert (here.legal, here.points) == (there.legal, there.points)
    assert sorted(map(str, here.kakuros)) == sorted(map(str, there.kakuros))
    assert len(here.near_misses) == len(there.near_misses)


@given(boards, st.sets(st.integers(1, 9), min_size=1, max_size=2))
def test_the_expert_game_allows_all_that_the_standard_game_allows_for_the_same_points(
    board: Board, hand: set[int]
) -> None:
    standard = {play.move: play for play in plays(board, hand, Variant.STANDARD)}
    expert = {play.move: play for play in plays(board, hand, Variant.EXPERT)}
    assert standard == {move: play for move, play in expert.items() if len(move.flips) <= 1}


@given(boards, st.lists(st.integers(1, 9), min_size=1, max_size=2))
@settings(max_examples=50)
def test_plays_depend_on_the_digits_in_hand_alone(board: Board, hand: list[int]) -> None:
    """Two equal tiles in hand list their plays once, and two different tiles list the union of their plays."""
    both = plays(board, hand)
    assert plays(board, reversed(hand)) == both
    assert set(both) == {play for digit in hand for play in plays(board, [digit])}
    assert len(both) == len(set(both))


@given(boards)
def test_every_series_is_either_a_kakuro_or_has_a_flaw(board: Board) -> None:
    for series in all_series(board):
        assert series.is_kakuro == (series.flaw is None) == (series.points > 0)
        assert len(series.addends) == len(series.squares) - 1 >= 1
    assert [series for series in all_series(board) if series.is_kakuro] == kakuros(board)
    assert all(3 <= kakuro.points <= 44 for kakuro in kakuros(board))
