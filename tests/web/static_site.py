"""The built app as files at an address of their own, without a server behind them."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

BUILD = Path(__file__).parents[2] / "build"
SITE = BUILD / "static"
"""The static build, in a folder of `BUILD`: its address has a path."""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of the files of a folder."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def served_copy(folder: Path, copy: Path) -> Iterator[str]:
    """The address of a copy of these files, which tests can change."""
    shutil.copytree(folder, copy)
    with served(copy) as address:
        yield address
