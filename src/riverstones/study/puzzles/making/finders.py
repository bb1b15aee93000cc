"""Find the puzzles of a game: positions that meet the criteria of a kind, with their solutions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from riverstones.engine.encoding import board_from_text
from riverstones.rules import Move, Play, plays
from riverstones.study.puzzles.puzzle import CLEAR_BY, FLIP_GAINS, PER_GAME, Kind, Puzzle, Scored

from . import scan
from .errors import spot_the_error
from .further import look_further
from .games import MOVES, Moment, PlayedGame, Workspace
from .winning import win

FIRST: Final = 4
"""No puzzle before so many moves: the board would be almost empty."""
OPEN_HANDS: Final = 63
"""The number of moves after which the bag is empty and both hands are still full."""


def by_points(game: PlayedGame, rng: random.Random, gems_only: bool) -> Iterator[Puzzle]:
    """Puzzles whose answer is a play with the most points: at most two of each kind, or only triples."""
    found = np.zeros((MOVES, scan.COLUMNS), np.int64)
    work = Workspace()
    scan.scan_game(
        board_from_text(game.start.cells), game.expert, game.plays, game.hands, found, work.state, work.list, work.saved
    )
    found = found[:OPEN_HANDS]
    best, lone = found[:, scan.BEST], found[:, scan.EQUALS] == 1
    clear = lone & (best - found[:, scan.NEXT] >= CLEAR_BY)
    plain = found[:, scan.WITHOUT_FLIP] == best
    fewest, most = found[:, scan.FEWEST_KAKUROS], found[:, scan.MOST_KAKUROS]
    triple = fewest >= 3
    for ply in _some(triple, rng, PER_GAME):
        yield _points_puzzle(game.moment(ply), Kind.THREE_KAKUROS)
    if gems_only:
        return
    for ply in _some((fewest == 2) & (most == 2) & (best - found[:, scan.ONE_KAKURO] >= CLEAR_BY), rng, 1):
        yield _points_puzzle(game.moment(ply), Kind.TWO_KAKUROS)
    for ply in _some((best - found[:, scan.WITHOUT_FLIP] >= FLIP_GAINS) & ~triple, rng, 1):
        yield _points_puzzle(game.moment(ply), Kind.FLIP)
    # Positions whose best play needs no flip are rarer and easier, so they are looked for on their own.
    for wanted in (clear & plain & (best > 0), clear & ~plain & ~triple):
        for ply in _some(wanted, rng, 1):
            yield _points_puzzle(game.moment(ply), Kind.MOST_POINTS)


def _some(wanted: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], rng: random.Random, count: int) -> list[int]:
    """Up to so many moves at which this holds, at random."""
    plies = [ply for ply in np.flatnonzero(wanted).tolist() if ply >= FIRST]
    return rng.sample(plies, min(count, len(plies)))


def _points_puzzle(moment: Moment, kind: Kind) -> Puzzle:
    legal = plays(moment.board, moment.hand, moment.variant)
    best = legal[0].points
    following = next(play for play in legal if play.points < best)
    return puzzle_of(moment, kind, legal[0], following)


def puzzle_of(moment: Moment, kind: Kind, answer: Play, following: Play | None) -> Puzzle:
    """A puzzle that is not graded yet."""
    return Puzzle(
        id="",
        kind=kind,
        grade=1,
        variant=moment.variant,
        board=moment.board,
        hand=moment.hand,
        best=answer.points,
        answer=answer.move,
        next_best=None if following is None else Scored(following.move, following.points),
        game=moment.game,
    )


def errors(game: PlayedGame, rng: random.Random) -> Iterator[Puzzle]:
    """A claimed move, right or wrong."""
    moment = game.moment(rng.randrange(FIRST, OPEN_HANDS))
    claim = spot_the_error(moment, rng)
    if claim is not None:
        move, claimed, real = claim
        puzzle = puzzle_of(moment, Kind.SPOT_THE_ERROR, Play(move, (), real), None)
        yield replace(puzzle, claim=Scored(move, claimed))


def further(game: PlayedGame, seed: int) -> Iterator[Puzzle]:
    """Positions in which the engine's choice is clear and is not a play with the most points."""
    count = 0
    for ply in range(FIRST, OPEN_HANDS):
        moment = game.moment(ply)
        found = look_further(moment, seed)
        if found is not None:
            yield _with_answers(moment, Kind.LOOK_FURTHER, *found)
            count += 1
            if count == PER_GAME:
                return


def wins(game: PlayedGame) -> Iterator[Puzzle]:
    """The position with open hands, if only the exact best play wins it."""
    moment = game.moment(OPEN_HANDS)
    found = win(moment)
    if found is not None:
        puzzle = _with_answers(moment, Kind.WIN, found.answers, found.following)
        yield replace(puzzle, others=moment.other, scores=found.scores)


def _with_answers(moment: Moment, kind: Kind, answers: list[Move], following: Move) -> Puzzle:
    by_move = {play.move: play for play in plays(moment.board, moment.hand, moment.variant)}
    puzzle = puzzle_of(moment, kind, by_move[answers[0]], by_move[following])
    return replace(puzzle, answers=tuple(answers))
