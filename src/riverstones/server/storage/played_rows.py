"""The rows of `played_games`, made from the table."""

from __future__ import annotations

import json
from typing import Any

from riverstones.study.played import played_games
from riverstones.table import Table


def played_rows(table: Table) -> list[dict[str, Any]]:
    """The rows of a finished table, one for each person who has a profile; none before the end."""
    return [
        {
            "table_id": table.id,
            "person": person,
            "ended_ms": table.ended_ms or 0,
            "data": json.dumps(game, ensure_ascii=False, separators=(",", ":")),
        }
        for person, game in played_games(table).items()
    ]
