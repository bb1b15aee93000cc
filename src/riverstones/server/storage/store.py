"""Everything that the server keeps: one database, and a class for each kind of thing in it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from . import schema as s
from .accounts import AccountStorage
from .database import Database
from .events import EventLog
from .projections import Projections
from .ratings import RatingStorage


class Store:
    """The server's storage."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)
        self.projections = Projections(self.database)
        self.events = EventLog(self.database, self.projections)
        self.accounts = AccountStorage(self.database)
        self.ratings = RatingStorage(self.database)

    async def server_value(self, name: str, default: str) -> str:
        """A value that the server keeps for itself; the default is stored if there is none yet."""

        async def work(connection: Any) -> str:
            query = select(s.house.c.value).where(s.house.c.name == name)
            known: str | None = await connection.scalar(query)
            if known is not None:
                return known
            await connection.execute(s.house.insert().values(name=name, value=default))
            return default

        return await self.database.writer.transact(work)
