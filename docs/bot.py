"""A complete program in one page: it sits down at tables that admit programs, and plays for the most points.

    pip install httpx
    python docs/bot.py http://127.0.0.1:8765 TOKEN

The token comes from `POST /api/v1/programs` (see protocol.md). Replace `choose` with something better.
"""

import json
import sys
import uuid
from collections.abc import Iterator
from typing import Any

import httpx

from riverstones.notation import parse_position
from riverstones.rules import Play, plays


def choose(position: str, hand: list[int]) -> Play:
    """The play with the most points, from what our seat may know."""
    known = parse_position(position)
    return plays(known.board, hand, known.variant)[0]


def events(client: httpx.Client) -> Iterator[dict[str, Any]]:
    """The messages of the stream; an empty line is only a keep-alive."""
    with client.stream("GET", "/programs/stream", timeout=60) as answer:
        answer.raise_for_status()
        for line in answer.iter_lines():
            if line:
                yield json.loads(line)


def do(client: httpx.Client, table: str, **command: Any) -> None:
    """Submit a command. Each has an id of its own: with the same id it would count as sent again."""
    client.post(f"/tables/{table}/do", json={"id": uuid.uuid4().hex, "command": command})


def main() -> None:
    """Sit down at every table that is open to programs, and move whenever it is our turn."""
    server, token = sys.argv[1:]
    headers = {"authorization": f"Bearer {token}"}
    with httpx.Client(base_url=f"{server}/api/v1", headers=headers) as client:
        for event in events(client):
            table = event["table"]
            if event["type"] == "open":
                do(client, table, type="sit")
            elif event["type"] == "turn":
                seat, turn = event["seat"], event["turn"]
                view = client.get(f"/tables/{table}", params={"seat": seat}).json()
                play = choose(view["now"]["position"], view["you"]["hand"])
                claim = play.points if view["options"]["scoring"] == "claims" else None
                move = str(play.move)
                do(client, table, type="play", seat=seat, turn=turn, move=move, claim=claim)


if __name__ == "__main__":
    main()
