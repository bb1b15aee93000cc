"""`riverstones verify`: check the record of a game."""

from datetime import date
from pathlib import Path

import pytest

from riverstones.notation.replay import record_of
from riverstones.notation.write import write_record
from riverstones.rules import Game, Setup

from .games import SEED, best
from .helpers import answer, assert_refused, riverstones_here


@pytest.fixture(scope="module")
def record() -> str:
    """The record of a whole game, with the seed of its deal."""
    game = Game.begin(Setup(), SEED.deal())
    while not game.over:
        game = game.play(best(game).move)
    return write_record(record_of(game, date=date(2026, 1, 6), seed=SEED))


@pytest.fixture(scope="module")
def wrong(record: str) -> str:
    """The same record with one point too many in its first turn."""
    assert "scores 8, total 8." in record
    return record.replace("scores 8, total 8.", "scores 9, total 9.", 1)


def test_a_sound_record_has_status_0(record: str, tmp_path: Path) -> None:
    file = tmp_path / "game.river"
    file.write_text(record, encoding="utf-8")
    done = riverstones_here("verify", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1
    assert riverstones_here("verify", "-", stdin=record).stdout == done.stdout
    assert answer("verify", str(file)) == {"readable": True, "sound": True, "fairness": "proven", "findings": []}


def test_a_record_that_disagrees_has_status_1_and_every_disagreement_its_line(wrong: str) -> None:
    done = riverstones_here("verify", "-", stdin=wrong)
    assert (done.returncode, done.stderr) == (1, "")
    *findings, _verdict = done.stdout.splitlines()
    line = next(number for number, text in enumerate(wrong.splitlines(), start=1) if "scores 9" in text)
    assert findings
    assert all(finding.startswith("-:") for finding in findings)
    assert findings[0].startswith(f"-:{line}:")
    told = riverstones_here("verify", "-", "--json", stdin=wrong)
    assert told.returncode == 1
    assert '"sound": false' in told.stdout
    assert f'"line": {line}' in told.stdout


def test_a_file_that_is_not_a_record_has_status_2() -> None:
    done = riverstones_here("verify", "-", stdin="Dear diary,\n")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stdout.startswith("-:1:1: ")
    told = riverstones_here("verify", "-", "--json", stdin="Dear diary,\n")
    assert told.returncode == 2
    assert '"readable": false' in told.stdout
    assert told.stderr == ""


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"\x00" * 100, b"[" * 2_000_000], ids=["", "utf16", "nul", "huge"])
def test_any_bytes_are_answered_without_a_traceback(data: bytes) -> None:
    done = riverstones_here("verify", "-", stdin=data)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    assert_refused(riverstones_here("verify", "no/such.river"), "The file “no/such.river” does not exist.")
    folder = tmp_path / "f"
    folder.mkdir()
    done = riverstones_here("verify", str(folder))
    assert done.returncode == 2
    assert done.stderr.endswith("cannot be read: Is a directory.\n")
    assert done.stderr.count("\n") == 1


def test_the_findings_come_in_the_language_asked_for(wrong: str) -> None:
    english = riverstones_here("verify", "-", stdin=wrong).stdout
    dutch = riverstones_here("verify", "-", "--language", "nl", stdin=wrong).stdout
    assert len(dutch.splitlines()) == len(english.splitlines())
    assert not set(dutch.splitlines()) & set(english.splitlines())
