"""The seats of a terminal game: human players and bots, with distinct names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from riverstones.cli.complaint import Complaint
from riverstones.cli.words import Words
from riverstones.engine.bots import LEVELS, offered
from riverstones.rules import SEAT_COUNTS

LONGEST_NAME = 16


@dataclass(frozen=True, slots=True)
class Seat:
    """A human player or a bot."""

    name: str
    bot: str | None = None
    """The level of the bot; None for a human player."""


def take_seats(seats: int | None, names: Sequence[str], bots: Sequence[str], words: Words) -> tuple[Seat, ...]:
    """Seat the human players first, then the bots; players without a name get one."""
    humans = max(len(names), 0 if seats is None else seats - len(bots))
    if seats is None and not names and bots:
        humans = 1
    count = humans + len(bots)
    if count not in SEAT_COUNTS or (seats is not None and count != seats):
        raise Complaint(
            words("seat_count_wrong", count=count if seats is None else seats, named=len(names) + len(bots))
        )
    given = [checked_name(name, words) for name in names]
    free = (words("player_number", number=number) for number in range(1, humans + 1))
    given += [name for name in free if name not in given][: humans - len(given)]
    taken = [Seat(name) for name in given]
    for level in bots:
        _check_level(level, words)
        taken.append(Seat(_fresh_name(words(f"level_{level}"), [seat.name for seat in taken]), level))
    folded = [seat.name.casefold() for seat in taken]
    for name in folded:
        if folded.count(name) > 1:
            raise Complaint(words("name_twice", name=taken[folded.index(name)].name))
    return tuple(taken)


def checked_name(name: str, words: Words) -> str:
    """The name if it fits on the screen; raises `Complaint` if it does not."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise Complaint(words("name_bad", name=name, most=LONGEST_NAME))
    return name


def find_seat(text: str, seats: Sequence[Seat]) -> int | None:
    """The seat with this name or number (counted from 1); None if there is none."""
    wanted = " ".join(text.split()).casefold()
    for number, seat in enumerate(seats):
        if wanted in (seat.name.casefold(), str(number + 1)):
            return number
    return None


def _check_level(level: str, words: Words) -> None:
    if level not in LEVELS:
        raise Complaint(words("no_such_bot", text=level, levels=offered()))
    if level not in offered():
        raise Complaint(words("bot_not_here", text=level))


def _fresh_name(name: str, taken: Iterable[str]) -> str:
    """The name, with a number appended if it is taken."""
    taken = {other.casefold() for other in taken}
    candidates = (name if number == 1 else f"{name} {number}" for number in range(1, len(taken) + 2))
    return next(candidate for candidate in candidates if candidate.casefold() not in taken)
