"""The database's tables. What they hold besides events can be made again from the events, but for the people."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
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

house = Table(
    "house",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)
"""What the server keeps for itself, such as the key that signs cookies."""

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
"""Everybody: guests, people with an account, and the programs of people (`owner`)."""

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("person", String(32), ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
)
"""Who is signed in, by the hash of the cookie's or the program's token."""

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
"""One-time codes that sign another device in; a used one is gone."""

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
    Index("tables_by_phase", "phase", "listed", "updated_ms"),
    Index(
        "tables_by_pending_rating",
        "updated_ms",
        sqlite_where=text("pending_rating"),
        postgresql_where=text("pending_rating"),
    ),
)
"""One row per table, written when its phase or its people change. `record` is the finished game.

`pending_rating` is set together with the end of a rated game, and cleared once the ratings are settled.
"""

seats = Table(
    "seats",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(32), primary_key=True),
    Column("updated_ms", BigInteger, nullable=False),
    Index("seats_by_person", "person", "updated_ms"),
)
"""Who sits or sat at which table."""

summaries = Table(
    "summaries",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("paused", Boolean, nullable=False),
    Column("data", Text, nullable=False),
)
"""What lists show of each table, as of the event `seq`: written with every event. `data` is a `wire.TableSummary`."""

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
"""The truth, append only. The key (table, sequence) is the optimistic lock: who comes second with a number fails."""

ratings = Table(
    "ratings",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(32), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
)
"""Each person's rating after each rated table; its key sees to it that a table is rated once."""
