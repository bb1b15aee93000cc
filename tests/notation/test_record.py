"""Records round-trip, replay to the same game, and agree with the rules."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from riverstones.notation import (
    Fairness,
    NotationError,
    Player,
    Record,
    check_record,
    read_record,
    record_of,
    replay,
    verify_record,
    write_record,
)
from riverstones.notation.read import LARGEST, MOST_PROBLEMS
from riverstones.notation.record import LONGEST_COMMENT, LONGEST_NAME, LONGEST_TAG, MOST_TAGS
from riverstones.rules import Game, Scoring, Seed, Setup
from tests.notation.games import played, records, share

PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"


@share(3)
@given(records())
def test_a_record_is_read_back_and_replays_to_the_same_game(made: tuple[Record, Game]) -> None:
    record, game = made
    text = write_record(record)
    assert read_record(text) == read_record(text.encode("utf-8")) == record
    assert write_record(read_record(text)) == text
    assert check_record(record) == []
    last = replay(record)[-1]
    assert record_of(last).turns == record_of(game).turns
    assert replace(last, deal=game.deal) == game
    if record.header.seed is not None:
        assert last.deal == game.deal
        assert verify_record(text).fairness is Fairness.PROVEN


@share(3)
@given(records())
def test_a_record_without_the_seed_and_the_last_hands_still_replays(made: tuple[Record, Game]) -> None:
    record, game = made
    forgetful = replace(record, header=replace(record.header, seed=None), end=replace(record.end, hands=None))
    games = replay(read_record(write_record(forgetful)))
    assert [len(each.turns) for each in games] == list(range(len(game.turns) + 1))
    assert (games[-1].board, games[-1].turns, games[-1].scores) == (game.board, game.turns, game.scores)


def small(turns: int = 3, scoring: Scoring = Scoring.AUTOMATIC) -> str:
    """A short record to modify."""
    return write_record(record_of(played(Setup(scoring=scoring), Seed(bytes(32)), turns, random.Random(1))))


def test_the_reader_accepts_any_line_ends_blanks_capitals_and_order_of_tags() -> None:
    text = small()
    record = read_record(text)
    tags, blank, rest = text.partition("\n\n")
    shuffled = "\n".join(reversed(tags.split("\n"))) + blank + rest
    for variation in (
        "\ufeff" + text,
        text.replace("\n", "\r\n"),
        text.replace("\n", "\r"),
        text.replace("\n", "\n\n \t\n"),
        text.replace("\n", "  \n\t"),
        text.replace(" ", "   \t"),
        text.replace(", ", ","),
        text.replace(".\n", "\n"),
        text.replace(" Seat", " seat").replace("holds", "HOLDS").replace("Unfinished", "unfinished"),
        shuffled,
    ):
        assert read_record(variation) == record
        assert read_record(variation.encode("utf-8")) == record


def test_every_problem_is_found_at_once_with_its_line_and_column() -> None:
    lines = small().split("\n")
    first = next(number for number, line in enumerate(lines) if line.startswith(" 1."))
    lines[first] = " 1. Seat 0 holds 77x, plays e4*7, scores many, total 5."
    lines[first + 1] = "What a move!"
    lines[3] = '[Variant "hard"]'
    with pytest.raises(NotationError) as caught:
        read_record("\n".join(lines))
    assert [(problem.line, problem.column, problem.code) for problem in caught.value.problems] == [
        (4, 11, "choice"),
        (first + 1, 18, "record_hand"),
        (first + 1, 29, "move"),
        (first + 1, 42, "number"),
        (first + 2, 1, "line_unknown"),
        (first + 3, 2, "turn_number"),
    ]


def test_a_missing_turn_is_reported_once() -> None:
    lines = small(9).split("\n")
    second = next(number for number, line in enumerate(lines) if line.startswith(" 2."))
    del lines[second]
    with pytest.raises(NotationError) as caught:
        read_record("\n".join(lines))
    assert [problem.say() for problem in caught.value.problems] == ["This should be turn 2."]


def test_any_number_of_empty_lines_is_fine() -> None:
    assert read_record("\n" * 400_000 + small() + "\r\n" * 100_000) == read_record(small())


def test_the_largest_record_that_can_be_written_can_be_read() -> None:
    record = read_record((PLAYTHROUGHS / "claims-and-objections.river").read_bytes())
    worst = "\ufff0" * LONGEST_COMMENT
    names = [chr(65 + n // 26) + chr(97 + n % 26) for n in range(MOST_TAGS)]
    large = replace(
        record,
        header=replace(
            record.header,
            players=(Player("\ufff0" * LONGEST_NAME, "\ufff0" * LONGEST_NAME),) * 3,
            tags=tuple((name, "\ufff0" * LONGEST_TAG) for name in names),
        ),
        turns=tuple(replace(turn, comment=worst) for turn in record.turns),
        end=replace(record.end, comment=worst),
        comment=worst,
    )
    assert read_record(write_record(large)) == large


@pytest.mark.parametrize("unit", ["x\n", "#\n", "# x\n", "1. ,\n", "[A", '[A "x"]\n', ",", "Seat 0 objects\n", "\\"])
def test_excessive_input_is_refused_quickly(unit: str) -> None:
    for text in (unit * (LARGEST // len(unit)), unit * (LARGEST // len(unit) + 1), small() + unit * 100_000):
        with pytest.raises(NotationError) as caught:
            read_record(text)
        assert len(caught.value.problems) <= MOST_PROBLEMS + 1


def test_invalid_utf_8_is_refused_with_its_position() -> None:
    with pytest.raises(NotationError) as caught:
        read_record(b'[Riverstones "1"]\r\n[Seat 0 "Zo\xeb"]')
    assert (caught.value.code, caught.value.line, caught.value.column) == ("record_encoding", 2, 12)
