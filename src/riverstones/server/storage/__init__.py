"""Where everything stays: the events of the tables, and the people.

SQLite by default, PostgreSQL by URL, the same code for both. Writes go through one queue (`writer`), which puts what
has gathered into one transaction, so that many moves share the cost of making them durable.
"""

from .engines import UNAVAILABLE, reason
from .events import Conflict
from .files import DatabaseInUse
from .rows import Listed
from .store import Store

__all__ = ["UNAVAILABLE", "Conflict", "DatabaseInUse", "Listed", "Store", "reason"]
