"""Drop to brook play as people do: legal moves, the best of what they see, and easy things are seen more often."""

import hashlib
import random
from dataclasses import replace
from itertools import pairwise

import pytest

from riverstones.engine.human import (
    BROOK,
    PEBBLE,
    PERSONAS,
    SPRING,
    Persona,
    choose,
    main_kakuro,
    mirages,
    notice_probability,
    placement_weight,
)
from riverstones.rules import (
    Board,
    Deal,
    Game,
    Hand,
    Held,
    Move,
    Position,
    Scoring,
    Seed,
    Setup,
    Square,
    Turn,
    Variant,
    View,
    explain,
    kakuros_made,
    plays,
    refusal,
    view,
)

EAGLE = Persona("eagle", 99, *(0,) * 6, carelessness=0, falls_for_mirages=0, overlooks=0, miscounts=0, catches=1)
"""A persona that misses nothing."""


def deal(number: int) -> Deal:
    return Seed(hashlib.sha256(f"people {number}".encode()).digest()).deal()


def seen(board: str, hand: Hand, last: str | None = None, scoring: Scoring = Scoring.AUTOMATIC) -> View:
    """The view of seat 0 on a composed board; `last` is the opponent's move that led to it."""
    position = Position(Board.of(board), 0, (Held(hand), Held((), 2)), (0, 0), 40)
    turns = (Turn(1, None, Move.parse(last), 0),) if last else ()
    return View(0, Setup(scoring=scoring), position, turns, over=False)


def how_often(persona: Persona, situation: View, points: int, looks: int = 600) -> float:
    """The share of looks at a position in which a persona makes a move with this many points."""
    made = [choose(situation, persona, random.Random(look)) for look in range(looks)]
    return sum(explain(situation.position.board, move).points == points for move in made) / looks


@pytest.mark.parametrize("persona", PERSONAS.values(), ids=PERSONAS)
@pytest.mark.parametrize("variant", Variant)
@pytest.mark.parametrize("seats", [2, 4])
def test_a_whole_game_is_legal(persona: Persona, variant: Variant, seats: int) -> None:
    game = Game.begin(Setup(seats, variant), deal(seats))
    rng = random.Random(7)
    while not game.over:
        game = game.play(choose(view(game, game.to_move), persona, rng))
    assert sum(game.scores) > 0


@pytest.mark.parametrize("persona", PERSONAS.values(), ids=PERSONAS)
def test_the_same_rng_gives_the_same_move_and_another_may_give_another(persona: Persona) -> None:
    game = Game.begin(Setup(), deal(0))
    for _ in range(12):
        game = game.play(game.plays()[0].move)
    situation = view(game, game.to_move)
    moves = [choose(situation, persona, random.Random(seed)) for seed in range(30)]
    assert moves == [choose(situation, persona, random.Random(seed)) for seed in range(30)]
    assert len(set(moves)) > 1


def test_a_persona_that_sees_everything_makes_the_best_play() -> None:
    game = Game.begin(Setup(variant=Variant.EXPERT), deal(1))
    while not game.over:
        best = game.plays()[0]
        move = choose(view(game, game.to_move), EAGLE, random.Random(0))
        assert explain(game.board, move, Variant.EXPERT).points == best.points
        game = game.play(best.move)


def test_a_persona_that_sees_nothing_places_a_tile_without_flips() -> None:
    blind = replace(PEBBLE, sharpness=-99)
    situation = seen("a1=8 b1+3 c1+4", (1, 9))
    moves = {choose(situation, blind, random.Random(seed)) for seed in range(200)}
    assert not any(move.flips for move in moves)
    assert len(moves) > 10


