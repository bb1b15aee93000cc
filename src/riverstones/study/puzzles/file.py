"""The puzzle file: one line per puzzle, then one per sprint, after a header. docs/puzzle-file.md describes it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from riverstones.rules import Hand, Move, Variant

from .packing import (
    MOVE_WIDTH,
    Unreadable,
    identifier,
    pack,
    pack_board,
    pack_hand,
    pack_move,
    unpack,
    unpack_board,
    unpack_hand,
    unpack_move,
)
from .puzzle import GRADES, SPRINT_DRAWS, SPRINT_MOVES, Kind, Puzzle, Scored, Sprint, hand_after

FORMAT: Final = 1
_HEADER = re.compile(r"riverstones-puzzles (\d{1,9}) seed (\d{1,18}) puzzles (\d{1,9}) sprints (\d{1,9})", re.ASCII)

_LETTERS: Final = dict(zip(Kind, "mfdtlwe", strict=True))
"""The letter of each kind; a capital marks the expert variant."""
_KINDS: Final = {letter: kind for kind, letter in _LETTERS.items()}
_SPRINT: Final = "s"
_GRADE_CHARS: Final = "123456789X"
_NO_GRADE: Final = "."
_NO_MOVE: Final = "." * MOVE_WIDTH

_GAME_WIDTH: Final = 3
_SCORE_WIDTH: Final = 2
_POINTS_LIMIT: Final = 512

ID_START: Final = _GAME_WIDTH + 1
"""A line's identifier follows from the characters from here on, so that it stays when the grade changes."""


def write_puzzle(puzzle: Puzzle) -> str:
    """The line of a puzzle."""
    letter = _LETTERS[puzzle.kind]
    second = puzzle.claim or puzzle.next_best
    points = puzzle.best * _POINTS_LIMIT + (0 if second is None else second.points)
    parts = [
        pack(puzzle.game, _GAME_WIDTH),
        _GRADE_CHARS[puzzle.grade - 1],
        letter.upper() if puzzle.variant is Variant.EXPERT else letter,
        pack_hand(puzzle.hand),
        pack(points, 3),
        pack_move(puzzle.answer, puzzle.hand),
        _NO_MOVE if puzzle.next_best is None else pack_move(puzzle.next_best.move, puzzle.hand),
    ]
    if puzzle.others is not None and puzzle.scores is not None:
        parts += [pack_hand(puzzle.others), *(pack(score, _SCORE_WIDTH) for score in puzzle.scores)]
    parts.append(pack_board(puzzle.board))
    parts += [pack_move(move, puzzle.hand) for move in (puzzle.answers or ())[1:]]
    return "".join(parts)


def read_puzzle(line: str) -> Puzzle:
    """The puzzle of a line; raises `Unreadable` if it is not one."""
    cut = _Cutter(line)
    game = unpack(cut(_GAME_WIDTH))
    grade = _GRADE_CHARS.find(cut(1)) + 1
    letter = cut(1)
    kind = _KINDS.get(letter.lower())
    if grade not in GRADES or kind is None:
        raise Unreadable("a kind or a grade that does not exist")
    hand = unpack_hand(cut(1))
    best, second = divmod(unpack(cut(3)), _POINTS_LIMIT)
    answer = unpack_move(cut(MOVE_WIDTH), hand)
    following = cut(MOVE_WIDTH)
    next_best = None if following == _NO_MOVE else Scored(unpack_move(following, hand), second)
    others, scores = None, None
    if kind is Kind.WIN:
        others = unpack_hand(cut(1))
        scores = unpack(cut(_SCORE_WIDTH)), unpack(cut(_SCORE_WIDTH))
    board, rest = unpack_board(cut.rest)
    answers = None
    if kind in (Kind.LOOK_FURTHER, Kind.WIN):
        more = [rest[start : start + MOVE_WIDTH] for start in range(0, len(rest), MOVE_WIDTH)]
        answers, rest = (answer, *(unpack_move(text, hand) for text in more)), ""
    if rest:
        raise Unreadable("more than a puzzle")
    return Puzzle(
        id=identifier(line[ID_START:]),
        kind=kind,
        grade=grade,
        variant=_variant(letter),
        board=board,
        hand=hand,
        best=best,
        answer=answer,
        answers=answers,
        next_best=next_best,
        claim=Scored(answer, second) if kind is Kind.SPOT_THE_ERROR else None,
        others=others,
        scores=scores,
        game=game,
    )


def write_sprint(sprint: Sprint) -> str:
    """The line of a sprint."""
    tiles = 0
    for digit in sprint.tiles:
        tiles = 9 * tiles + digit - 1
    hand, moves = sprint.hand, []
    for number, move in enumerate(sprint.line):
        moves.append(pack_move(move, hand))
        hand = hand_after(hand, move, sprint.tiles[number : number + 1])
    return "".join(
        (
            pack(sprint.game, _GAME_WIDTH),
            _NO_GRADE,
            _SPRINT.upper() if sprint.variant is Variant.EXPERT else _SPRINT,
            pack_hand(sprint.hand),
            pack(tiles, 2),
            pack(sprint.optimum, 2),
            *moves,
            pack_board(sprint.board),
        )
    )


