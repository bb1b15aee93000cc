"""What the engine makes for people: reviews, puzzles and the daily. It imports no server, and loads nothing heavy.

`rank_plays` ranks the plays of any position, `review_record` reviews a game move by move. The names below are public;
docs/api.md says what that promises. docs/study.md explains every number.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .board import rank_plays
    from .review import Report, review_game, review_record
else:
    _MODULES = {"rank_plays": "board", "Report": "review", "review_game": "review", "review_record": "review"}

    def __getattr__(name: str) -> object:
        # Loaded on first use: a table in a browser needs other parts of this package, and has to start soon.
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


__all__ = ["Report", "rank_plays", "review_game", "review_record"]
