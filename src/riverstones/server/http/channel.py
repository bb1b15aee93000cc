"""A WebSocket connection without the layers of ASGI in between.

An ASGI application sends every message as a dict through the coroutines of the server, the framework and the
middleware, and waits for each. A move is three messages, so that was a sixth of its cost. `Channel` is uvicorn's own
protocol class, which `sockets.Socket` finds in the scope of its connection. The handshake and the end of a connection
go through ASGI as always.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from riverstones.server.tables.outbox import Outbox

EXTENSION = "riverstones.channel"
"""The name of the channel among the extensions in an ASGI scope."""

READ_AHEAD = 8
"""The number of received messages from which on the connection is not read until they are processed."""

FINAL_TEXT = 0x81
"""The first byte of a WebSocket frame that holds a whole text message."""


class Channel(WebSocketsSansIOProtocol):
    """A WebSocket connection that can be written to directly."""

    outbox: Outbox | None = None
    """The messages for this connection, which are written when it can be written to again."""

    async def run_asgi(self) -> None:
        """Run the application for this connection."""
        self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]  # not a dict, as uvicorn's own are
        await super().run_asgi()

    @property
    def is_writable(self) -> bool:
        """Whether the connection is open and the client keeps up with reading."""
        return self.writable.is_set() and self.conn.state is State.OPEN and not self.transport.is_closing()

    def write(self, texts: Iterable[str]) -> None:
        """Send text messages, in one piece. The connection has to be writable."""
        self.transport.write(b"".join([text_frame(text) for text in texts]))

    def resume_writing(self) -> None:
        """Note that the client has read enough of what was sent."""
        super().resume_writing()
        if self.outbox is not None:
            self.outbox.changed()

    def send_receive_event_to_app(self) -> None:
        """Queue a received message. uvicorn stops reading after each one, which costs two system calls."""
        paused, self.read_paused = self.read_paused, True  # so that uvicorn leaves the connection alone
        super().send_receive_event_to_app()
        self.read_paused = paused
        if not paused and self.queue.qsize() >= READ_AHEAD and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()


def channel_of(scope: Scope) -> Channel:
    """The channel of a WebSocket connection. Only a server with `Channel` as its protocol class has one."""
    channel = scope["extensions"][EXTENSION]
    assert isinstance(channel, Channel)
    return channel


def text_frame(text: str) -> bytes:
    """A text message as a WebSocket frame, as a server sends it (RFC 6455, section 5.2)."""
    data = text.encode()
    size = len(data)
    if size < 126:
        return bytes((FINAL_TEXT, size)) + data
    if size < 1 << 16:
        return struct.pack("!BBH", FINAL_TEXT, 126, size) + data
    return struct.pack("!BBQ", FINAL_TEXT, 127, size) + data
