"""The tables of the database. All but people with what they keep and solve can be rebuilt from the events."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
    text,
)

metadata = MetaData()

server_values = Table(
    "house",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Values of the server itself, such as the key that signs cookies. The name in the database is historical."""

people = Table(
    "people",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("colour", String(16), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("account", Boolean, nullable=False),
    Column("owner", String(32), ForeignKey("people.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("mu", Float, nullable=True),
    Column("sigma", Float, nullable=True),
    Column("rated_games", Integer, nullable=False),
)
"""Guests, people with an account, and the programs of people (`owner`)."""

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("person", String(32), ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
    Column("device", String(64), nullable=True),
    Column("network", String(16), nullable=True),
)
"""The sessions, by the hash of the cookie's or the program's token, and the kind of device each was opened on.

`network` is a keyed hash of the address that the session was last used from.
"""

passkeys = Table(
    "passkeys",
    metadata,
    Column("credential", String(512), primary_key=True),
    Column("person", String(32), ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
)

links = Table(
    "links",
    metadata,
    Column("code_hash", String(64), primary_key=True),
    Column("person", String(32), ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("expires_ms", BigInteger, nullable=False),
)
"""One-time codes that sign another device in; deleted when used."""

preferences = Table(
    "preferences",
    metadata,
    Column("person", String(32), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("data", String(1024), nullable=False),
)
"""The settings of the page that people keep with their account, as JSON."""

study_progress = Table(
    "study_progress",
    metadata,
    Column("person", String(32), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("data", Text, nullable=False),
)
"""What people have solved, as JSON that the page writes. `version` grows with every write: the optimistic lock."""

puzzle_attempts = Table(
    "puzzle_attempts",
    metadata,
    Column("person", String(32), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("puzzle", String(32), primary_key=True),
    Column("solved", Boolean, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)
"""The first attempt of each person at each puzzle; the key prevents that a second one counts."""

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("puzzle", String(32), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
)
"""The ratings of the puzzles that somebody has tried; the others have the rating of their grade."""

solver_ratings = Table(
    "solver_ratings",
    metadata,
    Column("person", String(32), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
)
"""The ratings of people as solvers of puzzles, which are independent of their ratings as players."""

tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("phase", String(16), nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    Column("record", Text, nullable=True),
    Column("pending_rating", Boolean, nullable=False, server_default=false()),
    Column("erasures", Integer, nullable=False, server_default="0"),
    Index("tables_by_erasures", "id", "erasures", unique=True),
    Index("tables_by_phase", "phase", "listed", "updated_ms"),
    Index(
        "tables_by_pending_rating",
        "updated_ms",
        sqlite_where=text("pending_rating"),
        postgresql_where=text("pending_rating"),
    ),
)
"""One row per table, written when its phase or its chairs change. `record` is the finished game. `updated_ms` is the
time of that change, or for a table of a device the time at which it was added, which no event has.

`pending_rating` is set together with the end of a rated game, and cleared once the ratings are settled. `erasures`
counts how often somebody was erased from the log.
"""

seats = Table(
    "seats",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(32), primary_key=True),
    Column("updated_ms", BigInteger, nullable=False),
    Column("dismissed", Boolean, nullable=False, server_default=false()),
    Index("seats_by_person", "person", "updated_ms"),
)
"""The people who sit or sat at each table. `dismissed`: the person has removed the game from the first page."""

summaries = Table(
    "summaries",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("paused", Boolean, nullable=False),
    Column("changed_ms", BigInteger, nullable=False),
    Column("data", Text, nullable=False),
    Column("node", String(16), nullable=True),
    Column("erasures", Integer, nullable=False, server_default="0"),
    ForeignKeyConstraint(
        ["table_id", "erasures"], ["tables.id", "tables.erasures"], ondelete="CASCADE", onupdate="CASCADE"
    ),
)
"""The list entry of each table as of event `seq`, written with every event. `data` is a `wire.TableSummary`.

`node` wrote the event, and does what the table needs next. `erasures` is the number of erasures that it knew: with a
number that is out of date nothing can be written.
"""

nodes = Table(
    "nodes",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("seen_ms", BigInteger, nullable=False),
    Column("stopped", Boolean, nullable=False),
)
"""The processes that serve this database, each with its last heartbeat."""

events = Table(
    "events",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("type", String(16), nullable=False),
    Column("data", Text, nullable=False),
    Column("key", String(128), nullable=True),
)
"""The logs, append only. The key (table, sequence) is the optimistic lock: a second write of a number fails."""

ratings = Table(
    "ratings",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(32), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
)
"""Each person's rating after each rated table; the key prevents rating a table twice."""

bans = Table(
    "bans",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("person", String(32), ForeignKey("people.id", ondelete="CASCADE"), nullable=True),
    Column("network", String(64), nullable=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger, nullable=True),
    Column("note", Text, nullable=True),
)
"""The people and networks that operators have banned; `until_ms` is null for good. Only operators see the note."""

reviews = Table(
    "reviews",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("record", Text, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="SET NULL"), nullable=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("report", Text, nullable=True),
    Index("reviews_by_table", "table_id"),
)
"""The reviews of games, by a hash of the record and of the version of reviews. `report` is null until it is final.

`table_id` is the table of the game; null for a pasted record.
"""

played_games = Table(
    "played_games",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(32), primary_key=True),
    Column("ended_ms", BigInteger, nullable=False),
    Column("data", Text, nullable=False),
    Column("review", Text, nullable=True),
    Index("played_games_by_person", "person", "ended_ms"),
)
"""A finished game as one of its players sees it, written with the end of the game, as JSON.

`review` is what the review of the game found about the person; null until there is one.
"""
