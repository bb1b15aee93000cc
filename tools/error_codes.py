"""Write docs/error-codes.md from the enums of error codes: `python -m tools.error_codes`, or `make schemas`.

A test fails when the page is out of date.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from riverstones.rules import Code
from riverstones.server.errors import CLOSE_CODES, REFUSED_STATUS, STATUS, ServerErrorCode
from riverstones.study.refusals import StudyRefusal
from riverstones.table import TableRefusal
from riverstones.words import Message, messages

PAGE = Path(__file__).parents[1] / "docs" / "error-codes.md"

START = """# Error codes

<!-- Written by `make schemas` from the code. -->

An error is `{"error": {"code", "params", "text"}}`: a code, its parameters and a sentence in the
language of the request. Act on the code; show the sentence. Braces stand for the parameters. The
[server protocol](protocol.md) says where errors occur.
"""

PARTS: tuple[tuple[str, str, type[StrEnum]], ...] = (
    (
        "The rules",
        f"A move that is not allowed. HTTP status {REFUSED_STATUS}; a socket stays open. Some of these codes also say "
        "why a series is not a Kakuro.",
        Code,
    ),
    (
        "The table",
        f"A command that the table refuses. HTTP status {REFUSED_STATUS}; a socket stays open.",
        TableRefusal,
    ),
    ("The server", "A request or a message that the server refuses before it reaches a table.", ServerErrorCode),
    ("Study", "Reviews, hints, puzzles and the study board.", StudyRefusal),
)


def page() -> str:
    """The whole page."""
    return "\n".join([START, *(part for title, about, codes in PARTS for part in _part(title, about, codes))])


def _part(title: str, about: str, codes: type[StrEnum]) -> list[str]:
    statuses = codes in (ServerErrorCode, StudyRefusal)
    head = (
        "| code | status | close code | sentence |\n|---|---|---|---|" if statuses else "| code | sentence |\n|---|---|"
    )
    rows = []
    for code in codes:
        cells = [f"`{code}`"]
        if isinstance(code, ServerErrorCode | StudyRefusal):
            close = CLOSE_CODES.get(code) if isinstance(code, ServerErrorCode) else None
            cells += [str(STATUS.get(code, 400)), str(close or "")]
        rows.append(f"| {' | '.join([*cells, sentence(code)])} |")
    return [f"## {title}\n", f"{about}\n", head, *rows, ""]


def sentence(code: str) -> str:
    """The English sentence for a code."""
    message: Message = messages("en")[f"refusal_{code}"]
    text = message if isinstance(message, str) else message["other"]
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
