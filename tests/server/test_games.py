"""Whole games over real sockets."""

import random

import pytest

from .running import Running, play_out


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("variant", ["standard", "expert"])
def test_a_whole_game(server: Running, seats: int, variant: str) -> None:
    people = [server.client(f"Person {n}") for n in range(seats)]
    table = people[0].make_table("me", *["open"] * (seats - 1), variant=variant)
    for person in people[1:]:
        person.do(table, "sit")
    watcher = server.client(None).socket(table)
    sockets = [person.socket(table) for person in people]
    for socket in sockets:
        socket.wait("snapshot")
    play_out(sockets, random.Random(seats))
    for socket in (*sockets, watcher):
        ended = socket.wait_event("ended") if socket.now.get("phase") != "over" else socket.events[-1]
        assert ended["event"]["result"]["scores"] == [int(n) for n in ended["now"]["position"].split()[3].split(",")]
        assert socket.now["turn"] == 67
        socket.close()
    assert watcher.hand is None
