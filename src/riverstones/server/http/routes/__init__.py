"""The HTTP routes."""

from fastapi import APIRouter
from starlette.routing import BaseRoute

from .account import router as account
from .operations import router as operations
from .profiles import router as profiles
from .programs import router as programs
from .study import router as study
from .tables import router as tables

PREFIX = "/api/v1"


ROUTERS = (profiles, account, tables, programs, study, operations)


def _routes() -> tuple[BaseRoute, ...]:
    api = APIRouter()
    for router in ROUTERS:
        api.include_router(router, prefix=PREFIX)
    return tuple(api.routes)


ROUTES = _routes()
"""The routes of the API. All applications of a process share them: preparing their types takes 0.1 s."""

__all__ = ["PREFIX", "ROUTERS", "ROUTES"]
