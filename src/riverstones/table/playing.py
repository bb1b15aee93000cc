"""Moves, claims and the clock."""

from __future__ import annotations

from dataclasses import replace

from riverstones.rules import Game, Move, Side, Tile

from . import commands as c
from . import events as e
from .decision import Decision, check_playing, own_chair
from .errors import NotAllowed, TableRefusal
from .options import Clock
from .players import Actor
from .state import HANDOVER_MS, Phase, Table, parse_move

GRACE_MS = 10_000
"""The minimum time left for a turn after a server restart."""


def play(decision: Decision, actor: Actor, command: c.Play) -> None:
    """Make a move."""
    table = decision.table
    own_chair(table, actor, command.seat)
    check_playing(table)
    if table.phase is Phase.SETTLING:
        raise NotAllowed(TableRefusal.TABLE_OVER)
    if command.turn != table.turn:
        raise NotAllowed(TableRefusal.WRONG_TURN, turn=table.turn)
    if command.seat != table.to_move:
        raise NotAllowed(TableRefusal.NOT_YOUR_TURN)
    _move(decision, e.Moved(command.seat, str(parse_move(command.move)), command.claim))


def reveal(decision: Decision, actor: Actor, command: c.Reveal) -> None:
    """Show the hand and start the clock. Revealing again, or without a clock that waits for it, changes nothing.

    It is allowed during a pause: the hand has been seen, so the turn's time starts when the pause ends.
    """
    table = decision.table
    own_chair(table, actor, command.seat)
    if table.phase is Phase.WAITING:
        raise NotAllowed(TableRefusal.NOT_STARTED)
    if table.phase is not Phase.PLAYING:
        raise NotAllowed(TableRefusal.TABLE_OVER)
    if command.turn != table.turn:
        raise NotAllowed(TableRefusal.WRONG_TURN, turn=table.turn)
    if command.seat != table.to_move:
        raise NotAllowed(TableRefusal.NOT_YOUR_TURN)
    if table.awaiting_reveal:
        decision.emit(e.Revealed(command.seat))


def _move(decision: Decision, moved: e.Moved) -> None:
    decision.emit(_with_time_to_object(decision, moved))
    game = decision.table.game
    if game is not None and game.over and not decision.table.by_claims:
        decision.emit(e.Ended())


def _with_time_to_object(decision: Decision, moved: e.Moved) -> e.Moved:
    """The move with the time until which bots, even ones that sit down later, wait for players to object."""
    table, context = decision.table, decision.context
    if not table.by_claims or not context.claim_wait_ms:
        return moved
    others = [seat for seat, chair in enumerate(table.chairs) if seat != moved.seat and chair.person is not None]
    away = tuple(seat for seat in others if table.chairs[seat].person in context.away)
    if len(away) == len(others):
        return moved
    return replace(moved, objections_ms=context.now_ms + _claim_wait_ms(decision), away=away)


def _claim_wait_ms(decision: Decision) -> int:
    """How long bots wait for objections: at most half the turn if the clock would move for them."""
    options = decision.table.options
    wait_ms = decision.context.claim_wait_ms
    return min(wait_ms, options.seconds * 500) if options.clock is Clock.STRICT else wait_ms


def _check_claimed(decision: Decision, actor: Actor, seat: int, turn: int) -> None:
    table = decision.table
    own_chair(table, actor, seat)
    check_playing(table)
    if not table.by_claims:
        raise NotAllowed(TableRefusal.NOT_BY_CLAIMS)
    if turn < 0 or turn != table.turn - 1:
        raise NotAllowed(TableRefusal.WRONG_TURN, turn=table.turn)


def object_to_claim(decision: Decision, actor: Actor, command: c.Object) -> None:
    """Object to the last claim. An objection upheld after the last tile ends the game."""
    _check_claimed(decision, actor, command.seat, command.turn)
    decision.emit(e.Objected(command.seat))
    game = decision.table.game
    if game is not None and game.turns[-1].upheld and decision.table.phase is Phase.SETTLING:
        decision.emit(e.Ended())


def confirm_claim(decision: Decision, actor: Actor, command: c.Confirm) -> None:
    """Accept the last claim. After the last tile the game ends once all seats have accepted."""
    _check_claimed(decision, actor, command.seat, command.turn)
    table = decision.table
    if command.seat in table.confirmed:
        raise NotAllowed(TableRefusal.ALREADY_CONFIRMED)
    decision.emit(e.Confirmed(command.seat))
    everyone = {seat for seat, chair in enumerate(table.chairs) if not chair.free}
    if table.phase is Phase.SETTLING and decision.table.confirmed >= everyone:
        decision.emit(e.Ended())


def tick(decision: Decision) -> None:
    """Apply the clock if its time has come: it makes a move, or ends the time to object to the last one."""
    table = decision.table
    if table.expires_ms is None or decision.context.now_ms < table.expires_ms:
        return
    if table.phase is Phase.SETTLING:
        decision.emit(e.Ended())
        return
    assert table.game is not None
    move = clock_move(table.game, decision.context.entropy)
    _move(decision, e.Moved(table.game.to_move, str(move), 0 if table.by_claims else None, timed_out=True))


def clock_move(game: Game, entropy: bytes) -> Move:
    """The move that the clock makes for the seat to move: its lowest tile, yellow, on a random legal square."""
    squares = game.board.frontier()
    return Move(squares[int.from_bytes(entropy) % len(squares)], Tile(game.hand[0], Side.ADDEND))


def wake(decision: Decision, command: c.Wake) -> None:
    """Give back the time of an outage to the turn, at least a minimum; and start the time to object again."""
    table, now_ms = decision.table, decision.context.now_ms
    if command.to_ms is not None and table.turn_ms >= command.to_ms:
        return
    expires, objections = table.expires_ms, table.objections_until_ms
    deadline = table.deadline_ms
    if deadline is not None and command.from_ms is not None:
        deadline += max(0, now_ms - max(command.from_ms, table.turn_ms))
    if expires is not None and deadline is not None and deadline < now_ms + GRACE_MS:
        deadline = now_ms + _grace_ms(table)
    if deadline != table.deadline_ms or objections is not None:
        decision.emit(e.Extended(deadline, None if objections is None else now_ms + _claim_wait_ms(decision)))


def _grace_ms(table: Table) -> int:
    """The time for a turn after a restart: a minimum, or all of it if the device has yet to be handed over."""
    return HANDOVER_MS + table.options.seconds * 1000 if table.awaiting_reveal else GRACE_MS
