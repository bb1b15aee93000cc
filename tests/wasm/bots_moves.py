"""What every bot makes of games in progress: the same program runs natively and in Pyodide."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import Any

from riverstones.engine import bots
from riverstones.engine.choose import analyse
from riverstones.engine.levels import SEARCHING
from riverstones.rules import Deal, Game, Move, Setup, Variant, view


def main(text: str) -> str:
    """For every game, the move of each of its bots; for levels that search, every play with its value as well."""
    return json.dumps([answers(case) for case in json.loads(text)])


def answers(case: dict[str, Any]) -> dict[str, Any]:
    """The answers in one game: `{"seats", "variant", "deal", "moves", "history", "bots"}`.

    Without its history, a game is only a position, and nothing is inferred from the moves.
    """
    game = Game.begin(Setup(seats=case["seats"], variant=Variant(case["variant"])), Deal(tuple(case["deal"])))
    for move in case["moves"]:
        game = game.play(Move.parse(move))
    seen = view(game, game.to_move)
    known = seen if case["history"] else seen.position
    found: dict[str, Any] = {}
    for name in case["bots"]:
        if name in SEARCHING:
            analysis = analyse(known, SEARCHING[name], seed=7, variations=0)
            plays = [[str(each.move), *astuple(each)[1:7]] for each in analysis.candidates]
            found[name] = [analysis.method, analysis.nodes, analysis.complete, plays]
        else:
            found[name] = str(bots.make(name, seed=7)(seen))
    return found
