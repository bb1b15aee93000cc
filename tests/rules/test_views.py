"""A seat sees its view and nothing else: hidden tiles have no influence on it."""

from __future__ import annotations

import random
from dataclasses import fields, is_dataclass
from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverstones.rules import Deal, Game, Layout, Scoring, Setup, Variant, View, view
from tests.rules.strategies import games, random_deal
from tests.rules.walker import replayed, walk


def hidden_places(game: Game, seat: int | None) -> list[int]:
    """The indexes of the deal whose tiles this seat has never seen: those in other hands now, and the bag."""
    places = [list(range(5 + 2 * other, 7 + 2 * other)) for other in range(game.setup.seats)]
    drawn = 5 + 2 * game.setup.seats
    for turn in game.turns:
        hand = places[turn.seat]
        hand.remove(next(place for place in hand if game.deal.digits[place] == turn.move.tile.digit))
        if drawn < len(game.deal.digits):
            hand.append(drawn)
            drawn += 1
    in_hands = [place for other, hand in enumerate(places) if other != seat for place in hand]
    return [*in_hands, *range(drawn, len(game.deal.digits))]


def with_hidden_tiles_shuffled(game: Game, seat: int | None, rng: random.Random) -> Game:
    """A game that looks the same to this seat: the same moves on a deal that differs in its hidden tiles."""
    places = hidden_places(game, seat)
    digits = list(game.deal.digits)
    for place, digit in zip(places, rng.sample([digits[place] for place in places], len(places)), strict=True):
        digits[place] = digit
    return replayed(game, Deal(tuple(digits)))


def onlookers(game: Game) -> list[int | None]:
    return [None, *range(game.setup.seats)]


@given(games(), st.randoms(use_true_random=False))
def test_a_view_never_depends_on_what_the_seat_cannot_see(game: Game, rng: random.Random) -> None:
    for seat in onlookers(game):
        other = with_hidden_tiles_shuffled(game, seat, rng)
        assert view(other, seat) == view(game, seat)
        assert hash(view(other, seat)) == hash(view(game, seat))
        assert repr(view(other, seat)).encode() == repr(view(game, seat)).encode()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_view_shows_nothing_hidden_where_points_are_claimed(seats: int) -> None:
    rng = random.Random(f"views {seats}")
    setup = Setup(seats, Variant.EXPERT, Layout.STAR, rng.randrange(seats), Scoring.CLAIMS)
    differed = 0
    for game in walk(setup, random_deal(rng), rng):
        for seat in onlookers(game):
            other = with_hidden_tiles_shuffled(game, seat, rng)
            assert repr(view(other, seat)) == repr(view(game, seat))
            differed += other != game
    assert differed > 100, "the shuffles changed what is hidden"


def test_the_views_of_the_seats_differ() -> None:
    """The test above would prove nothing if a view were empty."""
    rng = random.Random("seats differ")
    game = Game.begin(Setup(3), Deal.parse("1" * 8 + "".join(f"{digit}" * 8 for digit in range(2, 10))))
    assert len({view(game, seat) for seat in onlookers(game)}) == 4
    game = with_hidden_tiles_shuffled(game, None, rng)
    assert [view(game, seat).hand for seat in range(3)] == list(game.hands)


def values_inside(value: object) -> list[object]:
    """Everything that can be reached from a value through its fields and its members."""
    found = [value]
    if is_dataclass(value):
        inner: list[object] = [getattr(value, field.name) for field in fields(value)]
    elif isinstance(value, (tuple, list, set, frozenset)):
        inner = list(value)
    else:
        inner = []
    for part in inner:
        found.extend(values_inside(part))
    return found


@given(games())
def test_no_deal_and_no_game_can_be_reached_from_a_view(game: Game) -> None:
    for seat in onlookers(game):
        reached = values_inside(view(game, seat))
        assert not any(isinstance(value, (Deal, Game)) for value in reached)
        assert all(isinstance(value, (int, str, tuple, Enum, type(None))) or is_dataclass(value) for value in reached)


@pytest.mark.parametrize("seat", [-1, 2])
def test_there_is_no_view_of_a_seat_that_does_not_exist(seat: int) -> None:
    game = Game.begin(Setup(2), random_deal(random.Random("no seat")))
    with pytest.raises(ValueError, match="no seat"):
        view(game, seat)


@given(games())
def test_a_spectator_has_no_hand_and_no_turn(game: Game) -> None:
    seen: View = view(game, None)
    assert (seen.hand, seen.is_my_turn) == ((), False)
    assert seen.position.hand is None or game.over
