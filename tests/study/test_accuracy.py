"""Accuracy: the formula, the classes, and the levels' usual values."""

from __future__ import annotations

from math import exp

import pytest

from riverstones.engine.bots import LEVELS
from riverstones.study.review.accuracy import (
    LEVEL_ACCURACY,
    MoveClass,
    accuracy,
    accuracy_of_move,
    class_of,
)


def test_the_accuracy_of_a_move_falls_by_e_every_eight_points() -> None:
    assert accuracy_of_move(8.0) == pytest.approx(100 / exp(1))
    assert accuracy_of_move(16.0) == pytest.approx(100 / exp(2))
    assert accuracy_of_move(0.05) == pytest.approx(100 * exp(-0.05 / 8))


def test_a_move_as_good_as_the_best_is_fully_accurate() -> None:
    assert accuracy_of_move(0.0) == accuracy_of_move(0.0499) == 100.0 > accuracy_of_move(0.05)


def test_the_accuracy_of_a_seat_is_the_mean_over_its_moves() -> None:
    assert accuracy([0.0] * 9 + [8.0]) == pytest.approx((900 + 100 / exp(1)) / 10)


def test_fewer_than_ten_moves_give_no_number() -> None:
    assert accuracy([0.0] * 9) is None
    assert accuracy([]) is None
    assert accuracy([0.0] * 10) == 100.0


@pytest.mark.parametrize(
    ("loss", "name"),
    [(0, "best"), (0.49, "best"), (0.5, "good"), (3.99, "good"), (4, "dubious"), (9.99, "dubious"), (10, "mistake"),
     (19.99, "mistake"), (20, "blunder"), (99, "blunder")],
)  # fmt: skip
def test_the_classes_begin_at_half_a_point_and_at_4_10_and_20(loss: float, name: str) -> None:
    assert class_of(loss) is MoveClass(name)


def test_the_usual_accuracy_of_the_levels_is_in_their_order() -> None:
    assert tuple(LEVEL_ACCURACY) == LEVELS, (
        "measure the new level with `python -m bench.accuracy` and add it to LEVEL_ACCURACY in study/review/accuracy.py"
    )
    means = [usual.mean for usual in LEVEL_ACCURACY.values()]
    assert means == sorted(means)
    assert 79 <= LEVEL_ACCURACY["river"].mean <= 90
    assert LEVEL_ACCURACY["ocean"].mean >= 98
