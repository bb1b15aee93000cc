"""In Pyodide, without NumPy and Numba, bots and tables do what they do natively, and so do hints and reviews.

Every value of a search is the same to the last bit, and every event of a table the same.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from riverstones.engine import bots
from riverstones.local import Row
from riverstones.notation import format_position, record_of, write_record
from riverstones.rules import Variant, view
from riverstones.table import Options
from tests.engine.positions import game_after
from tests.table.helpers import table_of
from tools.build_kernel import OUTPUT

pytest.importorskip("numba", reason="Numba is not installed")

from . import playing
from .node import ROOT, run

ALL = (*bots.LEVELS, bots.GREEDY)
STRONGEST = bots.LEVELS[-1:]


def case(seats: int, turns: int, variant: Variant, names: tuple[str, ...], history: bool) -> dict[str, Any]:
    game = game_after(turns, seed=10 * turns + seats, seats=seats, variant=variant)
    moves = [str(turn.move) for turn in game.turns]
    return {
        "seats": seats,
        "variant": variant.value,
        "deal": game.deal.digits,
        "moves": moves,
        "history": history,
        "bots": names,
    }


def study_case() -> dict[str, Any]:
    """A table of two with a few moves, positions of the middle and the end of games, and a short game of three."""
    played = table_of("ann", "ann", options=Options(hints=True))
    played.play_on(3)
    positions = [game_after(turns, seed=turns, seats=seats) for seats, turns in ((2, 30), (3, 65))]
    return {
        "rows": [asdict(Row.of(entry)) for entry in played.log],
        "positions": [format_position(view(game, game.to_move).position) for game in positions],
        "records": [write_record(record_of(game_after(2, seed=5, seats=3)))],
    }


@pytest.mark.slow
def test_bots_and_tables_do_what_they_do_natively(tmp_path: Path) -> None:
    standard, expert = Variant.STANDARD, Variant.EXPERT
    games = [
        case(2, 6, standard, ALL, history=True),
        case(3, 5, expert, ALL, history=True),
        case(4, 30, standard, STRONGEST, history=False),
        case(2, 40, expert, STRONGEST, history=False),
        case(2, 62, standard, STRONGEST, history=False),
        case(2, 64, expert, STRONGEST, history=False),
        case(3, 65, standard, STRONGEST, history=False),
        case(4, 64, expert, STRONGEST, history=False),
    ]
    tables = [
        {"scoring": "automatic", "levels": ["brook", "river"], "entropy": "15" * 32},
        {"scoring": "claims", "levels": ["drop", "pebble", "stream"], "entropy": "16" * 32},
    ]
    text = json.dumps({"games": games, "tables": tables, "study": study_case()})
    cases = tmp_path / "cases.json"
    cases.write_text(text, encoding="utf-8")
    native = json.loads(playing.main(text))
    assert {each[STRONGEST[0]][0] for each in native["games"]} == {"look-ahead", "simulation", "pre-endgame", "endgame"}
    for events in native["tables"]:
        kinds = [kind for _, kind, _ in events]
        assert kinds.count("Moved") == 67
        assert kinds[-1] == "Ended"
    assert "Objected" in kinds
    assert [each["done"] for each in native["study"]["reviews"][0]] == [0, 1, 2, 3, 3]
    assert [len(each[-1]["report"]["moves"]) for each in native["study"]["reviews"]] == [3, 2]
    script = Path(__file__).with_name("playing.py")
    assert run("in_pyodide.mjs", OUTPUT, ROOT / "src", script, cases) == native
