"""What all tests share: how hard Hypothesis tries, signals that work, and that CI skips nothing for want of a package.

CI tries the same examples every time (Hypothesis sees to that by itself), other machines try new ones.
`HYPOTHESIS_PROFILE=thorough make test` looks longer.
"""

import os
import signal
from importlib.util import find_spec

import pytest
from hypothesis import settings

settings.register_profile("local", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=2000)

if profile := os.environ.get("HYPOTHESIS_PROFILE"):
    settings.load_profile(profile)
elif "CI" not in os.environ:
    settings.load_profile("local")

OPTIONAL = ("numba", "distributed")
"""What some tests are skipped without."""

# A shell that starts the tests in the background has them ignore these, and so would the commands that tests stop.
for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)


def pytest_configure() -> None:
    """Where everything is to be tested, refuse to begin without what tests would be skipped for."""
    if "CI" in os.environ and (missing := [name for name in OPTIONAL if find_spec(name) is None]):
        raise pytest.UsageError(f"CI has to test everything, but {' and '.join(missing)} cannot be imported.")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the slow tests, so that the last to finish is a quick one and no worker waits long for another."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
