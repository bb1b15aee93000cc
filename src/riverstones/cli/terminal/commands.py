"""Parse what players type: a move, a number, or a command in their own language or in English."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from riverstones.cli.words import DEFAULT, Words


class Verb(Enum):
    """What a typed line asks for."""

    YES = "yes"
    NO = "no"
    HELP = "help"
    HINT = "hint"
    UNSEEN = "unseen"
    MOVES = "moves"
    SAVE = "save"
    OBJECT = "object"
    QUIT = "quit"
    NUMBER = "number"
    MOVE = "move"


NAMED = tuple(verb for verb in Verb if verb not in (Verb.NUMBER, Verb.MOVE))
"""The verbs that are typed as words; an empty line means yes."""

_MOVE = re.compile(r"([a-i][1-9][+=][1-9])((?:~?[a-i][1-9])*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Command:
    """A verb and its argument: the file to save to, who objects, the number, or the move as typed."""

    verb: Verb
    rest: str = ""


def read_command(line: str, words: Words) -> Command:
    """Parse a line. Anything that is not a command is taken for a move, valid or not."""
    word, _, rest = line.strip().partition(" ")
    for verb in NAMED:
        if word.lower() in synonyms(verb, words):
            return Command(verb, rest.strip())
    if not word:
        return Command(Verb.YES)
    if line.strip().isascii() and line.strip().isdigit():
        return Command(Verb.NUMBER, line.strip())
    return Command(Verb.MOVE, tidy_move(line))


def synonyms(verb: Verb, words: Words) -> list[str]:
    """The words for a verb in the player's language and in English; the one to display comes first."""
    key = f"verb_{verb.value}"
    return [*words(key).split(), *Words(DEFAULT)(key).split()]


def tidy_move(line: str) -> str:
    """A move in its strict form where possible: capitals, spaces and missing tildes are accepted.

    The tilde is hard to find on many keyboards; `h3+7 e3` will do.
    """
    packed = "".join(line.split()).lower()
    match = _MOVE.fullmatch(packed)
    if match is None:
        return line.strip()
    return match[1] + "".join(f"~{square}" for square in re.findall(r"[a-i][1-9]", match[2]))
