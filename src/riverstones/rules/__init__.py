"""The rules of the game, written to be read.

Read the modules in this order: `tiles` and `squares` (the material), `board`, `series` (what a Kakuro is), `moves`,
`scoring` (which moves are legal and what they score), `generate` (every legal play), `deal` and `setup`, `game`, and
finally `position` and `views` (what each seat knows). `errors` holds the reasons that all of them give.

This package needs only the standard library. docs/rules.md explains the same rules in prose.
"""

from .board import Board
from .deal import Deal, Seed
from .errors import Code, Malformed, Reason, Refused
from .game import HIGHEST_CLAIM, Game, Hand, Objection, Outcome, Track, Turn, track
from .generate import Play, plays
from .moves import Move
from .position import Fault, FaultFound, Held, Position
from .scoring import Explanation, NearMiss, Variant, explain, kakuros_made, refusal
from .series import Series, all_series, kakuros
from .setup import CENTRE, HAND_SIZE, SEAT_COUNTS, Layout, Scoring, Setup
from .squares import LINES, SQUARES, Direction, Line, Square
from .tiles import COPIES, DIGITS, TILE_COUNT, Side, Tile
from .views import View, view

__all__ = [
    "CENTRE",
    "COPIES",
    "DIGITS",
    "HAND_SIZE",
    "HIGHEST_CLAIM",
    "LINES",
    "SEAT_COUNTS",
    "SQUARES",
    "TILE_COUNT",
    "Board",
    "Code",
    "Deal",
    "Direction",
    "Explanation",
    "Fault",
    "FaultFound",
    "Game",
    "Hand",
    "Held",
    "Layout",
    "Line",
    "Malformed",
    "Move",
    "NearMiss",
    "Objection",
    "Outcome",
    "Play",
    "Position",
    "Reason",
    "Refused",
    "Scoring",
    "Seed",
    "Series",
    "Setup",
    "Side",
    "Square",
    "Tile",
    "Track",
    "Turn",
    "Variant",
    "View",
    "all_series",
    "explain",
    "kakuros",
    "kakuros_made",
    "plays",
    "refusal",
    "track",
    "view",
]
