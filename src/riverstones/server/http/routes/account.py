"""Signing in on other devices: passkeys and one-time links."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypedDict

from fastapi import Path, Request, Response
from pydantic import Field

from riverstones.server.accounts import COOKIE, Person
from riverstones.server.accounts.accounts import public_id
from riverstones.server.accounts.passkeys import Ceremony
from riverstones.server.contract import model
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.protocol import Incoming
from riverstones.server.study.profile import profile_of
from riverstones.study.profile import Profile
from riverstones.table import wire

from .common import AnyPerson, Creation, Device, Human, LongWork, Parts, new_router, note_failed_sign_in, set_cookie
from .profiles import Me, me

router = new_router("account")


class Link(TypedDict):
    """A one-time code and its expiry."""

    code: str
    expires_ms: int


class RedeemForm(Incoming):
    """A one-time code."""

    code: Annotated[str, Field(min_length=8, max_length=64)]


class Session(TypedDict):
    """A device on which you are signed in."""

    session: str
    device: str | None
    """The browser and the system, if they are known."""
    created_ms: int
    seen_ms: int
    """When it was last used, to the hour."""
    current: bool
    """Whether it is this device."""


class Account(TypedDict):
    """What keeps you beyond this browser."""

    me: Me
    passkeys_ms: list[int]
    """When your passkeys were made."""
    sessions: list[Session]


class ExportedGame(TypedDict):
    """One of your games."""

    summary: wire.TableSummary
    record: str | None
    """The game as text; null before its end."""


class ExportedAttempt(TypedDict):
    """Your first attempt at a puzzle."""

    puzzle: str
    solved: bool
    at_ms: int


class Export(TypedDict):
    """Everything that the server stores about you."""

    account: Account
    preferences: dict[str, Any] | None
    """The settings that you keep with your account."""
    study: dict[str, Any] | None
    """Your progress with puzzles and dailies, as the page writes it."""
    profile: Profile
    """Your games, reviews and puzzles in figures."""
    attempts: list[ExportedAttempt]
    games: list[ExportedGame]


class DeleteForm(Incoming):
    """Your name, as a confirmation."""

    name: Annotated[str, Field(max_length=200)]


class PasskeyForm(Incoming):
    """The browser's credential, with the ticket of its ceremony."""

    ticket: Annotated[str, Field(max_length=512)]
    credential: dict[str, Any]


class Preferences(Incoming):
    """The settings of the page, as far as they are chosen; the page has a default for the others."""

    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}$")] | None = None
    theme: Literal["light", "dark", "system"] | None = None
    sound: Literal["on", "off"] | None = None
    pace: Literal["quick", "normal", "slow"] | None = None
    animation: Literal["on", "reduced", "system"] | None = None
    confirm: Literal["on", "off"] | None = None
    coordinates: Literal["on", "off"] | None = None
    notation: Literal["on", "off"] | None = None


@router.get("/account/preferences", response_model=Preferences | None)
async def preferences(parts: Parts, person: Human) -> Preferences | None:
    """Tell the settings that you keep with your account; null if there are none."""
    data = await parts.accounts.preferences(person.id)
    return None if data is None else Preferences.model_validate_json(data)


@router.put("/account/preferences", response_model=Preferences)
async def keep_preferences(parts: Parts, person: Human, form: Preferences) -> Preferences:
    """Replace the settings that you keep with your account: the last write wins."""
    await parts.accounts.keep_preferences(person.id, form.model_dump_json())
    return form


@router.post("/account/links", response_model=model(Link), dependencies=[Creation])
async def new_link(parts: Parts, person: Human) -> Link:
    """Create a one-time code that signs another device in as you."""
    code, expires_ms = await parts.accounts.new_link(person.id)
    return {"code": code, "expires_ms": expires_ms}


@router.post("/account/links/redeem", response_model=model(Me), dependencies=[Creation])
async def redeem(
    request: Request, response: Response, parts: Parts, before: AnyPerson, device: Device, form: RedeemForm
) -> Me:
    """Sign this device in with a one-time code. The finished games of a guest on this device are carried over."""
    found = await parts.accounts.redeem_link(form.code, device)
    if found is None:
        note_failed_sign_in(request, "a code")
        raise ServerError(ServerErrorCode.LINK_NOT_VALID)
    return await _signed_in(request, response, parts, before, *found)


