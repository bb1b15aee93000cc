"""Every level, option and page is everywhere it has to be. The lists come from the code: a new one fails here first."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from riverstones.cli import choices
from riverstones.cli.app import app
from riverstones.engine import bots
from riverstones.table import Options
from riverstones.table import events as e
from riverstones.table.seating import STAND_IN
from riverstones.words import LANGUAGES, messages

ROOT = Path(__file__).parents[1]
SCHEMA = json.loads((ROOT / "docs/protocol.schema.json").read_text(encoding="utf-8"))
OPTIONS = [field.name for field in fields(Options)]

ASKED_ELSEWHERE = {
    "seats": "the dialog asks for it before the settings",
    "guided": "the home page offers a guided first game",
}
"""Options that the page's settings do not ask for, with the reason."""
NOT_IN_THE_TERMINAL = {"clock", "seconds", "hints", "listed", "rated", "programs", "guided"}
"""Options that only a server can keep: the terminal has one keyboard, no clock, and always gives hints."""

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def help_of(*command: str) -> str:
    shown = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "200"})
    assert shown.exit_code == 0
    return shown.stdout


def test_the_command_line_knows_the_levels_of_the_engine() -> None:
    assert choices.LEVELS == bots.LEVELS


@pytest.mark.parametrize("level", bots.LEVELS)
def test_every_level_is_in_the_help_and_in_the_docs(level: str) -> None:
    assert re.search(rf"\b{level}\b", help_of("play"))
    assert f"\n| `{level}` | " in read("docs/cli.md")
    assert f"`{level}`" in read("docs/arena.md").partition("\n| option |")[0]
    assert f"`{level}`" in read("docs/engine.md").partition("## The levels")[2].partition("\n## ")[0]


def test_the_docs_know_no_other_level() -> None:
    rows = read("docs/cli.md").partition("### The bots\n\n")[2].partition("\n\n")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \|", rows, re.MULTILINE)) == bots.LEVELS


@pytest.mark.parametrize("level", bots.LEVELS)
def test_every_level_is_in_the_schema_and_in_every_language(level: str) -> None:
    assert level in SCHEMA["limits"]["levels"]
    for language in LANGUAGES:
        assert {f"level_{level}", f"level_{level}_about"} <= messages(language).keys()


def test_the_readme_counts_the_bots_and_the_languages() -> None:
    readme = read("README.md")
    assert f"**{NUMBERS[len(bots.LEVELS)].capitalize()} bots**" in readme
    assert f"in {NUMBERS[len(LANGUAGES)]} languages" in readme


def test_the_default_level_is_written_once() -> None:
    assert {bots.DEFAULT_LEVEL, STAND_IN} <= set(bots.LEVELS)
    limits = SCHEMA["limits"]
    assert (limits["default_level"], limits["stand_in"]) == (bots.DEFAULT_LEVEL, STAND_IN)
    sources = [*(ROOT / "src").rglob("*.py"), *(ROOT / "web/src").rglob("*.ts"), *(ROOT / "web/src").rglob("*.svelte")]
    written = {
        (path.relative_to(ROOT).as_posix(), level)
        for path in sources
        if "web/src/protocol" not in path.as_posix()
        for level in (bots.DEFAULT_LEVEL, STAND_IN)
        if f'"{level}"' in path.read_text(encoding="utf-8")
    }
    named = {(file, level) for file in DEFINING for level in (bots.DEFAULT_LEVEL, STAND_IN)}
    assert written - named == {
        ("src/riverstones/engine/bots.py", bots.DEFAULT_LEVEL),
        ("src/riverstones/table/seating.py", STAND_IN),
    }


DEFINING = (
    "src/riverstones/engine/human.py",
    "src/riverstones/cli/choices.py",
    "src/riverstones/study/review/accuracy.py",
)
"""The files that define and list the levels."""


def other_value(name: str) -> Any:
    """A value of an option that is not its default."""
    default = getattr(Options(), name)
    if isinstance(default, Enum):
        return next(value for value in type(default) if value is not default)
    return not default if isinstance(default, bool) else default + 1


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_comes_back_from_the_log_with_a_value_that_is_not_its_default(name: str) -> None:
    options = replace(Options(), **{name: other_value(name)})
    assert options != Options()
    assert Options.from_json(json.loads(json.dumps(options.to_json()))) == options
    created = e.Created("t", options, "ann", ())
    assert e.from_json("created", json.loads(json.dumps(e.to_json(created)))) == created


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_in_the_schemas_and_in_the_docs(name: str) -> None:
    for definitions in (SCHEMA["server"]["$defs"], json.loads(read("docs/openapi.json"))["components"]["schemas"]):
        options = next(schema for key, schema in definitions.items() if key in ("Options", "Options-Output"))
        assert options["properties"][name]["description"]
    assert SCHEMA["limits"]["default_options"][name] == Options().to_json()[name]
    told = read("docs/protocol.md").partition("All fields of `options` are optional:\n\n")[2].partition("\n\n")[0]
    assert f"`{name}`" in told


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_asked_for_and_shown_by_the_page(name: str) -> None:
    options = read("web/src/lib/table_options.ts")
    switches, settings = (
        options.partition(f"const {table}")[2].partition("\n};")[0] for table in ("SWITCHES", "SETTINGS")
    )
    entry = rf"^  {name}: "
    switch = re.search(entry, switches, re.MULTILINE)
    asked = switch or re.search(rf"bind:value=\{{{name}\}}", read("web/src/parts/TermFields.svelte"))
    assert bool(asked) != (name in ASKED_ELSEWHERE)
    assert switch or re.search(entry, settings, re.MULTILINE)


def test_every_option_of_a_game_at_one_keyboard_is_on_the_command_line() -> None:
    command = typer.main.get_command(app).get_command(None, "play")  # type: ignore[attr-defined]
    on_the_line = {parameter.name for parameter in command.params}
    assert set(OPTIONS) - on_the_line == NOT_IN_THE_TERMINAL
    told = read("docs/cli.md")
    for name in set(OPTIONS) & on_the_line:
        assert f"--{name}" in help_of("play")
        assert f"| `--{name} " in told


PAGES = re.findall(r'import\("\./pages/(\w+)\.svelte"\)', read("web/src/App.svelte"))
ROUTES = re.findall(r'router\.path === "/(\w+)"|/\^\\/(\w+)', read("web/src/App.svelte"))


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_a_title(page: str) -> None:
    assert re.search(r"<svelte:head><title>|document\.title = ", read(f"web/src/pages/{page}.svelte"))


def test_every_route_leads_to_a_page_that_browser_tests_look_at() -> None:
    routes = [exact or start for exact, start in ROUTES]
    assert len(routes) == len(PAGES)
    scenes = read("tests/web/scenes.py")
    assert [route for route in routes if f'visitor.go("/{route}' not in scenes] == []
