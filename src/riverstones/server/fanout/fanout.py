"""The interface of a fan-out, which is also the fan-out of a node that is alone: it tells nobody."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

log = logging.getLogger("riverstones.fanout")

TableHeard = Callable[[str, int, str], None]
"""Called with a table, the number of its last event, and the node that has stored it."""

MessageHeard = Callable[[str, Any], None]
"""Called with the node that has sent a message, and the message."""


class Fanout:
    """Tells other nodes what has changed, and calls back when they tell this one.

    `publish` and `send` return at once and never fail. Callbacks must be quick and are called in the event loop.
    """

    reaches_others = False
    """Whether there may be other nodes to tell."""

    def __init__(self, node: str) -> None:
        self.node = node
        self._on_table: list[TableHeard] = []
        self._on_message: dict[str, MessageHeard] = {}
        self._on_gap: list[Callable[[], None]] = []

    def on_table(self, heard: TableHeard) -> None:
        """Call this when another node has stored events of a table."""
        self._on_table.append(heard)

    def on_message(self, topic: str, heard: MessageHeard) -> None:
        """Call this when another node sends a message on this topic."""
        self._on_message[topic] = heard

    def on_gap(self, heard: Callable[[], None]) -> None:
        """Call this whenever messages may have been missed: after every new connection."""
        self._on_gap.append(heard)

    async def start(self) -> None:
        """Begin to listen and to send."""

    async def stop(self) -> None:
        """Send what waits, and stop."""

    def publish(self, table: str, seq: int) -> None:
        """Tell the other nodes that a table has events up to this number. Call it after the commit, never before."""

    def send(self, topic: str, message: Any) -> None:
        """Send a small message, which JSON can express, to the other nodes."""

    def hear(self, node: str, tables: dict[str, int], messages: list[tuple[str, Any]]) -> None:
        """Call back for what a node has told. A callback that fails does not keep the others from being called."""
        if node == self.node:
            return
        for table, seq in tables.items():
            for heard in self._on_table:
                _guarded(heard, table, seq, node)
        for topic, message in messages:
            # A newer node may have topics that this one does not know.
            if topic in self._on_message:
                _guarded(self._on_message[topic], node, message)

    def notice_gap(self) -> None:
        """Call back because messages may have been missed."""
        for heard in self._on_gap:
            _guarded(heard)


def _guarded(call: Callable[..., None], *arguments: Any) -> None:
    try:
        call(*arguments)
    except Exception:
        log.exception("A message from another node could not be processed")