async def _signed_in(
    request: Request, response: Response, parts: Parts, before: Person | None, person: str, token: str
) -> Me:
    if before is not None and not before.account and before.owner is None and before.id != person:
        await parts.store.accounts.carry_over(before.id, person)
    set_cookie(request, response, token)
    found = await parts.accounts.get(person)
    if found is None:
        raise ServerError(ServerErrorCode.NO_SUCH_PERSON)
    return me(found)


def _site(request: Request) -> tuple[str, str]:
    """The domain of a passkey, and the origin it must be used from."""
    return request.url.hostname or "localhost", request.headers.get("origin", "")


@router.post("/account/passkeys/register/options", response_model=model(Ceremony), dependencies=[Creation])
async def register_options(request: Request, parts: Parts, person: Human) -> Ceremony:
    """Start the registration of a passkey."""
    return await parts.passkeys.register_options(person, _site(request)[0])


@router.post("/account/passkeys/register", response_model=model(Me))
async def register(request: Request, parts: Parts, person: Human, form: PasskeyForm) -> Me:
    """Store a new passkey; you have an account from then on."""
    await parts.passkeys.register(person, form.ticket, form.credential, *_site(request))
    return me(await parts.accounts.get(person.id) or person)


@router.post("/account/passkeys/login/options", response_model=model(Ceremony), dependencies=[Creation])
async def login_options(request: Request, parts: Parts) -> Ceremony:
    """Start signing in with a passkey."""
    return parts.passkeys.login_options(_site(request)[0])


@router.post("/account/passkeys/login", response_model=model(Me), dependencies=[Creation])
async def login(
    request: Request, response: Response, parts: Parts, before: AnyPerson, device: Device, form: PasskeyForm
) -> Me:
    """Sign in with a passkey. The finished games of a guest on this device are carried over."""
    try:
        person = await parts.passkeys.login(form.ticket, form.credential, *_site(request))
    except ServerError:
        note_failed_sign_in(request, "a passkey")
        raise
    token = await parts.accounts.new_session(person, device)
    return await _signed_in(request, response, parts, before, person, token)


@router.get("/account", response_model=model(Account))
async def account(parts: Parts, person: Human) -> Account:
    """Tell what keeps you beyond this browser: your passkeys, and the devices on which you are signed in."""
    sessions = await parts.store.accounts.sessions_of(person.id)
    return {
        "me": me(person),
        "passkeys_ms": await parts.store.accounts.passkey_dates_of(person.id),
        "sessions": [
            {
                "session": public_id(each.token_hash),
                "device": each.device,
                "created_ms": each.created_ms,
                "seen_ms": each.seen_ms,
                "current": each.token_hash == person.session,
            }
            for each in sessions
        ],
    }


@router.delete("/account/sessions", status_code=204)
async def end_other_sessions(parts: Parts, person: Human) -> None:
    """Sign all other devices out."""
    await parts.accounts.end_other_sessions(person)


@router.delete("/account/sessions/{session}", status_code=204)
async def end_session(
    parts: Parts, person: Human, session: Annotated[str, Path(pattern=r"^[0-9a-f]{16}$", max_length=16)]
) -> None:
    """Sign another device out."""
    if not await parts.accounts.end_other_session(person, session):
        raise ServerError(ServerErrorCode.NOT_FOUND)


@router.get("/account/export", response_model=model(Export), dependencies=[LongWork])
async def export(parts: Parts, person: Human, response: Response) -> Export:
    """Give out everything that the server stores about you, with your games."""
    response.headers["content-disposition"] = 'attachment; filename="riverstones.json"'
    games: list[ExportedGame] = []
    async for listed in parts.store.projections.all_tables_of(person.id):
        record = await parts.store.projections.record(listed.summary["table"])
        games.append({"summary": listed.summary, "record": record})
    study, kept = parts.store.study, await parts.store.accounts.preferences(person.id)
    progress = (await study.progress(person.id)).data
    attempts = await study.attempts_of(person.id)
    return {
        "account": await account(parts, person),
        "preferences": None if kept is None else json.loads(kept),
        "study": None if progress is None else json.loads(progress),
        "profile": await profile_of(parts.store, person.id),
        "attempts": [{"puzzle": each.puzzle, "solved": each.solved, "at_ms": each.at_ms} for each in attempts],
        "games": games,
    }


@router.post("/account/delete", status_code=204)
async def delete(parts: Parts, person: Human, response: Response, form: DeleteForm) -> None:
    """Delete yourself with your sessions, passkeys and programs. Finished games stay, under the name at the table."""
    if form.name.strip() != person.name:
        raise ServerError(ServerErrorCode.NAME_DIFFERS)
    await parts.accounts.remove(person.id)
    response.delete_cookie(COOKIE, path="/")
