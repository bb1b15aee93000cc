"""One function that turns any refusal or problem into a sentence."""

from __future__ import annotations

from riverstones.rules import FaultFound, Malformed, Reason, Refused
from riverstones.words import phrase

from .errors import NotationError, Problem

Sayable = Reason | Refused | Malformed | FaultFound | Problem | NotationError


def say(thing: Sayable, language: str = "en") -> str:
    """A sentence in the given language that explains a refusal or a problem."""
    match thing:
        case Problem() | NotationError():
            return thing.say(language)
        case Refused():
            return say(thing.reason, language)
        case FaultFound():
            return Problem.of(thing.fault, **dict(thing.params)).say(language)
        case Reason():
            return phrase(f"refusal_{thing.code}", dict(thing.params), language)
        case Malformed():
            return phrase(f"problem_{thing.code}", dict(thing.params), language)
