"""A review: luck, slips and rest sum to the result, and every number can be recomputed from the JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from math import exp
from pathlib import Path
from typing import Any

import pytest

from riverstones.notation import read_record, record_of
from riverstones.rules import Game, Setup, Variant

from .games import claiming, deal_of, game_of, with_illegal_flip

pytest.importorskip("numba", reason="Numba is not installed")

from riverstones.study.review import Circumstances, Report, Stopped, review_game, review_record, to_json
from riverstones.study.review.page import to_html
from riverstones.study.review.review import LEFT_TAG
from riverstones.words import LANGUAGES

PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"
PARTS = ("luck", "slip", "rest")


def data_of(report: Report) -> dict[str, Any]:
    """The JSON form of a review, written and read again."""
    found: dict[str, Any] = json.loads(json.dumps(to_json(report)))
    return found


@pytest.fixture(scope="module")
def whole() -> Report:
    """The review of a whole game of two seats."""
    return review_record(read_record((PLAYTHROUGHS / "two-seats.river").read_bytes()))


def check(data: dict[str, Any]) -> None:
    """Everything that must hold for any review."""
    seats = range(len(data["start"]))
    chances = data["start"]
    assert sum(chances) == pytest.approx(1, abs=1e-9)
    for move in data["moves"]:
        for part in PARTS:
            assert sum(move[part]) == pytest.approx(0, abs=1e-9)
        assert move["slip"][move["seat"]] <= 0
        after = [chances[seat] + sum(move[part][seat] for part in PARTS) for seat in seats]
        assert after == pytest.approx(move["chances"], abs=1e-9)
        assert sum(after) == pytest.approx(1, abs=1e-9)
        assert move["loss"] >= 0
        chances = move["chances"]
    assert chances == pytest.approx(data["result"], abs=1e-9)
    for seat in seats:
        own = [move for move in data["moves"] if move["seat"] == seat]
        told = data["seats"][seat]
        for name, part in zip(("luck", "slips", "rest"), PARTS, strict=True):
            assert told[name] == pytest.approx([sum(move[part][each] for move in own) for each in seats], abs=1e-9)
        everything = sum(each[name][seat] for each in data["seats"] for name in ("luck", "slips", "rest"))
        assert data["start"][seat] + everything == pytest.approx(data["result"][seat], abs=1e-9)
        check_accuracy(told, own)


def check_accuracy(told: dict[str, Any], own: list[dict[str, Any]]) -> None:
    """The formula, recomputed; and what mattered."""
    counted = [move for move in own if move["counted"]]
    accuracies = [100.0 if move["loss"] < 0.05 else 100.0 * exp(-move["loss"] / 8) for move in counted]
    assert told["counted"] == len(counted)
    if len(counted) < 10:
        assert told["accuracy"] is None
    else:
        assert told["accuracy"] == pytest.approx(sum(accuracies) / len(accuracies), abs=1e-9)
    losses = {move["number"]: move["loss"] for move in counted if move["loss"] >= 0.5}
    assert told["mattered"] == sorted(losses, key=lambda number: -losses[number])[:3]


@pytest.mark.slow
def test_the_parts_of_a_whole_game_sum_to_its_result(whole: Report) -> None:
    data = data_of(whole)
    check(data)
    assert len(data["moves"]) == 67
    assert [move["number"] for move in data["moves"]] == list(range(1, 68))
    assert data["result"] == [0.0, 1.0]
    assert data["decided"]
    assert all(seat["accuracy"] is not None for seat in data["seats"])
    assert all(len(seat["mattered"]) == 3 for seat in data["seats"])


@pytest.mark.slow
def test_the_json_has_the_documented_fields(whole: Report) -> None:
    data = data_of(whole)
    assert {"variant", "start", "result", "seats", "moves"} <= set(data)
    assert {"name", "accuracy", "luck", "slips", "rest"} <= set(data["seats"][0])
    fields = [
        "number",
        "seat",
        "move",
        "points",
        "best",
        "loss",
        "counted",
        "class",
        "chances",
        "luck",
        "slip",
        "rest",
        "exact",
    ]
    extra = ["hand", "position", "facts", "timed_out", "method"]
    for move in data["moves"]:
        assert {*fields, *extra} <= set(move)
        assert {"move", "points"} <= set(move["best"])
    assert [move["exact"] for move in data["moves"]] == [False] * 62 + [True] * 5


@pytest.mark.slow
def test_solved_endgames_leave_no_rest(whole: Report) -> None:
    for move in data_of(whole)["moves"][63:]:
        assert move["exact"]
        assert move["rest"] == [0.0, 0.0]


@pytest.mark.slow
@pytest.mark.parametrize("variant", list(Variant))
@pytest.mark.parametrize("levels", [("pebble", "stream"), ("stream", "drop", "stream"), ("stream", "brook") * 2])
def test_the_parts_sum_with_any_number_of_seats(levels: tuple[str, ...], variant: Variant) -> None:
    games = game_of(levels, "parts", variant)
    last = len(games) - 1
    for first, end in ((0, 2), (last - 5, last)):
        data = data_of(review_game(games[first : end + 1]))
        check(data)
        assert len(data["moves"]) == end - first
    assert data["decided"]
    assert sum(data["result"]) == 1


def test_a_tie_shares_the_result() -> None:
    game = game_of(("stream", "stream"))[-1]
    level = replace(game, scores=(50, 50))
    assert review_game([level]).result == (0.5, 0.5)


def test_a_seat_that_resigned_does_not_win_and_later_moves_do_not_count() -> None:
    games = game_of(("stream", "pebble", "stream"))[-7:]
    winner = games[-1].scores.index(max(games[-1].scores))
    report = review_game(games, Circumstances(resigned=(winner,), left_after=2))
    assert report.result[winner] == 0
    assert sum(report.result) == 1
    assert [move.counted for move in report.moves][2:] == [False] * 4
    assert any(move.counted for move in report.moves[:2])
    check(data_of(report))
    unknown = review_game(games, Circumstances(resigned=(winner,)))
    assert not any(move.counted for move in unknown.moves if move.seat == winner)
    assert any(move.counted for move in unknown.moves)


@pytest.mark.slow
def test_a_game_won_by_resignation_counts_every_move_before() -> None:
    report = review_record(read_record((PLAYTHROUGHS / "resigned.river").read_bytes()))
    data = data_of(report)
    check(data)
    assert data["decided"]
    assert sorted(data["result"]) == [0, 1]
    assert all(move["counted"] for move in data["moves"])


def test_a_record_says_when_somebody_left() -> None:
    game = game_of(("stream", "pebble"))[6]
    record = record_of(game, resigned=(1,), tags=((LEFT_TAG, "4"),))
    report = review_record(record)
    assert [move.counted for move in report.moves] == [True] * 4 + [False] * 2
    assert report.result == (1.0, 0.0)
    assert all(move.counted for move in review_record(record_of(game, resigned=(1,))).moves)


def test_a_game_that_was_not_decided_ends_with_its_chances() -> None:
    report = review_game(game_of(("stream", "pebble"))[20:23])
    assert not report.decided
    assert sum(report.result) == pytest.approx(1)
    assert all(0 < share < 1 for share in report.result)
    check(data_of(report))


def test_moves_by_the_clock_do_not_count() -> None:
    game = Game.begin(Setup(), deal_of("clock"))
    after = game.play(game.plays()[-1].move, timed_out=True)
    (move,) = review_game([game, after]).moves
    assert move.timed_out
    assert not move.counted
    assert move.judgement.has_choice
    assert review_game([game, game.play(game.plays()[-1].move)]).moves[0].counted


@pytest.mark.slow
def test_a_move_without_a_choice_does_not_count() -> None:
    choices = set()
    for number in range(12):
        games = game_of(("drop", "stream"), f"choice {number}")
        # With the last tile only its points count: if they are the same everywhere, there is nothing to choose.
        choice = len({play.points for play in games[-2].plays()}) > 1
        (move,) = review_game(games[-2:]).moves
        assert move.counted == choice
        choices.add(choice)
    assert choices == {False, True}


def test_claims_are_reviewed_by_their_moves() -> None:
    def wrong(game: Game) -> tuple[Any, int] | None:
        return (with_illegal_flip(game), 30) if len(game.turns) == 19 else None

    games = claiming(20, wrong=wrong)
    objected = [*games[18:-1], games[-1].object(0)]
    for end in (games[18:], objected):
        data = data_of(review_game(end))
        check(data)
        move = data["moves"][-1]
        assert (move["legal"], move["points"], move["claim"]) == (False, 0, 30)
        assert move["facts"][0]["kind"] == "illegal_flip"
    assert (move["upheld"], move["scored"]) == (True, 0)
    stands, falls = (review_game(end).moves[-1] for end in (games[18:], objected))
    assert stands.judgement == falls.judgement
    assert stands.rest[1] > falls.rest[1]


def test_progress_is_told_move_by_move_and_a_review_can_be_stopped() -> None:
    games = game_of(("stream", "stream"))[60:]
    told: list[tuple[int, int]] = []
    review_game(games, progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 7) for done in range(1, 8)]
    told.clear()
    with pytest.raises(Stopped):
        review_game(games, stop=lambda: len(told) == 2, progress=lambda done, total: told.append((done, total)))
    assert len(told) == 2


def test_a_game_without_moves_has_a_review() -> None:
    report = review_game([Game.begin(Setup(3), deal_of("none"))])
    assert report.moves == ()
    assert report.start == report.result
    assert [seat.accuracy for seat in report.seats] == [None] * 3


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_holds_the_whole_review_and_needs_nothing_else(whole: Report, language: str) -> None:
    page = to_html(whole, language)
    head, _, rest = page.partition('<script type="application/json" id="review">')
    assert json.loads(rest.partition("</script>")[0]) == data_of(whole)
    assert f'<html lang="{language}">' in head
    assert page.count("<script") == 1
    for outside in ("http:", "https:", "src=", "@import", "url(", "<link"):
        assert outside not in page
    assert head.count('class="board"') == 2 * sum(len(seat.mattered) for seat in whole.seats)


@pytest.mark.slow
def test_names_on_the_page_are_text(whole: Report) -> None:
    seats = (replace(whole.seats[0], name="<b>&</script>"), whole.seats[1])
    page = to_html(replace(whole, seats=seats))
    assert "<b>&</script>" not in page
    assert "&lt;b&gt;&amp;&lt;/script&gt;" in page
