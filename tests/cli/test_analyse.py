"""`riverstones analyse`: the review of a recorded game as text, JSON, page and annotated record."""

import json
import signal
import subprocess
from pathlib import Path

import pytest

from riverstones.notation import read_record, record_of, replay, verify_record, write_record

from .helpers import COMMAND, assert_refused, environment, riverstones_here

pytest.importorskip("numba", reason="Numba is not installed")

PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"
GAME = PLAYTHROUGHS / "two-seats.river"


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The text output for a whole game, and the folder with its annotated record and its page."""
    folder = tmp_path_factory.mktemp("reviewed")
    files = "--out", str(folder / "annotated.river"), "--html", str(folder / "page.html")
    done = riverstones_here("analyse", str(GAME), *files)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout, folder


@pytest.mark.slow
def test_the_text_output_has_a_line_per_turn_and_seat(reviewed: tuple[str, Path]) -> None:
    lines = reviewed[0].splitlines()
    turns = read_record(GAME.read_bytes()).turns
    assert len(lines) == 67 + 1 + 2 + 2 + 2
    for number, (line, turn) in enumerate(zip(lines, turns, strict=False), start=1):
        assert line.startswith(f"{number:2}. ")
        assert line.split()[2:4] == [str(turn.move), str(turn.points)]
        assert line.endswith("best") or "better by" in line
    assert lines[68].startswith("Ada  accuracy ")
    assert "34 moves" in lines[68]
    assert lines[72].split()[0] == "Ada"


@pytest.mark.slow
def test_the_parts_printed_sum_to_the_result(reviewed: tuple[str, Path]) -> None:
    for line in reviewed[0].splitlines()[-2:]:
        *parts, result = map(float, line.split()[1:])
        assert sum(parts) == pytest.approx(result, abs=0.3)  # each is rounded to a tenth


@pytest.mark.slow
def test_the_annotated_record_is_sound_and_the_same_game(reviewed: tuple[str, Path]) -> None:
    out = reviewed[1] / "annotated.river"
    assert verify_record(out.read_bytes()).sound
    before, after = read_record(GAME.read_bytes()), read_record(out.read_bytes())
    assert [turn.move for turn in before.turns] == [turn.move for turn in after.turns]
    assert any(turn.annotation for turn in after.turns)


@pytest.mark.slow
@pytest.mark.parametrize(("option", "name"), [("--out", "annotated.river"), ("--html", "page.html")])
def test_no_file_is_overwritten(reviewed: tuple[str, Path], option: str, name: str) -> None:
    path = reviewed[1] / name
    before = path.read_bytes()
    assert_refused(riverstones_here("analyse", str(GAME), option, str(path)), f"The file {path} already exists.")
    assert path.read_bytes() == before


@pytest.mark.slow
def test_the_page_is_the_review_in_the_chosen_language(reviewed: tuple[str, Path], tmp_path: Path) -> None:
    english = (reviewed[1] / "page.html").read_text(encoding="utf-8")
    assert '<html lang="en">' in english
    assert "What mattered" in english
    short = PLAYTHROUGHS / "resigned.river"
    page = tmp_path / "page.html"
    done = riverstones_here("analyse", str(short), "--html", str(page), "--language", "nl", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    written = page.read_text(encoding="utf-8")
    assert '<html lang="nl">' in written
    assert "Wat ertoe deed" in written
    found = json.loads(done.stdout)
    assert json.loads(written.partition('id="review">')[2].partition("</script>")[0]) == found
    turns = read_record(short.read_bytes()).turns
    assert [(move["seat"], move["move"]) for move in found["moves"]] == [(turn.seat, str(turn.move)) for turn in turns]
    for seat, start in enumerate(found["start"]):
        parts = sum(move[part][seat] for move in found["moves"] for part in ("luck", "slip", "rest"))
        assert start + parts == pytest.approx(found["result"][seat], abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["claims-and-objections", "four-seats-corners", "three-seats-expert"])
def test_every_turn_is_judged(name: str, tmp_path: Path) -> None:
    """Of the first third of a game; the one of `reviewed` is whole."""
    games = replay(read_record((PLAYTHROUGHS / f"{name}.river").read_bytes()))
    path = tmp_path / "resigned.river"
    path.write_text(write_record(record_of(games[22], resigned=(0,))), encoding="utf-8")
    done = riverstones_here("analyse", str(path), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    turns = read_record(path.read_bytes()).turns
    assert len(turns) == 22
    assert [move["move"] for move in found["moves"]] == [str(turn.move) for turn in turns]
    assert all(move["loss"] >= 0 >= move["slip"][move["seat"]] for move in found["moves"])
    for seat, start in enumerate(found["start"]):
        parts = sum(move[part][seat] for move in found["moves"] for part in ("luck", "slip", "rest"))
        assert start + parts == pytest.approx(found["result"][seat], abs=1e-9)
    if name == "claims-and-objections":
        assert any(move["claim"] != move["points"] for move in found["moves"])


@pytest.mark.slow
def test_control_characters_in_a_name_are_not_printed(tmp_path: Path) -> None:
    path = tmp_path / "x.river"
    text = (PLAYTHROUGHS / "resigned.river").read_text(encoding="utf-8")
    path.write_text(text.replace('"Otter"', '"\\u{1B}[31mOtter"'), encoding="utf-8")
    done = riverstones_here("analyse", str(path))
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "[31mOtter" in done.stdout


def test_a_file_that_is_not_a_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.river"
    path.write_text("hello", encoding="utf-8")
    done = riverstones_here("analyse", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert riverstones_here("analyse", str(tmp_path / "none.river")).returncode == 2


def test_without_the_extra_the_command_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverstones.cli.analyse.has_kernel", lambda: False)
    done = riverstones_here("analyse", str(GAME))
    assert_refused(done, 'A review needs the extra “engine”: pip install "riverstones[engine]".')


@pytest.mark.slow
def test_it_can_be_interrupted_quietly() -> None:
    path = PLAYTHROUGHS / "four-seats-corners.river"
    command = [str(COMMAND), "analyse", str(path), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=6)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")
