"""Frames that are written past ASGI are the frames that the WebSocket library would write."""

import pytest
from websockets.frames import Frame, Opcode

from riverstones.server.http.channel import text_frame


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_a_text_message_is_framed_as_the_library_does_it(size: int) -> None:
    text = "x" * size
    assert text_frame(text) == Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


def test_the_length_of_a_frame_counts_bytes() -> None:
    text = "é" * 100
    assert text_frame(text) == Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
