"""Random faults at a site of several nodes while games go on, and a check that nothing was lost.

    python -m bench.chaos                       # 200 rounds, three nodes, two workers, 100 tables, Redis
    python -m bench.chaos --no-redis --seed 7   # PostgreSQL alone
    python -m bench.chaos --rounds 8 --tables 6 --pace 0.2

In each round something fails: a node is killed, killed between a commit and telling the others, restarted, frozen or
cut off from everything; a worker or Redis is killed; PostgreSQL is restarted. Clocks of nodes are 30 s wrong. In every
third round a second fault comes at the same time. People play on meanwhile, each at any node, some against bots, some
with a strict clock that they sometimes let expire. At the end all games are played out, and then: every log is gapless
and replays to what all nodes show; every acknowledged command is stored once, and no refused one; no turn expired
early; every game is over.

The same seed gives the same faults, but not the same timing. PostgreSQL, Redis, nft and libfaketime must be installed.
Everything runs in a network namespace of its own, so that nothing else on this machine is affected.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.chaos.checks import faults_found
from bench.chaos.faults import faults_of
from bench.chaos.players import Notes, Person, Player, request, sign_in
from bench.chaos.site import Site, missing, site

INSIDE = "RIVERSTONES_CHAOS"
"""Set in the process that runs in its own network namespace."""

PEOPLE = 40
FINISH_S = 300.0
"""How long the games may take to end after the last fault."""


async def one_table(
    number: int, people: list[Person], url: Callable[[], str], notes: Notes, pace: Callable[[], float], seed: int
) -> None:
    """A game: between two people, with a strict clock, or against a bot."""
    rng = random.Random(seed * 1_000 + number)
    host, guest = rng.sample(people, 2)
    strict = number % 3 == 1
    with_bot = number % 3 == 2
    options = {"clock": "strict", "seconds": 5} if strict else {}
    other = {"who": "bot", "level": rng.choice(["pebble", "river"])} if with_bot else {"who": "open"}
    made = await request(url, host, "/tables", {"options": options, "seats": [{"who": "me"}, other]})
    table = made["table"]
    notes.tables.add(table)
    players = [Player(host, table, 0, url, rng, notes, pace, dawdles=0.05 if strict else 0.0)]
    if not with_bot:
        await request(url, guest, f"/tables/{table}/do", {"id": "sit", "command": {"type": "sit"}})
        players.append(Player(guest, table, 1, url, rng, notes, pace, dawdles=0.05 if strict else 0.0))
    await asyncio.gather(*(player.play() for player in players))


async def play_on(place: int, stop: asyncio.Event, start: Callable[[int], asyncio.Task[None]], places: int) -> None:
    """Game after game at one place, until told to stop."""
    number = place
    while not stop.is_set():
        await start(number)
        number += places


async def rounds(found: Site, given: argparse.Namespace, notes: Notes, failed: asyncio.Future[None]) -> None:
    rng = random.Random(given.seed)
    faults = faults_of(found)
    # Every fault comes before one comes again.
    order = [fault for _ in range(given.rounds // len(faults) + 2) for fault in rng.sample(faults, len(faults))]
    for number in range(given.rounds):
        chosen = [order.pop()]
        if number % 3 == 2 and (other := rng.choice(faults)) is not chosen[0]:
            chosen.append(other)
        told = asyncio.gather(*(fault(found, random.Random(rng.random())) for fault in chosen))
        await asyncio.wait((told, failed), return_when=asyncio.FIRST_COMPLETED)
        if failed.done():
            told.cancel()
            failed.result()
        words = " + ".join(await told)
        print(f"round {number + 1}: {words}; {len(notes.acknowledged)} commands acknowledged", flush=True)
        await asyncio.sleep(rng.uniform(0.5, 1.5))


async def run(given: argparse.Namespace, log: Path) -> int:
    notes, begun = Notes(), time.monotonic()
    async with site(random.Random(given.seed), given.nodes, given.workers, given.redis, log) as found:
        people = [await sign_in(found.any_url, f"Person {number}") for number in range(PEOPLE)]
        stop = asyncio.Event()
        failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def pace() -> float:
            return 0.0 if stop.is_set() else given.pace

        def start(number: int) -> asyncio.Task[None]:
            return asyncio.create_task(one_table(number, people, found.any_url, notes, pace, given.seed))

        def note_failure(task: asyncio.Task[None]) -> None:
            if not task.cancelled() and task.exception() is not None and not failed.done():
                failed.set_exception(task.exception() or RuntimeError())

        places = [asyncio.create_task(play_on(n, stop, start, given.tables)) for n in range(given.tables)]
        for place in places:
            place.add_done_callback(note_failure)
        await rounds(found, given, notes, failed)
        stop.set()
        async with asyncio.timeout(FINISH_S):
            await asyncio.gather(*places)
        wrong = await faults_found(found, notes)
    report(notes, time.monotonic() - begun)
    for sentence in wrong:
        print(sentence)
    return 1 if wrong else 0


def report(notes: Notes, seconds: float) -> None:
    marks = statistics.quantiles(notes.waits_s, n=1000)
    waits = ", ".join(f"p{share / 10:g} {1000 * marks[share - 1]:.0f} ms" for share in (500, 990, 999))
    print(f"{len(notes.tables)} games, {len(notes.acknowledged)} commands acknowledged, {len(notes.refused)} refused,")
    print(f"{notes.broken} broken connections in {seconds:.0f} s; until the answer {waits},", end=" ")
    print(f"longest {max(notes.waits_s):.1f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--tables", type=int, default=100, help="tables that play at a time")
    parser.add_argument("--pace", type=float, default=3.0, help="mean seconds before a move")
    parser.add_argument("--redis", action=argparse.BooleanOptionalAction, default=True)
    given = parser.parse_args()
    if lacking := missing():
        parser.error(f"these must be installed: {', '.join(lacking)}")
    if INSIDE not in os.environ:
        command = [sys.executable, "-m", "bench.chaos", *sys.argv[1:], "--seed", str(given.seed)]
        inner = 'ip link set lo up && exec "$@"'
        unshare = ["unshare", "--net"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
        environment = {**os.environ, INSIDE: "1", "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"}
        return subprocess.call([*unshare, "sh", "-c", inner, "sh", *command], env=environment)
    print(f"seed {given.seed}, {given.nodes} nodes, {given.workers} workers, {given.tables} tables", flush=True)
    with tempfile.TemporaryDirectory(prefix="riverstones-chaos-") as folder:
        log = Path(folder) / "log"
        try:
            result = asyncio.run(run(given, log))
        except BaseException:
            print(log.read_text()[-20_000:] if log.exists() else "", file=sys.stderr)
            raise
        if result:
            print(log.read_text()[-20_000:], file=sys.stderr)
        return result


if __name__ == "__main__":
    sys.exit(main())
