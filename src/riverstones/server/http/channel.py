"""A WebSocket connection without the layers of ASGI in between.

An ASGI application sends every message as a dict through the coroutines of the server, the framework and the
middleware, and waits for each. A move is three messages, so that was a sixth of its cost. `Channel` is uvicorn's own
protocol class, which `sockets.Socket` finds in the scope of its connection. The handshake and the end of a connection
go through ASGI as always.

A packet that is exactly one short text message, as nearly all are, is read here. Everything else is left to the
WebSocket library: control frames, long and fragmented messages, and packets that end within a frame.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # in C, if the library was built with it
from websockets.protocol import State

from riverstones.server.tables.outbox import Outbox

EXTENSION = "riverstones.channel"
"""The name of the channel among the extensions in an ASGI scope."""

READ_AHEAD = 8
"""The number of received messages from which on the connection is not read until they are processed."""

FINAL_TEXT = 0x81
"""The first byte of a WebSocket frame that holds a whole text message."""

MASKED, LENGTH = 0x80, 0x7F
"""The bits of the second byte: clients mask their messages, and 126 and 127 stand for a longer field of the length."""

LONGEST_PACKET = 512
"""The size, in bytes, up to which a packet is read here."""


class Channel(WebSocketsSansIOProtocol):
    """A WebSocket connection that can be written to directly."""

    outbox: Outbox | None = None
    """The messages for this connection, which are written when it can be written to again."""

    receiver: Callable[[str], bool] | None = None
    """Called with a received text message. If it returns False, the message is queued for `receive` instead."""

    _between_frames: bool | None = None
    """Whether the library has read whole frames only. None before the request for the handshake."""

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
        """Pass a received message on, or queue it. uvicorn stops reading after each one: two system calls."""
        if self.receiver is not None and self.curr_msg_data_type == "text" and self._received(b"".join(self.frames)):
            self.frames = []
            return
        paused, self.read_paused = self.read_paused, True  # so that uvicorn leaves the connection alone
        super().send_receive_event_to_app()
        self.read_paused = paused
        if not paused and self.queue.qsize() >= READ_AHEAD and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()

    def take_packet(self, data: bytes) -> bool:
        """Pass a packet that is one short text message to the receiver; False, and the library has to read it."""
        if not self._between_frames:
            # The first packet is the request, which uvicorn has put together.
            self._between_frames = self._between_frames is None and data.endswith(b"\r\n\r\n")
            return False
        if len(data) > LONGEST_PACKET:
            self._between_frames = False
            return False
        is_idle = self.conn.state is State.OPEN and self.conn.current_size is None
        message = text_in(data) if is_idle else None
        if message is None:
            self._between_frames = is_whole(data)
            return False
        return self._received(message)

    def _received(self, data: bytes) -> bool:
        """Pass a text message to the receiver, unless others wait in the queue or it is not valid UTF-8."""
        if self.receiver is None or self.close_sent or not self.queue.empty():
            return False
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return False
        return self.receiver(text)


def channel_of(scope: Scope) -> Channel:
    """The channel of a WebSocket connection. Only a server with `Channel` as its protocol class has one."""
    channel = scope["extensions"][EXTENSION]
    assert isinstance(channel, Channel)
    return channel


def text_in(data: bytes) -> bytes | None:
    """The message of a packet that is a single frame with a whole text message of a client, else None."""
    if len(data) < 6 or data[0] != FINAL_TEXT or not data[1] & MASKED:
        return None
    size = data[1] & LENGTH
    if size < 126:
        start = 2
    elif size == 126:
        start, size = 4, int.from_bytes(data[2:4])
    else:
        return None
    if len(data) != start + 4 + size:
        return None
    return apply_mask(data[start + 4 :], data[start : start + 4])


def is_whole(data: bytes) -> bool:
    """Whether a packet that begins with a frame of a client ends with one."""
    start = 0
    while start + 2 <= len(data):
        size = data[start + 1] & LENGTH
        extra = {126: 2, 127: 8}.get(size, 0)
        if extra:
            size = int.from_bytes(data[start + 2 : start + 2 + extra])
        start += 2 + extra + 4 + size
    return start == len(data)


def text_frame(text: str) -> bytes:
    """A text message as a WebSocket frame, as a server sends it (RFC 6455, section 5.2)."""
    data = text.encode()
    size = len(data)
    if size < 126:
        return bytes((FINAL_TEXT, size)) + data
    if size < 1 << 16:
        return struct.pack("!BBH", FINAL_TEXT, 126, size) + data
    return struct.pack("!BBQ", FINAL_TEXT, 127, size) + data
