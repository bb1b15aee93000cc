"""The chances of every seat before a move: the one fixed function by which luck is measured.

The chances are the win probabilities after the play that a short search ranks first:

========================  ====================================================================================
two seats                 the first stage of the strongest look-ahead, and the win probability of its value
three and four seats      the same, and a simulation of its best plays in common worlds
solved endgames           exact
========================  ====================================================================================

Every seat's points count alike (caution 1). The tiles that the others keep are inferred from their moves, as the
strongest level does. The function sees what the seat to move would see with a given hand, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from riverstones.engine.levels import OCEAN, Heat, Simulation
from riverstones.engine.situation import Situation
from riverstones.rules import Hand, View

if TYPE_CHECKING:
    from riverstones.engine.inference import Evidence

Chances = tuple[float, ...]
"""A number for each seat, in the order of the seats: win probabilities, which sum to 1, or their changes, which sum to
0."""

PLAN: Final = Simulation(3, (Heat(8, 200),))
"""The simulation with three and four seats."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is public before a move, and the evidence about the tiles that the others keep."""

    view: View
    evidence: Evidence

    @classmethod
    def of(cls, view: View) -> Outlook:
        """The outlook of the seat to move, whose view this is."""
        from riverstones.engine import inference

        assert OCEAN.inference is not None
        return cls(view, inference.evidence(view, OCEAN.inference))

    def situation(self, hand: Hand) -> Situation:
        """The situation if the seat to move held this hand."""
        from riverstones.engine import inference

        position = self.view.position
        order = [(position.to_move + n) % len(position.hands) for n in range(len(position.hands))]
        situation = Situation.with_even_probabilities(
            position.board,
            position.variant,
            hand,
            tuple(len(position.hands[seat]) for seat in order),
            tuple(position.scores[seat] for seat in order),
            position.bag,
        )
        return replace(situation, kept=inference.kept_given(self.evidence, situation))

    def chances(self, hand: Hand) -> Chances:
        """The chances of each seat if the seat to move holds this hand."""
        from riverstones.engine import iterative, simulation
        from riverstones.engine.endgame import driver as endgame

        situation = self.situation(hand)
        found = endgame.solve(situation) if endgame.solvable(situation) else None
        if found is None:
            found = iterative.look_ahead(situation, OCEAN.stages_for(situation.seats)[:1])
            if situation.seats > 2:
                found = simulation.simulate(found, situation, PLAN)
        assert found.best.wins is not None
        return self.by_seat(found.best.wins)

    def by_seat(self, values: tuple[float, ...]) -> Chances:
        """Values in the order of the seats, given in the order of play, from the seat to move."""
        seats, first = len(values), self.view.position.to_move
        return tuple(values[(seat - first) % seats] for seat in range(seats))
