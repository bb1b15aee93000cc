"""Draws: a tile is unrevealed until its seat's next turn, all unrevealed tiles are alike, and so the mean luck is 0."""

from __future__ import annotations

from collections import Counter

import pytest

from riverstones.rules import Game, Setup
from riverstones.study.review.draws import kept_by, possible_hands, unrevealed

from .games import deal_of, drawn_by, exchanged, game_of, play_out

pytest.importorskip("numba", reason="Numba is not installed")

from riverstones.study.review.luck import Look


@pytest.mark.parametrize("levels", [("pebble", "stream"), ("stream", "pebble", "drop"), ("pebble",) * 4])
def test_a_tile_is_on_the_board_kept_or_unrevealed(levels: tuple[str, ...]) -> None:
    for game in game_of(levels)[:-1]:
        seen = Counter(tile.digit for _, tile in game.board)
        for seat in range(game.setup.seats):
            assert not Counter(kept_by(game, seat)) - Counter(game.hands[seat])
            seen += Counter(kept_by(game, seat))
        assert seen + unrevealed(game) == Counter(game.deal.digits)


@pytest.mark.parametrize("levels", [("pebble", "stream"), ("pebble",) * 4])
def test_the_hand_is_one_of_the_possible_ones(levels: tuple[str, ...]) -> None:
    for game in game_of(levels)[:-1]:
        possible = possible_hands(game)
        assert sum(possible.values()) == pytest.approx(1, abs=1e-12)
        assert possible[game.hand] > 0
        kept = kept_by(game, game.to_move)
        assert all(len(hand) == len(game.hand) and not Counter(kept) - Counter(hand) for hand in possible)
    first, last = game_of(levels)[0], game_of(levels)[-2]
    assert len(possible_hands(first)) > 30  # both tiles of the first turn are unrevealed
    assert possible_hands(last) == {last.hand: 1.0}


def test_two_tiles_drawn_at_once_have_the_probabilities_of_drawing_without_replacement() -> None:
    game = game_of(("stream", "stream"))[0]
    tiles = unrevealed(game)
    left = tiles.total()
    assert left == 67
    one, other = sorted(tiles)[:2]
    assert possible_hands(game)[one, other] == pytest.approx(2 * tiles[one] * tiles[other] / (left * (left - 1)))
    assert possible_hands(game)[one, one] == pytest.approx(tiles[one] * (tiles[one] - 1) / (left * (left - 1)))


def others_for(game: Game) -> tuple[int, list[int]]:
    """The place in the deal of the tile that the seat to move drew last, and of all unrevealed tiles."""
    drawn = drawn_by(game)
    places = list(range(game.drawn, 72))
    for seat, own in drawn.items():
        fresh = len(game.hands[seat]) - len(kept_by(game, seat))
        places += own[len(own) - fresh :]
    return drawn[game.to_move][-1], places


CASES = [
    (("pebble", "drop"), 40),
    (("pebble", "drop"), 61),
    (("stream", "pebble"), 15),
    (("stream", "stream"), 62),
    (("rapids", "brook"), 20),
    (("spring", "stream", "pebble"), 30),
    (("stream", "brook", "stream"), 62),
    (("drop", "stream", "pebble", "stream"), 9),
]


@pytest.mark.parametrize(("levels", "turns"), CASES)
def test_the_mean_luck_over_all_tiles_is_exactly_zero_whoever_plays(levels: tuple[str, ...], turns: int) -> None:
    """Exchange the drawn tile with every unrevealed one and play again: the moves are the same, and mean luck is 0."""
    setup, deal = Setup(len(levels)), deal_of("luck")
    game = play_out(setup, deal, levels, turns)[-1]
    mine, places = others_for(game)
    assert Counter(deal.digits[place] for place in places) == unrevealed(game)
    lucks: dict[int, tuple[float, ...]] = {}
    for digit in sorted({deal.digits[place] for place in places}):
        place = next(place for place in places if deal.digits[place] == digit)
        again = play_out(setup, exchanged(deal, mine, place), levels, turns)[-1]
        assert [turn.move for turn in again.turns] == [turn.move for turn in game.turns]
        assert digit in again.hand
        lucks[digit] = Look.at(again).luck
        assert sum(lucks[digit]) == pytest.approx(0, abs=1e-12)
    tiles = unrevealed(game)
    for seat in range(setup.seats):
        assert sum(tiles[digit] * luck[seat] for digit, luck in lucks.items()) == pytest.approx(0, abs=1e-11)
    if turns < 60:  # later, the game may be decided
        assert max(max(map(abs, luck)) for luck in lucks.values()) > 1e-3
