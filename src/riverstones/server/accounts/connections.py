"""The open sockets and streams of people, which are closed when their session ends."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from riverstones.server.accounts.person import Person
from riverstones.server.errors import ServerErrorCode
from riverstones.server.tables.outbox import Outbox


class Connections:
    """The outbox of each open socket and stream, with its person."""

    def __init__(self) -> None:
        self._open: dict[Outbox, Person] = {}

    @contextmanager
    def held(self, outbox: Outbox, person: Person | None) -> Iterator[None]:
        """Close the outbox if the person's session ends while the block runs. Visitors (None) have no session."""
        if person is not None:
            self._open[outbox] = person
        try:
            yield
        finally:
            self._open.pop(outbox, None)

    def end_session(self, session: str) -> None:
        """Close everything that was opened with this session."""
        self._cut_off([outbox for outbox, person in self._open.items() if person.session == session])

    def end_people(self, gone: Collection[str]) -> None:
        """Close everything that these people have open."""
        self._cut_off([outbox for outbox, person in self._open.items() if person.id in gone])

    def _cut_off(self, outboxes: list[Outbox]) -> None:
        for outbox in outboxes:
            outbox.cut_off(ServerErrorCode.NOT_SIGNED_IN)
