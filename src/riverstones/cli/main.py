"""Entry point: whatever happens below, the user gets one sentence and never a traceback."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from .complaint import Complaint

STATUS_BAD_INPUT = 2
STATUS_BROKEN_PIPE = 1
STATUS_INTERRUPTED = 130


def main() -> None:
    """Run the command line with the process's arguments and exit with its status."""
    try:
        status = run(sys.argv[1:])
    except KeyboardInterrupt:
        # Interrupted before a command has started; from then on each command handles Ctrl-C itself.
        status = STATUS_INTERRUPTED
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status."""
    _open_closed_streams()
    _accept_any_text()
    import typer

    try:
        status = _command()(list(arguments), prog_name="riverstones", standalone_mode=False)
        sys.stdout.flush()
    except Complaint as complaint:
        return _complain(str(complaint))
    except typer.TyperException as error:
        from .usage import what_is_wrong

        return _complain(what_is_wrong(error))
    except BrokenPipeError:
        return _leave_broken_pipe()
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _leave_broken_pipe()
        return _complain("Cannot write the output: no space left on device.")
    return status if isinstance(status, int) else 0


@cache
def _command() -> Callable[..., Any]:
    """Runs the command with all its subcommands. Building it takes longer than most of them."""
    import typer

    from .app import app

    return typer.main.get_command(app).main


def _complain(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return STATUS_BAD_INPUT


def _open_closed_streams() -> None:
    """Replace standard streams that are closed by the null device."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - stays open until the process exits


def _accept_any_text() -> None:
    """Let the standard streams carry any character: invalid ones are replaced instead of raising."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _leave_broken_pipe() -> int:
    """Redirect the output to the null device after its reader has gone, so that the interpreter exits cleanly."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return STATUS_BROKEN_PIPE
