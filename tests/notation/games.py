"""Games and records for tests. Hypothesis draws the setup; a seeded generator plays the moves."""

import datetime
import random
from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st

from riverstones.notation import Annotation, Ending, Player, Record, record_of
from riverstones.notation.record import GLYPHS, HIGHEST_NUMBER, OWN_TAGS
from riverstones.rules import Game, Move, Scoring, Seed, Setup, Side, Tile
from tests.rules.strategies import PLACEMENTS, random_move, setups


def played(setup: Setup, seed: Seed, turns: int, rng: random.Random) -> Game:
    """A game with this many turns: mostly good moves and, with claims, mistakes, objections and late moves."""
    game = Game.begin(setup, seed.deal())
    for _ in range(turns):
        if setup.scoring is Scoring.CLAIMS:
            game = _claimed(game, rng)
        elif rng.random() < 0.05:
            game = game.play(_late(game), timed_out=True)
        else:
            game = game.play(random_move(rng, game))
    return game


def _late(game: Game) -> Move:
    """A move that the clock may make: the lowest tile of the hand as an addend, without a flip."""
    return Move(game.board.frontier()[0], Tile(game.hand[0], Side.ADDEND))


def _claimed(game: Game, rng: random.Random) -> Game:
    """A turn with a claim, right or wrong, and perhaps objections, right or wrong."""
    play = game.plays()[0]
    match rng.randrange(10):
        case 0:
            game = game.play(_late(game), claim=0, timed_out=True)
        case 1:
            game = game.play(play.move, claim=play.points + rng.randrange(1, 9))
        case 2:
            laid = [square for square, _ in game.board]
            flips = tuple(rng.sample(laid, rng.randrange(1, 4)))
            game = game.play(replace(play.move, flips=flips), claim=play.points)
        case _:
            game = game.play(play.move, claim=play.points)
    opponents = [seat for seat in range(game.setup.seats) if seat != game.turns[-1].seat]
    for seat in rng.sample(opponents, rng.choice((0, 0, 1, len(opponents)))):
        if not game.turns[-1].upheld:
            game = game.object(seat)
    return game


def share(of_ten: int) -> settings:
    """Settings for tests whose examples are whole games: this many tenths of the profile's examples."""
    return settings(max_examples=max(1, settings().max_examples * of_ten // 10))


lengths = st.integers(0, PLACEMENTS) | st.just(PLACEMENTS)
seeds = st.binary(min_size=32, max_size=32).map(Seed)
rngs = st.integers(0, 2**32).map(random.Random)
any_setup = st.sampled_from(Scoring).flatmap(setups)
hard_texts = ("\ud800", " ", "\\", '"', "\r\n", "\u2028", "a\n\n b ", "\n", "\ufeff# [x]")
texts = st.text(st.characters(), max_size=30) | st.sampled_from(hard_texts)
tag_names = st.from_regex(r"[A-Z][A-Za-z]{0,29}", fullmatch=True).filter(lambda name: name not in OWN_TAGS)


@st.composite
def annotations(draw: st.DrawFn, game: Game) -> Annotation:
    """An annotation of the next move of a game."""
    glyph = draw(st.sampled_from(GLYPHS))
    if draw(st.booleans()):
        return Annotation(glyph)
    best = game.plays()[0]
    tenths = draw(st.none() | st.integers(0, HIGHEST_NUMBER))
    return Annotation(draw(st.sampled_from(("", glyph))), best.move, best.points, tenths)


@st.composite
def records(draw: st.DrawFn) -> tuple[Record, Game]:
    """A sound record with every optional part, and its game."""
    seed = draw(seeds)
    game = played(draw(any_setup), seed, draw(lengths), draw(rngs))
    seats = range(game.setup.seats)
    how = Ending.FINISHED if game.over else draw(st.sampled_from(Ending).filter(lambda how: how is not Ending.FINISHED))
    gone = st.sets(st.sampled_from(seats), min_size=how is Ending.RESIGNED, max_size=len(seats) - 1)
    record = record_of(
        game,
        players=tuple(Player(draw(texts), draw(st.sampled_from(("", "otter")))) for _ in seats),
        date=draw(st.none() | st.dates(min_value=datetime.date(1, 1, 1))),
        seed=draw(st.sampled_from((seed, None))),
        start_drawn=game.setup.start == seed.first_seat(len(seats)) and draw(st.booleans()),
        tags=tuple(draw(st.dictionaries(tag_names, texts, max_size=3)).items()),
        how=how,
        resigned=tuple(sorted(draw(gone))),
    )
    if record.header.seed is None and draw(st.booleans()):
        record = replace(record, header=replace(record.header, commitment=seed.commitment))
    return _with_remarks(draw, record, game), game


def _with_remarks(draw: st.DrawFn, record: Record, game: Game) -> Record:
    """The record with some comments, and an annotation of the first move."""
    turns = list(record.turns)
    if turns:
        number = draw(st.integers(0, len(turns) - 1))
        turns[number] = replace(turns[number], comment=draw(texts))
        judged = annotations(Game.begin(game.setup, game.deal))
        turns[0] = replace(turns[0], annotation=draw(st.none() | judged))
    return replace(record, turns=tuple(turns), comment=draw(texts), end=replace(record.end, comment=draw(texts)))
