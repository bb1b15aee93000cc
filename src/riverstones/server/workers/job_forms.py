"""Jobs and their answers as JSON, for workers on other machines.

They travel through a database that several machines share. So they are plain data in the forms of the notation, read as
strictly as a message of a client: whoever can write to that database can ask for a search, but cannot run code. A bot's
job has the view of its seat and nothing else of the table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from riverstones.engine import bots
from riverstones.engine.analysis import Analysis, Candidate
from riverstones.notation import NotationError, Problem, position_from_json, position_to_json
from riverstones.notation.json_node import Node
from riverstones.rules import Layout, Move, Objection, Play, Scoring, Setup, Turn, Variant, View, kakuros_made
from riverstones.server.workers.jobs import (
    ChooseMove,
    FindHint,
    Job,
    JudgeClaim,
    LongJob,
    RankPlays,
    ReviewRecord,
)
from riverstones.study.hints import Advice

Json = dict[str, Any]
LONGEST_RECORD = 200_000


def job_to_json(job: Job | LongJob) -> Json | None:
    """The form of a job; None if it has none and is run on this machine only."""
    match job:
        case ChooseMove():
            return {"kind": "choose", "view": _view_to_json(job.view), "level": job.level, "seed": job.seed}
        case JudgeClaim():
            return {"kind": "judge", "view": _view_to_json(job.view), "level": job.level, "seed": job.seed}
        case FindHint():
            return {"kind": "hint", "view": _view_to_json(job.view), "level": job.level}
        case RankPlays():
            return {"kind": "rank", "position": position_to_json(job.position), "compiled": job.compiled}
        case ReviewRecord():
            return {"kind": "review", "record": job.record}
    return None


def job_from_json(value: object) -> Job | LongJob:
    """Read a job; raises `NotationError`."""
    kind = value.get("kind") if isinstance(value, dict) else None
    read = _READERS.get(kind) if isinstance(kind, str) else None
    if read is None:
        raise NotationError([Problem.of("choice", text=str(kind)[:20], choices=", ".join(_READERS), path="$.kind")])
    return read(Node(value))


def _read_choose(node: Node) -> Job:
    _, view, level, seed = node.fields("kind", "view", "level", "seed")
    return ChooseMove(_view(view), _level(level), seed.number())


def _read_judge(node: Node) -> Job:
    _, view, level, seed = node.fields("kind", "view", "level", "seed")
    return JudgeClaim(_view(view), _level(level), seed.number())


def _read_hint(node: Node) -> Job:
    _, view, level = node.fields("kind", "view", "level")
    return FindHint(_view(view), _level(level))


def _read_rank(node: Node) -> Job:
    _, position, compiled = node.fields("kind", "position", "compiled")
    return RankPlays(position_from_json(position.value), compiled.flag())


def _read_review(node: Node) -> LongJob:
    _, record = node.fields("kind", "record")
    if len(record.text()) > LONGEST_RECORD:
        raise NotationError([Problem.of("json_text", path=record.path)])
    return ReviewRecord(record.text())


_READERS: dict[str, Callable[[Node], Job | LongJob]] = {
    "choose": _read_choose,
    "judge": _read_judge,
    "hint": _read_hint,
    "rank": _read_rank,
    "review": _read_review,
}


def answer_to_json(job: Job | LongJob, answer: Any) -> Any:
    """The form of a job's answer."""
    match job:
        case ChooseMove():
            move, claim = answer
            return {"move": str(move), "claim": claim}
        case FindHint():
            return {"move": str(answer.play.move), "points": answer.play.points, "most": answer.most}
        case RankPlays():
            return _analysis_to_json(answer)
    return answer


def answer_from_json(job: Job | LongJob, value: object) -> Any:
    """Read the answer to a job; raises `NotationError`."""
    node = Node(value)
    match job:
        case ChooseMove():
            move, claim = node.fields("move", "claim")
            return move.read(Move.parse), claim.maybe(Node.number)
        case JudgeClaim():
            return node.flag()
        case FindHint():
            text, points, most = node.fields("move", "points", "most")
            found = text.read(Move.parse)
            play = Play(found, kakuros_made(job.view.position.board, found), points.number())
            return Advice(play, most.number(), looked_ahead=True)
        case RankPlays():
            return _analysis(node)
        case _:
            return node.text()


