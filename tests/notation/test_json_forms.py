"""Plays, explanations and positions as JSON."""

import json

from riverstones.notation import explanation_to_json, parse_position, play_to_json, position_to_json
from riverstones.rules import Board, Move, explain, plays

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
                "code": "stopped_by_turned",
                "reason": "The tile turned over on e3 only stops the run and is no part of it, so this does not count.",
            }
        ],
    }


def test_an_illegal_move_is_an_answer_with_its_reason() -> None:
    answer = explanation_to_json(explain(FIGURE_7, Move.parse("a3+7")), "es")
    assert answer == {
        "legal": False,
        "reason": "Ya hay una ficha en a3.",
        "points": 0,
        "kakuros": [],
        "near_misses": [],
    }


def test_a_position_in_json_has_the_same_six_fields() -> None:
    board = "........./........./....6..../........./..9.D.7../........./....4..../........./........."
    assert json.loads(json.dumps(position_to_json(parse_position(f"{board} 1 27,3? 0,5 63 expert")))) == {
        "board": board,
        "turn": 1,
        "hands": [{"known": [2, 7], "unknown": 0}, {"known": [3], "unknown": 1}],
        "scores": [0, 5],
        "bag": 63,
        "variant": "expert",
    }
