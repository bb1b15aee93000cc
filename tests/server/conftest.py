"""Fixtures of the server's tests."""

import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from . import postgres, redis_server
from .running import Running, running, settings_for

_NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server on SQLite for the tests of one file."""
    folder: Path = tmp_path_factory.mktemp("server")
    with running(settings_for(folder)) as found:
        yield found


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[str]:
    """The URL of a PostgreSQL cluster for this run. Without PostgreSQL, CI fails and other machines skip."""
    if postgres.programs() is None and "CI" not in os.environ:
        pytest.skip("PostgreSQL is not installed")
    with postgres.cluster() as url:
        yield url


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The URL of a Redis server for this run. Without Redis, CI fails and other machines skip."""
    if redis_server.program() is None and "CI" not in os.environ:
        pytest.skip("Redis is not installed")
    with redis_server.redis_server() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """A function that returns the URL of a new, empty database: SQLite, then PostgreSQL."""
    if request.param == "sqlite":
        return lambda: f"sqlite:///{tmp_path / f'{next(_NUMBERS)}.sqlite3'}"
    url: str = request.getfixturevalue("postgres_cluster")
    return lambda: postgres.make_database(url, f"test{next(_NUMBERS)}")
