"""The profile of a person, from what the server stores. Nobody else can see it."""

from __future__ import annotations

import asyncio

from riverstones.server.storage import Store
from riverstones.server.study.puzzle_ratings import shown
from riverstones.study.profile import Profile, Puzzles, profile_of_games


async def profile_of(store: Store, person: str) -> Profile:
    """The profile of a person."""
    games = await store.played.of(person)
    attempts, skill = await store.study.attempts_of(person), await store.study.solver(person)
    puzzles: Puzzles = {
        "tried": len(attempts),
        "solved": sum(attempt.solved for attempt in attempts),
        "rating": None if skill is None else shown(skill),
    }
    # In a thread: thousands of games take a while, and the moves of others must not wait.
    return await asyncio.to_thread(profile_of_games, games, puzzles)
