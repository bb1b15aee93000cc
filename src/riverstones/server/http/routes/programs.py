"""Other people's programs at our tables."""

from __future__ import annotations

from typing import Annotated, TypedDict

from fastapi import Path
from fastapi.responses import StreamingResponse

from riverstones.server.accounts.accounts import MOST_PROGRAMS
from riverstones.server.contract import model
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.protocol import Incoming
from riverstones.server.tables.live_table import encode
from riverstones.server.tables.outbox import Outbox
from riverstones.table import Phase, Table, clean_name, summary, wire

from .common import MESSAGES_BY_LINE, Arrival, Human, Parts, Somebody, giving, ndjson, new_router
from .profiles import PublicPerson, public

router = new_router("programs")


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


@router.post("/programs", response_model=model(NewProgram), status_code=201, dependencies=[Arrival])
async def new_program(parts: Parts, person: Human, form: ProgramForm) -> NewProgram:
    """Let a program play under your responsibility."""
    name = clean_name(form.name)
    async with parts.turnstile(person.id):
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
    """Withdraw a program and its token."""
    if program not in {known.id for known in await parts.accounts.programs_of(person.id)}:
        raise ServerError(ServerErrorCode.NO_SUCH_PERSON)
    await parts.accounts.remove(program)


@router.get(
    "/programs/stream", responses=giving({"application/x-ndjson": MESSAGES_BY_LINE}), response_class=StreamingResponse
)
async def stream(parts: Parts, person: Somebody) -> StreamingResponse:
    """Tell a program, as NDJSON, of the tables it may join and of its turns."""
    if person.owner is None:
        raise ServerError(ServerErrorCode.FOR_PROGRAMS_ONLY)
    outbox = Outbox(parts.settings.outbox)

    def show(table: wire.TableSummary, *, paused: bool) -> None:
        options, seat = table["options"], table["to_move"]
        if table["phase"] == Phase.WAITING.value and options["listed"] and options["programs"]:
            outbox.put(encode({"type": "open", "table": table["table"], "summary": table}))
        if seat is not None and table["chairs"][seat]["person"] == person.id and not paused:
            outbox.put(encode({"type": "turn", "table": table["table"], "seat": seat, "turn": table["turn"]}))

    def watch(table: Table) -> None:
        show(summary(table), paused=table.paused)

    async def begin() -> None:
        parts.registry.follow(person.id, watch)  # first: rather a turn told twice than one not told
        for listed in await parts.store.projections.open_tables(50):
            show(listed.summary, paused=listed.paused)
        for listed in await parts.store.projections.tables_of(person.id, None, 50):
            show(listed.summary, paused=listed.paused)

    lines = ndjson(parts, person, outbox, begin, lambda: parts.registry.unfollow(person.id, watch))
    return StreamingResponse(lines, media_type="application/x-ndjson")
