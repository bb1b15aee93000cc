"""Whole games for the terminal: what has to be typed, and the expected result."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from riverstones.rules import Game, Play, Seed, Setup

from .helpers import riverstones_here

SEED = Seed(b"\x07" * 32)
"""A deal whose first hand can score at once."""
NAMES = ("Ada", "Bo", "Cleo", "Dai")
RULE = re.compile(r"^[─-]{20,}$", re.MULTILINE)

Choice = Callable[[Game], Play]


def best(game: Game) -> Play:
    return game.plays()[0]


def middling(game: Game) -> Play:
    """A play of medium value: it neither always scores nor never does."""
    plays = game.plays()
    return plays[len(plays) // 40]


@dataclass(frozen=True)
class Transcript:
    """The pages that were shown, and how the command ended."""

    pages: list[str]
    errors: str
    status: int

    @property
    def last(self) -> str:
        return self.pages[-1]


def play_terminal(
    *lines: str, options: tuple[str, ...] = (), seed: Seed = SEED, env: dict[str, str] | None = None
) -> Transcript:
    """Play in the terminal with these lines typed, and nothing after them."""
    typed = "".join(f"{line}\n" for line in lines)
    done = riverstones_here("play", "--terminal", "--seed", seed.reveal(), *options, stdin=typed, env=env)
    return Transcript(RULE.split(done.stdout)[1:], done.stderr, done.returncode)


def names(count: int) -> tuple[str, ...]:
    """The options for this many human players."""
    return tuple(word for name in NAMES[:count] for word in ("--name", name))


def typed_game(setup: Setup, choose: Choice = middling, seed: Seed = SEED) -> tuple[list[str], list[Game]]:
    """The lines typed for a whole game at one keyboard, and the game before each of its turns and at its end."""
    games = [Game.begin(setup, seed.deal())]
    lines: list[str] = []
    while not games[-1].over:
        move = choose(games[-1]).move
        lines += ["", str(move), ""]  # take the keyboard; try the move; play it
        games.append(games[-1].play(move))
    return lines, games


def tiles_shown(page: str) -> tuple[int, ...] | None:
    """The hand on a page, or None if there is none on it."""
    found = re.search(r"Your tiles((?: +\d)+)", page)
    return None if found is None else tuple(int(digit) for digit in found[1].split())
