"""Every refusal has a sentence, and the schemas are published."""

import json
import re
from pathlib import Path

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from riverstones.notation import NotationError, say
from riverstones.rules import Board, Code, Malformed, Refused
from riverstones.server.errors import CLOSE_CODES, ServerErrorCode, all_codes, error_to_json
from riverstones.server.http.languages import language_of
from riverstones.server.protocol import schemas
from riverstones.study.refusals import StudyRefusal
from riverstones.table import NotAllowed, TableRefusal
from riverstones.words import LANGUAGES, messages, phrase
from tools.schemas import documents

from .running import API, Answer, Running, Socket


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_its_sentence(language: str) -> None:
    known = {key.removeprefix("refusal_") for key in messages(language) if key.startswith("refusal_")}
    assert {*TableRefusal, *StudyRefusal, *ServerErrorCode} - known == set()


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("fr", "fr"),
        ("FR-ca", "fr"),
        ("xx, nl;q=0.8, en;q=0.5", "nl"),
        ("en;q=0.4, it;q=0.9", "it"),
        ("es, it", "es"),
        ("xx", "en"),
        ("fr;q=0", "en"),
        ("fr;q=nan, it;q=x, es;z=1", "en"),
        ("x" * 10_000 + ",fr", "fr"),
        ("x," * 10_000 + "fr", "en"),
    ],
)
def test_the_language_follows_accept_language(accepted: str | None, language: str) -> None:
    assert language_of(accepted) == language


def test_refusals_are_in_the_language_of_the_request(server: Running) -> None:
    ann = server.client("Ann")
    ann.http.headers["accept-language"] = "it"
    with pytest.raises(Answer) as refused:
        ann.get("/tables/nowhere")
    assert refused.value.error["text"] == phrase("refusal_no_such_table", {}, "it")
    foreign = ann.http.post("/api/v1/me", json={"name": "x"}, headers={"origin": "http://evil.example"})
    assert foreign.json()["error"]["text"] == phrase("refusal_wrong_origin", {}, "it")
    judged = ann.http.post("/api/v1/study/explain", json={"board": "x", "move": "e4+1"})
    assert judged.json()["error"]["text"] == say(_malformed(), "it")


def _malformed() -> NotationError | Malformed:
    try:
        Board.parse("x")
    except (NotationError, Malformed) as error:
        return error
    raise AssertionError


def test_a_socket_uses_the_language_of_its_handshake(server: Running) -> None:
    ann = server.client("Ann")
    table = ann.make_table("me", "stream")
    cookie = f"riverstones={ann.http.cookies['riverstones']}"
    url = f"ws://127.0.0.1:{server.port}{API}/tables/{table}/socket"
    headers = {"cookie": cookie, "accept-language": "nl-BE, nl;q=0.9"}
    with connect(url, legacy=True, origin=Origin(server.url), additional_headers=headers) as raw:
        socket = Socket(raw)
        socket.send({"type": "hello", "protocol": 1})
        assert socket.do("resume", seat=0)["error"]["text"] == phrase("refusal_not_paused", {}, "nl")
        refused = socket.do("play", seat=0, turn=0, move="a1+1")["error"]
        assert refused["text"] == say(Refused(Code(refused["code"]), **refused["params"]), "nl")


def test_no_code_is_used_twice() -> None:
    codes = [str(code) for code in (*TableRefusal, *StudyRefusal, *ServerErrorCode, *Code)]
    assert len(set(codes)) == len(codes)


def test_a_refusal_is_code_params_and_sentence() -> None:
    assert error_to_json(NotAllowed(TableRefusal.SEAT_TAKEN, seat=2)) == {
        "code": "seat_taken",
        "params": {"seat": 2},
        "text": "That seat is taken.",
    }
    assert error_to_json(Refused(Code.GAP, square="d1"))["code"] == "gap"
    assert "text" in error_to_json(Malformed("move", text="x" * 1000))


def test_long_input_is_not_echoed() -> None:
    assert len(str(error_to_json(Malformed("move", text="x" * 100_000)))) < 1000


@pytest.mark.parametrize("side", ["client", "server"])
def test_the_schemas_name_every_message(side: str) -> None:
    told = str(schemas()[side])
    document = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    for kind in re.findall(r"'const': '(\w+)'", told):
        assert re.search(rf"`\"?{kind}\"?`|\"type\": \"{kind}\"", document), kind


@pytest.mark.parametrize("code", sorted(set(CLOSE_CODES.values())))
def test_every_close_code_is_in_the_docs(code: int) -> None:
    document = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    assert f"\n| {code} | " in document, f"add a row for {code} to the table of close codes in docs/protocol.md"


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_the_published_schemas_are_up_to_date(path: Path) -> None:
    published = json.loads(path.read_text(encoding="utf-8"))
    assert published == json.loads(json.dumps(documents()[path])), "run `make schemas`"


def test_every_code_is_published() -> None:
    assert set(all_codes()) == {str(code) for code in (*TableRefusal, *StudyRefusal, *ServerErrorCode)}
