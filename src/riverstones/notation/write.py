"""Write a record as text; every record has exactly one written form."""

from __future__ import annotations

from collections.abc import Iterator

from riverstones.rules import Hand, Scoring

from .position import NONE
from .quoting import comment_line, quote
from .record import DRAWN, VERSION, Annotation, End, Header, Record, RecordedTurn

_INDENT = " " * 4


def write_record(record: Record) -> str:
    """A record as the text of a `.river` file."""
    scoring = record.header.setup.scoring
    lines = [*_tags(record.header), "", *_comment(record.comment)]
    if record.comment:
        lines.append("")
    for number, turn in enumerate(record.turns, start=1):
        lines += _turn(number, turn, scoring)
    if record.turns:
        lines.append("")
    lines += [format_end(record.end), *_comment(record.end.comment)]
    return "\n".join(lines) + "\n"


def _tags(header: Header) -> Iterator[str]:
    setup = header.setup
    yield _tag("Riverstones", VERSION)
    if header.date:
        yield _tag("Date", header.date.isoformat())
    yield _tag("Seats", setup.seats)
    for seat, player in enumerate(header.players):
        if player.name:
            yield _tag(f"Seat {seat}", player.name)
        if player.bot:
            yield _tag(f"Bot {seat}", player.bot)
    yield _tag("Start", f"{setup.start} {DRAWN}" if header.start_drawn else setup.start)
    yield _tag("Variant", setup.variant.value)
    yield _tag("Layout", setup.layout.value)
    yield _tag("Scoring", setup.scoring.value)
    yield _tag("Stones", " ".join(f"{square}{header.board[square]}" for square in setup.layout.stones))
    if header.commitment:
        yield _tag("Commitment", header.commitment)
    if header.seed:
        yield _tag("Seed", header.seed.reveal())
    for name, value in header.tags:
        yield _tag(name, value)


def _tag(name: str, value: object) -> str:
    return f"[{name} {quote(str(value))}]"


def _comment(comment: str) -> list[str]:
    return [comment_line(line) for line in comment.split("\n")] if comment else []


def _turn(number: int, turn: RecordedTurn, scoring: Scoring) -> Iterator[str]:
    late = ", runs out of time" if turn.timed_out else ""
    verb = "claims" if scoring is Scoring.CLAIMS else "scores"
    yield (
        f"{number:>2}. Seat {turn.seat} holds {_hand(turn.hand)}{late}, plays {turn.move}, "
        f"{verb} {turn.points}, total {turn.total}."
    )
    for objection in turn.objections:
        verdict = "upheld" if objection.upheld else "rejected"
        yield f"{_INDENT}Seat {objection.seat} objects: {verdict}, total {objection.total}."
    if turn.annotation:
        yield _INDENT + _annotation(turn.annotation)
    for line in _comment(turn.comment):
        yield _INDENT + line


def _annotation(annotation: Annotation) -> str:
    text = f"Judged {annotation.glyph}" if annotation.glyph else "Judged"
    if annotation.best:
        text += f": best was {annotation.best} for {annotation.best_points}"
    if annotation.better_by_tenths is not None:
        text += f", better by {annotation.better_by_tenths // 10}.{annotation.better_by_tenths % 10}"
    return text + "."


def format_end(end: End) -> str:
    """The line that says how a game ended."""
    parts = ["scores " + ", ".join(map(str, end.scores))]
    if end.hands is not None:
        parts.append("hands " + ", ".join(map(_hand, end.hands)))
    if end.resigned:
        parts.append(f"{_seats(end.resigned)} resigned")
    if end.winners:
        parts.append(f"{_seats(end.winners)} {'wins' if len(end.winners) == 1 else 'share the win'}")
    return f"{end.how.value.capitalize()}: {'; '.join(parts)}."


def _seats(seats: tuple[int, ...]) -> str:
    *others, last = map(str, seats)
    return f"seats {', '.join(others)} and {last}" if others else f"seat {last}"


def _hand(hand: Hand) -> str:
    return "".join(map(str, hand)) or NONE
