"""Milliseconds of `POST /study/analyse`, from the request to the whole answer, for two to four seats and both variants.

A real server answers over HTTP on this machine, with its worker warm, in positions along games of seeded players and in
composed positions with tiles anywhere, one at a time. On a machine that is busy with other work that time says little,
so the processor time of the search alone is printed too. Then a whole game is reviewed: seconds from the request to the
first judged move and to the report, and milliseconds of opening it again.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import threading
import time
from pathlib import Path

import httpx
import uvicorn

from riverstones.engine.benchmark import machine
from riverstones.notation import format_position, parse_position
from riverstones.rules import Board, Game, Held, Position, Seed, Setup, Variant
from riverstones.server.run import config
from riverstones.server.settings import Settings
from riverstones.study.board import rank_plays

BAR_MS = 300
SEAT_COUNTS = (2, 3, 4)
RECORDS = Path(__file__).parents[1] / "tests" / "playthroughs"


def along_games(seats: int, variant: Variant, count: int) -> list[str]:
    """Positions of games, from the first turn to the last, as the seat to move knows them."""
    rng = random.Random(f"study {seats} {variant.value}")
    found: list[str] = []
    while len(found) < count:
        game = Game.begin(Setup(seats, variant), Seed(rng.randbytes(32)).deal())
        while not game.over:
            if rng.random() < 0.15:
                found.append(format_position(Position.of(game).seen_by(game.to_move)))
            choices = game.plays()
            game = game.play((choices[0] if rng.random() < 0.6 else rng.choice(choices)).move)
    return found[:count]


def composed(seats: int, variant: Variant, count: int) -> list[str]:
    """Positions that no game reaches: any number of tiles on any squares."""
    rng = random.Random(f"composed {seats} {variant.value}")
    found = []
    for _ in range(count):
        tiles = [digit for digit in range(1, 10) for _ in range(8)]
        rng.shuffle(tiles)
        cells = ["."] * 81
        for square in rng.sample(range(81), rng.randrange(5, 73 - 2 * seats)):
            digit = tiles.pop()
            cells[square] = str(digit) if rng.random() < 0.75 else "ABCDEFGHI"[digit - 1]
        hand = Held(tuple(sorted(tiles[:2])))
        hands = (hand, *(Held((), 2) for _ in range(seats - 1)))
        bag = len(tiles) - 2 * seats
        found.append(format_position(Position(Board("".join(cells)), 0, hands, (0,) * seats, bag, variant)))
    return found


def measure(url: str, positions: list[str]) -> list[float]:
    """The milliseconds of each answer."""
    taken = []
    with httpx.Client(base_url=url, headers={"origin": url}, timeout=60) as client:
        for position in positions:
            begun = time.perf_counter()
            answer = client.post("/api/v1/study/analyse", json={"position": position})
            taken.append(1000 * (time.perf_counter() - begun))
            assert answer.status_code == 200, answer.text
    return taken


def search_ms(positions: list[str]) -> list[float]:
    """The milliseconds of processor time of each search, in this process."""
    taken = []
    for text in positions:
        position = parse_position(text)
        begun = time.process_time()
        rank_plays(position)
        taken.append(1000 * (time.process_time() - begun))
    return taken


def review(url: str, record: str) -> str:
    """The times of a review, from a worker that is not running yet."""
    with httpx.Client(base_url=f"{url}/api/v1/", headers={"origin": url}, timeout=60) as client:
        begun = time.perf_counter()
        path = f"study/reviews/{client.post('study/reviews', json={'text': record}).json()['review']}"
        first = None
        while (told := client.get(path).json())["report"] is None:
            assert not told["failed"]
            if first is None and told["done"]:
                first = time.perf_counter() - begun
            time.sleep(0.02)
        whole = time.perf_counter() - begun
        begun = time.perf_counter()
        client.get(path)
        again_ms = 1000 * (time.perf_counter() - begun)
    return (
        f"review of {told['total']} moves: first judgement after {first or whole:.1f} s, report after {whole:.1f} s, "
        f"opened again in {again_ms:.0f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--positions", type=int, default=100, help="positions of each kind, seat count and variant")
    options = parser.parse_args()
    print(machine())
    print(f"{options.positions} positions each; milliseconds over HTTP, target {BAR_MS}.")
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(database=f"sqlite:///{Path(folder) / 'bench.sqlite3'}", port=0, limits=False)
        setup = config(settings)
        setup.log_config = None
        server = uvicorn.Server(setup)
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        measure(url, [text for variant in Variant for text in along_games(2, variant, 3)])  # the worker starts
        search_ms(along_games(2, Variant.STANDARD, 3))
        longest = 0.0
        for kind in (along_games, composed):
            for variant in Variant:
                for seats in SEAT_COUNTS:
                    positions = kind(seats, variant, options.positions)
                    taken, searched = measure(url, positions), search_ms(positions)
                    longest = max(longest, *taken)
                    name = kind.__name__.replace("_", " ")
                    print(
                        f"{name}, {variant.value}, {seats} seats: median {statistics.median(taken):.0f}, "
                        f"95 % within {statistics.quantiles(taken, n=20)[-1]:.0f}, longest {max(taken):.0f}; "
                        f"search alone: median {statistics.median(searched):.0f}, longest {max(searched):.0f}"
                    )
        print(f"The longest is {longest / BAR_MS:.2f} of the target.")
        for name in ("two-seats", "four-seats-corners"):
            print(f"{name}: {review(url, (RECORDS / f'{name}.river').read_text(encoding='utf-8'))}")
        server.should_exit = True
        thread.join()


if __name__ == "__main__":
    main()
