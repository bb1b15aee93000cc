"""`riverstones arena`: the report, the file, stopping and resuming, and invalid options."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from riverstones.engine.bots import LEVELS

from .helpers import COMMAND, answer, assert_refused, environment, riverstones_here

QUICK = ("arena", "pebble", "greedy", "--jobs", "1")


def report_of(*arguments: str) -> dict[str, Any]:
    """The JSON report of a successful match."""
    done = riverstones_here(*arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def without_times(report: dict[str, Any]) -> dict[str, Any]:
    return report | {"bots": [bot | {"ms_per_move": None} for bot in report["bots"]]}


def is_group(leader: int) -> bool:
    """Whether any process of this group is left."""
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_json_report() -> None:
    report = report_of(*QUICK, "--games", "4", "--seed", "3", "--variant", "expert", "--layout", "star")
    assert (report["games"], report["seats"], report["seed"]) == (4, 2, 3)
    assert (report["variant"], report["layout"], report["stopped"]) == ("expert", "star", False)
    assert [bot["name"] for bot in report["bots"]] == ["pebble", "greedy"]
    assert report["bots"][0]["mean_points"] < report["bots"][1]["mean_points"]


def test_the_number_of_jobs_changes_nothing() -> None:
    one, two = (answer(*QUICK[:-1], jobs, "--games", "6") for jobs in ("1", "2"))
    assert without_times(one) == without_times(two)


def test_the_text_report() -> None:
    done = riverstones_here(*QUICK, "--games", "3")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "win rate %" in done.stdout
    assert "pebble" in done.stdout
    assert done.stdout.endswith("Games: 4. Deals: 2, each in every seating. Seed: 0.\n")


def test_four_seats() -> None:
    report = report_of("arena", "brook", "greedy", "greedy", "greedy", "--games", "8", "--jobs", "1")
    assert (report["seats"], report["games"], report["deals"]) == (4, 8, 2)
    assert sum(bot["win_rate"] for bot in report["bots"]) == pytest.approx(1)


def test_a_decided_test_is_reported() -> None:
    done = riverstones_here(*QUICK, "--sprt", "--elo1", "100")
    assert done.returncode == 0
    assert "Decided for 0 Elo against 100: log-likelihood ratio -" in done.stdout


def test_a_failing_bot_is_reported_and_the_match_continues(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("raise SystemExit('no bot today.')", encoding="utf-8")
    done = riverstones_here("arena", "pebble", f"cmd:{sys.executable} {bot}", "--games", "2", "--jobs", "1", "--json")
    report = json.loads(done.stdout)
    assert report["games"] == report["bots"][1]["forfeits"] == report["bots"][0]["wins"] == 2
    assert [forfeit["reason"] for forfeit in report["forfeits"]] == ["it exited with status 1: no bot today."] * 2
    assert done.stderr.count("(deal 0, seating 1): it exited with status 1: no bot today.\n") == 1


def test_the_engine_as_an_external_bot_plays_the_same_games() -> None:
    """The command plays against itself through the line protocol, with the same games as within one process."""
    away = report_of("arena", f"cmd:{COMMAND} engine --level brook", "greedy", "--games", "2", "--jobs", "1")
    home = report_of("arena", "brook", "greedy", "--games", "2", "--jobs", "1")
    for report in (away, home):
        for bot in report["bots"]:
            del bot["name"], bot["ms_per_move"]
    assert away == home


def test_a_match_in_a_file_is_resumed(tmp_path: Path) -> None:
    file = str(tmp_path / "match.jsonl")
    report_of(*QUICK, "--games", "2", "--out", file)
    assert_refused(
        riverstones_here(*QUICK, "--games", "4", "--out", file),
        f"The file {file} already exists; use --resume to continue its match.",
    )
    resumed = report_of(*QUICK, "--games", "6", "--out", file, "--resume")
    assert without_times(resumed) == without_times(report_of(*QUICK, "--games", "6"))
    assert len(Path(file).read_text().splitlines()) == 1 + 6
    assert_refused(
        riverstones_here(*QUICK, "--seed", "9", "--out", file, "--resume"),
        f"The file {file} holds another match: its seed is 0.",
    )


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_match_reports_what_it_has_and_keeps_it(tmp_path: Path, jobs: str, number: signal.Signals) -> None:
    file = tmp_path / "match.jsonl"
    arguments = ["arena", "pebble", "greedy", "--games", "1000000", "--jobs", jobs, "--out", str(file), "--json"]
    process = subprocess.Popen(
        [COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), text=True
    )
    until = time.monotonic() + 60
    while not file.exists() or len(file.read_bytes().splitlines()) < 8:
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(number)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == ""
    report = json.loads(out)
    assert report["stopped"]
    assert report["games"] >= 4
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(lines) - 1 >= report["games"]


def endless_match(file: Path) -> subprocess.Popen[str]:
    """A match with two workers that runs until it is stopped, in its own process group."""
    return subprocess.Popen(
        [COMMAND, "arena", "pebble", "greedy", "--games", "1000000", "--jobs", "2", "--out", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        text=True,
        start_new_session=True,
    )


@pytest.mark.slow
def test_a_second_ctrl_c_does_not_lose_the_report(tmp_path: Path) -> None:
    """A worker may still be starting, and a game stops only at the end of a move."""
    file = tmp_path / "match.jsonl"
    process = endless_match(file)
    until = time.monotonic() + 60
    while not file.exists():
        assert time.monotonic() < until
        time.sleep(0.05)
    time.sleep(0.3)
    while process.poll() is None:
        assert time.monotonic() < until
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.01)
    out, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")
    assert "Stopped." in out


@pytest.mark.slow
def test_a_match_that_is_killed_leaves_no_process(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    process = subprocess.Popen(
        [COMMAND, "arena", "pebble", "greedy", "--games", "1000000", "--jobs", "2", "--out", str(file)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,
    )
    until = time.monotonic() + 60
    while not file.exists() or len(file.read_bytes().splitlines()) < 4:
        assert time.monotonic() < until
        time.sleep(0.05)
    process.kill()
    process.wait(timeout=60)
    until = time.monotonic() + 30
    while is_group(process.pid):
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize("lines", [0, 1, 4])
def test_ctrl_c_in_a_terminal_leaves_no_process(tmp_path: Path, lines: int) -> None:
    """Ctrl-C goes to every process of the group, including workers that may still be starting."""
    file = tmp_path / "match.jsonl"
    process = endless_match(file)
    until = time.monotonic() + 60
    while not file.exists() or len(file.read_bytes().splitlines()) < lines:
        assert time.monotonic() < until
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == ""
    assert "Stopped." in out
    until = time.monotonic() + 60
    while is_group(process.pid):
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["pebble"], "Two, three or four bots can play, not 1."),
        (["pebble"] * 5, "Two, three or four bots can play, not 5."),
        (
            ["pebble", "lake"],
            f"There is no bot called “lake”; the bots are {', '.join(LEVELS)}, greedy.",
        ),
        (["pebble", "cmd:"], "The bot “cmd:” cannot play: its command is empty."),
        (
            ["pebble", "cmd:no-such-program"],
            "The bot “cmd:no-such-program” cannot play: there is no program “no-such-program”.",
        ),
        (["pebble", "brook", "--resume"], "--resume needs the file of the match: --out FILE."),
        (["pebble", "brook", "--sprt", "--elo1", "-5"], "elo0 must be less than elo1."),
        (
            ["pebble", "brook", "--sprt", "--elo1", "inf"],
            "elo0 and elo1 must be between -4000 and 4000.",
        ),
        (["pebble", "brook", "--elo1", "5"], "--elo1 can only be used with --sprt."),
        (
            ["pebble", "brook", "--beta", "0.1", "--elo0", "5"],
            "--elo0 and --beta can only be used with --sprt.",
        ),
        (
            ["pebble", "brook", "--jobs", "500000"],
            f"--jobs must be at most {16 * (os.cpu_count() or 1)} here (16 per core), not 500000.",
        ),
        (["pebble", "brook", "--sprt", "--alpha", "0.7"], "alpha and beta must be between 0 and 0.5."),
        (["pebble", "brook", "--out", "/dev/null/x"], "The file /dev/null/x cannot be written: Not a directory."),
    ],
)
def test_invalid_matches_are_refused_in_one_sentence(arguments: list[str], sentence: str) -> None:
    assert_refused(riverstones_here("arena", *arguments), sentence)


@pytest.mark.slow
def test_a_file_that_grows_too_large_is_reported_in_one_sentence(tmp_path: Path) -> None:
    """As on a full disk: what was written before stays."""
    file = tmp_path / "match.jsonl"
    arguments = [*QUICK, "--games", "100", "--out", str(file)]
    done = subprocess.run(
        ["/bin/sh", "-c", 'ulimit -f 8 && exec "$@"', "sh", COMMAND, *arguments],
        capture_output=True,
        env=environment(),
        text=True,
        timeout=60,
        check=False,
    )
    assert_refused(done, f"The file {file} cannot be written: File too large.")
    assert riverstones_here(*QUICK, "--games", "10", "--out", str(file), "--resume").returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("lost", [True, False])
def test_on_a_cluster_the_end_is_reported_without_noise(tmp_path: Path, lost: bool) -> None:
    """Dask logs a lot when the cluster is lost or the match is stopped; none of it is shown."""
    distributed = pytest.importorskip("distributed")
    file = tmp_path / "match.jsonl"
    local = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp", host="127.0.0.1"
    )
    with local:
        address = local.scheduler_address
        process = subprocess.Popen(
            [COMMAND, *QUICK, "--games", "1000000", "--out", str(file), "--dask", address],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            text=True,
        )
        until = time.monotonic() + 60
        while not file.exists() or len(file.read_bytes().splitlines()) < 4:
            assert time.monotonic() < until
            time.sleep(0.05)
        if lost:
            local.close()
        else:
            process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    if lost:
        assert (errors, out) == (f"The Dask cluster at {address} was lost during the match.\n", "")
    else:
        assert (errors, process.returncode) == ("", 130)
        assert "Stopped." in out


def test_without_a_cluster_no_file_is_created(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    file = tmp_path / "match.jsonl"
    assert_refused(
        riverstones_here(*QUICK, "--out", str(file), "--dask", "here"),
        "The address of a Dask scheduler looks like tcp://machine:8786, not “here”.",
    )
    assert not file.exists()


@pytest.mark.slow
def test_a_match_of_any_length_begins_at_once(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    process = subprocess.Popen(
        [COMMAND, *QUICK, "--games", "1" + 15 * "0", "--out", str(file)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )
    until = time.monotonic() + 30
    while not file.exists() or len(file.read_bytes().splitlines()) < 3:
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130


@pytest.mark.slow
@pytest.mark.parametrize("columns", ["40", "80", "130"])
def test_no_figure_is_cut_off_in_a_narrow_terminal(columns: str) -> None:
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    env = environment(TERM="xterm-256color", COLUMNS=columns, LINES="24")
    process = subprocess.Popen([COMMAND, *QUICK, "--games", "6"], stdout=slave, stderr=subprocess.DEVNULL, env=env)
    os.close(slave)
    shown = b""
    while True:
        try:
            shown += os.read(master, 65536)
        except OSError:
            break
    os.close(master)
    assert process.wait(timeout=60) == 0
    assert "…" not in shown.decode()
    for figure in ("pebble", "greedy", "100.0 [38.3, 100.0]", "win rate %", "ms/move"):
        assert figure in shown.decode()


@pytest.mark.slow
def test_a_progress_bar_is_drawn_in_a_terminal(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    env = environment(TERM="xterm-256color", COLUMNS="120", LINES="24")
    process = subprocess.Popen([COMMAND, *QUICK, "--games", "4"], stdout=subprocess.PIPE, stderr=slave, env=env)
    os.close(slave)
    drawn = b""
    while True:
        try:
            drawn += os.read(master, 65536)
        except OSError:
            break
    os.close(master)
    assert process.wait(timeout=60) == 0
    assert process.stdout is not None
    process.stdout.close()
    assert "pebble – greedy" in drawn.decode()
    assert "4/4" in drawn.decode()
