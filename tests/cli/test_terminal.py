"""Whole games in the terminal, with input from a pipe."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from riverstones.engine import bots
from riverstones.engine.bots import offered
from riverstones.engine.levels import SEARCHING
from riverstones.notation.read import read_record
from riverstones.notation.record import Ending
from riverstones.notation.replay import replay
from riverstones.notation.verify import Fairness, verify_record
from riverstones.rules import Game, Layout, Setup, Variant
from riverstones.words import LANGUAGES, join, phrase

from .games import NAMES, SEED, best, names, play_terminal, tiles_shown, typed_game
from .helpers import assert_refused, environment, riverstones, riverstones_here


@pytest.mark.parametrize(
    "setup",
    [
        Setup(2),
        Setup(3, layout=Layout.STAR, start=2),
        Setup(4, layout=Layout.EDGES),
        Setup(2, Variant.EXPERT, Layout.CORNERS),
    ],
    ids=lambda setup: f"{setup.seats} seats, {setup.variant.value}",
)
def test_a_whole_game_is_played_to_its_end(setup: Setup, tmp_path: Path) -> None:
    lines, games = typed_game(setup, best)
    record = tmp_path / "game.river"
    options = ("--variant", setup.variant.value, "--layout", setup.layout.value, "--start", str(setup.start + 1))
    shown = play_terminal(*lines, str(record), options=(*names(setup.seats), *options))

    end = games[-1]
    outcome = end.outcome
    assert outcome is not None
    assert (shown.status, shown.errors) == (0, "")
    for seat in range(setup.seats):
        assert re.search(rf"{NAMES[seat]} +{end.scores[seat]} ", shown.last)
    winners = join([NAMES[seat] for seat in outcome.winners], "en")
    assert f"{winners} {'wins' if len(outcome.winners) == 1 else 'share the win'}" in shown.last
    assert SEED.commitment in shown.pages[0]
    assert SEED.reveal() not in "".join(shown.pages[:-1])
    assert SEED.reveal() in shown.last

    assert replay(read_record(record.read_bytes()))[-1] == end
    found = verify_record(record.read_bytes())
    assert (found.sound, found.fairness) == (True, Fairness.PROVEN)


@pytest.mark.parametrize("layout", Layout, ids=lambda layout: layout.value)
def test_the_first_page_says_where_the_side_stones_lie(layout: Layout) -> None:
    shown = play_terminal("", "quit", options=(*names(2), "--layout", layout.value))
    assert f": {' '.join(map(str, layout.stones[1:]))}\n" in shown.pages[0]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_player_sees_the_hand_of_another(seats: int) -> None:
    lines, games = typed_game(Setup(seats))
    shown = play_terminal(*lines, options=names(seats))
    pages = iter(shown.pages)
    for turn, game in enumerate(games[:-1]):
        handed_over = next(pages)
        assert tiles_shown(handed_over) is None
        assert f"{NAMES[game.to_move]}, press Enter:" in handed_over
        for _ in range(2):  # on the board page, and on the page of the tried move
            page = next(pages)
            assert tiles_shown(page) == game.hand, turn
    assert " wins" in next(pages)


def test_a_move_is_shown_with_its_arithmetic_before_it_is_played() -> None:
    game = Game.begin(Setup(), SEED.deal())
    play = game.plays()[0]
    assert play.points > 0
    (kakuro,) = play.kakuros
    _, before, tried, after = play_terminal("", str(play.move), "no", options=names(2)).pages[:4]
    arithmetic = f"{kakuro} = {kakuro.sum}"
    assert arithmetic not in before
    assert arithmetic in tried
    assert f"{play.move}  +{play.points}" in tried
    assert f"Play {play.move}? [yes]" in tried
    assert "Taken back." in after
    assert tiles_shown(after) == game.hand


def test_near_misses_are_shown_before_a_move_is_played() -> None:
    game = Game.begin(Setup(), SEED.deal())
    play = next(play for play in reversed(game.plays()) if play.move.square.row == 4 and not play.points)
    tried = play_terminal("", str(play.move), options=names(2)).pages[2]
    assert f"{play.move}  +0" in tried
    assert "no Kakuro" in tried


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("a1+{held}", "A tile has to touch another one"),
        ("e5+{held}", "e5 is taken."),
        ("e4+{missing}", "You do not hold a {missing}."),
        ("e4+{held}~a1", "There is no tile to flip on a1."),
        ("dance", "“dance” is not a move"),
        ("\x1b]0;x\x07", "is not a move"),
        ("12", "Type a move like e4+7, or help."),
        ("", "Type a move like e4+7, or help."),
        ("object", "There is nothing to object to."),
        ("save no/where.river", "The file “no/where.river” cannot be written: No such file or directory."),
        ("save \x00", "cannot be written: embedded null byte."),
    ],
)
def test_a_refusal_has_a_reason_and_changes_nothing(typed: str, sentence: str) -> None:
    game = Game.begin(Setup(), SEED.deal())
    missing = next(digit for digit in range(1, 10) if digit not in game.hand)
    held = game.hand[0]
    _, before, after = play_terminal("", typed.format(held=held, missing=missing), options=names(2)).pages[:3]
    assert sentence.format(missing=missing) in after
    assert "\x1b" not in after
    assert before.splitlines()[1:20] == after.splitlines()[1:20]


@pytest.mark.parametrize("written", ["{square}{tile}", "{square} {tile}", " {upper}{tile} "])
def test_a_move_may_be_typed_loosely(written: str) -> None:
    move = Game.begin(Setup(), SEED.deal()).plays()[0].move
    typed = written.format(square=move.square, upper=str(move.square).upper(), tile=move.tile)
    assert f"Play {move}? [yes]" in play_terminal("", typed, options=names(2)).pages[2]


def test_a_flip_may_be_typed_without_a_tilde() -> None:
    _, games = typed_game(Setup(), best)
    game, play = next((game, play) for game in games for play in game.plays() if play.move.flips and play.points)
    lines, _ = typed_game(Setup(), best)
    typed = str(play.move).replace("~", " ")
    shown = play_terminal(*lines[: 3 * len(game.turns)], "", typed, options=names(2))
    assert any(f"Play {play.move}? [yes]" in page for page in shown.pages)


def test_the_commands_of_a_turn(tmp_path: Path) -> None:
    game = Game.begin(Setup(), SEED.deal())
    play = game.plays()[0]
    file = tmp_path / "kept.river"
    typed = ["", "help", "", "hint", "unseen", "moves", "", f"save {file}", f"save {file}", "save"]
    shown = play_terminal(*typed, "quit", "no", "quit", "yes", options=names(2))
    _, _, helped, _, hinted, unseen, listed, _, saved, again, where, *_ = shown.pages
    assert "what you can type" in helped
    assert f"{play.move} scores {play.points}" in hinted
    assert sum(int(count) for count in re.findall(r"\d×(\d)", unseen)) == 72 - 5 - 2
    assert "No move has been made yet." in listed
    for page in (saved, again):
        assert "The game will be saved to" in page
    assert "Give a file name" in where
    assert "Game stopped after 0 of 67 moves." in shown.last
    assert verify_record(file.read_bytes()).sound


def test_an_unfinished_record_reveals_no_hand(tmp_path: Path) -> None:
    lines, games = typed_game(Setup())
    taken = tmp_path / "taken.river"
    taken.write_text("something else", encoding="utf-8")
    file = tmp_path / "new.river"
    shown = play_terminal(*lines[:30], "", f"save {taken}", f"save {file}", options=names(2))
    assert any("already exists" in page for page in shown.pages)
    assert taken.read_text(encoding="utf-8") == "something else"
    # The input ended, so the game was left, and only then the moves were recorded.
    record = read_record(file.read_bytes())
    assert record.end.how is Ending.ABANDONED
    assert replay(record)[-1] == games[10]


def test_a_game_that_is_left_shows_the_scores() -> None:
    lines, games = typed_game(Setup())
    for end in ([], ["quit", "y"]):
        shown = play_terminal(*lines[:30], "", *end, options=names(2))
        assert shown.status == 0
        assert shown.errors == ""
        assert "Game stopped after 10 of 67 moves." in shown.last
        assert re.search(rf"Ada +{games[10].scores[0]} ", shown.last)


def test_a_single_player_against_bots_does_not_pass_the_keyboard() -> None:
    shown = play_terminal("", "hint", options=("--name", "Ada", "--bot", "stream", "--bot", "pebble"))
    assert "Pass the keyboard" not in "".join(shown.pages)
    assert "Stream" in shown.pages[1]
    assert "Pebble" in shown.pages[1]


def test_bots_alone_play_a_reproducible_game() -> None:
    options = ("--seats", "3", "--bot", "stream", "--bot", "stream", "--bot", "pebble")
    first, second = (play_terminal("", options=options) for _ in range(2))
    assert "Press Enter to continue:" in first.pages[0]
    scores = {name: int(score) for name, score in re.findall(r"(Stream 2|Stream|Pebble) +(\d+) ", first.last)}
    assert len(scores) == 3
    assert f"{max(scores, key=scores.__getitem__)} wins" in first.last
    assert first.pages == second.pages


def test_the_record_names_the_level_of_each_bot(tmp_path: Path) -> None:
    record = tmp_path / "bots.river"
    play_terminal("", options=("--name", "Ada", "--bot", "brook", "--bot", "brook", "--record", str(record)))
    players = read_record(record.read_bytes()).header.players
    assert [(player.name, player.bot) for player in players] == [("Ada", ""), ("Brook", "brook"), ("Brook 2", "brook")]


@pytest.mark.parametrize("level", offered())
def test_every_level_makes_its_move(level: str) -> None:
    """The levels that look ahead show a page meanwhile, with the last move and the hand of the only human player."""
    game = Game.begin(Setup(), SEED.deal())
    move = game.plays()[0].move
    shown = play_terminal("", str(move), "", options=("--name", "Ada", "--bot", level))
    assert (shown.status, shown.errors) == (0, "")
    assert "Game stopped after 2 of 67 moves." in shown.last
    thinking = [page for page in shown.pages if f"{level.capitalize()} is thinking." in page]
    assert len(thinking) == (level in SEARCHING and bool(SEARCHING[level].stages))
    for page in thinking:
        assert f"Ada  {move}" in page
        assert tiles_shown(page) == game.play(move).hands[0]


def test_while_a_bot_thinks_no_other_hand_is_shown() -> None:
    typed = ["", str(Game.begin(Setup(3, start=1), SEED.deal()).plays()[0].move), ""]
    shown = play_terminal(*typed, options=(*names(2), "--bot", "river", "--start", "2"))
    (thinking,) = (page for page in shown.pages if "River is thinking." in page)
    assert tiles_shown(thinking) is None


def test_a_game_with_quick_bots_loads_no_compiled_code() -> None:
    program = """
