"""Random games for the tests of environments, and games that differ in what a seat cannot see."""

import random
from collections.abc import Iterator
from dataclasses import replace

from riverstones.envs.deals import deal
from riverstones.rules import Deal, Game, Hand, Layout, Setup, Variant


def positions(variant: Variant, count: int, seed: int) -> Iterator[Game]:
    """Every position of games with random moves, of two, three and four seats, on all layouts.

    Where there are moves with flips, half of the moves are.
    """
    rng = random.Random(seed)
    for number in range(count):
        setup = Setup(2 + number % 3, variant, list(Layout)[number % 4])
        game = Game.begin(setup, deal(seed, number))
        while not game.over:
            yield game
            plays = game.plays()
            flipping = [play for play in plays if play.move.flips]
            game = game.play(rng.choice(flipping if flipping and rng.random() < 0.5 else plays).move)


def with_other_hidden_tiles(game: Game, seat: int, rng: random.Random) -> Game:
    """The same game for this seat: the tiles in the bag and in the other hands change places at random."""
    others = [other for other in range(game.setup.seats) if other != seat]
    hidden = [*game.deal.digits[game.drawn :], *(digit for other in others for digit in game.hands[other])]
    rng.shuffle(hidden)
    bag = [hidden.pop() for _ in range(game.bag)]
    hands: list[Hand] = list(game.hands)
    for other in others:
        hands[other] = tuple(sorted(hidden.pop() for _ in game.hands[other]))
    # What was drawn, in an order that a deal could have: the tiles of the others were drawn at some time.
    seen = [digit for _, tile in game.board for digit in [tile.digit]]
    drawn = [*seen, *(digit for hand in hands for digit in hand)]
    return replace(game, deal=Deal((*drawn, *bag)), hands=tuple(hands))
