"""The examples of docs/notation.md are valid."""

import json
import re
from pathlib import Path

import pytest

from riverstones.notation import (
    Fairness,
    check_record,
    explanation_to_json,
    format_position,
    parse_position,
    play_to_json,
    position_from_json,
    position_to_json,
    read_record,
    record_from_json,
    record_to_json,
    verify_record,
    write_record,
)
from riverstones.notation.lines import read_end
from riverstones.notation.pieces import Piece
from riverstones.notation.quoting import comment_line, quote
from riverstones.notation.record import OWN_TAGS
from riverstones.notation.write import format_end
from riverstones.rules import Board, Move, explain, plays

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")


def examples(kind: str) -> str:
    """The only example block of this kind."""
    (block,) = re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(block)


@pytest.mark.parametrize("text", examples("move").split())
def test_a_move(text: str) -> None:
    assert str(Move.parse(text)) == text


def test_the_board_is_that_of_figure_7() -> None:
    figure = Board.of("a3=1 b3+8 c3+2 d3+1 e3+4 f3+5 g3+2 e4+3 e5+1")
    assert Board.parse(examples("board").strip()) == figure
    assert json.loads(examples("json explanation")) == explanation_to_json(explain(figure, Move.parse("h3+7~e3")))


@pytest.mark.parametrize("line", examples("position").splitlines())
def test_a_position(line: str) -> None:
    assert format_position(parse_position(line)) == line


def test_the_record_is_in_canonical_form_and_sound() -> None:
    text = examples("record")
    found = verify_record(text)
    assert [finding.say() for finding in found.findings] == []
    assert found.fairness is Fairness.PROVEN
    assert write_record(read_record(text)) == text


@pytest.mark.parametrize("line", examples("end").splitlines())
def test_an_end(line: str) -> None:
    assert format_end(read_end(Piece(line, 1, 1))) == line


def test_the_json_examples() -> None:
    play = plays(Board.of("a1=8 b1+3"), (5,))[0]
    assert json.loads(examples("json play")) == play_to_json(play)
    position = json.loads(examples("json position"))
    assert position_to_json(position_from_json(position)) == position
    record = json.loads(examples("json record"))
    assert record_to_json(record_from_json(record)) == record
    assert check_record(record_from_json(record)) == []


def test_the_table_of_tags_is_complete() -> None:
    table = re.findall(r"^\| `([A-Z][a-z]+)(?: \d)?`", PAGE, re.MULTILINE)
    assert tuple(table) == OWN_TAGS


def test_the_list_of_hidden_characters_is_complete() -> None:
    sentence = re.search(r"direction of writing: (.*?)\.\s+Everything else", PAGE, re.DOTALL)
    assert sentence is not None
    hidden: set[int] = set()
    for first, last in re.findall(r"U\+([0-9A-F]{4})(?:\s+to\s+U\+([0-9A-F]{4}))?", sentence[1]):
        hidden.update(range(int(first, 16), int(last or first, 16) + 1))
    for number in range(0x11000):
        shown = chr(number) not in '\\"'
        escaped = f"\\u{{{number:X}}}"
        assert (quote(chr(number)) == f'"{escaped}"') == (number in hidden)
        if shown and chr(number) != " ":
            assert (comment_line(chr(number)) == f"# {escaped}") == (number in hidden)


def test_the_python_example_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.river").write_text(examples("record"), encoding="utf-8")
    exec(examples("python").replace("game.river", str(tmp_path / "game.river")), {})
    assert "(22, 0)" in capsys.readouterr().out
