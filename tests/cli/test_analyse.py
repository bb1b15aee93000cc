"""`riverstones analyse`: a recorded game, judged move by move."""

import json
from pathlib import Path

import pytest

from riverstones.notation import read_record, verify_record

from .helpers import assert_refused, riverstones_here

PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"
GAME = PLAYTHROUGHS / "two-seats.river"


@pytest.mark.parametrize("path", sorted(PLAYTHROUGHS.glob("*.river")), ids=lambda path: path.stem)
def test_every_turn_is_judged(path: Path) -> None:
    done = riverstones_here("analyse", str(path), "--level", "stream", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    turns = read_record(path.read_bytes()).turns
    assert [turn["seat"] for turn in found["turns"]] == [turn.seat for turn in turns]
    legal = [(judged["move"], str(turn.move)) for judged, turn in zip(found["turns"], turns, strict=True)]
    assert all(judged in (None, move) for judged, move in legal)
    assert sum(seat["moves"] for seat in found["seats"]) == len(turns)
    assert all(turn["loss"] >= 0 and turn["best"]["points"] <= turn["most_points"] for turn in found["turns"])


def test_the_text_output_has_a_line_per_turn_and_seat() -> None:
    done = riverstones_here("analyse", str(GAME), "--level", "stream")
    lines = done.stdout.splitlines()
    assert lines[0] == " 1. Ada  e6+1        9      best"
    assert len(lines) == 67 + 1 + 2
    assert lines[-2].startswith("Ada  34 moves, ")


def test_the_text_output_shows_points_not_claims() -> None:
    path = PLAYTHROUGHS / "claims-and-objections.river"
    lines = riverstones_here("analyse", str(path), "--level", "stream").stdout.splitlines()
    judged = json.loads(riverstones_here("analyse", str(path), "--level", "stream", "--json").stdout)["turns"]
    turns = read_record(path.read_bytes()).turns
    shown = [int(line.split(str(turn.move), 1)[1].split()[0]) for line, turn in zip(lines, turns, strict=False)]
    assert shown == [turn["points"] or 0 for turn in judged] != [turn.points for turn in turns]


def test_control_characters_in_a_name_are_not_printed(tmp_path: Path) -> None:
    path = tmp_path / "x.river"
    path.write_text(GAME.read_text(encoding="utf-8").replace('"Ada"', '"\\u{1B}[31mAda"'), encoding="utf-8")
    done = riverstones_here("analyse", str(path), "--level", "stream")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "[31mAda" in done.stdout


def test_the_annotated_record_is_sound_and_the_same_game(tmp_path: Path) -> None:
    out = tmp_path / "annotated.river"
    assert riverstones_here("analyse", str(GAME), "--level", "stream", "--out", str(out)).returncode == 0
    assert verify_record(out.read_bytes()).sound
    before, after = read_record(GAME.read_bytes()), read_record(out.read_bytes())
    assert [turn.move for turn in before.turns] == [turn.move for turn in after.turns]
    assert any(turn.annotation for turn in after.turns)
    refused = riverstones_here("analyse", str(GAME), "--level", "stream", "--out", str(out))
    assert_refused(refused, f"The file {out} already exists.")


@pytest.mark.parametrize("level", ["brook", "greedy", "lake"])
def test_a_level_that_ranks_no_plays_is_refused(level: str) -> None:
    done = riverstones_here("analyse", str(GAME), "--level", level)
    assert done.returncode == 2
    assert done.stderr.startswith(f"The level “{level}” cannot analyse here; stream, river")


def test_a_file_that_is_not_a_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.river"
    path.write_text("hello", encoding="utf-8")
    done = riverstones_here("analyse", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert riverstones_here("analyse", str(tmp_path / "none.river")).returncode == 2
