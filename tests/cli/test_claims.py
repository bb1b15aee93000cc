"""Terminal games in which the players claim their points."""

import re
from pathlib import Path

import pytest

from riverstones.notation.read import read_record
from riverstones.notation.replay import replay
from riverstones.rules import Game, Scoring, Setup, Variant, explain

from .games import NAMES, SEED, Transcript, best, names, play_terminal, tiles_shown

CLAIMS = ("--scoring", "claims")


def played(game: Game, *, wrong: int = 0) -> tuple[list[str], Game]:
    """The lines that the player to move types for the best move with its points claimed, or too many."""
    play = best(game)
    claim = play.points + wrong
    return ["", str(play.move), str(claim), ""], game.play(play.move, claim=claim)


def first_flip(setup: Setup) -> tuple[list[str], Game]:
    """Everything typed until the best move flips a tile, and the game at that point."""
    game, lines = Game.begin(setup, SEED.deal()), []
    while not best(game).move.flips:
        typed, game = played(game)
        lines += typed
    return lines, game


def scores_on(page: str, seats: int) -> tuple[int, ...]:
    found = (re.search(rf"{name} +(\d+)", page) for name in NAMES[:seats])
    return tuple(int(match[1]) for match in found if match)


def play_claims(*lines: str, seats: int = 2, more: tuple[str, ...] = ()) -> Transcript:
    return play_terminal(*lines, options=(*names(seats), *CLAIMS, *more))


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "variant"), [(2, Variant.STANDARD), (3, Variant.STANDARD), (4, Variant.EXPERT)])
def test_a_whole_game_with_claims_and_objections(seats: int, variant: Variant, tmp_path: Path) -> None:
    """Every fifth claim is too high and every tenth move meets an objection, right or wrong."""
    game = Game.begin(Setup(seats, variant, scoring=Scoring.CLAIMS), SEED.deal())
    lines: list[str] = []
    while not game.over:
        number = len(game.turns)
        typed, game = played(game, wrong=7 if number % 5 == 0 else 0)
        lines += typed
        if number % 10 in (0, 1):
            objector = (game.turns[-1].seat + 1) % seats
            lines.append(f"object {NAMES[objector]}")
            game = game.object(objector)
    record = tmp_path / "claims.river"
    shown = play_terminal(*lines, "", str(record), options=(*names(seats), *CLAIMS, "--variant", variant.value))
    assert (shown.status, shown.errors) == (0, "")
    assert scores_on(shown.last, seats) == game.scores
    assert replay(read_record(record.read_bytes()))[-1] == game
    verdicts = [objection.upheld for turn in game.turns for objection in turn.objections]
    assert set(verdicts) == {True, False}


def test_the_points_of_a_move_are_not_shown() -> None:
    lines, game = first_flip(Setup(scoring=Scoring.CLAIMS))
    shown = play_claims(*lines, "", str(best(game).move), "hint", "", "1000", "12")
    assert best(game).points > 0
    for page in shown.pages[:-1]:
        assert not re.search(r"\d \| \d", page)
    hinted, empty, too_high, claimed = shown.pages[-5:-1]
    assert "There are no hints when players claim their points." in hinted
    assert "Enter the points you claim." in empty
    assert "A claim must be between 0 and 999." in too_high
    assert f"{best(game).move}  claims 12" in claimed
    assert tiles_shown(claimed) == game.hand


def test_a_claim_may_be_written_with_any_number_of_digits() -> None:
    move = best(Game.begin(Setup(scoring=Scoring.CLAIMS), SEED.deal())).move
    too_high, claimed = play_claims("", str(move), "9" * 5000, "0" * 5000 + "12").pages[-3:-1]
    assert "A claim must be between 0 and 999." in too_high
    assert f"{move}  claims 12" in claimed


def test_an_upheld_objection_cancels_the_points_and_the_flips() -> None:
    lines, game = first_flip(Setup(3, scoring=Scoring.CLAIMS))
    typed, after = played(game, wrong=1)
    mover, objector = game.to_move, (game.to_move + 2) % 3
    shown = play_claims(*lines, *typed, "object", f"object {NAMES[mover]}", f"object {NAMES[objector]}", seats=3)
    passed, who, own, upheld = shown.pages[-5:-1]
    assert scores_on(passed, 3) == after.scores
    assert "Who objects?" in who
    assert "You cannot object to your own move." in own
    assert f"{NAMES[objector]} is right: {NAMES[mover]} scores nothing" in upheld
    assert scores_on(upheld, 3) == game.scores
    flip = game.board[best(game).move.flips[0]]
    row = best(game).move.flips[0].row
    assert f"{flip}" in upheld.splitlines()[3 + 2 * row]
    assert tiles_shown(upheld) is None


def test_an_objection_that_is_not_upheld_changes_nothing() -> None:
    game = Game.begin(Setup(scoring=Scoring.CLAIMS), SEED.deal())
    typed, after = played(game)
    shown = play_claims(*typed, "object", "object")
    rejected, again = shown.pages[-3:-1]
    assert "Bo is wrong: Ada’s claim stands." in rejected
    assert scores_on(rejected, 2) == after.scores
    assert "You have already objected." in again


