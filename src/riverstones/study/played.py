"""A finished game as one of its players sees it: what profiles are made of."""

from __future__ import annotations

from typing import TypedDict

from riverstones.table import Phase, Table


class Opponent(TypedDict):
    """Somebody whom a person has played against."""

    person: str | None
    bot: str | None
    """The level of a bot."""
    name: str


class BestMove(TypedDict):
    """The move of a game that scored most."""

    turn: int
    board: str
    """The board before the move."""
    move: str
    points: int


class PlayedGame(TypedDict):
    """A finished game as one of its players sees it."""

    seat: int
    variant: str
    scoring: str
    opponents: list[Opponent]
    scores: list[int]
    winners: list[int]
    moves: int
    """The number of the person's own moves, without those that the clock made."""
    points: int
    """The points of those moves."""
    best: BestMove | None


def played_games(table: Table) -> dict[str, PlayedGame]:
    """The game for each person who held a single seat at its end; nobody before the end.

    Several seats of one person are several people at one device. Programs have no profile.
    """
    if table.phase is not Phase.OVER or table.game is None:
        return {}
    return {
        chair.person: _played(table, seat)
        for seat, chair in enumerate(table.chairs)
        if chair.person is not None and not chair.program and len(table.seats_of(chair.person)) == 1
    }


def _played(table: Table, seat: int) -> PlayedGame:
    game, outcome = table.game, table.outcome
    assert game is not None
    assert outcome is not None
    own = [turn for turn in game.turns if turn.seat == seat and not turn.timed_out]
    best = max(own, key=lambda turn: turn.points, default=None)
    found: BestMove | None = None
    board = game.board
    for number in reversed(range(len(game.turns))):
        turn = game.turns[number]
        board = turn.board_before(board)
        if turn is best and best.points:
            found = {"turn": number, "board": str(board), "move": str(turn.move), "points": turn.points}
    return {
        "seat": seat,
        "variant": game.setup.variant.value,
        "scoring": game.setup.scoring.value,
        "opponents": [
            {"person": other.person or other.owner if other.bot is None else None, "bot": other.bot, "name": other.name}
            for number, other in enumerate(table.chairs)
            if number != seat
        ],
        "scores": list(outcome.scores),
        "winners": list(outcome.winners),
        "moves": len(own),
        "points": sum(turn.points for turn in own),
        "best": found,
    }
