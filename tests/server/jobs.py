"""Thoughts that go wrong or wait, for the thinking processes to run into. They find this file by its full name."""

import os
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Sleep:
    """A thought that takes long."""

    seconds: float

    def answer(self) -> float:
        time.sleep(self.seconds)
        return self.seconds


@dataclass(frozen=True)
class Await:
    """A thought that takes until somebody makes a file."""

    path: Path

    def answer(self) -> None:
        while not self.path.exists():
            time.sleep(0.01)


@dataclass(frozen=True)
class Crash:
    """A thought that its process does not survive."""

    def answer(self) -> None:
        os._exit(3)


@dataclass(frozen=True)
class Fail:
    """A thought that runs into an error."""

    def answer(self) -> None:
        raise ZeroDivisionError("nothing comes of it")
