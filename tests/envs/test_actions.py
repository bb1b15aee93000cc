"""The ids of actions are a bijection with the legal moves that the rules know."""

import pytest

from riverstones.envs.actions import (
    ACTION_COUNT,
    FLIPS_START,
    LINE_STRIDE,
    TRIPLES,
    IllegalAction,
    decode,
    encode,
    legal_actions,
    mask,
)
from riverstones.rules import Board, Held, Move, Position, Variant
from tests.envs.games import positions


def position(board: str, hand: str, variant: Variant = Variant.STANDARD) -> Position:
    """A position with two seats, of which the first is to move."""
    hands = (Held(tuple(map(int, hand))), Held((), 2))
    return Position(Board.of(board), 0, hands, (0, 0), 60, variant)


def test_the_ids_are_counted_as_documented() -> None:
    assert (ACTION_COUNT, FLIPS_START, LINE_STRIDE) == (3978, 1458, 140)
    assert list(TRIPLES) == sorted(set(TRIPLES))
    assert (TRIPLES[0], TRIPLES[-1]) == ((0, 0, 2), (6, 8, 8))


@pytest.mark.parametrize("variant", Variant)
def test_ids_and_legal_moves_correspond(variant: Variant) -> None:
    flips = set()
    for game in positions(variant, 4, seed=16):
        at = Position.of(game)
        moves = {play.move for play in at.plays()}
        ids = legal_actions(at)
        assert len(ids) == len(moves)
        assert {decode(at, action) for action in ids} == moves
        assert [encode(at.board, decode(at, action)) for action in ids] == ids
        flips |= {len(move.flips) for move in moves}
    assert flips >= ({0, 1} if variant is Variant.STANDARD else {0, 1, 2, 3})


@pytest.mark.parametrize("variant", Variant)
def test_no_other_id_can_be_decoded(variant: Variant) -> None:
    for game in list(positions(variant, 3, seed=7))[::67]:
        at = Position.of(game)
        ids = set(legal_actions(at))
        assert mask(at).nonzero()[0].tolist() == sorted(ids)
        for action in set(range(ACTION_COUNT)) - ids:
            with pytest.raises(IllegalAction):
                decode(at, action)


@pytest.mark.parametrize(
    ("board", "hand", "move", "action"),
    [
        ("e5=1", "19", "e4+1", 31),
        ("e5=1", "19", "i9=9", 8 * 162 + 81 + 80),
        # The row a1-d1, whose total is a1: the placed tile is the last addend.
        ("a1+2 b1+6 c1+4", "22", "d1+2~a1", 1458 + TRIPLES.index((0, 3, 3))),
        ("a1=3 b1+9 c1+3 d1=2 e1+5 f1+1 g1+6", "77", "h1+7~d1", 1458 + TRIPLES.index((0, 7, 7))),
        # The column d, with the placed tile as the total.
        ("d2=1 d3+4", "55", "d1=5~d2", 1458 + (9 + 3) * 140 + TRIPLES.index((0, 0, 2))),
    ],
)
def test_an_id_is_what_the_documents_say(board: str, hand: str, move: str, action: int) -> None:
    at = position(board, hand)
    assert encode(at.board, Move.parse(move)) == action
    if move != "i9=9":
        assert decode(at, action) == Move.parse(move)


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (-1, "action ids go from 0 to 3977, not -1"),
        (3978, "action ids go from 0 to 3977, not 3978"),
        (80, r"action 80 would be i9\+1, which is not legal: not_adjacent"),
        (5, "action 5 would be f1.*: not_adjacent"),
        (162 * 4 + 3, "action 651 places a 5, which the seat to move does not hold"),
        (1458 + TRIPLES.index((0, 0, 2)), "action 1458 places a tile on a1, which has one"),
        (1458 + TRIPLES.index((0, 4, 4)), "needs a tile on d1, which is empty"),
        (1458 + 140 + TRIPLES.index((0, 0, 2)), "needs a tile on b2, which is empty"),
    ],
)
def test_an_illegal_id_is_explained(action: int, message: str) -> None:
    with pytest.raises(IllegalAction, match=message):
        decode(position("a1+2 b1+6 c1+4", "12"), action)


@pytest.mark.parametrize(
    ("board", "triple", "message"),
    [
        ("a1=2 b1+6", (0, 2, 2), "flips no tile here"),
        ("a1+2 b1+6 d1+1", (0, 2, 2), "ends on c1, but it goes on"),
        ("a1+6 b1+6", (0, 2, 2), "no digit makes the sum right"),
        ("a1+3 b1+6 c1+6", (0, 3, 3), "not legal: repeated_addend"),
    ],
)
def test_an_id_with_flips_that_is_illegal_is_explained(board: str, triple: tuple[int, int, int], message: str) -> None:
    with pytest.raises(IllegalAction, match=message):
        decode(position(board, "12"), 1458 + TRIPLES.index(triple))


@pytest.mark.parametrize("move", ["d1+2~a1~d2", "d1+2~c1", "d1+9~a1", "d2+1~a1"])
def test_a_move_whose_flips_share_no_kakuro_has_no_id(move: str) -> None:
    with pytest.raises(IllegalAction):
        encode(Board.of("a1+2 b1+6 c1+4"), Move.parse(move))


def test_a_mask_is_a_fresh_array_of_bytes() -> None:
    at = position("a1+2 b1+6 c1+4", "22")
    first, second = mask(at), mask(at)
    assert first is not second
    assert (str(first.dtype), first.shape) == ("int8", (ACTION_COUNT,))


def test_the_hand_of_the_seat_to_move_must_be_known() -> None:
    hidden = position("e5=1", "12").seen_by(None)
    with pytest.raises(ValueError, match="not known"):
        legal_actions(hidden)
    with pytest.raises(IllegalAction):
        decode(hidden, 31)
