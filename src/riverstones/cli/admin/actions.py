"""Carries out the commands of `riverstones admin`, and says in a sentence what was done."""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from riverstones.cli.complaint import Complaint, why
from riverstones.cli.database import database_errors, with_store
from riverstones.cli.output import print_json
from riverstones.server.accounts.accounts import KEYS_S
from riverstones.server.accounts.bans import REFRESH_S, parse_network
from riverstones.server.admin.check import Checked, check
from riverstones.server.admin.erase import erase
from riverstones.server.admin.export import export
from riverstones.server.private_files import new_private_file
from riverstones.server.settings import default_database
from riverstones.server.storage import Store
from riverstones.server.storage.backup import BackupFailed, back_up, missing_file, restore
from riverstones.server.storage.bans import Ban
from riverstones.server.storage.engines import UnknownDatabase

DAY_MS = 24 * 3600 * 1000

Result = TypeVar("Result")


class Actions:
    """The commands, for one database."""

    def __init__(self, database: str | None) -> None:
        self._database = database or default_database()

    def _run(self, work: Callable[[Store], Awaitable[Result]]) -> Result:
        with database_errors():
            missing = missing_file(self._database)  # opening it would create it
        if missing is not None:
            raise Complaint(f"There is no database {missing}.")
        return with_store(self._database, work)

    def list_tables(self, phase: str | None, person: str | None, limit: int, as_json: bool) -> None:
        """Print tables."""
        rows = []
        for table in self._run(lambda store: store.operators.tables(phase, person, limit)):
            summary = None if table.listed is None else table.listed.summary
            rows.append(
                {
                    "table": table.id,
                    "phase": table.phase,
                    "changed_ms": table.created_ms if summary is None else summary["changed_ms"],
                    "players": [] if summary is None else [chair["name"] for chair in summary["chairs"]],
                }
            )
        _print_rows(rows, as_json)

    def delete_table(self, table: str) -> None:
        """Delete a table."""
        if not self._run(lambda store: store.events.delete(table)):
            raise Complaint(f"There is no table {table}.")
        print(f"Table {table} has been deleted.")

    def list_people(self, name: str | None, limit: int, as_json: bool) -> None:
        """Print people."""
        found = self._run(lambda store: store.operators.people(name, limit))
        _print_rows([asdict(person) for person in found], as_json)

    def list_sessions(self, person: str | None, limit: int, as_json: bool) -> None:
        """Print sessions."""
        found = self._run(lambda store: store.operators.sessions(person, limit))
        _print_rows([asdict(session) for session in found], as_json)

    def end_sessions(self, session: str | None, person: str | None) -> None:
        """End a session, or those of a person."""
        if (session is None) == (person is None):
            raise Complaint("Give either the id of a session or --person.")
        ended = self._run(lambda store: store.operators.end_sessions(session=session, person=person))
        if not ended:
            raise Complaint(f"There is no session {session}." if session else f"Person {person} has no session.")
        print(f"Sessions ended: {ended}.")

    def rotate_key(self, keep: int) -> None:
        """Make a new key that signs cookies."""
        self._run(lambda store: store.rotate_cookie_key(keep=keep))
        print(f"Cookies are signed with a new key; servers use it within {KEYS_S:.0f} seconds. Old keys kept: {keep}.")

    def list_bans(self, as_json: bool) -> None:
        """Print bans."""
        _print_rows([asdict(ban) for ban in self._run(lambda store: store.bans.all())], as_json)

    def add_ban(self, person: str | None, network: str | None, days: int | None, note: str | None) -> None:
        """Ban a person or a network."""
        if (person is None) == (network is None):
            raise Complaint("Give either --person or --network.")
        parsed = None if network is None else parse_network(network)
        if network is not None and parsed is None:
            raise Complaint(f"“{network}” is not an address or a network like 192.0.2.0/24.")
        now_ms = _now_ms()
        until_ms = None if days is None else now_ms + days * DAY_MS
        subject = None if parsed is None else str(parsed)
        ban = Ban(secrets.token_hex(4), person, subject, now_ms, until_ms, note)
        if not self._run(lambda store: store.bans.add(ban)):
            raise Complaint(f"There is no person {person}.")
        print(f"Ban {ban.id} of {person or subject} has been added; servers apply it within {REFRESH_S:.0f} seconds.")

    def remove_ban(self, ban: str) -> None:
        """Remove a ban."""
        if not self._run(lambda store: store.bans.remove(ban)):
            raise Complaint(f"There is no ban {ban}.")
        print(f"Ban {ban} has been removed.")

    def purge(self, days: int) -> None:
        """Delete the tables that have been inactive, and the reviews that were made, this many days ago or more."""
        before_ms = _now_ms() - days * DAY_MS

        async def work(store: Store) -> tuple[int, int]:
            return await store.events.prune(before_ms), await store.reviews.prune(before_ms)

        tables, reviews = self._run(work)
        print(f"Deleted {tables} tables and {reviews} old reviews.")

    def back_up(self, file: Path) -> None:
        """Write a backup."""
        try:
            back_up(self._database, file)
        except (BackupFailed, UnknownDatabase) as error:
            raise Complaint(str(error)) from None
        except OSError as error:
            raise Complaint(f"{file} cannot be written: {why(error)}.") from None
        print(f"The backup {file} has been written; keep it private.")

    def restore(self, file: Path) -> None:
        """Restore a backup and check it."""
        try:
            with database_errors():
                asyncio.run(restore(self._database, file))
        except BackupFailed as error:
            raise Complaint(str(error)) from None
        checked = self._run(check)
        print(f"{file} has been restored.")
        if _report(checked):
            raise Complaint("The backup was restored, but not every table is sound.")

    def check(self) -> int:
        """Check every table; the exit status."""
        return _report(self._run(check))

    def export(self, person: str, file: Path) -> None:
        """Write everything about a person to a file."""
        found = self._run(lambda store: export(store, person))
        if found is None:
            raise Complaint(f"There is no person {person}.")
        try:
            with new_private_file(file) as part:
                part.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise Complaint(f"{file} cannot be written: {why(error)}.") from None
        print(f"Everything about {person} has been written to {file}; keep it private.")

    def erase(self, person: str) -> None:
        """Erase a person."""
        erased = self._run(lambda store: erase(store, person))
        if erased is None:
            raise Complaint(f"There is no person {person}.")
        print(f"Person {person} has been erased, in {erased.tables} tables.")
        if erased.server_running:
            print(
                "A server is running, where the person was signed in for some seconds more: erase again in a minute. "
                "“There is no person” then means that nothing was left."
            )


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _report(checked: Checked) -> int:
    """Print the result of a check; 1 if something is wrong, else 0."""
    for fault in checked.faults:
        print(fault, file=sys.stderr)
    sound = checked.tables - len(checked.faults)
    print(f"{sound} of {checked.tables} tables are sound, with {checked.events} events in all.")
    return int(bool(checked.faults))


def _print_rows(rows: Sequence[dict[str, Any]], as_json: bool) -> None:
    """Print rows as a table for people, with times in UTC, or as one object of JSON per line."""
    if as_json:
        for row in rows:
            print_json(row)
        return
    if not rows:
        print("There are none.")
        return
    texts = [[name.removesuffix("_ms") for name in rows[0]], *([_text(*item) for item in row.items()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for line in texts:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip())


def _text(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name.endswith("_ms"):
        return f"{datetime.fromtimestamp(value / 1000, UTC):%Y-%m-%d %H:%M}"
    return ", ".join(text or "-" for text in value) if isinstance(value, list) else str(value)
