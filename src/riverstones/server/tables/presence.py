"""Who is connected to a table at the other nodes.

A node tells the others who of a table's players is connected to it, how many spectators it has, and when it has last
seen each player: the whole of it whenever something changes, and at an interval, so that nothing depends on a message
that was lost. The presence at a node is dropped when the node has ended or is silent.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Any

from riverstones.server.fanout import Fanout
from riverstones.server.tables.background import Background
from riverstones.server.tables.feed import Elsewhere, ProgramFeed
from riverstones.server.tables.live_table import LiveTable
from riverstones.server.tables.nodes import Nodes
from riverstones.server.tables.registry import Registry

REPEAT_S = 15.0
"""The interval at which a node repeats everything."""

KEPT_S = 3 * REPEAT_S
"""How long the presence at another node counts after its last message."""


@dataclass(slots=True)
class Streams:
    """The programs that have a stream open at another node."""

    people: frozenset[str]
    heard_s: float


class SharedPresence:
    """Tells the other nodes who is connected here, and notes who is connected there."""

    def __init__(self, fanout: Fanout, registry: Registry, programs: ProgramFeed, nodes: Nodes) -> None:
        self._fanout = fanout
        self._registry = registry
        self._programs = programs
        self._nodes = nodes
        self._streams: dict[str, Streams] = {}
        fanout.on_message("presence", self._heard_presence)
        fanout.on_message("streams", self._heard_streams)
        fanout.on_message("who", self._heard_question)
        fanout.on_gap(self._begin)

    def start(self, background: Background) -> None:
        """Tell everything again at the interval."""
        background.start(self._repeat())

    def ask(self, live: LiveTable) -> None:
        """Ask the other nodes who is connected to a table that was just read, and tell them of it from now on."""
        live.feed.on_change = lambda: self.share(live)
        self._fanout.send("who", live.table.id)

    def share(self, live: LiveTable) -> None:
        """Tell the other nodes who is connected to a table here."""
        here = live.feed.here()
        message = {"table": live.table.id, "here": sorted(here.people), "spectators": here.spectators}
        self._fanout.send("presence", {**message, "seen": here.seen_ms})

    def share_streams(self) -> None:
        """Tell the other nodes which programs have a stream open here."""
        self._fanout.send("streams", sorted(self._programs.people))

    def drop_ended(self) -> None:
        """Drop the presence at nodes that have ended or are silent."""
        since_s = time.monotonic() - KEPT_S
        for node, streams in tuple(self._streams.items()):
            if node not in self._nodes.alive or streams.heard_s < since_s:
                self._set_streams(node, frozenset())
        for live in self._registry:
            live.feed.drop_elsewhere(self._nodes.alive, since_s)

    def _begin(self) -> None:
        self._fanout.send("who", None)
        self._share_all()

    def _share_all(self) -> None:
        self.share_streams()
        for live in self._registry:
            if live.feed.listeners:
                self.share(live)

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(REPEAT_S)
            self._share_all()
            self.drop_ended()

    def _heard_question(self, node: str, table: str | None) -> None:
        if table is None:
            self._share_all()
        elif (live := self._registry.get(table)) is not None:
            self.share(live)

    def _heard_presence(self, node: str, message: Any) -> None:
        live = self._registry.get(message["table"])
        if live is not None:
            people, seen_ms = frozenset(message["here"]), message["seen"]
            live.feed.hear(node, Elsewhere(people, message["spectators"], seen_ms, time.monotonic()))

    def _heard_streams(self, node: str, people: list[str]) -> None:
        self._set_streams(node, frozenset(people))

    def _set_streams(self, node: str, people: frozenset[str]) -> None:
        before = self._streams.pop(node, Streams(frozenset(), 0)).people
        if people:
            self._streams[node] = Streams(people, time.monotonic())
        self._programs.elsewhere = frozenset().union(*(streams.people for streams in self._streams.values()))
        if before == people:
            return
        for live in self._registry:
            for person in before ^ people:
                if live.feed.has_seen(person):
                    (live.feed.note_arrival if person in people else live.feed.note_departure)(person)
