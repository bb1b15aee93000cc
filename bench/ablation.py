"""Ablation study of `ocean`: the level without one of its parts, against the same opponent on the same deals.

    python -m bench.ablation                      every variant against river, 20 deals each
    python -m bench.ablation "no reading" --against greedy --deals 50
    python -m bench.ablation --against greedy greedy greedy

All variants play the same deals, so the differences between them are more certain than the intervals suggest.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from bench.match import Tally, bot_named, level_bot, play_match
from riverstones.engine.levels import OCEAN, Level, Stage
from riverstones.rules import Variant

PLAIN = Stage(2)

VARIANTS: dict[str, Level] = {
    "ocean": OCEAN,
    "no reading": replace(OCEAN, inference=None),
    "reading one ply": replace(OCEAN, inference=OCEAN.many[0]),
    "no caution": replace(OCEAN, caution=1.0),
    **{f"caution {caution}": replace(OCEAN, caution=caution) for caution in (0.7, 1.5, 2.0, 3.0)},
    "no simulation": replace(OCEAN, simulation=None),
    "no endgame": replace(OCEAN, endgame=False),
    "no careful round": replace(OCEAN, stages=OCEAN.stages[:2]),
    "first round only": replace(OCEAN, stages=OCEAN.stages[:1], many=OCEAN.many[:1]),
    "no fade": replace(
        OCEAN,
        stages=tuple(replace(stage, fade=0.0) for stage in OCEAN.stages),
        many=tuple(replace(stage, fade=0.0) for stage in OCEAN.many),
    ),
    "two plies and reading": replace(OCEAN, stages=(PLAIN,), endgame=False, caution=1.0),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variants", nargs="*", metavar="variant", help=f"some of: {', '.join(VARIANTS)}")
    parser.add_argument("--against", nargs="+", default=["river"])
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--from", type=int, default=10_000, dest="first", help="number of the first deal")
    parser.add_argument("--expert", action="store_true")
    options = parser.parse_args()
    unknown = [name for name in options.variants if name not in VARIANTS]
    if unknown:
        parser.error(f"there is no variant called {unknown[0]!r}")
    variant = Variant.EXPERT if options.expert else Variant.STANDARD
    deals = range(options.first, options.first + options.deals)
    games = options.deals * (len(options.against) + 1)
    print(f"against {' '.join(options.against)}, {games} games each")
    for name in options.variants or VARIANTS:
        others = [bot_named(other) for other in options.against]
        tally = play_match(level_bot(VARIANTS[name]), others, deals, variant, _silent)
        print(f"  {name:24} {tally}", flush=True)


def _silent(_tally: Tally) -> None:
    """A progress callback that prints nothing."""


if __name__ == "__main__":
    main()
