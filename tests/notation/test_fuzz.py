"""Any text is either parsed and written back unchanged, or refused with a reason."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverstones.notation import (
    NotationError,
    Problem,
    Record,
    check_record,
    format_position,
    parse_position,
    read_record,
    record_of,
    replay,
    verify_record,
    write_record,
)
from riverstones.rules import Game, Position
from tests.notation.games import records, rngs, share
from tests.rules.strategies import games, squares

PLAYTHROUGHS = sorted((Path(__file__).parents[1] / "playthroughs").glob("*.river"))
TEXTS = [path.read_text(encoding="utf-8") for path in PLAYTHROUGHS]
LINES = sorted({line for text in TEXTS for line in text.split("\n")})
ALPHABET = st.sampled_from(' .,:;/?-+=~#[]"\\0123456789ABDI\n\r\t\x00\u2028\ufeffé') | st.characters()


@given(games(), st.none() | st.integers(0, 1))
def test_a_position_is_read_back_with_full_knowledge_and_as_a_view(game: Game, seat: int | None) -> None:
    position = Position.of(game)
    for seen in (position, position.seen_by(seat)):
        line = format_position(seen)
        assert parse_position(line) == seen
        assert format_position(parse_position(f"\t {line}\r\n")) == line


def problems_of(read: Callable[[], object]) -> tuple[Problem, ...]:
    """The problems of a text that is refused; empty if it is accepted."""
    try:
        read()
    except NotationError as error:
        return error.problems
    return ()


def reads_or_refuses_position(text: str) -> None:
    problems = problems_of(lambda: parse_position(text))
    for problem in problems:
        assert 1 <= problem.column <= len(text) + 1
        assert problem.say().endswith(".")
    if not problems:
        position = parse_position(text)
        assert position.faults() == []
        assert parse_position(format_position(position)) == position


@given(st.text(ALPHABET))
def test_any_text_is_a_position_or_is_refused(text: str) -> None:
    reads_or_refuses_position(text)


@given(games(), rngs, st.lists(st.tuples(st.integers(0, 150), st.integers(0, 2), ALPHABET), max_size=3))
def test_a_corrupted_position_is_read_or_refused(
    game: Game, rng: random.Random, slips: list[tuple[int, int, str]]
) -> None:
    text = format_position(Position.of(game).seen_by(rng.choice((0, 1, None))))
    for place, dropped, char in slips:
        text = text[:place] + char + text[place + dropped :]
    reads_or_refuses_position(text)


def reads_or_refuses_record(text: str | bytes) -> None:
    problems = problems_of(lambda: read_record(text))
    for problem in problems:
        assert 1 <= problem.line <= len(text) + 1
        assert 1 <= problem.column <= len(text) + 1
        assert problem.say().endswith(".")
    if not problems:
        record = read_record(text)
        written = write_record(record)
        assert read_record(written) == record
        assert write_record(read_record(written)) == written


@given(st.text(ALPHABET) | st.binary())
def test_any_text_and_any_bytes_are_a_record_or_are_refused(text: str | bytes) -> None:
    reads_or_refuses_record(text)


@given(st.lists(st.sampled_from(LINES) | st.text(ALPHABET), max_size=30).map("\n".join))
def test_any_lines_in_any_order_are_a_record_or_are_refused(text: str) -> None:
    reads_or_refuses_record(text)


@share(5)
@given(
    st.sampled_from(TEXTS),
    st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 40), ALPHABET | st.just("")), min_size=1, max_size=3),
)
def test_a_corrupted_record_is_read_or_refused(text: str, slips: list[tuple[int, int, str]]) -> None:
    for place, dropped, char in slips:
        text = text[:place] + char + text[place + dropped :]
    reads_or_refuses_record(text)
    assert verify_record(text.encode("utf-8", "surrogatepass")).say()


@st.composite
def falsified(draw: st.DrawFn, record: Record) -> Record:
    """A record with one change; it may still be sound."""
    digit, number = st.integers(1, 9), st.integers(0, 60)
    if not record.turns or draw(st.integers(0, 5)) == 0:
        end = record.end
        what = draw(st.sampled_from(("scores", "winners", "stones")))
        if what == "scores":
            return replace(record, end=replace(end, scores=tuple(draw(number) for _ in end.scores)))
        if what == "winners" and end.winners:
            return replace(record, end=replace(end, winners=(draw(st.integers(0, len(end.scores) - 1)),)))
        return replace(record, header=replace(record.header, stones=tuple(draw(digit) for _ in record.header.stones)))
    place = draw(st.integers(0, len(record.turns) - 1))
    turn = record.turns[place]
    move = turn.move
    changed = draw(
        st.sampled_from(
            (
                replace(turn, seat=(turn.seat + 1) % record.header.setup.seats),
                replace(turn, hand=tuple(sorted((draw(digit), *turn.hand[1:])))),
                replace(turn, hand=turn.hand[:1]),
                replace(turn, points=draw(number)),
                replace(turn, total=draw(number)),
                replace(turn, points=0, total=turn.total - turn.points),
                replace(turn, objections=tuple(replace(each, upheld=not each.upheld) for each in turn.objections)),
                replace(turn, objections=tuple(replace(each, total=draw(number)) for each in turn.objections)),
                replace(turn, objections=turn.objections[1:]),
                replace(turn, move=replace(move, flips=())),
                replace(turn, move=replace(move, flips=(draw(squares), *move.flips))),
                replace(turn, move=replace(move, square=draw(squares))),
                replace(turn, move=replace(move, tile=move.tile.flipped)),
                replace(turn, move=replace(move, tile=replace(move.tile, digit=turn.hand[-1]))),
            )
        )
    )
    return replace(record, turns=(*record.turns[:place], changed, *record.turns[place + 1 :]))


@share(5)
@given(st.data())
def test_a_record_without_a_disagreement_is_the_record_of_a_game(data: st.DataObject) -> None:
    record, _ = data.draw(records())
    false = data.draw(falsified(record))
    found = check_record(false)
    if found:
        assert all(disagreement.say().endswith(".") for disagreement in found)
        with pytest.raises(NotationError):
            replay(false)
    else:
        again = record_of(replay(false)[-1], resigned=false.end.resigned)
        assert again.turns == tuple(replace(turn, annotation=None, comment="") for turn in false.turns)
        assert (again.end.scores, again.header.stones) == (false.end.scores, false.header.stones)
        assert false.end.winners == (again.end.winners if false.end.winners else ())
