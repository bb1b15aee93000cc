"""Build the header of a record from its tags."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

from riverstones.rules import SEAT_COUNTS, Board, Layout, Malformed, Scoring, Seed, Setup, Variant

from .pieces import Findings, Piece, placed
from .record import DRAWN, OWN_TAGS, VERSION, Header, Player, demand_commitment, demand_tag, read_date

E = TypeVar("E", bound=Enum)
_DIGIT = re.compile("[0-9]")
_START = re.compile(rf"([0-9])( +{DRAWN})?")
_PLAYER = re.compile("(Seat|Bot) ([0-9])")


def read_header(tags: Mapping[str, Piece], last_line: int) -> Header:
    """The header that these tags define; a missing tag is reported on `last_line`."""

    def tag(name: str) -> Piece:
        if name not in tags:
            raise Piece(name, last_line, 1).error("tag_missing")
        return tags[name]

    findings = Findings()
    layout: Layout | None = None
    seats = SEAT_COUNTS[-1]
    with findings:
        _expect_version(tag("Riverstones"))
    with findings:
        variant = _choice(tag("Variant"), Variant)
    with findings:
        scoring = _choice(tag("Scoring"), Scoring)
    with findings:
        layout = _choice(tag("Layout"), Layout)
    with findings:
        stones = _stones(tag("Stones"), layout)
    with findings:
        seats = _seats(tag("Seats"))
    with findings:
        start, start_drawn = _start(tag("Start"), seats)
    players: list[Player] = []
    for seat in range(seats):
        with findings:
            players.append(_player(tags.get(f"Seat {seat}"), tags.get(f"Bot {seat}")))
    with findings:
        day = placed(lambda: read_date(tags["Date"].text), tags["Date"]) if "Date" in tags else None
    with findings:
        commitment = _commitment(tags["Commitment"]) if "Commitment" in tags else None
    with findings:
        seed = _seed(tags["Seed"]) if "Seed" in tags else None
    others: list[tuple[str, str]] = []
    for name, piece in tags.items():
        with findings:
            if match := _PLAYER.fullmatch(name):
                if int(match[2]) >= seats:
                    raise piece.error("record_seat", seat=int(match[2]), seats=seats)
            elif name in ("Seat", "Bot") or name not in OWN_TAGS:
                others.append(_other(name, piece))
    findings.done()
    setup = Setup(seats, variant, layout or Layout.SIDES, start, scoring)
    lines = {name: piece.line for name, piece in tags.items()}
    return Header(setup, stones, tuple(players), day, commitment, seed, start_drawn, tuple(others), lines)


def _expect_version(piece: Piece) -> None:
    if piece.text != str(VERSION):
        raise piece.error("record_version", version=VERSION)


def _choice(piece: Piece, choices: type[E]) -> E:
    for choice in choices:
        if choice.value == piece.text.lower():
            return choice
    raise piece.error("choice", choices=", ".join(choice.value for choice in choices))


def _seats(piece: Piece) -> int:
    if not _DIGIT.fullmatch(piece.text):
        raise piece.error("number")
    return placed(lambda: Setup(seats=int(piece.text)), piece).seats


def _start(piece: Piece, seats: int) -> tuple[int, bool]:
    match = _START.fullmatch(piece.text)
    if match is None:
        raise piece.error("tag_start")
    return placed(lambda: Setup(seats=seats, start=int(match[1])), piece).start, match[2] is not None


def _stones(piece: Piece, layout: Layout | None) -> tuple[int, ...]:
    """The digits on the stones. Their squares depend on the layout, so without one nothing is read."""
    if layout is None:
        return ()
    try:
        tiles = dict(Board.of(piece.text))
    except Malformed:
        tiles = {}
    digits = tuple(tile.digit for square in layout.stones if (tile := tiles.get(square)))
    if len(digits) < len(layout.stones) or dict(layout.board(digits)) != tiles:
        raise piece.error("record_stones", squares=" ".join(map(str, layout.stones)))
    return digits


def _player(name: Piece | None, bot: Piece | None) -> Player:
    first = name or bot
    if first is None:
        return Player()
    return placed(lambda: Player(name.text if name else "", bot.text if bot else ""), first)


def _commitment(piece: Piece) -> str:
    placed(lambda: demand_commitment(piece.text), piece)
    return piece.text


def _seed(piece: Piece) -> Seed:
    return placed(lambda: Seed.parse(piece.text), piece)


def _other(name: str, piece: Piece) -> tuple[str, str]:
    placed(lambda: demand_tag(name, piece.text), piece)
    return name, piece.text
