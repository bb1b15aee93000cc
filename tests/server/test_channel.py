"""Frames that are written and read past ASGI are those that the WebSocket library would write and read."""

import asyncio
from itertools import pairwise
from typing import Any

import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from riverstones.server.http.channel import Channel, is_whole, text_frame, text_in

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_a_text_message_is_framed_as_the_library_does_it(size: int) -> None:
    text = "x" * size
    assert text_frame(text) == Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


def test_the_length_of_a_frame_counts_bytes() -> None:
    text = "é" * 100
    assert text_frame(text) == Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


def masked(opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
    """A frame as a client sends it."""
    return bytes(Frame(opcode, data, fin).serialize(mask=True))


@pytest.mark.parametrize("size", [0, 1, 125, 126, 400])
def test_a_packet_with_one_text_message_is_read_as_the_library_does_it(size: int) -> None:
    message = ("é" + "x" * size).encode()[:size]
    assert text_in(masked(Opcode.TEXT, message)) == message


OTHERS = {
    "nothing": b"",
    "two messages": masked(Opcode.TEXT, b"two") * 2,
    "cut off": masked(Opcode.TEXT, b"cut off")[:-1],
    "a part": masked(Opcode.TEXT, b"a part", fin=False),
    "the rest": masked(Opcode.CONT, b"the rest"),
    "binary": masked(Opcode.BINARY, b"data"),
    "ping": masked(Opcode.PING, b"data"),
    "close": masked(Opcode.CLOSE, b""),
    "not masked": bytes(Frame(Opcode.TEXT, b"not masked").serialize(mask=False)),
    "compressed": b"\xc1" + masked(Opcode.TEXT, b"compressed")[1:],
}


@pytest.mark.parametrize("packet", OTHERS.values(), ids=OTHERS.keys())
def test_every_other_packet_is_left_to_the_library(packet: bytes) -> None:
    assert text_in(packet) is None


@pytest.mark.parametrize("size", [0, 125, 126, 65_536])
def test_a_packet_is_whole_if_its_last_frame_is(size: int) -> None:
    packet = masked(Opcode.PING, b"first") + masked(Opcode.TEXT, b"x" * size)
    assert is_whole(packet)
    assert not is_whole(packet[:-1])
    assert not is_whole(packet + b"\x81")


class Transport(asyncio.Transport):
    """A connection that takes everything that is written."""

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    def write(self, data: Any) -> None:
        pass

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


class Reading(Channel):
    """A channel that reads as `LimitedSocketProtocol` does, without its limits."""

    def data_received(self, data: bytes) -> None:
        if not self.take_packet(data):
            super().data_received(data)


async def messages_in(packets: list[bytes], waits: set[str]) -> list[str]:
    """The messages that a channel receives in these packets. Those in `waits` are not taken at once."""
    received: list[str] = []

    async def app(_: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})

    def take(text: str) -> bool:
        if text not in waits:
            received.append(text)
        return text not in waits

    async def read() -> None:
        while not channel.queue.empty():
            message: Any = await channel.receive()
            received.append(message["text"])

    channel = Reading(uvicorn.Config(app, ws=Reading, lifespan="off"), ServerState(), {})
    channel.connection_made(Transport())
    channel.data_received(HANDSHAKE)
    await asyncio.gather(*channel.tasks)
    channel.receiver = take
    for packet in packets:
        channel.data_received(packet)
        if len(packet) % 2:  # now and then: meanwhile more may arrive behind a message that waits
            await read()
    await read()
    return received


def frames_of(message: str, way: str) -> bytes:
    """A text message in one frame or in two, with a ping before it or in the middle."""
    data, ping = message.encode(), masked(Opcode.PING, b"!")
    if way == "whole":
        return masked(Opcode.TEXT, data)
    if way == "after a ping":
        return ping + masked(Opcode.TEXT, data)
    first, second = masked(Opcode.TEXT, data[:1], fin=False), masked(Opcode.CONT, data[1:])
    return first + ping + second if way == "around a ping" else first + second


@given(st.data())
def test_messages_arrive_in_order_however_they_are_cut_into_packets(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.sampled_from([0, 1, 30, 125, 126, 600]), max_size=12))
    messages = [f"{number}:" + "é" * size for number, size in enumerate(sizes)]
    ways = st.sampled_from(["whole", "whole", "whole", "after a ping", "in two parts", "around a ping"])
    frames = [frames_of(message, data.draw(ways)) for message in messages]
    sent, ends = b"".join(frames), [0]
    for frame in frames:
        ends.append(ends[-1] + len(frame))
    cuts = set(data.draw(st.lists(st.sampled_from(ends)))) | set(data.draw(st.lists(st.integers(0, len(sent)))))
    packets = [sent[start:end] for start, end in pairwise(sorted(cuts | {0, len(sent)}))]
    waits = {message for message in messages if data.draw(st.booleans())}
    assert asyncio.run(messages_in(packets, waits)) == messages
