"""Write what the Python rules say of many moves to rules-cases.json: the browser's rules are held to it."""

import json
import random
from pathlib import Path

from riverstones.rules import SQUARES, Board, Deal, Game, Move, Reason, Series, Setup, Side, Tile, Variant, explain

GAMES = 4
MOVES_A_BOARD = 2


def reason(told: Reason | None) -> dict[str, object] | None:
    """A reason as the browser knows it."""
    return told and {"code": str(told.code), "params": dict(told.params)}


def series(told: Series) -> dict[str, object]:
    """A series as the browser knows it."""
    return {"squares": list(told.squares), "total": told.total, "addends": list(told.addends)}


def case(board: Board, move: Move, variant: Variant) -> dict[str, object]:
    """A move on a board with all that the rules say about it."""
    told = explain(board, move, variant)
    return {
        "board": str(board),
        "move": str(move),
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
    for number in range(GAMES):
        variant = (Variant.STANDARD, Variant.EXPERT)[number % 2]
        digits = [digit for digit in range(1, 10) for _ in range(8)]
        rng.shuffle(digits)
        game = Game.begin(Setup(variant=variant), Deal(tuple(digits)))
        while not game.over:
            best = game.plays()[0]
            cases.append(case(game.board, best.move, variant))
            cases += [case(game.board, some_move(game.board, rng), variant) for _ in range(MOVES_A_BOARD)]
            game = game.play(best.move if rng.random() < 0.6 else rng.choice(game.plays()).move)
    target = Path(__file__).with_name("rules-cases.json")
    target.write_text("[\n" + ",\n".join(json.dumps(each, separators=(",", ":")) for each in cases) + "\n]\n")
    print(f"{len(cases)} moves, {len({c['refusal']['code'] for c in cases if c['refusal']})} kinds of refusal")


if __name__ == "__main__":
    main()
