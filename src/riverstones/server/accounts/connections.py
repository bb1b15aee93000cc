"""Every open socket and stream with whoever opened it: when a session ends, they end at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from riverstones.server.accounts.person import Person
from riverstones.server.errors import ServerErrorCode
from riverstones.server.tables.outbox import Outbox


class Connections:
    """What is open."""

    def __init__(self) -> None:
        self._open: dict[Outbox, Person] = {}

    @contextmanager
    def held(self, outbox: Outbox, person: Person | None) -> Iterator[None]:
        """Within this, the outbox is cut off when the person's session ends. A stranger has none that could."""
        if person is not None:
            self._open[outbox] = person
        try:
            yield
        finally:
            self._open.pop(outbox, None)

    def end_session(self, session: str) -> None:
        """Cut off what was opened with this session."""
        self._cut_off([outbox for outbox, person in self._open.items() if person.session == session])

    def end_people(self, gone: Collection[str]) -> None:
        """Cut off whatever these people have open."""
        self._cut_off([outbox for outbox, person in self._open.items() if person.id in gone])

    def _cut_off(self, outboxes: list[Outbox]) -> None:
        for outbox in outboxes:
            outbox.cut_off(ServerErrorCode.NOT_SIGNED_IN)
