"""The engine line protocol, from the answering side."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverstones.engine import bots
from riverstones.engine.bots import UnknownBot
from riverstones.engine.protocol import Session
from riverstones.notation import format_position, parse_position
from riverstones.rules import Deal, Game, Move, Setup, Variant, view

BEGIN = (
    "........./........./....6..../........./..9.D.7../........./....4..../........./......... 0 27,?? 0,0 63 standard"
)


def say(session: Session, **message: Any) -> list[dict[str, Any]]:
    return list(session.answer(json.dumps(message)))


def test_a_position_is_answered_by_a_legal_move() -> None:
    answers = say(Session("stream"), type="go", position=BEGIN)
    assert [answer["type"] for answer in answers] == ["info", "move"]
    assert Move.parse(answers[-1]["move"]) in {play.move for play in parse_position(BEGIN).plays()}


def test_the_info_has_the_value_of_the_move() -> None:
    info, move = say(Session("stream"), type="go", position=BEGIN)
    points = {str(play.move): play.points for play in parse_position(BEGIN).plays()}
    assert info["level"] == "stream"
    assert info["points"] == points[move["move"]]


@pytest.mark.parametrize("level", ["pebble", "brook", "stream", "greedy"])
@pytest.mark.parametrize("variant", Variant)
def test_a_whole_game_can_be_played(level: str, variant: Variant) -> None:
    tiles = [digit for digit in range(1, 10) for _ in range(8)]
    random.Random(level).shuffle(tiles)
    game = Game.begin(Setup(3, variant), Deal(tuple(tiles)))
    session = Session("stream")
    assert say(session, type="newgame", players=3, seat=0, variant=variant.value) == []
    while not game.over:
        position = format_position(view(game, game.to_move).position)
        game = game.play(Move.parse(say(session, type="go", position=position, level=level)[-1]["move"]))


def test_the_same_seed_gives_the_same_moves() -> None:
    def moves(seed: int) -> list[str]:
        session = Session("pebble")
        say(session, type="newgame", players=2, seat=0, variant="standard", seed=seed)
        return [say(session, type="go", position=BEGIN)[-1]["move"] for _ in range(3)]

    assert moves(1) == moves(1)
    assert len({moves(seed)[0] for seed in range(20)}) > 1


def game_of(moves: int) -> Game:
    tiles = [digit for digit in range(1, 10) for _ in range(8)]
    random.Random(3).shuffle(tiles)
    game = Game.begin(Setup(3), Deal(tuple(tiles)))
    for _ in range(moves):
        game = game.play(game.plays()[0].move)
    return game


@pytest.mark.parametrize("told", [0, 1, 7, 25])
def test_moves_replace_the_history_of_the_game(told: int) -> None:
    """Pebble looks first at the square of the last tile."""
    game = game_of(25)
    position = format_position(view(game, game.to_move).position)
    moves = [str(turn.move) for turn in game.turns][len(game.turns) - told :]
    seen = view(game, game.to_move)
    for seed in range(20):
        session = Session("pebble", seed)
        (answer,) = say(session, type="go", position=position, moves=moves)
        known = replace(seen, turns=seen.turns[len(game.turns) - told :])
        assert answer["move"] == str(bots.make("pebble", seed)(known))


def test_moves_that_do_not_fit_the_position_are_refused() -> None:
    game = game_of(25)
    position = format_position(view(game, game.to_move).position)
    last = str(game.turns[-1].move)
    for moves, message in [
        ("x", "The moves must be a list of strings."),
        ([1], "The moves must be a list of strings."),
        ([last, last], f"The move {last} does not lead to the position."),
        ([f"{last.partition('~')[0]}~{last[:2]}"], "was not legal"),
        (["x9"], "x9"),
    ]:
        (answer,) = say(Session("pebble"), type="go", position=position, moves=moves)
        assert answer["type"] == "error"
        assert message in answer["message"]


def test_other_hands_are_ignored() -> None:
    """A position with full knowledge is answered like the view of the seat to move."""
    known = BEGIN.replace("27,??", "27,19")
    assert say(Session("stream"), type="go", position=known) == say(Session("stream"), type="go", position=BEGIN)


def test_unknown_fields_are_ignored() -> None:
    session = Session("stream")
    assert say(session, type="newgame", players=2, seat=1, variant="expert", weather="fog") == []
    assert say(session, type="go", position=BEGIN, nodes=100, mood=[1])[-1]["type"] == "move"


def test_quit_ends_the_session() -> None:
    session = Session("stream")
    assert not session.over
    assert say(session, type="quit") == []
    assert session.over


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "The line is not valid JSON."),
        ("go", "The line is not valid JSON."),
        ("[" * 50_000, "The line is not valid JSON."),
        ("[1]", "A line must be one JSON object."),
        ("{}", "The type must be newgame, go or quit."),
        ('{"type": "stop"}', "The type must be newgame, go or quit."),
        ('{"type": ["go"]}', "The type must be newgame, go or quit."),
        ('{"type": "go"}', "The line has no position."),
        ('{"type": "go", "position": 7}', "The line has no position."),
        ('{"type": "go", "position": "x", "level": 3}', "The level must be a name."),
        ('{"type": "go", "position": "x", "nodes": 0}', "The number of nodes must be a positive integer."),
        ('{"type": "go", "position": "x", "nodes": true}', "The number of nodes must be a positive integer."),
        ('{"type": "newgame", "players": 5}', "The number of players must be 2, 3 or 4."),
        ('{"type": "newgame", "players": "2"}', "The number of players must be 2, 3 or 4."),
        ('{"type": "newgame", "players": 3, "seat": 3}', "The seat must be from 0 to 2."),
        ('{"type": "newgame", "variant": "chess"}', "The variant must be standard or expert."),
        ('{"type": "newgame", "seed": "s"}', "The seed must be an integer."),
    ],
)
def test_a_bad_line_is_answered_by_an_error_and_changes_nothing(line: str, message: str) -> None:
    session = Session("stream")
    assert list(session.answer(line)) == [{"type": "error", "message": message}]
    assert say(session, type="go", position=BEGIN)[-1]["type"] == "move"


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("nonsense", "six fields"),
        (BEGIN.replace("27,??", "??,??"), "hand of the seat to move is not known"),
        (BEGIN.replace("27,?? 0,0 63", "-,?? 0,0 65"), "no tile left"),
        (BEGIN.replace("63", "62"), "72"),
    ],
)
def test_a_bad_position_is_explained(position: str, words: str) -> None:
    (answer,) = say(Session("stream"), type="go", position=position)
    assert answer["type"] == "error"
    assert words in answer["message"]


def test_an_unknown_level_is_named() -> None:
    (answer,) = say(Session("stream"), type="go", position=BEGIN, level="lake")
    assert answer["message"].startswith("There is no bot called “lake”")
    with pytest.raises(UnknownBot):
        Session("lake")


@given(st.text() | st.dictionaries(st.sampled_from(["type", "position", "level"]), st.text()).map(json.dumps))
def test_any_input_gets_an_answer(line: str) -> None:
    for answer in Session("greedy").answer(line):
        assert answer["type"] == "error"
