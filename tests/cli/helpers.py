"""How the tests run the command, and positions and boards that several of them use."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

from riverstones.cli.main import run

COMMAND = Path(sys.executable).with_name("riverstones")

START = (
    "........./........./....6..../........./..9.D.7../........./....4..../........./......... 0 27,?? 0,0 63 standard"
)
FIGURE_7 = "........./........./A821452../....3..../....1..../........./........./........./........."


def environment(**changes: str) -> dict[str, str]:
    """The environment for a command: English, without colour, and independent of the machine's settings."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "COLUMNS", "LINES"))
    }
    return {**kept, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", **changes}


def riverstones(
    *arguments: str, stdin: str | bytes = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the real command to its end."""
    done = subprocess.run(
        [COMMAND, *arguments],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        env=env or environment(),
        check=False,
        timeout=120,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def riverstones_here(
    *arguments: str, stdin: str | bytes = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end within this process, for tests that would otherwise start it very often."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    streams = [io.TextIOWrapper(io.BytesIO(data), encoding="utf-8") for data in (given, b"", b"")]
    with (
        patch.dict(os.environ, env or environment(), clear=True),
        patch.multiple(sys, stdin=streams[0], stdout=streams[1], stderr=streams[2]),
    ):
        status = run(arguments)
    texts = []
    for stream in streams[1:]:
        stream.seek(0)
        texts.append(stream.read())
    return subprocess.CompletedProcess(arguments, status, *texts)


def answer(*arguments: str, stdin: str = "") -> Any:
    """The JSON that the command prints."""
    done = riverstones_here(*arguments, "--json", stdin=stdin)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def assert_refused(done: subprocess.CompletedProcess[str], sentence: str) -> None:
    """A refusal is one sentence on standard error, status 2, and nothing else."""
    assert (done.stderr, done.stdout, done.returncode) == (sentence + "\n", "", 2)
