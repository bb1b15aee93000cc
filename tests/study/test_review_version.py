"""Kept reviews are computed again when reviews come out different: nobody may forget to increase their version."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import isclose
from typing import Any

import pytest

pytest.importorskip("numba", reason="Numba is not installed")

from riverstones.study.review import REVIEW_VERSION

from .golden_reviews import FILE, reviews

WRITE = "write the golden reviews of the new version: python -m tests.study.golden_reviews"


def differences(found: Any, golden: Any, where: str = "") -> Iterator[str]:
    """What differs, and where. Numbers may differ by what mathematical functions of two systems do."""
    if isinstance(found, dict) and isinstance(golden, dict):
        for key in {**found, **golden}:
            yield from differences(found.get(key), golden.get(key), f"{where}/{key}")
    elif isinstance(found, list) and isinstance(golden, list) and len(found) == len(golden):
        for number, (one, two) in enumerate(zip(found, golden, strict=True)):
            yield from differences(one, two, f"{where}/{number}")
    elif isinstance(found, float) and isinstance(golden, float):
        if not isclose(found, golden, rel_tol=1e-9, abs_tol=1e-9):
            yield f"{where}: {golden} has become {found}"
    elif found != golden:
        yield f"{where}: {golden} has become {found}"


@pytest.mark.slow
def test_reviews_that_come_out_different_have_a_new_version() -> None:
    golden = json.loads(FILE.read_text(encoding="utf-8"))
    assert golden["version"] == REVIEW_VERSION, f"REVIEW_VERSION has changed; {WRITE}"
    found = json.loads(json.dumps(reviews()))
    changed = list(differences(found, golden["reviews"]))
    assert not changed, (
        "Reviews come out different, and those that are kept would stay as they are. If that is meant, increase "
        f"REVIEW_VERSION in study/review/report.py, and {WRITE}\n" + "\n".join(changed[:10])
    )
