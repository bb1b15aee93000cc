"""What can be wrong with a text, and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from riverstones.rules import Fault, Malformed

from .words import phrase


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a text: a code with parameters, and the place."""

    code: str
    params: tuple[tuple[str, int | str], ...] = ()
    column: int = 1
    """The character at which the trouble begins, counted from 1."""
    line: int = 1
    """The line, counted from 1."""

    @classmethod
    def of(cls, code: str, /, *, column: int = 1, line: int = 1, **params: object) -> Problem:
        """Make a problem; numbers stay numbers, everything else becomes its text."""
        return cls(code, _plain(params), column, line)

    @classmethod
    def at(cls, error: Malformed, *, column: int = 1, line: int = 1) -> Problem:
        """What the rules could not read, at its place in a larger text."""
        return cls(error.code, _plain(error.params), column, line)

    def say(self, language: str = "en") -> str:
        """The problem in one sentence, without the place."""
        return say_all([self], language)


def _plain(params: Mapping[str, object]) -> tuple[tuple[str, int | str], ...]:
    return tuple((name, value if type(value) is int else str(value)) for name, value in params.items())


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


_FAULTS = frozenset(fault.value for fault in Fault)


def say_all(problems: Iterable[Problem], language: str = "en") -> str:
    """Several problems in one text; the faults of a position share one sentence."""
    faults: list[str] = []
    sentences: list[str] = []
    for problem in problems:
        words = phrase(problem.code, dict(problem.params), language)
        (faults if problem.code in _FAULTS else sentences).append(words)
    if faults:
        sentences.append(f"{phrase('position_impossible', {}, language)} {'; '.join(faults)}.")
    return " ".join(sentences)
