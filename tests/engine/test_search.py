"""The look-ahead is correct, uses only what its seat knows, and is deterministic."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverstones.engine import plain
from riverstones.engine.analysis import Progress
from riverstones.engine.choose import analyse, greedy
from riverstones.engine.levels import OCEAN, RIVER, SEARCHING, STREAM, Level, Stage
from riverstones.engine.situation import Situation
from riverstones.rules import (
    Deal,
    Position,
    Variant,
    plays,
    view,
)
from tests.engine.positions import game_after, seen

pytest.importorskip("numba", reason="Numba is not installed")

from riverstones.engine import iterative

LEVELS = [pytest.param(level, id=level.name) for level in SEARCHING.values()]


# Counting --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("variant", list(Variant))
@pytest.mark.parametrize("turns", [4, 58, 64])
def test_the_compiled_look_ahead_equals_the_one_on_the_rules(seats: int, variant: Variant, turns: int) -> None:
    situation = Situation.of(seen(game_after(turns, seed=turns, seats=seats, variant=variant)))
    plies = 3 if turns > 60 else 2
    by_rules = {str(c.move): c.mean for c in plain.look_ahead(situation, plies).candidates}
    compiled = {str(c.move): c.mean for c in iterative.look_ahead(situation, (Stage(plies),)).candidates}
    assert compiled == pytest.approx(by_rules)


def test_the_expected_reply_is_the_mean_over_all_hands_that_the_opponent_may_hold() -> None:
    game = game_after(56)
    known = seen(game)
    situation = Situation.of(known)
    tiles = [digit for digit, count in enumerate(situation.unseen) for _ in range(count)]
    analysis = iterative.look_ahead(situation, (Stage(1),))
    for candidate in analysis.candidates[:5]:
        board = candidate.move.on(game.board)
        best = {digit: plays(board, [digit])[0].points for digit in set(tiles)}
        pairs = [(a, b) for n, a in enumerate(tiles) for b in tiles[n + 1 :]]
        reply = sum(max(best[a], best[b]) for a, b in pairs) / len(pairs)
        assert candidate.mean == pytest.approx(candidate.points - reply)


def test_ones_own_next_play_is_the_mean_over_all_replies_and_draws() -> None:
    game = game_after(60)
    situation = Situation.of(seen(game))
    tiles = [digit for digit, count in enumerate(situation.unseen) for _ in range(count)]
    candidate = iterative.look_ahead(situation, (Stage(2),)).best
    kept = sum(game.hand) - candidate.move.tile.digit
    board = candidate.move.on(game.board)
    replies = {digit: plays(board, [digit])[0] for digit in set(tiles)}
    order = {play.move: place for place, play in enumerate(plays(board, set(tiles)))}
    total, cases = 0.0, 0
    for n, a in enumerate(tiles):
        for m, b in enumerate(tiles):
            for k, drawn in enumerate(tiles):
                if len({n, m, k}) == 3:
                    reply = min(replies[a], replies[b], key=lambda play: order[play.move])
                    mine = plays(reply.move.on(board), [kept, drawn])[0]
                    total += mine.points - reply.points
                    cases += 1
    assert candidate.mean == pytest.approx(candidate.points + total / cases)


# The result ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_legal_play_is_ranked_and_none_is_left_out(level: Level, seats: int) -> None:
    game = game_after(20, seats=seats)
    analysis = analyse(seen(game), level)
    assert sorted(str(c.move) for c in analysis.candidates) == sorted(str(p.move) for p in game.plays())
    points = {play.move: play.points for play in game.plays()}
    assert all(candidate.points == points[candidate.move] for candidate in analysis.candidates)
    assert analysis.complete


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("turns", [0, 33, 61, 62, 63, 66])
def test_the_same_question_gets_the_same_answer(level: Level, turns: int) -> None:
    known = seen(game_after(turns))
    assert analyse(known, level, seed=3) == analyse(known, level, seed=3)


@pytest.mark.parametrize("level", LEVELS)
def test_two_games_that_look_alike_to_a_seat_are_played_alike(level: Level) -> None:
    game = game_after(30)
    digits = list(game.deal.digits)
    digits[game.drawn :] = digits[game.drawn :][::-1]
    other = replace(game, deal=Deal(tuple(digits)))
    assert seen(game) == seen(other)
    assert analyse(seen(game), level) == analyse(seen(other), level)


def test_known_hands_of_others_are_ignored() -> None:
    game = game_after(30)
    position = Position.of(game)
    assert analyse(position, OCEAN) == analyse(position.seen_by(game.to_move), OCEAN)


def test_the_expected_continuation_can_be_played() -> None:
    for seats in (2, 4):
        game = game_after(24, seats=seats)
        analysis = analyse(seen(game), OCEAN)
        assert all(candidate.variation for candidate in analysis.candidates[:3])
        board = analysis.best.move.on(game.board)
        for move in analysis.best.variation:
            assert move in {play.move for play in plays(board, [move.tile.digit])}
            board = move.on(board)


def test_equal_values_are_ranked_by_points_and_then_in_the_order_of_moves() -> None:
    """Two tiles are in the corners and nobody can score: only the order differs."""
    board = "1.......1/........./........./........./........./........./........./........./........."
    held = Position.of(game_after(0))
    position = replace(held, board=type(held.board).parse(board), bag=66)
    moves = [candidate.move for candidate in analyse(position, STREAM).candidates]
    assert moves == [play.move for play in plays(position.board, position.hand or ())]


def test_a_search_that_is_stopped_says_so_and_still_ranks_every_play() -> None:
    game = game_after(20)
    questions = []

    def stop() -> bool:
        questions.append(True)
        return len(questions) > 5

    level = replace(OCEAN, inference=None)
    analysis = analyse(seen(game), level, stop=stop)
    assert not analysis.complete
    assert len(analysis.candidates) == len(game.plays())
    assert questions.count(True) == 6


def test_a_budget_of_nodes_is_kept_within_one_play() -> None:
    known = seen(game_after(20))
    whole = analyse(known, OCEAN)
    largest = max(candidate.samples for candidate in whole.candidates)
    for nodes in (200, 2_000, 8_000):
        part = analyse(known, OCEAN, nodes=nodes)
        assert part.nodes <= nodes + largest
        assert part == analyse(known, OCEAN, nodes=nodes)
        assert not part.complete
    assert analyse(known, OCEAN, nodes=10**9) == whole


def test_progress_is_reported_from_the_first_play_to_the_last() -> None:
    steps: list[Progress] = []
    analyse(seen(game_after(20)), RIVER, progress=steps.append)
    assert [step.done for step in steps] == list(range(steps[0].total))


def test_it_answers_only_the_seat_whose_turn_it_is() -> None:
    game = game_after(10)
    with pytest.raises(ValueError, match="not this seat's turn"):
        analyse(view(game, 1 - game.to_move), RIVER)
    with pytest.raises(ValueError, match="game is over"):
        analyse(Position.of(game_after(67)), RIVER)
    with pytest.raises(ValueError, match="hand of the seat to move"):
        analyse(Position.of(game).seen_by(None), RIVER)


def test_greedy_ranks_by_points() -> None:
    game = game_after(20)
    assert [c.points for c in greedy(Situation.of(seen(game))).candidates] == [p.points for p in game.plays()]
