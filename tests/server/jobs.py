"""Jobs that fail or wait, for tests of the workers. Worker processes import this module by its full name."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Sleep:
    """A job that takes this many seconds."""

    seconds: float

    def answer(self) -> float:
        time.sleep(self.seconds)
        return self.seconds


@dataclass(frozen=True)
class Await:
    """A job that ends when a file appears."""

    path: Path

    def answer(self) -> None:
        while not self.path.exists():
            time.sleep(0.01)


@dataclass(frozen=True)
class Crash:
    """A job that ends its process."""

    def answer(self) -> None:
        os._exit(3)


@dataclass(frozen=True)
class Fail:
    """A job that raises an error."""

    def answer(self) -> None:
        raise ZeroDivisionError("nothing comes of it")


@dataclass(frozen=True)
class Count:
    """A long job that counts, and after each report waits for a file with that name."""

    folder: Path
    upto: int

    def answer_reporting(self, report: Callable[[int], None]) -> int:
        for number in range(1, self.upto + 1):
            report(number)
            Await(self.folder / str(number)).answer()
        return self.upto


@dataclass(frozen=True)
class Niceness:
    """A job that tells the priority of its process."""

    def answer(self) -> int:
        return os.nice(0)


@dataclass(frozen=True)
class Hold:
    """A job that writes the number of its process to `NAME.PID`, and ends when the file `go` appears."""

    folder: Path
    name: str

    def answer(self) -> str:
        (self.folder / f"{self.name}.{os.getpid()}").touch()
        Await(self.folder / "go").answer()
        return self.name


@dataclass(frozen=True)
class Judge:
    """A long job that reports its progress as a review does."""

    folder: Path
    upto: int

    def answer_reporting(self, report: Callable[[tuple[int, int]], None]) -> str:
        return str(Count(self.folder, self.upto).answer_reporting(lambda number: report((number, self.upto))))
