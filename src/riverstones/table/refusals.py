"""Refusals by the rules, the notation or the table as they are sent: a code, its parameters and a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from riverstones.notation import NotationError, say
from riverstones.rules import Malformed, Refused
from riverstones.words import DEFAULT_LANGUAGE, phrase

from . import wire
from .errors import NotAllowed

LONGEST_QUOTE = 100
"""How many characters of the input a refusal repeats."""

Refusal = NotAllowed | Refused | Malformed | NotationError
REFUSALS = (NotAllowed, Refused, Malformed, NotationError)


def refusal_to_json(error: Refusal, language: str = DEFAULT_LANGUAGE) -> wire.ErrorInfo:
    """A refusal as it is sent, with its sentence in this language."""
    match error:
        case NotAllowed():
            return error_info(str(error.code), error.params, phrase(f"refusal_{error.code}", error.params, language))
        case Refused():
            return error_info(error.reason.code.value, dict(error.reason.params), say(error, language))
        case NotationError():
            info = error_info(error.code, dict(error.params), say(error, language))
            info["problems"] = [{"line": each.line, "text": _sendable(each.say(language))} for each in error.problems]
            return info
        case _:
            return error_info(error.code, dict(error.params), say(error, language))


def error_info(code: str, params: Mapping[str, object], text: str) -> wire.ErrorInfo:
    """The error as it is sent; string parameters, which may quote input, are cut."""
    shown = {
        name: value if isinstance(value, int) else _sendable(str(value)[:LONGEST_QUOTE])
        for name, value in params.items()
    }
    return {"code": code, "params": shown, "text": _sendable(text)}


def _sendable(text: str) -> str:
    """The text with lone surrogates replaced: JSON input can contain them, but UTF-8 cannot."""
    return text.encode(errors="replace").decode()
