"""The server's storage: one database, with a class for each group of rows."""

from __future__ import annotations

import secrets
from typing import Any

from sqlalchemy import select

from . import schema as s
from .accounts import AccountStorage
from .bans import BanStorage
from .database import Database
from .erasure import Erasure
from .events import EventLog
from .nodes import NodeStorage
from .operators import OperatorStorage
from .personal_data import PersonalData
from .played import PlayedStorage
from .projections import Projections
from .ratings import RatingStorage
from .reviews import ReviewStorage
from .study import StudyStorage

COOKIE_KEYS = "cookie_key"
"""The name of the value with the keys that sign cookies, separated by spaces. It began as a single key."""


class Store:
    """The server's storage."""

    def __init__(self, url: str, node: str = "") -> None:
        """`node` names the server that writes; it is empty for maintenance."""
        self.database = Database(url)
        self.projections = Projections(self.database, node)
        self.nodes = NodeStorage(self.database)
        self.events = EventLog(self.database, self.projections, self.nodes)
        self.accounts = AccountStorage(self.database)
        self.bans = BanStorage(self.database)
        self.ratings = RatingStorage(self.database)
        self.study = StudyStorage(self.database)
        self.played = PlayedStorage(self.database)
        self.reviews = ReviewStorage(self.database)
        self.operators = OperatorStorage(self.database)
        self.personal_data = PersonalData(self.database)
        self.erasure = Erasure(self.database)

    async def site(self) -> str:
        """The name of the site that this database belongs to, by which its nodes find each other."""
        return await self.server_value("site", secrets.token_hex(8))

    async def cookie_keys(self) -> list[str]:
        """The keys that sign cookies, newest first; one is made at the first start."""
        return (await self.server_value(COOKIE_KEYS, secrets.token_hex(32))).split()

    async def rotate_cookie_key(self, *, keep: int) -> None:
        """Add a new key that signs cookies from now on, and keep some of the old ones for cookies that have theirs."""

        async def work(connection: Any) -> None:
            named = s.server_values.c.name == COOKIE_KEYS
            known = (await connection.scalar(select(s.server_values.c.value).where(named)) or "").split()
            value = " ".join((secrets.token_hex(32), *known[:keep]))
            row = self.database.insert(s.server_values).values(name=COOKIE_KEYS, value=value)
            await connection.execute(
                row.on_conflict_do_update(index_elements=[s.server_values.c.name], set_={"value": value})
            )

        await self.database.writer.transact(work)

    async def server_value(self, name: str, default: str) -> str:
        """A value of the server itself; the default is stored and returned if there is none yet."""

        async def work(connection: Any) -> str:
            row = self.database.insert(s.server_values).values(name=name, value=default)
            await connection.execute(row.on_conflict_do_nothing())  # another node may start at the same time
            stored: str = await connection.scalar(select(s.server_values.c.value).where(s.server_values.c.name == name))
            return stored

        return await self.database.writer.transact(work)
