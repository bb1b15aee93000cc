"""The engine line protocol: one JSON object per line in, one or more lines out. docs/arena.md specifies it.

This is the answering side; `external_bot` is the asking side. A line that cannot be parsed is answered with an error
and changes nothing. Unknown fields are ignored, so that either side may add some.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from riverstones.notation import NotationError, parse_position, say
from riverstones.rules import (
    SEAT_COUNTS,
    Malformed,
    Move,
    Position,
    Setup,
    Turn,
    Variant,
    View,
    kakuros_made,
    refusal,
)

from . import bots
from .choose import analyse
from .levels import SEARCHING

Message = dict[str, Any]


class BadLine(ValueError):
    """An invalid line; the message says why in one sentence."""


def read(line: str) -> Message:
    """Parse a line."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise BadLine("The line is not valid JSON.") from None
    if not isinstance(message, dict):
        raise BadLine("A line must be one JSON object.")
    return message


def write(message: Message) -> str:
    """Format a message as a line, without the line break."""
    return json.dumps(message, ensure_ascii=False)


class Session:
    """A session with a client that asks for moves."""

    def __init__(self, level: str, seed: int = 0) -> None:
        bots.check(level)
        self._level = level
        self._seed = seed
        self.over = False
        """Whether the client has sent `quit`."""

    def answer(self, line: str) -> Iterator[Message]:
        """The answers to a line, as they become available."""
        try:
            message = read(line)
            match message.get("type"):
                case "newgame":
                    self._begin(message)
                case "go":
                    yield from self._go(message)
                case "quit":
                    self.over = True
                case _:
                    raise BadLine("The type must be newgame, go or quit.")
        except (BadLine, NotationError, bots.UnknownBot) as error:
            yield {"type": "error", "message": str(error)}
        except Malformed as error:
            yield {"type": "error", "message": say(error)}

    def _begin(self, message: Message) -> None:
        """Validate the announcement of a new game; everything that matters for a move comes with its position."""
        players, seat = message.get("players", 2), message.get("seat", 0)
        if type(players) is not int or players not in SEAT_COUNTS:
            raise BadLine("The number of players must be 2, 3 or 4.")
        if type(seat) is not int or not 0 <= seat < players:
            raise BadLine(f"The seat must be from 0 to {players - 1}.")
        if message.get("variant", "standard") not in [variant.value for variant in Variant]:
            raise BadLine("The variant must be standard or expert.")
        seed = message.get("seed", self._seed)
        if type(seed) is not int:
            raise BadLine("The seed must be an integer.")
        self._seed = seed

    def _go(self, message: Message) -> Iterator[Message]:
        position, level, nodes = message.get("position"), message.get("level", self._level), message.get("nodes")
        if not isinstance(position, str):
            raise BadLine("The line has no position.")
        if not isinstance(level, str):
            raise BadLine("The level must be a name.")
        if nodes is not None and (type(nodes) is not int or nodes < 1):
            raise BadLine("The number of nodes must be a positive integer.")
        bots.check(level)
        view = _view(parse_position(position), message.get("moves", []))
        if level in SEARCHING:
            found = analyse(view, SEARCHING[level], self._seed, nodes)
            best = found.best
            yield {
                "type": "info",
                "level": level,
                "method": found.method,
                "nodes": found.nodes,
                "points": best.points,
                "mean": round(best.mean, 3),
                "exact": best.exact,
                "line": [str(move) for move in best.variation],
            }
            yield {"type": "move", "move": str(best.move)}
        else:
            yield {"type": "move", "move": str(bots.make(level, self._seed)(view))}


def _view(position: Position, moves: object) -> View:
    """The view of the seat to move: the position and, if given, the moves that led to it."""
    if position.hand is None:
        raise BadLine("The hand of the seat to move is not known.")
    if not position.hand:
        raise BadLine("The seat to move has no tile left.")
    setup = Setup(len(position.hands), position.variant)
    return View(position.to_move, setup, position.seen_by(position.to_move), _turns(position, moves), over=False)


def _turns(position: Position, moves: object) -> tuple[Turn, ...]:
    """The turns of these moves, found by undoing them from the board one by one."""
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise BadLine("The moves must be a list of strings.")
    board, turns = position.board, []
    for back, text in enumerate(reversed(moves), start=1):
        move = Move.parse(text)
        if board[move.square] != move.tile or any(board[square] is None for square in move.flips):
            raise BadLine(f"The move {move} does not lead to the position.")
        board = move.off(board)
        if reason := refusal(board, move, position.variant):
            raise BadLine(f"The move {move} was not legal. {say(reason)}")
        points = sum(kakuro.sum for kakuro in kakuros_made(board, move))
        turns.append(Turn((position.to_move - back) % len(position.hands), None, move, points))
    return tuple(reversed(turns))
