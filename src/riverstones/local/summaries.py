"""Lists of the tables of this device, and what its person has achieved at them, as the server's routes answer.

Lists and profiles are made of `summary` and `played`, which the device can store, so that no log need be read for them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from riverstones.study.beaten import beaten_levels
from riverstones.study.played import PlayedGame, played_games
from riverstones.study.profile import Profile, ProfileGame, Puzzles, profile_of_games
from riverstones.study.review import ReportData
from riverstones.study.sight import SeatFindings, findings
from riverstones.table import Table, summary

__all__ = ["Played", "beaten_levels", "played", "profile", "summary"]

NO_PUZZLES: Puzzles = {"tried": 0, "solved": 0, "rating": None}


class Played(TypedDict):
    """A finished game, for the profile."""

    table: str
    ended_ms: int
    game: PlayedGame
    review: SeatFindings | None


def played(table: Table, person: str, report: ReportData | None = None) -> Played | None:
    """A game for the profile of a person, with the report of its review if there is one.

    None before its end, and for somebody who did not hold exactly one seat.
    """
    game = played_games(table).get(person)
    if game is None:
        return None
    found = None if report is None else findings(report, game["seat"])
    return {"table": table.id, "ended_ms": table.ended_ms or 0, "game": game, "review": found}


def profile(games: Iterable[Played], puzzles: Puzzles = NO_PUZZLES) -> Profile:
    """The profile of a person, from their finished games in any order, and their puzzles."""
    ordered = sorted((ProfileGame(**game) for game in games), key=lambda game: (game.ended_ms, game.table))
    return profile_of_games(ordered, puzzles)
