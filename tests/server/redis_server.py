"""Redis for tests: a server of its own on a free port, without files, reachable from this machine only."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Self

from .running import TIMEOUT_S, free_port


def program() -> str | None:
    return shutil.which("redis-server")


class RedisServer:
    """A Redis server that can be killed and started again."""

    def __init__(self, port: int | None = None, bind: str = "127.0.0.1") -> None:
        self.port = port or free_port()
        self._bind = bind
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it, and wait until it accepts connections."""
        found = program()
        assert found is not None
        command = [found, "--port", str(self.port), "--bind", self._bind, "--save", "", "--appendonly", "no"]
        # Its protected mode would refuse clients at any other address than 127.0.0.1.
        command += ["--protected-mode", "no"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                break
            assert time.monotonic() < deadline, "Redis did not start"
            time.sleep(0.01)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()


@contextmanager
def redis_server(port: int | None = None) -> Iterator[str]:
    """Run a Redis server; its URL."""
    with RedisServer(port) as found:
        yield found.url
