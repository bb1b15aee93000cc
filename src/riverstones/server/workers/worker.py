"""The program of a worker process: reads a job, runs it, writes the result, and waits for the next.

Jobs and results are pickled. They go through the pipes of the process, so no other program can write them. A long job
may write any number of progress reports before its result.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
from contextlib import suppress
from enum import Enum, auto
from typing import Any, BinaryIO

LENGTH = struct.Struct("!I")


class Answer(Enum):
    """The kinds of messages from a worker; each is sent with a value."""

    PROGRESS = auto()
    DONE = auto()
    FAILED = auto()


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next message, or None at the end of the stream."""
    head = stream.read(LENGTH.size)
    return stream.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else None


def frame(payload: bytes) -> bytes:
    """A message with its length in front."""
    return LENGTH.pack(len(payload)) + payload


def main() -> None:
    """Run jobs until the server closes the pipe. The first argument lowers the priority of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if len(sys.argv) > 1:
        with suppress(AttributeError, OSError):  # not on every system, and then all have the same priority
            os.nice(int(sys.argv[1]))
    source, target = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr

    def send(kind: Answer, value: Any) -> None:
        try:
            target.write(frame(pickle.dumps((kind, value))))
            target.flush()
        except BrokenPipeError:
            os._exit(0)  # the server has ended; a normal exit would fail to flush and print a traceback

    while (payload := read_frame(source)) is not None:
        try:
            job = pickle.loads(payload)
            if hasattr(job, "answer_reporting"):
                answer = job.answer_reporting(lambda value: send(Answer.PROGRESS, value))
            else:
                answer = job.answer()
        except Exception as error:
            send(Answer.FAILED, f"{type(error).__name__}: {error}")
        else:
            send(Answer.DONE, answer)


if __name__ == "__main__":
    main()
