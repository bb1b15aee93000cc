"""The others' tiles are inferred exactly, and inference helps."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from riverstones.engine.choose import choose
from riverstones.engine.levels import OCEAN, RAPIDS, Level, Stage
from riverstones.engine.situation import Situation
from riverstones.rules import Board, Deal, Game, Move, Scoring, Setup, Variant, plays
from tests.engine.positions import game_after, seen

pytest.importorskip("numba", reason="Numba is not installed")

from riverstones.engine import inference, iterative


def hands_held(played: list[int], pool: Counter[int]) -> Iterator[tuple[float, list[tuple[int, int]]]]:
    """Every way in which a seat may have drawn its tiles from a pool, with its probability, as its hand at each turn.

    It ends at the last turn: the draw after it is left open.
    """

    def draw(
        probability: float, hands: list[tuple[int, int]], kept: int
    ) -> Iterator[tuple[float, list[tuple[int, int]]]]:
        if len(hands) == len(played):
            yield probability, hands
            return
        wanted = played[len(hands)]
        for fresh in [digit for digit, count in pool.items() if count]:
            if wanted in (kept, fresh):
                likely = probability * pool[fresh] / pool.total()
                pool[fresh] -= 1
                yield from draw(likely, [*hands, (kept, fresh)], kept + fresh - wanted)
                pool[fresh] += 1

    for first in [digit for digit, count in pool.items() if count]:
        likely = pool[first] / pool.total()
        pool[first] -= 1
        yield from draw(likely, [], first)
        pool[first] += 1


def probability_of_play(kind: tuple[bool, float], board: Board, hand: tuple[int, int], bag: int, move: Move) -> float:
    """The probability that a player of a kind makes a play with a hand."""
    careful, temperature = kind
    found = plays(board, hand)
    if temperature == 0:
        likely = float(found[0].move == move)
    else:
        worth = {play.move: float(play.points) for play in found}
        if careful:
            situation = Situation.with_even_probabilities(board, Variant.STANDARD, hand, (2, 2), (0, 0), bag)
            worth = {c.move: c.mean for c in iterative.look_ahead(situation, (Stage(2),)).candidates}
        best = max(worth.values())
        odds = {m: math.exp((value - best) / temperature) for m, value in worth.items()}
        likely = odds[move] / sum(odds.values())
    return (1 - inference.SLIP) * likely + inference.SLIP / len(found)


@pytest.mark.parametrize(("turns", "seed"), [(5, 1), (12, 2), (13, 3)])
def test_inference_equals_the_sum_over_all_ways_to_draw(turns: int, seed: int) -> None:
    game = game_after(turns, seed)
    me = game.to_move
    theirs = [number for number, turn in enumerate(game.turns) if turn.seat != me]
    moves = [game.turns[number].move for number in theirs]
    boards = [game_after(number, seed) for number in theirs]
    mine = [turn.move.tile.digit for turn in game.turns if turn.seat == me] + list(game.hand)
    stones = [tile.digit for _, tile in game_after(0, seed).board]
    pool = Counter(dict.fromkeys(range(1, 10), 8)) - Counter(mine) - Counter(stones)
    known: dict[tuple[tuple[bool, float], int, tuple[int, ...]], float] = {}

    def likely(kind: tuple[bool, float], number: int, hand: tuple[int, int]) -> float:
        low, high = sorted(hand)
        key = (kind, number, (low, high))
        if key not in known:
            before = boards[number]
            known[key] = probability_of_play(kind, before.board, (low, high), before.bag, moves[number])
        return known[key]

    kept = [0.0] * 10
    for probability, hands in hands_held([move.tile.digit for move in moves], pool):
        for kind in inference.KINDS:
            told = math.prod(likely(kind, number, hand) for number, hand in enumerate(hands))
            kept[sum(hands[-1]) - moves[-1].tile.digit] += probability * told
    expected = [weight / sum(kept) for weight in kept]
    assert inference.kept_tiles(seen(game), Stage(2))[1] == pytest.approx(expected)


def belief_in_the_truth(level: Level, games: int) -> list[float]:
    """The probability that a level's inference gives to the tile really kept, in games of greedy play."""
    assert level.inference is not None
    beliefs = []
    for seed in range(games):
        for turns in (12, 24, 36, 48):
            game = game_after(turns, seed)
            kept = inference.kept_tiles(seen(game), level.inference)[1]
            assert sum(kept) == pytest.approx(1.0)
            # The tile that was held before the last turn and not played then.
            last = game.turns[-1]
            assert last.hand is not None
            left = list(last.hand)
            left.remove(last.move.tile.digit)
            beliefs.append(kept[left[0]])
    return beliefs


@pytest.mark.parametrize("level", [RAPIDS, OCEAN], ids=lambda level: level.name)
def test_plays_reveal_the_kept_tile(level: Level) -> None:
    beliefs = belief_in_the_truth(level, 4)
    # A blind guess would give about one in nine.
    assert sum(beliefs) / len(beliefs) > 0.2


def test_an_illegal_move_with_claims_is_ignored() -> None:
    digits = [digit for digit in range(1, 10) for _ in range(8)]
    random.Random(5).shuffle(digits)
    game = Game.begin(Setup(scoring=Scoring.CLAIMS), Deal(tuple(digits)))
    stone = game.setup.layout.stones[1]
    square = game.board.frontier()[0]
    tile = game.plays()[0].move.tile
    game = game.play(Move(square, tile, (stone,)), claim=30).object(1)
    kept = inference.kept_tiles(seen(game), Stage(2))[1]
    assert sum(kept) == pytest.approx(1.0)
    assert choose(seen(game), OCEAN) in {play.move for play in game.plays()}
