"""Bans of people and networks, which operators make with `riverstones admin bans` while the server runs.

Every server reads them from the database at a short interval, and then closes the connections of those who are banned.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging

from riverstones.server.accounts.connections import Connections
from riverstones.server.accounts.person import Person
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.http.addresses import IPAddress, limit_key
from riverstones.server.settings import Settings
from riverstones.server.storage import UNAVAILABLE, Store, reason

log = logging.getLogger("riverstones.bans")

REFRESH_S = 5.0
"""The interval at which the bans are read, so also the longest time until a new one applies."""

IPNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network


def parse_network(text: str) -> IPNetwork | None:
    """The network of an address or a network in CIDR notation; None if it is neither.

    A single IPv6 address stands for its /64 network, as in the rate limits: a client can change the rest at will.
    """
    try:
        if "/" not in text:
            address = ipaddress.ip_address(text)
            mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
            return ipaddress.ip_network(limit_key(mapped or address))
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None


class Bans:
    """The bans as they were last read."""

    def __init__(self, settings: Settings, store: Store, connections: Connections) -> None:
        self._settings = settings
        self._store = store
        self._connections = connections
        self._people: dict[str, int | None] = {}
        """The end of each person's ban; None for good."""
        self._networks: dict[IPNetwork, int | None] = {}
        self._refreshing: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Read the bans, and go on reading them at the interval."""
        await self.refresh()
        self._refreshing = asyncio.create_task(self._refresh_regularly(), name="bans")

    async def stop(self) -> None:
        """Stop reading."""
        if self._refreshing is not None:
            self._refreshing.cancel()
            await asyncio.gather(self._refreshing, return_exceptions=True)

    async def _refresh_regularly(self) -> None:
        while True:
            await asyncio.sleep(REFRESH_S)
            try:
                await self.refresh()
            except UNAVAILABLE as error:
                log.warning("The bans could not be read, so those known before apply: %s", reason(error))

    async def refresh(self) -> None:
        """Read the bans and close the connections of those who are banned."""
        people: dict[str, int | None] = {}
        networks: dict[IPNetwork, int | None] = {}
        for ban in await self._store.bans.all():
            if ban.person is not None:
                people[ban.person] = _later(people.get(ban.person, 0), ban.until_ms)
            if ban.network is not None and (network := parse_network(ban.network)) is not None:
                networks[network] = _later(networks.get(network, 0), ban.until_ms)
        self._people, self._networks = people, networks
        if people or networks:
            self._connections.end_refused(self._refusal)

    def check_address(self, address: IPAddress | None) -> None:
        """Raise `ADDRESS_BANNED` if this address is banned."""
        now_ms = self._settings.now_ms()
        if address is not None and any(
            address in network and _applies(until_ms, now_ms) for network, until_ms in self._networks.items()
        ):
            raise ServerError(ServerErrorCode.ADDRESS_BANNED)

    def check_person(self, person: Person | None) -> None:
        """Raise `BANNED` if this person, or the owner of this program, is banned."""
        now_ms = self._settings.now_ms()
        for name in () if person is None else (person.id, person.owner):
            if name in self._people and _applies(self._people[name], now_ms):
                raise ServerError(ServerErrorCode.BANNED)

    def _refusal(self, person: Person | None, address: IPAddress | None) -> ServerErrorCode | None:
        try:
            self.check_person(person)
            self.check_address(address)
        except ServerError as error:
            return error.code
        return None


def _applies(until_ms: int | None, now_ms: int) -> bool:
    return until_ms is None or until_ms > now_ms


def _later(one: int | None, other: int | None) -> int | None:
    """The later of two ends of bans."""
    return None if one is None or other is None else max(one, other)
