"""Commands for studying the game and building bots: `analyse`, `engine`, `arena` and `bench`.

As in `app`, nothing heavy is imported before a command runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .choices import Json, Language, Layouts, Variants


def engine(
    level: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL",
            help="Level to use when a request names none (default: the strongest).",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed for bots, unless the game gives one.")] = 0,
) -> None:
    """Answer positions with moves, for other programs.

    Requests and answers are one line of JSON each, on standard input and output.
    """
    from .engine import serve

    serve(level, seed)


def arena(
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT", help="Two to four bots: a level's name, greedy, or cmd:COMMAND."),
    ],
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Number of games; each deal is played in every seating.", min=1, show_default="200"
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed for deals and randomness.")] = 0,
    variant: Annotated[
        Variants, typer.Option(help="standard: flip one tile per move; expert: any number.")
    ] = "standard",
    layout: Annotated[Layouts, typer.Option(help="Where the side stones lie.")] = "sides",
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", help="Number of games played in parallel.", min=1, show_default="one per core"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every game to this file.", show_default=False)
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the match in the --out file.")] = False,
    sprt: Annotated[
        bool, typer.Option("--sprt", help="Stop as soon as a sequential test (SPRT) decides between elo0 and elo1.")
    ] = False,
    elo0: Annotated[
        float | None, typer.Option(metavar="ELO", help="With --sprt: the smaller Elo difference.", show_default="0")
    ] = None,
    elo1: Annotated[
        float | None, typer.Option(metavar="ELO", help="With --sprt: the larger Elo difference.", show_default="10")
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(
            metavar="PROBABILITY",
            help="With --sprt: probability of a false positive (type I error).",
            show_default="0.05",
        ),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option(
            metavar="PROBABILITY",
            help="With --sprt: probability of a false negative (type II error).",
            show_default="0.05",
        ),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Play on the Dask cluster with this scheduler.", show_default=False),
    ] = None,
    json: Json = False,
) -> int:
    """Play matches between bots on duplicate deals."""
    from .arena import Options, run

    terms = {"elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta}
    given = {name: value for name, value in terms.items() if value is not None}
    options = Options(tuple(bots), games, seed, variant, layout, jobs, out, resume, sprt, given, dask)
    return run(options, json)


def analyse(
    record: Annotated[str, typer.Argument(help="A .river file, or - for standard input.", metavar="RECORD")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a copy of the record with annotations.", show_default=False),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the review as a page of HTML.", show_default=False),
    ] = None,
    json: Json = False,
    language: Language = None,
) -> int:
    """Review a recorded game: accuracy, luck and skill, and the better moves."""
    from .analyse import analyse as analyse_record

    return analyse_record(record, out, html, json, language)


def bench(json: Json = False) -> None:
    """Measure the speed of the engine on this machine."""
    from .bench import measure

    measure(json)


def add_commands(app: typer.Typer) -> None:
    """Add these commands to the command line."""
    for command in (analyse, engine, arena, bench):
        app.command()(command)
