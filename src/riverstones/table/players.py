"""The players of a table: people, built-in bots, and programs of other authors."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Literal, get_args

from .errors import NotAllowed, TableRefusal

Colour = Literal["indigo", "teal", "plum", "ochre"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
"""The colours of screens and pawns."""

LONGEST_NAME = 24
BLANKS = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"
"""Characters that show nothing though they do not count as spaces: Korean fillers, blank Braille, a null notehead."""

JOINERS = "\u200c\u200d"
"""Invisible characters that join or separate their neighbours: in Persian, in Hindi, in emoji sequences."""

EMOJI_STYLE = "\ufe0f"
"""Follows a character that is to be shown as an emoji."""

IGNORED = frozenset(
    map(chr, (0x34F, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0xFE00, 0xFE0F), *range(0xE0100, 0xE01F0)))
)
"""Marks that show nothing, such as other variation selectors: with them two different names would look the same."""

MOST_TO_CLEAN = 4
"""Texts longer than this many times the limit are rejected unread: normalizing many accents is very slow."""


@dataclass(frozen=True, slots=True)
class Actor:
    """The author of a command. Id and name come from the session, never from the command itself."""

    person: str | None
    """The person's id; None for the server, which plays the bots and watches the clocks."""
    name: str = ""
    colour: str = COLOURS[0]
    program: bool = False
    """Whether this is a program that plays through the bot API."""
    account: bool = False
    """Whether the person has an account rather than a guest session."""


SYSTEM = Actor(None)


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat of the table and who holds it."""

    person: str | None = None
    """The person who holds the seat."""
    bot: str | None = None
    """The level of the bot that holds the seat."""
    name: str = ""
    colour: str = ""
    program: bool = False
    owner: str | None = None
    """The player who may return to this seat: the one who left it, or whose seat a bot or a newcomer took over.

    None for a seat that was never left, and for one that was left and that somebody new has taken.
    """
    resigned: bool = False

    @property
    def free(self) -> bool:
        """Whether nobody holds the seat."""
        return self.person is None and self.bot is None


def clean_name(text: str) -> str:
    """A normalized name with single spaces; refused if it is empty or too long."""
    name = clean_text(text, LONGEST_NAME)
    if name is None:
        raise NotAllowed(TableRefusal.BAD_NAME, longest=LONGEST_NAME)
    return name


def distinct_name(name: str, others: Iterable[str]) -> str:
    """The name, with a number if another player at the table has one that looks the same: `Ann (2)`."""
    taken = set(map(_look, others))
    wanted = name
    for number in count(2):
        if _look(wanted) not in taken:
            break
        suffix = f" ({number})"
        wanted = name[: LONGEST_NAME - len(suffix)].rstrip() + suffix
    return wanted


def _look(name: str) -> str:
    """What is left of a name without case, width and invisible characters."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(char for char in folded if char not in (EMOJI_STYLE, *JOINERS))


def clean_text(text: str, longest: int) -> str | None:
    """The text as one line, with a space for each control or invisible character.

    None if it is too long or nothing of it can be seen.
    """
    if len(text) > longest * MOST_TO_CLEAN:
        return None
    composed = unicodedata.normalize("NFC", text)
    visible = "".join(" " if _is_hidden(char) else char for char in composed if char not in IGNORED)
    line = " ".join(word for word in (word.strip(JOINERS) for word in visible.split()) if word)
    return line if len(line) <= longest and any(map(_is_seen, line)) else None


def _is_hidden(char: str) -> bool:
    return char in BLANKS or (unicodedata.category(char)[0] == "C" and char not in JOINERS)


def _is_seen(char: str) -> bool:
    """Whether a character shows something by itself: a letter, a number, punctuation or a symbol."""
    return unicodedata.category(char)[0] in "LNPS"
