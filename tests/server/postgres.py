"""PostgreSQL for tests: a new cluster in a temporary folder, reachable from this machine only."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .running import free_port


def programs() -> Path | None:
    """The folder of PostgreSQL's programs, which Debian does not put on the path."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


@contextmanager
def cluster() -> Iterator[str]:
    """Run a cluster; the URL of its server, to which a database's name can be added."""
    folder_of_programs = programs()
    assert folder_of_programs is not None
    # PostgreSQL refuses to run as root; any other user works.
    user = "nobody" if hasattr(os, "geteuid") and os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="riverstones-pg-") as name:
        folder, port = Path(name), free_port()
        if user is not None:
            shutil.chown(folder, user)
        data = folder / "data"

        def run(program: str, *arguments: str) -> None:
            command = [str(folder_of_programs / program), *arguments]
            subprocess.run(command, check=True, capture_output=True, user=user, cwd=folder)

        run(
            "initdb", "--pgdata", str(data), "--username", "river", "--auth", "trust", "--no-sync", "--encoding", "UTF8"
        )
        options = f"-p {port} -k {folder} -h 127.0.0.1 -c max_connections=100"
        run("pg_ctl", "--pgdata", str(data), "--options", options, "--wait", "--log", str(folder / "log"), "start")
        try:
            yield f"postgresql://river@127.0.0.1:{port}"
        finally:
            run("pg_ctl", "--pgdata", str(data), "--mode", "immediate", "--wait", "stop")


def run_sql(url: str, statement: str) -> None:
    """Run a statement on a database."""
    psql = shutil.which("psql") or str((programs() or Path()) / "psql")
    subprocess.run([psql, url, "--command", statement], check=True, capture_output=True)


def make_database(url: str, name: str) -> str:
    """Create a database on the cluster and return its URL."""
    run_sql(f"{url}/postgres", f"CREATE DATABASE {name}")
    return f"{url}/{name}"


_NUMBERS = itertools.count()


def new_database(url: str) -> str:
    """Create a database with a name of its own and return its URL."""
    return make_database(url, f"site{next(_NUMBERS)}")
