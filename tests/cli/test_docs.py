"""The examples of docs/cli.md match the output of the commands."""

import re
import shlex
from pathlib import Path

import pytest

from .helpers import riverstones_here

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```console\n\$ riverstones (.*)\n([^`]*)```", PAGE)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == PAGE.count("```console") > 0


@pytest.mark.parametrize(("call", "shown"), EXAMPLES)
def test_an_example_shows_what_the_command_answers(call: str, shown: str) -> None:
    done = riverstones_here(*shlex.split(call))
    assert (done.stdout, done.stderr, done.returncode) == (shown, "", 0)


def test_every_option_of_play_is_documented() -> None:
    options = set(re.findall(r"--[a-z]+", riverstones_here("play", "--help").stdout)) - {"--help"}
    assert options == set(re.findall(r"--[a-z]+", PAGE.split("## Play\n")[1].split("## Plays")[0]))
