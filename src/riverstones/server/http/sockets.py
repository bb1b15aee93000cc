"""Play over a WebSocket: one socket per table.

A message is processed as soon as it has been read, without a task, if nothing has to be waited for: a move never does.
A task processes the others, in order. Nothing waits to write: whatever is put into the outbox is written at the end of
the current round of the event loop, all of it at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import re
import time
from functools import partial
from typing import Any, assert_never

from fastapi import WebSocket
from pydantic import ValidationError
from starlette.websockets import WebSocketDisconnect, WebSocketState

from riverstones.server.accounts import Person
from riverstones.server.answers import hint
from riverstones.server.errors import (
    CLOSE_CODES,
    OTHER_CLOSE_CODE,
    REFUSALS,
    RefusedError,
    ServerError,
    ServerErrorCode,
    error_to_json,
)
from riverstones.server.http.addresses import address_of, client_address
from riverstones.server.http.channel import channel_of
from riverstones.server.http.languages import language_of
from riverstones.server.http.rate_limits import MISTAKES, is_creation
from riverstones.server.http.socket_outbox import SocketOutbox
from riverstones.server.protocol import CLIENT_MESSAGE, LARGEST_FRAME, PROTOCOL, encode
from riverstones.server.services import Services
from riverstones.server.storage import UNAVAILABLE, reason
from riverstones.server.tables.command_keys import command_key
from riverstones.server.tables.feed import Listener
from riverstones.server.tables.live_table import LiveTable
from riverstones.table import NotAllowed, TableRefusal, Viewer, snapshot, wire
from riverstones.table.views import check_viewer
from riverstones.table.wire.client import COMMAND_ID

log = logging.getLogger("riverstones.sockets")

HELLO_S = 10.0
"""The time a client has to send hello."""

NUMBERS = itertools.count()
"""The numbers of the sockets, by which their messages are counted."""


def where(error: ValidationError) -> str:
    """The path of the first invalid field; its value is not repeated."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return ".".join(str(part) for part in first["loc"])[:80] or "message"


