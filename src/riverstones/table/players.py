"""Who sits where: people, the house's bots, and other people's programs."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal, get_args

from .errors import NotAllowed, TableRefusal

Colour = Literal["indigo", "teal", "plum", "ochre"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
"""The colours of screens and pawns."""

LONGEST_NAME = 24
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that show nothing, though they do not count as spaces: fillers of Korean, and blank Braille."""

JOINERS = "\u200c\u200d"
"""They show nothing by themselves, but join or part their neighbours: in Persian, in Hindi, in a family of emoji."""

MOST_TO_CLEAN = 4
"""How many times too long a text may be and still be cleaned: composing a heap of accents takes very long."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who gives a command. The person's id and name come from the session, never from the command itself."""

    person: str | None
    """The person's id; None for the house, which plays the bots and minds the clocks."""
    name: str = ""
    colour: str = COLOURS[0]
    program: bool = False
    """Whether it is somebody's program that plays through the bot interface."""
    account: bool = False
    """Whether the person is known beyond one browser."""


SYSTEM = Actor(None)


@dataclass(frozen=True, slots=True)
class Chair:
    """A place at the table and who holds it."""

    person: str | None = None
    """The person who holds the seat."""
    bot: str | None = None
    """The level of the house's bot that holds the seat."""
    name: str = ""
    colour: str = ""
    program: bool = False
    owner: str | None = None
    """Who held the seat last: they may come back to it."""
    resigned: bool = False

    @property
    def free(self) -> bool:
        """Whether nobody holds the seat."""
        return self.person is None and self.bot is None


def clean_name(text: str) -> str:
    """A name as it is shown: composed, trimmed, its spaces single; refused if nothing or too much of it is left."""
    name = clean_text(text, LONGEST_NAME)
    if name is None:
        raise NotAllowed(TableRefusal.BAD_NAME, longest=LONGEST_NAME)
    return name


def clean_text(text: str, longest: int) -> str | None:
    """One line of text, with a space for each sign that could garble its surroundings; None if empty or too long."""
    if len(text) > longest * MOST_TO_CLEAN:
        return None
    composed = unicodedata.normalize("NFC", text)
    visible = "".join(" " if _is_hidden(char) else char for char in composed)
    line = " ".join(word for word in (word.strip(JOINERS) for word in visible.split()) if word)
    return line if 0 < len(line) <= longest else None


def _is_hidden(char: str) -> bool:
    return char in BLANKS or (unicodedata.category(char)[0] == "C" and char not in JOINERS)
