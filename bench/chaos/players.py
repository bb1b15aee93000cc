"""People at tables: each plays over a socket at some node, goes elsewhere when it breaks, and notes every answer."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from riverstones.rules import Board

API: Final = "/api/v1"
BROKEN: Final = (OSError, ConnectionClosed, InvalidHandshake, TimeoutError, httpx.TransportError, EOFError)
ANSWER_S: Final = 8.0
"""How long a person waits for an answer before reconnecting."""

_IDS = itertools.count(1)


class BrokenPromise(Exception):
    """The server broke a promise of the protocol."""


@dataclass
class Notes:
    """What players were told, to be compared with what is stored."""

    acknowledged: dict[tuple[str, str], int] = field(default_factory=dict)
    """The number of the last event of each acknowledged command, by table and command."""
    refused: dict[tuple[str, str], str] = field(default_factory=dict)
    tables: set[str] = field(default_factory=set)
    waits_s: list[float] = field(default_factory=list)
    """From the first sending of each command to its answer."""
    broken: int = 0
    """Connections that were lost."""


@dataclass
class Person:
    """A person with a session, which every node knows."""

    name: str
    cookie: str
    id: str


async def sign_in(url: Callable[[], str], name: str) -> Person:
    """A new guest."""
    while True:
        try:
            async with httpx.AsyncClient(base_url=url() + API, timeout=ANSWER_S) as client:
                answer = (await client.post("/me", json={"name": name})).raise_for_status()
                return Person(name, client.cookies["riverstones"], answer.json()["person"])
        except (*BROKEN, httpx.HTTPStatusError):
            await asyncio.sleep(0.2)


async def request(url: Callable[[], str], person: Person, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request, which is repeated at another node until it succeeds."""
    while True:
        base = url()
        headers = {"cookie": f"riverstones={person.cookie}", "origin": base}
        try:
            async with httpx.AsyncClient(base_url=base + API, headers=headers, timeout=ANSWER_S) as client:
                answer = await client.post(path, json=body)
                if answer.status_code < 500:
                    found: dict[str, Any] = answer.raise_for_status().json()
                    return found
        except BROKEN:
            pass
        await asyncio.sleep(0.2)


class Player:
    """One person at one table until its game is over."""

    def __init__(
        self,
        person: Person,
        table: str,
        seat: int,
        url: Callable[[], str],
        rng: random.Random,
        notes: Notes,
        pace: Callable[[], float],
        dawdles: float = 0.0,
    ) -> None:
        """`pace` gives the mean time before a move; `dawdles` is the share of turns left to the clock."""
        self.person = person
        self.table = table
        self.seat = seat
        self.seq = 0
        self.now: dict[str, Any] = {}
        self.hand: list[int] = []
        self._url = url
        self._rng = rng
        self._notes = notes
        self._pace = pace
        self._dawdles = dawdles
        self._pending: dict[str, tuple[str, float]] = {}
        """Commands without an answer: their messages and when they were first sent."""
        self._decided = -1
        """The last turn for which a move was sent, or left to the clock."""

    async def play(self) -> None:
        """Play to the end, at whatever node can be reached."""
        while not self._over:
            try:
                await self._connected()
            except BROKEN:
                self._notes.broken += 1
                await asyncio.sleep(self._rng.uniform(0.05, 0.4))

    @property
    def _over(self) -> bool:
        return bool(self.now) and self.now["to_move"] is None and self.now["phase"] == "over" and not self._pending

    async def _connected(self) -> None:
        base = self._url()
        address = f"{base.replace('http', 'ws')}{API}/tables/{self.table}/socket"
        origin: Any = base
        headers = {"cookie": f"riverstones={self.person.cookie}"}
        async with connect(
            address,
            origin=origin,
            additional_headers=headers,
            compression=None,
            open_timeout=5,
            close_timeout=0.5,
            ping_interval=2,
            ping_timeout=4,
        ) as socket:
            hello: dict[str, Any] = {"type": "hello", "protocol": 1}
            if self.seq:
                hello["since"] = self.seq
            await socket.send(json.dumps(hello))
            for message, _ in list(self._pending.values()):
                await socket.send(message)
            while not self._over:
                await self._step(socket)

    async def _step(self, socket: ClientConnection) -> None:
        """Take one message, or move if nothing comes and it is this seat's turn."""
        wait = self._wait()
        try:
            raw = await asyncio.wait_for(socket.recv(), wait)
        except TimeoutError:
            if self._pending and min(begun for _, begun in self._pending.values()) + ANSWER_S < time.monotonic():
                raise  # an answer is overdue: try another node
            if self._may_move:
                await self._move(socket)
            return
        self._take(json.loads(raw))

    def _wait(self) -> float:
        return self._rng.expovariate(1 / max(0.001, self._pace())) if self._may_move else 1.0

    @property
    def _may_move(self) -> bool:
        return (
            not self._pending
            and bool(self.now)
            and self.now["to_move"] == self.seat
            and self.now["turn"] > self._decided
        )

    async def _move(self, socket: ClientConnection) -> None:
        self._decided = self.now["turn"]
        if self._rng.random() < self._dawdles:
            return
        board = Board.parse(self.now["position"].split()[0])
        tile = self._rng.choice("+=") + str(self._rng.choice(self.hand))
        move = f"{self._rng.choice(board.frontier())}{tile}"
        await self._do(socket, type="play", seat=self.seat, turn=self.now["turn"], move=move)
        if self._rng.random() < 0.1:
            await self._do(socket, type="say", text=f"Message {next(_IDS)}")

    async def _do(self, socket: ClientConnection, **command: Any) -> None:
        name = f"c{next(_IDS)}"
        message = json.dumps({"type": "do", "id": name, "command": command})
        self._pending[name] = (message, time.monotonic())
        await socket.send(message)

    def _key(self, name: str) -> tuple[str, str]:
        return self.table, f"{self.person.id}:{name}"

    def _take(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "snapshot":
            found = message["snapshot"]
            if found["seq"] < self.seq:
                raise BrokenPromise(f"table {self.table}: a snapshot of {found['seq']} after event {self.seq}")
            self.seq, self.now, self.hand = found["seq"], found["now"], found["you"]["hand"] or []
        elif kind == "event":
            if self.seq and message["seq"] != self.seq + 1:
                raise BrokenPromise(f"table {self.table}: event {message['seq']} follows {self.seq}")
            self.seq, self.now = message["seq"], message["now"]
            self.hand = message.get("hand") or self.hand
        elif kind == "refused" and message["error"]["code"] == "try_again":
            raise EOFError  # whether it was stored is unknown: it is sent again
        elif kind in ("ack", "refused"):
            _, begun = self._pending.pop(message["id"])
            self._notes.waits_s.append(time.monotonic() - begun)
            if kind == "ack":
                self._notes.acknowledged[self._key(message["id"])] = message["seq"]
            else:
                self._notes.refused[self._key(message["id"])] = message["error"]["code"]
        elif kind == "bye":
            raise EOFError
