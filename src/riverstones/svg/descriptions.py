"""What a picture says to those who do not see it: its title and its description, in each language."""

from __future__ import annotations

from collections.abc import Iterable

from riverstones.rules import Board, Explanation, Move, Position, Series, Square, Tile
from riverstones.words import messages, phrase


def tile_name(tile: Tile, language: str, square: Square | None = None) -> str:
    """A tile, and its square if there is one: "addend 7 on h3"."""
    name = phrase("total_named" if tile.is_total else "addend_named", {"digit": tile.digit}, language)
    return name if square is None else phrase("tile_on_square", {"tile": name, "square": square}, language)


def board_tiles(board: Board, shown: Iterable[Square], language: str) -> str:
    """Every tile of the shown squares, in reading order."""
    tiles = [(square, board[square]) for square in shown]
    names = [tile_name(tile, language, square) for square, tile in tiles if tile]
    return ", ".join(names) or phrase("empty_square", language=language)


def move_name(move: Move, language: str) -> str:
    """A move: "addend 7 on h3, flipping e3"."""
    placed = tile_name(move.tile, language, move.square)
    if not move.flips:
        return placed
    return phrase("move_turning", {"placed": placed, "squares": list(move.flips)}, language)


def verdict(told: Explanation, language: str) -> str:
    """A move and what it scores, or why it is not legal."""
    if told.refusal:
        result = phrase(f"refusal_{told.refusal.code}", dict(told.refusal.params), language)
    else:
        result = phrase("points", {"count": told.points}, language)
    return _labelled(move_name(told.move, language), result, language)


def _labelled(label: str, text: str, language: str) -> str:
    """A text after its label. `phrase` would shorten a long text, which it takes for one that somebody typed."""
    return str(messages(language)["labelled"]).replace("{label}", label).replace("{text}", text)


def sum_of(series: Series) -> str:
    """The sum of a series: `9 + 4 = 13`."""
    return f"{' + '.join(map(str, series.addends))} = {series.sum}"


def position_facts(position: Position, language: str) -> list[str]:
    """The score and the known hand of each seat, whose turn it is, and the bag."""
    facts = []
    for seat, (score, held) in enumerate(zip(position.scores, position.hands, strict=True)):
        parts = [phrase("points", {"count": score}, language)]
        parts += [phrase("to_move", language=language)] * (seat == position.to_move and any(map(len, position.hands)))
        parts += map(str, held.known)
        parts += ["?"] * held.unknown
        name = phrase("seat_number", {"number": seat + 1}, language)
        facts.append(_labelled(name, ", ".join(parts), language))
    return [*facts, phrase("bag", {"count": position.bag}, language)]
