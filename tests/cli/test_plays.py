"""`riverstones plays`: the legal plays of a position, and of a stream of positions."""

import json
import subprocess
import time

import pytest

from riverstones.notation import format_position, parse_position
from riverstones.rules import Game, Position, Seed, Setup
from riverstones.words import LANGUAGES

from .helpers import COMMAND, START, answer, assert_refused, environment, riverstones


def middle_game(number: int = 0) -> Position:
    """A position thirty moves into a game between two greedy players."""
    game = Game.begin(Setup(), Seed(bytes([number]) * 32).deal())
    for _ in range(30):
        game = game.play(game.plays()[0].move)
    return Position.of(game)


def test_the_answer_holds_every_play_with_its_kakuros() -> None:
    position = middle_game()
    found = answer("plays", format_position(position))
    assert found == {
        "plays": [
            {
                "move": str(play.move),
                "points": play.points,
                "kakuros": [
                    {"total": kakuro.total, "addends": list(kakuro.addends), "points": kakuro.sum}
                    for kakuro in play.kakuros
                ],
            }
            for play in position.plays()
        ]
    }
    assert found["plays"][0]["points"] > 0


def test_the_best_play_comes_first_and_a_limit_keeps_only_the_best() -> None:
    text = format_position(middle_game())
    points = [play["points"] for play in answer("plays", text)["plays"]]
    assert points == sorted(points, reverse=True)
    assert answer("plays", text, "--limit", "3")["plays"] == answer("plays", text)["plays"][:3]


def test_in_a_pipe_the_plays_are_columns_with_the_arithmetic() -> None:
    board = "A83....../........./........./........./........./........./........./........./........."
    lines = riverstones("plays", f"{board} 0 59,?? 0,0 65 standard").stdout.splitlines()
    assert lines[0] == "d1+5~b1    8  8 | 3 + 5 = 8"


def test_a_bad_position_is_one_sentence_and_status_2() -> None:
    assert_refused(
        riverstones("plays", "nonsense"),
        "A position has six fields (board, turn, hands, scores, bag, variant); the number here is 1.",
    )


def test_the_plays_of_an_unknown_hand_cannot_be_listed() -> None:
    assert_refused(
        riverstones("plays", START.replace(" 0 27", " 1 27")),
        "The hand of the player to move is not known, so the legal plays cannot be listed.",
    )


def test_a_refusal_comes_in_the_language_of_the_locale_or_in_the_one_asked_for() -> None:
    italian = riverstones("plays", "x", env=environment(LC_ALL="it_IT.UTF-8")).stderr
    assert italian.startswith("Una posizione ha sei campi")
    assert riverstones("plays", "x", "--language", "it").stderr == italian
    assert_refused(
        riverstones("plays", "x", "--language", "tlh"),
        f"There is no translation for “tlh”; available languages: {', '.join(LANGUAGES)}.",
    )


def test_json_stays_english_whatever_the_locale() -> None:
    done = riverstones("plays", "-", "--json", stdin="x\n", env=environment(LC_ALL="nl_NL.UTF-8"))
    assert json.loads(done.stdout)["error"].startswith("A position has six fields")


def test_an_empty_hand_has_no_plays() -> None:
    board = "123456789/" * 7 + "12345678./.........".replace("8.", "..")
    left = [str(digit) for digit in (8, 9)]
    position = f"{board} 0 -,{''.join(left)} 0,0 0 standard"
    assert parse_position(position).hand == ()
    assert answer("plays", position) == {"plays": []}
    assert riverstones("plays", position).stdout == "There is no legal play: the hand is empty.\n"


def test_a_bad_line_in_a_stream_gets_its_error_and_the_rest_goes_on() -> None:
    good = json.dumps(answer("plays", START))
    done = riverstones("plays", "-", "--json", stdin=f"{START}\nrubbish\n\n{START}")
    first, second, third, fourth = done.stdout.splitlines()
    assert (first, fourth, done.returncode, done.stderr) == (good, good, 0, "")
    assert [list(json.loads(line)) for line in (second, third)] == [["error"], ["error"]]


def test_a_bad_line_in_a_plain_stream_goes_to_standard_error() -> None:
    done = riverstones("plays", "-", "--limit", "1", stdin=f"{START}\nrubbish\n{START}\n")
    assert done.stdout == "e2+2    0\n\ne2+2    0\n\n"
    assert done.stderr.count("\n") == 1
    assert done.returncode == 0


@pytest.mark.parametrize("line", [b"\xff\xfe\x00", b"9" * 3_000_000, "٣ é 漢".encode(), b"\x00" * 50])
def test_any_bytes_get_an_answer(line: bytes) -> None:
    done = riverstones("plays", "-", "--json", stdin=line + b"\n" + START.encode() + b"\r\n")
    bad, good = done.stdout.splitlines()
    assert "error" in json.loads(bad)
    assert len(json.loads(good)["plays"]) > 0


def test_an_answer_is_flushed_before_the_next_line_is_read() -> None:
    with subprocess.Popen(
        [COMMAND, "plays", "-", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    ) as stream:
        assert stream.stdin is not None
        assert stream.stdout is not None
        for line in (START, "rubbish", START):
            stream.stdin.write(line.encode() + b"\n")
            stream.stdin.flush()
            assert json.loads(stream.stdout.readline()).keys() <= {"plays", "error"}
        stream.stdin.close()
        assert stream.wait(timeout=60) == 0


@pytest.mark.slow
def test_ten_thousand_lines_need_one_start() -> None:
    lines = 10_000
    positions = [format_position(middle_game(number)) for number in range(10)]
    began = time.perf_counter()
    done = riverstones("plays", "-", "--json", "--limit", "1", stdin="\n".join(positions * (lines // 10)))
    seconds = time.perf_counter() - began
    assert len(done.stdout.splitlines()) == lines
    # A start takes about a tenth of a second, so ten thousand of them would take a quarter of an hour.
    assert seconds < 100


def test_a_closed_pipe_is_not_an_error() -> None:
    with subprocess.Popen(
        [COMMAND, "plays", "-", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as stream:
        assert stream.stdin is not None
        assert stream.stdout is not None
        assert stream.stderr is not None
        stream.stdout.close()
        stream.stdin.write(START.encode() + b"\n")
        stream.stdin.close()
        assert stream.stderr.read() == b""
        assert stream.wait(timeout=60) == 1