def _level(node: Node) -> str:
    if node.text() not in bots.offered():
        choices = ", ".join(bots.offered())
        raise NotationError([Problem.of("choice", text=node.text()[:20], choices=choices, path=node.path)])
    return node.text()


def _view_to_json(view: View) -> Json:
    setup = view.setup
    return {
        "seat": view.seat,
        "setup": {
            "seats": setup.seats,
            "variant": setup.variant.value,
            "layout": setup.layout.value,
            "start": setup.start,
            "scoring": setup.scoring.value,
        },
        "position": position_to_json(view.position),
        "turns": [_turn_to_json(turn) for turn in view.turns],
        "over": view.over,
    }


def _view(node: Node) -> View:
    seat, setup, position, turns, over = node.fields("seat", "setup", "position", "turns", "over")
    return View(
        seat.maybe(Node.number),
        _setup(setup),
        position_from_json(position.value),
        tuple(_turn(turn) for turn in turns.items()),
        over.flag(),
    )


def _setup(node: Node) -> Setup:
    seats, variant, layout, start, scoring = node.fields("seats", "variant", "layout", "start", "scoring")
    return node.make(
        lambda: Setup(
            seats.number(), variant.choice(Variant), layout.choice(Layout), start.number(), scoring.choice(Scoring)
        )
    )


def _turn_to_json(turn: Turn) -> Json:
    return {
        "seat": turn.seat,
        "hand": None if turn.hand is None else list(turn.hand),
        "move": str(turn.move),
        "points": turn.points,
        "claim": turn.claim,
        "timed_out": turn.timed_out,
        "objections": [[objection.seat, objection.upheld] for objection in turn.objections],
    }


def _turn(node: Node) -> Turn:
    seat, hand, move, points, claim, timed_out, objections = node.fields(
        "seat", "hand", "move", "points", "claim", "timed_out", "objections"
    )
    return Turn(
        seat.number(),
        hand.maybe(Node.numbers),
        move.read(Move.parse),
        points.number(),
        claim.maybe(Node.number),
        timed_out.flag(),
        tuple(_objection(objection) for objection in objections.items()),
    )


def _objection(node: Node) -> Objection:
    items = node.items()
    if len(items) != 2:
        raise NotationError([Problem.of("json_list", path=node.path)])
    return Objection(items[0].number(), items[1].flag())


def _analysis_to_json(analysis: Analysis) -> Json:
    return {
        "candidates": [
            {
                "move": str(found.move),
                "points": found.points,
                "mean": found.mean,
                "standard_error": found.standard_error,
                "samples": found.samples,
                "exact": found.exact,
                "wins": None if found.wins is None else list(found.wins),
                "variation": list(map(str, found.variation)),
            }
            for found in analysis.candidates
        ],
        "method": analysis.method,
        "assumption": analysis.assumption,
        "nodes": analysis.nodes,
        "complete": analysis.complete,
    }


def _analysis(node: Node) -> Analysis:
    candidates, method, assumption, nodes, complete = node.fields(
        "candidates", "method", "assumption", "nodes", "complete"
    )
    return Analysis(
        tuple(_candidate(found) for found in candidates.items()),
        method.text(),
        assumption.text(),
        nodes.number(),
        complete.flag(),
    )


def _candidate(node: Node) -> Candidate:
    move, points, mean, standard_error, samples, exact, wins, variation = node.fields(
        "move", "points", "mean", "standard_error", "samples", "exact", "wins", "variation"
    )
    return Candidate(
        move.read(Move.parse),
        points.number(),
        _float(mean),
        _float(standard_error),
        samples.number(),
        exact.flag(),
        wins.maybe(lambda found: tuple(_float(item) for item in found.items())),
        tuple(item.read(Move.parse) for item in variation.items()),
    )


def _float(node: Node) -> float:
    if not isinstance(node.value, float):
        return float(node.number())
    return node.value