def read_sprint(line: str) -> Sprint:
    """The sprint of a line; raises `Unreadable` if it is not one."""
    cut = _Cutter(line)
    game = unpack(cut(_GAME_WIDTH))
    grade, letter = cut(1), cut(1)
    if grade != _NO_GRADE or letter.lower() != _SPRINT:
        raise Unreadable("a puzzle where a sprint is expected")
    hand = unpack_hand(cut(1))
    number = unpack(cut(2))
    tiles: Hand = tuple(number // 9**place % 9 + 1 for place in range(SPRINT_DRAWS - 1, -1, -1))
    optimum = unpack(cut(2))
    line_moves: list[Move] = []
    held = hand
    for turn in range(SPRINT_MOVES):
        move = unpack_move(cut(MOVE_WIDTH), held)
        held = hand_after(held, move, tiles[turn : turn + 1])
        line_moves.append(move)
    board, rest = unpack_board(cut.rest)
    if rest:
        raise Unreadable("more than a sprint")
    return Sprint(identifier(line[ID_START:]), _variant(letter), board, hand, tiles, optimum, tuple(line_moves), game)


def is_sprint_line(line: str) -> bool:
    """Whether a line holds a sprint and not a puzzle."""
    return line[_GAME_WIDTH:ID_START] == _NO_GRADE


def _variant(letter: str) -> Variant:
    return Variant.EXPERT if letter.isupper() else Variant.STANDARD


class _Cutter:
    """Cuts a line into fields, from the left."""

    def __init__(self, line: str) -> None:
        self.rest = line

    def __call__(self, width: int) -> str:
        if len(self.rest) < width:
            raise Unreadable("a line that ends too early")
        field, self.rest = self.rest[:width], self.rest[width:]
        return field


@dataclass(frozen=True, slots=True)
class PuzzleFile:
    """The lines of a puzzle file. They are decoded one by one, when they are asked for."""

    seed: int
    puzzle_lines: tuple[str, ...]
    sprint_lines: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> PuzzleFile:
        """Read the text of a file; raises `Unreadable` if its header or its number of lines is wrong."""
        header, *lines = text.splitlines()[:1_000_000] or [""]
        match = _HEADER.fullmatch(header)
        if match is None:
            raise Unreadable("a first line that is not the header of a puzzle file")
        version, seed, puzzles, sprints = map(int, match.groups())
        if version != FORMAT:
            raise Unreadable(f"format {version}, and only {FORMAT} is known")
        if len(lines) != puzzles + sprints:
            raise Unreadable(f"{len(lines)} lines after a header that promises {puzzles + sprints}")
        return cls(seed, tuple(lines[:puzzles]), tuple(lines[puzzles:]))

    @classmethod
    def of(cls, seed: int, puzzles: Iterable[Puzzle], sprints: Iterable[Sprint]) -> PuzzleFile:
        """The file of these puzzles and sprints, in this order."""
        return cls(seed, tuple(map(write_puzzle, puzzles)), tuple(map(write_sprint, sprints)))

    def __str__(self) -> str:
        header = (
            f"riverstones-puzzles {FORMAT} seed {self.seed}"
            f" puzzles {len(self.puzzle_lines)} sprints {len(self.sprint_lines)}"
        )
        return "\n".join((header, *self.puzzle_lines, *self.sprint_lines, ""))

    def puzzles(self) -> list[Puzzle]:
        """Every puzzle."""
        return [read_puzzle(line) for line in self.puzzle_lines]

    def sprints(self) -> list[Sprint]:
        """Every sprint."""
        return [read_sprint(line) for line in self.sprint_lines]

    def grades(self) -> dict[str, int]:
        """The grade of every puzzle, by its identifier; no puzzle is decoded for it."""
        return {
            identifier(line[ID_START:]): _GRADE_CHARS.index(line[_GAME_WIDTH:ID_START]) + 1
            for line in self.puzzle_lines
        }

    def find(self, id: str) -> Puzzle | Sprint | None:
        """The puzzle or the sprint with this identifier, or None."""
        for line in self.puzzle_lines:
            if identifier(line[ID_START:]) == id:
                return read_puzzle(line)
        for line in self.sprint_lines:
            if identifier(line[ID_START:]) == id:
                return read_sprint(line)
        return None

    def of_kind(self, kind: Kind | None = None, grade: int | None = None) -> list[Puzzle]:
        """The puzzles of this kind and this grade; None stands for all."""
        letter = None if kind is None else _LETTERS[kind]
        char = None if grade is None else _GRADE_CHARS[grade - 1]
        return [
            read_puzzle(line)
            for line in self.puzzle_lines
            if (char is None or line[_GAME_WIDTH] == char) and (letter is None or line[ID_START].lower() == letter)
        ]


@cache
def shipped() -> PuzzleFile:
    """The file that the package ships."""
    return PuzzleFile.parse(files(__package__).joinpath("puzzles.txt").read_text(encoding="ascii"))
