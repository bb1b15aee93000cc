"""Review of a game: accuracy, luck and skill apart, and what mattered. docs/study.md explains every number.

Importing this package loads neither NumPy nor Numba; a review needs the compiled kernel.
"""

from .accuracy import LEVEL_ACCURACY, MoveClass
from .report import REVIEW_VERSION, ReportData, ReviewProgress, to_json
from .review import Circumstances, Report, Stopped, review_game, review_record, review_steps

__all__ = [
    "LEVEL_ACCURACY",
    "REVIEW_VERSION",
    "Circumstances",
    "MoveClass",
    "Report",
    "ReportData",
    "ReviewProgress",
    "Stopped",
    "review_game",
    "review_record",
    "review_steps",
    "to_json",
]
