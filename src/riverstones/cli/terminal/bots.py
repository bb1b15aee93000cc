"""Two simple bots for the terminal. Like anybody at the table they are handed a view and nothing more."""

from __future__ import annotations

from enum import Enum
from random import Random

from riverstones.rules import Play, View, explain, plays


class Bot(Enum):
    """How a bot plays. Both decide at random between plays that they like equally."""

    EASY = "easy"
    """Turns nothing over, is content with any Kakuro that its tile makes, and never objects."""
    GREEDY = "greedy"
    """Takes the most points it can get, and objects to every wrong claim."""

    def choose(self, view: View, chance: Random) -> Play:
        """The play that this bot makes in the seat whose view it is."""
        found = plays(view.position.board, view.hand, view.setup.variant)
        if self is Bot.GREEDY:
            liked = [play for play in found if play.points == found[0].points]
        else:
            simple = [play for play in found if not play.move.flips]
            liked = [play for play in simple if play.points] or simple
        return chance.choice(liked)

    def objects(self, view: View) -> bool:
        """Whether this bot objects to the last move, for which points were claimed."""
        last = view.turns[-1]
        if self is Bot.EASY or last.upheld:
            return False
        before = view.position.board.turn(last.move.flips).clear(last.move.square)
        explanation = explain(before, last.move, view.setup.variant)
        return not explanation.legal or explanation.points != last.claim
