"""The puzzle file: what is written is read again, anything else is refused, and the shipped file keeps its promises."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverstones.notation import format_position, parse_position
from riverstones.rules import SQUARES, Board, Move, Tile, Variant
from riverstones.rules.tiles import TILES
from riverstones.study.puzzles.file import (
    PuzzleFile,
    read_puzzle,
    read_sprint,
    shipped,
    write_puzzle,
    write_sprint,
)
from riverstones.study.puzzles.packing import (
    ALPHABET,
    PAIRS,
    Unreadable,
    pack,
    pack_board,
    pack_hand,
    pack_move,
    reflected,
    unpack,
    unpack_board,
    unpack_hand,
    unpack_move,
)
from riverstones.study.puzzles.puzzle import stars

boards = st.lists(st.sampled_from([".", *(tile.char for tile in TILES)]), min_size=81, max_size=81).map(
    lambda cells: Board("".join(cells))
)


@st.composite
def moves(draw: st.DrawFn) -> tuple[Move, tuple[int, int]]:
    hand = draw(st.sampled_from(PAIRS))
    square = draw(st.sampled_from(SQUARES))
    down = draw(st.booleans())
    line = [other for other in SQUARES if (other.column == square.column if down else other.row == square.row)]
    flips = draw(st.sets(st.sampled_from([other for other in line if other != square])))
    tile = Tile(draw(st.sampled_from(hand)), draw(st.sampled_from(TILES)).side)
    return Move(square, tile, tuple(sorted(flips))), hand


@given(boards, st.text("abc", max_size=4))
def test_a_board_is_read_as_it_was_written(board: Board, rest: str) -> None:
    assert unpack_board(pack_board(board) + rest) == (board, rest)


@given(moves())
def test_a_move_is_read_as_it_was_written(case: tuple[Move, tuple[int, int]]) -> None:
    move, hand = case
    assert unpack_move(pack_move(move, hand), hand) == move


def test_numbers_and_hands_are_read_as_they_were_written() -> None:
    assert [unpack(pack(number, 3)) for number in (0, 63, 64, 262143)] == [0, 63, 64, 262143]
    assert [unpack_hand(pack_hand(hand)) for hand in PAIRS] == list(PAIRS)
    with pytest.raises(ValueError, match="does not fit"):
        pack(64, 1)
    with pytest.raises(ValueError, match="one line"):
        pack_move(Move.parse("e5+1~a1"), (1, 2))


def test_a_reflected_board_has_its_columns_as_rows() -> None:
    board = Board.of("b1=3 i9+5 d4+1")
    assert reflected(board) == Board.of("a2=3 i9+5 d4+1")
    assert reflected(reflected(board)) == board


def test_every_shipped_line_is_written_as_it_was_read() -> None:
    book = shipped()
    assert [write_puzzle(read_puzzle(line)) for line in book.puzzle_lines] == list(book.puzzle_lines)
    assert [write_sprint(read_sprint(line)) for line in book.sprint_lines] == list(book.sprint_lines)
    assert PuzzleFile.parse(str(book)) == book


def test_every_shipped_position_is_possible() -> None:
    shown = [puzzle.position() for puzzle in shipped().puzzles()]
    for position in (*shown, *(sprint.position() for sprint in shipped().sprints())):
        assert position.faults() == []
        assert parse_position(format_position(position)) == position


def test_an_identifier_does_not_depend_on_the_grade_or_the_game() -> None:
    puzzle = shipped().puzzles()[0]
    other = read_puzzle(write_puzzle(replace(puzzle, grade=9, game=77)))
    assert (other.id, other.grade, other.game) == (puzzle.id, 9, 77)
    assert shipped().find(puzzle.id) == puzzle
    sprint = shipped().sprints()[-1]
    assert shipped().find(sprint.id) == sprint
    assert shipped().find("nobody") is None


def test_identifiers_are_unique() -> None:
    names = Counter(puzzle.id for puzzle in shipped().puzzles())
    names.update(sprint.id for sprint in shipped().sprints())
    assert max(names.values()) == 1


LINE = shipped().puzzle_lines[0]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "A",
        LINE[:-1],
        LINE + "AAA",
        LINE[:3] + "Y" + LINE[4:],
        LINE[:4] + "q" + LINE[5:],
        LINE[:5] + "_" + LINE[6:],
        LINE[:9] + "___" + LINE[12:],
        LINE[:15] + "é" + LINE[16:],
        LINE[:28] + "_" + LINE[29:],
        LINE[:-1] + " ",
    ],
)
def test_a_damaged_line_is_refused(line: str) -> None:
    with pytest.raises(Unreadable):
        read_puzzle(line)


lines = st.text(ALPHABET + ".X1sSmwlé\n", max_size=90)


@given(lines)
def test_any_text_is_refused_or_is_a_puzzle(line: str) -> None:
    try:
        found = read_puzzle(line)
    except Unreadable:
        return
    assert read_puzzle(write_puzzle(found)) == replace(found, id=read_puzzle(write_puzzle(found)).id)


@given(lines)
def test_any_text_is_refused_or_is_a_sprint(line: str) -> None:
    try:
        found = read_sprint(line)
    except Unreadable:
        return
    assert read_sprint(write_sprint(found)) == replace(found, id=read_sprint(write_sprint(found)).id)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "riverstones-puzzles 2 seed 1 puzzles 0 sprints 0",
        "riverstones-puzzles 1 seed 1 puzzles 1 sprints 0",
    ],
)
def test_a_damaged_file_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        PuzzleFile.parse(text)


def test_puzzles_are_found_by_kind_and_grade() -> None:
    puzzles = shipped().puzzles()
    some = puzzles[len(puzzles) // 2]
    assert some in shipped().of_kind(some.kind, some.grade)
    assert shipped().of_kind() == puzzles
    assert {puzzle.grade for puzzle in shipped().of_kind(grade=3)} == {3}
    assert Variant.EXPERT in {puzzle.variant for puzzle in puzzles}
    assert shipped().grades() == {puzzle.id: puzzle.grade for puzzle in puzzles}


def test_stars_begin_at_half_of_the_optimum() -> None:
    assert [stars(points, 73) for points in (36, 37, 54, 55, 65, 66, 72, 73)] == [0, 1, 1, 2, 2, 3, 3, 4]
