"""Logs on standard error: as text for people, or as JSON for programs, one object per line.

Requests are not logged, because their paths contain the secret ids of tables. uvicorn's warnings about malformed
requests are not logged either, so that a client cannot fill the log.
"""

from __future__ import annotations

import json
import logging
import logging.config
from datetime import UTC, datetime
from typing import Any, Literal

LogFormat = Literal["plain", "json"]

CLIENT_FAULTS = ("ASGI callable returned without completing handshake.", "Invalid UTF-8 sequence received from client.")
"""Errors that uvicorn logs for a refused socket and for invalid UTF-8. Clients cause them, so they are not logged."""

STANDARD = {*vars(logging.makeLogRecord({})), "message", "asctime", "color_message"}
"""The attributes that every record has; others were passed as `extra`."""


class IgnoreClientFaults(logging.Filter):
    """Drops the messages in `CLIENT_FAULTS`, so that a client cannot fill the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is logged."""
        return record.getMessage() not in CLIENT_FAULTS


class JsonFormatter(logging.Formatter):
    """A record as a line of JSON: `time`, `level`, `logger`, `message`, what was passed as `extra`, and `exception`."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without a line break."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {
            "time": time.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in STANDARD}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def logging_config(log_format: LogFormat = "plain") -> dict[str, Any]:
    """The configuration for `logging.config.dictConfig`."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "plain": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
            "json": {"()": JsonFormatter},
        },
        "filters": {"client_faults": {"()": IgnoreClientFaults}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": log_format,
                "filters": ["client_faults"],
                "stream": "ext://sys.stderr",
            }
        },
        "root": {"level": "WARNING", "handlers": ["stderr"]},
        "loggers": {
            "uvicorn": {"level": "ERROR"},
            "riverstones.connections": {"level": "INFO"},
            # saq logs whole jobs, with the hands of bots, and both a traceback for every second without the store.
            "saq": {"level": "CRITICAL"},
            "psycopg": {"level": "CRITICAL"},
        },
    }


def configure(log_format: LogFormat = "plain") -> None:
    """Set logging up for a server or a worker."""
    logging.config.dictConfig(logging_config(log_format))
