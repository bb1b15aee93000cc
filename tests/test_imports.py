"""Imports go downwards only, the lower layers need nothing but Python, and no start waits for the engine."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "riverstones"

MAY_IMPORT: dict[str, set[str]] = {
    "words": set(),
    "rules": set(),
    "svg": {"words", "rules"},
    "notation": {"words", "rules"},
    "table": {"words", "rules", "notation"},
    "engine": {"words", "rules", "notation", "table"},
    "study": {"words", "rules", "notation", "table", "engine"},
    "local": {"words", "rules", "notation", "table", "engine", "study"},
    "envs": {"words", "rules", "notation", "table", "engine", "study"},
    "server": {"words", "rules", "notation", "table", "engine", "study"},
    "cli": {"words", "rules", "notation", "table", "engine", "study", "server"},
}
"""Each layer, and the layers below it. A layer may also import itself."""

PURE = {"words", "rules", "svg", "notation", "table"}
"""The layers that import nothing but the standard library: they can run wherever Python does, even inside a browser."""

DATABASE = {"sqlalchemy", "alembic", "aiosqlite", "asyncpg", "psycopg", "psycopg_pool", "sqlite3"}
"""What only `server/storage` may import: it alone talks to the database."""

JOB_QUEUE = "server/workers/job_store.py"
"""The exception: saq keeps its queue in PostgreSQL by psycopg. No table of the project is read or written there."""

HEAVY = {"numba", "llvmlite", "numpy", "distributed"}
"""What neither `import riverstones` nor the command line's help may load."""


def layer_of(parts: tuple[str, ...]) -> str:
    """The layer of a module, given its dotted name's parts after `riverstones`."""
    if not parts or parts == ("__init__",):
        return "riverstones"
    return "cli" if parts == ("__main__",) else parts[0]


