"""Recognise a repeated command by its key: whose it is, the client's id for it, and a digest of its content.

A client that got no answer sends its command again under the same id. Another command under that id is a mistake of the
client, which must not be told that it was carried out.
"""

from __future__ import annotations

from dataclasses import fields
from hashlib import blake2b
from typing import Any, get_args

from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.table import Command

MARK = "#"
"""Separates the digest from the rest. Ids cannot contain it."""

DIGEST_BYTES = 8

FIELDS: dict[type[Any], tuple[tuple[str, Any], ...]] = {
    kind: tuple((field.name, field.default) for field in fields(kind)) for kind in get_args(Command)
}
"""The fields of each command, with the default or a mark that there is none."""


def command_key(person: str, name: str, command: Command) -> str:
    """The key of a command with this id. Fields with their default are left out, so that new ones change no digest."""
    chosen = [
        (field, value) for field, default in FIELDS[type(command)] if (value := getattr(command, field)) != default
    ]
    content = repr(chosen)
    digest = blake2b(f"{type(command).__name__}{content}".encode(errors="surrogatepass"), digest_size=DIGEST_BYTES)
    return f"{person}:{name}{MARK}{digest.hexdigest()}"


class CarriedOut:
    """The commands that a table has carried out."""

    def __init__(self) -> None:
        self._done: dict[str, tuple[str, int]] = {}
        """The digest and the number of the last event, by person and id."""

    def add(self, key: str, seq: int) -> None:
        """Note a command with the number of its last event."""
        name, _, digest = key.partition(MARK)
        self._done[name] = (digest, seq)

    def seq_of(self, key: str) -> int | None:
        """The number of the last event of a repeated command; None if it is new.

        Raises `COMMAND_ID_REUSED` if the id was used for another command. Keys of earlier versions have no digest.
        """
        name, _, digest = key.partition(MARK)
        known, seq = self._done.get(name, (digest, None))
        if known and known != digest:
            raise ServerError(ServerErrorCode.COMMAND_ID_REUSED)
        return seq
