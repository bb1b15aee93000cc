"""Commands for hosting: `serve`, `worker`, and `admin` for maintenance.

As in `app`, nothing heavy is imported before a command runs.
"""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from .admin.commands import Database, admin
from .extras import needs_cluster, needs_server

LogFormats = Annotated[
    Literal["plain", "json"], typer.Option("--log-format", help="The form of the log on standard error.")
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
    log_format: LogFormats = "plain",
) -> None:
    """Run a game server for others."""
    with needs_server("serve"):
        from .serve import serve as run

    run(host, port, database, redis, tuple(origin or ()), trust_proxy, limits, log_format)


def worker(
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The servers' database: postgresql://...", show_default=False),
    ] = None,
    redis: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The servers' Redis, if they use one: redis://...", show_default=False),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=1000, help="Jobs at a time (default: one per processor).", show_default=False
        ),
    ] = None,
    log_format: LogFormats = "plain",
) -> None:
    """Run engine jobs for servers on other machines."""
    with needs_cluster("worker"):
        from .worker import work

    work(database, redis, jobs, log_format)


def add_commands(app: typer.Typer) -> None:
    """Add these commands to the command line."""
    app.command()(serve)
    app.command()(worker)
    app.add_typer(admin, name="admin")
