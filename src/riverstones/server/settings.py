"""The server's settings. The defaults suffice for `riverstones serve`."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from riverstones.server.logs import LogFormat
from riverstones.server.private_files import make_private_folder, restrict_folder
from riverstones.server.steady_clock import SteadyClock

DEFAULT_PORT = 8765


def default_database() -> str:
    """The URL of the database file in the user's data directory, which is created if missing, for its owner only."""
    folder = Path(platformdirs.user_data_dir("riverstones", appauthor=False))
    make_private_folder(folder)
    restrict_folder(folder)
    return f"sqlite:///{folder / 'riverstones.sqlite3'}"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one server process."""

    database: str = field(default_factory=default_database)
    redis: str | None = None
    """The URL of a Redis server for sites of several nodes; PostgreSQL does its work otherwise."""
    node: str = field(default_factory=lambda: secrets.token_hex(4))
    """The name of this process among the nodes of a site."""
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    origins: tuple[str, ...] = ()
    """Public origins of the server, such as `https://play.example.org`."""
    addresses: tuple[str, ...] = ()
    """URLs for other devices, such as `http://192.168.1.20:8765`; none if it serves this one only."""
    limits: bool = True
    """Whether connections, requests and messages are limited."""
    trust_proxy: bool = False
    """Whether X-Forwarded-For and X-Forwarded-Proto are used: only behind a proxy that sets them."""
    workers: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) - 1))
    """The number of engine worker processes."""
    bot_pace_ms: int = 700
    """The minimum time before a bot's move, so that people can follow."""
    claim_wait_ms: int = 8_000
    """How long a bot waits for objections before it moves; not for people who have been disconnected for longer."""
    absent_ms: int = 60_000
    """How long a player must be disconnected before a bot may take over."""
    events_kept: int = 256
    """Events kept per table for clients that reconnect; a client that missed more gets a snapshot."""
    outbox: int = 256
    """Messages that may wait for a slow client before it is disconnected."""
    outbox_bytes: int = 256 * 1024
    """Their size in memory. A single message may be larger."""
    rated_turns: int = 6
    """Turns per seat that must be played before a rated game counts, however it ends."""
    rated_age_ms: int = 24 * 3_600_000
    """How old the account of every player of a rated game must be for it to count."""
    tables_each: int = 40
    """The most unfinished tables per person."""
    log_format: LogFormat = "plain"
    """The form of the log on standard error."""
    now_ms: Callable[[], int] = field(default_factory=SteadyClock)
    """The time in milliseconds since 1970."""
    entropy: Callable[[], bytes] = lambda: secrets.token_bytes(32)