def imported_names(tree: ast.Module, package: list[str]) -> Iterator[tuple[int, str]]:
    """Line and absolute dotted name of every import in a module, wherever in the module it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = [*base, *(node.module.split(".") if node.module else [])]
            for alias in node.names:
                yield node.lineno, ".".join([*module, alias.name])


def display_lines(tree: ast.Module) -> set[int]:
    """The lines of the methods `_repr_svg_`, the only ones from which `rules` may import `svg`.

    A notebook calls them; nothing in the rules does, and importing the rules does not load `svg`.
    """
    methods = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "_repr_svg_"]
    return {line for method in methods for line in range(method.lineno, (method.end_lineno or method.lineno) + 1)}


def import_faults(root: Path) -> list[str]:
    """Every import under the package folder `root` that the layers forbid, as `file:line: what`."""
    faults = []
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root)
        layer = layer_of(place.with_suffix("").parts)
        if layer not in MAY_IMPORT and layer != "riverstones":
            faults.append(f"{place}: {layer} is not a layer")
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        for line, name in imported_names(tree, ["riverstones", *place.parent.parts]):
            top, *rest = name.split(".")
            if top == "riverstones":
                target = rest[0] if rest and rest[0] in MAY_IMPORT else None
                if (layer, target) == ("rules", "svg") and line in display_lines(tree):
                    continue
                if target and target != layer and target not in MAY_IMPORT.get(layer, set()):
                    faults.append(f"{place}:{line}: {layer} imports {target}")
            elif (layer in PURE or layer == "riverstones") and top not in sys.stdlib_module_names:
                faults.append(f"{place}:{line}: {layer} imports {top}")
    return faults


def database_faults(root: Path) -> list[str]:
    """Every module outside `server/storage` that imports SQLAlchemy or a driver, as `file:line: what`."""
    faults = []
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root)
        if place.parts[:2] == ("server", "storage") or place.as_posix() == JOB_QUEUE:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        for line, name in imported_names(tree, ["riverstones", *place.parent.parts]):
            if name.split(".")[0] in DATABASE or name.startswith("riverstones.server.storage.schema"):
                faults.append(f"{place}:{line}: {name}")
    return faults


def private_faults(root: Path) -> list[str]:
    """Every import of a name that another module keeps to itself, as `file:line: what`."""
    faults = []
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root)
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        for line, name in imported_names(tree, ["riverstones", *place.parent.parts]):
            own = name.rpartition(".")[2]
            if name.startswith("riverstones.") and own.startswith("_") and not own.startswith("__"):
                faults.append(f"{place}:{line}: {name}")
    return faults


def loaded_modules(program: str) -> set[str]:
    """The top-level modules that a fresh Python has loaded after running `program`."""
    report = "import json, sys\nprint(json.dumps([name.partition('.')[0] for name in sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\n{report}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_the_package_keeps_its_layers() -> None:
    assert import_faults(PACKAGE) == []
    assert all((PACKAGE / layer / "__init__.py").is_file() for layer in MAY_IMPORT)


def test_only_storage_talks_to_the_database(tmp_path: Path) -> None:
    assert database_faults(PACKAGE) == []
    for file in ("server/accounts/accounts.py", "server/storage/accounts.py", "cli/serve.py"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("from sqlalchemy import select\n", encoding="utf-8")
    (tmp_path / "server" / "app.py").write_text("from .storage import schema", encoding="utf-8")
    (tmp_path / "server" / "fanout.py").write_text("import psycopg", encoding="utf-8")
    assert database_faults(tmp_path) == [
        "cli/serve.py:1: sqlalchemy.select",
        "server/accounts/accounts.py:1: sqlalchemy.select",
        "server/app.py:1: riverstones.server.storage.schema",
        "server/fanout.py:1: psycopg",
    ]


def test_no_module_imports_a_private_name_of_another(tmp_path: Path) -> None:
    assert private_faults(PACKAGE) == []
    (tmp_path / "envs").mkdir()
    (tmp_path / "envs" / "vector.py").write_text(
        "from riverstones.engine.kernel import _play\nfrom .actions import _words, encode\n"
        "from riverstones import __version__",
        encoding="utf-8",
    )
    assert private_faults(tmp_path) == [
        "envs/vector.py:1: riverstones.engine.kernel._play",
        "envs/vector.py:2: riverstones.envs.actions._words",
    ]


@pytest.mark.parametrize(
    ("file", "source", "fault"),
    [
        ("rules/board.py", "import riverstones.notation", "rules/board.py:1: rules imports notation"),
        ("rules/board.py", "import numpy as np", "rules/board.py:1: rules imports numpy"),
        ("rules/board.py", "from riverstones import cli", "rules/board.py:1: rules imports cli"),
        ("rules/board.py", "from ..notation import moves", "rules/board.py:1: rules imports notation"),
        ("rules/board.py", "from .. import notation", "rules/board.py:1: rules imports notation"),
        ("rules/sub/deep.py", "from ...table import seats", "rules/sub/deep.py:1: rules imports table"),
        ("rules/board.py", "def f():\n    from riverstones import svg", "rules/board.py:2: rules imports svg"),
        ("rules/__init__.py", "def f():\n    import rich", "rules/__init__.py:2: rules imports rich"),
        ("words/phrases.py", "from riverstones.rules import x", "words/phrases.py:1: words imports rules"),
        ("words/phrases.py", "import babel", "words/phrases.py:1: words imports babel"),
        ("notation/moves.py", "import riverstones.engine", "notation/moves.py:1: notation imports engine"),
        ("table/seats.py", "from riverstones.engine import x", "table/seats.py:1: table imports engine"),
        ("table/seats.py", "from pydantic import BaseModel", "table/seats.py:1: table imports pydantic"),
        ("table/host.py", "from riverstones.engine import x", "table/host.py:1: table imports engine"),
        ("engine/search.py", "from riverstones.study import x", "engine/search.py:1: engine imports study"),
        ("study/review.py", "from riverstones.server import x", "study/review.py:1: study imports server"),
        ("server/app.py", "from riverstones.cli import main", "server/app.py:1: server imports cli"),
        ("__init__.py", "from riverstones.rules import Board", "__init__.py:1: riverstones imports rules"),
        ("__init__.py", "import rich", "__init__.py:1: riverstones imports rich"),
        ("helpers/text.py", "", "helpers/text.py: helpers is not a layer"),
    ],
)
def test_an_import_that_goes_upwards_or_outside_is_found(tmp_path: Path, file: str, source: str, fault: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(source, encoding="utf-8")
    assert import_faults(tmp_path) == [fault]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("rules/board.py", "import enum\nfrom collections.abc import Iterator\nfrom .tiles import Tile"),
        ("rules/sub/deep.py", "from ..tiles import Tile\nfrom riverstones import __version__"),
        ("rules/board.py", "class Board:\n    def _repr_svg_(self):\n        from riverstones import svg"),
        ("svg/drawing.py", "from riverstones.rules import Board\nfrom riverstones.words import phrase"),
        ("notation/moves.py", "from riverstones.rules import Move"),
        ("engine/kernel.py", "import numba\nfrom riverstones.notation import position"),
        ("study/review.py", "import numpy\nfrom riverstones.engine import kernel"),
        ("server/app.py", "import fastapi\nfrom riverstones import table, engine, rules, study"),
        ("cli/__init__.py", "from riverstones.server import app"),
        ("__main__.py", "from riverstones.cli import main"),
    ],
)
def test_an_import_that_goes_downwards_is_fine(tmp_path: Path, file: str, source: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(source, encoding="utf-8")
    assert import_faults(tmp_path) == []


def test_importing_the_package_loads_nothing_of_others() -> None:
    bare = loaded_modules("")
    assert loaded_modules("import riverstones") - bare == {"riverstones"}


def test_importing_the_rules_does_not_load_the_pictures() -> None:
    program = (
        "import sys, riverstones.rules\nassert not any(name.startswith('riverstones.svg') for name in sys.modules)"
    )
    loaded_modules(program)


@pytest.mark.parametrize("layer", sorted(PURE))
def test_a_pure_layer_loads_only_the_standard_library(layer: str) -> None:
    bare = loaded_modules("")
    assert loaded_modules(f"import riverstones.{layer}") - bare - sys.stdlib_module_names == {"riverstones"}


SHOW_HELP = """
import sys
from riverstones.cli import main
sys.argv = ["riverstones", "--help"]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""


@pytest.mark.parametrize("program", ["import riverstones", SHOW_HELP])
def test_a_start_loads_nothing_heavy(program: str) -> None:
    assert loaded_modules(program) & HEAVY == set()
