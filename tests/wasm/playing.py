"""What bots make of games in progress, and whole games at tables: the same program runs natively and in Pyodide."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import Any

from riverstones import local
from riverstones.engine import bots, claims, loading
from riverstones.engine.choose import analyse
from riverstones.engine.levels import SEARCHING
from riverstones.local import Happening, LocalTable, Row
from riverstones.local.table import encode
from riverstones.rules import Deal, Game, Move, Scoring, Setup, Variant, view
from riverstones.study.review.accuracy import accuracy_of_move
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
    """The results for `{"games": [...], "tables": [...], "study": {...}}`: see `answers`, `events` and `study`."""
    asked = json.loads(text)
    loading.load(bots.LEVELS)
    return json.dumps(
        {
            "games": [answers(each) for each in asked["games"]],
            "tables": [events(each) for each in asked["tables"]],
            "study": study(asked["study"]),
        }
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


def study(case: dict[str, Any]) -> dict[str, Any]:
    """What a device says about a table, given its stored rows, about positions and about records.

    `case` is `{"rows", "positions", "records"}`.
    """
    device = LocalTable([Row(**row) for row in case["rows"]], Actor("id-ann", "Ann"))
    now = Happening(0, bytes(32))
    seat = device.table.to_move
    device.receive({"type": "hello", "protocol": 1, "seat": seat}, now)
    asked = [{"type": "hint", "id": str(step), "seat": seat, "step": step} for step in (1, 2, 3)]
    hints = [encode(message) for each in asked for message in device.receive(each, now).messages]
    resign = {"type": "do", "id": "resign", "command": {"type": "resign", "seat": 0}}
    device.advance(device.receive(resign, now).rows)
    return {
        "hints": hints,
        "record": local.record(device.table),
        "summary": local.end_summary(device.table),
        "positions": [local.analyse(position) for position in case["positions"]],
        "reviews": [list(local.review(game)) for game in (device.table, *case["records"])],
        "accuracies": [accuracy_of_move(loss / 7) for loss in range(200)],
    }
