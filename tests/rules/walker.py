"""A walker that plays whole random games and checks every invariant at every state.

Code built on the rules can pass its own games to `check_state` and `check_turn`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from riverstones.rules import (
    HAND_SIZE,
    Deal,
    Game,
    Move,
    Position,
    Scoring,
    Setup,
    Side,
    Tile,
    explain,
    kakuros,
    kakuros_made,
    view,
)
from tests.rules.strategies import ALL_TILES, PLACEMENTS, random_move

STONES = 5


def walk(setup: Setup, deal: Deal, rng: random.Random) -> Iterator[Game]:
    """Every state of one game played to its end, objections included."""
    game = Game.begin(setup, deal)
    yield game
    while not game.over:
        if setup.scoring is Scoring.AUTOMATIC:
            game = game.play(random_move(rng, game))
            yield game
            continue
        game = _claimed_move(rng, game)
        yield game
        for seat in rng.sample(range(setup.seats), setup.seats):
            if seat != game.turns[-1].seat and not game.turns[-1].upheld and rng.random() < 0.4:
                game = game.object(seat)
                yield game


def _claimed_move(rng: random.Random, game: Game) -> Game:
    """A move with a claim; one in three is wrong."""
    move = random_move(rng, game)
    if rng.random() < 0.2:
        laid = [square for square, _ in game.board]
        move = replace(move, flips=tuple(rng.sample(laid, rng.randint(1, 3))))
    found = explain(game.board, move, game.setup.variant)
    claim = found.points if rng.random() < 0.8 else rng.randint(0, 999)
    return game.play(move, claim=claim, timed_out=rng.random() < 0.1)


def replayed(game: Game, deal: Deal | None = None) -> Game:
    """The same turns and objections replayed from the start, on the same deal or on another one."""
    again = Game.begin(game.setup, deal or game.deal)
    for turn in game.turns:
        again = again.play(turn.move, claim=turn.claim, timed_out=turn.timed_out)
        for objection in turn.objections:
            again = again.object(objection.seat)
    return again


def check_state(game: Game) -> None:
    """The invariants of a single state."""
    setup, placed = game.setup, len(game.turns)
    on_board = [tile.digit for _, tile in game.board]
    held = [digit for hand in game.hands for digit in hand]
    assert sorted([*on_board, *held, *game.deal.digits[game.drawn :]]) == ALL_TILES, "a tile is lost or made"
    assert len(on_board) == STONES + placed
    assert game.bag == max(0, len(ALL_TILES) - STONES - HAND_SIZE * setup.seats - placed)
    assert all(hand == tuple(sorted(hand)) for hand in game.hands)
    assert game.bag == 0 or all(len(hand) == HAND_SIZE for hand in game.hands)
    assert game.to_move == (setup.start + placed) % setup.seats
    assert game.over == (placed == PLACEMENTS) == (game.outcome is not None)
    points: Counter[int] = Counter()
    for number, turn in enumerate(game.turns):
        assert turn.seat == (setup.start + number) % setup.seats
        assert turn.hand is not None
        assert turn.move.tile.digit in turn.hand
        points[turn.seat] += turn.points
    assert game.scores == tuple(points[seat] for seat in range(setup.seats))
    assert Position.of(game).faults() == []
    _check_plays(game)
    _check_views(game)


def _check_plays(game: Game) -> None:
    plays = game.plays()
    if game.over:
        assert plays == []
        return
    plain = {play.move for play in plays if not play.move.flips}
    sides = [Tile(digit, side) for digit in set(game.hand) for side in Side]
    assert plain == {Move(square, tile) for square in game.board.frontier() for tile in sides}
    assert plain, "no tile can be placed"
    assert [play.points for play in plays] == sorted((play.points for play in plays), reverse=True)
    for play in plays:
        assert play.points == sum(kakuro.points for kakuro in play.kakuros)
        assert play.points > 0 or not play.move.flips, "a legal flip always scores"


def _check_views(game: Game) -> None:
    for seat in (None, *range(game.setup.seats)):
        seen = view(game, seat)
        assert seen.position.faults() == []
        assert seen.is_my_turn == (seat == game.to_move and not game.over)
        assert seen.outcome == game.outcome
        assert seen.hand == (() if seat is None else game.hands[seat])
        assert sum(seen.position.unseen) == game.bag + sum(len(hand) for hand in game.hands) - len(seen.hand)
        for number, hand in enumerate(seen.position.hands):
            assert hand.known == (game.hands[number] if number == seat else ())
            assert len(hand) == len(game.hands[number])
        assert all((turn.hand is not None) == (turn.seat == seat) for turn in seen.turns)


def check_turn(before: Game, after: Game) -> None:
    """The invariants of a legal move from one state to the next."""
    turn = after.turns[-1]
    move, seat = turn.move, before.to_move
    changed = set(move.changed)
    assert after.turns[:-1] == before.turns
    assert {square for square, _ in after.board} == {square for square, _ in before.board} | {move.square}
    for square, tile in before.board:
        assert after.board[square] == (tile.flipped if square in move.flips else tile)

    rest = list(before.hand)
    rest.remove(move.tile.digit)
    drawn = before.deal.digits[before.drawn : after.drawn]
    assert len(drawn) == min(1, before.bag)
    assert after.hands[seat] == tuple(sorted([*rest, *drawn]))
    assert all(after.hands[other] == before.hands[other] for other in range(before.setup.seats) if other != seat)

    new = set(kakuros(after.board)) - set(kakuros(before.board))
    scored = set(kakuros_made(before.board, move))
    assert scored == {kakuro for kakuro in new if changed & set(kakuro.squares)}, "only what it touches scores"
    if move.flips:
        assert any(changed <= set(kakuro.squares) for kakuro in scored), "a flip shares a Kakuro with the placed tile"
        assert sum(tile.is_total for square, tile in after.board if square in changed) <= 1, (
            "at most one changed tile ends red"
        )
    if before.setup.scoring is Scoring.AUTOMATIC:
        assert turn.points == sum(kakuro.sum for kakuro in scored)
