"""Your name, colour, session and games, and the public profiles of others."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, TypedDict

from fastapi import Path, Query, Request, Response

from riverstones.server.accounts import COOKIE, Person
from riverstones.server.accounts.ratings import Rating, shown
from riverstones.server.contract import model
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.http.routes.common import (
    AnyPerson,
    Creation,
    Device,
    Human,
    Parts,
    SignedIn,
    TableId,
    new_router,
    renew_cookie,
    set_cookie,
)
from riverstones.server.protocol import Incoming
from riverstones.server.storage import Conflict
from riverstones.server.study.profile import profile_of
from riverstones.server.tables.device_games import DeviceGame, replayed, table_id
from riverstones.study import beaten
from riverstones.study.profile import Profile
from riverstones.study.records import record_text
from riverstones.table import NotAllowed, TableRefusal, chairs_of, clean_name, wire
from riverstones.table.players import Colour

from .forms import Games, Levels, MadeTable

router = new_router("people")
GAMES_AT_ONCE = 50
FINISHED_SHOWN = 12
"""How many finished games the first page may show."""


class PublicPerson(TypedDict):
    """The public profile of a person or program."""

    person: str
    name: str
    colour: wire.Colour
    program: bool
    owner: str | None
    """The owner of a program, so that others can see who plays together."""
    rating: Rating | None


class Me(PublicPerson):
    """Your own profile."""

    account: bool


class Introduction(Incoming):
    """A name and a colour."""

    name: str
    colour: Colour = "teal"


def public(person: Person) -> PublicPerson:
    """The public profile of a person."""
    return {
        "person": person.id,
        "name": person.name,
        "colour": person.colour,
        "program": person.owner is not None,
        "owner": person.owner,
        "rating": shown(person),
    }


def me(person: Person) -> Me:
    """A person's own profile."""
    return {**public(person), "account": person.account}


@router.get("/me", response_model=model(Me | None))
async def who_am_i(request: Request, response: Response, person: AnyPerson) -> Me | None:
    """Your profile; null if you are not signed in."""
    if person is None:
        return None
    renew_cookie(request, response)
    return me(person)


@router.post("/me", response_model=model(Me), dependencies=[Creation])
async def introduce(
    request: Request, response: Response, parts: Parts, person: AnyPerson, device: Device, form: Introduction
) -> Me:
    """Sign in as a guest, or change your name and colour."""
    name = clean_name(form.name)
    if person is not None:
        return me(await parts.accounts.change(person, name, form.colour))
    made, token = await parts.accounts.create(name, form.colour, device=device)
    set_cookie(request, response, token)
    return me(made)


@router.delete("/me", status_code=204)
async def leave(request: Request, response: Response, parts: Parts, person: Human) -> None:
    """Sign out. A guest without an account cannot sign in again."""
    await parts.accounts.end_session(request.cookies.get(COOKIE, ""))
    response.delete_cookie(COOKIE, path="/")


@router.get("/profile/me", response_model=model(Profile))
async def my_profile(parts: Parts, person: Human) -> Profile:
    """Your finished games, your reviews and your puzzles in figures. Nobody else can see them."""
    return await profile_of(parts.store, person.id)


@router.get("/people/{person}", response_model=model(PublicPerson))
async def somebody_else(
    parts: Parts, person: Annotated[str, Path(max_length=32, pattern=r"^[0-9a-z]+$")]
) -> PublicPerson:
    """The public profile of a person or program."""
    found = await parts.accounts.get(person)
    if found is None:
        raise ServerError(ServerErrorCode.NO_SUCH_PERSON)
    return public(found)


@router.get("/games", response_model=model(Games))
async def my_games(
    parts: Parts, person: SignedIn, before_ms: Annotated[int | None, Query(ge=0, le=2**53)] = None
) -> Games:
    """List the tables at which you sit or sat, newest first, without those closed before they began."""
    found = await parts.store.projections.tables_of(person.id, before_ms, GAMES_AT_ONCE)
    return {"games": [listed.summary for listed in found]}


@router.post("/games", response_model=model(MadeTable), status_code=201, dependencies=[Creation])
async def add_game(parts: Parts, person: Human, game: DeviceGame) -> MadeTable:
    """Add a finished game that you have played without a server to your account.

    It is replayed from its deal and its moves, marked, and never rated. A game is added once however often it is sent.
    """
    if not person.account:
        raise ServerError(ServerErrorCode.NEEDS_ACCOUNT)
    table = table_id(game, person.id)
    if await parts.store.events.erasures(table) is None:
        chairs = chairs_of(game.options, game.seats, person.actor)
        now_ms = parts.settings.now_ms()
        after, entries = replayed(game, chairs, person.actor, now_ms)
        await parts.limits.check_added_game(person.id)
        with suppress(Conflict):  # added meanwhile, by another tab for example
            await parts.store.events.append(entries, None, after, record_text(after), added_ms=now_ms)
    return {"table": table, "path": f"/replay/{table}"}


@router.get("/games/current", response_model=model(Games))
async def current_games(parts: Parts, person: SignedIn) -> Games:
    """List your games for the first page: those that go on, the latest change first, then some that are over.

    Games that you have dismissed are left out, and so is an unfinished table that nobody has touched for long: one that
    waits for players for a day, a game without other people for a week, one with other people for a month.
    """
    found = await parts.store.projections.current_of(person.id, FINISHED_SHOWN, parts.settings.now_ms())
    return {"games": [listed.summary for listed in found]}


@router.post("/games/{table}/dismiss", status_code=204)
async def dismiss(parts: Parts, person: SignedIn, table: TableId) -> None:
    """Remove a game from your first page: one that is over, or one without other people. It stays under its link."""
    if not await parts.store.projections.dismiss(person.id, table):
        raise NotAllowed(TableRefusal.NOT_OVER)


@router.get("/games/levels", response_model=model(Levels))
async def beaten_levels(parts: Parts, person: SignedIn) -> Levels:
    """List the levels that you have beaten, weakest first: in games of you alone against bots of one level."""
    found = [listed.summary async for listed in parts.store.projections.all_tables_of(person.id)]
    return {"levels": beaten.beaten_levels(found, person.id)}
