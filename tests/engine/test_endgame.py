"""The endgame solvers agree with an exhaustive search."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from riverstones.engine.levels import OCEAN
from riverstones.engine.situation import Situation
from riverstones.rules import Board, Deal, Game, Held, Position, Setup, Variant, plays, refusal, view

numba = pytest.importorskip("numba", reason="Numba is not installed")

import numpy as np  # noqa: E402

from riverstones.engine import kernel  # noqa: E402
from riverstones.engine.choose import analyse  # noqa: E402
from riverstones.engine.endgame import driver  # noqa: E402


@numba.njit
def exhaust(state, mine, other, theirs, others, plies):  # type: ignore[no-untyped-def]
    """The gain of the seat to move in the last plies, by exhaustive search; 0 is no tile."""
    stack = np.zeros((4, kernel.MAX_PLAYS), np.int64)
    count = np.zeros(4, np.int64)
    place = np.zeros(4, np.int64)
    most = np.zeros(5, np.int64)
    hands = np.zeros((5, 4), np.int64)
    states = np.zeros((5, *kernel.STATE_SHAPE), np.int32)
    saved = np.zeros(kernel.SAVED_SHAPE, np.int32)
    states[0] = state
    hands[0, 0], hands[0, 1], hands[0, 2], hands[0, 3] = mine, other, theirs, others
    ply = 0
    count[0] = -1
    while True:
        if ply == plies:
            most[ply] = 0
        elif count[ply] < 0:
            hand = (1 << hands[ply, 0] | 1 << hands[ply, 1]) & 1022
            count[ply] = kernel.generate(states[ply], hand, stack[ply])
            place[ply] = 0
            most[ply] = -10_000
        if ply < plies and place[ply] < count[ply]:
            play = stack[ply, place[ply]]
            states[ply + 1] = states[ply]
            kernel.apply(states[ply + 1], play, saved)
            digit = play >> 11 & 15
            hands[ply + 1, 0] = hands[ply, 2]
            hands[ply + 1, 1] = hands[ply, 3]
            hands[ply + 1, 2] = hands[ply, 0] + hands[ply, 1] - digit
            hands[ply + 1, 3] = 0
            ply += 1
            if ply < plies:
                count[ply] = -1
            continue
        if ply == 0:
            return most[0]
        ply -= 1
        most[ply] = max(most[ply], -(stack[ply, place[ply]] >> 23) - most[ply + 1])
        place[ply] += 1


def endings(count: int, tiles_left: int, variant: Variant) -> Iterator[Game]:
    """Games of two seats, played at random with a preference for points, with this many tiles left."""
    for seed in range(count):
        rng = random.Random(1000 * tiles_left + seed)
        digits = [digit for digit in range(1, 10) for _ in range(8)]
        rng.shuffle(digits)
        game = Game.begin(Setup(variant=variant), Deal(tuple(digits)))
        while len(game.turns) < 67 - tiles_left:
            best = game.plays()
            game = game.play(best[min(int(rng.expovariate(0.5)), len(best) - 1)].move)
        yield game


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "tiles_left", "count"),
    [
        (Variant.STANDARD, 1, 15),
        (Variant.STANDARD, 2, 50),
        (Variant.STANDARD, 3, 50),
        (Variant.STANDARD, 4, 10),
        (Variant.EXPERT, 1, 10),
        (Variant.EXPERT, 2, 30),
        (Variant.EXPERT, 3, 30),
        (Variant.EXPERT, 4, 5),
    ],
)
def test_two_hundred_endgames_are_solved_as_exhaustive_search_solves_them(
    variant: Variant, tiles_left: int, count: int
) -> None:
    for game in endings(count, tiles_left, variant):
        analysis = analyse(Position.of(game), OCEAN)
        mine, theirs = game.hands[game.to_move], game.hands[1 - game.to_move]
        tiles = [*mine, *[0] * (2 - len(mine)), *theirs, *[0] * (2 - len(theirs))]
        state = kernel.new_state(game.board.cells, variant is Variant.EXPERT)
        truth = exhaust(state, *tiles, tiles_left)
        assert analysis.method == "endgame"
        assert all(candidate.exact for candidate in analysis.candidates)
        assert analysis.best.mean == truth == max(candidate.mean for candidate in analysis.candidates)
        assert len(analysis.candidates) == len(game.plays())


@pytest.mark.slow
def test_every_play_of_an_endgame_gets_its_own_exact_value() -> None:
    for game in endings(6, 3, Variant.STANDARD):
        analysis = analyse(Position.of(game), OCEAN)
        for candidate in analysis.candidates:
            after = game.play(candidate.move)
            hand, other = after.hand, after.hands[1 - after.to_move]
            tiles = [*hand, *[0] * (2 - len(hand)), *other, *[0] * (2 - len(other))]
            lost = exhaust(kernel.new_state(after.board.cells), *tiles, 2)
            assert candidate.mean == candidate.points - lost


@pytest.mark.slow
def test_with_one_tile_in_the_bag_each_draw_is_solved() -> None:
    for game in endings(1, 5, Variant.STANDARD):
        known = view(game, game.to_move)
        solved = driver.solve(Situation.of(known))
        assert solved is not None
        assert solved.method == "pre-endgame"
        unseen = [digit for digit, count in enumerate(Situation.of(known).unseen) for _ in range(count)]
        for candidate in solved.candidates[:2]:
            board = candidate.move.on(game.board)
            left = list(game.hand)
            left.remove(candidate.move.tile.digit)
            total = 0
            for number, drawn in enumerate(unseen):
                theirs = unseen[:number] + unseen[number + 1 :]
                total += candidate.points - exhaust(kernel.new_state(board.cells), *theirs, left[0], drawn, 4)
            assert candidate.mean == pytest.approx(total / 3)


def test_the_win_probability_comes_before_the_margin() -> None:
    for game in endings(4, 5, Variant.STANDARD):
        solved = driver.solve(Situation.of(view(game, game.to_move)))
        assert solved is not None
        utilities = [(c.win or 0.0) + driver.MARGIN_SHARE * c.mean for c in solved.candidates]
        assert utilities == sorted(utilities, reverse=True)
        assert all(candidate.win is not None for candidate in solved.candidates)


def max_n(board: Board, tiles: list[int], scores: list[int], variant: Variant) -> list[int]:
    """The final scores if every seat plays for its rank, then for points; exhaustive, on the rules."""
    if not tiles:
        return scores
    turn = len(scores) - len(tiles)
    best: list[int] | None = None
    for play in plays(board, [tiles[0]], variant):
        after = scores.copy()
        after[turn] += play.points
        final = max_n(play.move.on(board), tiles[1:], after, variant)
        if best is None or standing(final, turn) > standing(best, turn):
            best = final
    assert best is not None
    return best


def standing(scores: list[int], seat: int) -> tuple[int, int]:
    """A seat's rank, with shared ranks counting half, and its points."""
    above = sum(2 for score in scores if score > scores[seat])
    level = sum(1 for score in scores if score == scores[seat]) - 1
    return -above - level, scores[seat]


