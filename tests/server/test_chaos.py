"""Random faults at a site of several nodes: a short run of `bench.chaos`, and what its checks can find."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.chaos.checks import log_faults
from bench.chaos.players import Notes
from bench.chaos.site import missing
from riverstones.table import Entry, fold
from riverstones.table import commands as c
from tests.table.helpers import Played, table_of

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
FAULTS = 8
"""A round for each kind of fault, so that all of them come."""


@pytest.mark.long
@pytest.mark.skipif(bool(missing()) and "CI" not in os.environ, reason=f"not installed: {', '.join(missing())}")
def test_no_fault_loses_anything() -> None:
    command = [sys.executable, "-m", "bench.chaos", "--rounds", str(FAULTS), "--tables", "4", "--pace", "0.3"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"round {FAULTS}:" in done.stdout
    assert "killed between commit and publish" in done.stdout
    assert "cut off" in done.stdout


def finished() -> tuple[Played, Notes]:
    """A game that was played to its end, and what its players were told."""
    played = table_of("ann", "bob")
    notes = Notes(tables={"table"})
    played.play_on(5)
    played.do("ann", c.Say("hello"), key="ann:c1#0")
    notes.acknowledged["table", "ann:c1"] = played.table.seq
    played.do("ann", c.Resign(0), key="ann:c2#0")
    notes.acknowledged["table", "ann:c2"] = played.table.seq
    return played, notes


def found(log: list[Entry], notes: Notes) -> list[str]:
    return log_faults(log, fold(log), notes, "table")


def test_a_sound_log_has_no_fault() -> None:
    played, notes = finished()
    assert found(played.log, notes) == []


def test_lost_repeated_and_refused_commands_are_found() -> None:
    played, notes = finished()
    notes.acknowledged["table", "bob:c9"] = 7
    assert found(played.log, notes) == ["command bob:c9 was acknowledged as event 7, and is stored as []"]
    del notes.acknowledged["table", "bob:c9"]
    notes.refused["table", "ann:c1"] = "not_your_turn"
    assert "was refused" in found(played.log, notes)[0]
    notes.refused.clear()
    seq = notes.acknowledged["table", "ann:c1"]
    played, notes = finished()
    log = [*played.log[:-1]]
    assert any("is not over" in fault for fault in found(log, Notes()))
    notes.acknowledged["table", "ann:c1"] = seq - 1
    assert "was acknowledged as event" in found(played.log, notes)[0]
