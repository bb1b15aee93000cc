"""Reviews of games, computed on this device."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from riverstones.engine.levels import has_kernel
from riverstones.notation import replay
from riverstones.study.records import finished_record
from riverstones.study.refusals import StudyRefusal, StudyRefused
from riverstones.study.review import Circumstances, ReportData, ReviewProgress, review_steps, to_json
from riverstones.table import Table

from .analysis import check_not_in_play
from .records import parse


def review(game: str | Table, tables: Iterable[Table] = ()) -> Iterator[ReviewProgress]:
    """Review a finished table or a record as text: its progress after each move, and last its report.

    Each step computes one move; whoever asks for no further step has stopped the review. Before the first step it
    raises `StudyRefused` if the table is not finished, if the record is of a game that goes on at one of these tables,
    or if there is no compiled kernel, and `NotationError` or `Unreadable` for a bad record.
    """
    record = parse(finished_record(game) if isinstance(game, Table) else game)
    games = replay(record)
    check_not_in_play(games[-1].board, tables)
    if not has_kernel():
        raise StudyRefused(StudyRefusal.REVIEWS_NOT_OFFERED)

    def progress(done: int, report: ReportData | None = None) -> ReviewProgress:
        return {"done": done, "total": len(games) - 1, "report": report, "failed": False}

    def steps() -> Iterator[ReviewProgress]:
        judging = review_steps(games, Circumstances.of(record))
        done = 0
        while True:
            yield progress(done)
            try:
                done = next(judging)
            except StopIteration as end:
                yield progress(done, to_json(end.value))
                return

    return steps()
