"""Creating tables, viewing them, and playing without a socket."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Literal

from fastapi import Query, Request, Response, WebSocket
from fastapi.responses import PlainTextResponse, StreamingResponse

from riverstones.engine import bots
from riverstones.notation import read_record
from riverstones.notation.json_record import record_to_json
from riverstones.server.contract import model
from riverstones.server.http.addresses import address_of, client_address, is_proxied
from riverstones.server.http.sockets import Socket
from riverstones.server.protocol import encode
from riverstones.server.tables.command_keys import command_key
from riverstones.server.tables.feed import Listener
from riverstones.server.tables.outbox import Outbox
from riverstones.server.workers import Requester
from riverstones.server.workers.jobs import SummariseGame
from riverstones.study.summary import Review, summary_to_json
from riverstones.table import (
    Viewer,
    chairs_of,
    snapshot,
    viewer_after,
    wire,
)
from riverstones.table.views import check_viewer
from riverstones.table.wire.client import SEAT_BOUNDS

from .common import (
    ANY_OBJECT,
    MESSAGES_BY_LINE,
    TEXT,
    AnyPerson,
    Client,
    Creation,
    Human,
    LongWork,
    Parts,
    SignedIn,
    TableId,
    content,
    finished_record,
    ndjson,
    new_router,
    person_of,
    services_of,
)
from .forms import (
    Addresses,
    DoForm,
    Done,
    Levels,
    MadeTable,
    NewTable,
    OpenTables,
)

router = new_router("tables")
OPEN_AT_ONCE = 50
SeatQuery = Annotated[int | None, Query(ge=SEAT_BOUNDS.at_least, le=SEAT_BOUNDS.at_most)]


@router.get("/levels", response_model=model(Levels))
async def levels() -> Levels:
    """List the levels of the server's bots, weakest first."""
    return {"levels": list(bots.offered())}


@router.get("/addresses", response_model=model(Addresses))
async def addresses(parts: Parts, request: Request) -> Addresses:
    """URLs of this server for other devices, to invite them from the computer it runs on.

    Empty for clients on other computers, which already have a URL and need not know the others.
    """
    client = client_address(request.scope)
    here = client is not None and client.is_loopback and not is_proxied(request.scope)
    return {"addresses": list(parts.settings.addresses) if here else []}


@router.get("/tables", response_model=model(OpenTables))
async def open_tables(parts: Parts) -> OpenTables:
    """List the public tables that wait for players, and the public games that go on."""
    now_ms, projections = parts.settings.now_ms(), parts.store.projections
    waiting = await projections.open_tables(OPEN_AT_ONCE, now_ms)
    games = await projections.public_games(OPEN_AT_ONCE, now_ms)
    return {"tables": [listed.summary for listed in waiting], "games": [listed.summary for listed in games]}


@router.post("/tables", response_model=model(MadeTable), status_code=201, dependencies=[Creation])
async def make_table(parts: Parts, person: Human, form: NewTable) -> MadeTable:
    """Create a table; 429 if you sit at too many unfinished ones."""
    form.options.check()
    async with parts.person_lock(person.id):
        await parts.tables.check_room(person.id)
        live = await parts.tables.create(form.options, person.actor, chairs_of(form.options, form.seats, person.actor))
    return {"table": live.table.id, "path": f"/t/{live.table.id}"}


@router.get("/tables/{table}", response_model=model(wire.Snapshot))
async def look(parts: Parts, person: AnyPerson, table: TableId, seat: SeatQuery = None) -> wire.Snapshot:
    """A snapshot of a table as seen from one of your seats, or as a spectator."""
    live = await parts.tables.get(table)
    who = None if person is None else person.id
    live.feed.note_request(who)
    return snapshot(live.table, Viewer(who, live.default_seat(who) if seat is None else seat))


@router.post("/tables/{table}/do", response_model=model(Done))
async def do(request: Request, parts: Parts, person: SignedIn, table: TableId, form: DoForm) -> Done:
    """Carry out a command. It is carried out once however often it is sent; another one with its id is refused."""
    await parts.limits.check_command(form.command, request.scope)
    live = await parts.tables.get(table)
    key = command_key(person.id, form.id, form.command)
    return {"seq": await parts.tables.submit(live, person.actor, form.command, key)}


@router.get(
    "/tables/{table}/stream",
    responses=content({"application/x-ndjson": MESSAGES_BY_LINE}),
    response_class=StreamingResponse,
)
async def stream(
    parts: Parts,
    person: AnyPerson,
    client: Client,
    table: TableId,
    since: Annotated[int | None, Query(ge=0)] = None,
    seat: SeatQuery = None,
) -> StreamingResponse:
    """Stream a table's events as NDJSON: first a snapshot or the missed events, then every event as it happens."""
    live = await parts.tables.get(table)
    who = None if person is None else person.id
    viewer = Viewer(who, live.default_seat(who) if seat is None else seat)
    check_viewer(live.table, viewer)
    listener = Listener(viewer, Outbox(parts.settings.outbox, parts.settings.outbox_bytes))

    @asynccontextmanager
    async def joined() -> AsyncIterator[None]:
        listener.viewer = viewer_after(viewer, live.table)  # the seat may have been lost since
        missed = live.feed.since(since)
        if missed is None:
            listener.outbox.put(encode({"type": "snapshot", "snapshot": snapshot(live.table, listener.viewer)}))
        else:
            for event in missed:
                listener.outbox.put(event.to(listener.viewer))
        live.feed.join(listener)
        try:
            yield
        finally:
            live.feed.leave(listener)

    lines = ndjson(parts, person, client, listener.outbox, joined())
    return StreamingResponse(lines, media_type="application/x-ndjson")


@router.get(
    "/tables/{table}/record",
    responses=content({"text/plain": TEXT, "application/json": ANY_OBJECT}),
    response_class=Response,
)
async def record(parts: Parts, table: TableId, form: Literal["river", "json"] = "river") -> Response:
    """The record of a finished game, as text or JSON."""
    text = await finished_record(parts, table)
    if form == "json":
        return Response(json.dumps(record_to_json(read_record(text))), media_type="application/json")
    headers = {"content-disposition": f'attachment; filename="{table}.river"'}
    return PlainTextResponse(text, headers=headers)


@router.get("/tables/{table}/review", response_model=model(Review), dependencies=[LongWork])
async def review(parts: Parts, request: Request, table: TableId) -> Review:
    """The summary of a finished game: the scores turn by turn, best and missed plays."""
    await finished_record(parts, table)
    state = (await parts.tables.get(table)).table
    assert state.game is not None
    who = Requester(address=address_of(request.scope))
    return summary_to_json(state, await parts.workers.summarise(SummariseGame(state.game), who))


@router.websocket("/tables/{table}/socket")
async def play(websocket: WebSocket, table: str) -> None:
    """Play over a socket, as docs/protocol.md describes."""
    person = await person_of(websocket)
    await Socket(services_of(websocket), websocket, table, person).serve()
