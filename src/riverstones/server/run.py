"""Start the server."""

from __future__ import annotations

import logging
import logging.config
import socket
import sys
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from riverstones.server.app import create_app
from riverstones.server.http.connection_limits import ConnectionLimits, raise_file_limit
from riverstones.server.http.request_limits import limited_by
from riverstones.server.protocol import LARGEST_FRAME
from riverstones.server.settings import Settings

STRANGERS = ("ASGI callable returned without completing handshake.", "Invalid UTF-8 sequence received from client.")
"""What uvicorn says of sockets that are turned away, or that send what is no text: it takes that for our fault."""


class Strangers(logging.Filter):
    """Keeps quiet about what strangers do wrong: anybody could otherwise fill a log."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to log this."""
        return record.getMessage() not in STRANGERS


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "filters": {"strangers": {"()": Strangers}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "plain",
            "filters": ["strangers"],
            "stream": "ext://sys.stderr",
        }
    },
    "root": {"level": "WARNING", "handlers": ["stderr"]},
    "loggers": {"uvicorn": {"level": "ERROR"}, "riverstones.connections": {"level": "INFO"}},
}
"""Requests are not logged: their paths name tables that only those with the link should know.

Nor are those that cannot be read, of which uvicorn warns: whoever sends them is told, and nobody is to fill a log.
"""


def config(settings: Settings, *, warm_up: bool = False) -> uvicorn.Config:
    """How the server is run: counted connections, small frames, no compression of frames, heartbeats."""
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
        proxy_headers=False,  # `addresses` reads them; uvicorn would take the first address, which may be made up
        server_header=False,
        access_log=False,
        log_config=LOGGING,
        timeout_graceful_shutdown=5,
    )


class _Announcing(uvicorn.Server):
    """A server that says when it is ready."""

    def __init__(self, setup: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(setup)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def family_of(host: str) -> socket.AddressFamily:
    """Whether a host is listened on by the old numbers or by the new ones; for a name, by the old."""
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def bind(host: str, port: int) -> socket.socket:
    """Take the address on which the server will listen; raises `OSError` if that cannot be."""
    taken = socket.socket(family_of(host))
    if sys.platform != "win32":
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host, port))
    except OSError:
        taken.close()
        raise
    return taken


def serve(
    settings: Settings,
    *,
    warm_up: bool = True,
    listening: socket.socket | None = None,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve until the process is told to stop; `ready` is called once, when the first visitor may come.

    Raises `DatabaseInUse` if another server has the database file.
    """
    logging.config.dictConfig(LOGGING)
    raise_file_limit(announce=settings.limits)
    setup = config(settings, warm_up=warm_up)
    assert isinstance(setup.app, FastAPI)
    # Before uvicorn starts, which would answer an error with a traceback.
    setup.app.state.services.store.database.lock()
    server = _Announcing(setup, ready)
    server.run(sockets=None if listening is None else [listening])
