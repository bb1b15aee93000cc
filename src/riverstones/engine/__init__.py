"""Move selection: bots, search and arena. Importing this package loads neither NumPy nor Numba.

A bot is a function from what its seat may know to a move:

    >>> from riverstones import engine
    >>> from riverstones.rules import Game, Seed, Setup, view
    >>> game = Game.begin(Setup(seats=2), Seed(bytes(32)).deal())
    >>> bot = engine.make("river")
    >>> game = game.play(bot(view(game, game.to_move)))

`analyse` ranks every play instead, with what each is worth. `riverstones.engine.arena` plays matches between bots.
The names below are public; docs/api.md says what that promises. docs/engine.md explains how the engine thinks.
"""

from .analysis import Analysis, Candidate, Progress
from .bots import DEFAULT_LEVEL, LEVELS, Bot, UnknownBot, make, offered
from .choose import analyse
from .levels import Level

__all__ = [
    "DEFAULT_LEVEL",
    "LEVELS",
    "Analysis",
    "Bot",
    "Candidate",
    "Level",
    "Progress",
    "UnknownBot",
    "analyse",
    "make",
    "offered",
]
