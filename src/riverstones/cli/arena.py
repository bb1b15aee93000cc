"""`riverstones arena`: matches between bots, with a progress bar and a report."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from riverstones.engine import bots, external_bot
from riverstones.engine.arena import (
    Match,
    Result,
    ResultFile,
    Sprt,
    Standing,
    Tally,
    Trial,
    WrongFile,
    compete,
    processes,
    standings,
    to_json,
)
from riverstones.engine.arena.cluster import NoCluster, cluster
from riverstones.engine.arena.report import Estimate
from riverstones.rules import Layout, Variant

from .complaint import Complaint
from .loading import load
from .output import print_json

GAMES = 200
MOST_GAMES = 100_000
"""The maximum number of games for a sequential test that stays undecided."""
JOBS_PER_CORE = 16
"""Enough for bots that wait for a remote machine; many more would only use up memory."""
STATUS_STOPPED = 130
"""The conventional exit status of a command stopped by Ctrl-C."""
PLAIN_WIDTH = 120
"""The width of the table when the output is not a terminal."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command."""

    bots: tuple[str, ...]
    games: int | None
    seed: int
    variant: str
    layout: str
    jobs: int | None
    out: Path | None
    resume: bool
    sprt: bool
    terms: Mapping[str, float]
    """The options of the sequential test that were given, by their names in `Sprt`."""
    dask: str | None


def run(options: Options, json: bool) -> int:
    """Play the match, as far as Ctrl-C allows, and report."""
    match, trial = _checked(options)
    games = options.games or (GAMES if trial is None else MOST_GAMES)
    tally = Tally(match)
    try:
        stopped = _play(options, tally, games, trial)
    except (NoCluster, WrongFile) as error:
        raise Complaint(str(error)) from None
    except BrokenExecutor:
        kept = "finished games are in the file" if options.out is not None else "no games were saved without --out"
        raise Complaint(f"A worker process died; {kept}.") from None
    _report(match, tally, trial, stopped, json)
    return STATUS_STOPPED if stopped else 0


def _play(options: Options, tally: Tally, games: int, trial: Trial | None) -> bool:
    """Play the missing games; True if this was interrupted."""
    with ExitStack() as stack:
        stack.enter_context(_stoppable())
        try:
            # Connect to the cluster before the file is created.
            executor, places = stack.enter_context(_executor(options, games))
            file = stack.enter_context(_file(options.out, options.resume, tally.match)) if options.out else None
            for result in file.results if file is not None else ():
                tally.add(result)
            if options.dask is None:
                load(tally.match.bots)
            with _Bar(tally.match, games, tally) as bar:

                def on_result(result: Result) -> None:
                    if file is not None:
                        file.add(result)
                    bar.on_result(result)

                compete(tally, games, executor=executor, in_flight=places, trial=trial, on_result=on_result)
        except KeyboardInterrupt:
            # Stopping takes a moment, then comes the report; pressing Ctrl-C again must not lose it.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            return True
    return False


def _checked(options: Options) -> tuple[Match, Trial | None]:
    """The match and its test; raises `Complaint` if an option is invalid."""
    try:
        match = Match(options.bots, options.seed, Variant(options.variant), Layout(options.layout))
        trial = Trial(Sprt(**options.terms)) if options.sprt else None
        for name in match.bots:
            if not name.startswith(external_bot.PREFIX):
                bots.check(name)
            elif options.dask is None:
                external_bot.words_of(name.removeprefix(external_bot.PREFIX))
    except ValueError as error:
        raise Complaint(str(error)) from None
    except external_bot.Failed as error:
        raise Complaint(f"The bot “{name}” cannot play: {error}.") from None
    if options.terms and not options.sprt:
        names = " and ".join(f"--{name}" for name in options.terms)
        raise Complaint(f"{names} can only be used with --sprt.")
    if options.resume and options.out is None:
        raise Complaint("--resume needs the file of the match: --out FILE.")
    most = JOBS_PER_CORE * _cores()
    if options.dask is None and options.jobs is not None and options.jobs > most:
        raise Complaint(f"--jobs must be at most {most} here ({JOBS_PER_CORE} per core), not {options.jobs}.")
    return match, trial


def _cores() -> int:
    return os.cpu_count() or 1


def _file(path: Path, resume: bool, match: Match) -> ResultFile:
    return ResultFile.resume(path, match) if resume else ResultFile.create(path, match)


