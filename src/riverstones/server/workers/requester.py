"""For whom an engine job is run, which decides when it is run."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

ADDRESSES_KEPT = 100_000


@dataclass(frozen=True, slots=True)
class Requester:
    """A person, or a visitor from an address."""

    person: str | None = None
    address: str | None = None
    """The limit key of the address, see `http.addresses`; None if it is not known."""

    @property
    def name(self) -> str:
        """The person, or the visitors from this address."""
        return self.person or f"visitor {self.address}"

    @property
    def group(self) -> str:
        """The address; a person whose address is not known is on their own."""
        return self.address or self.name


class LastAddresses:
    """The address from which each person was last seen.

    A bot's move is asked for by the table, not by a request, so its share of the workers follows from here.
    """

    def __init__(self) -> None:
        self._addresses: OrderedDict[str, str] = OrderedDict()

    def note(self, person: str, address: str) -> None:
        """Remember where a request of this person came from."""
        self._addresses[person] = address
        self._addresses.move_to_end(person)
        if len(self._addresses) > ADDRESSES_KEPT:
            self._addresses.popitem(last=False)

    def requester(self, person: str) -> Requester:
        """This person at the last known address."""
        return Requester(person, self._addresses.get(person))
