"""Start a server: for oneself and the browser, or for others."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
import threading
import time
import urllib.request
import webbrowser
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from sqlalchemy.exc import SQLAlchemyError

from riverstones.server.accounts import Accounts
from riverstones.server.http.addresses import Number, number_of
from riverstones.server.run import bind, family_of
from riverstones.server.run import serve as run
from riverstones.server.settings import DEFAULT_PORT, Settings, default_database
from riverstones.server.storage import DatabaseInUse, Store
from riverstones.server.storage.engines import UnknownDatabase

from .complaint import Complaint, why
from .words import words_for

LOCAL = "127.0.0.1"
LOCAL_NAME = "localhost"
"""What people see instead of the number: browsers keep passkeys for names."""
DAY_MS = 24 * 3600 * 1000
ANSWER_S = 5.0
"""How long a server that is already open may take to answer; where there is none, the refusal comes at once."""


def serve(
    host: str, port: int, database: str | None, origins: tuple[str, ...], trust_proxy: bool, limits: bool
) -> None:
    """Serve until told to stop."""
    _check_host(host)
    origins = tuple(map(_checked_origin, origins))
    try:
        listening = bind(host, port)
    except OSError as error:
        raise Complaint(f"The server cannot listen on {host} port {port}: {why(error)}.") from None
    settings = _settings(host, listening.getsockname()[1], database, origins, trust_proxy, limits)
    addresses = " and ".join(f"http://{name}:{settings.port}" for name in names_of(host))
    _run(settings, listening, lambda: print(f"Riverstones is open at {addresses}", flush=True))


def _run(settings: Settings, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until told to stop; refuse to if another server has the database."""
    try:
        run(settings, listening=listening, ready=ready)
    except DatabaseInUse as error:
        raise _in_use(error) from None


def _in_use(error: DatabaseInUse) -> Complaint:
    return Complaint(words_for(None)("database_in_use", file=error.file, process=error.process))


def _check_host(host: str) -> None:
    """Refuse what is no address. An empty one, for instance, would open the server to everybody without a word."""
    if _number_of(host) is None:
        raise Complaint(f"The server cannot listen on “{host}”: there is no such address.")


def _checked_origin(text: str) -> str:
    """An address the way browsers name where a page is from; one that they never name would keep everybody out."""
    with contextlib.suppress(ValueError):
        parts = urlsplit(text.rstrip("/").lower())
        usual = {"http": 80, "https": 443}.get(parts.scheme)
        nothing_behind = not (parts.path or parts.query or parts.fragment or parts.username)
        if usual and parts.hostname and nothing_behind:
            name = parts.netloc.removesuffix(f":{usual}") if parts.port == usual else parts.netloc
            return f"{parts.scheme}://{name}"
    raise Complaint(f"“{text}” is no address for --origin; write one like https://play.example.org.")


def names_of(host: str) -> list[str]:
    """Under which names a server that listens on this address can be reached, the first from this computer."""
    if not _is_everywhere(host):
        return [f"[{host}]" if ":" in host else host]
    own = socket.gethostname()
    found = _numbers_in_the_network(own)
    outside = [name for name in dict.fromkeys(found) if not ipaddress.ip_address(name).is_loopback]
    return [LOCAL_NAME, *(outside or [own])]


