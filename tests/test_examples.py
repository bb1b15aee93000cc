"""Every example runs: the Python blocks of README and docs, and the examples in docstrings."""

from __future__ import annotations

import ast
import doctest
import importlib
import io
import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WITH_EXAMPLES = [page for page in PAGES if BLOCK.search(page.read_text(encoding="utf-8"))]
MODULES = [path for path in sorted(SOURCES.rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")]


def run_prompts(name: str, text: str, names: dict[str, object]) -> None:
    """Run a block with prompts, and compare what it prints with what is shown."""
    test = doctest.DocTestParser().get_doctest(text, names, name, name, 0)
    report = io.StringIO()
    done = doctest.DocTestRunner().run(test, out=report.write, clear_globs=False)
    names.update(test.globs)
    assert done.attempted > 0
    assert done.failed == 0, report.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.name)
def test_the_examples_of_a_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a page run one after the other, in a folder with a game file; programs read an empty input."""
    shutil.copy(sorted((ROOT / "tests" / "playthroughs").glob("*.river"))[0], tmp_path / "game.river")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    names: dict[str, object] = {"__name__": "__main__"}
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        if ">>> " in block:
            run_prompts(page.name, block, names)
        else:
            exec(compile(block, page.name, "exec"), names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(SOURCES).as_posix())
def test_the_examples_in_docstrings_run(path: Path) -> None:
    name = ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__")
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert (failed, tried > 0) == (0, True)


def test_ten_lines_are_ten_lines() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    block = BLOCK.findall(text)[0]
    assert len([line for line in block.splitlines() if line]) == 10


PUBLIC = re.findall(
    r"^### `(riverstones[\w.]*)`$", (ROOT / "docs" / "api.md").read_text(encoding="utf-8"), re.MULTILINE
)


@pytest.mark.parametrize("module", PUBLIC)
def test_the_page_of_the_api_lists_the_public_names(module: str) -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    section = text.split(f"### `{module}`\n")[1].split("\n### ")[0]
    names = section.strip().split("\n\n")[1]
    loaded = importlib.import_module(module)
    assert sorted(re.findall(r"`(\w+)`", names)) == sorted(loaded.__all__)
    for name in loaded.__all__:
        assert hasattr(loaded, name)


def test_every_public_name_is_documented() -> None:
    """Classes and functions have a docstring; a constant has one below it, or speaks for itself."""
    for module in PUBLIC:
        loaded = importlib.import_module(module)
        for name in loaded.__all__:
            value = getattr(loaded, name)
            if callable(value) and getattr(value, "__module__", "").startswith("riverstones"):
                assert value.__doc__, f"{module}.{name}"
                assert not value.__doc__.startswith(f"{name}("), f"{module}.{name}"


def test_all_is_literal_so_that_tools_can_read_it() -> None:
    for module in PUBLIC:
        package = SOURCES.joinpath(*module.split("."))
        path = package / "__init__.py" if package.is_dir() else package.with_suffix(".py")
        targets = [
            node
            for node in ast.parse(path.read_text(encoding="utf-8")).body
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__"
        ]
        assert len(targets) == 1
        assert ast.literal_eval(targets[0].value)
