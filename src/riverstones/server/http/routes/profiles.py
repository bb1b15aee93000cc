"""Who you are."""

from __future__ import annotations

from typing import Annotated, TypedDict

from fastapi import Path, Query, Request, Response

from riverstones.server.accounts import COOKIE, Person
from riverstones.server.accounts.ratings import Rating, shown
from riverstones.server.contract import model
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.http.routes.common import Arrival, Human, Parts, Somebody, Whoever, new_router, set_cookie
from riverstones.server.protocol import Incoming
from riverstones.table import clean_name, wire
from riverstones.table.players import Colour

from .forms import Games

router = new_router("people")
GAMES_AT_ONCE = 50


class PublicPerson(TypedDict):
    """What everybody may know of somebody."""

    person: str
    name: str
    colour: wire.Colour
    program: bool
    owner: str | None
    """Whose program it is, so that everybody may know who plays together."""
    rating: Rating | None


class Me(PublicPerson):
    """What you may know of yourself."""

    account: bool


class Introduction(Incoming):
    """A name and a colour are enough."""

    name: str
    colour: Colour = "teal"


def public(person: Person) -> PublicPerson:
    """What everybody may know of somebody."""
    return {
        "person": person.id,
        "name": person.name,
        "colour": person.colour,
        "program": person.owner is not None,
        "owner": person.owner,
        "rating": shown(person),
    }


def me(person: Person) -> Me:
    """What you may know of yourself."""
    return {**public(person), "account": person.account}


@router.get("/me", response_model=model(Me | None))
async def who_am_i(person: Whoever) -> Me | None:
    """Say who asks; null for somebody new."""
    return None if person is None else me(person)


@router.post("/me", response_model=model(Me), dependencies=[Arrival])
async def introduce(request: Request, response: Response, parts: Parts, person: Whoever, form: Introduction) -> Me:
    """Become a guest, or change name and colour."""
    name = clean_name(form.name)
    if person is not None:
        return me(await parts.accounts.change(person, name, form.colour))
    made, token = await parts.accounts.create(name, form.colour)
    set_cookie(request, response, token)
    return me(made)


@router.delete("/me", status_code=204)
async def leave(request: Request, response: Response, parts: Parts, person: Human) -> None:
    """End this session. A guest without an account is not known again."""
    await parts.accounts.end_session(request.cookies.get(COOKIE, ""))
    response.delete_cookie(COOKIE, path="/")


@router.get("/people/{person}", response_model=model(PublicPerson))
async def somebody_else(
    parts: Parts, person: Annotated[str, Path(max_length=32, pattern=r"^[0-9a-z]+$")]
) -> PublicPerson:
    """Tell a person's name, colour and rating."""
    found = await parts.accounts.get(person)
    if found is None:
        raise ServerError(ServerErrorCode.NO_SUCH_PERSON)
    return public(found)


@router.get("/games", response_model=model(Games))
async def my_games(
    parts: Parts, person: Somebody, before_ms: Annotated[int | None, Query(ge=0, le=2**53)] = None
) -> Games:
    """List the tables at which you sit or sat, newest first, without those closed before they began."""
    found = await parts.store.projections.tables_of(person.id, before_ms, GAMES_AT_ONCE)
    return {"games": [listed.summary for listed in found]}
