"""PostgreSQL for tests: a new cluster in a temporary folder, reachable from this machine only."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .running import free_port


def programs() -> Path | None:
    """The folder of PostgreSQL's programs, which Debian does not put on the path."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


@dataclass(frozen=True)
class Cluster:
    """A running cluster."""

    url: str
    """The URL of its server, to which a database's name can be added."""
    run: Callable[..., None]
    """Runs one of PostgreSQL's programs."""
    control: tuple[str, ...]
    """The arguments of `pg_ctl` that name the cluster."""
    data: Path

    @property
    def pid(self) -> int:
        """The process that all others of the cluster are children of."""
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def restart(self, mode: str) -> None:
        """Stop the server, `fast` or, as in a crash, `immediate`, and start it again."""
        self.run("pg_ctl", *self.control, "--mode", mode, "--wait", "restart")


@contextmanager
def started(addresses: str = "127.0.0.1") -> Iterator[Cluster]:
    """Run a cluster that listens on these addresses, and trusts every user of this machine."""
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
            # Not `capture_output`: the server would keep the pipe of a program that starts it.
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, user=user, cwd=folder)

        run(
            "initdb", "--pgdata", str(data), "--username", "river", "--auth", "trust", "--no-sync", "--encoding", "UTF8"
        )
        with (data / "pg_hba.conf").open("a") as rules:
            rules.write("host all all 127.0.0.0/8 trust\n")
        options = f"-p {port} -k {folder} -h {addresses} -c max_connections=100"
        control = ("--pgdata", str(data), "--options", options, "--log", str(folder / "log"))
        run("pg_ctl", *control, "--wait", "start")
        try:
            yield Cluster(f"postgresql://river@127.0.0.1:{port}", run, control, data)
        finally:
            run("pg_ctl", "--pgdata", str(data), "--mode", "immediate", "--wait", "stop")


@contextmanager
def cluster() -> Iterator[str]:
    """Run a cluster; the URL of its server, to which a database's name can be added."""
    with started() as found:
        yield found.url


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
