"""Every layout, level, option and page is everywhere it has to be, and a failure says which step is missing.

The lists come from the code: a new one fails here first. The steps are the recipes of docs/architecture.md.
"""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from riverstones.cli import choices
from riverstones.cli.app import app
from riverstones.engine import bots
from riverstones.rules import Layout, Setup
from riverstones.study.review.accuracy import LEVEL_ACCURACY
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
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def uses_of_options() -> str:
    """The source of the packages that use a table's options, without their definition."""
    package = ROOT / "src/riverstones"
    paths = [path for layer in ("table", "study", "server") for path in (package / layer).rglob("*.py")]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths if path != package / "table/options.py")


@cache
def all_tests() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))


def help_of(*command: str) -> str:
    shown = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "200"})
    assert shown.exit_code == 0
    return shown.stdout


def without(keys: set[str]) -> list[str]:
    """The languages that lack one of these messages, as the files to add them to."""
    return [f"src/riverstones/words/{language}.json" for language in LANGUAGES if keys - messages(language).keys()]


def rows_after(path: str, text: str) -> str:
    """The table that follows a text in a page of the docs."""
    return read(path).partition(f"{text}\n\n")[2].partition("\n\n")[0]


@pytest.mark.parametrize("layout", Layout)
def test_every_layout_is_in_the_schema_and_in_every_language(layout: Layout) -> None:
    assert len(set(layout.stones)) == 5, f"give {layout.name} four different squares, none of them the centre"
    lacking = without({f"layout_{layout.value}"})
    assert not lacking, (
        f"add the message layout_{layout.value} after those of the other layouts to {', '.join(lacking)}"
    )
    published = SCHEMA["limits"]["layouts"].get(layout.value)
    assert published == [str(square) for square in layout.stones], "run `make schemas`"


def test_the_layouts_of_the_command_line_and_the_docs_are_those_of_the_rules() -> None:
    names = tuple(layout.value for layout in Layout)
    assert names == choices.LAYOUTS, "put the messages layout_NAME into the order of Layout, in every language"
    told = re.findall(r"^\| `(\w+)`[^|]*\| ([^|]+) \|$", read("docs/rules.md"), re.MULTILINE)
    stones = [(layout.value, " ".join(map(str, layout.stones[1:]))) for layout in Layout]
    assert told == stones, "write a row for each layout, in the order of Layout, in the table of docs/rules.md"


def test_the_levels_are_named_weakest_first() -> None:
    assert bots.LEVELS == ("drop", "pebble", "spring", "brook", "stream", "river", "rapids", "ocean"), (
        "a new level takes its place in this list; play it against its neighbours to know which (docs/arena.md)"
    )


def test_the_command_line_knows_the_levels_of_the_engine() -> None:
    assert choices.LEVELS == bots.LEVELS, (
        "add level_NAME and level_NAME_about to every language, in the order of the levels, weakest first"
    )


@pytest.mark.parametrize("level", bots.LEVELS)
def test_every_level_is_in_the_help_and_in_the_docs(level: str) -> None:
    assert re.search(rf"\b{level}\b", help_of("play")), f"add level_{level}_about to every language"
    assert f"`{level}`" in read("docs/arena.md").partition("\n| option |")[0], f"name {level} in docs/arena.md"
    levels = read("docs/engine.md").partition("## The levels")[2].partition("\n## ")[0]
    assert f"`{level}`" in levels, f"add {level} to the table under “The levels” in docs/engine.md"
    usual = LEVEL_ACCURACY.get(level)
    assert usual, f"measure {level} with `python -m bench.accuracy {level}`: LEVEL_ACCURACY in study/review/accuracy.py"
    row = rf"^\| `{level}` \| {usual.mean} \| [\d.]+ \| {usual.spread} \|"
    assert re.search(row, rows_after("docs/study.md", "makes exactly the moves of the judge:"), re.MULTILINE), (
        f"add {level} with its figures of LEVEL_ACCURACY to the table in docs/study.md"
    )


def test_the_command_line_docs_have_a_row_for_each_level() -> None:
    told = tuple(re.findall(r"^\| `(\w+)` \|", rows_after("docs/cli.md", "### The bots"), re.MULTILINE))
    assert told == bots.LEVELS, "write a row for each level, weakest first, under “The bots” in docs/cli.md"


@pytest.mark.parametrize("level", bots.LEVELS)
def test_every_level_is_in_the_schema_and_in_every_language(level: str) -> None:
    keys = {f"level_{level}", f"level_{level}_about"}
    lacking = without(keys)
    assert not lacking, f"add the messages {' and '.join(sorted(keys))} to {', '.join(lacking)}"
    assert level in SCHEMA["limits"]["levels"], "run `make schemas`"


def test_the_readme_counts_the_bots_and_the_languages() -> None:
    readme = read("README.md")
    for count in (f"**{NUMBERS[len(bots.LEVELS)].capitalize()} bots**", f"in {NUMBERS[len(LANGUAGES)]} languages"):
        assert count in readme, f"README.md has to say “{count}”"


def test_the_package_names_its_languages() -> None:
    named = re.findall(r'"Natural Language :: (\w+)"', read("pyproject.toml"))
    assert len(named) == len(LANGUAGES), "add a classifier “Natural Language” for each language to pyproject.toml"
    lacking = [name for name in named if not re.search(rf"\b{name}\b", read("README.md").partition("## For dev")[0])]
    assert not lacking, f"add these to the languages in README.md: {', '.join(lacking)}"


