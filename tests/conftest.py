"""Configuration of all tests: Hypothesis profiles, temporary files, signal handlers, packages that CI requires, the
order of tests, and garbage collection.

Hypothesis tries the same examples every time in CI, and new ones on other machines.
`HYPOTHESIS_PROFILE=thorough make test` tries more of them.
"""

import gc
import os
import shutil
import signal
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("local", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=2000)

if profile := os.environ.get("HYPOTHESIS_PROFILE"):
    settings.load_profile(profile)
elif "CI" not in os.environ:
    settings.load_profile("local")

SHARED_MEMORY = Path("/dev/shm")
ROOM_FOR_TESTS = 6 * 2**30
"""The bytes that all temporary files may need: a cluster of PostgreSQL for each worker, and many small databases."""


def has_room(folder: Path) -> bool:
    """Whether temporary files can go into this folder, which is in memory. Some tests run scripts that they write."""
    if not os.access(folder, os.W_OK) or os.statvfs(folder).f_flag & os.ST_NOEXEC:
        return False
    lines = Path("/proc/meminfo").read_text(encoding="utf-8").splitlines()
    available = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    return min(available, shutil.disk_usage(folder).free) > ROOM_FOR_TESTS


# Databases wait for the disk longer than most tests take.
if "TMPDIR" not in os.environ and has_room(SHARED_MEMORY):
    os.environ["TMPDIR"] = str(SHARED_MEMORY)
    tempfile.tempdir = None  # pytest has used the old folder by now

gc.disable()  # until all tests are collected: what is loaded before stays

OPTIONAL = ("numba", "distributed", "atheris")
"""Packages without which some tests are skipped."""

# A process that a shell starts in the background ignores these signals, and so would the commands that tests stop.
for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)


def pytest_configure() -> None:
    """In CI, refuse to start without the packages for which tests would be skipped."""
    if "CI" in os.environ and (missing := [name for name in OPTIONAL if find_spec(name) is None]):
        raise pytest.UsageError(f"CI has to test everything, but {', '.join(missing)} cannot be imported.")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the long tests, then the slow ones: no worker has to wait at the end for what another began late."""
    items[:] = in_shares(items, getattr(config, "workerinput", {}).get("workercount", 1))


def in_shares(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """The tests in the order for a number of workers, each of which gets an equal part of the list.

    Every part begins with some of the long tests. The slow ones of a file, which share a server, stay together.
    """
    long, slow, quick = ([item for item in items if speed(item) == name] for name in ("long", "slow", "quick"))
    shares: list[pytest.Item] = []
    for worker in range(workers):
        first, end = (len(slow) * number // workers for number in (worker, worker + 1))
        share = [*long[worker::workers], *slow[first:end]]
        # The rest of the share, as pytest-xdist divides the list.
        size = (len(items) - len(shares)) // (workers - worker)
        count = max(0, size - len(share))
        shares += [*share, *quick[:count]]
        del quick[:count]
    return shares


def speed(item: pytest.Item) -> str:
    return next((name for name in ("long", "slow") if item.get_closest_marker(name)), "quick")


def pytest_collection_finish() -> None:
    """From here on collect garbage, but never look through the modules and tests that are loaded by now."""
    gc.freeze()
    gc.enable()
