"""What can be wrong with a text, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from riverstones.rules import Fault, Malformed, Reason
from riverstones.words import phrase


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a text: a code with parameters, and the place."""

    code: str
    params: tuple[tuple[str, int | str], ...] = ()
    column: int = 1
    """The character at which the trouble begins, counted from 1."""
    line: int = 1
    """The line, counted from 1; 0 if what is wrong was never read from a text."""
    reason: Reason | None = None
    """Why the rules do not allow something that the text tells, if that is the problem."""

    @classmethod
    def of(cls, code: str, /, **params: object) -> Self:
        """Make a problem; numbers stay numbers, everything else becomes its text."""
        return cls(code, tuple((name, v if type(v) is int else str(v)) for name, v in params.items()))

    def __getitem__(self, name: str) -> int | str:
        return dict(self.params)[name]

    def at(self, column: int, line: int = 1) -> Self:
        """The same problem at this place."""
        return replace(self, column=column, line=line)

    def say(self, language: str = "en") -> str:
        """The problem in plain words, without the place."""
        return say_all([self], language)


class NotationError(ValueError):
    """A text that cannot be read. `problems` holds everything that was found; the first one is the error's own."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        first = self.problems[0]
        self.code, self.params, self.line, self.column = first.code, first.params, first.line, first.column
        super().__init__(self.say())

    def say(self, language: str = "en") -> str:
        """Everything that is wrong, in one or more sentences."""
        return say_all(self.problems, language)


def problems_of(error: Malformed | NotationError) -> tuple[Problem, ...]:
    """What an error tells, one problem after the other."""
    return error.problems if isinstance(error, NotationError) else (Problem.of(error.code, **error.params),)


_FAULTS = frozenset(fault.value for fault in Fault)


def say_all(problems: Iterable[Problem], language: str = "en") -> str:
    """Several problems in one text; the faults of a position share one sentence."""
    faults: list[str] = []
    sentences: list[str] = []
    for problem in problems:
        words = phrase(f"problem_{problem.code}", dict(problem.params), language)
        (faults if problem.code in _FAULTS else sentences).append(words)
        if problem.reason is not None:
            sentences.append(phrase(f"refusal_{problem.reason.code}", dict(problem.reason.params), language))
    if faults:
        sentences.append(f"{phrase('problem_position_impossible', {}, language)} {'; '.join(faults)}.")
    return " ".join(sentences)
