r"""How names and comments are written in a record: on one line, and so that reading gives them back exactly.

Characters that would break a line, that cannot be seen or that change the direction of writing become `\u{...}` with
their number in hexadecimal, and a backslash is written twice. Everything else stays as it is, in any script. The list
is fixed, not Python's idea of what is printable, so that every version writes the same text.
"""

from __future__ import annotations

import re

_HIDDEN = "\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff0-\uffff"
_IN_QUOTES = re.compile(rf'[{_HIDDEN}\\"]')
_IN_COMMENT = re.compile(rf"[{_HIDDEN}\\]|^ | $")
_ESCAPE = re.compile(r'\\(?:(["\\])|u\{([0-9A-Fa-f]{1,6})\}|)')
_HIGHEST = 0x10FFFF


class BadEscape(ValueError):
    """A backslash that is not the beginning of an escape; `index` is its place in the text."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


def quote(text: str) -> str:
    """A text between quotation marks."""
    return f'"{_IN_QUOTES.sub(_escape, text)}"'


def comment_line(text: str) -> str:
    """One line of a comment."""
    return f"# {_IN_COMMENT.sub(_escape, text)}" if text else "#"


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    return "\\" + char if char in '"\\' else f"\\u{{{ord(char):X}}}"


def unescape(text: str) -> str:
    """The text that was written with escapes; raises `BadEscape`."""
    return _ESCAPE.sub(_unescape, text)


def _unescape(match: re.Match[str]) -> str:
    if match[1]:
        return match[1]
    if match[2] is None or int(match[2], 16) > _HIGHEST:
        raise BadEscape(match.start())
    return chr(int(match[2], 16))
