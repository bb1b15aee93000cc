"""Study over HTTP: ranked plays, attempts at puzzles, and the progress that people keep."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from riverstones.notation import format_position, parse_position
from riverstones.rules import Board, Move, Position, Seed, plays
from riverstones.server.storage import Store
from riverstones.server.storage.accounts import StoredPerson
from riverstones.server.storage.study import Attempt, Skill, StoredProgress
from riverstones.server.study.puzzle_ratings import MIDDLE, NEW_SOLVER, grades, of_grade, rate, shown
from riverstones.study.in_play import is_like
from riverstones.words import LANGUAGES, phrase

from .running import API, Answer, Client, Running, play_out
from .test_accounts import refused
from .test_lists import game_of
from .test_storage import with_store

START = (
    "........./........./....6..../........./..9.D.7../........./....4..../........./......... 0 27,?? 0,0 63 standard"
)


def analyse(client: Client, position: str) -> Any:
    return client.post("/study/analyse", {"position": position})


def test_every_play_of_a_position_is_ranked(server: Running) -> None:
    told = analyse(server.client(None), START)
    position = parse_position(START)
    assert {(play["move"], play["points"]) for play in told["plays"]} == {
        (str(play.move), play.points) for play in position.plays()
    }
    worth = [play["worth"] for play in told["plays"]]
    assert worth == sorted(worth, reverse=True)
    assert (told["method"], told["exact"]) == ("look-ahead", False)


def test_other_hands_and_their_order_change_no_byte(server: Running) -> None:
    """Nothing hidden can come out: the answer depends only on what the seat to move knows."""
    ann = server.client("Ann")
    answers = {
        ann.http.post(f"{API}/study/analyse", json={"position": START.replace("??", hand)}).text
        for hand in ("??", "11", "89", "5?")
    }
    assert len(answers) == 1


@pytest.mark.parametrize(
    ("position", "code"),
    [
        (START.replace("27", "2?"), "hand_not_known"),
        (START.replace("27", "-").replace("63", "65"), "hand_not_known"),
        (START.replace("63", "62"), "tile_count"),
        ("nonsense", "position_fields"),
    ],
)
def test_a_position_that_cannot_be_analysed_is_refused(server: Running, position: str, code: str) -> None:
    refused(400, code, analyse, server.client("Ann"), position)


def position_at(client: Client, table: str, seat: int) -> Position:
    """The position of a table as the seat to move knows it."""
    told = client.get(f"/tables/{table}?seat={seat}")
    public = parse_position(told["now"]["position"])
    hand = "".join(map(str, told["you"]["hand"]))
    hands = ",".join(hand if number == public.to_move else "??" for number in range(len(public.hands)))
    fields = format_position(public).split(" ")
    return parse_position(" ".join([*fields[:2], hands, *fields[3:]]))


def with_board(position: Position, board: Board) -> str:
    """The position with another board, and a hand of one tile that this leaves; the bag makes up for the difference."""
    fields = format_position(position).split(" ")
    mine = next(digit for digit in range(1, 10) if board.count(digit) < 8)
    hands = [str(mine) if seat == position.to_move else "??" for seat in range(len(position.hands))]
    bag = 72 - len(board) - len("".join(hands))
    return " ".join([str(board), fields[1], ",".join(hands), fields[3], str(bag), fields[5]])


def reflected(board: Board) -> Board:
    return Board("".join(board.cells[9 * column + row] for row in range(9) for column in range(9)))


def test_positions_of_a_running_game_are_refused_to_its_players(server: Running) -> None:
    ann, bob, eve = server.client("Ann"), server.client("Bob"), server.client("Eve")
    table = game_of(ann, bob)
    sockets = [ann.socket(table), bob.socket(table)]
    for socket in sockets:
        socket.wait("snapshot")
    play_out(sockets, random.Random(4), turns=20)
    position = position_at(ann, table, 0)
    play = position.plays()[0]
    last, before = (Move.parse(turn["move"]) for turn in reversed(ann.get(f"/tables/{table}")["turns"][-2:]))
    forms = {
        "the board itself": position.board,
        "a move that is considered": play.move.on(position.board),
        "before the last move": position.board.clear(last.square),
        "reflected": reflected(position.board),
        "all flipped": position.board.flip(square for square, _ in position.board),
    }
    for form, board in forms.items():
        text = with_board(position, board)
        for client in (ann, bob):
            with pytest.raises(Answer) as answer:
                analyse(client, text)
            assert (answer.value.status, answer.value.code) == (409, "position_in_play"), form
        assert analyse(eve, text)["plays"], form
        assert analyse(server.client(None), text)["plays"], form
    earlier = position.board.clear(last.square).clear(before.square)
    assert analyse(ann, with_board(position, earlier))["plays"]
    token = ann.post("/programs", {"name": "Otter"})["token"]
    program = server.client(None)
    program.http.headers["authorization"] = f"Bearer {token}"
    refused(409, "position_in_play", analyse, program, with_board(position, position.board))
    ann.do(table, "resign", seat=0)
    for client in (ann, bob, program):
        assert analyse(client, with_board(position, position.board))["plays"]


def refused_text(client: Client, position: str, language: str) -> str:
    client.http.headers["accept-language"] = language
    return str(client.http.post(f"{API}/study/analyse", json={"position": position}).json()["error"]["text"])


def test_the_refusal_is_a_sentence_in_five_languages(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    position = format_position(position_at(ann, game_of(ann, bob), 0))
    said = {language: refused_text(ann, position, language) for language in LANGUAGES}
    assert said == {language: phrase("refusal_position_in_play", {}, language) for language in LANGUAGES}
    assert len(set(said.values())) == len(LANGUAGES)


def test_boards_are_alike_up_to_one_square_and_the_diagonal() -> None:
    board = Board.of("e5=4 e3+6 c5+9 g5+7 e7+4 e4+2")
    assert is_like(board, board)
    assert is_like(reflected(board), board)
    assert is_like(board.clear(next(square for square, _ in board)), board)
    assert not is_like(Board.of("e5=4 e3+6 c5+9 g5+7 e7+4 e6+2"), board)
    assert not is_like(Board(), board)


def test_the_answer_does_not_depend_on_what_is_hidden_at_ones_own_tables(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two running games that differ only in the opponent's hand and the bag refuse and answer alike."""
    heard = []
    original = Seed(bytes(32)).deal()
    digits = list(original.digits)
    twin = type(original)(tuple(digits[:7] + digits[:6:-1]))
    assert twin != original
    for deal in (original, twin):
        monkeypatch.setattr(Seed, "deal", lambda self, deal=deal: deal)
        ann, bob = server.client("Ann"), server.client("Bob")
        position = position_at(ann, game_of(ann, bob), 0)
        boards = [position.board, *(play.move.on(position.board) for play in position.plays()[:5]), Board.of("e5=4")]
        for board in boards:
            answer = ann.http.post(f"{API}/study/analyse", json={"position": with_board(position, board)})
            heard.append((answer.status_code, answer.text))
    assert heard[: len(heard) // 2] == heard[len(heard) // 2 :]


# Puzzles


PUZZLES = list(grades())


def test_only_the_first_attempt_at_a_puzzle_counts(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    path = f"/study/puzzles/{PUZZLES[0]}/attempts"
    told = ann.post(path, {"solved": True})
    mine, its = rate(NEW_SOLVER, of_grade(grades()[PUZZLES[0]]), solved=True)
    assert told == {"first": True, "rating": shown(mine), "puzzle": shown(its)}
    assert told["rating"]["value"] > shown(NEW_SOLVER)["value"]
    assert ann.post(path, {"solved": False}) == {**told, "first": False}
    failed = bob.post(path, {"solved": False})
    assert failed["rating"]["value"] < shown(NEW_SOLVER)["value"]
    assert failed["puzzle"]["value"] > told["puzzle"]["value"]
    assert failed["puzzle"]["spread"] < told["puzzle"]["spread"]
    assert ann.get("/study/puzzles/ratings")["ratings"][PUZZLES[0]] == failed["puzzle"]["value"]
    assert ann.post(path, {"solved": True}) == {**failed, "first": False, "rating": told["rating"]}


def test_harder_grades_start_higher() -> None:
    values = [shown(of_grade(grade))["value"] for grade in range(1, 11)]
    assert values == sorted(set(values))
    middle = of_grade(MIDDLE)
    assert shown(middle)["value"] == shown(NEW_SOLVER)["value"]


def test_the_examples_of_the_docs_are_computed() -> None:
    page = (Path(__file__).parents[2] / "docs" / "study.md").read_text(encoding="utf-8")
    before = shown(NEW_SOLVER), shown(of_grade(6))
    assert "({value} ± {spread}) tries".format(**before[0]) in page
    assert "({value} ± {spread}).".format(**before[1]) in page
    for outcome, solved in (("solved", True), ("not solved", False)):
        after = [shown(skill) for skill in rate(NEW_SOLVER, of_grade(6), solved=solved)]
        cells = ["{value} ± {spread}".format(**rating) for rating in after]
        assert f"| {outcome} | {cells[0]} | {cells[1]} |" in page
    for grade in (1, 10):
        assert "{value} for grade".format(**shown(of_grade(grade))) in page
    assert START in page


def test_attempts_need_a_name_and_a_puzzle(server: Running) -> None:
    ann, path = server.client("Ann"), f"/study/puzzles/{PUZZLES[1]}/attempts"
    refused(401, "not_signed_in", server.client(None).post, path, {"solved": True})
    refused(422, "bad_message", ann.post, path, {"solved": "maybe"})
    refused(422, "bad_message", ann.post, "/study/puzzles/a.b/attempts", {"solved": True})
    refused(404, "no_such_puzzle", ann.post, "/study/puzzles/nosuchone/attempts", {"solved": True})
    assert PUZZLES[1] not in ann.get("/study/puzzles/ratings")["ratings"]


# Progress


def progress(grade: int, **slips: Any) -> dict[str, Any]:
    """Progress in the form that the page writes."""
    return {"version": 1, "days": {}, "tried": {}, "rush": [], "slips": slips, "level": [grade, 0]}


def put(client: Client, version: int, data: Any) -> Any:
    return client.request("PUT", "/account/study", {"version": version, "data": data})


def test_progress_is_kept_and_a_slower_device_gets_what_the_faster_one_wrote(server: Running) -> None:
    ann, phone = server.client("Ann"), server.client(None)
    phone.post("/account/links/redeem", {"code": ann.post("/account/links")["code"]})
    assert ann.get("/account/study") == {"version": 0, "data": None}
    data = progress(3, name="Ünïcode ✓ \u0000")
    assert put(ann, 0, data) == {"version": 1, "data": data, "kept": True}
    assert put(phone, 0, progress(1)) == {"version": 1, "data": data, "kept": False}
    assert phone.get("/account/study") == {"version": 1, "data": data}
    assert put(phone, 1, progress(4))["kept"]
    assert put(phone, 1, progress(4))["kept"], "the same write again, because its answer was lost"
    assert put(ann, 1, progress(5)) == {"version": 2, "data": progress(4), "kept": False}
    assert put(ann, 7, progress(1))["kept"] is False
    assert ann.get("/account/study") == {"version": 2, "data": progress(4)}


def test_progress_is_bounded(server: Running) -> None:
    ann = server.client("Ann")
    room = 64 * 1024 - len(json.dumps(progress(1, x=""), separators=(",", ":")))
    assert put(ann, 0, progress(1, x="y" * room))["kept"]
    refused(413, "body_too_large", put, ann, 1, progress(1, x="y" * (room + 1)))
    refused(422, "bad_message", put, ann, -1, progress(1))
    wrong = [[1, 2], {}, {**progress(1), "more": 1}, {**progress(1), "days": []}, {**progress(1), "version": True}]
    for data in wrong:
        refused(422, "bad_message", put, ann, 1, data)
    for value in ('"\\ud800"', "1e999"):
        body = json.dumps({"version": 1, "data": progress(1, x="?")}).replace('"?"', value)
        answer = ann.http.put(f"{API}/account/study", content=body, headers={"content-type": "application/json"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_message")
    assert ann.get("/account/study")["version"] == 1
    refused(401, "not_signed_in", put, server.client(None), 0, progress(1))


def test_the_progress_of_a_guest_is_carried_over_exported_and_deleted(server: Running) -> None:
    ann, device = server.client("Ann"), server.client("Guest")
    ann.keep_account()
    put(device, 0, progress(5))
    both, only_guest = PUZZLES[2:4]
    for puzzle, solved in ((both, True), (only_guest, False)):
        device.post(f"/study/puzzles/{puzzle}/attempts", {"solved": solved})
    rating = ann.post(f"/study/puzzles/{both}/attempts", {"solved": False})["rating"]
    device.post("/account/links/redeem", {"code": ann.post("/account/links")["code"]})
    told = ann.get("/account/export")
    assert told["study"] == progress(5)
    assert told["profile"]["puzzles"] == {"tried": 2, "solved": 0, "rating": rating}
    assert {each["puzzle"]: each["solved"] for each in told["attempts"]} == {both: False, only_guest: False}
    assert not ann.post(f"/study/puzzles/{only_guest}/attempts", {"solved": True})["first"]
    person = ann.person
    ann.post("/account/delete", {"name": "Ann"})
    again = server.client("Ann")
    assert again.get("/account/study")["data"] is None
    assert again.person != person


def test_an_accounts_own_progress_is_not_replaced_by_a_guests(server: Running) -> None:
    ann, device = server.client("Ann"), server.client("Guest")
    put(ann, 0, progress(9))
    put(device, 0, progress(1))
    device.post("/account/links/redeem", {"code": ann.post("/account/links")["code"]})
    assert device.get("/account/study") == {"version": 1, "data": progress(9)}


# Both databases


def test_study_rows_are_stored_and_deleted_with_their_person(new_database: Callable[[], str]) -> None:
    async def work(store: Store) -> None:
        for person in ("ann", "bob"):
            await store.accounts.add(StoredPerson(person, person, "teal"), f"hash-{person}", 1)
        rated = (Skill(26.0, 8.0), Skill(24.0, 4.0))
        assert await store.study.attempt("ann", Attempt("p1", True, 5), lambda mine, its: rated) == (True, *rated)
        other = (Skill(1.0, 1.0), Skill(2.0, 2.0))
        assert await store.study.attempt("ann", Attempt("p1", False, 6), lambda mine, its: other) == (False, *rated)
        seen: list[Any] = []

        def second(mine: Skill | None, its: Skill | None) -> tuple[Skill, Skill]:
            seen.append((mine, its))
            return Skill(23.0, 7.0), Skill(25.0, 3.0)

        await store.study.attempt("bob", Attempt("p1", False, 7), second)
        assert seen == [(None, rated[1])]
        assert await store.study.puzzles() == {"p1": Skill(25.0, 3.0)}
        assert (await store.study.keep_progress("ann", 0, "{}")).version == 1
        assert await store.study.keep_progress("ann", 0, '{"a":1}') == StoredProgress(1, "{}")
        await store.accounts.carry_over("ann", "bob")
        assert await store.study.attempts_of("bob") == [Attempt("p1", False, 7)]
        assert await store.study.progress("bob") == StoredProgress(1, "{}")
        assert await store.study.solver("bob") == Skill(23.0, 7.0)
        await store.accounts.remove("ann")
        assert await store.study.attempts_of("ann") == []
        assert await store.study.solver("ann") is None
        assert await store.study.progress("ann") == StoredProgress()

    with_store(new_database(), work)


def test_the_plays_of_every_answer_are_legal(server: Running) -> None:
    """Along a game: what is ranked is what the rules allow, in the middle and at the end."""
    position = parse_position(START)
    client, rng = server.client(None), random.Random(2)
    board = position.board
    for _ in range(6):
        board = rng.choice(plays(board, (2, 7), position.variant)[:8]).move.on(board)
        told = analyse(client, with_board(position, board))
        assert {play["move"] for play in told["plays"]} == {str(play.move) for play in plays(board, (1,))}
