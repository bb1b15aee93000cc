"""Start a server: for the local browser, or for others."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import threading
import urllib.request
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlsplit

from riverstones.server.http.addresses import IPAddress, parse_address
from riverstones.server.logs import LogFormat
from riverstones.server.run import bind, family_of
from riverstones.server.run import serve as run
from riverstones.server.settings import DEFAULT_PORT, Settings, default_database
from riverstones.server.storage import DatabaseInUse, Store

from .complaint import Complaint, why
from .database import in_use, with_store

LOCAL = "127.0.0.1"
LOCAL_NAME = "localhost"
"""Shown instead of 127.0.0.1, because browsers bind passkeys to names."""
ANSWER_S = 5.0
"""How long to wait for an answer from a server that is already running; without one, connecting fails at once."""


def serve(
    host: str,
    port: int,
    database: str | None,
    redis: str | None,
    origins: tuple[str, ...],
    trust_proxy: bool,
    limits: bool,
    log_format: LogFormat = "plain",
) -> None:
    """Run the server until it is stopped."""
    _check_host(host)
    origins = tuple(map(_checked_origin, origins))
    try:
        listening = bind(host, port)
    except OSError as error:
        raise Complaint(f"The server cannot listen on {host} port {port}: {why(error)}.") from None
    with listening:
        settings = _settings(host, listening.getsockname()[1], database, redis, origins, trust_proxy, limits)
        settings = replace(settings, log_format=log_format)
        addresses = " and ".join(f"http://{name}:{settings.port}" for name in names_of(host))
        _run(settings, listening, lambda: print(f"Riverstones is open at {addresses}", flush=True))


def _run(settings: Settings, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Run the server until it is stopped; raises `Complaint` if another server uses the database."""
    try:
        run(settings, listening=listening, ready=ready)
    except DatabaseInUse as error:
        raise in_use(error) from None


def _check_host(host: str) -> None:
    """Refuse an invalid address. An empty one, for example, would silently listen on every interface."""
    if _ip_address_of(host) is None:
        raise Complaint(f"The server cannot listen on “{host}”: there is no such address.")


def _checked_origin(text: str) -> str:
    """An origin as browsers send it; one in any other form would lock everybody out."""
    with contextlib.suppress(ValueError):
        parts = urlsplit(text.rstrip("/").lower())
        usual = {"http": 80, "https": 443}.get(parts.scheme)
        nothing_behind = not (parts.path or parts.query or parts.fragment or parts.username)
        if usual and parts.hostname and nothing_behind:
            name = parts.netloc.removesuffix(f":{usual}") if parts.port == usual else parts.netloc
            return f"{parts.scheme}://{name}"
    raise Complaint(f"“{text}” is not an origin; --origin needs one like https://play.example.org.")


def names_of(host: str) -> list[str]:
    """The names under which a server that listens on this address can be reached, the local one first."""
    if not _is_everywhere(host):
        return [f"[{host}]" if ":" in host else host]
    own = socket.gethostname()
    found = _own_ip_addresses(own)
    outside = [name for name in dict.fromkeys(found) if not ipaddress.ip_address(name).is_loopback]
    return [LOCAL_NAME, *(outside or [own])]


def _own_ip_addresses(own: str) -> list[str]:
    """The IP addresses of this computer: the one it would send from, then those of its host name."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        # Connecting a datagram socket sends nothing, it only selects a route. Many host names resolve to loopback.
        probe.connect(("192.0.2.1", 9))
        found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError):
        found += [str(entry[4][0]) for entry in socket.getaddrinfo(own, None, socket.AF_INET)]
    return found


def addresses_for_others(host: str, port: int) -> tuple[str, ...]:
    """The addresses at which other devices reach a server that listens on this one; none for a loopback address."""
    names = names_of(host)[1:] if _is_everywhere(host) else [] if _is_loopback(host) else names_of(host)
    return tuple(f"http://{name}:{port}" for name in names)


def _is_loopback(host: str) -> bool:
    number = _ip_address_of(host)
    return number is not None and number.is_loopback


def _is_everywhere(host: str) -> bool:
    number = _ip_address_of(host)
    return number is not None and number.is_unspecified


def _ip_address_of(host: str) -> IPAddress | None:
    """The IP address for this host, however it is spelled: `LOCALHOST` and `127.1` are both loopback."""
    try:
        found = socket.getaddrinfo(host, None, family_of(host))
    except (OSError, UnicodeError):
        return None
    return parse_address(str(found[0][4][0]))


def _settings(
    host: str,
    port: int,
    database: str | None,
    redis: str | None,
    origins: tuple[str, ...],
    trust_proxy: bool,
    limits: bool,
) -> Settings:
    settings = Settings(
        database=database or default_database(),
        redis=redis,
        host=host,
        port=port,
        origins=origins,
        addresses=origins or addresses_for_others(host, port),
        trust_proxy=trust_proxy,
        limits=limits,
    )
    with_store(settings.database, _only_open, serving=True)
    if redis is not None:
        _check_redis(redis)
    return settings


def _check_redis(url: str) -> None:
    """Check that Redis answers before a server is started."""
    from redis import Redis
    from redis.exceptions import RedisError

    try:
        with Redis.from_url(url, socket_timeout=ANSWER_S, socket_connect_timeout=ANSWER_S) as redis:
            redis.ping()
    except (RedisError, ValueError, OSError) as error:
        raise Complaint(f"Redis cannot be used: {' '.join(str(error).split())}.") from None


async def _only_open(store: Store) -> None:
    """Check that the database can be opened before a server is started."""


def play_in_browser(host: str = LOCAL) -> None:
    """Open the game in the browser, on a server that is already running here or on a new one."""
    _check_host(host)
    name = LOCAL_NAME if host == LOCAL else names_of(host)[0]
    address = f"http://{name}:{DEFAULT_PORT}"
    if _answers_with(f"{address}/api/v1/health", b'"status":"ok"'):
        if _is_everywhere(host) and not _answers_with(f"{address}/api/v1/addresses", b"http"):
            raise Complaint(
                f"Riverstones is already running at {address} for this computer only; stop it first (Ctrl+C)."
            )
        print(f"Riverstones is already open at {address}")
        webbrowser.open(address)
        return
    listening = _any_port(host)
    port = listening.getsockname()[1]
    others = addresses_for_others(host, port)

    def ready() -> None:
        own = f"http://{name}:{port}"
        print(f"Riverstones is open at {own}  (Ctrl+C to stop)", flush=True)
        if others:
            print(f"Others on your network can join at {' or '.join(others)}", flush=True)
        threading.Thread(target=webbrowser.open, args=(own,), daemon=True).start()

    # Ctrl+C is the normal way to stop.
    with contextlib.suppress(KeyboardInterrupt):
        _run(Settings(host=host, port=port, addresses=others, limits=bool(others)), listening, ready)


def _any_port(host: str) -> socket.socket:
    """Listen on the usual port, or on a free one if it is taken."""
    try:
        return bind(host, DEFAULT_PORT)
    except OSError:
        pass
    try:
        return bind(host, 0)
    except OSError as error:
        raise Complaint(f"The server cannot listen on {host}: {why(error)}.") from None


def _answers_with(address: str, part: bytes) -> bool:
    """Whether a server answers at this address, with this text in its answer."""
    try:
        with urllib.request.urlopen(address, timeout=ANSWER_S) as answer:
            return part in answer.read(2000)
    except OSError:
        return False
