"""Plays, explanations and positions as JSON."""

import json
import random

import pytest
from hypothesis import given

from riverstones.notation import (
    NotationError,
    Record,
    explanation_to_json,
    parse_position,
    play_to_json,
    position_from_json,
    position_to_json,
    record_from_json,
    record_of,
    record_to_json,
)
from riverstones.rules import Board, Game, Move, Seed, Setup, explain, plays
from riverstones.words import LANGUAGES
from tests.notation.games import played, records, share

BOARD = "........./........./....6..../........./..9.D.7../........./....4..../........./........."
FIGURE_7 = Board.of("a3=1 b3+8 c3+2 d3+1 e3+4 f3+5 g3+2 e4+3 e5+1")


def test_a_play_lists_its_kakuros_by_the_digit_of_their_totals() -> None:
    play = plays(Board.of("a1=8 b1+3"), (5,))[0]
    assert play_to_json(play) == {
        "move": "c1+5",
        "points": 8,
        "kakuros": [{"total": 8, "addends": [3, 5], "points": 8}],
    }


def test_an_explanation_names_kakuros_and_near_misses() -> None:
    assert explanation_to_json(explain(FIGURE_7, Move.parse("h3+7~e3"))) == {
        "legal": True,
        "reason": None,
        "points": 18,
        "kakuros": [
            {"total": 4, "addends": [5, 2, 7], "points": 14},
            {"total": 4, "addends": [3, 1], "points": 4},
        ],
        "near_misses": [
            {
                "total": 1,
                "addends": [8, 2, 1],
                "squares": ["a3", "b3", "c3", "d3"],
                "code": "stopped_by_flipped",
                "reason": "The tile flipped on e3 would only end the run: it has to be part of the Kakuro.",
            }
        ],
    }


def test_an_illegal_move_is_an_answer_with_its_reason() -> None:
    answer = explanation_to_json(explain(FIGURE_7, Move.parse("a3+7")), "es")
    assert answer == {
        "legal": False,
        "reason": "a3 está ocupada.",
        "points": 0,
        "kakuros": [],
        "near_misses": [],
    }


def test_a_position_in_json_has_the_same_six_fields() -> None:
    position = parse_position(f"{BOARD} 1 27,3? 0,5 63 expert")
    document = {"board": BOARD, "turn": 1, "hands": ["27", "3?"], "scores": [0, 5], "bag": 63, "variant": "expert"}
    assert position_to_json(position) == document
    assert position_from_json(json.loads(json.dumps(document))) == position


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("board", 3, "json_text"),
        ("board", "x", "board_rows"),
        ("turn", "0", "json_number"),
        ("turn", 7, "turn"),
        ("turn", True, "json_number"),
        ("hands", "27", "json_list"),
        ("hands", ["27", 35], "json_text"),
        ("hands", ["27", "?? 0,0 63"], "position_hand"),
        ("hands", ["27,3?"], "position_hand"),
        ("scores", [0, -1], "position_score"),
        ("scores", [0, 1.5], "json_number"),
        ("bag", None, "json_number"),
        ("bag", -63, "position_bag"),
        ("variant", "hard", "position_variant"),
        ("variant", "expert ", "position_variant"),
        ("colour", "red", "json_extra"),
    ],
)
def test_json_that_is_not_a_position_is_refused(name: str, value: object, code: str) -> None:
    sound = position_to_json(parse_position(f"{BOARD} 1 27,3? 0,5 63 expert"))
    with pytest.raises(NotationError) as caught:
        position_from_json({**sound, name: value})
    assert caught.value.code == code
    assert all(caught.value.say(language) for language in LANGUAGES)


@pytest.mark.parametrize("value", [None, 5, "x", [], {}])
def test_json_of_another_shape_is_refused(value: object) -> None:
    for read in (position_from_json, record_from_json):
        with pytest.raises(NotationError):
            read(value)


@share(3)
@given(records())
def test_a_record_in_json_is_read_back(made: tuple[Record, Game]) -> None:
    record, _ = made
    assert record_from_json(json.loads(json.dumps(record_to_json(record)))) == record


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("riverstones", 2, "record_version"),
        ("date", "15.11.2026", "record_date"),
        ("players", [], "seat_count"),
        ("players.0.name", "x" * 101, "record_name"),
        ("players.0.bot", None, "json_text"),
        ("start", 2, "start_seat"),
        ("variant", "hard", "choice"),
        ("layout", "", "choice"),
        ("scoring", None, "json_text"),
        ("stones", [1, 2, 3], "record_stones"),
        ("stones", [1, 2, 3, 4, 10], "record_stones"),
        ("commitment", "x", "record_commitment"),
        ("seed", "x", "seed_text"),
        ("tags", {"Seed": "x"}, "tag_name"),
        ("tags", {"Event": "x" * 501}, "tag_long"),
        ("tags", {f"T{chr(97 + n)}": "" for n in range(26)} | {f"U{chr(97 + n)}": "" for n in range(5)}, "record_tags"),
        ("comment", "x" * 1001, "record_comment"),
        ("turns", {}, "json_list"),
        ("turns.0.seat", 2, "record_seat"),
        ("turns.0.seat", -1, "record_seat"),
        ("turns.0.hand", [], "record_hand"),
        ("turns.0.hand", [1, 2, 3], "record_hand"),
        ("turns.0.move", "x", "move"),
        ("turns.0.points", 1_000_000, "record_number"),
        ("turns.0.total", -1, "record_number"),
        ("turns.0.timed_out", 0, "json_flag"),
        ("turns.0.objections", [{"seat": 1, "upheld": True, "total": 0}] * 2, "record_objections"),
        ("turns.0.annotation", {"glyph": ":-)", "best": None}, "annotation_glyph"),
        ("turns.0.annotation", {"glyph": ""}, "annotation_empty"),
        ("turns.0.annotation", {"glyph": "!", "best": "e4+7"}, "annotation_points"),
        ("turns.0.annotation", {"glyph": "!", "better_by_tenths": 5}, "annotation_points"),
        ("end", None, "json_object"),
        ("end.how", "won", "choice"),
        ("end.scores", [0], "end_seats"),
        ("end.winners", [0], "end_winners"),
        ("start_drawn", None, "json_flag"),
        ("end.resigned", 0, "json_list"),
        ("end.resigned", [1, 0], "end_order"),
        ("end.resigned", [0, 1], "end_resigned"),
        ("end.hands", [[1, 2]], "end_seats"),
        ("end.how", "finished", "end_hands"),
    ],
)
def test_json_that_is_not_a_record_is_refused(path: str, value: object, code: str) -> None:
    game = played(Setup(), Seed(bytes(32)), 2, random.Random(1))
    document = json.loads(json.dumps(record_to_json(record_of(game))))
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    target = document
    for step in way:
        target = target[step]
    target[last] = value
    with pytest.raises(NotationError) as caught:
        record_from_json(document)
    assert caught.value.code == code
    assert all(caught.value.say(language) for language in LANGUAGES)


def test_json_problems_name_the_path_of_each_turn() -> None:
    game = played(Setup(), Seed(bytes(32)), 4, random.Random(1))
    document = json.loads(json.dumps(record_to_json(record_of(game))))
    document["turns"][1]["move"] = "nowhere"
    document["turns"][3]["total"] = "many"
    document["end"]["mood"] = "good"
    with pytest.raises(NotationError) as caught:
        record_from_json(document)
    assert [(problem.code, problem["path"]) for problem in caught.value.problems] == [
        ("move", "$.turns[1].move"),
        ("json_number", "$.turns[3].total"),
        ("json_extra", "$.end.mood"),
    ]