import sys
from riverstones.cli.main import run
assert run(["play", "--terminal", "--bot", "pebble", "--bot", "brook", "--bot", "stream", "--seats", "3"]) == 0
assert not {"numba", "numpy"} & set(sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], input="\n", capture_output=True, text=True, check=False, env=environment()
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert " wins" in done.stdout or "share the win" in done.stdout


def test_without_options_the_game_asks_who_plays() -> None:
    asked = riverstones("play", "--terminal", stdin="7\n2\nAda, Bo\n\n").stdout
    assert "Type the name of a bot, or 2, 3 or 4." in asked
    assert "Ada starts." in asked
    assert "Ada, your move:" in asked
    for level in offered():
        assert f"  {level.capitalize()} " in asked


@pytest.mark.parametrize(
    ("language", "answer", "bot"),
    [
        ("en", "", "Pebble"),
        ("en", "1", "Pebble"),
        ("en", "Brook", "Brook"),
        ("fr", "Rivière", "Rivière"),
        ("fr", "stream", "Rivière"),
    ],
)
def test_one_person_chooses_a_bot_by_its_name(language: str, answer: str, bot: str) -> None:
    shown = play_terminal(answer, "Ada", "", options=("--language", language))
    assert re.search(rf"● Ada\n  ◆ {bot}\n", shown.pages[1])
    assert tiles_shown(shown.pages[2].replace("Vos tuiles", "Your tiles")) is not None