def test_the_next_player_may_object_until_the_move_is_made() -> None:
    game = Game.begin(Setup(scoring=Scoring.CLAIMS), SEED.deal())
    typed, after = played(game, wrong=3)
    shown = play_claims(*typed, "", str(best(after).move), "object")
    assert "Bo is right: Ada scores nothing" in shown.pages[-2]
    assert tiles_shown(shown.pages[-2]) == after.hand
    assert scores_on(shown.pages[-2], 2) == (0, 0)


def test_an_illegal_flip_is_not_refused_but_may_be_objected_to() -> None:
    game = Game.begin(Setup(scoring=Scoring.CLAIMS), SEED.deal())
    move = f"{best(game).move.square}={game.hand[0]}~e3"
    shown = play_claims("", move, "20", "", "object")
    assert f"Play {move}? [yes]" in shown.pages[3]
    assert scores_on(shown.pages[4], 2) == (20, 0)
    assert scores_on(shown.pages[5], 2) == (0, 0)


def test_a_bot_that_counts_exactly_objects_to_a_wrong_claim_and_to_no_other() -> None:
    game = Game.begin(Setup(scoring=Scoring.CLAIMS), SEED.deal())
    for wrong, points in ((0, best(game).points), (2, 0)):
        typed, _ = played(game, wrong=wrong)
        shown = play_terminal(*typed, options=("--name", "Ada", "--bot", "stream", *CLAIMS))
        assert ("Stream objected: upheld" in shown.pages[-2]) == bool(wrong)
        assert scores_on(shown.pages[-2], 1) == (points,)


def test_there_is_time_to_object_before_a_bot_moves() -> None:
    ada, game = played(Game.begin(Setup(3, scoring=Scoring.CLAIMS), SEED.deal()))
    bo, _ = played(game)
    # Stream is next and does not object. Ada, at the same keyboard, does.
    shown = play_terminal(*ada, *bo, "object", "", options=(*names(2), "--bot", "stream", *CLAIMS))
    number = next(n for n, page in enumerate(shown.pages) if "Stream moves next." in page)
    assert "To object, type object and your name." in shown.pages[number]
    assert tiles_shown(shown.pages[number]) is None
    assert "Ada is wrong: Bo’s claim stands." in shown.pages[number + 1]


def test_players_may_object_before_a_bot_does() -> None:
    ada, game = played(Game.begin(Setup(3, scoring=Scoring.CLAIMS), SEED.deal()))
    bo, _ = played(game, wrong=4)
    options = (*names(2), "--bot", "stream", *CLAIMS)
    spoken = play_terminal(*ada, *bo, "object", options=options).pages[-2]
    assert "Ada is right: Bo scores nothing" in spoken
    assert "Ada objected: upheld" in spoken
    # If Ada does not object, Stream does, and then makes its move.
    silent = play_terminal(*ada, *bo, "", options=options).pages[-2]
    assert "Stream objected: upheld" in silent
    assert re.search(r"Stream +\S+ +claims", silent)


def test_there_is_time_to_object_between_two_bots() -> None:
    game = Game.begin(Setup(3, scoring=Scoring.CLAIMS), SEED.deal())
    typed, _ = played(game)
    options = ("--name", "Ada", "--bot", "brook", "--bot", "stream", *CLAIMS)
    shown = play_terminal(*typed, "object", options=options)
    assert any("Stream moves next." in page for page in shown.pages)
    alone = play_terminal(*typed, options=("--name", "Ada", "--bot", "stream", *CLAIMS))
    assert not any("moves next" in page for page in alone.pages)


def test_bots_claim_and_object_as_their_level_does(tmp_path: Path) -> None:
    """Stream never errs and notices everything; Pebble errs, and Stream then takes the points away."""
    record = tmp_path / "bots.river"
    options = ("--seats", "2", "--bot", "pebble", "--bot", "stream", *CLAIMS, "--record", str(record))
    assert play_terminal("", options=options).status == 0
    games = replay(read_record(record.read_bytes()))
    for before, turn in zip(games, games[-1].turns, strict=False):
        right = explain(before.board, turn.move, before.setup.variant)
        is_wrong = not right.legal or right.points != turn.claim
        assert not (is_wrong and turn.seat == 1)
        assert turn.upheld == is_wrong
    assert any(turn.upheld for turn in games[-1].turns)


def test_the_last_claim_may_be_objected_to_before_the_result_stands() -> None:
    game, lines = Game.begin(Setup(scoring=Scoring.CLAIMS), SEED.deal()), []
    while not game.over:
        typed, game = played(game, wrong=1 if len(game.turns) == 66 else 0)
        lines += typed
    shown = play_claims(*lines, "object", "")
    assert "The last tile is placed." in shown.pages[-4]
    assert scores_on(shown.last, 2) == game.object(1 - game.turns[-1].seat).scores
