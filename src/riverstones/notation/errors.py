"""Problems in a text, with their position."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from riverstones.rules import Fault, Malformed, Reason
from riverstones.words import phrase


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem in a text: a code with parameters, and its position."""

    code: str
    params: tuple[tuple[str, int | str], ...] = ()
    column: int = 1
    """The column where the problem begins, counted from 1."""
    line: int = 1
    """The line, counted from 1; 0 if the value was not read from a text."""
    reason: Reason | None = None
    """Why the rules do not allow it, if that is the problem."""

    @classmethod
    def of(cls, code: str, /, **params: object) -> Self:
        """Make a problem. Numbers stay numbers, everything else is converted to text."""
        return cls(code, tuple((name, v if type(v) is int else str(v)) for name, v in params.items()))

    def __getitem__(self, name: str) -> int | str:
        return dict(self.params)[name]

    def at(self, column: int, line: int = 1) -> Self:
        """The same problem at this position."""
        return replace(self, column=column, line=line)

    def say(self, language: str = "en") -> str:
        """A sentence that explains the problem, without its position."""
        return say_all([self], language)


class NotationError(ValueError):
    """A text that cannot be parsed. `problems` holds everything that was found; the first is the error's own."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        first = self.problems[0]
        self.code, self.params, self.line, self.column = first.code, first.params, first.line, first.column
        super().__init__(self.say())

    def say(self, language: str = "en") -> str:
        """A message that explains every problem, in one or more sentences."""
        return say_all(self.problems, language)


def problems_of(error: Malformed | NotationError) -> tuple[Problem, ...]:
    """The problems that an error reports."""
    return error.problems if isinstance(error, NotationError) else (Problem.of(error.code, **error.params),)


_FAULTS = frozenset(fault.value for fault in Fault)


def say_all(problems: Iterable[Problem], language: str = "en") -> str:
    """Several problems in one message; the faults of a position share one sentence."""
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