def test_without_the_compiled_engine_only_quick_bots_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "has_kernel", lambda: False)
    asked = play_terminal("ocean").pages[1]
    assert "Ocean" not in asked
    assert "Type the name of a bot, or 2, 3 or 4." in asked
    refused = riverstones_here("play", "--terminal", "--bot", "ocean")
    assert_refused(refused, 'The bot ocean needs the “engine” extra (pip install "riverstones[engine]").')


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--seats", "5"], "A game has two to four players; seats: 5, names and bots: 0."),
        (["--seats", "2", *names(3)], "A game has two to four players; seats: 2, names and bots: 3."),
        (["--name", "Ada"], "A game has two to four players; seats: 1, names and bots: 1."),
        (["--name", "Ada", "--name", "ada"], "Two players would both be called Ada."),
        (
            ["--name", "Wilhelmina-Maria-José", "--bot", "brook"],
            "“Wilhelmina-Maria-José” cannot be used as a name: use 1 to 16 visible characters.",
        ),
        (["--bot", "hal"], f"There is no bot “hal”; choose from {', '.join(offered()[:-1])}, and {offered()[-1]}."),
        (
            ["--seats", "2", "--start", "Zoe"],
            "“Zoe” cannot start: use first, random, a player’s name, or a seat number from 1.",
        ),
        (["--seats", "2", "--seed", "7"], "“7” is not a seed; a seed is 64 characters, 0-9 and a-f."),
        (
            ["--seats", "2", "--record", "nowhere/x.river"],
            "The file “nowhere/x.river” cannot be written: No such file or directory.",
        ),
    ],
)
def test_wrong_options_are_one_sentence_and_status_2(options: list[str], sentence: str) -> None:
    assert_refused(riverstones_here("play", "--terminal", *options), sentence)


