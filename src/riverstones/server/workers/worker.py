"""The worker process: it reads a job, runs it, writes the result, and waits for the next.

Jobs and results are pickled and go through the process's own pipes, which nobody else can write to.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
from typing import BinaryIO

LENGTH = struct.Struct("!I")


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next message, or None at the end."""
    head = stream.read(LENGTH.size)
    return stream.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else None


def frame(payload: bytes) -> bytes:
    """A message with its length in front."""
    return LENGTH.pack(len(payload)) + payload


def main() -> None:
    """Answer until the server closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, target = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    while (payload := read_frame(source)) is not None:
        try:
            answer = (True, pickle.loads(payload).answer())
        except Exception as error:
            answer = (False, f"{type(error).__name__}: {error}")
        try:
            target.write(frame(pickle.dumps(answer)))
            target.flush()
        except BrokenPipeError:
            os._exit(0)  # the server is gone, and nobody is left to be told anything


if __name__ == "__main__":
    main()
