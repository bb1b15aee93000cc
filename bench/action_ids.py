"""Compare the action ids with the rules in as many positions as you like.

Games have random moves, half of them with flips where there are any, two to four seats and all layouts. In every
position the ids must be a bijection with the legal moves of `riverstones.rules`: `encode` and `decode` invert each
other, and `mask` and the kernel have the same ids. In every 500th position all 3,978 ids are decoded: exactly the legal
ones may succeed. The first difference is printed with its position and ends the run with status 1.

    python -m bench.action_ids --positions 100000 --variant expert
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from riverstones.envs.actions import ACTION_COUNT, IllegalAction, decode, encode, legal_actions, mask
from riverstones.envs.deals import deal
from riverstones.envs.kernel_game import KernelGame
from riverstones.rules import Layout, Position, Setup, Variant


def differences(position: Position, game: KernelGame) -> list[str]:
    """What is wrong with the ids of a position; nothing if they are right."""
    moves = [play.move for play in position.plays()]
    ids = [encode(position.board, move) for move in moves]
    checks = {
        "two moves have the same id": len(set(ids)) == len(moves),
        "an id does not lead back to its move": [decode(position, action) for action in ids] == moves,
        "legal_actions differs": legal_actions(position) == sorted(ids),
        "the mask differs": mask(position).nonzero()[0].tolist() == sorted(ids),
        "the kernel differs": game.legal_actions().tolist() == sorted(ids),
    }
    return [fault for fault, holds in checks.items() if not holds]


def decodable(position: Position) -> set[int]:
    """Every id that can be decoded."""
    found = set()
    for action in range(ACTION_COUNT):
        try:
            decode(position, action)
        except IllegalAction:
            continue
        found.add(action)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--variant", choices=[variant.value for variant in Variant], default="standard")
    parser.add_argument("--seed", type=int, default=16)
    options = parser.parse_args()
    rng, started = random.Random(options.seed), time.process_time()
    positions = moves = flipping = number = 0
    while positions < options.positions:
        setup = Setup(2 + number % 3, Variant(options.variant), list(Layout)[number % 4])
        game = KernelGame(setup, deal(options.seed, number))
        number += 1
        while not game.over and positions < options.positions:
            position = game.position
            faults = differences(position, game)
            ids = game.legal_actions().tolist()
            if positions % 500 == 0 and decodable(position) != set(ids):
                faults.append("an illegal id can be decoded, or a legal one cannot")
            if faults:
                print(f"{position.board} {position.hand} {options.variant}: {'; '.join(faults)}")
                return 1
            with_flips = [action for action in ids if game.move(action).flips]
            positions += 1
            moves += len(ids)
            flipping += len(with_flips)
            game.play(rng.choice(with_flips if with_flips and rng.random() < 0.5 else ids))
    seconds = time.process_time() - started
    print(
        f"{options.variant}: {positions:,} positions of {number:,} games, {moves:,} moves, {flipping:,} with flips: "
        f"all equal ({seconds:.0f} s of CPU)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
