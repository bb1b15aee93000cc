"""`riverstones verify`: check the record of a game."""

from __future__ import annotations

import sys
from pathlib import Path

from riverstones.notation.read import LARGEST
from riverstones.notation.verify import Verification, verify_record

from .complaint import Complaint, why
from .output import print_json
from .words import DEFAULT, Words, words_for

STREAM = "-"
STATUS_HOLDS = 0
STATUS_DISAGREES = 1
STATUS_UNREADABLE = 2


def verify(record: str, json: bool, language: str | None) -> int:
    """Check a record and print everything that is found; returns the exit status."""
    words = words_for(language or (DEFAULT if json else None))
    found = verify_record(record_bytes(record, words))
    if json:
        print_json(_to_json(found, words))
    else:
        for finding in found.findings:
            print(f"{record}:{finding.line}:{finding.column}: {words.say(finding)}")
        verdict = found.say(words.language)
        if found.fairness is not None:
            verdict += " " + found.fairness.say(words.language)
        print(verdict, file=sys.stderr if found.record is None else sys.stdout)
    if found.record is None:
        return STATUS_UNREADABLE
    return STATUS_HOLDS if found.sound else STATUS_DISAGREES


def record_bytes(record: str, words: Words) -> bytes:
    """The record's bytes, reading no more than needed to see that there are too many."""
    most = LARGEST + 1
    if record == STREAM:
        return sys.stdin.buffer.read(most)
    try:
        with Path(record).open("rb") as file:
            return file.read(most)
    except FileNotFoundError:
        raise Complaint(words("no_such_file", file=record)) from None
    except (OSError, ValueError) as error:
        raise Complaint(words("file_unreadable", file=record, why=why(error))) from None


def _to_json(found: Verification, words: Words) -> dict[str, object]:
    return {
        "readable": found.record is not None,
        "sound": found.sound,
        "fairness": None if found.fairness is None else found.fairness.name.lower(),
        "findings": [
            {"line": finding.line, "column": finding.column, "code": finding.code, "text": words.say(finding)}
            for finding in found.findings
        ],
    }
