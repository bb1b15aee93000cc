"""Review a game: every move judged, and every seat's result split into luck, slips and the rest.

The chances of all seats change from turn to turn, from `start` before the first tile is seen to `result`. Each turn is
split into three parts, each with an effect on every seat:

luck
    the seat to move looks at the tile it drew: its chances with it, less the mean over all tiles it could have been
slip
    its move, less the best move, judged by what the seat knew; never positive for the seat itself
rest
    what is left: what the seat could not know, the limits of the evaluation, and claims that stood

The parts of a turn sum to the change of the chances in that turn, so start + luck + slips + rest = result.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum

from riverstones.engine.analysis import Stop
from riverstones.notation import Ending, Record, replay
from riverstones.rules import Game, Hand, Move, Outcome, Position, Scoring, Variant

from .accuracy import accuracy
from .chances import Chances
from .facts import LEAST, Fact, facts_of
from .judgement import Judgement, judge
from .luck import Look

MOST_THAT_MATTERED = 3
LEFT_TAG = "Left"
"""The tag of a record with the number of turns that were played when somebody first left."""

Progress = Callable[[int, int], None]
"""Receives the number of moves judged so far, and of all moves."""


class Stopped(Exception):
    """The review was stopped before it was complete."""


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move, its judgement, and how the turn changed the chances."""

    number: int
    """The number of the turn, from 1."""
    seat: int
    hand: Hand
    position: Position
    """The position before the move, as the seat knew it."""
    move: Move
    scored: int
    """The points that were finally written down."""
    claim: int | None
    timed_out: bool
    upheld: bool
    judgement: Judgement
    counted: bool
    """Whether the move counts for the accuracy."""
    facts: tuple[Fact, ...]
    chances: Chances
    """After the move, before the next seat looks at the tile it drew."""
    luck: Chances
    slip: Chances
    rest: Chances


@dataclass(frozen=True, slots=True)
class SeatReview:
    """The review of one seat."""

    name: str
    bot: str
    """The level of the bot; empty for a person."""
    accuracy: float | None
    counted: int
    """The number of counted moves."""
    luck: Chances
    """The effect on each seat of all tiles this seat drew."""
    slips: Chances
    rest: Chances
    mattered: tuple[int, ...]
    """The numbers of the turns that mattered most, largest loss first."""


