"""The command as a whole: help, version, completion, start, and error handling."""

import json
import resource
import statistics
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

from riverstones import __version__
from riverstones.cli import choices
from riverstones.cli.extras import needs_server
from riverstones.engine.bots import LEVELS
from riverstones.rules import Layout, Scoring, Variant
from riverstones.words import LANGUAGES

from .helpers import COMMAND, START, assert_refused, environment, riverstones, riverstones_here


def test_the_version() -> None:
    assert riverstones("--version").stdout == f"riverstones {__version__}\n"


def test_the_package_runs_as_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "riverstones", "--version"], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == f"riverstones {__version__}\n"


def test_the_help_names_every_command() -> None:
    shown = riverstones("--help").stdout
    for command in ("play", "plays", "score", "verify"):
        assert f"\n  {command} " in shown
        assert riverstones(command, "--help").stdout.startswith(f"Usage: riverstones {command}")


def test_the_help_is_fast() -> None:
    # Processor time, because wall-clock time depends on the load of the machine.
    seconds = []
    for _ in range(7):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([COMMAND, "--help"], capture_output=True, check=True, env=environment())
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert statistics.median(seconds) < 0.3


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["dance"], "Unknown command “dance”."),
        (["arna"], "Unknown command “arna”; did you mean arena?"),
        (["--loud"], "Unknown option --loud."),
        (["arena", "river", "greedy", "--gmes", "5"], "Unknown option --gmes; did you mean --games?"),
        (["plays"], "POSITION is missing; see “riverstones plays --help”."),
        (["bench", "now"], "Unexpected argument: “now”."),
        (["plays", "-", "--json=x"], "The option --json takes no value."),
        (["engine", "--level"], "The option --level needs a value."),
        (["arena", "river", "greedy", "--games", "x"], "--games takes a whole number, not “x”."),
        (["arena", "river", "greedy", "--seed", "1.5"], "--seed takes a whole number, not “1.5”."),
        (["arena", "river", "greedy", "--elo0", "x"], "--elo0 takes a number, not “x”."),
        (["arena", "river", "greedy", "--games", "0"], "--games must be 1 or more, not 0."),
        (["serve", "--port", "70000"], "--port must be 65535 or less, not 70000."),
        (
            ["play", "--layout", "heap"],
            f"--layout must be one of {', '.join(layout.value for layout in Layout)}, not “heap”.",
        ),
    ],
)
def test_a_usage_error_is_one_sentence_and_status_2(arguments: list[str], sentence: str) -> None:
    done = riverstones_here(*arguments, env=environment())
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{sentence}\n")


def test_a_usage_error_is_in_the_language_of_the_locale() -> None:
    done = riverstones_here("bench", "--quick", env=environment(LC_ALL="it_IT.UTF-8"))
    assert done.stderr == "L’opzione --quick non esiste.\n"


def test_ctrl_c_before_the_command_has_begun_leaves_quietly(tmp_path: Path) -> None:
    """A module that the command line imports interrupts the process while it is loaded."""
    (tmp_path / "typer.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n", encoding="utf-8")
    done = riverstones("bench", env=environment(PYTHONPATH=str(tmp_path)))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize(
    ("redirection", "status", "sentence"),
    [
        ("<&-", 0, ""),
        (">&-", 0, ""),
        ("2>&-", 0, ""),
        (">/dev/full", 2, "Cannot write the output: no space left on device.\n"),
    ],
)
def test_a_closed_or_full_stream_is_handled(redirection: str, status: int, sentence: str) -> None:
    script = f'"$@" {redirection}'
    for arguments in (["engine", "--level", "pebble"], ["arena", "pebble", "greedy", "--games", "2", "--jobs", "1"]):
        done = subprocess.run(
            ["/bin/sh", "-c", script, "sh", COMMAND, *arguments],
            input=json.dumps({"type": "go", "position": START}),
            capture_output=True,
            env=environment(),
            text=True,
            check=False,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (status, sentence)


def test_the_options_offer_what_the_rules_have() -> None:
    assert get_args(choices.Variants) == tuple(variant.value for variant in Variant)
    assert get_args(choices.Scorings) == tuple(scoring.value for scoring in Scoring)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_completion_script(shell: str) -> None:
    script = riverstones(
        "--show-completion", shell, env=environment(_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    ).stdout
    assert "riverstones" in script
    assert "_RIVERSTONES_COMPLETE" in script


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("riverstones pl", {"play", "plays"}),
        ("riverstones play --layout st", {"star"}),
        ("riverstones play --bot ", set(LEVELS)),
        ("riverstones score --language ", set(LANGUAGES)),
    ],
)
def test_completion_offers_commands_and_choices(typed: str, offered: set[str]) -> None:
    words = typed.split(" ")
    env = environment(_RIVERSTONES_COMPLETE="complete_bash", COMP_WORDS=typed, COMP_CWORD=str(len(words) - 1))
    assert set(riverstones(env=env).stdout.split()) == offered


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("serve",), '“riverstones serve” needs the extra “server”: pip install "riverstones[server]".'),
        (
            ("play",),
            'The game in the browser needs the extra “server” (pip install "riverstones[server]"); '
            "“riverstones play --terminal” plays in the terminal without it.",
        ),
    ],
)
def test_without_the_servers_packages_its_commands_say_what_is_missing(
    arguments: tuple[str, ...], sentence: str
) -> None:
    without = "import sys; sys.modules['sqlalchemy'] = None; from riverstones.cli import main; main()"
    command = [sys.executable, "-c", without, *arguments]
    assert_refused(subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=120), sentence)


def test_a_missing_module_of_our_own_is_not_taken_for_a_missing_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_module"), needs_server("serve"):
        import_module("riverstones.no_such_module")
