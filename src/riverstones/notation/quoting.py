r"""Escape names and comments in a record, so that each stays on one line and reads back exactly.

Line breaks, invisible characters and characters that change the direction of writing become `\u{...}` with their code
point in hexadecimal, and a backslash is doubled. Everything else stays as it is, in any script. The list is fixed
rather than Python's notion of printable characters, so that every version writes the same text.
"""

from __future__ import annotations

import re

_HIDDEN = "\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff0-\uffff"
_IN_QUOTES = re.compile(rf'[{_HIDDEN}\\"]')
_IN_COMMENT = re.compile(rf"[{_HIDDEN}\\]|^ | $")
_ESCAPE = re.compile(r'\\(?:(["\\])|u\{([0-9A-Fa-f]{1,6})\}|)')
_HIGHEST = 0x10FFFF


class BadEscape(ValueError):
    """A backslash that does not begin a valid escape; `index` is its index in the text."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


def quote(text: str) -> str:
    """A text in quotation marks, escaped."""
    return f'"{_IN_QUOTES.sub(_escape, text)}"'


def comment_line(text: str) -> str:
    """One comment line, escaped."""
    return f"# {_IN_COMMENT.sub(_escape, text)}" if text else "#"


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    return "\\" + char if char in '"\\' else f"\\u{{{ord(char):X}}}"


def unescape(text: str) -> str:
    """The text without its escapes; raises `BadEscape`."""
    return _ESCAPE.sub(_unescape, text)


def _unescape(match: re.Match[str]) -> str:
    if match[1]:
        return match[1]
    if match[2] is None or int(match[2], 16) > _HIGHEST:
        raise BadEscape(match.start())
    return chr(int(match[2], 16))
