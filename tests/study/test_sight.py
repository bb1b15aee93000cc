"""What a player sees and overlooks, counted from a report."""

from typing import Any

from riverstones.study.review import ReportData
from riverstones.study.sight import LONG_RUN, add, findings, nothing


def move(seat: int, kind: str = "best", *, counted: bool = True, **best: int) -> Any:
    what = {"move": "e4+1", "points": 9, "flips": 0, "addends": 2, "columns": 0, "kakuros": 1, **best}
    return {"seat": seat, "counted": counted, "class": kind, "best": what}


def report(*moves: Any) -> ReportData:
    seats: Any = [{"accuracy": 80.0, "counted": 12}, {"accuracy": None, "counted": 3}]
    return {"moves": list(moves), "seats": seats}  # type: ignore[typeddict-item]  # only what is read


def test_a_best_move_counts_for_everything_that_it_takes() -> None:
    found = findings(
        report(
            move(0, flips=1, columns=1),
            move(0, "blunder", flips=2),
            move(0, "good", addends=LONG_RUN, columns=2),
            move(0, addends=LONG_RUN - 1),
            move(0, addends=0, kakuros=0),
            move(0, "blunder", counted=False, flips=1),
            move(1, flips=1),
        ),
        0,
    )
    assert (found["accuracy"], found["counted"]) == (80.0, 12)
    assert found["sight"] == {
        "all": {"found": 3, "chances": 5},
        "flips": {"found": 1, "chances": 2},
        "long_runs": {"found": 0, "chances": 1},
        "columns": {"found": 1, "chances": 2},
        "rows": {"found": 1, "chances": 2},
    }


def test_games_add_up() -> None:
    one = findings(report(move(0, flips=1), move(0, "mistake", flips=1)), 0)["sight"]
    assert add(one, nothing()) == one
    assert add(one, one)["flips"] == {"found": 2, "chances": 4}
