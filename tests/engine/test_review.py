"""Review of a game: the best play gets no annotation, a worse one gets the better move and the loss."""

import hashlib
from dataclasses import replace

import pytest

from riverstones.engine.levels import STREAM
from riverstones.engine.review import Judgement, review
from riverstones.rules import Game, Move, Scoring, Seed, Setup

DEAL = Seed(hashlib.sha256(b"review").digest()).deal()


def played(choices: dict[int, int], moves: int = 30) -> list[Game]:
    """A game of best plays by points, except for turns where another index in the list is chosen."""
    games = [Game.begin(Setup(), DEAL)]
    for turn in range(moves):
        games.append(games[-1].play(games[-1].plays()[choices.get(turn, 0)].move))
    return games


def judged(choices: dict[int, int]) -> list[Judgement]:
    return list(review(played(choices), STREAM))


def test_every_turn_is_judged_in_order() -> None:
    found = judged({})
    assert [(judgement.number, judgement.seat) for judgement in found] == [(n + 1, n % 2) for n in range(30)]


def test_the_best_play_gets_no_annotation() -> None:
    for judgement in judged({}):
        assert judgement.as_good
        assert (judgement.rank, judgement.loss, judgement.glyph, judgement.annotation) == (1, 0, "", None)
        assert judgement.most_points == judgement.best.points


def test_a_worse_play_gets_the_better_move_and_the_loss() -> None:
    turn = next(turn for turn, game in enumerate(played({})) if game.plays()[0].points > 4)
    last = len(played({})[turn].plays()) - 1
    worse = judged({turn: last})[turn]
    assert worse.played is not None
    assert worse.rank == worse.plays == last + 1
    assert worse.loss == worse.best.points - worse.played.points > 4
    assert worse.glyph in ("?!", "?", "??")
    assert worse.annotation is not None
    assert worse.annotation.best == worse.best.move
    assert worse.annotation.better_by_tenths == 10 * worse.loss


def test_an_equally_good_play_is_not_a_mistake() -> None:
    turn = next(turn for turn, game in enumerate(played({})) if game.plays()[0].points == game.plays()[1].points)
    other = judged({turn: 1})[turn]
    assert (other.rank, other.as_good, other.annotation) == (2, True, None)


@pytest.mark.parametrize(("loss", "glyph"), [(3.9, ""), (4.0, "?!"), (9.9, "?!"), (10.0, "?"), (20.0, "??")])
def test_larger_losses_get_harsher_glyphs(loss: float, glyph: str) -> None:
    judgement = judged({})[0]
    assert judgement.played is not None
    assert replace(judgement, played=replace(judgement.played, mean=judgement.best.mean - loss)).glyph == glyph


def test_a_move_that_was_not_legal_is_not_ranked() -> None:
    game = Game.begin(Setup(scoring=Scoring.CLAIMS), DEAL)
    move = game.plays()[0].move
    wrong = Move(move.square, move.tile, (next(square for square, _ in game.board),))
    (judgement,) = review([game, game.play(wrong, claim=9)], STREAM)
    assert (judgement.played, judgement.rank, judgement.loss, judgement.annotation) == (None, None, 0, None)


def test_it_can_be_stopped() -> None:
    asked = iter([False, False, True])
    assert len(list(review(played({}), STREAM, stop=lambda: next(asked)))) == 2
