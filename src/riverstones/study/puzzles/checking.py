"""Verify puzzles: each against the definition of its kind, by the rules alone wherever the definition allows.

Two kinds need the engine, and so does the optimum of a sprint: what is best all things considered, what wins, and what
no four moves can exceed follow from a search. `Depth.RULES` checks everything else; `Depth.ENGINE` also repeats these
searches, which needs the extra `engine` and takes a fraction of a second each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from enum import Enum
from itertools import pairwise
from typing import Final

from riverstones.rules import Hand, Play, explain, plays
from riverstones.rules.scoring import flips_refusal, placement_refusal, refusal

from .daily import DAYS_A_WEEK
from .file import PuzzleFile, read_puzzle, read_sprint
from .packing import Unreadable, reflected
from .puzzle import CLEAR_BY, FLIP_GAINS, GRADES, PER_GAME, SPRINT_MOVES, Kind, Puzzle, Sprint, hand_after

MOST_BYTES: Final = 400_000
FEWEST_PUZZLES: Final = 5_000
FEWEST_OF_A_KIND: Final = 250
FEWEST_OF_A_GRADE: Final = 300
FEWEST_SPRINTS: Final = 366


class Depth(Enum):
    """How much is verified."""

    RULES = "rules"
    ENGINE = "engine"


def puzzle_faults(puzzle: Puzzle, depth: Depth = Depth.RULES) -> list[str]:
    """What is wrong with a puzzle, in words; an empty list if nothing is."""
    faults = [f"the position is impossible: {found.fault}" for found in puzzle.position().faults()]
    if faults:
        return faults
    if puzzle.kind is Kind.SPOT_THE_ERROR:
        return list(_claim_faults(puzzle))
    legal = plays(puzzle.board, puzzle.hand, puzzle.variant)
    right = puzzle.right_plays()
    if not right or right[0].move != puzzle.answer or right[0].points != puzzle.best:
        return ["the answer is not a play with the points given for it"]
    if puzzle.answers is not None and len(right) < len(set(puzzle.answers)):
        return ["a right answer is not a legal play"]
    faults += _CRITERIA[puzzle.kind](puzzle, legal, right)
    faults += _runner_up_faults(puzzle, legal, right)
    if depth is Depth.ENGINE and not faults:
        faults += _search_faults(puzzle)
    return faults


def _most_points_faults(puzzle: Puzzle, legal: list[Play], right: list[Play]) -> Iterator[str]:
    yield from _top_faults(puzzle, legal)
    if len(right) > 1 or puzzle.best - legal[1].points < CLEAR_BY:
        yield f"the play with the most points is not the only one by {CLEAR_BY} points"


def _flip_faults(puzzle: Puzzle, legal: list[Play], right: list[Play]) -> Iterator[str]:
    yield from _top_faults(puzzle, legal)
    if puzzle.best - max(play.points for play in legal if not play.move.flips) < FLIP_GAINS:
        yield f"a play without a flip scores nearly as much, less than {FLIP_GAINS} points less"


def _two_kakuros_faults(puzzle: Puzzle, legal: list[Play], right: list[Play]) -> Iterator[str]:
    yield from _top_faults(puzzle, legal)
    if any(len(play.kakuros) != 2 for play in right):
        yield "a right answer does not make two Kakuros"
    if puzzle.best - max((play.points for play in legal if len(play.kakuros) < 2), default=0) < CLEAR_BY:
        yield f"a play with one Kakuro scores nearly as much, less than {CLEAR_BY} points less"


def _three_kakuros_faults(puzzle: Puzzle, legal: list[Play], right: list[Play]) -> Iterator[str]:
    yield from _top_faults(puzzle, legal)
    if any(len(play.kakuros) < 3 for play in right):
        yield "a right answer makes fewer than three Kakuros"


def _look_further_faults(puzzle: Puzzle, legal: list[Play], right: list[Play]) -> Iterator[str]:
    if any(play.points == legal[0].points for play in right):
        yield "a right answer is a play with the most points"


def _win_faults(puzzle: Puzzle, legal: list[Play], right: list[Play]) -> Iterator[str]:
    yield from _look_further_faults(puzzle, legal, right)
    if puzzle.others is None or puzzle.scores is None or puzzle.position().bag:
        yield "the hands are not open"
    if len(right) != 1:
        yield "more than one play wins"


_CRITERIA: Final[dict[Kind, Callable[[Puzzle, list[Play], list[Play]], Iterator[str]]]] = {
    Kind.MOST_POINTS: _most_points_faults,
    Kind.FLIP: _flip_faults,
    Kind.TWO_KAKUROS: _two_kakuros_faults,
    Kind.THREE_KAKUROS: _three_kakuros_faults,
    Kind.LOOK_FURTHER: _look_further_faults,
    Kind.WIN: _win_faults,
}


def _top_faults(puzzle: Puzzle, legal: list[Play]) -> Iterator[str]:
    if legal[0].points != puzzle.best:
        yield f"a play scores {legal[0].points}, more than the answer"


def _runner_up_faults(puzzle: Puzzle, legal: list[Play], right: list[Play]) -> Iterator[str]:
    following = puzzle.next_best
    others = [play for play in legal if play not in right]
    found = [play.points for play in others if following is not None and play.move == following.move]
    if following is None or found != [following.points]:
        yield "the runner-up is not a legal play with its points, or it is a right answer"
    elif puzzle.answers is None and following.points != others[0].points:
        yield "the runner-up is not the next best"


def _claim_faults(puzzle: Puzzle) -> Iterator[str]:
    claim = puzzle.claim
    if claim is None or claim.points < 1 or claim.move.tile.digit not in puzzle.hand:
        yield "there is no claim to judge"
        return
    if placement_refusal(puzzle.board, claim.move.square) or flips_refusal(puzzle.board, claim.move):
        yield "the claimed move cannot be made at all"
        return
    if explain(puzzle.board, claim.move, puzzle.variant).points != puzzle.best:
        yield "the claimed move does not score what the solution says"
    if puzzle.claim_is_right and refusal(puzzle.board, claim.move, puzzle.variant) is not None:
        yield "an illegal move counts as right"


def _search_faults(puzzle: Puzzle) -> Iterator[str]:
    """Repeat the searches that a definition needs."""
    if puzzle.kind is Kind.WIN:
        from .making.winning import winning_moves

        assert puzzle.others is not None
        assert puzzle.scores is not None
        found = winning_moves(puzzle.board, puzzle.variant, puzzle.hand, puzzle.others, puzzle.scores)
        if found != set(puzzle.answers or ()):
            yield "the plays that win are not the right answers"
    elif puzzle.kind is Kind.LOOK_FURTHER:
        from .making.further import clear_best

        ranked = clear_best(puzzle.board, puzzle.variant, puzzle.hand)
        if ranked is None or set(ranked) != set(puzzle.answers or ()):
            yield "the right answers are not the engine's best by a clear margin"


def sprint_faults(sprint: Sprint, depth: Depth = Depth.RULES) -> list[str]:
    """What is wrong with a sprint, in words; an empty list if nothing is."""
    faults = [f"the position is impossible: {found.fault}" for found in sprint.position().faults()]
    if faults:
        return faults
    board, hand, points = sprint.board, sprint.hand, 0
    for turn, move in enumerate(sprint.line):
        if move.tile.digit not in hand or refusal(board, move, sprint.variant) is not None:
            return [f"move {turn + 1} of the line is not legal"]
        points += explain(board, move, sprint.variant).points
        board, hand = move.on(board), hand_after(hand, move, sprint.tiles[turn : turn + 1])
    if len(sprint.line) != SPRINT_MOVES or points != sprint.optimum:
        faults.append("the line does not score the optimum")
    unseen = sprint.position().unseen
    if any(sprint.tiles.count(digit) > unseen[digit - 1] for digit in sprint.tiles):
        faults.append("a tile that is drawn is not in the bag")
    if depth is Depth.ENGINE and not faults:
        from .making.sprints import solve

        optimum, _ = solve(sprint.board, sprint.variant, sprint.hand, sprint.tiles)
        if optimum != sprint.optimum:
            faults.append(f"four moves can score {optimum}")
    return faults


def file_faults(book: PuzzleFile) -> list[str]:
    """What is wrong with a file as a whole: its size, its variety, repetitions, or lines that cannot be read."""
    try:
        puzzles, sprints = book.puzzles(), book.sprints()
    except Unreadable as error:
        return [f"a line has {error}"]
    faults = []
    if len(str(book)) > MOST_BYTES:
        faults.append(f"it has {len(str(book))} bytes, more than {MOST_BYTES}")
    if len(puzzles) < FEWEST_PUZZLES or len(sprints) < FEWEST_SPRINTS:
        faults.append(f"it has only {len(puzzles)} puzzles and {len(sprints)} sprints")
    kinds = Counter(puzzle.kind for puzzle in puzzles)
    faults += [f"it has only {kinds[kind]} of the kind {kind}" for kind in Kind if kinds[kind] < FEWEST_OF_A_KIND]
    grades = Counter(puzzle.grade for puzzle in puzzles)
    faults += [f"it has only {grades[n]} of grade {n}" for n in GRADES if grades[n] < FEWEST_OF_A_GRADE]
    if len({puzzle.id for puzzle in puzzles} | {sprint.id for sprint in sprints}) < len(puzzles) + len(sprints):
        faults.append("two have the same identifier")
    positions: list[tuple[str, Hand]] = [_alike(puzzle) for puzzle in puzzles]
    positions += [_alike(sprint) for sprint in sprints]
    if len(set(positions)) < len(positions):
        faults.append("two positions are the same or reflections of each other")
    if any(count > PER_GAME for count in Counter(puzzle.game for puzzle in puzzles).values()):
        faults.append(f"a game has more than {PER_GAME} puzzles")
    return faults + list(_order_faults(puzzles))


def _alike(shown: Puzzle | Sprint) -> tuple[str, Hand]:
    """A key that is the same for a position and its reflection in the diagonal."""
    return min(shown.board.cells, reflected(shown.board).cells), shown.hand


def _order_faults(puzzles: list[Puzzle]) -> Iterator[str]:
    size = len(puzzles) // DAYS_A_WEEK
    parts = [puzzles[day * size : (day + 1) * size] for day in range(DAYS_A_WEEK)]
    for earlier, later in pairwise(parts):
        if earlier and max(puzzle.grade for puzzle in earlier) > min(puzzle.grade for puzzle in later):
            yield "the parts for the days of the week do not become harder"
            return


def faults(book: PuzzleFile, depth: Depth, every: int = 1) -> Iterator[tuple[int, list[str]]]:
    """Verify one in ``every`` puzzles and sprints: the number of each line, counted from 1, with what is wrong."""
    lines = [*book.puzzle_lines, *book.sprint_lines]
    for index in range(0, len(lines), every):
        try:
            if index < len(book.puzzle_lines):
                found = puzzle_faults(read_puzzle(lines[index]), depth)
            else:
                found = sprint_faults(read_sprint(lines[index]), depth)
        except Unreadable as error:
            found = [f"the line has {error}"]
        yield index + 2, found
