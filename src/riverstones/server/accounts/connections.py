"""The open sockets and streams of people, which are closed when their session ends or they are banned."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from riverstones.server.accounts.person import Person
from riverstones.server.errors import ServerErrorCode
from riverstones.server.http.addresses import IPAddress
from riverstones.server.tables.outbox import Outbox


class Connections:
    """The outbox of each open socket and stream, with its person and the client's address."""

    def __init__(self) -> None:
        self._open: dict[Outbox, tuple[Person | None, IPAddress | None]] = {}

    @contextmanager
    def held(self, outbox: Outbox, person: Person | None, address: IPAddress | None) -> Iterator[None]:
        """Close the outbox if the person's session ends, or a ban begins, while the block runs.

        Visitors (None) have no session, but an address.
        """
        self._open[outbox] = person, address
        try:
            yield
        finally:
            self._open.pop(outbox, None)

    def sessions(self) -> set[str]:
        """The sessions that have something open."""
        return {person.session for person, _ in self._open.values() if person is not None and person.session}

    def end_session(self, session: str) -> None:
        """Close everything that was opened with this session."""
        self._cut_off(lambda person: person.session == session)

    def end_people(self, gone: Collection[str]) -> None:
        """Close everything that these people have open."""
        self._cut_off(lambda person: person.id in gone)

    def close(self) -> None:
        """Send what waits on all of them, and close them: the server ends."""
        for outbox in tuple(self._open):
            outbox.close()

    def end_refused(self, refusal: Callable[[Person | None, IPAddress | None], ServerErrorCode | None]) -> None:
        """Close everything for which `refusal` returns an error code."""
        for outbox, (person, address) in tuple(self._open.items()):
            if (code := refusal(person, address)) is not None:
                outbox.cut_off(code)

    def _cut_off(self, chosen: Callable[[Person], bool]) -> None:
        for outbox, (person, _) in tuple(self._open.items()):
            if person is not None and chosen(person):
                outbox.cut_off(ServerErrorCode.NOT_SIGNED_IN)
