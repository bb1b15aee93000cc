"""The bots of a terminal game. Like every player, a bot receives a view and nothing more."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from riverstones.engine import bots, claims
from riverstones.engine.levels import SEARCHING, has_kernel
from riverstones.engine.loading import noticing
from riverstones.rules import Move, View


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot that plays, claims and objects as its level does; deterministic for a given seed."""

    level: str
    seed: int

    @property
    def searches(self) -> bool:
        """Whether it searches, which may take a while; the others answer at once."""
        return self.level in SEARCHING and bool(SEARCHING[self.level].stages)

    def choose(self, view: View, compiling: Callable[[], None]) -> Move:
        """The move for the seat with this view; `compiling` is called if the engine has to be compiled first."""
        compiles = self.searches and has_kernel()
        watch: AbstractContextManager[None] = noticing(compiling) if compiles else nullcontext()
        with watch:
            return bots.make(self.level, self.seed)(view)

    def claim(self, view: View, move: Move) -> int:
        """The points that this bot claims for its move."""
        return claims.claim(view, move, self.level, bots.turn_rng(self.seed, view))

    def objects(self, view: View) -> bool:
        """Whether this bot objects to the last move."""
        return claims.objects(view, self.level, bots.turn_rng(self.seed, view))
