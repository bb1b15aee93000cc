"""Reviews of a few turns of fixed games, as they come out in the present version of reviews.

`python -m tests.study.golden_reviews` writes the file for a new version; that of a version is never written anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from riverstones.notation import read_record, replay
from riverstones.study.review import REVIEW_VERSION, Circumstances, review_game, to_json

FILE = Path(__file__).with_name("golden_reviews.json")
PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"
TURNS = {
    "two-seats": ((0, 2), (61, 67)),
    "claims-and-objections": ((7, 8),),
    "three-seats-expert": ((20, 21), (64, 67)),
    "four-seats-corners": ((40, 41),),
}
"""For each game the turns to review, so that each method of the engine is used."""


def reviews() -> dict[str, Any]:
    """The reviews, by game and turns."""
    found = {}
    for name, parts in TURNS.items():
        record = read_record((PLAYTHROUGHS / f"{name}.river").read_bytes())
        games, circumstances = replay(record), Circumstances.of(record)
        for first, last in parts:
            found[f"{name} {first}-{last}"] = to_json(review_game(games[first : last + 1], circumstances))
    return found


def main() -> None:
    before = json.loads(FILE.read_text(encoding="utf-8"))["version"] if FILE.exists() else None
    if before == REVIEW_VERSION:
        raise SystemExit(f"The reviews of version {before} are there already. Increase REVIEW_VERSION.")
    golden = {"version": REVIEW_VERSION, "reviews": reviews()}
    FILE.write_text(json.dumps(golden, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
