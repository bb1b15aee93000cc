"""Redis for tests: a server of its own on a free port, without files, reachable from this machine only."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from .running import TIMEOUT_S, free_port


def program() -> str | None:
    return shutil.which("redis-server")


@contextmanager
def redis_server(port: int | None = None) -> Iterator[str]:
    """Run a Redis server; its URL."""
    found = program()
    assert found is not None
    port = port or free_port()
    command = [found, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            assert time.monotonic() < deadline, "Redis did not start"
            time.sleep(0.01)
        yield f"redis://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()
