"""Write what the Python rules say of many moves to rules-cases.json: the browser's rules are held to it."""

import json
import random
from pathlib import Path

from riverstones.rules import (
    SQUARES,
    Board,
    Code,
    Deal,
    Explanation,
    Game,
    Move,
    Reason,
    Series,
    Setup,
    Side,
    Tile,
    Variant,
    explain,
)

GAMES = 4
MOVES_A_BOARD = 2
NOT_ABOUT_A_BOARD = {
    Code.TILE_NOT_IN_HAND,
    Code.GAME_OVER,
    Code.CLAIM_MISSING,
    Code.CLAIM_UNWANTED,
    Code.CLAIM_OUT_OF_RANGE,
    Code.NOTHING_TO_OBJECT_TO,
    Code.OWN_MOVE,
    Code.ALREADY_OBJECTED,
    Code.ALREADY_UPHELD,
}
"""Reasons that a move and a board alone never give; there is a case for each of the others."""


def reason(told: Reason | None) -> dict[str, object] | None:
    """A reason as the browser knows it."""
    return None if told is None else {"code": str(told.code), "params": dict(told.params)}


def series(told: Series) -> dict[str, object]:
    """A series as the browser knows it."""
    return {"squares": list(told.squares), "total": told.total, "addends": list(told.addends)}


def case(board: Board, variant: Variant, told: Explanation) -> dict[str, object]:
    """A move on a board with all that the rules say about it."""
    return {
        "board": str(board),
        "move": str(told.move),
        "variant": variant.value,
        "frontier": list(board.frontier()),
        "refusal": reason(told.refusal),
        "kakuros": [series(kakuro) for kakuro in told.kakuros],
        "nearMisses": [{"series": series(miss.series), "reason": reason(miss.reason)} for miss in told.near_misses],
        "points": told.points,
    }


def some_move(board: Board, rng: random.Random) -> Move:
    """A move that may be right or wrong: often in the line of the placed tile, where the interesting refusals are."""
    square = rng.choice(board.frontier() if rng.random() < 0.9 else SQUARES)
    tile = Tile(rng.randint(1, 9), rng.choice(list(Side)))
    near = [s for s, _ in board if s.row == square.row or s.column == square.column]
    others = near if near and rng.random() < 0.8 else [s for s, _ in board] if rng.random() < 0.8 else SQUARES
    count = rng.choice((1, 1, 1, 2, 2, 3))
    return Move(square, tile, tuple(sorted(rng.sample(others, min(count, len(others))))))


def main() -> None:
    """Play random games and write down what each kind of move does."""
    rng = random.Random(5)
    cases = []
    refusals: set[Code] = set()

    def add(board: Board, move: Move, variant: Variant) -> None:
        told = explain(board, move, variant)
        cases.append(case(board, variant, told))
        if told.refusal:
            refusals.add(told.refusal.code)

    for number in range(GAMES):
        variant = (Variant.STANDARD, Variant.EXPERT)[number % 2]
        digits = [digit for digit in range(1, 10) for _ in range(8)]
        rng.shuffle(digits)
        game = Game.begin(Setup(variant=variant), Deal(tuple(digits)))
        while not game.over:
            best = game.plays()[0]
            add(game.board, best.move, variant)
            for _ in range(MOVES_A_BOARD):
                add(game.board, some_move(game.board, rng), variant)
            game = game.play(best.move if rng.random() < 0.6 else rng.choice(game.plays()).move)
    target = Path(__file__).with_name("rules-cases.json")
    target.write_text("[\n" + ",\n".join(json.dumps(each, separators=(",", ":")) for each in cases) + "\n]\n")
    missing = set(Code) - NOT_ABOUT_A_BOARD - refusals
    assert not missing, f"no case is refused for: {', '.join(sorted(missing))}"
    print(f"{len(cases)} moves, {len(refusals)} kinds of refusal")


if __name__ == "__main__":
    main()
