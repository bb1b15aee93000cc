"""The JSON form of a record, with the same facts under the same names."""

from __future__ import annotations

import datetime

from riverstones.rules import Hand, Layout, Move, Scoring, Seed, Setup, Variant

from .errors import NotationError, Problem
from .json_forms import Json
from .json_node import Node
from .pieces import Findings
from .record import VERSION, Annotation, End, Ending, Header, Player, Record, RecordedObjection, RecordedTurn, read_date


def record_to_json(record: Record) -> Json:
    """A record as JSON."""
    header, end = record.header, record.end
    setup = header.setup
    return {
        "riverstones": VERSION,
        "date": header.date.isoformat() if header.date else None,
        "players": [{"name": player.name, "bot": player.bot} for player in header.players],
        "start": setup.start,
        "start_drawn": header.start_drawn,
        "variant": setup.variant.value,
        "layout": setup.layout.value,
        "scoring": setup.scoring.value,
        "stones": list(header.stones),
        "commitment": header.commitment,
        "seed": header.seed.reveal() if header.seed else None,
        "tags": dict(header.tags),
        "comment": record.comment,
        "turns": [_turn_to_json(turn) for turn in record.turns],
        "end": {
            "how": end.how.value,
            "scores": list(end.scores),
            "winners": list(end.winners),
            "resigned": list(end.resigned),
            "hands": None if end.hands is None else list(map(list, end.hands)),
            "comment": end.comment,
        },
    }


def _turn_to_json(turn: RecordedTurn) -> Json:
    judged = turn.annotation
    return {
        "seat": turn.seat,
        "hand": list(turn.hand),
        "move": str(turn.move),
        "points": turn.points,
        "total": turn.total,
        "timed_out": turn.timed_out,
        "objections": [
            {"seat": objection.seat, "upheld": objection.upheld, "total": objection.total}
            for objection in turn.objections
        ],
        "annotation": judged
        and {
            "glyph": judged.glyph,
            "best": None if judged.best is None else str(judged.best),
            "best_points": judged.best_points,
            "better_by_tenths": judged.better_by_tenths,
        },
        "comment": turn.comment,
    }


def record_from_json(value: object) -> Record:
    """Read a record from parsed JSON.

    Raises `NotationError` with every problem in the header, the turns and the end; `params` has the path of each.
    """
    top = Node(value)
    field = dict(zip(_FIELDS, top.fields(*_FIELDS), strict=True))
    findings = Findings()
    with findings:
        header = top.make(lambda: _header(field))
    turns: list[RecordedTurn] = []
    with findings:
        for turn in field["turns"].items():
            with findings:
                turns.append(_turn(turn))
    with findings:
        end = _end(field["end"])
    findings.done()
    return top.make(lambda: Record(header, tuple(turns), end, field["comment"].text()))


_FIELDS = (
    "riverstones",
    "date",
    "players",
    "start",
    "start_drawn",
    "variant",
    "layout",
    "scoring",
    "stones",
    "commitment",
    "seed",
    "tags",
    "comment",
    "turns",
    "end",
)


def _header(field: dict[str, Node]) -> Header:
    version = field["riverstones"].number()
    if version != VERSION:
        raise NotationError([Problem.of("record_version", text=version, version=VERSION)])
    players = tuple(map(_player, field["players"].items()))
    setup = Setup(
        len(players),
        field["variant"].choice(Variant),
        field["layout"].choice(Layout),
        field["start"].number(),
        field["scoring"].choice(Scoring),
    )
    return Header(
        setup,
        field["stones"].numbers(),
        players,
        field["date"].maybe(_date),
        field["commitment"].maybe(Node.text),
        field["seed"].maybe(_seed),
        field["start_drawn"].flag(),
        _tags(field["tags"]),
    )


def _date(node: Node) -> datetime.date:
    return node.read(read_date)


def _seed(node: Node) -> Seed:
    return node.read(Seed.parse)


def _player(node: Node) -> Player:
    name, bot = node.fields("name", "bot")
    return node.make(lambda: Player(name.text(), bot.text()))


def _tags(node: Node) -> tuple[tuple[str, str], ...]:
    names = list(node.value) if isinstance(node.value, dict) else []
    return tuple((name, field.text()) for name, field in zip(names, node.fields(*names), strict=True))


def _hand(node: Node) -> Hand:
    return tuple(sorted(node.numbers()))


def _move(node: Node) -> Move:
    return node.read(Move.parse)


def _turn(node: Node) -> RecordedTurn:
    seat, hand, move, points, total, timed_out, objections, annotation, comment = node.fields(
        "seat", "hand", "move", "points", "total", "timed_out", "objections", "annotation", "comment"
    )
    return node.make(
        lambda: RecordedTurn(
            seat.number(),
            _hand(hand),
            _move(move),
            points.number(),
            total.number(),
            timed_out.flag(),
            tuple(map(_objection, objections.items())),
            annotation.maybe(_annotation),
            comment.text(),
        )
    )


def _objection(node: Node) -> RecordedObjection:
    seat, upheld, total = node.fields("seat", "upheld", "total")
    return node.make(lambda: RecordedObjection(seat.number(), upheld.flag(), total.number()))


def _annotation(node: Node) -> Annotation:
    glyph, best, points, tenths = node.fields("glyph", "best", "best_points", "better_by_tenths")
    return node.make(
        lambda: Annotation(glyph.text(), best.maybe(_move), points.maybe(Node.number), tenths.maybe(Node.number))
    )


def _end(node: Node) -> End:
    how, scores, winners, resigned, hands, comment = node.fields(
        "how", "scores", "winners", "resigned", "hands", "comment"
    )
    return node.make(
        lambda: End(
            how.choice(Ending),
            scores.numbers(),
            winners.numbers(),
            resigned.numbers(),
            hands.maybe(lambda all_hands: tuple(map(_hand, all_hands.items()))),
            comment.text(),
        )
    )
