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
    """The server runs."""

    status: Literal["ok"]
    version: str


@router.get("/health", response_model=model(Health))
async def health() -> Health:
    """Check that the server runs (liveness). A server without its database needs no restart, so that is not checked."""
    return {"status": "ok", "version": __version__}


class Ready(TypedDict):
    """The server can take work."""

    status: Literal["ready"]


@router.get("/ready", response_model=model(Ready))
async def ready(parts: Parts) -> Ready:
    """Check that the database stores what is written (readiness); 503 if it does not, on a full disk for example."""
    await parts.readiness.check()
    return {"status": "ready"}


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
