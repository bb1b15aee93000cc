"""Frames that are written past ASGI are the frames that the WebSocket library would write."""

import pytest
from websockets.frames import Frame, Opcode

from riverstones.server.http.channel import is_whole, text_frame, text_in


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


@pytest.mark.parametrize(
    "packet",
    [
        b"",
        masked(Opcode.TEXT, b"two") * 2,
        masked(Opcode.TEXT, b"cut off")[:-1],
        masked(Opcode.TEXT, b"a part", fin=False),
        masked(Opcode.CONT, b"the rest"),
        masked(Opcode.BINARY, b"data"),
        masked(Opcode.PING, b"data"),
        masked(Opcode.CLOSE, b""),
        bytes(Frame(Opcode.TEXT, b"not masked").serialize(mask=False)),
        b"\xc1" + masked(Opcode.TEXT, b"compressed")[1:],
    ],
)
def test_every_other_packet_is_left_to_the_library(packet: bytes) -> None:
    assert text_in(packet) is None


@pytest.mark.parametrize("size", [0, 125, 126, 65_536])
def test_a_packet_is_whole_if_its_last_frame_is(size: int) -> None:
    packet = masked(Opcode.PING, b"first") + masked(Opcode.TEXT, b"x" * size)
    assert is_whole(packet)
    assert not is_whole(packet[:-1])
    assert not is_whole(packet + b"\x81")