class Socket:
    """One client at one table."""

    def __init__(self, services: Services, websocket: WebSocket, table: str, person: Person | None) -> None:
        self._services = services
        self._websocket = websocket
        self._table = table
        self._person = person
        self._channel = channel_of(websocket.scope)
        settings = services.settings
        self._outbox = SocketOutbox(settings.outbox, settings.outbox_bytes, self._channel, services.socket_writes)
        self._listener = Listener(Viewer(None if person is None else person.id), self._outbox)
        self._name = f"socket {next(NUMBERS)}"
        self._address = address_of(websocket.scope)
        self._language = language_of(websocket.headers.get("accept-language"))
        self._hints: set[asyncio.Task[None]] = set()
        self._waits = False
        """Whether a message is being processed that has to wait for something. Those after it wait as well."""

    async def serve(self) -> None:
        """Serve the socket until one side closes it."""
        await self._websocket.accept()
        metrics, accounts = self._services.metrics, self._services.accounts
        metrics.sockets.inc()
        try:
            with accounts.connections.held(self._outbox, self._person, client_address(self._websocket.scope)):
                self._services.bans.check_person(self._person)
                live = await self._services.tables.get(self._table)
                hello = await self._hello()
                if self._person is not None and not await accounts.signed_in(self._person):
                    raise ServerError(ServerErrorCode.NOT_SIGNED_IN)
                self._welcome(live, hello)
                await self._talk(live)
        except REFUSALS as error:
            await self._bye(error)
        except WebSocketDisconnect:
            pass
        except UNAVAILABLE as error:
            log.error("Database unavailable for a socket: %s", reason(error))
            await self._bye(ServerError(ServerErrorCode.TRY_AGAIN))
        finally:
            metrics.sockets.dec()
            metrics.dropped.inc(self._outbox.overflowed)

    async def _talk(self, live: LiveTable) -> None:
        """Read until the client or the server ends the connection."""
        reading = asyncio.create_task(self._read_all(live))
        self._channel.receiver = partial(self._take, live)
        try:
            await asyncio.wait((reading, self._outbox.end), return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                reading.result()
            raise self._outbox.end.result()
        finally:
            self._channel.receiver = None
            live.feed.leave(self._listener)
            self._outbox.close()
            for task in (reading, *self._hints):
                task.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    async def _hello(self) -> wire.Hello:
        try:
            message = self._parse(await asyncio.wait_for(self._receive(), HELLO_S))
        except TimeoutError:
            raise ServerError(ServerErrorCode.HELLO_FIRST) from None
        if message["type"] != "hello":
            raise ServerError(ServerErrorCode.HELLO_FIRST)
        if message["protocol"] != PROTOCOL:
            raise ServerError(ServerErrorCode.UNKNOWN_PROTOCOL, known=PROTOCOL, wanted=message["protocol"])
        return message

    def _welcome(self, live: LiveTable, hello: wire.Hello) -> None:
        """Greet, catch up and join, all at one moment, so that no event falls in between."""
        person = self._listener.viewer.person
        seat = hello.get("seat")
        viewer = Viewer(person, live.default_seat(person) if seat is None else seat)
        check_viewer(live.table, viewer)
        self._listener.viewer = viewer
        missed = live.feed.since(hello.get("since"))
        welcome: wire.Welcome = {
            "type": "welcome",
            "protocol": PROTOCOL,
            "server_ms": self._services.settings.now_ms(),
            "table": live.table.id,
            "person": person,
            "seq": live.table.seq,
            "resumed": missed is not None,
        }
        self._outbox.put(encode(welcome))
        if missed is None:
            self._outbox.put(encode({"type": "snapshot", "snapshot": snapshot(live.table, viewer)}))
        else:
            for event in missed:
                self._outbox.put(event.to(viewer))
        live.feed.join(self._listener)

    async def _receive(self) -> str:
        message: Any = await self._channel.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1006))
        text: str | None = message.get("text")
        if text is None:
            data: bytes = message.get("bytes") or b""
            text = data.decode(errors="replace")
        if len(text) > LARGEST_FRAME:
            raise ServerError(ServerErrorCode.FRAME_TOO_LARGE, largest=LARGEST_FRAME)
        return text

    def _parse(self, text: str) -> wire.ClientMessage:
        try:
            return CLIENT_MESSAGE.validate_json(text)
        except ValidationError as error:
            if error.errors(include_url=False, include_input=False)[0]["type"] == "json_invalid":
                raise ServerError(ServerErrorCode.BAD_JSON) from None
            raise ServerError(ServerErrorCode.BAD_MESSAGE, where=where(error)) from None

    def _take(self, live: LiveTable, text: str) -> bool:
        """Process a message at once; False, and nothing is done, if it has to wait for something."""
        if self._outbox.end.done():
            return True  # the connection is ending, and what still arrives is dropped
        if self._waits:
            return False
        try:
            message = CLIENT_MESSAGE.validate_json(text)
        except ValidationError:
            return False
        person = None
        if message["type"] == "do":
            person = None if self._person is None else self._services.accounts.cached(self._person.id)
            if person is None or is_creation(message["command"]):
                return False
        try:
            self._count()
            self._handle(live, message, person)
        except Exception as error:
            self._outbox.end_with(error)
        return True

    async def _read_all(self, live: LiveTable) -> None:
        """Process the messages that have to wait for something, and those that came before the welcome."""
        while True:
            text = await self._receive()
            self._waits = True
            self._count()
            try:
                message = self._parse(text)
            except ServerError as error:
                self._refuse(_id_in(text), error)
                await self._services.limits.check(MISTAKES, self._name, self._address)
            else:
                await self._handle_waiting(live, message)
            self._waits = False

    def _count(self) -> None:
        """Count a message; raises `TOO_MANY_REQUESTS` beyond the limits."""
        self._services.limits.check_message(self._name, self._address)

    async def _handle_waiting(self, live: LiveTable, message: wire.ClientMessage) -> None:
        """Process a message, after what it has to wait for."""
        person = None
        try:
            if message["type"] == "do" and self._person is not None:
                person = await self._services.accounts.get(self._person.id)
                await self._services.limits.check_command(message["command"], self._websocket.scope)
        except REFUSALS as error:
            self._refuse(_id_of(message), error)
        else:
            self._handle(live, message, person)

    def _handle(self, live: LiveTable, message: wire.ClientMessage, person: Person | None) -> None:
        """Process a message; `person` gives the command, if it is one."""
        try:
            if message["type"] == "do":
                self._do(live, message, person)
            elif message["type"] == "look":
                self._look(live, message["seat"])
            elif message["type"] == "hint":
                self._begin_hint(live, message)
            elif message["type"] == "ping":
                self._put({"type": "pong", "server_ms": self._services.settings.now_ms()})
            elif message["type"] == "hello":
                raise ServerError(ServerErrorCode.HELLO_TWICE)
            else:
                assert_never(message)
        except REFUSALS as error:
            self._refuse(_id_of(message), error)

    def _do(self, live: LiveTable, message: wire.Do, person: Person | None) -> None:
        """Give a command. It is answered when it is durable; the next message does not wait for that."""
        if person is None:
            raise ServerError(ServerErrorCode.NOT_SIGNED_IN)
        name, command = message["id"], message["command"]
        key = command_key(person.id, name, command)
        answer = partial(self._answer, name, command.type, time.perf_counter())
        self._services.tables.give(live, person.actor, command, key, answer)

    def _answer(self, name: str, kind: str, begun: float, result: int | Exception) -> None:
        """Answer a command that is durable or refused."""
        metrics = self._services.metrics
        if isinstance(result, int):
            self._put({"type": "ack", "id": name, "seq": result})
            metrics.count_command(kind, "done")
            metrics.command_seconds.observe(time.perf_counter() - begun)
        elif isinstance(result, REFUSALS):
            metrics.count_command(kind, "refused")
            self._refuse(name, result)
        else:
            self._outbox.end_with(result)

    def _look(self, live: LiveTable, seat: int | None) -> None:
        viewer = Viewer(self._listener.viewer.person, seat)
        seen = snapshot(live.table, viewer)
        self._listener.viewer = viewer
        self._put({"type": "snapshot", "snapshot": seen})

    def _check_looks_from(self, seat: int) -> None:
        """Refuse to reveal a hand that this client does not view at the moment."""
        if seat != self._listener.viewer.seat:
            raise NotAllowed(TableRefusal.NOT_YOUR_SEAT, seat=seat)

    def _begin_hint(self, live: LiveTable, message: wire.AskHint) -> None:
        """Start the search for a hint in a task, so that other messages are not delayed; one at a time."""
        self._check_looks_from(message["seat"])
        if self._hints:
            raise ServerError(ServerErrorCode.HINT_UNDER_WAY)

        async def answer() -> None:
            try:
                found = await hint(self._services, live, self._listener.viewer.person, message["seat"], message["step"])
                self._check_looks_from(message["seat"])  # the device may have changed hands in the meantime
                self._put({"type": "hint", "id": message["id"], "hint": found})
            except REFUSALS as error:
                self._refuse(message["id"], error)

        task = asyncio.create_task(answer())
        self._hints.add(task)
        task.add_done_callback(self._hints.discard)

    def _put(self, message: wire.ServerMessage) -> None:
        self._outbox.put(encode(message))

    def _refuse(self, command: str | None, error: RefusedError) -> None:
        self._put({"type": "refused", "id": command, "error": error_to_json(error, self._language)})

    async def _bye(self, error: RefusedError) -> None:
        """Send the reason and close, within a second even if the client does not read."""
        if isinstance(error, ServerError):
            self._services.metrics.refused.labels(str(error.code)).inc()
        if self._websocket.client_state is not WebSocketState.CONNECTED:
            return
        code = CLOSE_CODES.get(error.code, OTHER_CLOSE_CODE) if isinstance(error, ServerError) else OTHER_CLOSE_CODE
        with contextlib.suppress(Exception):
            async with asyncio.timeout(1):
                if code != CLOSE_CODES[ServerErrorCode.TOO_SLOW]:
                    bye: wire.Bye = {"type": "bye", "error": error_to_json(error, self._language)}
                    await self._websocket.send_text(encode(bye))
                await self._websocket.close(code)


def _id_of(message: wire.ClientMessage) -> str | None:
    """The id that an answer to this message repeats."""
    return message["id"] if message["type"] in ("do", "hint") else None


def _id_in(text: str) -> str | None:
    """The id of a malformed message, if it has one."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    name = found.get("id") if isinstance(found, dict) else None
    return name if isinstance(name, str) and re.fullmatch(COMMAND_ID, name) else None
