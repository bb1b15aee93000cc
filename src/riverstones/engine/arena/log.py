"""The result file of a match: one line of JSON for its settings, then one per game, append-only.

An interrupted match is resumed from its file. If the last line is incomplete, it is dropped and its game is played
again.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from .game import Result
from .match import Match

VERSION: Final = 1


class WrongFile(Exception):
    """A file that this match cannot be written to; the message says why in one sentence."""


class ResultFile:
    """An open result file. Use it in a `with` block."""

    def __init__(self, path: Path, file: IO[str], results: tuple[Result, ...] = ()) -> None:
        self._path = path
        self._file = file
        self.results = results
        """The games that the file contained when it was opened."""

    @classmethod
    def create(cls, path: Path, match: Match) -> ResultFile:
        """Create a file; raises `WrongFile` if it exists, because nothing is ever overwritten."""
        try:
            file = _open(path, "x")
        except FileExistsError:
            if path.is_dir():
                raise WrongFile(f"{path} is a directory, not a file.") from None
            raise WrongFile(f"The file {path} already exists; use --resume to continue its match.") from None
        except OSError as error:
            raise WrongFile(f"The file {path} cannot be written: {error.strerror}.") from None
        return cls(path, file)._begun(match)

    @classmethod
    def resume(cls, path: Path, match: Match) -> ResultFile:
        """Open the file of this match and continue it, or create it if it does not exist."""
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return cls.create(path, match)
        except OSError as error:
            raise WrongFile(f"The file {path} cannot be read: {error.strerror}.") from None
        results = _results(path, data, match)
        try:
            file = _open(path, "r+")
        except OSError as error:
            raise WrongFile(f"The file {path} cannot be written: {error.strerror}.") from None
        file.seek(data.rfind(b"\n") + 1)
        file.truncate()
        opened = cls(path, file, results or ())
        return opened if results is not None else opened._begun(match)

    def add(self, result: Result) -> None:
        """Append one game; raises `WrongFile` if that fails, for example because the disk is full."""
        self._write(result.to_json())

    def __enter__(self) -> ResultFile:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # Each line was flushed on its own, so any failure was already reported.
            self._file.close()

    def _begun(self, match: Match) -> ResultFile:
        self._write(_terms(match))
        return self

    def _write(self, line: dict[str, Any]) -> None:
        try:
            self._file.write(_line(line))
            self._file.flush()
        except OSError as error:
            raise WrongFile(f"The file {self._path} cannot be written: {error.strerror}.") from None


def _open(path: Path, mode: str) -> IO[str]:
    # A command may contain bytes that are not valid text. They are kept, and `json.loads` restores them.
    return path.open(mode, encoding="utf-8", errors="surrogatepass")


def _results(path: Path, data: bytes, match: Match) -> tuple[Result, ...] | None:
    """The games in a file of this match; None if it was cut off before its first line was complete."""
    wanted = _terms(match)
    if b"\n" not in data and _line(wanted).encode(errors="surrogatepass").startswith(data):
        return None
    try:
        terms, *games = [json.loads(line) for line in data.rpartition(b"\n")[0].splitlines()]
        if terms != wanted:
            raise WrongFile(f"The file {path} holds another match: {_difference(terms, wanted)}.")
        return tuple(_game(game, match) for game in games)
    except (ValueError, KeyError, TypeError):
        raise WrongFile(f"The file {path} is not a result file.") from None


def _game(line: dict[str, Any], match: Match) -> Result:
    """The game on a line; raises `ValueError` if it does not belong to this match."""
    result = Result.from_json(line)
    deal, seating = result.pairing
    if deal < 0 or seating not in range(len(match.seatings)) or result.order != match.order(result.pairing):
        raise ValueError(line)
    if not len(result.scores) == len(result.ms) == match.seats:
        raise ValueError(line)
    return result


def _line(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False) + "\n"


def _terms(match: Match) -> dict[str, Any]:
    return {
        "riverstones_arena": VERSION,
        "bots": list(match.bots),
        "seed": match.seed,
        "variant": match.variant.value,
        "layout": match.layout.value,
    }


def _difference(there: dict[str, Any], wanted: dict[str, Any]) -> str:
    """The first difference between the settings in a file and those of a match, in a few words."""
    if there["riverstones_arena"] != VERSION:
        return "it was written by another version of the arena"
    name = next(name for name, value in wanted.items() if there[name] != value)
    value = there[name]
    return f"its {name} are {', '.join(value)}" if name == "bots" else f"its {name} is {value}"
