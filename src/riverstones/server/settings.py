"""How a server is set up. Everything has a default with which `riverstones serve` just works."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

DEFAULT_PORT = 8765


def default_database() -> str:
    """The database file in the user's data directory."""
    folder = Path(platformdirs.user_data_dir("riverstones", appauthor=False))
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'riverstones.sqlite3'}"


def wall_clock_ms() -> int:
    """The time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one server process."""

    database: str = field(default_factory=default_database)
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    origins: tuple[str, ...] = ()
    """Addresses under which the server is reached from outside, such as `https://play.example.org`."""
    addresses: tuple[str, ...] = ()
    """Where other devices find it, such as `http://192.168.1.20:8765`; none if it is for this computer alone."""
    limits: bool = True
    """Whether requests and messages are counted and bounded."""
    trust_proxy: bool = False
    """Whether a proxy in front says whom a request comes from."""
    workers: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) - 1))
    """How many processes think for bots."""
    bot_pace_ms: int = 700
    """The least time that a bot seems to think, so that people can follow."""
    claim_wait_ms: int = 8_000
    """How long a bot waits with its move for objections of people, but not of who was gone for longer."""
    absent_ms: int = 60_000
    """How long somebody must be out of reach until a bot may take over."""
    events_kept: int = 256
    """How many events a returning client may have missed before it gets a snapshot instead."""
    outbox: int = 256
    """How many messages may wait for a slow reader before it is cut off."""
    tables_each: int = 40
    """At how many unfinished tables one person may sit."""
    now_ms: Callable[[], int] = wall_clock_ms
    entropy: Callable[[], bytes] = lambda: secrets.token_bytes(32)
