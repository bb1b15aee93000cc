"""The commands and their options.

Nothing heavy is imported at module level: `--help` and shell completion build every command and must stay fast. So each
command imports its own module when it runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riverstones import __version__

from . import hosting, laboratory
from .choices import HARDEST_GRADE, LEVELS, Json, Kinds, Language, Layouts, Scorings, Variants
from .extras import browser_needs_server

app = typer.Typer(
    name="riverstones",
    help="Play the Kakuro board game. Run without a command to open the game in your browser.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _bots() -> list[str]:
    from riverstones.engine.bots import offered

    return list(offered())


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"riverstones {__version__}")
        raise typer.Exit


@app.callback()
def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    """Open the game in the browser when no command is given."""
    if context.invoked_subcommand is None:
        with browser_needs_server():
            from .serve import play_in_browser

        play_in_browser()


@app.command()
def play(
    terminal: Annotated[bool, typer.Option("--terminal", help="Play here in the terminal.")] = False,
    seats: Annotated[
        int | None, typer.Option(metavar="N", help="Number of players, bots included: 2, 3 or 4.", show_default=False)
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A person's name (repeatable).", show_default=False),
    ] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LEVEL",
            help=f"Add a bot: {', '.join(LEVELS[:-1])} or {LEVELS[-1]} (repeatable).",
            autocompletion=_bots,
            show_default=False,
        ),
    ] = None,
    variant: Annotated[
        Variants, typer.Option(help="standard: flip one tile per move; expert: any number.")
    ] = "standard",
    layout: Annotated[Layouts, typer.Option(help="Where the side stones lie.")] = "sides",
    start: Annotated[
        str, typer.Option(metavar="WHO", help="Who starts: first, random, a name, or a seat counted from 1.")
    ] = "first",
    scoring: Annotated[
        Scorings, typer.Option(help="Points are counted automatically, or claimed by the players.")
    ] = "automatic",
    seed: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="Deal from this seed (64 hexadecimal digits).", show_default=False),
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the game to this file.", show_default=False)
    ] = None,
    language: Language = None,
    host: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Let other devices join the game in the browser; 0.0.0.0 for the whole network.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Play in the browser or in the terminal.

    With any option other than --host, the game runs in the terminal.
    """
    from .complaint import Complaint
    from .terminal import Options
    from .terminal import play as play_in_terminal

    options = Options(
        seats=seats,
        names=tuple(name or ()),
        bots=tuple(bot or ()),
        variant=variant,
        layout=layout,
        start=start,
        scoring=scoring,
        seed=seed,
        record=record,
        language=language,
    )
    in_terminal = terminal or options != Options()
    if in_terminal and host is not None:
        raise Complaint("--host cannot be used with a terminal game: other devices can only join in the browser.")
    if in_terminal:
        play_in_terminal(options)
    else:
        with browser_needs_server():
            from .serve import LOCAL, play_in_browser

        play_in_browser(LOCAL if host is None else host)


@app.command()
def plays(
    position: Annotated[
        str,
        typer.Argument(help="A position, or - to read one per line from standard input.", metavar="POSITION"),
    ],
    json: Json = False,
    limit: Annotated[
        int | None, typer.Option(help="Show only the N best plays.", min=1, metavar="N", show_default=False)
    ] = None,
    language: Language = None,
) -> None:
    """List every legal play of the seat to move, best first."""
    from .plays import list_plays

    list_plays(position, json, limit, language)


@app.command()
def score(
    board: Annotated[
        str, typer.Argument(help="Nine rows joined by /: . empty, 1-9 addends, A-I totals.", metavar="BOARD")
    ],
    move: Annotated[str, typer.Argument(help="A move such as h3+7 or, flipping e3, h3+7~e3.", metavar="MOVE")],
    variant: Annotated[
        Variants, typer.Option(help="standard: flip one tile per move; expert: any number.")
    ] = "standard",
    json: Json = False,
    language: Language = None,
) -> None:
    """Check whether a move is legal and what it scores."""
    from .score import score_move

    score_move(board, move, variant, json, language)


@app.command()
def verify(
    record: Annotated[str, typer.Argument(help="A .river file, or - for standard input.", metavar="RECORD")],
    json: Json = False,
    language: Language = None,
) -> int:
    """Check the record of a game.

    The exit status is 0 if the record is sound, 1 if it is not, and 2 if it cannot be read.
    """
    from .verify import verify as verify_record

    return verify_record(record, json, language)


@app.command()
def puzzle(
    which: Annotated[
        str | None,
        typer.Argument(
            metavar="WHICH",
            help="The name of a puzzle or a sprint; with --daily a date such as 2026-11-16.",
            show_default=False,
        ),
    ] = None,
    daily: Annotated[
        bool, typer.Option("--daily", help="The puzzle and the sprint of a day: today, or the date given.")
    ] = False,
    kind: Annotated[Kinds | None, typer.Option(help="Only puzzles of this kind.", show_default=False)] = None,
    grade: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=HARDEST_GRADE,
            help=f"Only puzzles of this grade, from 1 (easy) to {HARDEST_GRADE}.",
            show_default=False,
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the puzzle with its answers as JSON.")] = False,
    check: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Verify every puzzle of a file instead.", show_default=False)
    ] = None,
    rules_only: Annotated[
        bool, typer.Option("--rules-only", help="With --check: repeat no searches, which is much quicker.")
    ] = False,
    language: Language = None,
) -> int:
    """Solve a puzzle, or the puzzle and the sprint of a day.

    With --check the exit status is 0 if the file is sound, 1 if it is not, and 2 if it cannot be read.
    """
    from . import puzzle as puzzles

    if check is not None:
        return puzzles.check(check, rules_only, language)
    puzzles.solve(puzzles.Wanted(which, daily, kind, grade), json, language)
    return 0


laboratory.add_commands(app)
hosting.add_commands(app)
