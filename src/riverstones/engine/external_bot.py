"""External bots: programs that are asked for their moves through the engine line protocol.

A failing program cannot harm a match: if it cannot be started, exits, sends an invalid answer or does not answer in
time, `Failed` says why, and the program is killed together with its child processes.
"""

from __future__ import annotations

import os
import queue
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Final

from riverstones.notation import format_position
from riverstones.rules import Malformed, Move, View

from .protocol import BadLine, Message, read, write

PREFIX: Final = "cmd:"
"""The prefix of a bot's name that is a command."""
ANSWER_WITHIN_S: Final = 10.0
LEAVE_WITHIN_S: Final = 1.0
LONGEST_LINE: Final = 1 << 16
LINES_AHEAD: Final = 100
"""The number of output lines of a program that are buffered."""


class Failed(Exception):
    """An external bot did not make a move; the message says why."""


def words_of(command: str) -> list[str]:
    """The command split as a shell would split it; raises `Failed` if there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError:
        raise Failed("its command has an unclosed quotation mark") from None
    if not words:
        raise Failed("its command is empty")
    if shutil.which(words[0]) is None:
        raise Failed(f"there is no program “{words[0]}”")
    return words


@contextmanager
def running(command: str, answer_within_s: float = ANSWER_WITHIN_S) -> Iterator[ExternalBot]:
    """Run a program for the duration of one game, in its own process group."""
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                words_of(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        except OSError as error:
            raise Failed(f"it could not be started: {error.strerror}") from None
        bot = ExternalBot(process, errors, answer_within_s)
        try:
            yield bot
            bot.dismiss()
        finally:
            bot.end()


class ExternalBot:
    """A running program, connected by two pipes."""

    def __init__(self, process: subprocess.Popen[bytes], errors: IO[bytes], answer_within_s: float) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._input = process.stdin
        self._errors = errors
        self._answer_within_s = answer_within_s
        self._lines: queue.Queue[bytes | None] = queue.Queue(LINES_AHEAD)
        threading.Thread(target=self._read_output, args=(process.stdout,), daemon=True).start()

    def begin(self, view: View, seed: int) -> None:
        """Announce a new game. The seed lets programs reproduce their play."""
        setup = view.setup
        self._tell(
            {
                "type": "newgame",
                "players": setup.seats,
                "seat": view.seat,
                "variant": setup.variant.value,
                "layout": setup.layout.value,
                "seed": seed,
            }
        )

    def __call__(self, view: View) -> Move:
        """Ask for the move of the seat with this view."""
        deadline = time.monotonic() + self._answer_within_s
        moves = [str(turn.move) for turn in view.turns]
        self._tell({"type": "go", "position": format_position(view.position), "moves": moves})
        while True:
            message = self._next_message(deadline)
            match message.get("type"):
                case "move":
                    return _move(message)
                case "error":
                    raise Failed(f"it answered with an error: {_short(str(message.get('message')))}")

    def dismiss(self) -> None:
        """Send `quit` and give the program a moment to exit by itself."""
        with suppress(Failed, subprocess.TimeoutExpired):
            self._tell({"type": "quit"})
            self._process.wait(LEAVE_WITHIN_S)

    def end(self) -> None:
        """Kill the program and its child processes, and drain its output so that the reader thread can end."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()
        self._process.wait()
        with suppress(BrokenPipeError):
            self._input.close()
        with suppress(queue.Empty):
            while self._lines.get(timeout=LEAVE_WITHIN_S) is not None:
                pass

    def _tell(self, message: Message) -> None:
        try:
            self._input.write(write(message).encode() + b"\n")
            self._input.flush()
        except BrokenPipeError:
            raise Failed(self._exit_reason()) from None

    def _next_message(self, deadline: float) -> Message:
        """The next message of the program; raises `Failed` if none arrives in time."""
        try:
            # A negative timeout is a ValueError. A program that still writes after the deadline has not answered
            # either.
            line = self._lines.get(timeout=deadline - time.monotonic())
        except (queue.Empty, ValueError):
            raise Failed(f"it did not answer within {self._answer_within_s:g} seconds") from None
        if line is None:
            self._lines.put(None)  # The output is complete: `end` need not wait for more.
            raise Failed(self._exit_reason())
        text = line.decode("utf-8", errors="replace")
        try:
            return read(text)
        except BadLine:
            raise Failed(f"it answered “{_short(text)}”, which is not a JSON object") from None

    def _read_output(self, output: IO[bytes]) -> None:
        """Put every output line into the queue and finally None; runs in its own thread."""
        with output:
            while line := output.readline(LONGEST_LINE):
                self._lines.put(line)
        self._lines.put(None)

    def _exit_reason(self) -> str:
        """How the program ended, with the last line of its standard error."""
        try:
            status = self._process.wait(LEAVE_WITHIN_S)
        except subprocess.TimeoutExpired:
            return "it closed its input or output"
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - LONGEST_LINE))
        last = self._errors.read().decode("utf-8", errors="replace").strip().rpartition("\n")[2]
        return f"it exited with status {status}" + (f": {_short(last)}" if last else "")


def _move(message: Message) -> Move:
    try:
        return Move.parse(str(message.get("move")))
    except Malformed:
        raise Failed(f"it answered “{_short(str(message.get('move')))}”, which is not a move") from None


def _short(text: str) -> str:
    """Program output shortened to one printable line."""
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in " ".join(text.split()))
    return text if len(text) <= 120 else f"{text[:119]}…"
