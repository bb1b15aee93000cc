"""`riverstones worker` says in one sentence why it cannot start."""

import subprocess
import sys

import pytest

from riverstones.cli.complaint import Complaint
from riverstones.cli.worker import work
from tests.server.running import free_port

from .helpers import assert_refused, environment


def worker(*arguments: str, without: str | None = None) -> subprocess.CompletedProcess[str]:
    hide = "" if without is None else f"sys.modules[{without!r}] = None; "
    program = f"import sys; {hide}from riverstones.cli import main; main()"
    command = [sys.executable, "-c", program, "worker", *arguments]
    return subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("module", ["saq", "psycopg", "redis"])
def test_without_the_packages_of_its_extra_it_says_which(module: str) -> None:
    sentence = '“riverstones worker” needs the extra “cluster”: pip install "riverstones[cluster]".'
    assert_refused(worker("--redis", "redis://127.0.0.1:1", without=module), sentence)


def test_without_the_engine_it_says_so() -> None:
    sentence = '“riverstones worker” needs the extra “engine”: pip install "riverstones[engine]".'
    assert_refused(worker("--redis", "redis://127.0.0.1:1", without="numba"), sentence)


@pytest.mark.parametrize("arguments", [(), ("--database", "sqlite:///games.sqlite3")])
def test_it_needs_a_store_that_machines_can_share(arguments: tuple[str, ...]) -> None:
    sentence = "A worker needs the servers' PostgreSQL or Redis: give --database or --redis."
    assert_refused(worker(*arguments), sentence)


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--database postgresql://river@127.0.0.1:{}/x", "--redis redis://127.0.0.1:{}"])
def test_a_store_that_does_not_answer_is_named(option: str) -> None:
    done = worker(*option.format(free_port()).split(" "))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("The queue of jobs cannot be reached: ")
    assert done.stderr.count("\n") == 1


def test_a_url_that_is_not_one_is_refused() -> None:
    done = worker("--redis", "http://cache")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("The URL cannot be used: ")
    assert done.stderr.count("\n") == 1


def test_a_failure_of_the_worker_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise KeyError("slots")

    monkeypatch.setattr("riverstones.cli.worker.serve_jobs", fail)
    with pytest.raises(Complaint, match=r"^The worker has failed: KeyError: 'slots' \(test_worker\.py, line \d+\)\.$"):
        work(None, "redis://127.0.0.1:1", 1)
