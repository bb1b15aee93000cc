"""Text and JSON forms of positions, moves and game records, and messages for everything that can be wrong.

Squares, tiles, moves and boards parse and format themselves (`Move.parse("h3+7~e3")`, `str(board)`); this package
builds on them. docs/notation.md has the grammar of every form.
"""

from .check import Disagreement, check_record
from .errors import NotationError, Problem
from .json_forms import explanation_to_json, kakuro_to_json, play_to_json, position_from_json, position_to_json
from .json_record import record_from_json, record_to_json
from .position import format_position, parse_position
from .read import read_record
from .record import Annotation, End, Ending, Header, Player, Record, RecordedObjection, RecordedTurn
from .replay import record_of, replay
from .say import Sayable, say
from .verify import Fairness, Verification, verify_record
from .write import write_record

__all__ = [
    "Annotation",
    "Disagreement",
    "End",
    "Ending",
    "Fairness",
    "Header",
    "NotationError",
    "Player",
    "Problem",
    "Record",
    "RecordedObjection",
    "RecordedTurn",
    "Sayable",
    "Verification",
    "check_record",
    "explanation_to_json",
    "format_position",
    "kakuro_to_json",
    "parse_position",
    "play_to_json",
    "position_from_json",
    "position_to_json",
    "read_record",
    "record_from_json",
    "record_of",
    "record_to_json",
    "replay",
    "say",
    "verify_record",
    "write_record",
]
