"""Judgement: nothing beats the best move, endgames are exact, and a seat is judged by what it knew."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from riverstones.engine.situation import Situation
from riverstones.rules import Deal, Game, Play, Variant, plays, view

from .games import claiming, game_of, with_illegal_flip

pytest.importorskip("numba", reason="Numba is not installed")

from riverstones.study.review.chances import Outlook
from riverstones.study.review.facts import FactKind, facts_of
from riverstones.study.review.judgement import Judgement, as_judged, judge, loss_of

GREEDY = game_of(("stream", "stream"))
WEAK = game_of(("pebble", "drop"))


def judged(game: Game, play: Play | None = None) -> Judgement:
    """The judgement of a play, the last of all by default."""
    return judge(view(game, game.to_move), (play or game.plays()[-1]).move)


@pytest.mark.parametrize("turns", [0, 12, 33, 50, 62, 65])
@pytest.mark.parametrize("levels", [("stream", "stream"), ("stream", "pebble", "stream")])
def test_no_move_beats_the_best(levels: tuple[str, ...], turns: int) -> None:
    game = game_of(levels)[turns]
    for play in (game.plays()[0], game.plays()[-1]):
        found = judged(game, play)
        assert found.loss >= 0
        assert found.slip[0] <= 0
        assert sum(found.slip) == pytest.approx(0, abs=1e-12)
        # The move that was made is searched as deeply as the best, so that the two can be compared.
        assert found.played.standard_error == found.best.standard_error
        assert all(loss_of(each, found.analysis) >= 0 for each in found.analysis.candidates)
    best = judge(view(game, game.to_move), found.best.move)
    assert (best.loss, best.as_good, best.annotation) == (0, True, None)
    assert set(best.slip) == {0.0}


@pytest.mark.parametrize("variant", list(Variant))
@pytest.mark.parametrize("levels", [("stream", "pebble"), ("drop", "drop")])
def test_the_last_two_moves_agree_with_exhaustive_search(levels: tuple[str, ...], variant: Variant) -> None:
    game = game_of(levels, "end", variant)[-3]
    (theirs,) = game.hands[1 - game.to_move]
    best_reply = {
        play.move: max(reply.points for reply in plays(play.move.on(game.board), (theirs,), variant))
        for play in game.plays()
    }
    gains = {play.move: play.points - best_reply[play.move] for play in game.plays()}
    lead = game.scores[game.to_move] - game.scores[1 - game.to_move]
    for play in game.plays()[:: max(1, len(gains) // 8)]:
        found = judged(game, play)
        assert found.played.exact
        assert found.loss == max(gains.values()) - gains[play.move]
        won = [(gain + lead > 0) + 0.5 * (gain + lead == 0) for gain in (gains[play.move], max(gains.values()))]
        assert found.slip == pytest.approx((won[0] - won[1], won[1] - won[0]))


def test_the_last_move_is_worth_its_points() -> None:
    game = GREEDY[-2]
    for play in game.plays():
        assert judged(game, play).loss == game.plays()[0].points - play.points


def same_view(game: Game) -> Game:
    """The same game for the seat to move, with other tiles in the other hand and in the bag."""
    other = 1 - game.to_move
    hidden = [*game.deal.digits[game.drawn :], *game.hands[other]]
    hand, bag = tuple(sorted(hidden[:2])), hidden[2:]
    known = Counter(game.deal.digits) - Counter(bag)
    hands = tuple(hand if seat == other else game.hands[seat] for seat in range(2))
    return replace(game, deal=Deal((*known.elements(), *bag)), hands=hands)


@pytest.mark.parametrize("turns", [5, 30, 58])
def test_unknown_tiles_do_not_change_the_judgement_of_a_seat(turns: int) -> None:
    game = GREEDY[turns]
    other = same_view(game)
    assert other.hands != game.hands
    for play in (game.plays()[1], game.plays()[-1]):
        assert judged(other, play) == judged(game, play)


def test_the_judgement_depends_on_the_hand() -> None:
    game = GREEDY[30]
    hands = tuple((1, 9) if seat == game.to_move else hand for seat, hand in enumerate(game.hands))
    other = replace(game, hands=hands)
    assert judged(other).best != judged(game).best


@pytest.mark.parametrize("turns", [7, 33])
def test_a_move_with_an_illegal_flip_is_the_placement_without_points(turns: int) -> None:
    game = claiming(turns)[-1]
    move = with_illegal_flip(game)
    found = judge(view(game, game.to_move), move)
    assert not found.legal
    assert (found.played.move, found.played.points) == (replace(move, flips=()), 0)
    alone = as_judged(game.board, replace(move, flips=()), Variant.STANDARD)
    legal = judge(view(game, game.to_move), alone.move)
    assert found.loss == pytest.approx(legal.loss + alone.points, abs=0.6)
    assert facts_of(found, Situation.of(view(game, game.to_move)))[0].kind is FactKind.ILLEGAL_FLIP


def test_an_illegal_flip_loses_the_points_of_the_placement_too() -> None:
    """In an endgame, where values are exact: the same placement without the flip is better by exactly its points."""
    for game in reversed(claiming(66)[60:]):
        for play in game.plays():
            flips = [square for square, _ in game.board]
            wrong = next(
                (
                    move
                    for square in flips
                    if as_judged(game.board, move := replace(play.move, flips=(square,)), Variant.STANDARD).move != move
                ),
                None,
            )
            if play.points and not play.move.flips and wrong is not None:
                seen = view(game, game.to_move)
                assert judge(seen, wrong).played.mean == judge(seen, play.move).played.mean - play.points
                return
    raise AssertionError("no placement scores without a flip")


def test_a_wrong_claim_does_not_change_the_judgement() -> None:
    right = claiming(21)
    wrong = claiming(21, wrong=lambda game: (game.plays()[0].move, 0) if len(game.turns) == 20 else None)
    assert right[-1].scores != wrong[-1].scores
    move = right[-1].turns[-1].move
    before = right[-2]
    assert judge(view(before, before.to_move), move) == judge(view(wrong[-2], before.to_move), move)


def test_the_chances_in_an_endgame_are_the_result_of_best_play() -> None:
    game = GREEDY[-3]
    outlook = Outlook.of(view(game, game.to_move))
    best = judged(game).best
    after = game.play(best.move)
    final = after.play(after.plays()[0].move)
    assert final.outcome is not None
    shares = tuple((seat in final.outcome.winners) / len(final.outcome.winners) for seat in range(2))
    assert outlook.chances(game.hand) == shares


def test_facts_explain_a_loss() -> None:
    """Over a game of weak players every kind of fact occurs, and each says what it claims."""
    seen = set()
    for game, after in pairwise(WEAK):
        if len(game.turns) % 3:
            continue
        known = view(game, game.to_move)
        found = judge(known, after.turns[-1].move)
        for fact in facts_of(found, Situation.of(known)):
            seen.add(fact.kind)
            match fact.kind:
                case FactKind.POINTS_MISSED:
                    assert fact.points == found.best.points - found.played.points > 0
                case FactKind.FLIP_OVERLOOKED:
                    assert fact.squares == tuple(map(str, found.best.move.flips)) != ()
                case FactKind.WRONG_TILE:
                    assert (fact.digit, fact.better) == (found.played.move.tile.digit, found.best.move.tile.digit)
                    assert fact.digit != fact.better
                case FactKind.POINTS_GIVEN:
                    assert fact.points is not None
                    assert fact.points > 0
            assert all(fact.say(language) != fact.say("en") for language in ("it", "fr", "es", "nl"))
        if found.loss < 0.5:
            assert facts_of(found, Situation.of(known)) == ()
    assert seen == set(FactKind) - {FactKind.ILLEGAL_FLIP}
