"""The commands of `riverstones admin` and their options. As in `cli.app`, nothing heavy is imported before one runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from riverstones.cli.extras import needs_server

if TYPE_CHECKING:
    from . import actions

admin = typer.Typer(
    help="Maintain a server's database.\n\nMost commands can be used while servers run.", no_args_is_help=True
)
tables = typer.Typer(help="List tables, or delete one.", no_args_is_help=True)
people = typer.Typer(help="Find people and their ids.", no_args_is_help=True)
sessions = typer.Typer(help="List sessions, or end them.", no_args_is_help=True)
bans = typer.Typer(help="Ban people and networks.", no_args_is_help=True)
for name, group in (("tables", tables), ("people", people), ("sessions", sessions), ("bans", bans)):
    admin.add_typer(group, name=name)

MOST_DAYS = 36_500

Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="RIVERSTONES_DATABASE",
        help="sqlite:///FILE or postgresql://... (default: a file in your data directory).",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, one object per line.")]
Limit = Annotated[int, typer.Option(metavar="N", help="At most this many.", min=1, max=1_000_000)]
PersonId = Annotated[str, typer.Argument(metavar="PERSON", help="The person's id; “admin people list” finds it.")]
Phases = Literal["waiting", "playing", "over", "closed"]


def _actions(command: str) -> type[actions.Actions]:
    with needs_server(f"admin {command}"):
        from .actions import Actions

    return Actions


@tables.command("list")
def list_tables(
    phase: Annotated[Phases | None, typer.Option(help="Only tables in this phase.", show_default=False)] = None,
    person: Annotated[
        str | None, typer.Option(metavar="PERSON", help="Only tables of this person.", show_default=False)
    ] = None,
    limit: Limit = 100,
    json: Json = False,
    database: Database = None,
) -> None:
    """List tables, the latest change first."""
    _actions("tables list")(database).list_tables(phase, person, limit, json)


@tables.command("delete")
def delete_table(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table's id, as in its link.")],
    database: Database = None,
) -> None:
    """Delete one table with its events, its record and its review."""
    _actions("tables delete")(database).delete_table(table)


@people.command("list")
def list_people(
    name: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Only names that contain this text.", show_default=False)
    ] = None,
    limit: Limit = 100,
    json: Json = False,
    database: Database = None,
) -> None:
    """List people and programs, the last seen first."""
    _actions("people list")(database).list_people(name, limit, json)


@sessions.command("list")
def list_sessions(
    person: Annotated[
        str | None, typer.Option(metavar="PERSON", help="Only sessions of this person.", show_default=False)
    ] = None,
    limit: Limit = 100,
    json: Json = False,
    database: Database = None,
) -> None:
    """List sessions, the last used first."""
    _actions("sessions list")(database).list_sessions(person, limit, json)


@sessions.command("end")
def end_sessions(
    session: Annotated[
        str | None, typer.Argument(metavar="SESSION", help="The session's id.", show_default=False)
    ] = None,
    person: Annotated[
        str | None, typer.Option(metavar="PERSON", help="End all sessions of this person.", show_default=False)
    ] = None,
    database: Database = None,
) -> None:
    """End a session, or all sessions of a person."""
    _actions("sessions end")(database).end_sessions(session, person)


@sessions.command("rotate-key")
def rotate_key(
    keep: Annotated[
        int, typer.Option(metavar="N", help="Old keys that stay valid; 0 signs everybody out.", min=0, max=10)
    ] = 1,
    database: Database = None,
) -> None:
    """Make a new key that signs session cookies.

    Cookies signed with a key that is kept stay valid, and get the new key at the next visit.
    """
    _actions("sessions rotate-key")(database).rotate_key(keep)


@bans.command("list")
def list_bans(json: Json = False, database: Database = None) -> None:
    """List bans, oldest first, also those that have ended."""
    _actions("bans list")(database).list_bans(json)


@bans.command("add")
def add_ban(
    person: Annotated[str | None, typer.Option(metavar="PERSON", help="Ban this person.", show_default=False)] = None,
    network: Annotated[
        str | None,
        typer.Option(metavar="NETWORK", help="Ban this address or network, such as 192.0.2.0/24.", show_default=False),
    ] = None,
    days: Annotated[
        int | None,
        typer.Option(metavar="N", help="End after this many days.", min=1, max=MOST_DAYS, show_default=False),
    ] = None,
    note: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The reason, for operators only.", show_default=False)
    ] = None,
    database: Database = None,
) -> None:
    """Ban a person or a network. Running servers apply it within seconds."""
    _actions("bans add")(database).add_ban(person, network, days, note)


@bans.command("remove")
def remove_ban(
    ban: Annotated[str, typer.Argument(metavar="BAN", help="The ban's id, as in “admin bans list”.")],
    database: Database = None,
) -> None:
    """Remove a ban."""
    _actions("bans remove")(database).remove_ban(ban)


@admin.command()
def purge(
    days: Annotated[
        int, typer.Option(metavar="N", help="Delete tables inactive for this many days.", min=1, max=MOST_DAYS)
    ],
    database: Database = None,
) -> None:
    """Delete old tables with their events, records and reviews."""
    _actions("purge")(database).purge(days)


@admin.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.")],
    database: Database = None,
) -> None:
    """Write a backup of the database to a file, while servers run."""
    _actions("backup")(database).back_up(file)


@admin.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    database: Database = None,
) -> None:
    """Restore a backup into an empty database, and check every table."""
    _actions("restore")(database).restore(file)


@admin.command()
def check(database: Database = None) -> int:
    """Replay every table's log and compare it with what is stored.

    The exit status is 0 if everything agrees, and 1 if not.
    """
    return _actions("check")(database).check()


@admin.command()
def export(
    person: PersonId,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.")],
    database: Database = None,
) -> None:
    """Write everything that is stored about one person to a file, as JSON."""
    _actions("export")(database).export(person, file)


@admin.command()
def erase(person: PersonId, database: Database = None) -> None:
    """Delete one person, also the name and the messages in games.

    The games themselves stay for the other players, under the name NN.
    """
    _actions("erase")(database).erase(person)