@pytest.mark.parametrize(
    ("easier", "harder"),
    [
        pytest.param(
            seen("a1=8 b1+3", (5, 5)),
            seen("a1=8 b1+3 c1+4 d1+9 e1+7", (5, 5)),
            id="two addends are easier than five",
        ),
        pytest.param(
            seen("a1=8 b1+3", (5, 5)),
            seen("a1+8 b1+3", (5, 5)),
            id="a total that lies there is easier than one to be flipped",
        ),
        pytest.param(
            seen("e1=8 f1+3", (5, 5)),
            seen("e1=8 e2+3", (5, 5)),
            id="to the right is easier than downwards",
        ),
        pytest.param(
            seen("a1=8 b1+3", (5, 5), last="b1+3"),
            seen("a1=8 b1+3 c2=9 d2=9 e2=9 f2=9 f3=9 f4=9 f5=9", (5, 5), last="f5=9"),
            id="next to the last tile is easier than far from it",
        ),
    ],
)
@pytest.mark.parametrize("persona", PERSONAS.values(), ids=PERSONAS)
def test_harder_kakuros_are_overlooked_more_often(persona: Persona, easier: View, harder: View) -> None:
    tired = replace(persona, sharpness=0)
    best = [plays(situation.position.board, situation.hand)[0].points for situation in (easier, harder)]
    assert how_often(tired, easier, best[0]) > how_often(tired, harder, best[1]) + 0.02


def test_brook_sees_more_than_pebble() -> None:
    situation = seen("a1+8 b1+3", (5, 5))
    assert how_often(BROOK, situation, 8) > how_often(PEBBLE, situation, 8) + 0.1


def test_pebble_compares_moves_more_carelessly_than_brook() -> None:
    """Both Kakuros are easy to see; one is worth three points more."""
    situation = seen("a1=8 b1+3 a9=1 b9+6", (5, 5))
    keen = [replace(persona, sharpness=99) for persona in (PEBBLE, BROOK)]
    pebble, brook = (how_often(persona, situation, 11) for persona in keen)
    assert 0.5 < pebble < brook <= 1


def test_a_second_kakuro_of_the_same_move_is_easily_overlooked() -> None:
    """On e5 a five scores 9 to the right and 8 downwards; on c9 it scores 14."""
    situation = seen("c5=9 d5+4 e3=8 e4+3 a9=4 b9+9", (5, 5))
    one_at_a_time = replace(EAGLE, crossing=999)
    assert choose(situation, EAGLE, random.Random(0)) == Move.parse("e5+5")
    assert choose(situation, one_at_a_time, random.Random(0)) == Move.parse("c9+5")


def test_a_mirage_is_a_right_sum_with_a_digit_twice() -> None:
    board = Board.of("a1=1 b1+3 c1+5")
    found = dict(mirages(board, (3, 9)))
    assert str(found[Move.parse("d1+3")]) == "1 | 3 + 5 + 3"
    assert all(not kakuros_made(board, move) or refusal(board, move, Variant.STANDARD) for move in found)


def test_a_mirage_may_need_a_flipped_tile() -> None:
    board = Board.of("a1+1 b1+3 c1+5")
    found = dict(mirages(board, (3, 9)))
    assert str(found[Move.parse("d1+3~a1")]) == "1 | 3 + 5 + 3"
    assert refusal(board, Move.parse("d1+3~a1"), Variant.STANDARD) is not None


def test_personas_fall_for_mirages_only_with_claims() -> None:
    board, mirage = "a1+1 b1+3 c1+5", Move.parse("d1+3~a1")
    win_probability = [random.Random(seed) for seed in range(300)]
    automatic = [choose(seen(board, (3, 3)), PEBBLE, rng) for rng in win_probability]
    claimed = [choose(seen(board, (3, 3), scoring=Scoring.CLAIMS), PEBBLE, rng) for rng in win_probability]
    assert mirage not in automatic
    assert claimed.count(mirage) == 0  # pebble hardly ever flips, not even wrongly
    keen = [
        choose(seen(board, (3, 3), scoring=Scoring.CLAIMS), replace(PEBBLE, per_flip=0), rng) for rng in win_probability
    ]
    assert 5 < keen.count(mirage) < 150


