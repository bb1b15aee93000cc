"""One game of a match, from the first tile to the last or to a bot's failure.

Nobody claims, waits or leaves in a match, so of all that a table needs from its host only the next bot move remains:
`table.driver.bot_move`. A whole table would add 10 ms to a game between fast bots, which takes 14 to 20 ms in all.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from riverstones.engine import bots, external_bot
from riverstones.notation import say
from riverstones.rules import Game, Outcome, Refused, View, view
from riverstones.table.driver import bot_move

from .match import Match, Pairing


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A game that ended early because of a bot's failure: the seat at fault and the reason."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one game. Everything except the times is determined by the match and the pairing."""

    pairing: Pairing
    order: tuple[int, ...]
    """The number of the bot in each seat."""
    scores: tuple[int, ...]
    """The points of each seat, at the end or when the game was forfeited."""
    moves: tuple[str, ...]
    ms: tuple[float, ...]
    """The thinking time of each seat, over all its moves."""
    forfeit: Forfeit | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the win; never the one that forfeited."""
        losers = () if self.forfeit is None else (self.forfeit.seat,)
        return Outcome.of(self.scores, losers).winners

    def beats(self, seat: int, other: int) -> float:
        """1 if a seat finished ahead of another, 0.5 if they are level, otherwise 0."""
        if self.forfeit is not None and self.forfeit.seat in (seat, other):
            return float(self.forfeit.seat == other)
        return (self.scores[seat] > self.scores[other]) + 0.5 * (self.scores[seat] == self.scores[other])

    def to_json(self) -> dict[str, Any]:
        """The result as one line of a result file."""
        forfeit = None if self.forfeit is None else {"seat": self.forfeit.seat, "reason": self.forfeit.reason}
        return {
            "deal": self.pairing.deal,
            "seating": self.pairing.seating,
            "order": list(self.order),
            "scores": list(self.scores),
            "ms": [round(ms, 3) for ms in self.ms],
            "forfeit": forfeit,
            "moves": list(self.moves),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Result:
        """Read what `to_json` wrote."""
        return cls(
            Pairing(int(data["deal"]), int(data["seating"])),
            tuple(map(int, data["order"])),
            tuple(map(int, data["scores"])),
            tuple(map(str, data["moves"])),
            tuple(map(float, data["ms"])),
            None if data["forfeit"] is None else Forfeit(data["forfeit"]["seat"], data["forfeit"]["reason"]),
        )


class Stopped(Exception):
    """The match was stopped during this game."""


def play(
    match: Match,
    pairing: Pairing,
    stop: Callable[[], bool] = lambda: False,
    make: Callable[[str, int], bots.Bot] = bots.make,
) -> Result:
    """Play one game. The rules check every move; a bot that fails to make a legal one forfeits the game.

    ``make`` creates a bot from its name and seed, for matches with bots that the engine does not know.
    """
    order = match.order(pairing)
    game = Game.begin(match.setup, match.deal(pairing.deal))
    names = [match.bots[bot] for bot in order]
    seed_of = partial(match.bot_seed, pairing)
    ms = [0.0] * match.seats
    forfeit = None
    with ExitStack() as seated:
        players: list[bots.Bot] = []
        try:
            for seat, name in enumerate(names):
                failing = seat
                player = _seated(name, view(game, seat), seed_of(seat), make)
                players.append(seated.enter_context(player))
            while (need := bot_move(game, names, seed_of)) is not None:
                if stop():
                    raise Stopped
                failing = need.seat
                known = view(game, need.seat)
                begun = time.perf_counter()
                move = players[need.seat](known)
                ms[need.seat] += (time.perf_counter() - begun) * 1000
                game = game.play(move)
        except external_bot.Failed as failure:
            forfeit = Forfeit(failing, str(failure))
        except Refused as refused:
            forfeit = Forfeit(failing, f"it made the move {move}: {say(refused)}")
    moves = tuple(str(turn.move) for turn in game.turns)
    return Result(pairing, order, game.scores, moves, tuple(ms), forfeit)


@contextmanager
def _seated(name: str, begins: View, seed: int, make: Callable[[str, int], bots.Bot]) -> Iterator[bots.Bot]:
    """The bot with this name, ready for the game that begins with this view."""
    if not name.startswith(external_bot.PREFIX):
        yield make(name, seed)
        return
    with external_bot.running(name.removeprefix(external_bot.PREFIX)) as bot:
        bot.begin(begins, seed)
        yield bot