def last_round(seats: int, tiles_left: int, seed: int) -> Game:
    rng = random.Random(seed)
    digits = [digit for digit in range(1, 10) for _ in range(8)]
    rng.shuffle(digits)
    game = Game.begin(Setup(seats=seats), Deal(tuple(digits)))
    while len(game.turns) < 67 - tiles_left:
        game = game.play(game.plays()[0].move)
    return game


@pytest.mark.parametrize(("seats", "tiles_left"), [(3, 3), (3, 2), (4, 2), (4, 1)])
def test_the_last_round_of_three_or_four_is_played_for_the_rank(seats: int, tiles_left: int) -> None:
    game = last_round(seats, tiles_left, 7)
    known = view(game, game.to_move)
    # Equal scores make the rank depend on the last moves.
    position = replace(known.position, scores=(100,) * seats)
    analysis = analyse(position, OCEAN)
    assert analysis.method == "endgame"
    assert "final rank" in analysis.assumption
    situation = Situation.of(position)
    hidden = [digit for digit, count in enumerate(situation.unseen) for _ in range(count)]
    orders = [hidden, hidden[::-1]] if len(hidden) == 2 else [hidden]
    for candidate in analysis.candidates[:4]:
        wins = margin = 0.0
        for order in orders:
            # Scores in move order: seats that have already moved come first here.
            moved = seats - tiles_left
            scores = [100] * moved + [100 + candidate.points] + [100] * (tiles_left - 1)
            final = max_n(candidate.move.on(game.board), order, scores, Variant.STANDARD)
            best = max(final)
            wins += (final[moved] == best) / final.count(best) / len(orders)
            margin += (final[moved] - max(final[:moved] + final[moved + 1 :])) / len(orders)
        assert candidate.win == pytest.approx(wins)
        assert candidate.mean == pytest.approx(margin)


def test_an_endgame_needs_no_knowledge_of_the_other_hand() -> None:
    game = next(endings(1, 4, Variant.STANDARD))
    seen = view(game, game.to_move).position
    hidden = seen.hands[1 - game.to_move]
    assert hidden == Held((), 2)
    full = Position.of(game)
    assert analyse(seen, OCEAN) == analyse(full, OCEAN)


@pytest.mark.parametrize(("variant", "tiles_left"), [(Variant.STANDARD, 4), (Variant.STANDARD, 3), (Variant.EXPERT, 4)])
def test_the_variation_of_an_endgame_comes_to_what_the_play_is_worth(variant: Variant, tiles_left: int) -> None:
    for game in endings(3, tiles_left, variant):
        situation = Situation.of(view(game, game.to_move))
        for candidate in analyse(Position.of(game), OCEAN).candidates[:3]:
            played = game.play(candidate.move)
            for move in driver.best_variation(situation, candidate.move, plies=3):
                played = played.play(move)
            assert played.over
            assert candidate.mean == sum(
                turn.points * (1, -1)[turn.seat != game.to_move] for turn in played.turns[-tiles_left:]
            )
            assert candidate.variation == tuple(turn.move for turn in played.turns[1 - tiles_left :][:2])


def test_the_variation_after_the_last_draw_is_one_that_may_come() -> None:
    game = next(endings(1, 5, Variant.STANDARD))
    for candidate in analyse(view(game, game.to_move), OCEAN).candidates[:3]:
        board = candidate.move.on(game.board)
        assert len(candidate.variation) == 2
        for move in candidate.variation:
            assert refusal(board, move, Variant.STANDARD) is None
            board = move.on(board)


@pytest.mark.parametrize(("seats", "tiles_left"), [(3, 3), (3, 1), (4, 4), (4, 2)])
def test_the_variation_of_a_last_round_goes_to_its_end(seats: int, tiles_left: int) -> None:
    game = last_round(seats, tiles_left, 7)
    best = analyse(view(game, game.to_move), OCEAN).best
    assert len(best.variation) == min(2, tiles_left - 1)
    board = best.move.on(game.board)
    for move in best.variation:
        assert refusal(board, move, Variant.STANDARD) is None
        board = move.on(board)
