"""The help page of the terminal game."""

from __future__ import annotations

from rich.text import Text

from riverstones.cli.words import Words
from riverstones.rules import Tile

from .commands import Verb, synonyms
from .drawing import tile_text
from .pages import WATER_STYLE
from .screen import Screen

_INDENT = 11


def help_lines(words: Words, screen: Screen, claims: bool) -> list[Text]:
    """How to read the board and what can be typed, wrapped to the screen."""
    width = screen.console.width
    rows: list[tuple[Text, str]] = [
        (tile_text(Tile.parse("+7")), words("help_addend")),
        (tile_text(Tile.parse("=7")), words("help_total")),
        (Text(f" <  ~  {screen.glyphs.stone}"), words("help_marks")),
        (Text("e4+7", "bold"), words("help_move")),
        (Text("e4+7~c4", "bold"), words("help_flip")),
        (Text("Enter", "bold"), words("help_enter")),
    ]
    verbs = [Verb.NO, Verb.UNSEEN, Verb.MOVES, Verb.SAVE, Verb.QUIT]
    verbs.insert(1, Verb.OBJECT if claims else Verb.HINT)
    rows += [(Text(synonyms(verb, words)[0], "bold"), words(f"help_{verb.value}")) for verb in verbs]
    lines = [*screen.wrap(Text(words("help_kakuro")), width), Text(), Text(words("help_title"), WATER_STYLE)]
    for sign, meaning in rows:
        first, *others = screen.wrap(Text(meaning), width - _INDENT)
        sign.append(" " * (_INDENT - len(sign.plain)), "default not bold")
        lines.append(sign + first)
        lines += [Text(" " * _INDENT) + line for line in others]
    return lines
