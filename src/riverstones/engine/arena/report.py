"""Standings and statistics from the results of a match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from statistics import fmean
from typing import Any

from .game import Result
from .match import Match, Pairing
from .sprt import Trial
from .statistics import Interval, elo, mean_interval, share_interval

Deal = Sequence[Result]
"""The games of one deal, one per seating."""


class Tally:
    """The results of a match, collected in any order."""

    def __init__(self, match: Match, results: Iterable[Result] = ()) -> None:
        self.match = match
        self._deals: dict[int, dict[int, Result]] = {}
        self._whole = len(match.seatings)
        for result in results:
            self.add(result)

    def add(self, result: Result) -> None:
        """Add one game."""
        self._deals.setdefault(result.pairing.deal, {})[result.pairing.seating] = result

    def has(self, pairing: Pairing) -> bool:
        """Whether this game has been played."""
        return pairing.seating in self._deals.get(pairing.deal, {})

    def __len__(self) -> int:
        """The number of games played."""
        return sum(map(len, self._deals.values()))

    def deal(self, number: int) -> Deal | None:
        """The games of a deal that was played in every seating; None if it was not."""
        games = self._deals.get(number, {})
        return [games[seating] for seating in range(self._whole)] if len(games) == self._whole else None

    def deals(self) -> list[Deal]:
        """The deals that were played in every seating, in order."""
        return [deal for number in sorted(self._deals) if (deal := self.deal(number)) is not None]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over deals and its 95 % interval."""

    mean: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Standing:
    """The results of one bot. Means are over deals; the value of a deal is the mean over its seatings."""

    name: str
    wins: int
    """Games won alone."""
    draws: int
    """Games with a shared win."""
    win_rate: Estimate
    """The share of wins; a win shared by two counts half, by three a third."""
    score: Estimate
    """The share of opponents beaten; with two seats the same as the win rate."""
    margin: Estimate
    """The margin over the mean of the opponents, in points."""
    points: Estimate
    ms_per_move: float
    forfeits: int

    @property
    def elo(self) -> Estimate:
        """The Elo difference to the opponents, from the score."""
        return Estimate(elo(self.score.mean), Interval(*map(elo, self.score.interval)))

    def to_json(self) -> dict[str, Any]:
        """The standing as JSON; infinite values become null."""
        return {
            "name": self.name,
            "wins": self.wins,
            "draws": self.draws,
            "win_rate": _number(self.win_rate.mean, 5),
            "win_rate_ci95": [_number(bound, 5) for bound in self.win_rate.interval],
            "margin": _number(self.margin.mean, 3),
            "margin_ci95": [_number(bound, 3) for bound in self.margin.interval],
            "elo": _number(self.elo.mean, 1),
            "elo_ci95": [_number(bound, 1) for bound in self.elo.interval],
            "mean_points": _number(self.points.mean, 3),
            "mean_points_ci95": [_number(bound, 3) for bound in self.points.interval],
            "ms_per_move": _number(self.ms_per_move, 3),
            "forfeits": self.forfeits,
        }


def standings(match: Match, deals: Sequence[Deal]) -> list[Standing]:
    """The standings after these deals; there must be at least one."""
    return [_standing(name, bot, deals) for bot, name in enumerate(match.bots)]


def score(result: Result, bot: int) -> float:
    """The share of its opponents that a bot beat in one game."""
    seat = result.order.index(bot)
    return fmean(result.beats(seat, other) for other in range(len(result.order)) if other != seat)


def deal_score(deal: Deal, bot: int) -> float:
    """The value of a deal for the sequential test: a bot's mean score over the seatings."""
    return fmean(score(result, bot) for result in deal)


def to_json(match: Match, deals: Sequence[Deal], trial: Trial | None = None) -> dict[str, Any]:
    """The report as JSON."""
    games = [result for deal in deals for result in deal]
    report = {
        "games": len(games),
        "seats": match.seats,
        "deals": len(deals),
        "seed": match.seed,
        "variant": match.variant.value,
        "layout": match.layout.value,
        "bots": [standing.to_json() for standing in standings(match, deals)] if deals else [],
        "forfeits": [
            {
                "deal": result.pairing.deal,
                "seating": result.pairing.seating,
                "bot": match.bots[result.order[result.forfeit.seat]],
                "reason": result.forfeit.reason,
            }
            for result in games
            if result.forfeit is not None
        ],
    }
    return report if trial is None else report | {"sprt": trial.to_json()}


def _standing(name: str, bot: int, deals: Sequence[Deal]) -> Standing:
    def over_deals(value: Callable[[Result, int], float]) -> list[float]:
        """One value per deal, from a value for each game and the bot's seat in it."""
        return [fmean(value(result, result.order.index(bot)) for result in deal) for deal in deals]

    games = [(result, result.order.index(bot)) for deal in deals for result in deal]
    shares, scores = over_deals(_win_share), [deal_score(deal, bot) for deal in deals]
    margins, points = over_deals(_margin), over_deals(lambda result, seat: result.scores[seat])
    moves = sum(len(result.moves[seat :: len(result.order)]) for result, seat in games)
    return Standing(
        name,
        wins=sum(result.winners == (seat,) for result, seat in games),
        draws=sum(seat in result.winners and len(result.winners) > 1 for result, seat in games),
        win_rate=Estimate(fmean(shares), share_interval(shares)),
        score=Estimate(fmean(scores), share_interval(scores)),
        margin=Estimate(fmean(margins), mean_interval(margins)),
        points=Estimate(fmean(points), mean_interval(points)),
        ms_per_move=sum(result.ms[seat] for result, seat in games) / max(moves, 1),
        forfeits=sum(result.forfeit is not None and result.forfeit.seat == seat for result, seat in games),
    )


def _win_share(result: Result, seat: int) -> float:
    return 1 / len(result.winners) if seat in result.winners else 0.0


def _margin(result: Result, seat: int) -> float:
    return result.scores[seat] - fmean(points for other, points in enumerate(result.scores) if other != seat)


def _number(value: float, digits: int) -> float | None:
    return round(value, digits) if isfinite(value) else None
