"""The numbers of plays by depth match the files in `counts/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.divide import FOLDER, Case, by_brute_force, divide, tally, total, written

FILES = sorted(FOLDER.glob("*.txt"))
LONG = {"early-expert"}
"""Files with more than a million plays."""

every_file = pytest.mark.parametrize(
    "path", [pytest.param(path, marks=pytest.mark.slow if path.stem in LONG else (), id=path.stem) for path in FILES]
)


def differences(case: Case) -> list[str]:
    """Each first move whose subtotal at the largest depth differs from the file, with both numbers."""
    found = divide(case.game, len(case.tallies))
    return [
        f"{text}: stated {case.subtotals.get(text)}, counted {found.get(text)}"
        for text in sorted(found.keys() | case.subtotals.keys())
        if found.get(text) != case.subtotals.get(text)
    ]


@every_file
def test_the_counts_are_those_of_the_file(path: Path) -> None:
    case = Case.read(path)
    for depth, stated in enumerate(case.tallies[:-1], start=1):
        assert tally(case.game, depth) == stated, f"depth {depth}"
    assert differences(case) == []
    assert total(case.subtotals) == case.tallies[-1]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_brute_force_counts_the_same_plays_of_the_position_itself(path: Path) -> None:
    case = Case.read(path)
    assert tally(case.game, 1, by_brute_force) == case.tallies[0]
    assert sorted(by_brute_force(case.game)) == list(case.subtotals)


def test_a_file_is_written_as_it_was_read() -> None:
    path = FOLDER / "last-three-standard.txt"
    assert written(Case.read(path).game, 3) == path.read_text(encoding="ascii")


def test_a_difference_names_the_first_move_that_leads_to_it() -> None:
    case = Case.read(FOLDER / "last-three-standard.txt")
    move, stated = next(iter(case.subtotals.items()))
    wrong = Case(case.game, case.tallies, {**case.subtotals, move: stated._replace(plays=stated.plays + 1)})
    assert [line.split(":")[0] for line in differences(wrong)] == [move]
