"""Write what the documentation's pictures of the figures show to figure-cases.json: the rules page is held to it."""

import json
from pathlib import Path
from xml.etree import ElementTree

from riverstones import svg
from riverstones.rules import Board, Move, Square

SVG = "{http://www.w3.org/2000/svg}"
FIGURES = Path(__file__).parents[2] / "docs/figures.json"
SIZE = 60
"""The side of a square."""


def rectangles(root: ElementTree.Element, name: str) -> list[list[str]]:
    """The squares inside each rectangle of a class, in reading order."""
    found = []
    for rect in root.iter(f"{SVG}rect"):
        if name in rect.get("class", "").split():
            x, y, width, height = (float(rect.get(key, "")) for key in ("x", "y", "width", "height"))
            columns = range(round(x / SIZE), round((x + width) / SIZE))
            rows = range(round(y / SIZE), round((y + height) / SIZE))
            found.append([str(Square(9 * row + column)) for row in rows for column in columns])
    return sorted(found)


def tiles(root: ElementTree.Element) -> dict[str, str]:
    """Every tile of a picture by its square: `+7` or `=7`."""
    found = {}
    for group in root.iter(f"{SVG}g"):
        if group.get("class") == "tile":
            x, y = map(float, group.get("transform", "").removeprefix("translate(").removesuffix(")").split())
            total = any(part.get("class") == "total-edge" for part in group)
            digit = "".join(text.text or "" for text in group.iter(f"{SVG}text"))
            found[str(Square(9 * int(y // SIZE) + int(x // SIZE)))] = f"{'=' if total else '+'}{digit}"
    return found


def case(name: str, figure: dict[str, str], move: str, area: str) -> dict[str, object]:
    """What the picture of a move shows."""
    root = ElementTree.fromstring(svg.move(Board.of(figure["tiles"]), Move.parse(move), area=area))
    sums = sorted(text.text or "" for text in root.iter(f"{SVG}text") if text.get("class") == "label-text")
    return {
        "figure": name,
        "move": move,
        "tiles": tiles(root),
        "made": rectangles(root, "light"),
        "missed": rectangles(root, "miss"),
        "changed": sorted(square for (square,) in rectangles(root, "pen")),
        "sums": sums,
    }


def main() -> None:
    """Every move of every figure."""
    cases = [
        case(name, figure, move, f"a1:{'abcdefghi'[figure['columns'] - 1]}{figure['rows']}")
        for name, figure in json.loads(FIGURES.read_text(encoding="utf-8")).items()
        for move in figure["moves"]
    ]
    target = Path(__file__).with_name("figure-cases.json")
    target.write_text("[\n" + ",\n".join(map(json.dumps, cases)) + "\n]\n", encoding="utf-8")
    print(f"{len(cases)} moves of figures")


if __name__ == "__main__":
    main()
