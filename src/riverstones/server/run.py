"""Start the server."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from riverstones.server.app import create_app
from riverstones.server.gc_tuning import rare_collections
from riverstones.server.http.connection_limits import ConnectionLimits, raise_file_limit
from riverstones.server.http.uvicorn_protocols import limited_by
from riverstones.server.logs import configure, logging_config
from riverstones.server.protocol import LARGEST_FRAME
from riverstones.server.settings import Settings


def config(settings: Settings, *, warm_up: bool = False) -> uvicorn.Config:
    """The configuration of uvicorn: limited connections, small frames, no frame compression, heartbeats."""
    app = create_app(settings, warm_up=warm_up)
    http, websockets = limited_by(ConnectionLimits(settings, app.state.services.metrics))
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        loop="auto" if sys.platform != "win32" else "asyncio",
        http=http,
        ws=websockets,
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        proxy_headers=False,  # `addresses` reads them; uvicorn would take the first address, which a client can forge
        server_header=False,
        access_log=False,
        log_config=logging_config(settings.log_format),
        timeout_graceful_shutdown=1,
    )


BYE_S = 0.5
"""How long requests, sockets and streams have to end by themselves before uvicorn closes their connections."""


class GracefulServer(uvicorn.Server):
    """A server that has the process for itself: it sets the garbage collector.

    It calls `ready` once it accepts connections, and asks its clients to reconnect before it ends.
    """

    def __init__(self, setup: uvicorn.Config, ready: Callable[[], None] = lambda: None) -> None:
        super().__init__(setup)
        self._ready = ready

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, finish the commands that have arrived, and close sockets and streams.

        Sockets are closed with the code of `TRY_AGAIN`, so that clients reconnect at once, to another node if there is
        one. A command whose answer is lost is recognised when it is sent again.
        """
        for server in self.servers:
            server.close()
        if isinstance(self.config.app, FastAPI):
            await self.config.app.state.services.drain()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(BYE_S):
                while self.server_state.tasks:
                    await asyncio.sleep(0.005)
        await super().shutdown(sockets)

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        async with rare_collections():
            await super().serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def family_of(host: str) -> socket.AddressFamily:
    """The address family to listen on: IPv6 if the host has a colon, else IPv4."""
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def bind(host: str, port: int) -> socket.socket:
    """A socket bound to this address, not listening yet; raises `OSError` if it cannot be bound."""
    bound = socket.socket(family_of(host))
    if sys.platform != "win32":
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError:
        bound.close()
        raise
    return bound


def serve(
    settings: Settings,
    *,
    warm_up: bool = True,
    listening: socket.socket | None = None,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve until the process gets a signal to stop; `ready` is called once connections are accepted.

    Raises `DatabaseInUse` if another server uses the database file.
    """
    configure(settings.log_format)
    raise_file_limit(announce=settings.limits)
    setup = config(settings, warm_up=warm_up)
    assert isinstance(setup.app, FastAPI)
    # Before uvicorn starts: it would print a traceback.
    setup.app.state.services.store.database.lock()
    server = GracefulServer(setup, ready)
    server.run(sockets=None if listening is None else [listening])
