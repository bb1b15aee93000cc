"""For those who run the server, and for those who write clients."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, TypedDict

from fastapi import Request, Response

from riverstones import __version__
from riverstones.server.contract import model
from riverstones.server.errors import ServerError, ServerErrorCode, all_codes
from riverstones.server.http.addresses import comes_through_a_proxy, visitor_of
from riverstones.server.protocol import schemas

from .common import TEXT, Parts, giving, new_router

router = new_router("operations")


class Health(TypedDict):
    """The server is there and can reach its database."""

    status: Literal["ok"]
    version: str


@router.get("/health", response_model=model(Health))
async def health(parts: Parts) -> Health:
    """Say whether the server and its database are well."""
    await parts.store.database.check()
    return {"status": "ok", "version": __version__}


@router.get("/metrics", responses=giving({"text/plain": TEXT}), response_class=Response)
async def metrics(request: Request, parts: Parts) -> Response:
    """Give out the counters for Prometheus, to this machine and its private network only."""
    visitor = visitor_of(request.scope)
    if visitor is None or not visitor.is_private or comes_through_a_proxy(request.scope):
        raise ServerError(ServerErrorCode.NOT_FOUND)
    return Response(parts.metrics.text(), media_type="text/plain; version=0.0.4")


@router.get("/schemas")
async def message_schemas() -> dict[str, Any]:
    """Give out the JSON schemas of the socket's messages, and every code with its sentence."""
    return _schemas_and_codes()


@cache
def _schemas_and_codes() -> dict[str, Any]:
    return {**schemas(), "codes": all_codes()}
