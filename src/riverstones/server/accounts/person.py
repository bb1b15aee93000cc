"""Somebody who plays here."""

from __future__ import annotations

from dataclasses import dataclass

from riverstones.table import Actor


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays here."""

    id: str
    name: str
    colour: str
    account: bool = False
    """Whether a passkey or a linked device keeps this person beyond one browser."""
    owner: str | None = None
    """Whose program it is; None for people."""
    mu: float | None = None
    sigma: float | None = None
    rated_games: int = 0
    session: str | None = None
    """The hash of the token with which they have just come in."""

    @property
    def actor(self) -> Actor:
        """This person at a table."""
        return Actor(self.id, self.name, self.colour, self.owner is not None, self.account)
