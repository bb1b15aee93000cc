"""Shared by all routes: the signed-in person, the services, rate limits, streams and the form of refusals."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Response
from starlette.requests import HTTPConnection, Request

from riverstones.server.accounts import COOKIE, Person
from riverstones.server.accounts.devices import device_of
from riverstones.server.contract import model
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.http.addresses import IPAddress, address_of, client_address, network_of
from riverstones.server.http.rate_limits import CREATIONS, LONG_WORK, STUDIES
from riverstones.server.services import Services
from riverstones.server.tables.outbox import Outbox
from riverstones.study.refusals import StudyRefusal, StudyRefused
from riverstones.table import Phase, wire

HEARTBEAT_S = 15.0
"""The silence after which a stream sends an empty line."""

COOKIE_S = 400 * 24 * 3600
"""The lifetime of the cookie; browsers allow no more than 400 days."""

_REFUSALS = (400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503)
_REFUSAL = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorAnswer"}}}}
# One status defines the schema, the others refer to it. With a model for each, every start would build 500 validators.
REFUSALS: dict[int | str, dict[str, Any]] = {
    **dict.fromkeys(_REFUSALS, _REFUSAL),
    _REFUSALS[0]: {"model": model(wire.ErrorAnswer)},
}


def new_router(tag: str) -> APIRouter:
    """A router whose routes document the common form of refusals."""
    return APIRouter(tags=[tag], responses=REFUSALS)


TEXT = {"type": "string"}
MESSAGES_BY_LINE = {"type": "string", "description": "A JSON message on each line; an empty line is a heartbeat."}
ANY_OBJECT = {"type": "object"}


def content(kinds: dict[str, dict[str, str]]) -> dict[int | str, dict[str, Any]]:
    """OpenAPI responses for a route whose answer is not JSON: each media type with its schema."""
    return {200: {"description": "Success", "content": {kind: {"schema": schema} for kind, schema in kinds.items()}}}


def services_of(connection: HTTPConnection) -> Services:
    """The services of the server that handles a request."""
    services: Services = connection.app.state.services
    return services


async def person_of(connection: HTTPConnection) -> Person | None:
    """The person of a request, by its bearer token or else by its cookie; None without either.

    Raises `NOT_SIGNED_IN` if the bearer token is not valid.
    """
    services = services_of(connection)
    accounts = services.accounts
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        person = await accounts.by_bearer(token.strip(), network_of(connection.scope))
        if person is None:
            note_failed_sign_in(connection, "a token")
            raise ServerError(ServerErrorCode.NOT_SIGNED_IN)
    else:
        cookie = connection.cookies.get(COOKIE)
        if cookie is not None and await accounts.token_of(cookie) is None:
            note_failed_sign_in(connection, "a forged cookie")
        person = await accounts.by_cookie(cookie, network_of(connection.scope))
    if person is not None:
        services.addresses.note(person.id, address_of(connection.scope))
    return person


async def allowed_person(connection: HTTPConnection) -> Person | None:
    """The person of a request, as `person_of`; raises `BANNED` if the person is banned."""
    person = await person_of(connection)
    services_of(connection).bans.check_person(person)
    return person


def note_failed_sign_in(connection: HTTPConnection, means: str) -> None:
    """Log that somebody failed to sign in, without what they tried it with."""
    services_of(connection).security_log.note(f"Failed sign-in with {means}", address_of(connection.scope))


Parts = Annotated[Services, Depends(services_of)]
AnyPerson = Annotated[Person | None, Depends(allowed_person)]


async def signed_in(person: AnyPerson) -> Person:
    """The person of a request; raises `NOT_SIGNED_IN` if there is none."""
    if person is None:
        raise ServerError(ServerErrorCode.NOT_SIGNED_IN)
    return person


SignedIn = Annotated[Person, Depends(signed_in)]


async def human(person: SignedIn) -> Person:
    """The person of a request; raises `FOR_PEOPLE_ONLY` if it is a program."""
    if person.owner is not None:
        raise ServerError(ServerErrorCode.FOR_PEOPLE_ONLY)
    return person


Human = Annotated[Person, Depends(human)]
TableId = Annotated[str, Path(max_length=32, pattern=r"^[0-9a-z]+$", examples=["k3w9xq5m2dab"])]


async def count_creation(request: Request) -> None:
    """Apply the rate limit of `CREATIONS` to a request."""
    await services_of(request).limits.check(CREATIONS, "creation", address_of(request.scope))


async def count_long_work(request: Request) -> None:
    """Apply the rate limit of `LONG_WORK` to a request."""
    await services_of(request).limits.check(LONG_WORK, "long work", address_of(request.scope))


async def count_study(request: Request) -> None:
    """Apply the rate limit of `STUDIES` to a request."""
    await services_of(request).limits.check(STUDIES, "study", address_of(request.scope))


Creation = Depends(count_creation)
LongWork = Depends(count_long_work)
Study = Depends(count_study)


async def ndjson(
    parts: Services,
    person: Person | None,
    address: IPAddress | None,
    outbox: Outbox,
    subscription: AbstractAsyncContextManager[None],
) -> AsyncIterator[str]:
    """The messages of an outbox during a subscription, one per line, until it is closed or the session ends.

    The subscription is entered with the first read: a stream that is never read is never closed either.
    """
    with parts.accounts.connections.held(outbox, person, address):
        if person is not None and not await parts.accounts.signed_in(person):
            return
        async with subscription:
            while (messages := await outbox.take(HEARTBEAT_S)) is not None:
                yield "".join(f"{message}\n" for message in messages) or "\n"


def client(request: Request) -> IPAddress | None:
    """The client's address."""
    return client_address(request.scope)


Client = Annotated[IPAddress | None, Depends(client)]


def device(request: Request) -> str | None:
    """What kind of device asks."""
    return device_of(request.headers.get("user-agent", ""))


Device = Annotated[str | None, Depends(device)]


def set_cookie(request: Request, response: Response, token: str) -> None:
    """Set the session cookie: hidden from scripts (HttpOnly), and not sent by pages of other sites (SameSite)."""
    signed = services_of(request).accounts.signer.sign("session", token)
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, signed, COOKIE_S, path="/", httponly=True, samesite="lax", secure=secure)


def renew_cookie(request: Request, response: Response) -> None:
    """Sign the session's cookie again if it has an older key, so that the key can be given up."""
    signer, cookie = services_of(request).accounts.signer, request.cookies.get(COOKIE, "")
    token = signer.check("session", cookie)
    if token is not None and not signer.is_current("session", cookie):
        set_cookie(request, response, token)


async def finished_record(parts: Services, table: str) -> str:
    """The record of a finished table; raises `RECORD_NOT_YET` before the end."""
    live = await parts.tables.get(table)
    text = await parts.store.projections.record(table) if live.table.phase is Phase.OVER else None
    if text is None:
        raise StudyRefused(StudyRefusal.RECORD_NOT_YET)
    return text
