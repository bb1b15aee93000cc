"""Games that a device has kept without a server, added to an account."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from limits import parse

from riverstones.notation import Fairness, verify_record
from riverstones.rules import Game, Scoring, Seed, Setup
from riverstones.server.http import rate_limits
from riverstones.table import decision

from .running import API, Answer, Client, Running, running, settings_for
from .test_accounts import refused
from .test_storage import with_store

SEED = "00112233445566778899aabbccddeeff" * 2
CREATED_MS = 1_790_000_000_000
SOLO: tuple[dict[str, str], ...] = ({}, {"level": "drop"})


@cache
def whole_game(seats: int = 2, scoring: Scoring = Scoring.AUTOMATIC) -> Game:
    """A game in which everybody makes the best play; with claims, the first is too high and objected to."""
    game = Game.begin(Setup(seats, scoring=scoring), Seed.parse(SEED).deal())
    while not game.over:
        play = game.plays()[0]
        first = not game.turns
        claim = play.points + first if scoring is Scoring.CLAIMS else None
        game = game.play(play.move, claim=claim)
        if first and scoring is Scoring.CLAIMS:
            game = game.object(1)
    return game


def body(game: Game, *seats: dict[str, str], most: int = 100, **changes: Any) -> dict[str, Any]:
    """What a device sends about a game."""
    return {
        "options": {"seats": len(seats), "scoring": game.setup.scoring.value},
        "seats": seats,
        "seed": SEED,
        "created_ms": CREATED_MS,
        "turns": [
            {
                "move": str(turn.move),
                "at_ms": CREATED_MS + number,
                "claim": turn.claim,
                "objections": [objection.seat for objection in turn.objections],
            }
            for number, turn in enumerate(game.turns[:most])
        ],
        "ended_ms": CREATED_MS + 1_000,
        **changes,
    }


@pytest.fixture
def ann(server: Running) -> Client:
    """Somebody with an account."""
    ann = server.client("Ann")
    ann.keep_account()
    return ann


def test_a_game_is_added_once_and_marked_and_not_rated(ann: Client) -> None:
    game = whole_game()
    made = ann.post("/games", body(game, *SOLO))
    assert ann.post("/games", body(game, *SOLO)) == made
    (listed,) = ann.get("/games")["games"]
    assert (listed["table"], listed["phase"], listed["scores"]) == (made["table"], "over", list(game.scores))
    assert [chair["name"] for chair in listed["chairs"]] == ["Ann", "drop"]
    told = ann.get(f"/tables/{made['table']}")
    assert told["device"]
    assert told["commitment"] is None
    assert (told["created_ms"], told["result"]["ended_ms"]) == (CREATED_MS, CREATED_MS + 1_000)
    assert len(told["turns"]) == len(game.turns)
    assert ann.get("/me")["rating"] is None
    assert ann.get("/profile/me")["games"] == 1
    record = ann.http.get(f"{API}/tables/{made['table']}/record").text
    assert verify_record(record).fairness is Fairness.UNCOMMITTED  # the server has not seen the seed before the end


def test_the_deal_of_a_guided_game_is_taken_and_not_searched(ann: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[bytes] = []

    def search(entropy: bytes) -> Seed:
        searched.append(entropy)
        return Seed(entropy)

    monkeypatch.setattr(decision, "guided_seed", search)
    made = ann.post("/games", body(whole_game(), *SOLO, options={"guided": True}))
    told = ann.get(f"/tables/{made['table']}")
    assert told["options"]["guided"]
    assert told["result"]["seed"] == SEED
    assert not searched


def test_an_ordinary_table_is_not_marked(ann: Client) -> None:
    assert not ann.get(f"/tables/{ann.make_table('me', 'drop')}")["device"]


def test_claims_objections_and_a_clock_that_is_wrong(ann: Client) -> None:
    game = whole_game(scoring=Scoring.CLAIMS)
    tomorrow_ms = time.time_ns() // 1_000_000 + 86_400_000
    sent = body(game, {"name": "Bo"}, {"name": "Cy"}, ended_ms=tomorrow_ms)
    told = ann.get(f"/tables/{ann.post('/games', sent)['table']}")
    assert [chair["name"] for chair in told["chairs"]] == ["Bo", "Cy"]
    assert told["result"]["scores"] == list(game.scores)
    assert [objection["upheld"] for objection in told["turns"][0]["objections"]] == [True]
    assert told["result"]["ended_ms"] < tomorrow_ms


def test_resignations(ann: Client) -> None:
    game = whole_game(3)
    given_up = [{"seat": 0, "turn": 4, "at_ms": 0}, {"seat": 1, "turn": 7, "at_ms": 0}]
    seats = ({"name": "Bo"}, {"name": "Cy"}, {"level": "ocean"})
    told = ann.get(f"/tables/{ann.post('/games', body(game, *seats, most=7, resignations=given_up))['table']}")
    assert told["result"]["resigned"] == [0, 1]
    assert told["result"]["winners"] == [2]


def test_each_account_has_its_own_copy(server: Running, ann: Client) -> None:
    bob = server.client("Bob")
    bob.keep_account()
    sent = body(whole_game(), *SOLO)
    assert ann.post("/games", sent) != bob.post("/games", sent)


def test_a_guest_is_told_to_make_an_account(server: Running) -> None:
    refused(403, "needs_account", server.client("Eve").post, "/games", body(whole_game(), *SOLO))


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("not_over", {"turns": []}),
        ("not_adjacent", {"turns": [{"move": "a1+1", "at_ms": 0}]}),
        ("seed_text", {"seed": "x" * 64}),
        ("rated_is_for_people", {"options": {"rated": True}}),
        ("bad_level", {"seats": [{}, {"level": "sea"}]}),
        ("bad_seat_count", {"options": {"seats": 3}}),
        ("needs_a_person", {"seats": [{"level": "drop"}, {"level": "drop"}]}),
        ("not_your_seat", {"resignations": [{"seat": 1, "turn": 0, "at_ms": 0}]}),
        ("bad_message", {"turns": [{"move": "a1+1", "at_ms": 0}] * 73}),
        ("bad_message", {"unknown": 1}),
    ],
)
def test_anything_but_a_finished_game_is_refused_and_not_stored(
    ann: Client, code: str, changes: dict[str, Any]
) -> None:
    with pytest.raises(Answer) as answer:
        ann.post("/games", body(whole_game(), *SOLO, **changes))
    assert answer.value.code == code
    assert ann.get("/games")["games"] == []


def test_a_game_that_goes_on_after_its_end_is_refused(ann: Client) -> None:
    sent = body(whole_game(), *SOLO, resignations=[{"seat": 0, "turn": 3, "at_ms": 0}])
    refused(409, "table_over", ann.post, "/games", sent)


def test_an_old_game_that_was_added_today_is_not_purged(server: Running, ann: Client) -> None:
    given_up = [{"seat": 0, "turn": 0, "at_ms": 0}]
    made = ann.post("/games", body(whole_game(), *SOLO, most=0, created_ms=0, ended_ms=0, resignations=given_up))
    yesterday_ms = time.time_ns() // 1_000_000 - 86_400_000
    database = server.server.config.loaded_app.state.services.settings.database
    with_store(database, lambda store: store.events.prune(yesterday_ms))
    (listed,) = ann.get("/games")["games"]
    assert (listed["table"], listed["created_ms"]) == (made["table"], 0)


def test_the_games_that_an_account_adds_in_a_day_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "ADDED_GAMES", parse("2/day"))

    def resigned(number: int) -> dict[str, Any]:
        given_up = [{"seat": 0, "turn": 0, "at_ms": 0}]
        return body(whole_game(), *SOLO, most=0, seed=f"{number:064x}", resignations=given_up)

    with running(settings_for(tmp_path, limits=True)) as server:
        ann, bob = server.client("Ann"), server.client("Bob")
        ann.keep_account()
        bob.keep_account()
        refused(409, "not_over", ann.post, "/games", body(whole_game(), *SOLO, turns=[]))
        made = [ann.post("/games", resigned(number)) for number in range(2)]
        refused(429, "too_many_added_games", ann.post, "/games", resigned(2))
        assert len(ann.get("/games")["games"]) == 2
        assert ann.post("/games", resigned(1)) == made[1]
        bob.post("/games", resigned(2))
