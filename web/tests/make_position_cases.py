"""Write what Python says of many position texts to position-cases.json: the study board is held to it."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

from riverstones.notation import NotationError, format_position, parse_position
from riverstones.rules import Deal, Fault, Game, Layout, Position, Setup, Variant

GAMES = 6
CORPUS = Path(__file__).parents[2] / "tests/notation/corpus/positions.txt"
ALPHABET = "./123456789ABCDEFGHI?-, 0standardexpert\t"


def games(rng: random.Random) -> Iterator[Position]:
    """Positions of random games, as everybody and as one seat knows them."""
    for number in range(GAMES):
        digits = [digit for digit in range(1, 10) for _ in range(8)]
        rng.shuffle(digits)
        setup = Setup(2 + number % 3, (Variant.STANDARD, Variant.EXPERT)[number % 2], list(Layout)[number % 4])
        game = Game.begin(setup, Deal(tuple(digits)))
        while not game.over:
            if rng.random() < 0.25:
                position = Position.of(game)
                yield rng.choice((position, position.seen_by(game.to_move), position.seen_by(None)))
            game = game.play(rng.choice(game.plays()[:5]).move)
        yield Position.of(game)


def spoiled(text: str, rng: random.Random) -> str:
    """A text with a few characters changed, added or removed."""
    characters = list(text)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        place = rng.randrange(len(characters))
        match rng.randrange(3):
            case 0:
                characters[place] = rng.choice(ALPHABET)
            case 1:
                characters.insert(place, rng.choice(ALPHABET))
            case _:
                del characters[place]
    return "".join(characters)


def case(text: str) -> dict[str, object]:
    """A text with its problems, or as Python writes it."""
    try:
        return {"text": text, "written": format_position(parse_position(text)), "problems": []}
    except NotationError as error:
        problems = [{"code": problem.code, "params": dict(problem.params)} for problem in error.problems]
        return {"text": text, "written": None, "problems": problems}


def main() -> None:
    """Positions of games, and what becomes of them when they are spoiled."""
    rng = random.Random(13)
    right = [format_position(position) for position in games(rng)]
    wrong = [spoiled(text, rng) for text in right for _ in range(3)]
    named = [text for text in CORPUS.read_text(encoding="utf-8").splitlines() if text and text[0] not in "# "]
    board = right[0].split(" ")[0]
    extra = [
        "",
        "   ",
        "x" * 501,
        f"  {right[0]}\n",
        f"{board} 0 27,??,??,??,?? 0,0,0,0,0 57 standard",
        f"{board} 7 - 0 0 standard",
    ]
    cases = [case(text) for text in (*right, *wrong, *named, *extra)]
    target = Path(__file__).with_name("position-cases.json")
    target.write_text("[\n" + ",\n".join(map(json.dumps, cases)) + "\n]\n", encoding="utf-8")
    codes = {problem["code"] for each in cases for problem in each["problems"]}  # type: ignore[attr-defined]
    missing = {fault.value for fault in Fault} - codes
    assert not missing, f"no case has the fault: {', '.join(sorted(missing))}"
    print(f"{len(cases)} positions, {len(codes)} kinds of problem")


if __name__ == "__main__":
    main()
