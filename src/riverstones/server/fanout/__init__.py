"""What the nodes of a site tell each other: that a table has new events, and small messages such as presence.

The database has the truth; a fan-out only says when to look. It carries no event and no secret of a game. A node that
hears that a table has changed reads the new events and filters them for its own viewers. Messages may be lost, arrive
twice or late: sequence numbers show what is missing, and nodes compare them with the database at an interval as well.
"""

from __future__ import annotations

from riverstones.server.fanout.fanout import Fanout
from riverstones.server.settings import Settings
from riverstones.server.storage import Store

__all__ = ["Fanout", "fanout_of"]


def fanout_of(settings: Settings, store: Store) -> Fanout:
    """The fan-out for these settings: Redis if there is one, else PostgreSQL's own, and none for SQLite."""
    # Imported only where they are used: most servers need neither.
    if settings.redis is not None:
        from riverstones.server.fanout.redis import RedisFanout

        return RedisFanout(settings.node, settings.redis, store)
    if store.database.is_shared:
        from riverstones.server.fanout.postgres import PostgresFanout

        return PostgresFanout(settings.node, store)
    return Fanout(settings.node)
