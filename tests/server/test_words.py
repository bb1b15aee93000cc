"""Every refusal can be said, and the schemas are there for everybody."""

import json
import re
from pathlib import Path

import pytest

from riverstones.rules import Code, Malformed, Refused
from riverstones.server.errors import Trouble, all_codes, error_to_json
from riverstones.server.protocol import schemas
from riverstones.server.words import WORDS
from riverstones.table import No, NotAllowed


def test_every_code_has_its_sentence() -> None:
    phrases = WORDS.phrases("en")
    assert {str(code) for code in (*No, *Trouble)} == set(phrases)
    assert all(text[0].isupper() and text[-1] in ".;" for text in phrases.values())


def test_no_code_means_two_things() -> None:
    codes = [str(code) for code in (*No, *Trouble, *Code)]
    assert len(set(codes)) == len(codes)


def test_a_refusal_is_code_params_and_sentence() -> None:
    assert error_to_json(NotAllowed(No.SEAT_TAKEN, seat=2)) == {
        "code": "seat_taken",
        "params": {"seat": 2},
        "text": "Seat 2 is taken.",
    }
    assert error_to_json(Refused(Code.GAP, square="d1"))["code"] == "gap"
    assert "text" in error_to_json(Malformed("move", text="x" * 1000))


def test_what_somebody_wrote_is_not_echoed_at_length() -> None:
    assert len(str(error_to_json(Malformed("move", text="x" * 100_000)))) < 1000


@pytest.mark.parametrize("side", ["client", "server"])
def test_the_schemas_name_every_message(side: str) -> None:
    told = str(schemas()[side])
    document = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    for kind in re.findall(r"'const': '(\w+)'", told):
        assert re.search(rf"`\"?{kind}\"?`|\"type\": \"{kind}\"", document), kind


def test_the_schemas_are_kept_beside_the_documentation() -> None:
    """`python -m riverstones.server.protocol > docs/protocol.schema.json` writes them anew."""
    kept = (Path(__file__).parents[2] / "docs" / "protocol.schema.json").read_text(encoding="utf-8")
    assert json.loads(kept) == json.loads(json.dumps(schemas()))


def test_every_code_is_published() -> None:
    assert set(all_codes()) == {str(code) for code in (*No, *Trouble)}
