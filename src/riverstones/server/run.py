"""Start the server."""

from __future__ import annotations

import sys

import uvicorn

from .app import create_app
from .protocol import LARGEST_FRAME
from .settings import Settings

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain", "stream": "ext://sys.stderr"}},
    "root": {"level": "WARNING", "handlers": ["stderr"]},
    "loggers": {"riverstones": {"level": "INFO"}, "uvicorn": {"level": "WARNING"}},
}
"""Requests are not logged: their paths name tables that only those with the link should know."""


def config(settings: Settings, *, warm_up: bool = False) -> uvicorn.Config:
    """How the server is run: small frames, no compression of frames, heartbeats."""
    return uvicorn.Config(
        create_app(settings, warm_up=warm_up),
        host=settings.host,
        port=settings.port,
        loop="auto" if sys.platform != "win32" else "asyncio",
        ws="websockets-sansio",
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        proxy_headers=settings.trust_proxy,
        forwarded_allow_ips="*" if settings.trust_proxy else None,
        server_header=False,
        access_log=False,
        log_config=LOGGING,
        timeout_graceful_shutdown=5,
    )


def serve(settings: Settings, *, warm_up: bool = True) -> None:
    """Serve until the process is told to stop."""
    uvicorn.Server(config(settings, warm_up=warm_up)).run()
