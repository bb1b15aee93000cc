"""Describe moves, played or only tried, in a few short lines."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from riverstones.cli.output import arithmetic
from riverstones.cli.score import near_miss
from riverstones.cli.words import Words
from riverstones.rules import Explanation, Move, Series, Turn

from .drawing import Glyphs
from .pages import FAINT_STYLE, SEAT_STYLES
from .seats import Seat

Paragraph = list[Text]


class Storyteller:
    """Describes moves, played or only tried, for one table."""

    def __init__(self, words: Words, seats: Sequence[Seat], glyphs: Glyphs) -> None:
        self.words = words
        self.seats = seats
        self.glyphs = glyphs

    def turn(self, turn: Turn, kakuros: Sequence[Series]) -> Paragraph:
        """A turn: the player, the move and its points, with the arithmetic of these Kakuros."""
        line = Text(f"{self.glyphs.pawns[turn.seat]} ", SEAT_STYLES[turn.seat])
        line.append(f"{self.seats[turn.seat].name}  ", "default")
        line.append(str(turn.move), "bold default")
        if turn.claim is None:
            line.append(f"  +{turn.points}", "default")
        else:
            line.append(f"  {self.words('claims', points=turn.claim)}", "default")
        lines = [line, *(Text(f"  {arithmetic(kakuro)}") for kakuro in kakuros)]
        for objection in turn.objections:
            verdict = "objected_upheld" if objection.upheld else "objected_rejected"
            lines.append(Text(f"  {self.words(verdict, name=self.seats[objection.seat].name)}"))
        return lines

    def draft(self, explanation: Explanation) -> list[Paragraph]:
        """A move that is only tried: its points, how they come about, and near misses."""
        verdict = Text(str(explanation.move), "bold")
        verdict.append(f"  +{explanation.points}")
        made = [verdict, *(Text(f"  {arithmetic(kakuro)}") for kakuro in explanation.kakuros)]
        if not explanation.kakuros:
            made.append(Text(f"  {self.words('no_kakuro')}"))
        misses = [[Text(near_miss(miss, self.words), FAINT_STYLE)] for miss in explanation.near_misses]
        return [made, *misses]

    def unjudged_draft(self, move: Move, claim: int | None) -> list[Paragraph]:
        """A move that is only tried, with claims: nothing is said about its points."""
        line = Text(str(move), "bold")
        if claim is not None:
            line.append(f"  {self.words('claims', points=claim)}")
        return [[line]]
