"""Positions in one line."""

import pytest

from riverstones.notation import NotationError, format_position, parse_position
from riverstones.rules import Board, Held, Variant

EXAMPLE = (
    "........./........./....6..../........./..9.D.7../........./....4..../........./......... 0 27,?? 0,0 63 standard"
)


def test_the_example_of_the_documentation_reads_as_it_says() -> None:
    position = parse_position(EXAMPLE)
    assert position.board == Board.of("e3+6 c5+9 e5=4 g5+7 e7+4")
    assert position.to_move == 0
    assert position.hands == (Held((2, 7)), Held((), 2))
    assert position.scores == (0, 0)
    assert position.bag == 63
    assert position.variant is Variant.STANDARD
    assert format_position(position) == EXAMPLE


def test_space_around_a_position_and_the_order_of_a_hand_do_not_matter() -> None:
    assert parse_position(f" \t{EXAMPLE.replace(' 27,', ' 72,')}\r\n") == parse_position(EXAMPLE)


def test_an_empty_hand_is_a_dash_and_unknown_tiles_follow_known_ones() -> None:
    line = EXAMPLE.replace("27,?? 0,0 63", "-,?3,3 0,10,200 64")
    assert parse_position(line).hands == (Held(), Held((3,), 1), Held((3,)))
    assert format_position(parse_position(line)) == line.replace("?3", "3?")


@pytest.mark.parametrize(
    ("old", "new", "code", "column"),
    [
        ("........./........./....6", "........./....6", "board_rows", 1),
        ("/....6..../", "/....6.../", "board_row_length", 21),
        ("/....6..../", "/....x..../", "board_character", 25),
        (" 0 27", " x 27", "position_turn", 91),
        (" 0 27", " 00 27", "position_turn", 91),
        (" 0 27", " ٣ 27", "position_turn", 91),
        (",??", ",2x", "position_hand", 96),
        (",??", ",", "position_hand", 96),
        (",??", ",0", "position_hand", 96),
        ("0,0", "0,-1", "position_score", 101),
        ("0,0", "0,9999999", "position_score", 101),
        (" 63", " 6_3", "position_bag", 103),
        ("standard", "Standard", "position_variant", 106),
        (" 27", "  27", "position_spaces", 93),
        (" standard", "", "position_fields", 105),
        ("standard", "standard x", "position_fields", 115),
        ("27,??", "27,???", "hand_too_large", 96),
        ("63", "62", "tile_count", 103),
        (" 0 27", " 2 27", "turn", 91),
        ("0,0", "0", "scores", 99),
        ("27,?? 0,0 63", "27 0 65", "seats", 93),
        ("/......... 0", "/666666666 0", "too_many_of_a_digit", 1),
    ],
)
def test_a_bad_position_is_refused_with_the_place_of_the_fault(old: str, new: str, code: str, column: int) -> None:
    assert EXAMPLE.count(old) == 1
    with pytest.raises(NotationError) as caught:
        parse_position(EXAMPLE.replace(old, new))
    assert (caught.value.code, caught.value.column) == (code, column)


@pytest.mark.parametrize(("text", "code"), [("", "position_fields"), ("x" * 100_000, "position_too_long")])
def test_empty_and_overlong_texts_are_not_positions(text: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(text)
    assert caught.value.code == code