@pytest.fixture(scope="module")
def ladder() -> dict[tuple[str, str], list[Game]]:
    """Twelve games, on six deals, of each level against the one below it."""
    games: dict[tuple[str, str], list[Game]] = {}
    for low, high in pairwise(PERSONAS.values()):
        for number in range(12):
            order = (low, high) if number % 2 else (high, low)
            game, rng = Game.begin(Setup(), deal(number // 2)), random.Random(number)
            while not game.over:
                game = game.play(choose(view(game, game.to_move), order[game.to_move], rng))
            games.setdefault((low.name, high.name), []).append(game)
    return games


def seat_of(name: str, pair: tuple[str, str], number: int) -> int:
    """The seat of a level in a game of the ladder."""
    return (pair.index(name) + number + 1) % 2


@pytest.mark.slow
def test_each_level_outscores_the_one_below_it(ladder: dict[tuple[str, str], list[Game]]) -> None:
    for (low, high), games in ladder.items():
        margins = [
            game.scores[seat_of(high, (low, high), n)] - game.scores[seat_of(low, (low, high), n)]
            for n, game in enumerate(games)
        ]
        assert sum(margins) / len(margins) > 8, (low, high, margins)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "least", "most"), [("drop", 0, 0.01), ("pebble", 0, 0.04), ("spring", 0, 0.1), ("brook", 0.15, 0.45)]
)
def test_beginners_rarely_flip(ladder: dict[tuple[str, str], list[Game]], name: str, least: float, most: float) -> None:
    moves = [
        turn.move
        for pair, games in ladder.items()
        if name in pair
        for number, game in enumerate(games)
        for turn in game.turns
        if turn.seat == seat_of(name, pair, number)
    ]
    assert len(moves) > 300
    assert least <= sum(bool(move.flips) for move in moves) / len(moves) <= most


@pytest.mark.parametrize("persona", [PEBBLE, SPRING, BROOK], ids=lambda persona: persona.name)
def test_an_obvious_sum_next_to_the_last_tile_is_nearly_always_made(persona: Persona) -> None:
    """8 | 3 + 5, the 3 just placed."""
    assert how_often(persona, seen("a1=8 b1+3", (5, 5), last="b1+3"), 8) > 0.9


@pytest.mark.parametrize("persona", PERSONAS.values(), ids=PERSONAS)
@pytest.mark.parametrize(
    ("board", "last", "move", "points"),
    [
        ("a1=8 b1+3", "b1+3", "c1+5", 8),
        ("e1=8 e2+3", "e1=8", "e3+5", 8),
        ("a1+8 b1+3", "b1+3", "c1+5~a1", 8),
        ("a1=8 b1+3 c1+4 d1+6", "a1=8", "e1+5", 18),
    ],
    ids=["row", "column", "flip", "four addends"],
)
def test_a_kakuro_is_made_as_often_as_it_is_said_to_be_noticed(
    persona: Persona, board: str, last: str, move: str, points: int
) -> None:
    situation, made = seen(board, (5, 5), last=last), Move.parse(move)
    series = main_kakuro(made, kakuros_made(situation.position.board, made))
    expected = notice_probability(persona, series, made, Move.parse(last).square)
    assert how_often(persona, situation, points, looks=800) == pytest.approx(expected, abs=0.055)


@pytest.mark.parametrize("persona", PERSONAS.values(), ids=PERSONAS)
def test_distance_and_crossing_make_a_kakuro_harder_to_notice(persona: Persona) -> None:
    move = Move.parse("c1+5")
    (series,) = kakuros_made(Board.of("a1=8 b1+3"), move)
    near, far = Square.parse("b1"), Square.parse("i9")
    noticed = notice_probability(persona, series, move, near)
    unplaced = notice_probability(persona, series, move, None)
    assert notice_probability(persona, series, move, far) < noticed < unplaced < 1
    assert notice_probability(persona, series, move, near, crossing=True) < noticed


def test_a_persona_that_sees_nothing_builds_near_the_last_tile() -> None:
    board, last = Board.of("a1=8 b1+3 e5=6"), Square.parse("b1")

    def weight(move: str) -> float:
        return placement_weight(board, Move.parse(move), last)

    assert weight("c1+4") > 3 * weight("b2+4"), "it continues a sum"
    assert weight("c1+4") > 2 * weight("f5+4"), "near rather than far"
    assert weight("c1+3") < weight("b2+4"), "a digit twice spoils the sum"
    assert weight("b2=4") < weight("b2+4"), "a total without addends stands astray"


def test_an_unnoticed_kakuro_is_not_made_by_accident() -> None:
    blind = replace(PEBBLE, sharpness=-99)
    assert how_often(blind, seen("a1=8 b1+3", (5, 5), last="b1+3"), 8) == 0
