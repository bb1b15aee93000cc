"""Datasets of games: written in parts, resumed, read again, and the same from the same plan."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from riverstones.envs import dataset, make_dataset
from riverstones.envs.actions import FLIPS_START
from riverstones.envs.dataset import DatasetError, Plan, check, checksum, read, replay, shard_path
from riverstones.envs.deals import deal
from riverstones.envs.kernel_game import KernelGame
from riverstones.notation import read_record
from riverstones.rules import Setup, Variant, plays

PLAN = Plan(("greedy", "pebble"), games=5, seed=3, shard=2)


def write(folder: Path, plan: Plan = PLAN) -> list[int]:
    """Write a dataset in this process; returns the progress reported."""
    reported: list[int] = []
    make_dataset.make(folder, plan, 1, reported.append)
    return reported


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("dataset")
    assert write(made) == [0, 2, 4, 5]
    return made


def test_every_row_is_a_game_of_its_plan(folder: Path) -> None:
    plan, rows = read(folder)
    assert plan == PLAN
    assert rows["number"].tolist() == [0, 1, 2, 3, 4]
    assert rows["levels"].tolist() == [[0, 1], [1, 0]] * 2 + [[0, 1]]
    for row in rows:
        game = replay(plan, row)
        assert game.setup == Setup()
        assert game.deal == deal(3, int(row["number"]))
        assert [turn.points for turn in game.turns] == row["points"].tolist()
        assert game.over
    greedy_seats = rows["scores"][rows["levels"] == 0]
    assert greedy_seats.mean() > rows["scores"][rows["levels"] == 1].mean()


def test_it_goes_on_where_it_stopped_with_the_same_games(folder: Path, tmp_path: Path) -> None:
    write(tmp_path)
    shard_path(tmp_path, 1).unlink()
    (tmp_path / "games-00001.123.part").write_bytes(b"unfinished")
    assert len(read(tmp_path)[1]) == 3
    assert write(tmp_path) == [3, 5]
    assert np.array_equal(read(tmp_path)[1], read(folder)[1])


def test_another_plan_is_not_mixed_in(folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(DatasetError, match="another plan"):
        write(folder, Plan(("greedy", "pebble"), games=5, seed=4, shard=2))
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_three_experts_have_rows_of_their_own(tmp_path: Path) -> None:
    plan = Plan(("greedy",) * 3, games=1, variant="expert", layout="star", shard=1)
    write(tmp_path, plan)
    _, rows = read(tmp_path)
    assert rows["scores"].shape == (1, 3)
    assert replay(plan, rows[0]).setup.variant is Variant.EXPERT


def test_a_row_with_wrong_scores_is_noticed(folder: Path) -> None:
    plan, rows = read(folder)
    rows["scores"][0, 0] += 1
    with pytest.raises(DatasetError, match="other points or scores"):
        replay(plan, rows[0])


@pytest.mark.parametrize("levels", [("greedy", "stream"), ("stream",) * 3, ("greedy",) * 4])
@pytest.mark.parametrize(("variant", "layout"), [("standard", "sides"), ("expert", "star")])
def test_compiled_games_are_those_of_the_bots(levels: tuple[str, ...], variant: str, layout: str) -> None:
    plan = Plan(levels, games=12, seed=2**64 - 1, variant=variant, layout=layout)
    compiled = make_dataset.play_compiled(plan, range(12))
    for number in range(4):
        assert compiled[number] == make_dataset.play_game(plan, number)
    check(plan, compiled)


def test_compiled_games_break_ties_as_the_rules_do() -> None:
    """Of many positions, also those in which two plays with the most points differ only in their flips."""
    plan = Plan(("greedy", "greedy"), games=120, seed=5, variant="expert")
    rows = make_dataset.play_compiled(plan, range(120))
    ties = 0
    for row in rows:
        game = KernelGame(plan.setup, deal(5, int(row["number"])))
        for action in row["actions"].tolist():
            points = {each: game.points(each) for each in game.legal_actions().tolist() if each >= FLIPS_START}
            best = [each for each, gained in points.items() if gained == max(points.values())]
            chosen = game.move(action)
            rivals = [game.move(each) for each in best if each != action]
            if action in best and any((move.square, move.tile) == (chosen.square, chosen.tile) for move in rivals):
                ties += 1
                assert plays(game.board, game.hand(game.to_move), plan.setup.variant)[0].move == chosen
            game.play(action)
    assert ties > 5


@pytest.mark.parametrize("field", ["number", "levels", "deal", "actions", "points", "scores"])
def test_a_wrong_field_is_noticed(field: str, folder: Path) -> None:
    plan, rows = read(folder)
    check(plan, rows)
    rows[field].reshape(len(rows), -1)[3, 0] += 1
    with pytest.raises(DatasetError, match=r"game [34] is wrong"):
        check(plan, rows)


def test_the_checksum_is_that_of_the_games(folder: Path, tmp_path: Path) -> None:
    whole = replace(PLAN, shard=5)
    write(tmp_path, whole)
    assert checksum(read(tmp_path)[1]) == checksum(read(folder)[1])
    assert checksum(read(folder)[1][1:]) != checksum(read(folder)[1])


def test_the_published_games_stay_the_same() -> None:
    """Those of `make_dataset FOLDER greedy greedy`; docs/dataset.md has the checksum of all 100,000."""
    first = make_dataset.play_compiled(Plan(("greedy", "greedy")), range(1000))
    assert checksum(first) == "81f058f67873ac0c90f48849fac2e7bed51e5d8fe00a70e4aebe2dff5196e8ee"


def test_a_game_is_printed_as_a_record(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert make_dataset.main([str(folder), "--river", "1"]) == 0
    record = read_record(capsys.readouterr().out)
    assert [player.bot for player in record.header.players] == ["pebble", "greedy"]
    assert len(record.turns) == 67


def test_the_program_verifies_a_dataset(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert make_dataset.main([str(folder), "--check", "2"]) == 0
    shown = capsys.readouterr().out
    assert "5 of 5 games" in shown
    assert "2 of them played again by the rules" in shown
    assert checksum(read(folder)[1]) in shown


def test_a_dataset_that_is_not_complete_is_not_called_right(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(folder, tmp_path / "part")
    shard_path(tmp_path / "part", 0).unlink()
    assert make_dataset.main([str(tmp_path / "part"), "--check"]) == 1
    assert "games are missing" in capsys.readouterr().err
    assert make_dataset.main([str(folder), "--check", "-1"]) == 2


def test_the_program_writes_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(tmp_path / "new"), "greedy", "greedy", "--games", "1", "--processes", "1"]
    assert make_dataset.main(arguments) == 0
    assert "1 of 1 games" in capsys.readouterr().err
    assert make_dataset.main(arguments) == 0
    assert len(read(tmp_path / "new")[1]) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["greedy"], "players must be one of 2, 3 and 4"),
        (["greedy", "nobody"], "There is no bot called “nobody”"),
        (["greedy", "greedy", "--games", "0"], "one game or more"),
        (["greedy", "greedy", "--seed", "-1"], "from 0 to"),
        (["greedy", "greedy", "--layout", "round"], "layout must be one of"),
        (["--river", "0"], "there is no dataset"),
    ],
)
def test_bad_input_gets_one_sentence(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert make_dataset.main([str(tmp_path / "none"), *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"dataset_version": 1, "action_space_version": 1, "levels": 3}'])
def test_a_wrong_description_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / dataset.DESCRIPTION).write_text(text)
    with pytest.raises(DatasetError):
        read(tmp_path)


def test_other_versions_are_refused() -> None:
    with pytest.raises(DatasetError, match="other versions"):
        Plan.from_json(PLAN.to_json().replace('"dataset_version": 1', '"dataset_version": 2'))


@pytest.mark.slow
def test_several_processes_write_the_same(folder: Path, tmp_path: Path) -> None:
    make_dataset.make(tmp_path, PLAN, 2, lambda have: None)
    assert np.array_equal(read(tmp_path)[1], read(folder)[1])
