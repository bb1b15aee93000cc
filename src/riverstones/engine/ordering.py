"""Sort plays in compiled code: NumPy's sort would take Numba several seconds to compile."""

from __future__ import annotations

from .jit import jit
from .kernel import Plays


@jit()
def sort_plays(plays: Plays, count: int) -> None:
    """Sort the first ``count`` plays by points. Most score 0 and are already in order."""
    for i in range(1, count):
        play = plays[i]
        place = i
        while place > 0 and plays[place - 1] > play:
            plays[place] = plays[place - 1]
            place -= 1
        plays[place] = play