def test_the_default_level_is_written_once() -> None:
    assert {bots.DEFAULT_LEVEL, STAND_IN} <= set(bots.LEVELS)
    limits = SCHEMA["limits"]
    assert (limits["default_level"], limits["stand_in"]) == (bots.DEFAULT_LEVEL, STAND_IN)
    sources = [*(ROOT / "src").rglob("*.py"), *(ROOT / "web/src").rglob("*.ts"), *(ROOT / "web/src").rglob("*.svelte")]
    written = {
        (path.relative_to(ROOT).as_posix(), level)
        for path in sources
        if "web/src/protocol" not in path.as_posix()
        and "src/riverstones/svg" not in path.as_posix()  # where pebble is a colour
        and "src/riverstones/envs" not in path.as_posix()  # whose documentation names an opponent
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
        assert name in options["properties"], "run `make schemas`"
        assert options["properties"][name].get("description"), (
            f"write a docstring below {name} in table/options.py, then run `make schemas`"
        )
    assert SCHEMA["limits"]["default_options"].get(name) == Options().to_json()[name], "run `make schemas`"
    told = rows_after("docs/protocol.md", "All fields of `options` are optional:")
    assert f"`{name}`" in told, f"add a row for {name} to the table of options in docs/protocol.md"


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_read_where_it_has_an_effect(name: str) -> None:
    """Not in the file that defines, checks and serialises the options."""
    found = rf"\boptions\.{name}\b"
    assert re.search(found, uses_of_options()), f"nothing reads {name}: give it an effect in table/, study/ or server/"


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_set_by_a_test(name: str) -> None:
    assert re.search(rf"\b{name}=", all_tests()), f"test the effect of {name} in tests/table"


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_asked_for_and_shown_by_the_page(name: str) -> None:
    """An option that is on or off needs only its label; any other option has a field and an entry in SETTINGS."""
    is_switch = isinstance(getattr(Options(), name), bool) and name not in ASKED_ELSEWHERE
    if is_switch:
        lacking = without({f"option_{name}"})
        assert not lacking, f"add the message option_{name}, its label in the form, to {', '.join(lacking)}"
        return
    settings = read("web/src/lib/table_options.ts").partition("const SETTINGS")[2].partition("\n};")[0]
    assert re.search(rf"^  {name}: ", settings, re.MULTILINE), (
        f"say how a table shows {name}: an entry in SETTINGS in web/src/lib/table_options.ts"
    )
    asked = f"bind:value={{{name}}}" in read("web/src/parts/TermFields.svelte")
    assert asked != (name in ASKED_ELSEWHERE), (
        f"add a field for {name} to web/src/parts/TermFields.svelte, or to ASKED_ELSEWHERE here why there is none"
    )


@pytest.mark.parametrize("name", [field.name for field in fields(Setup)])
def test_every_setting_of_the_game_itself_is_an_option_and_on_the_command_line(name: str) -> None:
    """The other options are about company, which the terminal does not have."""
    assert name in OPTIONS, f"add {name} to Options in table/options.py"
    command = typer.main.get_command(app).get_command(None, "play")  # type: ignore[attr-defined]
    assert name in {parameter.name for parameter in command.params}, f"add --{name} to `play` in cli/app.py"
    assert f"--{name}" in help_of("play")
    assert f"| `--{name} " in read("docs/cli.md"), f"add a row for --{name} to the options of `play` in docs/cli.md"


PAGES = re.findall(r'import\("\./pages/(\w+)\.svelte"\)', read("web/src/App.svelte"))
ROUTES = re.findall(r'router\.path === "/(\w+)"|/\^\\/(\w+)', read("web/src/App.svelte"))


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_a_title(page: str) -> None:
    assert re.search(r"<svelte:head><title>|document\.title = ", read(f"web/src/pages/{page}.svelte")), (
        f"give web/src/pages/{page}.svelte a title: <svelte:head><title>…</title></svelte:head>"
    )


def test_every_route_leads_to_a_page_that_browser_tests_look_at() -> None:
    routes = [exact or start for exact, start in ROUTES]
    assert len(routes) == len(PAGES), f"as many routes as pages in web/src/App.svelte: {routes}, {PAGES}"
    scenes = read("tests/web/scenes.py")
    unseen = [route for route in routes if f'visitor.go("/{route}' not in scenes]
    assert not unseen, f"add a scene that opens each of these pages to tests/web/scenes.py: {', '.join(unseen)}"


@pytest.mark.parametrize("page", sorted(path.stem for path in (ROOT / "web/src/pages").glob("*.svelte")))
def test_every_component_among_the_pages_is_used(page: str) -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "web/src").rglob("*.svelte")]
    assert any(f"/{page}.svelte" in source for source in sources), (
        f"nothing shows web/src/pages/{page}.svelte: add its route to web/src/App.svelte"
    )


def test_every_scene_is_visited() -> None:
    """A scene opens a page and is called by no other one; left out of SCENES, no test would visit it."""
    source = read("tests/web/scenes.py")
    listed = re.findall(r"^        (\w+),$", source.partition("SCENES:")[2], re.MULTILINE)
    written = re.findall(r"^def (\w+)\(visitor: Visitor\) -> None:", source, re.MULTILINE)
    forgotten = sorted(set(written) - set(listed))
    assert not forgotten, f"add to SCENES in tests/web/scenes.py: {', '.join(forgotten)}"
