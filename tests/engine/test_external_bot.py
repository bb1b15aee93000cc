"""External bots: correct answers are played, and every failure is handled."""

import hashlib
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from riverstones.engine.external_bot import Failed, running, words_of
from riverstones.rules import Game, Move, Seed, Setup, View, view

Script = Callable[[str], str]
"""Makes a bot's command from the body of its answer."""

HEAD = """
import json, os, subprocess, sys, time
def say(**message):
    print(json.dumps(message), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "quit":
        break
    if asked["type"] != "go":
        continue
"""


@pytest.fixture
def script(tmp_path: Path) -> Script:
    def write(body: str) -> str:
        path = tmp_path / "bot.py"
        indented = "\n".join(f"    {line}" for line in body.splitlines())
        path.write_text(HEAD + indented, encoding="utf-8")
        return f'"{sys.executable}" "{path}"'

    return write


def first_view() -> View:
    return view(Game.begin(Setup(), Seed(hashlib.sha256(b"foreign").digest()).deal()), 0)


def ask(command: str, answer_within_s: float = 10.0) -> Move:
    with running(command, answer_within_s) as bot:
        bot.begin(first_view(), seed=1)
        return bot(first_view())


def alive(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_move_that_a_program_answers_is_its_move(script: Script) -> None:
    assert ask(script('say(type="move", move="e4+3")')) == Move.parse("e4+3")


def test_messages_before_the_move_are_ignored(script: Script) -> None:
    body = 'say(type="info", depth=1)\nsay(type="poem")\nsay(type="move", move="e4+3", more=1)'
    assert ask(script(body)) == Move.parse("e4+3")


def test_it_receives_the_game_and_its_view(script: Script) -> None:
    """The program answers with an error that repeats its input."""
    command = script('say(type="error", message=asked["position"])')
    with pytest.raises(Failed, match=r"answered with an error: .* 0 \d\d,\?\? 0,0 63 standard"):
        ask(command)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("sys.exit(3)", "it exited with status 3"),
        ('sys.exit("no idea")', "it exited with status 1: no idea"),
        ('raise ValueError("lost")', "it exited with status 1: ValueError: lost"),
        ("os.kill(os.getpid(), 9)", "it exited with status -9"),
        ('print("hello", flush=True)', "it answered “hello”, which is not a JSON object"),
        ('print("[]", flush=True)', "it answered “[]”, which is not a JSON object"),
        ("sys.stdout.buffer.write(bytes([255, 10])); sys.stdout.flush()", "which is not a JSON object"),
        ('say(type="move", move="e4")', "it answered “e4”, which is not a move"),
        ('say(type="move")', "it answered “None”, which is not a move"),
        ('say(type="move", move=["e4+3"])', "which is not a move"),
        ('say(type="error", message="what?")', "it answered with an error: what?"),
        ('say(type="error", message="one\\n\\n two \\x1b[31m")', "it answered with an error: one two \ufffd[31m"),
        ('say(type="move", move="\\ud800")', "it answered “\ufffd”, which is not a move"),
        ("sys.stdout.close(); os.close(1); time.sleep(30)", "it closed its input or output"),
    ],
)
def test_every_failure_is_explained(script: Script, body: str, reason: str) -> None:
    with pytest.raises(Failed) as failure:
        ask(script(body))
    assert reason in str(failure.value)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("time.sleep(60)", id="silent"),
        pytest.param("while True: say(type='info')", id="never done talking"),
        pytest.param("while True: print('x' * 70000, end='')", id="never done with a line"),
    ],
)
def test_a_program_that_times_out_is_killed(script: Script, body: str) -> None:
    begun = time.monotonic()
    with pytest.raises(Failed, match=r"did not answer within 0\.5 seconds|not a JSON object"):
        ask(script(body), answer_within_s=0.5)
    assert time.monotonic() - begun < 30


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at the process table")
@pytest.mark.parametrize("end", ["sys.exit(1)", 'say(type="move", move="e4+3")', "time.sleep(60)"])
def test_its_child_processes_are_killed(script: Script, tmp_path: Path, end: str) -> None:
    """The program starts a child that ignores SIGTERM."""
    note = tmp_path / "pid"
    stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    command = script(
        f"child = subprocess.Popen([sys.executable, '-c', {stubborn!r}])\n"
        f"open({str(note)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n{end}"
    )
    with suppress(Failed):
        ask(command, answer_within_s=2)
    pids = [int(word) for word in note.read_text().split()]
    deadline = time.monotonic() + 30
    while any(alive(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(alive(pid) for pid in pids)


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at the process table")
def test_it_is_killed_at_once_when_the_arena_is_interrupted(script: Script) -> None:
    command = script('say(type="error", message=os.getpid())\ntime.sleep(60)')
    begun = time.monotonic()
    with suppress(KeyboardInterrupt), running(command) as bot:
        with pytest.raises(Failed) as failure:
            bot(first_view())
        raise KeyboardInterrupt
    assert not alive(int(str(failure.value).split()[-1]))
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("", "its command is empty"),
        ("  ", "its command is empty"),
        ("no-such-program-here --fast", "there is no program “no-such-program-here”"),
        ('"half a quotation', "its command has an unclosed quotation mark"),
    ],
)
def test_a_command_that_cannot_run_is_explained(command: str, reason: str) -> None:
    with pytest.raises(Failed) as failure:
        words_of(command)
    assert str(failure.value) == reason


def test_a_file_that_is_not_executable_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "bot"
    path.write_bytes(b"\x00\x01")
    path.chmod(0o755)
    with pytest.raises(Failed, match="it could not be started"):
        ask(str(path))


def test_it_has_its_own_process_group(script: Script) -> None:
    """So that Ctrl-C at the arena does not reach it, and ending it does not reach the arena."""
    with pytest.raises(Failed) as failure:
        ask(script('say(type="error", message=f"{os.getpid()} {os.getpgid(0)}")'))
    pid, group = str(failure.value).split()[-2:]
    assert pid == group != str(os.getpgid(0))
    assert signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