@contextmanager
def _executor(options: Options, games: int) -> Iterator[tuple[Executor | None, int]]:
    """The executor for the games, None for this thread, and the number of games to submit at a time."""
    jobs = min(options.jobs or _cores(), games)
    if options.dask is not None:
        with cluster(options.dask) as place:
            yield place.executor, 2 * place.places
    elif jobs == 1:
        yield None, 1
    else:
        with processes(jobs) as executor:
            yield executor, 2 * jobs


@contextmanager
def _stoppable() -> Iterator[None]:
    """Treat SIGTERM like Ctrl-C."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Bar:
    """The progress bar and intermediate result on standard error; messages are printed above the bar."""

    def __init__(self, match: Match, games: int, tally: Tally) -> None:
        self._match = match
        self._shares = 0.0
        self._games = 0
        self._console = Console(stderr=True, markup=False, emoji=False, highlight=False)
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[standing]}", markup=False),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._task = self._progress.add_task(
            " – ".join(map(_short, match.bots)), total=match.whole(games), completed=len(tally), standing=""
        )

    def __enter__(self) -> _Bar:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def on_result(self, result: Result) -> None:
        """Update the bar with one more game."""
        seat = result.order.index(0)
        self._games += 1
        self._shares += (seat in result.winners) / len(result.winners)
        standing = f"{_short(self._match.bots[0])} wins {self._shares / self._games:.0%}"
        self._progress.update(self._task, advance=1, standing=standing)
        if result.forfeit is not None:
            bot = self._match.bots[result.order[result.forfeit.seat]]
            reason = result.forfeit.reason.removesuffix(".")
            place = f"deal {result.pairing.deal}, seating {result.pairing.seating}"
            self._progress.console.print(f"{bot} loses a game ({place}): {reason}.", soft_wrap=True)


def _report(match: Match, tally: Tally, trial: Trial | None, stopped: bool, json: bool) -> None:
    deals = tally.deals()
    if trial is not None and trial.decision is not None:
        # Games in flight when the test was decided are left out: their number depends on --jobs.
        deals = deals[: trial.deals]
    if json:
        print_json(to_json(match, deals, trial) | {"stopped": stopped})
        return
    counted = sum(map(len, deals))
    if deals:
        _print_table(standings(match, deals))
    print(f"Games: {counted}. Deals: {len(deals)}, each in every seating. Seed: {match.seed}.")
    if stopped:
        print(f"Stopped. {len(tally) - counted} games of incomplete deals are not counted.")
    if trial is not None:
        print(_verdict(trial))


def _print_table(rows: list[Standing]) -> None:
    headings = ("bot", "wins", "draws", "win rate %", "margin", "Elo", "points", "ms/move")
    lines = [
        (
            _short(row.name),
            str(row.wins),
            str(row.draws),
            _with_interval(row.win_rate, 100, 1),
            _with_interval(row.margin, 1, 1),
            _with_interval(row.elo),
            _with_interval(row.points),
            f"{row.ms_per_move:.2f}",
        )
        for row in rows
    ]
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "bot" else "right", no_wrap=True)
    for line in lines:
        table.add_row(*line)
    console = Console(markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    unbounded = console.options.update(width=1000)
    if console.measure(table, options=unbounded).maximum <= console.width:
        console.print(table)
    else:
        # The terminal is too narrow for the table: print one figure per line instead of truncating.
        for line in lines:
            print("\n".join(f"{heading:>10}  {figure}" for heading, figure in zip(headings, line, strict=True)) + "\n")
    if forfeits := sum(row.forfeits for row in rows):
        print(f"Forfeited games: {forfeits}. Their points are those at the time of the forfeit.")


def _with_interval(estimate: Estimate, factor: float = 1, digits: int = 0) -> str:
    mean, low, high = (f"{factor * value:.{digits}f}" for value in (estimate.mean, *estimate.interval))
    return f"{mean} [{low}, {high}]".replace("inf", "∞")


def _verdict(trial: Trial) -> str:
    """The result of the sequential test in one sentence."""
    sprt = trial.sprt
    low, high = sprt.bounds
    ratio = f"log-likelihood ratio {trial.log_ratio:.2f} in [{low:.2f}, {high:.2f}] after {trial.deals} deals"
    if trial.decision is None:
        return f"Undecided between {sprt.elo0:g} and {sprt.elo1:g} Elo: {ratio}."
    chosen = sprt.elo0 if trial.decision == "elo0" else sprt.elo1
    return f"Decided for {chosen:g} Elo against {sprt.elo0 + sprt.elo1 - chosen:g}: {ratio}."


def _short(name: str) -> str:
    return name if len(name) <= 24 else f"{name[:23]}…"
