"""The study board: the plays of any position, ranked on this device."""

from __future__ import annotations

from collections.abc import Iterable

from riverstones.notation.position import LONGEST
from riverstones.rules import Board
from riverstones.study.board import RankedPlays, rank_plays, ranking_to_json, read_position
from riverstones.study.in_play import is_like
from riverstones.study.refusals import StudyRefusal, StudyRefused
from riverstones.table import Phase, Table

from .reading import check_text


def analyse(position: str, tables: Iterable[Table] = ()) -> RankedPlays:
    """Rank every play of a position by what the seat to move knows.

    Raises `NotationError`, `Unreadable` if the text is too long, and `StudyRefused` if the hand is not known or if the
    position is of a game that goes on at one of these tables.
    """
    found = read_position(check_text(position, LONGEST, "body.position"))
    check_not_in_play(found.board, tables)
    return ranking_to_json(rank_plays(found))


def check_not_in_play(board: Board, tables: Iterable[Table]) -> None:
    """Raise `StudyRefused` if the board is that of a game that goes on at one of these tables."""
    games = (table.game for table in tables if table.phase in (Phase.PLAYING, Phase.SETTLING))
    if any(game is not None and is_like(board, game.board) for game in games):
        raise StudyRefused(StudyRefusal.POSITION_IN_PLAY)