def test_the_first_player_can_be_named_or_drawn(tmp_path: Path) -> None:
    assert "Bo starts." in play_terminal(options=(*names(2), "--start", "bo")).pages[0]
    drawn = NAMES[SEED.first_seat(3)]
    record = tmp_path / "drawn.river"
    options = (*names(3), "--start", "random", "--record", str(record))
    assert f"{drawn} starts." in play_terminal(options=options).pages[0]
    assert read_record(record.read_bytes()).header.start_drawn


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (40, 24), (100, 40), (70, 20)])
def test_every_page_fits_the_terminal(columns: int, lines: int) -> None:
    seats = 4
    typed, _ = typed_game(Setup(seats), best)
    env = environment(COLUMNS=str(columns), LINES=str(lines))
    typed = [line for turn in range(0, len(typed), 3) for line in (*typed[turn : turn + 2], "nonsense", "")]
    shown = play_terminal(*typed, options=names(seats), env=env)
    assert " wins" in shown.last
    for page in shown.pages[:-1]:
        rows = page.strip("\n").split("\n")
        assert len(rows) <= lines
        assert max(map(len, rows)) <= columns
        assert "…" not in page


def test_symbols_that_the_terminal_cannot_show_are_replaced() -> None:
    done = riverstones(
        "play", "--terminal", "--name", "Ada", "--bot", "brook", "--language", "fr", stdin="\n\n",
        env=environment(PYTHONIOENCODING="ascii"),
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert "+----+----+" in done.stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_runs_in_every_language(language: str) -> None:
    env = environment(LC_ALL=f"{language}_XX.UTF-8")
    by_locale = play_terminal("", "?", "", "e4+1", options=names(2), env=env)
    asked_for = play_terminal("", "?", "", "e4+1", options=(*names(2), "--language", language))
    assert by_locale == asked_for
    assert by_locale.errors == ""
    assert phrase("goodbye", {}, language) in by_locale.last


def test_commands_may_be_typed_in_the_players_language_and_in_english() -> None:
    options = (*names(2), "--language", "it")
    for word in ("aiuto", "help"):
        assert "che cosa puoi scrivere" in play_terminal("", word, options=options).pages[2]
    assert "mosse giocate: 0" in play_terminal("", "esci", "sì", options=options).last
