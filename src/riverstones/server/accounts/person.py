"""A person or a program, as the server handles it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from riverstones.table import Actor


@dataclass(frozen=True)
class Person:
    """A guest, a person with an account, or a program."""

    id: str
    name: str
    colour: str
    account: bool = False
    """Whether the person has a passkey or has linked another device."""
    owner: str | None = None
    """The owner of a program; None for people."""
    mu: float | None = None
    sigma: float | None = None
    rated_games: int = 0
    session: str | None = None
    """The hash of the token of the current request; None outside of requests."""

    @cached_property  # every command of the person needs it
    def actor(self) -> Actor:
        """The actor of this person's commands."""
        return Actor(self.id, self.name, self.colour, self.owner is not None, self.account)
