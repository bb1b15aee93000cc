"""Bots that are programs of their own: each is asked for its moves by the engine line protocol.

Nothing that such a program does can harm a match: if it cannot be started, ends, says what is no move or says nothing
in time, `Failed` tells why, and it is ended together with whatever it has started.
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
"""What the name of a bot begins with that is a command."""
ANSWER_WITHIN_S: Final = 10.0
LEAVE_WITHIN_S: Final = 1.0
LONGEST_LINE: Final = 1 << 16
LINES_AHEAD: Final = 100
"""How many lines of a program are kept before they are asked for."""


class Failed(Exception):
    """An external bot did not make a move; the message says why."""


def words_of(command: str) -> list[str]:
    """The program and its arguments, quoted as for a shell; raises `Failed` if there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError:
        raise Failed("a quotation mark in its command has no partner") from None
    if not words:
        raise Failed("its command is empty")
    if shutil.which(words[0]) is None:
        raise Failed(f"there is no program “{words[0]}”")
    return words


@contextmanager
def running(command: str, answer_within_s: float = ANSWER_WITHIN_S) -> Iterator[ForeignBot]:
    """A program for the length of one game, in a process group of its own."""
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
        bot = ForeignBot(process, errors, answer_within_s)
        try:
            yield bot
            bot.dismiss()
        finally:
            bot.end()


class ForeignBot:
    """A program at the other end of two pipes."""

    def __init__(self, process: subprocess.Popen[bytes], errors: IO[bytes], answer_within_s: float) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._input = process.stdin
        self._errors = errors
        self._answer_within_s = answer_within_s
        self._lines: queue.Queue[bytes | None] = queue.Queue(LINES_AHEAD)
        threading.Thread(target=self._listen, args=(process.stdout,), daemon=True).start()

    def begin(self, view: View, seed: int) -> None:
        """Say that a new game starts. The seed is there for programs that want to play the same game again."""
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
        """Ask for the move of the seat that has this view."""
        deadline = time.monotonic() + self._answer_within_s
        moves = [str(turn.move) for turn in view.turns]
        self._tell({"type": "go", "position": format_position(view.position), "moves": moves})
        while True:
            message = self._hear(deadline)
            match message.get("type"):
                case "move":
                    return _move(message)
                case "error":
                    raise Failed(f"it answered with an error: {_short(str(message.get('message')))}")

    def dismiss(self) -> None:
        """Say goodbye and give the program a moment to leave by itself."""
        with suppress(Failed, subprocess.TimeoutExpired):
            self._tell({"type": "quit"})
            self._process.wait(LEAVE_WITHIN_S)

    def end(self) -> None:
        """End the program and all that it started; what it still says is heard out, so that the listener can end."""
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
            raise Failed(self._obituary()) from None

    def _hear(self, deadline: float) -> Message:
        """The next line that the program says, if it comes in time."""
        try:
            # A negative timeout is a ValueError: past the deadline, a program that still talks has not answered either.
            line = self._lines.get(timeout=deadline - time.monotonic())
        except (queue.Empty, ValueError):
            raise Failed(f"it did not answer within {self._answer_within_s:g} seconds") from None
        if line is None:
            self._lines.put(None)  # It has been heard out: `end` need not wait for more.
            raise Failed(self._obituary())
        text = line.decode("utf-8", errors="replace")
        try:
            return read(text)
        except BadLine:
            raise Failed(f"it answered “{_short(text)}”, which is no JSON object") from None

    def _listen(self, output: IO[bytes]) -> None:
        """Put every line of the program in the queue, and at the end None; runs in a thread of its own."""
        with output:
            while line := output.readline(LONGEST_LINE):
                self._lines.put(line)
        self._lines.put(None)

    def _obituary(self) -> str:
        """How the program ended, with the last that it wrote to standard error."""
        try:
            status = self._process.wait(LEAVE_WITHIN_S)
        except subprocess.TimeoutExpired:
            return "it closed its input or output"
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - LONGEST_LINE))
        last = self._errors.read().decode("utf-8", errors="replace").strip().rpartition("\n")[2]
        return f"it ended with status {status}" + (f": {_short(last)}" if last else "")


def _move(message: Message) -> Move:
    try:
        return Move.parse(str(message.get("move")))
    except Malformed:
        raise Failed(f"it answered “{_short(str(message.get('move')))}”, which is no move") from None


def _short(text: str) -> str:
    """What a program has said, fit for one line of any report: whatever it was, it can be shown and written down."""
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in " ".join(text.split()))
    return text if len(text) <= 120 else f"{text[:119]}…"
