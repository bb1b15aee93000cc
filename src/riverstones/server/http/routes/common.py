"""What all routes share: who asks, where the parts are, what a refusal looks like."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Response
from starlette.requests import HTTPConnection, Request

from riverstones.server.accounts import COOKIE, Person
from riverstones.server.contract import model
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.http.addresses import address_of
from riverstones.server.http.middleware import ARRIVALS, LONG_WORK
from riverstones.server.services import Services
from riverstones.server.tables.outbox import Outbox
from riverstones.table import wire

HEARTBEAT_S = 15.0
"""After how long a silence a stream says that it is still there."""

COOKIE_S = 400 * 24 * 3600
"""How long a browser keeps the cookie: as long as browsers do."""

_REFUSALS = (400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503)
REFUSALS: dict[int | str, dict[str, Any]] = {status: {"model": model(wire.ErrorAnswer)} for status in _REFUSALS}


def new_router(tag: str) -> APIRouter:
    """A router whose routes all may refuse in the one form."""
    return APIRouter(tags=[tag], responses=REFUSALS)


TEXT = {"type": "string"}
MESSAGES_BY_LINE = {"type": "string", "description": "A JSON message on each line; an empty line is a heartbeat."}
ANY_OBJECT = {"type": "object"}


def giving(kinds: dict[str, dict[str, str]]) -> dict[int | str, dict[str, Any]]:
    """Say that a route gives out something else than one JSON value: each media type with its schema."""
    return {200: {"description": "Success", "content": {kind: {"schema": schema} for kind, schema in kinds.items()}}}


def services_of(connection: HTTPConnection) -> Services:
    """The parts of the server that a request came to."""
    services: Services = connection.app.state.services
    return services


async def whoever(connection: HTTPConnection) -> Person | None:
    """Who asks, if that is known: by a program's token, or else by the cookie."""
    people = services_of(connection).accounts
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        person = await people.by_bearer(token.strip())
        if person is None:
            raise ServerError(ServerErrorCode.NOT_SIGNED_IN)
        return person
    return await people.by_cookie(connection.cookies.get(COOKIE))


Parts = Annotated[Services, Depends(services_of)]
Whoever = Annotated[Person | None, Depends(whoever)]


async def somebody(person: Whoever) -> Person:
    """Who asks; refused if that is not known."""
    if person is None:
        raise ServerError(ServerErrorCode.NOT_SIGNED_IN)
    return person


Somebody = Annotated[Person, Depends(somebody)]


async def human(person: Somebody) -> Person:
    """Who asks, if it is a person and not a program."""
    if person.owner is not None:
        raise ServerError(ServerErrorCode.FOR_PEOPLE_ONLY)
    return person


Human = Annotated[Person, Depends(human)]
TableId = Annotated[str, Path(max_length=32, pattern=r"^[0-9a-z]+$", examples=["k3w9xq5m2dab"])]


async def count_arrival(request: Request) -> None:
    """Count somebody who makes something new: a person, a table, a code."""
    await services_of(request).limits.check(ARRIVALS, "arrival", address_of(request.scope))


async def count_long_work(request: Request) -> None:
    """Count something that takes the server long to work out."""
    await services_of(request).limits.check(LONG_WORK, "long work", address_of(request.scope))


Arrival = Depends(count_arrival)
LongWork = Depends(count_long_work)


async def ndjson(
    parts: Services,
    person: Person | None,
    outbox: Outbox,
    subscription: AbstractAsyncContextManager[None],
) -> AsyncIterator[str]:
    """What is put into an outbox within a subscription, one message per line, until it is closed or the session ends.

    The subscription begins with the first line that is asked for: a stream that was never read is never closed either.
    """
    with parts.accounts.connections.held(outbox, person):
        if person is not None and not await parts.accounts.signed_in(person):
            return
        async with subscription:
            while (messages := await outbox.take(HEARTBEAT_S)) is not None:
                yield "".join(f"{message}\n" for message in messages) or "\n"


def set_cookie(request: Request, response: Response, token: str) -> None:
    """Let a browser carry its session. No script can read it, and no other site's page can send it along."""
    signed = services_of(request).accounts.signer.sign("session", token)
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, signed, COOKIE_S, path="/", httponly=True, samesite="lax", secure=secure)
