"""Health, metrics and schemas: for operators and for authors of clients."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, TypedDict

from fastapi import Request, Response

from riverstones import __version__
from riverstones.server.contract import model
from riverstones.server.errors import ServerError, ServerErrorCode, all_codes
from riverstones.server.http.addresses import client_address, is_proxied
from riverstones.server.protocol import schemas

from .common import TEXT, Parts, content, new_router

router = new_router("operations")


class Health(TypedDict):
    """The server runs and reaches its database."""

    status: Literal["ok"]
    version: str


@router.get("/health", response_model=model(Health))
async def health(parts: Parts) -> Health:
    """Check that the server and its database respond; 503 if the database does not."""
    await parts.store.database.check()
    return {"status": "ok", "version": __version__}


@router.get("/metrics", responses=content({"text/plain": TEXT}), response_class=Response)
async def metrics(request: Request, parts: Parts) -> Response:
    """Metrics for Prometheus, for this machine and its private network only; 404 for others."""
    client = client_address(request.scope)
    if client is None or not client.is_private or is_proxied(request.scope):
        raise ServerError(ServerErrorCode.NOT_FOUND)
    return Response(parts.metrics.text(), media_type="text/plain; version=0.0.4")


@router.get("/schemas")
async def message_schemas() -> dict[str, Any]:
    """The JSON schemas of the socket's messages, and every error code with its English sentence."""
    return _schemas_and_codes()


@cache
def _schemas_and_codes() -> dict[str, Any]:
    return {**schemas(), "codes": all_codes()}
