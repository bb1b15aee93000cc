"""Matches between bots on duplicate deals: every deal is played in every seating. See docs/arena.md.

Read the modules in this order: `match` (what is to be played), `game` (one game), `run` (all games, on any executor),
`report` with `statistics` and `sprt` (the results), `log` (the result file) and `cluster` (Dask).
"""

from .game import Forfeit, Result
from .log import ResultFile, WrongFile
from .match import Match, Pairing
from .report import Standing, Tally, standings, to_json
from .run import compete, processes
from .sprt import Sprt, Trial

__all__ = [
    "Forfeit",
    "Match",
    "Pairing",
    "Result",
    "ResultFile",
    "Sprt",
    "Standing",
    "Tally",
    "Trial",
    "WrongFile",
    "compete",
    "processes",
    "standings",
    "to_json",
]
