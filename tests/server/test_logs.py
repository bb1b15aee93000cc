"""Logs as text and as JSON."""

import json
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from riverstones.server.logs import JsonFormatter


def line(**fields: object) -> dict[str, object]:
    record = logging.makeLogRecord({"name": "riverstones.x", "levelno": 30, "levelname": "WARNING", **fields})
    shown = JsonFormatter().format(record)
    assert "\n" not in shown
    found: dict[str, object] = json.loads(shown)
    return found


def test_a_record_is_one_line_of_json() -> None:
    shown = line(msg="a %s\nof é", args=("line",), created=0.125)
    assert shown == {
        "time": "1970-01-01T00:00:00.125Z",
        "level": "warning",
        "logger": "riverstones.x",
        "message": "a line\nof é",
    }


def test_extra_fields_and_exceptions_are_fields() -> None:
    try:
        raise ValueError("wrong")
    except ValueError:
        shown = line(msg="failed", exc_info=sys.exc_info(), address="192.0.2.7", count=3, path=Path("x"))
    assert (shown["address"], shown["count"], shown["path"]) == ("192.0.2.7", 3, "x")
    assert str(shown["exception"]).endswith("ValueError: wrong")


@pytest.mark.parametrize("log_format", ["plain", "json"])
def test_a_process_logs_in_the_form_that_was_chosen(log_format: str) -> None:
    program = (
        "import logging; from riverstones.server.logs import configure, CLIENT_FAULTS; "
        f"configure({log_format!r}); log = logging.getLogger('riverstones.x'); "
        "log.info('not shown'); log.warning('shown', extra={'count': 2}); log.error(CLIENT_FAULTS[0])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    (shown,) = done.stderr.splitlines()
    if log_format == "json":
        assert json.loads(shown)["count"] == 2
    else:
        assert shown.endswith("WARNING riverstones.x: shown")
