"""A complete bot. On a server it sits down at tables that admit programs; in the arena it reads standard input.

    pip install riverstones httpx
    python docs/bot.py http://127.0.0.1:8765 TOKEN
    riverstones arena "cmd:python docs/bot.py" river

docs/write-a-bot.md explains it, step by step. Replace `choose` with something better.
"""

import json
import sys
import uuid
from typing import Any

from riverstones.notation import parse_position
from riverstones.rules import Play, plays


def choose(text: str, hand: list[int] | None = None) -> Play:
    """The play with the most points, from what our seat may know."""
    position = parse_position(text)
    return plays(position.board, hand or position.hand or (), position.variant)[0]


def in_the_arena() -> None:
    """Answer each line that asks for a move."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "go":
            print(json.dumps({"type": "move", "move": str(choose(message["position"]).move)}), flush=True)


def on_a_server(server: str, token: str) -> None:
    """Sit down at every table that is open to programs, and move whenever it is our turn."""
    import httpx

    headers = {"authorization": f"Bearer {token}"}
    with httpx.Client(base_url=f"{server}/api/v1", headers=headers) as client:

        def do(table: str, **command: Any) -> None:
            """Submit a command under an id of its own: with the same id it would count as sent again."""
            client.post(f"/tables/{table}/do", json={"id": uuid.uuid4().hex, "command": command})

        with client.stream("GET", "/programs/stream", timeout=60) as answer:
            answer.raise_for_status()
            for event in map(json.loads, filter(None, answer.iter_lines())):  # an empty line is a keep-alive
                table = event["table"]
                if event["type"] == "open":
                    do(table, type="sit")
                elif event["type"] == "turn":
                    seat, turn = event["seat"], event["turn"]
                    view = client.get(f"/tables/{table}", params={"seat": seat}).json()
                    play = choose(view["now"]["position"], view["you"]["hand"])
                    claim = play.points if view["options"]["scoring"] == "claims" else None
                    do(table, type="play", seat=seat, turn=turn, move=str(play.move), claim=claim)


if __name__ == "__main__":
    on_a_server(*sys.argv[1:]) if sys.argv[1:] else in_the_arena()
