"""Programs: bots that people connect with a token."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, TypedDict

from fastapi import Path
from fastapi.responses import StreamingResponse

from riverstones.server.accounts.accounts import MOST_PROGRAMS
from riverstones.server.contract import model
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.protocol import Incoming
from riverstones.server.tables.feed import ProgramStream
from riverstones.server.tables.outbox import Outbox
from riverstones.table import clean_name

from .common import MESSAGES_BY_LINE, Client, Creation, Human, Parts, SignedIn, content, ndjson, new_router
from .profiles import PublicPerson, public

router = new_router("programs")
SHOWN_AT_FIRST = 50
"""The most open tables, and the most own tables, in the first messages of a stream."""


class ProgramForm(Incoming):
    """A program's name."""

    name: str


class NewProgram(TypedDict):
    """A program and its token, which is shown this once."""

    person: str
    token: str


class Programs(TypedDict):
    """Your programs."""

    programs: list[PublicPerson]


@router.post("/programs", response_model=model(NewProgram), status_code=201, dependencies=[Creation])
async def new_program(parts: Parts, person: Human, form: ProgramForm) -> NewProgram:
    """Create a program that plays in your name; 429 if you have too many."""
    name = clean_name(form.name)
    async with parts.person_lock(person.id):
        if len(await parts.accounts.programs_of(person.id)) >= MOST_PROGRAMS:
            raise ServerError(ServerErrorCode.TOO_MANY_REQUESTS)
        program, token = await parts.accounts.create(name, person.colour, owner=person.id)
    return {"person": program.id, "token": token}


@router.get("/programs", response_model=model(Programs))
async def my_programs(parts: Parts, person: Human) -> Programs:
    """List your programs."""
    return {"programs": [public(program) for program in await parts.accounts.programs_of(person.id)]}


@router.delete("/programs/{program}", status_code=204)
async def withdraw(
    parts: Parts, person: Human, program: Annotated[str, Path(max_length=32, pattern=r"^[0-9a-z]+$")]
) -> None:
    """Delete a program and its token."""
    if program not in {known.id for known in await parts.accounts.programs_of(person.id)}:
        raise ServerError(ServerErrorCode.NO_SUCH_PERSON)
    await parts.accounts.remove(program)


@router.get(
    "/programs/stream", responses=content({"application/x-ndjson": MESSAGES_BY_LINE}), response_class=StreamingResponse
)
async def stream(parts: Parts, person: SignedIn, client: Client) -> StreamingResponse:
    """Stream to a program, as NDJSON, the tables it may join and its turns."""
    if person.owner is None:
        raise ServerError(ServerErrorCode.FOR_PROGRAMS_ONLY)
    outbox = Outbox(parts.settings.outbox, parts.settings.outbox_bytes)
    following = ProgramStream(person.id, outbox)

    @asynccontextmanager
    async def subscribed() -> AsyncIterator[None]:
        with parts.tables.following(following):  # subscribe first: a turn may be sent twice, but none is missed
            for listed in await parts.store.projections.open_tables(SHOWN_AT_FIRST, parts.settings.now_ms()):
                following.show(listed)
            for listed in await parts.store.projections.tables_of(person.id, None, SHOWN_AT_FIRST):
                following.show(listed)
            yield

    return StreamingResponse(ndjson(parts, person, client, outbox, subscribed()), media_type="application/x-ndjson")
