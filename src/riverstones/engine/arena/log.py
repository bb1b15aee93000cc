"""The result file of a match: a line of JSON for its terms, then one for each game, only ever added to.

A match that was stopped, by whatever, is taken up again from its file. If the last line was cut off in the middle of
being written, it is dropped and its game is played again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, Any, Final

from .game import Result
from .match import Match

VERSION: Final = 1


class WrongFile(Exception):
    """A file that this match cannot be written to; the message says why in one sentence."""


class ResultFile:
    """An open result file. Use it in a `with` block."""

    def __init__(self, file: IO[str], results: tuple[Result, ...] = ()) -> None:
        self._file = file
        self.results = results
        """The games that were in the file when it was opened."""

    @classmethod
    def create(cls, path: Path, match: Match) -> ResultFile:
        """Begin a file; raises `WrongFile` if there is one, for nothing is ever written over."""
        try:
            file = path.open("x", encoding="utf-8")
        except FileExistsError:
            raise WrongFile(f"The file {path} exists already; with --resume its match is taken up again.") from None
        except OSError as error:
            raise WrongFile(f"The file {path} cannot be written: {error.strerror}.") from None
        opened = cls(file)
        opened._write(_terms(match))
        return opened

    @classmethod
    def resume(cls, path: Path, match: Match) -> ResultFile:
        """Go on with the file of this match, or begin one if there is none."""
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return cls.create(path, match)
        except OSError as error:
            raise WrongFile(f"The file {path} cannot be read: {error.strerror}.") from None
        whole = data.rpartition(b"\n")[0]
        try:
            terms, *games = [json.loads(line) for line in whole.splitlines()]
            results = tuple(Result.from_json(game) for game in games)
        except (ValueError, KeyError, TypeError):
            raise WrongFile(f"The file {path} is not the result file of a match.") from None
        if terms != _terms(match):
            raise WrongFile(f"The file {path} holds another match: {_difference(terms, _terms(match))}.")
        file = path.open("r+", encoding="utf-8")
        file.seek(len(whole) + 1)
        file.truncate()
        return cls(file, results)

    def add(self, result: Result) -> None:
        """Write one game down at once."""
        self._write(result.to_json())

    def __enter__(self) -> ResultFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()


def _terms(match: Match) -> dict[str, Any]:
    return {
        "riverstones_arena": VERSION,
        "bots": list(match.bots),
        "seed": match.seed,
        "variant": match.variant.value,
        "layout": match.layout.value,
    }


def _difference(there: object, wanted: dict[str, Any]) -> str:
    """What differs between the terms in a file and those of a match, in a few words."""
    if not isinstance(there, dict):
        return "it does not say which"
    name = next((name for name, value in wanted.items() if there.get(name) != value), "more")
    return f"its {name} is {json.dumps(there.get(name), ensure_ascii=False)}"
