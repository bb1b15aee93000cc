"""Fixtures of the server's tests."""

import inspect
import itertools
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from . import postgres, redis_server
from .running import Running, running, settings_for

_NUMBERS = itertools.count()
FOLDER_OF_TESTS = Path(__file__).parent
STARTING = (FOLDER_OF_TESTS / "running.py", FOLDER_OF_TESTS / "postgres.py")
"""The files that start servers and databases."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test as slow that starts a server or a database, itself or with a fixture."""
    for item in items:
        if FOLDER_OF_TESTS in item.path.parents and isinstance(item, pytest.Function):
            found = item._fixtureinfo.name2fixturedefs.values()
            fixtures = [fixture.func for definitions in found for fixture in definitions]
            if item.cls is not None or any(starts_something(each) for each in (item.function, *fixtures)):
                item.add_marker(pytest.mark.slow)


@cache
def starts_something(named: Callable[..., Any]) -> bool:
    """Whether a function or class is of the files in `STARTING`, or is a function of the tests that uses one."""
    named = inspect.unwrap(named)
    file = Path(getattr(sys.modules.get(named.__module__), "__file__", None) or "")
    if file in STARTING:
        return True
    if not inspect.isfunction(named) or FOLDER_OF_TESTS.parent not in file.parents:
        return False
    used = [named.__globals__.get(name) for name in names_in(named.__code__)]
    return any(starts_something(each) for each in used if callable(each) and each is not named)


def names_in(code: CodeType) -> Iterator[str]:
    """The names that code and the functions in it look up."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


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
