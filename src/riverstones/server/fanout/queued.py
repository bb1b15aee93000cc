"""A fan-out over a connection that may break: it queues, sends in packets, and connects again."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from abc import abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from typing import Any

from riverstones.server.fanout.fanout import Fanout

log = logging.getLogger("riverstones.fanout")

LARGEST_PACKET = 7_500
"""The size of a packet in bytes. PostgreSQL notifies with less than 8,000."""

MOST_WAITING = 10_000
"""The messages kept while there is no connection. The oldest are dropped; all of them are sent again at intervals."""

RETRY_S = 1.0
SEND_S = 5.0
"""How long sending a packet, or connecting, may take before the connection counts as broken."""

STOP_S = 0.5
"""How long a stopping node may take to send what waits. The others would learn of it at their next poll."""

Send = Callable[[str], Awaitable[object]]


class QueuedFanout(Fanout):
    """A fan-out that sends packets. Whatever is told while one is being sent goes into the next ones together."""

    reaches_others = True

    def __init__(self, node: str) -> None:
        super().__init__(node)
        self._tables: dict[str, int] = {}
        self._messages: deque[tuple[str, Any]] = deque(maxlen=MOST_WAITING)
        self._filled = asyncio.Event()
        self._lost = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    def connected(self) -> AbstractAsyncContextManager[Send]:
        """Connect and listen, as long as the block runs; the value sends a packet to all nodes.

        Calls `receive` for each packet, and `lose` if the connection breaks by itself.
        """

    async def start(self) -> None:
        """Begin to listen and to send. It connects in the background, and again whenever the connection breaks."""
        self._task = asyncio.create_task(self._run(), name="fan-out")

    async def stop(self) -> None:
        """Send what waits, unless that takes too long, and stop."""
        if self._task is None:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_S):
                while self._filled.is_set() and not self._lost.is_set():
                    await asyncio.sleep(0.005)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._task = None

    def publish(self, table: str, seq: int) -> None:
        """Tell the other nodes that a table has events up to this number."""
        self._tables[table] = max(seq, self._tables.get(table, 0))
        self._filled.set()

    def send(self, topic: str, message: Any) -> None:
        """Send a small message to the other nodes."""
        self._messages.append((topic, message))
        self._filled.set()

    def receive(self, packet: str) -> None:
        """Take a packet that has arrived, from this node or another."""
        try:
            told = json.loads(packet)
            node, tables, messages = told["node"], told["tables"], told["messages"]
        except (ValueError, KeyError, TypeError):
            log.warning("A packet of another node cannot be read.")
        else:
            self.hear(node, tables, messages)

    def lose(self) -> None:
        """Note that the connection is broken."""
        self._lost.set()

    async def _run(self) -> None:
        broken = False
        while True:
            try:
                await self._connect_and_send()
            except Exception as error:
                if not broken:
                    log.warning("The fan-out has lost its connection; nodes learn of moves by polling: %r", error)
                broken = True
            else:
                broken = False
            self._lost.set()
            await asyncio.sleep(RETRY_S)

    async def _connect_and_send(self) -> None:
        """Send what is told until the connection breaks."""
        async with contextlib.AsyncExitStack() as stack:
            self._lost.clear()
            async with asyncio.timeout(SEND_S):
                send = await stack.enter_async_context(self.connected())
            self.notice_gap()
            lost = asyncio.create_task(self._lost.wait())
            stack.callback(lost.cancel)
            while not lost.done():
                filled = asyncio.create_task(self._filled.wait())
                await asyncio.wait((filled, lost), return_when=asyncio.FIRST_COMPLETED)
                filled.cancel()
                for packet in self._packets():
                    async with asyncio.timeout(SEND_S):
                        await send(packet)
                if not self._tables and not self._messages:
                    self._filled.clear()

    def _packets(self) -> Iterator[str]:
        """Everything that waits, in packets that are small enough."""
        while self._tables or self._messages:
            tables: dict[str, int] = {}
            messages: list[tuple[str, Any]] = []
            size = 100
            while self._tables and size < LARGEST_PACKET:
                table, seq = self._tables.popitem()
                tables[table] = seq
                size += len(table) + 20
            while self._messages:
                size += len(json.dumps(self._messages[0])) + 2
                if size >= LARGEST_PACKET and (tables or messages):
                    break
                messages.append(self._messages.popleft())
            yield json.dumps({"node": self.node, "tables": tables, "messages": messages}, separators=(",", ":"))
