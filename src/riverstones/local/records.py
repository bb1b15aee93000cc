"""Records, as the server's routes answer about them: of tables of this device, and of files."""

from __future__ import annotations

from riverstones import notation
from riverstones.notation import Record
from riverstones.study.records import LONGEST_RECORD, ReplayData, finished_record, replay_to_json
from riverstones.study.summary import Review, summarise, summary_to_json
from riverstones.table import Table

from .reading import check_text


def record(table: Table) -> str:
    """The record of a finished game as text; raises `StudyRefused` before the end."""
    return finished_record(table)


def read_record(text: str) -> ReplayData:
    """Replay data of a record; raises `NotationError`, or `Unreadable` if it is too long or not a text."""
    return replay_to_json(parse(text))


def parse(text: str) -> Record:
    """A record; raises as `read_record` does."""
    return notation.read_record(check_text(text, LONGEST_RECORD, "body.text"))


def end_summary(table: Table) -> Review:
    """The summary of a finished game: the scores turn by turn, best and missed plays.

    Raises `StudyRefused` before the end.
    """
    finished_record(table)
    assert table.game is not None
    return summary_to_json(table, summarise(table.game))
