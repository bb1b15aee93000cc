"""Choose the puzzles of a file from all candidates, grade them, and put them in order.

Kinds that are rare choose first. No game gives more than two puzzles, and no two positions with the same hand are alike
or reflections of each other. Puzzles are sorted by how easily a modelled beginner solves them; each tenth is a grade,
each seventh belongs to a day of the week and is shuffled, so that kinds alternate.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from riverstones.rules import Board, Hand
from riverstones.study.puzzles.daily import DAYS_A_WEEK
from riverstones.study.puzzles.file import PuzzleFile, is_sprint_line, read_puzzle, read_sprint
from riverstones.study.puzzles.packing import reflected
from riverstones.study.puzzles.puzzle import GRADES, PER_GAME, Kind, Puzzle, Sprint

QUOTAS: Final = {
    Kind.THREE_KAKUROS: 300,
    Kind.LOOK_FURTHER: 320,
    Kind.WIN: 320,
    Kind.TWO_KAKUROS: 820,
    Kind.SPOT_THE_ERROR: 800,
    Kind.FLIP: 1300,
    Kind.MOST_POINTS: 1740,
}
"""How many puzzles of each kind a file has, in the order in which kinds choose."""
SPRINTS: Final = 406


class TooFew(Exception):
    """There are not enough candidates; the message says of what."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A puzzle that may be chosen, and how easily a modelled beginner solves it."""

    puzzle: Puzzle
    ease: float


def select(seed: int, lines: Iterable[str], share: float = 1.0) -> PuzzleFile:
    """The file made from the candidates of all blocks, in the order of the blocks.

    ``share`` makes a smaller file. Raises `TooFew` if there are not enough candidates of a kind.
    """
    candidates: list[Candidate] = []
    sprints: list[Sprint] = []
    for text in lines:
        ease, line = text.split(" ", 1)
        if is_sprint_line(line):
            sprints.append(read_sprint(line))
        else:
            candidates.append(Candidate(read_puzzle(line), float(ease)))
    rng = random.Random(f"riverstones puzzles {seed} selection")
    choice = _Choice()
    chosen: list[Candidate] = []
    for kind, quota in QUOTAS.items():
        wanted = round(quota * share)
        of_kind = [each for each in candidates if each.puzzle.kind is kind and _is_clear(each.puzzle)]
        take = _take_pairs if kind is Kind.SPOT_THE_ERROR else _take
        taken = list(islice(take(of_kind, rng, choice), wanted))
        if len(taken) < wanted:
            raise TooFew(f"{len(taken)} puzzles of the kind {kind} instead of {wanted}")
        chosen += taken
    runs = [sprint for sprint in sprints if choice.accepts_sprint(sprint)]
    if len(runs) < round(SPRINTS * share):
        raise TooFew(f"{len(runs)} sprints instead of {round(SPRINTS * share)}")
    return PuzzleFile.of(seed, _in_order(chosen, rng), runs[: round(SPRINTS * share)])


def _is_clear(puzzle: Puzzle) -> bool:
    """Whether a puzzle asks for one thing: only one move wins."""
    return puzzle.kind is not Kind.WIN or len(puzzle.answers or ()) == 1


def _take(candidates: list[Candidate], rng: random.Random, choice: _Choice) -> Iterator[Candidate]:
    """Candidates of one kind at random, in turn with and without a flip as long as there are both."""
    rng.shuffle(candidates)
    flipping = [candidate for candidate in candidates if candidate.puzzle.answer.flips]
    plain = [candidate for candidate in candidates if not candidate.puzzle.answer.flips]
    queues = [filter(lambda candidate: choice.accepts(candidate.puzzle), group) for group in (plain, flipping)]
    while queues:
        queue = queues.pop(0)
        following = next(queue, None)
        if following is not None:
            queues.append(queue)
            yield following


def _take_pairs(candidates: list[Candidate], rng: random.Random, choice: _Choice) -> Iterator[Candidate]:
    """Right claims at random, each with the wrong claim that is most nearly as easy.

    Otherwise grades would differ in their share of right claims and so give answers away.
    """
    rng.shuffle(candidates)
    wrong = [each for each in candidates if not each.puzzle.claim_is_right]
    for right in candidates:
        if not right.puzzle.claim_is_right or not choice.accepts(right.puzzle):
            continue
        for partner in sorted(wrong, key=lambda each: abs(each.ease - right.ease)):
            wrong.remove(partner)
            if choice.accepts(partner.puzzle):
                yield right
                yield partner
                break


class _Choice:
    """What has been chosen so far."""

    def __init__(self) -> None:
        self._games: Counter[int] = Counter()
        self._positions: set[tuple[str, Hand]] = set()
        self._ids: set[str] = set()

    def accepts(self, puzzle: Puzzle) -> bool:
        """Whether a puzzle may be added; if so, it is."""
        if self._games[puzzle.game] >= PER_GAME or puzzle.id in self._ids:
            return False
        if not self._accepts_position(puzzle.board, puzzle.hand):
            return False
        self._games[puzzle.game] += 1
        self._ids.add(puzzle.id)
        return True

    def accepts_sprint(self, sprint: Sprint) -> bool:
        """Whether a sprint may be added; if so, it is."""
        if sprint.id in self._ids or not self._accepts_position(sprint.board, sprint.hand):
            return False
        self._ids.add(sprint.id)
        return True

    def _accepts_position(self, board: Board, hand: Hand) -> bool:
        """Whether a position is not like another, reflected or not; if so, it is added."""
        key = min(board.cells, reflected(board).cells), hand
        if key in self._positions:
            return False
        self._positions.add(key)
        return True


def _in_order(chosen: Sequence[Candidate], rng: random.Random) -> list[Puzzle]:
    """The puzzles with their grades, in the order of the file."""
    ranked = sorted(chosen, key=lambda candidate: (-candidate.ease, candidate.puzzle.id))
    graded = [
        replace(candidate.puzzle, grade=GRADES[len(GRADES) * place // len(ranked)])
        for place, candidate in enumerate(ranked)
    ]
    size = len(graded) // DAYS_A_WEEK
    ordered: list[Puzzle] = []
    for day in range(DAYS_A_WEEK):
        part = graded[day * size : (day + 1) * size]
        rng.shuffle(part)
        ordered += part
    return ordered + graded[DAYS_A_WEEK * size :]
