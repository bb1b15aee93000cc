"""Commands for hosting: `serve`, and `operate` for maintenance.

As in `app`, nothing heavy is imported before a command runs.
"""

from __future__ import annotations

from typing import Annotated

import typer

from .extras import needs_server

operate = typer.Typer(help="Maintain a server's database.\n\nDelete old tables, a table, or a person.")

Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="sqlite:///FILE or postgresql://... (default: a file in your data directory).",
        show_default=False,
    ),
]

Redis = Annotated[
    str | None,
    typer.Option(
        metavar="URL", help="redis://... for a large site of several servers on PostgreSQL.", show_default=False
    ),
]


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; 0.0.0.0 for the whole network.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="PORT", help="Port to listen on; 0 for any free port.", min=0, max=65535)
    ] = 8765,
    database: Database = None,
    redis: Redis = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL",
            help="Public address of the server, such as https://play.example.org (repeatable).",
            show_default=False,
        ),
    ] = None,
    trust_proxy: Annotated[
        bool, typer.Option("--trust-proxy", help="Trust the reverse proxy's forwarded client address.")
    ] = False,
    limits: Annotated[bool, typer.Option("--limits/--no-limits", help="Rate-limit each visitor.")] = True,
) -> None:
    """Run a game server for others."""
    with needs_server("serve"):
        from .serve import serve as run

    run(host, port, database, redis, tuple(origin or ()), trust_proxy, limits)


@operate.command()
def prune(
    days: Annotated[
        int,
        typer.Option(metavar="N", help="Delete tables inactive for this many days.", min=1, max=36_500),
    ],
    database: Database = None,
) -> None:
    """Delete old tables with their events and records."""
    with needs_server("operate prune"):
        from .serve import prune as forget

    forget(days, database)


@operate.command("delete-table")
def delete_table(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table's id, as in its link.")],
    database: Database = None,
) -> None:
    """Delete one table with its events and its record."""
    with needs_server("operate delete-table"):
        from .serve import delete_table as forget

    forget(table, database)


@operate.command("delete-person")
def delete_person(
    person: Annotated[str, typer.Argument(metavar="PERSON", help="The person's id.")], database: Database = None
) -> None:
    """Delete one person with sessions, passkeys and programs.

    Their games remain, under the name they were played with.
    """
    with needs_server("operate delete-person"):
        from .serve import delete_person as forget

    forget(person, database)


def add_commands(app: typer.Typer) -> None:
    """Add these commands to the command line."""
    app.command()(serve)
    app.add_typer(operate, name="operate")