@dataclass(frozen=True, slots=True)
class Report:
    """The review of a game."""

    variant: Variant
    scoring: Scoring
    start: Chances
    """The chances before the first tile is seen."""
    result: Chances
    """Each seat's share of the win; its chances, if the game was not decided."""
    scores: tuple[int, ...]
    decided: bool
    seats: tuple[SeatReview, ...]
    moves: tuple[ReviewedMove, ...]


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a review takes from the table or the record, beside the moves."""

    names: tuple[str, ...] = ()
    bots: tuple[str, ...] = ()
    resigned: tuple[int, ...] = ()
    """The seats that resigned; they cannot win."""
    winners: tuple[int, ...] = ()
    """The winners, if the game was decided before the last tile."""
    left_after: int | None = None
    """The number of turns that were played when somebody first left; later moves are not counted. If it is not known,
    no move of a seat that resigned before the end is counted."""

    @classmethod
    def of(cls, record: Record) -> Circumstances:
        """What a record says."""
        end, players = record.end, record.header.players
        left = dict(record.header.tags).get(LEFT_TAG, "")
        return cls(
            names=tuple(player.name for player in players),
            bots=tuple(player.bot for player in players),
            resigned=end.resigned,
            winners=end.winners if end.how in (Ending.RESIGNED, Ending.FINISHED) else (),
            left_after=int(left) if left.isascii() and left.isdigit() else None,
        )


def review_record(record: Record, *, stop: Stop | None = None, progress: Progress | None = None) -> Report:
    """Review a recorded game; raises `NotationError` if the record is not sound, `Stopped` if `stop` asks for it."""
    return review_game(replay(record), Circumstances.of(record), stop=stop, progress=progress)


def review_game(
    games: Sequence[Game],
    circumstances: Circumstances | None = None,
    *,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Report:
    """Review a game, given its states before each turn and at the end; raises `Stopped` if `stop` asks for it."""
    steps = review_steps(games, circumstances, stop=stop)
    while True:
        try:
            done = next(steps)
        except StopIteration as end:
            report: Report = end.value
            return report
        if progress is not None:
            progress(done, len(games) - 1)


def review_steps(
    games: Sequence[Game], circumstances: Circumstances | None = None, *, stop: Stop | None = None
) -> Generator[int, None, Report]:
    """Review a game as `review_game` does, move by move: yields the number of moves judged so far, returns the report.

    Whoever asks for no further step has stopped the review.
    """
    about = circumstances or Circumstances()
    total = len(games) - 1
    drafts: list[_Draft] = []
    for number, (before, after) in enumerate(pairwise(games), start=1):
        _check(stop)
        drafts.append(_draft(before, after, stop))
        _check(stop)
        yield number
    last = games[-1]
    winners = about.winners or (Outcome.of(last.scores, about.resigned).winners if last.over else ())
    result = _shares(winners, last.setup.seats) if winners else Look.at(last).mean
    means = [*(draft.look.mean for draft in drafts[1:]), result][:total]
    left_after = total if about.left_after is None else about.left_after
    # If a seat resigned and the game went on, a bot took the seat over, and it may not be known when.
    replaced = about.resigned if about.left_after is None and (last.over or len(about.resigned) > 1) else ()
    moves = tuple(
        _reviewed(number, draft, mean, number > left_after or draft.before.to_move in replaced)
        for number, (draft, mean) in enumerate(zip(drafts, means, strict=True), start=1)
    )
    return Report(
        last.setup.variant,
        last.setup.scoring,
        drafts[0].look.mean if drafts else result,
        result,
        last.scores,
        bool(winners),
        tuple(_seat(seat, last.setup.seats, moves, about) for seat in range(last.setup.seats)),
        moves,
    )


def _shares(winners: tuple[int, ...], seats: int) -> Chances:
    return tuple((seat in winners) / len(winners) for seat in range(seats))


def _check(stop: Stop | None) -> None:
    if stop is not None and stop():
        raise Stopped


@dataclass(frozen=True, slots=True)
class _Draft:
    """A turn before the next one is known."""

    before: Game
    after: Game
    look: Look
    judgement: Judgement
    slip: Chances
    facts: tuple[Fact, ...]


def _draft(before: Game, after: Game, stop: Stop | None) -> _Draft:
    look = Look.at(before)
    _check(stop)
    outlook = look.outlook
    judged = judge(outlook.view, after.turns[-1].move)
    slip = outlook.by_seat(judged.slip)
    return _Draft(before, after, look, judged, slip, facts_of(judged, outlook.situation(before.hand)))


def _reviewed(number: int, draft: _Draft, following: Chances, left: bool) -> ReviewedMove:
    turn, judged = draft.after.turns[-1], draft.judgement
    return ReviewedMove(
        number,
        turn.seat,
        draft.before.hand,
        Position.of(draft.before).seen_by(turn.seat),
        turn.move,
        turn.points,
        turn.claim,
        turn.timed_out,
        turn.upheld,
        judged,
        not turn.timed_out and not left and judged.has_choice,
        draft.facts,
        following,
        draft.look.luck,
        draft.slip,
        tuple(after - value - slip for after, value, slip in zip(following, draft.look.value, draft.slip, strict=True)),
    )


def _sum(parts: Sequence[Chances], seats: int) -> Chances:
    return tuple(fsum(part[seat] for part in parts) for seat in range(seats))


def _seat(seat: int, seats: int, moves: Sequence[ReviewedMove], about: Circumstances) -> SeatReview:
    own = [move for move in moves if move.seat == seat]
    counted = [move for move in own if move.counted]
    lost = sorted((move for move in counted if move.judgement.loss >= LEAST), key=lambda move: -move.judgement.loss)
    return SeatReview(
        about.names[seat] if about.names else "",
        about.bots[seat] if about.bots else "",
        accuracy([move.judgement.loss for move in counted]),
        len(counted),
        _sum([move.luck for move in own], seats),
        _sum([move.slip for move in own], seats),
        _sum([move.rest for move in own], seats),
        tuple(move.number for move in lost[:MOST_THAT_MATTERED]),
    )
