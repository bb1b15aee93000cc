"""`riverstones bench`: measure the speed of the engine on this machine."""

from __future__ import annotations

from typing import Any

from riverstones.engine import benchmark
from riverstones.engine.levels import has_kernel

from .loading import announced
from .output import print_json


def measure(json: bool) -> None:
    """Measure and print the figures; this takes some seconds."""
    with announced():
        figures = benchmark.figures(has_kernel())
    if json:
        print_json(figures)
    else:
        print("\n".join(_lines(figures)))


def _lines(figures: dict[str, Any]) -> list[str]:
    lines = [figures["machine"], f"Method: {figures['method']}."]
    for name, words in (("kernel", "kernel"), ("kernel_expert", "kernel, expert variant"), ("rules", "rules")):
        if name in figures:
            runs = figures[name]["runs"]
            rate = f"{figures[name]['positions_per_second']:,} positions per second"
            lines.append(f"{words}: {rate} ({min(runs):,} to {max(runs):,} in {len(runs)} runs)")
    if "kernel" in figures:
        lines.append(f"The kernel is {figures['kernel']['times_the_rules']:g} times as fast as the rules.")
    else:
        lines.append("The kernel is not installed; it comes with the extra “engine”.")
    lines.append(f"{figures['greedy_games_per_second']:,} greedy games per second")
    return lines
