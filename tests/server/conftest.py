"""What the server's tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from .running import Running, running, settings_for


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server on SQLite for the tests of one file."""
    folder: Path = tmp_path_factory.mktemp("server")
    with running(settings_for(folder)) as found:
        yield found
