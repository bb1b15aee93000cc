"""A real terminal: what it keeps and forgets, and how a game is left in the middle."""

import os
import pty
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest

from riverstones.notation.read import read_record
from riverstones.notation.verify import verify_record
from riverstones.rules import Game, Setup

from .games import SEED, best, names
from .helpers import COMMAND, environment

ENTER_SCREEN, LEAVE_SCREEN, CLEAR = "\x1b[?1049h", "\x1b[?1049l", "\x1b[2J"
FIRST_MOVE = str(best(Game.begin(Setup(), SEED.deal())).move)


class Terminal:
    """The command in a terminal of 80 columns and 24 lines."""

    def __init__(self, *options: str) -> None:
        self.master, slave = pty.openpty()
        command = [str(COMMAND), "play", "--terminal", "--seed", SEED.reveal(), *options]
        env = environment(TERM="xterm-256color", COLUMNS="80", LINES="24")
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True
        )
        os.close(slave)
        self.shown = ""

    def wait_for(self, text: str) -> str:
        """Everything shown since the last wait, up to this text."""
        until = time.monotonic() + 60
        while text not in self.shown:
            assert time.monotonic() < until, self.shown
            self._read()
        shown, self.shown = self.shown.split(text, 1)
        return shown

    def rest(self) -> str:
        """Everything shown until the command ends."""
        while self._read():
            pass
        return self.shown

    def end_with(self, number: signal.Signals) -> str:
        """Send a signal and read until the command ends.

        A signal between a prompt and the wait for its answer is only noticed with the next key, so it is sent again, as
        a user would press Ctrl-C again.
        """
        self.process.send_signal(number)
        while True:
            if not select.select([self.master], [], [], 5)[0]:
                self.process.send_signal(number)
            elif not self._read():
                return self.shown

    def type(self, line: str) -> None:
        os.write(self.master, line.encode() + b"\n")

    def _read(self) -> bool:
        try:
            chunk = os.read(self.master, 65536)
        except OSError:  # the other end is closed
            return False
        self.shown += chunk.decode()
        return bool(chunk)

    def close(self) -> None:
        os.close(self.master)
        self.process.kill()
        self.process.wait(timeout=60)


def test_a_terminal_keeps_no_page_and_its_screen_is_restored() -> None:
    terminal = Terminal(*names(2))
    opening = terminal.wait_for("Ada, press Enter:")
    assert ENTER_SCREEN in opening
    terminal.type("")
    assert "Your tiles" in terminal.wait_for("Ada, your move:")
    terminal.type(FIRST_MOVE)
    terminal.wait_for("? [yes]")
    terminal.type("")
    passed = terminal.wait_for("Bo, press Enter:")
    assert CLEAR in passed
    assert "Your tiles" not in passed
    terminal.type("quit")
    terminal.wait_for("Leave the game? [no]")
    terminal.type("y")
    end = terminal.rest()
    assert terminal.process.wait(timeout=60) == 0
    assert LEAVE_SCREEN in end
    assert "Game stopped after 1 of 67 moves." in end.split(LEAVE_SCREEN)[1]
    terminal.close()


def test_the_arrow_keys_do_not_bring_back_what_another_person_typed() -> None:
    terminal = Terminal(*names(2))
    terminal.wait_for("Ada, press Enter:")
    terminal.type("")
    terminal.wait_for("Ada, your move:")
    terminal.type("my secret")
    terminal.wait_for("Ada, your move:")
    terminal.type(FIRST_MOVE)
    terminal.wait_for("? [yes]")
    terminal.type("")
    terminal.wait_for("Bo, press Enter:")
    terminal.type("")
    terminal.wait_for("Bo, your move:")
    terminal.type("\x1b[A\x1b[A\x1b[A\x1b[A")
    assert "my secret" not in terminal.wait_for("Bo, your move:")
    terminal.close()


def test_a_game_can_be_left_while_a_bot_thinks() -> None:
    terminal = Terminal("--name", "Ada", "--bot", "river", "--start", "river")
    terminal.wait_for("Press Enter to continue:")
    terminal.type("")
    terminal.wait_for("River is thinking.")
    end = terminal.end_with(signal.SIGINT)
    assert terminal.process.wait(timeout=60) == 0
    assert "Traceback" not in end
    assert "Game stopped after 0 of 67 moves." in end
    assert "Goodbye!" in end
    terminal.close()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_game_ends_cleanly_and_its_record_is_kept(number: signal.Signals, tmp_path: Path) -> None:
    record = tmp_path / "left.river"
    terminal = Terminal(*names(2), "--record", str(record))
    terminal.wait_for("Ada, press Enter:")
    terminal.type("")
    terminal.wait_for("Ada, your move:")
    terminal.type(FIRST_MOVE)
    terminal.wait_for("? [yes]")
    terminal.type("")
    terminal.wait_for("Bo, press Enter:")
    claimed = read_record(record.read_bytes())
    assert (claimed.turns, claimed.end.hands, claimed.header.seed) == ((), None, None)
    end = terminal.end_with(number)
    assert terminal.process.wait(timeout=60) == 0
    assert "Traceback" not in end
    assert "Goodbye!" in end
    assert len(read_record(record.read_bytes()).turns) == 1
    assert verify_record(record.read_bytes()).sound
    terminal.close()
