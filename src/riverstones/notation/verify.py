"""Verify the text of a record: is it well formed, does it agree with the rules, was the deal fair?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from riverstones.words import phrase

from .check import Disagreement, check_record
from .errors import NotationError, Problem
from .read import read_record
from .record import Record


class Fairness(StrEnum):
    """What a record proves about its deal."""

    PROVEN = "fairness_proven"
    """The seed matches the commitment, and the tiles match the seed."""
    UNCOMMITTED = "fairness_uncommitted"
    """The tiles match the seed, but nothing shows that the seed was fixed before the game."""
    UNOPENED = "fairness_unopened"
    """There is a commitment, but the seed has not been published."""
    UNKNOWN = "fairness_unknown"
    """Neither commitment nor seed."""
    BROKEN = "fairness_broken"
    """The seed contradicts the commitment or the tiles."""

    def say(self, language: str = "en") -> str:
        """The verdict in one sentence."""
        return phrase(self.value, {}, language)


_SEED_CONTRADICTIONS = frozenset({"seed_commitment", "seed_start", "seed_stones", "hand_not_dealt"})


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of verifying a record."""

    record: Record | None
    """The record, if the text could be parsed."""
    problems: tuple[Problem, ...]
    """Parse errors, by line and column."""
    disagreements: tuple[Disagreement, ...]
    """Contradictions to the rules or within the record, by line."""
    fairness: Fairness | None
    """What the record proves about its deal; None if it could not be parsed."""

    @property
    def sound(self) -> bool:
        """Whether the text can be parsed and contradicts nothing."""
        return self.record is not None and not self.disagreements

    @property
    def findings(self) -> tuple[Problem, ...]:
        """All problems of either kind."""
        return self.problems + self.disagreements

    def say(self, language: str = "en") -> str:
        """A sentence that says whether the record is sound."""
        code = "record_unreadable" if self.record is None else "record_sound" if self.sound else "record_unsound"
        return phrase(code, {"count": len(self.findings)}, language)


def verify_record(text: str | bytes) -> Verification:
    """Parse and check a record. Accepts any text or bytes and raises nothing."""
    try:
        record = read_record(text)
    except NotationError as error:
        return Verification(None, error.problems, (), None)
    disagreements = tuple(check_record(record))
    return Verification(record, (), disagreements, fairness_of(record, disagreements))


def fairness_of(record: Record, disagreements: tuple[Disagreement, ...]) -> Fairness:
    """What a record proves about its deal, given what `check_record` found."""
    header = record.header
    if header.seed is None:
        return Fairness.UNKNOWN if header.commitment is None else Fairness.UNOPENED
    if any(disagreement.code in _SEED_CONTRADICTIONS for disagreement in disagreements):
        return Fairness.BROKEN
    return Fairness.UNCOMMITTED if header.commitment is None else Fairness.PROVEN
