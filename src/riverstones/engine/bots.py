"""Bots by name: the entry point to everything here that makes moves.

A bot is a function from the view of its seat to a move. It has no memory: the same view and the same seed give the same
move, so a game can be interrupted and resumed, and replayed from its seeds.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from riverstones.rules import Move, Scoring, View, plays

from . import claims, human
from .choose import choose
from .levels import SEARCHING, has_kernel

Bot = Callable[[View], Move]

LEVELS: Final = (*human.PERSONAS, *SEARCHING)
"""The names of the levels, weakest first."""
DEFAULT_LEVEL: Final = "pebble"
"""The opponent if none is chosen."""
GREEDY: Final = "greedy"
"""The bot that always plays for the most points: the baseline for all others."""


class UnknownBot(ValueError):
    """Unknown bot, or not available on this installation; the message says which."""


def offered() -> tuple[str, ...]:
    """The levels that are fast enough on this installation, weakest first."""
    return tuple(name for name in LEVELS if has_kernel() or name not in SEARCHING or not SEARCHING[name].compiled)


def check(name: str) -> None:
    """Raise `UnknownBot` if there is no such bot on this installation."""
    if name in LEVELS and name not in offered():
        raise UnknownBot(f'The level {name} needs the extra “engine”: pip install "riverstones[engine]".')
    if name not in (*LEVELS, GREEDY):
        raise UnknownBot(f"There is no bot called “{name}”; the bots are {', '.join((*LEVELS, GREEDY))}.")


def make(name: str, seed: int = 0, nodes: int | None = None) -> Bot:
    """The bot with this name. ``nodes`` limits the search per move, for the levels that search."""
    check(name)
    if name == GREEDY:
        return _greedy
    if name in human.PERSONAS:
        persona = human.PERSONAS[name]
        return lambda view: human.choose(view, persona, turn_rng(seed, view))
    level = SEARCHING[name]
    return lambda view: choose(view, level, seed, nodes)


def take_turn(view: View, name: str, seed: int) -> tuple[Move, int | None]:
    """A bot's move, and the points it claims; None if the game is not scored by claims."""
    move = make(name, seed)(view)
    if view.setup.scoring is not Scoring.CLAIMS:
        return move, None
    return move, claims.claim(view, move, name, turn_rng(seed, view))


def objects(view: View, name: str, seed: int) -> bool:
    """Whether a bot objects to the last move."""
    return claims.objects(view, name, turn_rng(seed, view))


def turn_rng(seed: int, view: View) -> random.Random:
    """The random generator for one turn of a bot: different for every turn, the same if the turn is repeated."""
    return random.Random(f"{seed}/{len(view.position.board)}")


def _greedy(view: View) -> Move:
    return plays(view.position.board, view.hand, view.setup.variant)[0].move
