"""`riverstones score`: judge and explain one move on one board."""

import pytest

from riverstones.words import LANGUAGES, phrase

from .helpers import FIGURE_7, answer, assert_refused, environment, riverstones_here


def test_a_legal_move_comes_with_its_kakuros_and_its_near_misses() -> None:
    found = answer("score", FIGURE_7, "h3+7~e3")
    (miss,) = found.pop("near_misses")
    assert found == {
        "legal": True,
        "reason": None,
        "points": 18,
        "kakuros": [
            {"total": 4, "addends": [5, 2, 7], "points": 14},
            {"total": 4, "addends": [3, 1], "points": 4},
        ],
    }
    assert (miss["total"], miss["addends"]) == (1, [8, 2, 1])
    assert miss["code"] == "stopped_by_flipped"


def test_an_illegal_move_is_an_answer() -> None:
    found = answer("score", FIGURE_7, "a9+7")
    assert found["legal"] is False
    assert found["reason"] == "A tile has to touch another one: there is none next to a9."
    assert (found["points"], found["kakuros"], found["near_misses"]) == (0, [], [])


def test_the_plain_answer_shows_the_arithmetic_and_says_what_does_not_count() -> None:
    assert riverstones_here("score", FIGURE_7, "h3+7~e3").stdout == (
        "h3+7~e3 is legal. Points: 18.\n"
        "  4 | 5 + 2 + 7 = 14\n"
        "  4 | 3 + 1 = 4\n"
        "What does not count:\n"
        "  1 | 8 + 2 + 1: The tile flipped on e3 would only end the run: it has to be part of the Kakuro.\n"
    )


def test_the_plain_answer_says_why_a_move_is_not_legal() -> None:
    done = riverstones_here("score", FIGURE_7, "a3+7")
    assert done.returncode == 0
    assert done.stdout == "a3+7 is not legal. a3 is taken.\n"


def test_the_expert_game_allows_what_the_standard_game_does_not() -> None:
    # The 2 on a1 and the red 6 on b1 both have to be flipped for 2 | 6 + 4 + 9 + 3.
    board = "2F4.3..../........./........./........./........./........./........./........./........."
    standard = answer("score", board, "d1+9~a1~b1")
    assert (standard["legal"], standard["points"]) == (False, 0)
    expert = answer("score", board, "d1+9~a1~b1", "--variant", "expert")
    assert (expert["legal"], expert["points"]) == (True, 22)


@pytest.mark.parametrize(
    ("board", "move", "sentence"),
    [
        ("...", "a1+1", "A board is nine rows joined by “/”; the number of rows here is 1."),
        (FIGURE_7, "h3", "“h3” is not a move; write it like e4+7, or h3+7~e3 to flip e3 as well."),
        (FIGURE_7, "h3+7~e3~e3", "The move “h3+7~e3~e3” flips the same tile twice."),
        (FIGURE_7, "\x1b[2J\n", "“�[2J�” is not a move; write it like e4+7, or h3+7~e3 to flip e3 as well."),
    ],
)
def test_unreadable_input_is_one_sentence_and_status_2(board: str, move: str, sentence: str) -> None:
    assert_refused(riverstones_here("score", board, move), sentence)
    assert_refused(riverstones_here("score", board, move, "--json"), sentence)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_explains_a_move(language: str) -> None:
    plain = riverstones_here("score", FIGURE_7, "h3+7~e3", env=environment(LC_ALL=f"{language}.UTF-8")).stdout
    assert "4 | 5 + 2 + 7 = 14" in plain
    assert riverstones_here("score", FIGURE_7, "h3+7~e3", "--language", language).stdout == plain
    assert phrase("verdict_legal", {"move": "h3+7~e3", "points": 18}, language) in plain
