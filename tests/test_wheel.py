"""The wheel, installed into clean environments: with its extras it plays, without them it says what is missing.

An environment sees the packages that the wheel declares, and theirs, as links to those of the development
environment: nothing is downloaded, and nothing else is there.
"""

import json
import re
import shutil
import subprocess
import sys
import time
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path
from typing import Any

import httpx
import pytest
from packaging.requirements import Requirement

from riverstones.notation import parse_position
from riverstones.rules import plays

from .cli.helpers import START

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "src" / "riverstones" / "server" / "static"
TIMEOUT_S = 300.0

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as `make dist` builds it."""
    assert (STATIC / "index.html").exists(), "the web app is not built: run `make web`"
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)],
        cwd=ROOT,
        capture_output=True,
        check=True,
        timeout=TIMEOUT_S,
    )
    (found,) = folder.glob("*.whl")
    return found


class Environment:
    """A virtual environment with the wheel in it."""

    def __init__(self, folder: Path, wheel: Path, extras: str) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        self.bin = folder / "venv" / "bin"
        venv.create(folder / "venv", symlinks=True)
        (packages,) = (folder / "venv" / "lib").glob("python*/site-packages")
        link(needed_by(wheel, extras), packages)
        # Without --no-deps: pip refuses what lacks a requirement, and has no place to fetch it from.
        install = ["install", "--quiet", "--no-index", "--disable-pip-version-check", f"{wheel}{extras}"]
        done = subprocess.run(
            [sys.executable, "-m", "pip", "--python", str(self.bin / "python"), *install],
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_S,
        )
        assert done.returncode == 0, done.stderr
        origin = self.python("import riverstones; print(riverstones.__file__)")
        assert Path(origin.strip()).is_relative_to(packages)

    @property
    def variables(self) -> dict[str, str]:
        """No program is found but those of the environment itself."""
        return {"PATH": str(self.bin), "HOME": str(self.home), "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}

    def python(self, program: str) -> str:
        return subprocess.run(
            [self.bin / "python", "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env=self.variables,
            cwd=self.home,
            timeout=TIMEOUT_S,
        ).stdout

    def run(self, *arguments: str, stdin: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        """Run the command to its end."""
        return subprocess.run(
            [self.bin / "riverstones", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            env={**self.variables, **variables},
            cwd=self.home,
            timeout=TIMEOUT_S,
        )

    @contextmanager
    def serving(self) -> Iterator[str]:
        """Run a server and give its address."""
        with (self.home / "log").open("w") as log:
            process = subprocess.Popen(
                [self.bin / "riverstones", "serve", "--port", "0"],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=self.variables,
                cwd=self.home,
            )
        try:
            assert process.stdout is not None
            found = re.search(r"open at (http://\S+)", process.stdout.readline())
            assert found, (self.home / "log").read_text()
            yield found[1]
        finally:
            process.terminate()
            process.communicate(timeout=TIMEOUT_S)


def needed_by(wheel: Path, extras: str) -> dict[str, Distribution]:
    """The distributions that the wheel requires with these extras, directly and indirectly."""
    with zipfile.ZipFile(wheel) as archive:
        (folder,) = {name.partition("/")[0] for name in archive.namelist() if ".dist-info/" in name}
        own = PathDistribution(zipfile.Path(archive, f"{folder}/"))
        waiting: list[tuple[Distribution, set[str]]] = [(own, set(re.findall(r"\w+", extras)))]
        found: dict[str, Distribution] = {}
        seen: set[tuple[str, str]] = set()
        while waiting:
            holder, chosen = waiting.pop()
            for requirement in map(Requirement, holder.requires or ()):
                wanted = not requirement.marker or any(
                    requirement.marker.evaluate({"extra": extra}) for extra in chosen | {""}
                )
                key = (requirement.name, ",".join(sorted(requirement.extras)))
                if wanted and key not in seen:
                    seen.add(key)
                    found[requirement.name] = distribution(requirement.name)
                    waiting.append((found[requirement.name], requirement.extras))
    return found


def link(distributions: dict[str, Distribution], packages: Path) -> None:
    """Make the distributions visible in an environment."""
    for found in distributions.values():
        for top in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
            if not (packages / top).exists():
                (packages / top).symlink_to(Path(str(found.locate_file(top))))


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Environment:
    return Environment(tmp_path_factory.mktemp("complete"), wheel, "[server,engine]")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Environment:
    return Environment(tmp_path_factory.mktemp("plain"), wheel, "")


def test_the_wheel_holds_the_web_app_and_nothing_of_this_machine(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    built = {f"riverstones/server/static/{path.relative_to(STATIC).as_posix()}" for path in STATIC.rglob("*.*")}
    assert built <= names
    assert not [name for name in names if "__pycache__" in name or name.endswith((".nbi", ".nbc", ".sqlite3"))]
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {"riverstones"}


def test_with_its_extras_it_plays_without_node(complete: Environment) -> None:
    assert shutil.which("node", path=complete.variables["PATH"]) is None
    complete.python("import numba, numpy")
    with complete.serving() as address, httpx.Client(base_url=address, timeout=TIMEOUT_S) as client:
        page = client.get("/")
        assert "Riverstones" in page.text
        scripts = re.findall(r'src="(/assets/[^"]+\.js)"', page.text)
        assert scripts
        assert all(client.get(script).status_code == 200 for script in scripts)

        api = f"{address}/api/v1"
        assert client.get(f"{api}/levels").json()["levels"][-1] == "ocean"
        client.post(f"{api}/me", json={"name": "Ann"}).raise_for_status()
        seats = [{"who": "me"}, {"who": "bot", "level": "brook"}]
        made = client.post(f"{api}/tables", json={"options": {"seats": 2, "start": 0}, "seats": seats})
        assert made.status_code == 201, made.text
        table = f"{api}/tables/{made.json()['table']}"
        position = play_once(client, table)
        assert wait_for_turn(client, table, position)["now"]["position"] != position


def play_once(client: httpx.Client, table: str) -> str:
    """Play the best move when it is our turn, and give the position after it."""
    seen = wait_for_turn(client, table, "")
    known = parse_position(seen["now"]["position"])
    move = plays(known.board, seen["you"]["hand"], known.variant)[0].move
    command = {"type": "play", "seat": 0, "turn": seen["now"]["turn"], "move": str(move)}
    client.post(f"{table}/do", json={"id": "first", "command": command}).raise_for_status()
    return str(client.get(table).json()["now"]["position"])


def wait_for_turn(client: httpx.Client, table: str, after: str) -> dict[str, Any]:
    """The table as soon as we are to move in another position than `after`."""
    deadline = time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline:
        seen: dict[str, Any] = client.get(table).json()
        if seen["now"]["position"] != after and seen["now"]["to_move"] == 0:
            return seen
        time.sleep(0.2)
    raise AssertionError(json.dumps(seen))


def test_without_extras_the_library_and_the_command_line_work(plain: Environment) -> None:
    shown = plain.run("--help")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "serve" in shown.stdout
    listed = plain.run("plays", START, "--limit", "1")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert listed.stdout.count("\n") == 1
    game = plain.run("play", "--terminal", "--bot", "stream", stdin="quit\n")
    assert (game.returncode, game.stderr) == (0, "")
    assert "Stream" in game.stdout
    modules = "import riverstones.rules, riverstones.notation, riverstones.table, riverstones.engine.bots as bots"
    assert plain.python(f"{modules}; print(*bots.offered())").split()[-1] == "river"


SERVER = 'needs the extra “server”: pip install "riverstones[server]".'
BROWSER = (
    'The game in the browser needs the extra “server” (pip install "riverstones[server]"); '
    "“riverstones play --terminal” plays in the terminal without it."
)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("serve",), f"“riverstones serve” {SERVER}"),
        (("admin", "purge", "--days", "1"), f"“riverstones admin purge” {SERVER}"),
        (("admin", "tables", "delete", "x"), f"“riverstones admin tables delete” {SERVER}"),
        (("admin", "erase", "x"), f"“riverstones admin erase” {SERVER}"),
        ((), BROWSER),
        (("play",), BROWSER),
        (("play", "--host", "0.0.0.0"), BROWSER),
        (
            ("play", "--bot", "ocean"),
            'The bot ocean needs the “engine” extra (pip install "riverstones[engine]").',
        ),
        (
            ("engine", "--level", "ocean"),
            'The level ocean needs the extra “engine”: pip install "riverstones[engine]".',
        ),
        (
            ("arena", "stream", "brook", "--games", "2", "--dask", "tcp://127.0.0.1:1"),
            'A Dask cluster needs the extra “dask”: pip install "riverstones[dask]".',
        ),
    ],
)
def test_a_command_without_its_extra_says_which(plain: Environment, arguments: tuple[str, ...], sentence: str) -> None:
    done = plain.run(*arguments)
    assert (done.stderr, done.stdout, done.returncode) == (f"{sentence}\n", "", 2)


def test_the_missing_extra_is_named_in_the_language_of_the_locale(plain: Environment) -> None:
    done = plain.run("serve", LC_ALL="it_IT.UTF-8")
    sentence = '«riverstones serve» richiede l’extra «server»: pip install "riverstones[server]".\n'
    assert (done.stderr, done.returncode) == (sentence, 2)
