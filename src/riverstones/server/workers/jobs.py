"""The jobs of a worker. A job is a plain value that is sent to the worker and computes its answer there.

A bot's job holds the view of its seat and nothing more, so it cannot cheat.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

from riverstones.engine import bots, claims
from riverstones.engine.levels import has_kernel
from riverstones.engine.loading import noticing
from riverstones.rules import Deal, Game, Move, Play, Scoring, Seed, Setup, View, view
from riverstones.rules.deal import SEED_BYTES


class Job(Protocol):
    """Something to compute."""

    def answer(self) -> Any:
        """Compute the answer; runs in a worker."""


@dataclass(frozen=True, slots=True)
class ChooseMove:
    """Which move does a bot of this level make, and what does it claim?"""

    view: View
    level: str
    seed: int

    def answer(self) -> tuple[Move, int | None]:
        """The move, and the points claimed where points are claimed."""
        move = bots.make(self.level, self.seed)(self.view)
        if self.view.setup.scoring is not Scoring.CLAIMS:
            return move, None
        return move, claims.claim(self.view, move, self.level, bots.turn_rng(self.seed, self.view))


@dataclass(frozen=True, slots=True)
class JudgeClaim:
    """Does a bot of this level object to the last move?"""

    view: View
    level: str
    seed: int

    def answer(self) -> bool:
        """Whether it objects."""
        return claims.objects(self.view, self.level, bots.turn_rng(self.seed, self.view))


@dataclass(frozen=True, slots=True)
class FindHint:
    """What would a good player do here?"""

    view: View
    level: str

    def answer(self) -> Play:
        """The best move with what it scores."""
        move = bots.make(self.level)(self.view)
        return next(play for play in self.view.position.plays() if play.move == move)


@dataclass(frozen=True, slots=True)
class WarmUp:
    """Think about a beginning and about an end, so that what has to be compiled is compiled."""

    def answer(self) -> None:
        """Look, if only for a moment, at each level that plays here."""
        opening = game = Game.begin(Setup(), Seed(bytes(SEED_BYTES)).deal())
        while game.bag:
            game = game.play(game.plays()[0].move)
        with noticing(_say_so) if has_kernel() else nullcontext():
            for level in bots.offered():
                for known in (view(opening, 0), view(game, game.to_move)):
                    bots.make(level, nodes=1)(known)


def _say_so() -> None:
    """Tell whoever runs the server why a bot may keep people waiting just now."""
    print("Compiling the engine in the background; this happens once.", file=sys.stderr, flush=True)


@dataclass(frozen=True, slots=True)
class ReviewGame:
    """What was the best play of each turn of a finished game?"""

    setup: Setup
    deal: Deal
    turns: tuple[tuple[Move, int | None, bool, tuple[int, ...]], ...]
    """Each turn's move, its claim, whether the clock made it, and the seats that objected."""

    def answer(self) -> list[tuple[Play, tuple[int, ...]]]:
        """For each turn a play with the most points that the hand had, and the scores after the turn."""
        game = Game.begin(self.setup, self.deal)
        found = []
        for move, claim, timed_out, objectors in self.turns:
            best = game.plays()[0]
            game = game.play(move, claim=claim, timed_out=timed_out)
            for seat in objectors:
                game = game.object(seat)
            found.append((best, game.scores))
        return found
