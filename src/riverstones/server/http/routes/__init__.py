"""The ways in over HTTP."""

from .account import router as account
from .operations import router as operations
from .people import router as people
from .programs import router as programs
from .study import router as study
from .tables import router as tables

ROUTERS = (people, account, tables, programs, study, operations)

__all__ = ["ROUTERS"]
