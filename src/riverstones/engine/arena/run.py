"""Play the games of a match, in this process or on any executor."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from itertools import islice
from multiprocessing.synchronize import Event
from typing import Any, TypeVar

from . import game
from .game import Result
from .match import Match, Pairing
from .report import Tally, deal_score
from .sprt import Trial

Item = TypeVar("Item")
Answer = TypeVar("Answer")

_stop: Event | None = None
"""In a worker process: set when the match is stopped."""


def compete(
    tally: Tally,
    games: int,
    *,
    executor: Executor | None = None,
    in_flight: int = 1,
    trial: Trial | None = None,
    on_result: Callable[[Result], None] = lambda result: None,
) -> None:
    """Play the missing ones of this many games, and add the results to the tally.

    Without an executor the games are played in this thread, one after the other. Any executor in the style of
    `concurrent.futures` will do; `in_flight` is the number of games submitted to it at a time. With a trial the match
    ends once the trial is decided. If `compete` is interrupted, for example by Ctrl-C, the tally holds all finished
    games.
    """
    missing = (pairing for pairing in tally.match.pairings(games) if not tally.has(pairing))
    if trial is not None and _advance(trial, tally):
        return
    for result in results(partial(play, tally.match), missing, executor, in_flight):
        tally.add(result)
        on_result(result)
        if trial is not None and _advance(trial, tally):
            return


def _advance(trial: Trial, tally: Tally) -> bool:
    """Pass newly completed deals to the trial, in order; True once it is decided."""
    while trial.decision is None and (deal := tally.deal(trial.deals)) is not None:
        trial.add(deal_score(deal, bot=0))
    return trial.decision is not None


def results(
    function: Callable[[Item], Answer], items: Iterable[Item], executor: Executor | None = None, in_flight: int = 1
) -> Iterator[Answer]:
    """The results of a function for these items, as they arrive.

    Without an executor it is called in this thread; with one, `in_flight` calls are submitted at a time. Calls that
    have not begun are cancelled when the iterator is closed.
    """
    executor = executor or _Here()
    items = iter(items)
    waiting: set[Future[Answer]] = set()
    try:
        while True:
            for item in islice(items, in_flight - len(waiting)):
                waiting.add(executor.submit(function, item))
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        for future in waiting:
            future.cancel()


def play(match: Match, pairing: Pairing) -> Result:
    """Play one game in this process."""
    return game.play(match, pairing, stopping)


def stopping() -> bool:
    """Whether this is a process of `processes` that has been told to stop."""
    return _stop is not None and _stop.is_set()


class _Here(Executor):
    """Runs submitted calls at once in this thread, so that Ctrl-C reaches them."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class _Workers(ProcessPoolExecutor):
    """Worker processes that ignore Ctrl-C even while they start: it is meant for their parent."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        # Processes are started on demand by `submit` and inherit the signal mask set here.
        with _interrupts_held_back():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows, where `_enter` has to be enough
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def processes(count: int) -> Iterator[Executor]:
    """A pool of this many processes. On exit, unfinished games are cancelled."""
    # Spawned, not forked: the compiled kernel and its threads do not survive a fork.
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    executor = _Workers(count, context, _enter, (stop,))
    try:
        yield executor
    finally:
        stop.set()
        executor.shutdown(cancel_futures=True)


def _enter(stop: Event) -> None:
    """Set up a worker process; the event tells it when to stop."""
    global _stop
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """Exit when the parent process has been killed; otherwise the worker would wait for games forever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
