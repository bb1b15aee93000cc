"""Playing the games of a match, here or on any executor."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing.synchronize import Event
from typing import Any

from . import game
from .game import Result
from .match import Match, Pairing
from .report import Tally, deal_score
from .sprt import Trial

_stop: Event | None = None
"""In a worker process: set when the match is stopped."""


def compete(
    tally: Tally,
    games: int,
    *,
    executor: Executor | None = None,
    in_flight: int = 1,
    trial: Trial | None = None,
    heard: Callable[[Result], None] = lambda result: None,
) -> None:
    """Play what is missing of so many games, and gather the results in the tally.

    Without an executor the games are played here, one after the other. Any executor like those of `concurrent.futures`
    will do; `in_flight` says how many games it is given at a time. With a trial the match ends when that is decided.
    What ends `compete` early, such as Ctrl-C, leaves all finished games in the tally.
    """
    missing = (pairing for pairing in tally.match.pairings(games) if not tally.has(pairing))
    if trial is not None and _advance(trial, tally):
        return
    for result in _results(tally.match, missing, executor or _Here(), in_flight):
        tally.add(result)
        heard(result)
        if trial is not None and _advance(trial, tally):
            return


def _advance(trial: Trial, tally: Tally) -> bool:
    """Give the trial the deals that have become whole, in their order, and say whether it is decided."""
    while trial.decision is None and (deal := tally.deal(trial.deals)) is not None:
        trial.add(deal_score(deal, bot=0))
    return trial.decision is not None


def _results(match: Match, pairings: Iterable[Pairing], executor: Executor, in_flight: int) -> Iterator[Result]:
    """The results of these games as they come in."""
    pairings = iter(pairings)
    waiting: set[Future[Result]] = set()
    try:
        while True:
            for pairing in islice(pairings, in_flight - len(waiting)):
                waiting.add(executor.submit(play, match, pairing))
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        for future in waiting:
            future.cancel()


def play(match: Match, pairing: Pairing) -> Result:
    """Play one game, wherever this process is."""
    return game.play(match, pairing) if _stop is None else game.play(match, pairing, _stop.is_set)


class _Here(Executor):
    """Calls what is submitted at once, in this thread, so that Ctrl-C reaches it."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class _Workers(ProcessPoolExecutor):
    """Processes that never hear Ctrl-C, not even while they start: it is for the process that they work for."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        # A process is started by the game that needs it, and inherits what is held back here.
        with _interrupts_held_back():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Ctrl-C comes after this, not within."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows, where `_enter` is all that can be done
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def processes(count: int) -> Iterator[Executor]:
    """So many processes that play games. At the end, or when stopped, games under way are broken off."""
    # Started afresh, not forked: the compiled kernel and its threads are not made for being copied.
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    executor = _Workers(count, context, _enter, (stop,))
    try:
        yield executor
    finally:
        stop.set()
        executor.shutdown(cancel_futures=True)


def _enter(stop: Event) -> None:
    """Prepare a worker process, which is told when to stop."""
    global _stop
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """End a worker whose match was killed; it would wait for games for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
