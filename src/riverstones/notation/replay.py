"""Convert a game to its record, and back."""

from __future__ import annotations

import datetime

from riverstones.rules import Game, Scoring, Seed

from .check import checked_deal
from .errors import NotationError
from .record import STONES, End, Ending, Header, Player, Record, RecordedObjection, RecordedTurn, winners_of


def record_of(
    game: Game,
    *,
    players: tuple[Player, ...] = (),
    date: datetime.date | None = None,
    commitment: str | None = None,
    seed: Seed | None = None,
    start_drawn: bool = False,
    tags: tuple[tuple[str, str], ...] = (),
    how: Ending | None = None,
    resigned: tuple[int, ...] = (),
) -> Record:
    """The record of a game, finished or still going on.

    It contains every hand, so while the game goes on it must not reach the players. If `commitment` is omitted, it is
    computed from the seed. If `how` is omitted, it follows from the game and from `resigned`.
    """
    if seed is not None and commitment is None:
        commitment = seed.commitment
    stones = game.deal.digits[:STONES]
    header = Header(game.setup, stones, players, date, commitment, seed, start_drawn, tags)
    return Record(header, _recorded_turns(game), _recorded_end(game, how, resigned))


def _recorded_turns(game: Game) -> tuple[RecordedTurn, ...]:
    totals = [0] * game.setup.seats
    recorded: list[RecordedTurn] = []
    for turn in game.turns:
        points = turn.points if turn.claim is None else turn.claim
        before, total = totals[turn.seat], totals[turn.seat] + points
        objections = tuple(
            RecordedObjection(objection.seat, objection.upheld, before if objection.upheld else total)
            for objection in turn.objections
        )
        recorded.append(RecordedTurn(turn.seat, turn.hand or (), turn.move, points, total, turn.timed_out, objections))
        totals[turn.seat] += turn.points
    return tuple(recorded)


def _recorded_end(game: Game, how: Ending | None, resigned: tuple[int, ...]) -> End:
    if how is None:
        how = Ending.FINISHED if game.over else Ending.RESIGNED if resigned else Ending.UNFINISHED
    hands = None if how is Ending.FINISHED else game.hands
    return End(how, game.scores, winners_of(how, game.scores, resigned), resigned, hands)


def replay(record: Record) -> tuple[Game, ...]:
    """The game before each turn and, last, at the end; raises `NotationError` if the record is not sound.

    Without a seed the deal is reconstructed from the hands, and tiles that nobody has shown are filled in.
    """
    disagreements, deal = checked_deal(record)
    if deal is None:
        raise NotationError(disagreements)
    setup = record.header.setup
    games = [Game.begin(setup, deal)]
    for turn in record.turns:
        claim = turn.points if setup.scoring is Scoring.CLAIMS else None
        game = games[-1].play(turn.move, claim=claim, timed_out=turn.timed_out)
        for objection in turn.objections:
            game = game.object(objection.seat)
        games.append(game)
    return tuple(games)
