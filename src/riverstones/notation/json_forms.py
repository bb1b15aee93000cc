"""The JSON forms of plays, explanations and positions: plain dictionaries, ready for `json.dumps`.

A Kakuro is `{"total": 3, "addends": [9, 4], "points": 13}`, where the total is the digit of the red tile.
"""

from __future__ import annotations

from riverstones.rules import Explanation, NearMiss, Play, Position, Series

from .errors import NotationError, Problem
from .json_node import Node
from .position import format_hand, read_board, read_hand, read_number, read_variant
from .say import say

Json = dict[str, object]


def kakuro_to_json(kakuro: Series) -> Json:
    """A Kakuro, or a series that is not one and scores 0."""
    return {"total": kakuro.total, "addends": list(kakuro.addends), "points": kakuro.points}


def play_to_json(play: Play) -> Json:
    """A legal move with its points and Kakuros."""
    return {
        "move": str(play.move),
        "points": play.points,
        "kakuros": [kakuro_to_json(kakuro) for kakuro in play.kakuros],
    }


def explanation_to_json(explanation: Explanation, language: str = "en") -> Json:
    """A verdict on a move: whether it is legal, what it scores, and its near misses."""
    refusal = explanation.refusal
    return {
        "legal": explanation.legal,
        "reason": None if refusal is None else say(refusal, language),
        "points": explanation.points,
        "kakuros": [kakuro_to_json(kakuro) for kakuro in explanation.kakuros],
        "near_misses": [_near_miss_to_json(miss, language) for miss in explanation.near_misses],
    }


def _near_miss_to_json(miss: NearMiss, language: str) -> Json:
    series = miss.series
    return {
        "total": series.total,
        "addends": list(series.addends),
        "squares": list(map(str, series.squares)),
        "code": miss.reason.code.value,
        "reason": say(miss.reason, language),
    }


def position_to_json(position: Position) -> Json:
    """A position: the six fields of its text form as named values."""
    return {
        "board": str(position.board),
        "turn": position.to_move,
        "hands": list(map(format_hand, position.hands)),
        "scores": list(position.scores),
        "bag": position.bag,
        "variant": position.variant.value,
    }


def position_from_json(value: object) -> Position:
    """Read a position from parsed JSON; raises `NotationError` like `parse_position`."""
    top = Node(value)
    board, turn, hands, scores, bag, variant = top.fields("board", "turn", "hands", "scores", "bag", "variant")
    position = Position(
        board.read(read_board),
        _number(turn, "position_turn"),
        tuple(hand.read(read_hand) for hand in hands.items()),
        tuple(_number(score, "position_score") for score in scores.items()),
        _number(bag, "position_bag"),
        variant.read(read_variant),
    )
    if faults := position.faults():
        raise NotationError(Problem.of(found.fault, **dict(found.params)) for found in faults)
    return position


def _number(node: Node, code: str) -> int:
    """A number in the range that the text form of a position allows."""
    return node.make(lambda: read_number(code, str(node.number())))
