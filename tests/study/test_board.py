"""The study board: every play of a position is ranked, by what the seat to move knows and nothing else."""

import random
from dataclasses import replace

import pytest

from riverstones.engine.levels import has_kernel
from riverstones.notation import parse_position
from riverstones.rules import Board, Game, Held, Position, Seed, Setup, Variant, plays
from riverstones.study.board import rank_plays

COMPILED = [pytest.param(True, marks=pytest.mark.skipif(not has_kernel(), reason="the engine is not installed")), False]


def position_after(turns: int, seats: int = 2, variant: Variant = Variant.STANDARD) -> Position:
    rng = random.Random(turns)
    game = Game.begin(Setup(seats, variant), Seed(bytes([turns, seats, *[0] * 30])).deal())
    for _ in range(turns):
        game = game.play(rng.choice(game.plays()[:6]).move)
    return Position.of(game)


@pytest.mark.parametrize("compiled", COMPILED)
@pytest.mark.parametrize("variant", Variant)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("turns", [0, 30, 62, 66])
def test_every_play_is_ranked_once_with_its_points(compiled: bool, variant: Variant, seats: int, turns: int) -> None:
    position = position_after(turns, seats, variant)
    found = rank_plays(position, compiled=compiled)
    ranked = {play.move: play.points for play in found.candidates}
    assert len(ranked) == len(found.candidates)
    assert ranked == {play.move: play.points for play in position.plays()}
    if found.method == "look-ahead":
        values = [play.mean for play in found.candidates]
        assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("compiled", COMPILED)
@pytest.mark.parametrize("turns", [20, 61, 63])
def test_the_hands_of_others_change_nothing(compiled: bool, turns: int) -> None:
    """The other hands may be in the position: known, swapped with the bag, or unknown."""
    position = position_after(turns, 3)
    mine = position.to_move
    unseen = [digit for digit, left in enumerate(position.seen_by(mine).unseen, start=1) for _ in range(left)]
    random.Random(7).shuffle(unseen)
    hands = list(position.hands)
    for seat, hand in enumerate(hands):
        if seat != mine:
            hands[seat] = Held(tuple(sorted(unseen.pop() for _ in range(len(hand)))))
    other = replace(position, hands=tuple(hands))
    assert other != position
    assert not other.faults()
    found = rank_plays(position, compiled=compiled)
    assert rank_plays(other, compiled=compiled) == found
    assert rank_plays(position.seen_by(mine), compiled=compiled) == found


@pytest.mark.skipif(not has_kernel(), reason="the engine is not installed")
def test_the_last_moves_are_exact() -> None:
    found = rank_plays(position_after(65))
    assert found.method == "endgame"
    assert all(play.exact for play in found.candidates)
    last = rank_plays(position_after(66))
    assert [play.mean for play in last.candidates] == [play.points for play in last.candidates]


@pytest.mark.parametrize("compiled", COMPILED)
def test_composed_positions_are_ranked_too(compiled: bool) -> None:
    """Any position without faults: few tiles, crowded boards, hands of one tile with a full bag."""
    rng = random.Random(3)
    for _ in range(12):
        tiles = [digit for digit in range(1, 10) for _ in range(8)]
        rng.shuffle(tiles)
        cells = ["."] * 81
        for square in rng.sample(range(81), rng.randrange(1, 66)):
            digit = tiles.pop()
            cells[square] = str(digit) if rng.random() < 0.7 else "ABCDEFGHI"[digit - 1]
        seats = rng.choice((2, 3, 4))
        hand = Held(tuple(sorted(tiles.pop() for _ in range(min(rng.choice((1, 2)), len(tiles))))))
        others = [Held((), rng.randrange(0, 3)) for _ in range(seats - 1)]
        board = Board("".join(cells))
        bag = 72 - len(board) - len(hand) - sum(map(len, others))
        if bag < 0:
            continue
        position = Position(board, 0, (hand, *others), (0,) * seats, bag, rng.choice(list(Variant)))
        assert not position.faults()
        found = rank_plays(position, compiled=compiled)
        assert {play.move for play in found.candidates} == {
            play.move for play in plays(board, hand.known, position.variant)
        }


def test_an_empty_board_has_no_plays() -> None:
    empty = "/".join(["........."] * 9)
    assert rank_plays(parse_position(f"{empty} 0 27,?? 0,0 68 standard")).candidates == ()


def test_a_hand_must_be_known() -> None:
    with pytest.raises(ValueError, match="not known"):
        rank_plays(position_after(5).seen_by(None))
