"""`riverstones score`: judge and explain one move on one board."""

from __future__ import annotations

from riverstones.notation.json_forms import explanation_to_json
from riverstones.rules import Board, Explanation, Malformed, Move, NearMiss, Variant, explain

from .complaint import Complaint
from .output import arithmetic, print_json
from .words import DEFAULT, Words, words_for


def score_move(board: str, move: str, variant: str, json: bool, language: str | None) -> None:
    """Judge a move. An illegal move is a normal answer; only input that cannot be parsed is an error."""
    words = words_for(language or (DEFAULT if json else None))
    try:
        explanation = explain(Board.parse(board), Move.parse(move), Variant(variant))
    except Malformed as error:
        raise Complaint(words.say(error)) from None
    if json:
        print_json(explanation_to_json(explanation, words.language))
    else:
        print("\n".join(explanation_lines(explanation, words)))


def explanation_lines(explanation: Explanation, words: Words) -> list[str]:
    """The verdict on a move, its Kakuros and its near misses, one line each."""
    if explanation.refusal is not None:
        lines = [f"{words('verdict_illegal', move=explanation.move)} {words.say(explanation.refusal)}"]
    else:
        lines = [words("verdict_legal", move=explanation.move, points=explanation.points)]
    lines += [f"  {arithmetic(kakuro)}" for kakuro in explanation.kakuros]
    # The reason of a refusal may be the flaw of a series; it is not repeated.
    misses = [miss for miss in explanation.near_misses if miss.reason != explanation.refusal]
    if misses:
        lines.append(words("near_misses"))
        lines += [f"  {near_miss(miss, words)}" for miss in misses]
    return lines


def near_miss(miss: NearMiss, words: Words) -> str:
    """A series that does not score, with the reason; most reasons name the series themselves."""
    sentence = words.say(miss.reason)
    return sentence if "series" in dict(miss.reason.params) else f"{miss.series}: {sentence}"
