"""The database: the events of the tables, and the people.

SQLite by default, PostgreSQL by URL, with the same code. All writes go through one queue (`writer`), which combines
waiting writes into one transaction, so that many moves share the cost of a durable commit.
"""

from .engines import UNAVAILABLE, reason
from .event_reads import LogPart
from .events import Conflict
from .files import DatabaseInUse
from .nodes import FRESH_MS, Outage, Pulse, TooEarly
from .rows import Listed
from .store import Store

__all__ = [
    "FRESH_MS",
    "UNAVAILABLE",
    "Conflict",
    "DatabaseInUse",
    "Listed",
    "LogPart",
    "Outage",
    "Pulse",
    "Store",
    "TooEarly",
    "reason",
]