def _numbers_in_the_network(own: str) -> list[str]:
    """The numbers of this computer: the one it would send from, then those that go with its name."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        # Nothing is sent: a datagram socket only looks up the way. Many computers give their name a loopback number.
        probe.connect(("192.0.2.1", 9))
        found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError):
        found += [str(entry[4][0]) for entry in socket.getaddrinfo(own, None, socket.AF_INET)]
    return found


def addresses_for_others(host: str, port: int) -> tuple[str, ...]:
    """Where other devices find a server that listens on this address; nowhere if it is for this computer alone."""
    names = names_of(host)[1:] if _is_everywhere(host) else [] if _is_loopback(host) else names_of(host)
    return tuple(f"http://{name}:{port}" for name in names)


def _is_loopback(host: str) -> bool:
    number = _number_of(host)
    return number is not None and number.is_loopback


def _is_everywhere(host: str) -> bool:
    number = _number_of(host)
    return number is not None and number.is_unspecified


def _number_of(host: str) -> Number | None:
    """The number that is listened on for this host, however it is spelled: `LOCALHOST` and `127.1` are the same one."""
    try:
        found = socket.getaddrinfo(host, None, family_of(host))
    except (OSError, UnicodeError):
        return None
    return number_of(str(found[0][4][0]))


def _settings(
    host: str, port: int, database: str | None, origins: tuple[str, ...], trust_proxy: bool, limits: bool
) -> Settings:
    settings = Settings(
        database=database or default_database(),
        host=host,
        port=port,
        origins=origins,
        addresses=origins or addresses_for_others(host, port),
        trust_proxy=trust_proxy,
        limits=limits,
    )
    _with_store(settings.database, _nothing, serving=True)
    return settings


async def _nothing(store: Store, settings: Settings) -> str:
    """Only see whether the database can be opened, before anybody waits for a server that cannot."""
    return ""


def play_in_browser(host: str = LOCAL) -> None:
    """Open the game in the browser, on a server that already runs here or else on one of our own."""
    _check_host(host)
    name = LOCAL_NAME if host == LOCAL else names_of(host)[0]
    address = f"http://{name}:{DEFAULT_PORT}"
    if _says(f"{address}/api/v1/health", b'"status":"ok"'):
        if _is_everywhere(host) and not _says(f"{address}/api/v1/addresses", b"http"):
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
        print(f"Riverstones is open at {own}  (Ctrl+C ends it)", flush=True)
        if others:
            print(f"Others on your network can join at {' or '.join(others)}", flush=True)
        threading.Thread(target=webbrowser.open, args=(own,), daemon=True).start()

    # Ctrl+C is how this is meant to end.
    with contextlib.suppress(KeyboardInterrupt):
        _run(Settings(host=host, port=port, addresses=others, limits=bool(others)), listening, ready)


def _any_port(host: str) -> socket.socket:
    """Take our own port there, or else one that is free."""
    try:
        return bind(host, DEFAULT_PORT)
    except OSError:
        pass
    try:
        return bind(host, 0)
    except OSError as error:
        raise Complaint(f"The server cannot listen on {host}: {why(error)}.") from None


def _says(address: str, part: bytes) -> bool:
    """Whether a server answers there, with this in its answer."""
    try:
        with urllib.request.urlopen(address, timeout=ANSWER_S) as answer:
            return part in answer.read(2000)
    except OSError:
        return False


def _with_store(
    database: str | None, work: Callable[[Store, Settings], Awaitable[str]], *, serving: bool = False
) -> None:
    """Do something with the database and say what came of it; what only a server may do, not beside another one."""
    settings = Settings(database=database or default_database())

    async def run_it() -> str:
        store = Store(settings.database)
        if serving:
            store.lock()
        await store.open()
        try:
            return await work(store, settings)
        finally:
            await store.close()

    try:
        result = asyncio.run(run_it())
    except UnknownDatabase as error:
        raise Complaint(str(error)) from None
    except DatabaseInUse as error:
        raise _in_use(error) from None
    except (SQLAlchemyError, OSError) as error:
        reason = getattr(error, "orig", None) or error
        raise Complaint(f"The database cannot be opened: {' '.join(str(reason).split())}.") from None
    if result:
        print(result)


def prune(days: int, database: str | None) -> None:
    """Forget the tables that nobody has touched for so many days."""

    async def work(store: Store, _: Settings) -> str:
        count = await store.prune(int(time.time() * 1000) - days * DAY_MS)
        return f"{count} tables forgotten."

    _with_store(database, work)


def delete_table(table: str, database: str | None) -> None:
    """Forget one table."""

    async def work(store: Store, _: Settings) -> str:
        if not await store.delete_table(table):
            raise Complaint(f"There is no table {table}.")
        return f"Table {table} is forgotten."

    _with_store(database, work)


def delete_person(person: str, database: str | None) -> None:
    """Forget one person."""

    async def work(store: Store, settings: Settings) -> str:
        if not await Accounts(settings, store).remove(person):
            raise Complaint(f"There is no person {person}.")
        return f"Person {person} is forgotten."

    _with_store(database, work)
