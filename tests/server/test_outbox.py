"""What waits for a client is bounded in number and in bytes."""

import asyncio
import json
import random
import sys
from pathlib import Path
from typing import cast

import pytest

from riverstones.server.http.channel import Channel
from riverstones.server.http.socket_outbox import SocketOutbox, SocketWrites
from riverstones.server.tables.outbox import Outbox

from .running import API, play_out, running, settings_for
from .test_games import two_people


async def _overflows(messages: list[str], **limits: int) -> bool:
    outbox = Outbox(**limits)
    for message in messages:
        outbox.put(message)
    return outbox.overflowed


@pytest.mark.parametrize(
    ("messages", "overflows"),
    [
        (["x" * 400] * 9, False),
        (["x" * 400] * 10, True),
        (["x" * 9000], False),
        (["x" * 9000, "x"], True),
        (["é" * 400] * 9, True),
        (["x"] * 20, False),
        (["x"] * 21, True),
    ],
    ids=["short", "too much", "one large message", "a large one and more", "in memory", "many", "too many"],
)
def test_an_outbox_is_bounded_in_messages_and_bytes(messages: list[str], overflows: bool) -> None:
    """A single message always fits: otherwise nobody could look at a large table."""
    size = sys.getsizeof("x" * 400) * 9
    assert asyncio.run(_overflows(messages, limit=20, limit_bytes=size)) is overflows


async def _after_reading() -> bool:
    outbox = Outbox(20, 1000)
    for _ in range(5):
        outbox.put("x" * 800)
        outbox.drain()
    return outbox.overflowed


def test_read_messages_no_longer_count() -> None:
    assert not asyncio.run(_after_reading())


class _Channel:
    """A connection that keeps what is written to it, or breaks."""

    is_writable = True
    outbox: Outbox | None = None

    def __init__(self, breaks: bool = False) -> None:
        self.breaks = breaks
        self.written: list[list[str]] = []

    def write(self, texts: list[str]) -> None:
        if self.breaks:
            raise OSError("broken")
        self.written.append(texts)


async def _written(*channels: _Channel) -> list[list[list[str]]]:
    """What is written to each of these connections if two messages are put into each outbox.

    Only a connection that cannot be written to ends: messages to it are lost.
    """
    writes = SocketWrites()
    outboxes = [SocketOutbox(20, 1000, cast(Channel, channel), writes) for channel in channels]
    for outbox in outboxes:
        outbox.put("event")
        outbox.put("ack")
    await asyncio.sleep(0)
    assert [outbox.end.done() for outbox in outboxes] == [channel.breaks for channel in channels]
    return [channel.written for channel in channels]


def test_the_messages_of_one_round_are_written_together() -> None:
    assert asyncio.run(_written(_Channel(), _Channel())) == [[["event", "ack"]]] * 2


def test_a_connection_that_cannot_be_written_to_does_not_hold_up_the_others() -> None:
    assert asyncio.run(_written(_Channel(breaks=True), _Channel())) == [[], [["event", "ack"]]]


def test_a_long_gap_is_answered_with_a_snapshot_if_the_events_are_larger(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, outbox_bytes=4096)) as server:
        table, ann, bob = two_people(server)
        before = ann.seq
        play_out([ann, bob], random.Random(1), turns=16)
        viewer = server.client(None)
        with viewer.http.stream("GET", f"{API}/tables/{table}/stream?since={before}") as answer:
            assert json.loads(next(answer.iter_lines()))["type"] == "snapshot"
        with viewer.http.stream("GET", f"{API}/tables/{table}/stream?since={ann.seq - 1}") as answer:
            assert json.loads(next(answer.iter_lines()))["type"] == "event"
