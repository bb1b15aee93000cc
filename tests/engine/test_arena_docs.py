"""The examples of docs/arena.md are run."""

import json
import re
import shlex
import sys
from pathlib import Path

from riverstones.engine.arena import Match, Tally, compete, to_json
from riverstones.engine.protocol import Session

PAGE = (Path(__file__).parents[2] / "docs" / "arena.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_bot_of_the_page_plays(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(next(block for block in blocks("python") if "sys.stdin" in block), encoding="utf-8")
    match = Match((f'cmd:"{sys.executable}" "{bot}"', "pebble"))
    tally = Tally(match)
    compete(tally, 2)
    report = to_json(match, tally.deals())
    assert report["forfeits"] == []
    assert report["bots"][0]["mean_points"] < report["bots"][1]["mean_points"]


def test_the_example_program_plays_in_the_arena() -> None:
    program = Path(__file__).parents[2] / "docs" / "bot.py"
    match = Match((f'cmd:"{sys.executable}" "{program}"', "greedy"))
    tally = Tally(match)
    compete(tally, 2)
    report = to_json(match, tally.deals())
    assert report["forfeits"] == []
    assert report["bots"][0]["mean_points"] == report["bots"][1]["mean_points"]  # both play for the most points


def test_the_engine_answers_as_shown() -> None:
    shown = next(block for block in blocks("sh") if block.startswith("$ echo"))
    command, *answers = shown.splitlines()
    line = shlex.split(command)[2]
    assert list(Session("stream").answer(line)) == [json.loads(answer) for answer in answers]


def test_the_report_has_the_fields_that_are_shown() -> None:
    shown = json.loads(next(block for block in blocks("json") if '"games"' in block))
    match = Match(("pebble", "brook"))
    tally = Tally(match)
    compete(tally, 2)
    report = to_json(match, tally.deals()) | {"stopped": False}
    assert report.keys() == shown.keys()
    assert report["bots"][0].keys() == shown["bots"][0].keys()
