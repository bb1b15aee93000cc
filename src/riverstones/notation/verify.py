"""All that a record's text tells: can it be read, does it agree with the rules, was the deal fair?"""

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
    """The seed keeps the commitment, and these are its tiles."""
    UNCOMMITTED = "fairness_uncommitted"
    """These are the seed's tiles, but nothing shows that the seed was fixed before the game."""
    UNOPENED = "fairness_unopened"
    """There is a commitment, but the seed is not published yet."""
    UNKNOWN = "fairness_unknown"
    """Neither commitment nor seed."""
    BROKEN = "fairness_broken"
    """The seed contradicts the commitment or the tiles."""

    def say(self, language: str = "en") -> str:
        """The verdict in one sentence."""
        return phrase(self.value, {}, language)


_AGAINST_THE_SEED = frozenset({"seed_commitment", "seed_start", "seed_stones", "hand_not_dealt"})


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found out."""

    record: Record | None
    """The record, if the text could be read."""
    problems: tuple[Problem, ...]
    """What could not be read, by line and column."""
    disagreements: tuple[Disagreement, ...]
    """What does not agree with the rules or with itself, by line."""
    fairness: Fairness | None
    """What the record proves about its deal; None if it could not be read."""

    @property
    def sound(self) -> bool:
        """Whether the text can be read and everything in it agrees."""
        return self.record is not None and not self.disagreements

    @property
    def findings(self) -> tuple[Problem, ...]:
        """Everything that is wrong, whatever its kind."""
        return self.problems + self.disagreements

    def say(self, language: str = "en") -> str:
        """Whether the record is sound, in one sentence."""
        code = "record_unreadable" if self.record is None else "record_sound" if self.sound else "record_unsound"
        return phrase(code, {"count": len(self.findings)}, language)


def verify_record(text: str | bytes) -> Verification:
    """Read a record and check all of it. Any text or bytes get an answer; nothing is raised."""
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
    if any(disagreement.code in _AGAINST_THE_SEED for disagreement in disagreements):
        return Fairness.BROKEN
    return Fairness.UNCOMMITTED if header.commitment is None else Fairness.PROVEN
