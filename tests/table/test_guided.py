"""A guided first game: one person against one bot, with a deal in which the first three turns can score."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverstones.rules import Layout, Scoring, Seed, Side, Variant
from riverstones.table import Clock, NotAllowed, Options, TableRefusal
from riverstones.table.guided import guided_seed, scoring_flip
from riverstones.table.proposals import rematch_terms

from .helpers import entropy, table_of

GUIDED = Options(guided=True, hints=True)


def refusal_of(*who: str, options: Options) -> TableRefusal:
    with pytest.raises(NotAllowed) as caught:
        table_of(*who, options=options)
    return caught.value.code


@pytest.mark.parametrize("seed", range(12))
def test_the_first_turn_can_score_without_a_flip_the_second_with_one_and_the_third_too(seed: int) -> None:
    game = table_of("ann", "bot:pebble", options=GUIDED, seed=seed).table.game
    assert game is not None
    first = next(play for play in game.plays() if not play.move.flips and play.move.tile.side is Side.ADDEND)
    assert first.points
    game = game.play(first.move)
    game = game.play(game.plays()[-1].move)
    flip = scoring_flip(game.plays())
    assert flip is not None
    game = game.play(flip)
    game = game.play(game.plays()[-1].move)
    assert game.plays()[0].points


def test_deals_differ_and_depend_on_the_secret_entropy_alone() -> None:
    seeds = {guided_seed(entropy(number)).reveal() for number in range(10)}
    assert len(seeds) == 10
    assert guided_seed(entropy(0)).reveal() == guided_seed(entropy(0)).reveal()


def test_other_tables_are_dealt_from_the_entropy_itself() -> None:
    game = table_of("ann", "bot:pebble", options=Options(), seed=3).table.game
    assert game is not None
    assert game.deal == Seed(entropy(3)).deal()


@pytest.mark.parametrize(
    "changes",
    [
        {"rated": True, "hints": False},
        {"listed": True},
        {"programs": True},
        {"variant": Variant.EXPERT},
        {"scoring": Scoring.CLAIMS},
        {"clock": Clock.STRICT},
        {"layout": Layout.STAR},
        {"start": 1},
        {"start": "random"},
    ],
    ids=str,
)
def test_a_guided_game_is_the_plain_game(changes: dict[str, object]) -> None:
    options = replace(GUIDED, **changes)  # type: ignore[arg-type]  # any option
    assert refusal_of("ann", "bot:pebble", options=options) == TableRefusal.GUIDED_IS_FOR_ONE


@pytest.mark.parametrize("who", [("ann", "bob"), ("ann", "-"), ("ann", "ann"), ("bot:pebble", "ann")], ids=" ".join)
def test_a_guided_game_is_for_one_person_against_one_bot(who: tuple[str, str]) -> None:
    assert refusal_of(*who, options=GUIDED) == TableRefusal.GUIDED_IS_FOR_ONE
    assert refusal_of(*who, "bot:pebble", options=replace(GUIDED, seats=3)) == TableRefusal.GUIDED_IS_FOR_ONE


def test_the_rematch_has_no_guide() -> None:
    options, _ = rematch_terms(table_of("ann", "bot:pebble", options=GUIDED).table)
    assert not options.guided
