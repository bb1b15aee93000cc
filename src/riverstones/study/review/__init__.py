"""Review of a game: accuracy, luck and skill apart, and what mattered. docs/study.md explains every number.

Importing this package loads neither NumPy nor Numba; a review needs both.
"""

from .accuracy import LEVEL_ACCURACY, MoveClass
from .report import ReportData, to_json
from .review import Circumstances, Report, Stopped, review_game, review_record

__all__ = [
    "LEVEL_ACCURACY",
    "Circumstances",
    "MoveClass",
    "Report",
    "ReportData",
    "Stopped",
    "review_game",
    "review_record",
    "to_json",
]
