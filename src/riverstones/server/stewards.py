"""Those who sit in for the house: they make the bots' moves, judge claims for them, and let results stand."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from dataclasses import dataclass
from typing import Protocol

from riverstones.rules import Malformed, Position, Refused
from riverstones.table import HOUSE, Actor, Command, NotAllowed, Phase, Table, seat_view
from riverstones.table import commands as c

from .errors import ServerError
from .live import LiveTable, Overtaken
from .settings import Settings
from .storage import Conflict
from .thinking import Thinkers

log = logging.getLogger("riverstones.stewards")


class Submit(Protocol):
    """How the house takes a command."""

    async def __call__(
        self, live: LiveTable, actor: Actor, command: Command, *, meant_for: Position | None = None
    ) -> int:
        """Carry it out; `Overtaken` if it is meant for a position that is no more."""


@dataclass(frozen=True, slots=True)
class Duty:
    """Something that a bot has to do at this point of a game."""

    kind: str
    """`move` or `judge`."""
    seat: int
    level: str
    turn: int


class Stewards:
    """The bots' work at all tables, one task a duty. It counts for whoever made the table, in turn with the others."""

    def __init__(self, settings: Settings, thinkers: Thinkers, submit: Submit) -> None:
        self._settings = settings
        self._thinkers = thinkers
        self._submit = submit
        self._tasks: dict[tuple[LiveTable, Duty], asyncio.Task[None]] = {}
        self._done: dict[str, set[Duty]] = {}
        """What has been judged already, so that nothing is judged twice."""

    async def stop(self) -> None:
        """Stop all thinking."""
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def busy(self, live: LiveTable) -> bool:
        """Whether a bot has something to do at this table."""
        return any(other is live for other, _ in self._tasks)

    def look_after(self, live: LiveTable) -> None:
        """Begin what bots have to do now, and stop what has lost its point."""
        table = live.table
        duties = duties_at(table)
        for (other, duty), task in tuple(self._tasks.items()):
            # A table that was read again from its log is begun anew: what the old one shows may never have happened.
            if other.table.id == table.id and (other is not live or duty not in duties):
                task.cancel()
        done = {duty for duty in self._done.get(table.id, set()) if duty in duties}
        if done:
            self._done[table.id] = done
        else:
            self._done.pop(table.id, None)
        for duty in duties - done:
            key = (live, duty)
            if key not in self._tasks:
                task = asyncio.create_task(self._carry_out(live, duty))
                self._tasks[key] = task
                task.add_done_callback(lambda _, key=key: self._tasks.pop(key, None))  # type: ignore[misc]

    async def _carry_out(self, live: LiveTable, duty: Duty) -> None:
        try:
            if duty.kind == "move":
                await self._move(live, duty)
            else:
                await self._judge(live, duty)
        except (NotAllowed, Refused, Malformed, ServerError, Conflict) as error:
            log.info("a bot came too late: %s", error)
        except Exception:
            log.exception("a bot failed")

    async def _move(self, live: LiveTable, duty: Duty) -> None:
        (play, position), _ = await asyncio.gather(self._choose(live, duty), self._pace(live))
        while True:
            try:
                await self._submit(live, HOUSE, play, meant_for=position)
            except Overtaken:
                # An objection was upheld, and what the last move had turned over lies as it was.
                play, position = await self._choose(live, duty)
            else:
                return

    async def _choose(self, live: LiveTable, duty: Duty) -> tuple[c.Play, Position | None]:
        """The bot's play, and the position that it is chosen for."""
        table, position = live.table, live.position
        view = seat_view(table, duty.seat)
        move, claim = await self._thinkers.choose(view, duty.level, chance_of(table, duty.seat), table.host)
        return c.Play(duty.seat, duty.turn, str(move), claim), position

    async def _pace(self, live: LiveTable) -> None:
        """Wait as long as people need to follow and, where points are claimed, bots and people to object."""
        await asyncio.sleep(self._settings.bot_pace_ms / 1000)
        await self._let_people_object(live)
        tasks = self._tasks.items()
        if judging := [task for (other, duty), task in tasks if other is live and duty.kind == "judge"]:
            await asyncio.wait(judging)

    async def _let_people_object(self, live: LiveTable) -> None:
        """People come first: a bot is quick, and would always have objected or moved before them."""
        while (until := live.table.objections_until_ms) is not None and self._settings.now_ms() < until:
            await asyncio.sleep(0.05)

    async def _judge(self, live: LiveTable, duty: Duty) -> None:
        table, chance = live.table, chance_of(live.table, duty.seat)
        view = seat_view(table, duty.seat)
        others = table.game is not None and table.game.turns[-1].seat != duty.seat
        if others and await self._thinkers.objects(view, duty.level, chance, table.host):
            await self._let_people_object(live)
            await self._submit(live, HOUSE, c.Object(duty.seat, duty.turn))
        elif live.table.phase is Phase.SETTLING:
            await self._submit(live, HOUSE, c.Confirm(duty.seat, duty.turn))
        self._done.setdefault(live.table.id, set()).add(duty)


def chance_of(table: Table, seat: int) -> int:
    """The chance of a bot: its own at every table and seat.

    It follows from the deal's seed and tells nothing of it. Nobody who plays knows it: who did could try out which
    hands would have led the bot to its moves.
    """
    assert table.seed is not None
    return int.from_bytes(hashlib.sha256(f"bot {table.seed.reveal()} {seat}".encode()).digest()[:6])


def duties_at(table: Table) -> set[Duty]:
    """What bots have to do at this table now; nothing while it rests or when all people have left."""
    if table.game is None or table.paused or not table.people:
        return set()
    if table.phase not in (Phase.PLAYING, Phase.SETTLING):
        return set()
    duties = set()
    mover = None if table.to_move is None else table.chairs[table.to_move].bot
    if table.to_move is not None and mover is not None:
        duties.add(Duty("move", table.to_move, mover, table.turn))
    if table.by_claims and table.game.turns and not table.game.turns[-1].upheld:
        last = table.game.turns[-1]
        for seat, chair in enumerate(table.chairs):
            objected = any(objection.seat == seat for objection in last.objections)
            if chair.bot is None or (seat == last.seat and table.phase is not Phase.SETTLING):
                continue
            if seat in table.confirmed or (objected and table.phase is not Phase.SETTLING):
                continue
            duties.add(Duty("judge", seat, chair.bot, table.turn - 1))
    return duties
