"""What bots make of games in progress, and whole games at tables: the same program runs natively and in Pyodide."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import Any

from riverstones.engine import bots, claims, loading
from riverstones.engine.choose import analyse
from riverstones.engine.levels import SEARCHING
from riverstones.rules import Deal, Game, Move, Scoring, Setup, Variant, view
from riverstones.table import (
    SYSTEM,
    Actor,
    BotMove,
    BotVerdict,
    Chair,
    Context,
    Options,
    create,
    decide,
    needs,
    seat_view,
)
from riverstones.table.events import to_json


def main(text: str) -> str:
    """The results for `{"games": [...], "tables": [...]}`: see `answers` and `events`."""
    asked = json.loads(text)
    loading.load(bots.LEVELS)
    return json.dumps(
        {"games": [answers(each) for each in asked["games"]], "tables": [events(each) for each in asked["tables"]]}
    )


def answers(case: dict[str, Any]) -> dict[str, Any]:
    """The answer of every bot in `{"seats", "variant", "deal", "moves", "history", "bots"}`.

    That is its move, and for levels that search every play with its value. Without its history, a game is only a
    position, and nothing is inferred from the moves.
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


def events(case: dict[str, Any]) -> list[Any]:
    """Every event of a table of bots, `{"scoring", "levels", "entropy"}`, from its creation to the end of the game."""
    options = Options(seats=len(case["levels"]), scoring=Scoring(case["scoring"]))
    chairs = tuple(Chair(bot=level, name=level) for level in case["levels"])
    context = Context(now_ms=0, entropy=bytes.fromhex(case["entropy"]))
    decision = create("local", options, Actor("host"), chairs, context, bots_alone=True)
    table, entries = decision.table, list(decision.entries)
    accepted: set[BotVerdict] = set()
    while open_needs := [each for each in needs(table, bots_alone=True) if each not in accepted]:
        need = open_needs[0]
        assert isinstance(need, BotMove | BotVerdict)
        seen = seat_view(table, need.seat)
        rng = bots.turn_rng(need.seed, seen)
        if isinstance(need, BotVerdict):
            verdict = need.command(need.may_object and claims.objects(seen, need.level, rng))
            if verdict is None:
                accepted.add(need)
                continue
            decision = decide(table, SYSTEM, verdict, context)
        else:
            move = bots.make(need.level, need.seed)(seen)
            claim = claims.claim(seen, move, need.level, rng) if options.scoring is Scoring.CLAIMS else None
            decision = decide(table, SYSTEM, need.command(move, claim), context)
        table = decision.table
        entries += decision.entries
    return [[entry.seq, type(entry.event).__name__, to_json(entry.event)] for entry in entries]
