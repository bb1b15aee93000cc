"""In Pyodide, without NumPy and Numba, every bot plays as it does natively, with the same values to the last bit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from riverstones.engine import bots
from riverstones.rules import Variant
from tests.engine.positions import game_after
from tools.build_kernel import OUTPUT

pytest.importorskip("numba", reason="Numba is not installed")

from . import bots_moves
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


@pytest.mark.slow
def test_every_bot_plays_as_it_does_natively(tmp_path: Path) -> None:
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
    text = json.dumps(games)
    expected = json.loads(bots_moves.main(text))
    methods = {each[STRONGEST[0]][0] for each in expected}
    assert methods == {"look-ahead", "simulation", "pre-endgame", "endgame"}
    cases = tmp_path / "cases.json"
    cases.write_text(text, encoding="utf-8")
    script = Path(__file__).with_name("bots_moves.py")
    assert run("in_pyodide.mjs", OUTPUT, ROOT / "src", script, cases) == expected
