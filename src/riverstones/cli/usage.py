"""Explain usage errors in plain sentences: the option parser's own messages are for programmers."""

from __future__ import annotations

import re
from typing import Any

import typer

from .words import Words, words_for

_NO_COMMAND = re.compile(r"No such command '(?P<text>.*?)'\.(?: Did you mean (?P<guess>.*)\?)?")
_TOO_MANY = re.compile(r"Got unexpected extra argument\(s\) \((?P<text>.*)\)")


def what_is_wrong(error: typer.TyperException) -> str:
    """The sentence for a call that the parser rejected, in the language of the user's locale.

    Most of the parser's error classes are private, so they are recognised by name. Unknown ones keep the parser's
    message.
    """
    words = words_for(None)
    refused: Any = error
    match type(error).__name__:
        case "NoSuchOption":
            guess = ", ".join(sorted(refused.possibilities or ()))
            code = "call_no_option_but" if guess else "call_no_option"
            return words(code, option=refused.option_name, guess=guess)
        case "BadOptionUsage":
            code = "call_needs_value" if " requires " in refused.message else "call_takes_no_value"
            return words(code, option=refused.option_name)
        case "MissingParameter":
            return words("call_missing", name=_name(refused), command=refused.ctx.command_path)
        case "BadParameter" if hasattr(refused.__cause__, "errors"):
            return _wrong_value(refused, words)
    message = error.format_message()
    if found := _NO_COMMAND.fullmatch(message):
        guess = (found["guess"] or "").replace("'", "")
        return words("call_no_command_but" if guess else "call_no_command", text=found["text"], guess=guess)
    if found := _TOO_MANY.fullmatch(message):
        return words("call_too_many", text=found["text"])
    return " ".join(message.split())


def _wrong_value(refused: Any, words: Words) -> str:
    """The sentence for an invalid value of an option or an argument."""
    name = _name(refused)
    fault = refused.__cause__.errors()[0]
    text = fault["input"]
    match fault["type"]:
        case "int_parsing" | "int_from_float" | "int_parsing_size":
            return words("call_whole_number", name=name, text=text)
        case "float_parsing":
            return words("call_number", name=name, text=text)
        case "greater_than_equal":
            return words("call_at_least", name=name, bound=fault["ctx"]["ge"], text=text)
        case "less_than_equal":
            return words("call_at_most", name=name, bound=fault["ctx"]["le"], text=text)
    if choices := refused.param.type_descriptor.choices:
        return words("call_choice", name=name, choices=", ".join(choices), text=text)
    return " ".join(refused.format_message().split())


def _name(refused: Any) -> str:
    """The name of the option or argument, as typed or as shown in the help."""
    hint: str = refused.param.get_error_hint()
    return hint.partition(" / ")[0].strip("'")
