"""Everything that the package imports is declared, where it is needed: for every installation, or in an extra."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from .test_imports import imported_names, layer_of

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "riverstones"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]

MAY_USE: dict[str, set[str]] = {
    "engine": {"engine"},
    "engine/arena/cluster.py": {"dask"},
    "study": {"engine"},
    "envs": {"envs"},
    "envs/open_spiel.py": {"openspiel"},
    "server": {"server"},
    "server/workers/dispatcher.py": {"cluster"},
    "server/workers/job_store.py": {"cluster"},
    "server/workers/remote_worker.py": {"cluster"},
    "cli": set(),
    "cli/serve.py": {"server"},
}
"""The extras that a layer or a single file may use; all other files use only the core dependencies."""

LOADED_BY_NAME = {
    "aiosqlite": "SQLAlchemy's driver for SQLite",
    "httptools": "Uvicorn's HTTP parser",
    "uvloop": "Uvicorn's event loop",
}
"""Dependencies that no file imports, and the library that loads each."""


def name_of(requirement: str) -> str:
    """The distribution that a requirement is about, in the normal spelling."""
    return normal(re.split(r"[^A-Za-z0-9._-]", requirement)[0])


def normal(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


def declared(extras: set[str]) -> set[str]:
    """The distributions declared for an installation with these extras."""
    requirements = [*PROJECT["dependencies"], *(entry for extra in extras for entry in EXTRAS[extra])]
    return {name_of(requirement) for requirement in requirements}


def third_party(source: str) -> Iterator[str]:
    """The third-party modules that a source file imports, including those passed to `import_module`."""
    tree = ast.parse(source)
    names = [name for _, name in imported_names(tree, ["riverstones"])]
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="import_module"), args=[ast.Constant(value=str(name)), *_]):
                names.append(name)
    for name in names:
        top = name.partition(".")[0]
        if top != "riverstones" and top not in sys.stdlib_module_names:
            yield top


def extras_of(place: Path) -> set[str]:
    layer = layer_of(place.with_suffix("").parts)
    return MAY_USE.get(layer, set()) | MAY_USE.get(place.as_posix(), set())


def undeclared(root: Path) -> list[str]:
    """Every import under the package folder `root` that its extras do not bring, as `file: module`."""
    distributions = packages_distributions()
    faults = set()
    for path in root.rglob("*.py"):
        place = path.relative_to(root)
        known = declared(extras_of(place))
        for module in third_party(path.read_text(encoding="utf-8")):
            if not known & {normal(name) for name in distributions.get(module, [module])}:
                faults.add(f"{place.as_posix()}: {module}")
    return sorted(faults)


def test_every_import_is_declared() -> None:
    assert undeclared(PACKAGE) == []


@pytest.mark.parametrize(
    ("file", "source", "fault"),
    [
        ("cli/app.py", "import fastapi", "cli/app.py: fastapi"),
        ("cli/app.py", "def f():\n    from numpy import array", "cli/app.py: numpy"),
        ("cli/serve.py", "import numpy", "cli/serve.py: numpy"),
        ("engine/bots.py", "import sqlalchemy.orm", "engine/bots.py: sqlalchemy"),
        ("engine/bots.py", "import_module('distributed')", "engine/bots.py: distributed"),
        # Installed as a dependency of a declared package, but not declared itself.
        ("server/app.py", "import anyio", "server/app.py: anyio"),
        ("table/events.py", "import pydantic", "table/events.py: pydantic"),
        ("__init__.py", "import no_such_module", "__init__.py: no_such_module"),
    ],
)
def test_an_import_that_is_not_declared_is_found(tmp_path: Path, file: str, source: str, fault: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(source, encoding="utf-8")
    assert undeclared(tmp_path) == [fault]


def test_nothing_is_declared_that_nothing_uses() -> None:
    distributions = packages_distributions()
    used = {
        normal(name)
        for path in PACKAGE.rglob("*.py")
        for module in third_party(path.read_text(encoding="utf-8"))
        for name in distributions.get(module, [module])
    }
    assert declared(set(EXTRAS) - {"all"}) - used == set(LOADED_BY_NAME)


def test_all_is_every_other_extra() -> None:
    assert EXTRAS["all"] == [f"riverstones[{','.join(extra for extra in EXTRAS if extra != 'all')}]"]
