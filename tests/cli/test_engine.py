"""`riverstones engine`, the line protocol in its own process; and `riverstones bench`."""

import json
import subprocess
from typing import Any

import pytest

from riverstones.engine.bots import LEVELS
from riverstones.engine.levels import has_kernel
from riverstones.notation import parse_position

from .helpers import COMMAND, START, assert_refused, environment, riverstones, riverstones_here

GO = {"type": "go", "position": START}


def talk(*messages: dict[str, Any] | str, level: str = "brook") -> list[dict[str, Any]]:
    """The engine's answers to these lines."""
    lines = [message if isinstance(message, str) else json.dumps(message) for message in messages]
    done = riverstones_here("engine", "--level", level, stdin="".join(f"{line}\n" for line in lines))
    assert done.returncode == 0
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_position_is_answered_by_a_move() -> None:
    (move,) = talk({"type": "newgame", "players": 2, "seat": 0, "variant": "standard"}, GO, {"type": "quit"})
    assert move["type"] == "move"
    assert move["move"] in {str(play.move) for play in parse_position(START).plays()}


def test_a_bad_line_gives_an_error_and_the_rest_goes_on() -> None:
    answers = talk("nonsense", "[1]", '"' + "x" * 200_000, {"type": "go", "position": "?"}, GO | {"level": "lake"}, GO)
    assert [answer["type"] for answer in answers] == ["error"] * 5 + ["move"]


def test_invalid_utf_8_is_a_bad_line() -> None:
    done = riverstones("engine", "--level", "brook", stdin=b"\xff\xfe\n" + json.dumps(GO).encode())
    assert [json.loads(line)["type"] for line in done.stdout.splitlines()] == ["error", "move"]


def test_nothing_is_answered_after_quit() -> None:
    assert talk({"type": "quit"}, GO) == []


def test_the_seed_decides_and_the_same_seed_decides_the_same() -> None:
    def moves(seed: int) -> str:
        done = riverstones_here("engine", "--level", "pebble", "--seed", str(seed), stdin=json.dumps(GO))
        return str(json.loads(done.stdout)["move"])

    assert moves(1) == moves(1)
    assert len({moves(seed) for seed in range(6)}) > 1


def test_an_answer_comes_before_the_next_line_is_sent() -> None:
    with subprocess.Popen(
        [COMMAND, "engine", "--level", "brook"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(json.dumps(GO) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["type"] == "move"
        process.stdin.close()
    assert process.returncode == 0


@pytest.mark.skipif(not has_kernel(), reason="Numba is not installed")
def test_the_strongest_level_is_the_default() -> None:
    done = riverstones("engine", stdin=json.dumps(GO | {"nodes": 1000}))
    *_, info, move = [json.loads(line) for line in done.stdout.splitlines()]
    assert (info["type"], info["level"], move["type"]) == ("info", "ocean", "move")


def test_an_unknown_level_is_refused() -> None:
    assert_refused(
        riverstones_here("engine", "--level", "lake"),
        f"There is no bot called “lake”; the bots are {', '.join(LEVELS)}, greedy.",
    )


@pytest.mark.slow
def test_the_figures_of_the_machine() -> None:
    done = riverstones("bench", "--json")
    # The benchmark may be the first to need its part of the engine.
    assert (done.returncode, done.stderr.replace("Compiling the engine; this happens once.\n", "")) == (0, "")
    figures = json.loads(done.stdout)
    assert figures["rules"]["positions_per_second"] > 100
    assert figures["machine"]
    if has_kernel():
        assert figures["kernel"]["positions_per_second"] > 10 * figures["rules"]["positions_per_second"]
        assert len(figures["kernel"]["runs"]) > 1
        assert figures["greedy_games_per_second"] > 100
