"""The pinned requirements install the same files everywhere, and say nothing about where to get them."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "requirements").glob("*.txt"))
REQUIREMENT = re.compile(
    r"(?P<name>[a-z0-9][a-z0-9-]*)==(?P<version>[\w.+!]+)(?: ; [^\\\n]+)?"
    r"(?: \\\n    --hash=sha256:[0-9a-f]{64})+"
    r"(?:\n    # via.*(?:\n    #   .*)*)?\n"
)


def pins(name: str) -> set[tuple[str, str]]:
    """Every pinned package of a requirements file, as name and version."""
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    return {(found["name"], found["version"]) for found in REQUIREMENT.finditer(text)}


def test_there_is_a_file_for_each_purpose() -> None:
    assert [path.name for path in FILES] == ["cluster.txt", "dev.txt", "docs.txt", "lock.txt", "node.txt", "run.txt"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_holds_pinned_and_hashed_requirements_and_nothing_else(path: Path) -> None:
    assert REQUIREMENT.sub("", path.read_text(encoding="utf-8")) == ""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_names_no_place(path: Path) -> None:
    assert not re.search(r"://|(?<![\w.])/\w|--(?!hash=)", path.read_text(encoding="utf-8"))


def test_development_runs_what_players_run() -> None:
    assert pins("run.txt") < pins("cluster.txt") < pins("dev.txt")


def test_every_declared_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    run = [*project["project"]["dependencies"], *extras["server"], *extras["engine"]]
    groups = project["dependency-groups"]

    def names(requirements: list[str]) -> set[str]:
        return {re.split(r"[^A-Za-z0-9-]", requirement)[0] for requirement in requirements}

    assert names(run + groups["build"]) <= {name for name, _ in pins("run.txt")}
    assert names(extras["cluster"]) <= {name for name, _ in pins("cluster.txt")}
    assert names(groups["dev"] + extras["dask"]) <= {name for name, _ in pins("dev.txt")}
    assert names(groups["lock"]) <= {name for name, _ in pins("lock.txt")}
    assert names(groups["docs"]) <= {name for name, _ in pins("docs.txt")}
