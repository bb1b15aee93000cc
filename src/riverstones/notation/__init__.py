"""Text and JSON forms of positions, moves and game records, and the words for everything that can be wrong.

Squares, tiles, moves and boards read and write themselves (`Move.parse("h3+7~e3")`, `str(board)`); what is here is made
of them. docs/notation.md has the grammar of every form.
"""

from .errors import NotationError, Problem
from .json_forms import explanation_to_json, kakuro_to_json, play_to_json, position_to_json
from .position import format_position, parse_position
from .say import Sayable, say
from .words import LANGUAGES, language_name

__all__ = [
    "LANGUAGES",
    "NotationError",
    "Problem",
    "Sayable",
    "explanation_to_json",
    "format_position",
    "kakuro_to_json",
    "language_name",
    "parse_position",
    "play_to_json",
    "position_to_json",
    "say",
]
