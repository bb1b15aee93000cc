"""The HTTP routes."""

from .account import router as account
from .operations import router as operations
from .profiles import router as profiles
from .programs import router as programs
from .study import router as study
from .tables import router as tables

ROUTERS = (profiles, account, tables, programs, study, operations)

__all__ = ["ROUTERS"]
