"""Keeping a person beyond one browser: passkeys, and one-time links for another device."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from fastapi import Request, Response
from pydantic import Field

from riverstones.server.accounts.passkeys import Ceremony
from riverstones.server.contract import model
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.protocol import Incoming

from .common import Arrival, Human, Parts, new_router, set_cookie
from .profiles import Me, me

router = new_router("account")


class Link(TypedDict):
    """A one-time code, and when it ends."""

    code: str
    expires_ms: int


class RedeemForm(Incoming):
    """A one-time code."""

    code: Annotated[str, Field(min_length=8, max_length=64)]


class PasskeyForm(Incoming):
    """A browser's answer."""

    ticket: Annotated[str, Field(max_length=512)]
    credential: dict[str, Any]


@router.post("/account/links", response_model=model(Link), dependencies=[Arrival])
async def new_link(parts: Parts, person: Human) -> Link:
    """Make a one-time code that signs another device in as you."""
    code, expires_ms = await parts.accounts.new_link(person.id)
    return {"code": code, "expires_ms": expires_ms}


@router.post("/account/links/redeem", response_model=model(Me), dependencies=[Arrival])
async def redeem(request: Request, response: Response, parts: Parts, form: RedeemForm) -> Me:
    """Sign this device in with a one-time code."""
    found = await parts.accounts.redeem_link(form.code)
    if found is None:
        raise ServerError(ServerErrorCode.LINK_NOT_VALID)
    return await _signed_in(request, response, parts, *found)


async def _signed_in(request: Request, response: Response, parts: Parts, person: str, token: str) -> Me:
    set_cookie(request, response, token)
    found = await parts.accounts.get(person)
    if found is None:
        raise ServerError(ServerErrorCode.NO_SUCH_PERSON)
    return me(found)


def _site(request: Request) -> tuple[str, str]:
    """The domain that a passkey is for, and the origin that it must be used from."""
    return request.url.hostname or "localhost", request.headers.get("origin", "")


@router.post("/account/passkeys/register/options", response_model=model(Ceremony), dependencies=[Arrival])
async def register_options(request: Request, parts: Parts, person: Human) -> Ceremony:
    """Begin to make a passkey."""
    return await parts.passkeys.register_options(person, _site(request)[0])


@router.post("/account/passkeys/register", response_model=model(Me))
async def register(request: Request, parts: Parts, person: Human, form: PasskeyForm) -> Me:
    """Keep a new passkey."""
    await parts.passkeys.register(person, form.ticket, form.credential, *_site(request))
    return me(await parts.accounts.get(person.id) or person)


@router.post("/account/passkeys/login/options", response_model=model(Ceremony), dependencies=[Arrival])
async def login_options(request: Request, parts: Parts) -> Ceremony:
    """Begin to sign in with a passkey."""
    return parts.passkeys.login_options(_site(request)[0])


@router.post("/account/passkeys/login", response_model=model(Me), dependencies=[Arrival])
async def login(request: Request, response: Response, parts: Parts, form: PasskeyForm) -> Me:
    """Sign in with a passkey."""
    person = await parts.passkeys.login(form.ticket, form.credential, *_site(request))
    return await _signed_in(request, response, parts, person, await parts.accounts.new_session(person))
