"""Ratings cannot be made by playing against oneself: what the rules prevent, and what remains possible."""

import random
import time
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from riverstones.server.accounts.ratings import RATED_PER_DAY, SCALE, new_ratings
from riverstones.server.settings import Settings
from riverstones.server.storage.accounts import StoredPerson

from .running import TIMEOUT_S, Client, Running, play_out, running, settings_for

DAY_MS = 24 * 3_600_000
START_MS = 1_800_000_000_000
MET_RULES: dict[str, Any] = {"trust_proxy": True, "rated_turns": 0, "rated_age_ms": 0}


def at(server: Running, name: str, address: str) -> Client:
    """Somebody with an account, who uses the server from this address."""
    client = server.client(None)
    client.http.headers["x-forwarded-for"] = address
    client.person = client.post("/me", {"name": name, "colour": "teal"})["person"]
    client.keep_account()
    return client


def ratings_after(server: Running, *clients: Client, turns: int = 0) -> list[Any]:
    """Play a rated game for some turns, let the first resign, and wait until the result is settled."""
    first, *others = clients
    table = first.make_table("me", *["open"] * len(others), rated=True)
    for other in others:
        other.do(table, "sit")
    if turns:
        sockets = [client.socket(table) for client in clients]
        for socket in sockets:
            socket.wait("presence")
        play_out(sockets, random.Random(1), turns=turns)
    first.do(table, "resign", seat=0)
    services = server.server.config.app.state.services  # type: ignore[union-attr]  # the app is a FastAPI
    deadline = time.monotonic() + TIMEOUT_S
    while server.run(services.store.projections.pending_ratings()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    stored = [server.run(services.store.accounts.person(client.person)) for client in clients]
    return [person.mu for person in stored]


def test_a_game_counts_between_people_elsewhere(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, **MET_RULES)) as server:
        ann, bob = at(server, "Ann", "192.0.2.1"), at(server, "Bob", "198.51.100.1")
        loser, winner = ratings_after(server, ann, bob)
        assert winner > loser


def test_a_game_in_one_network_does_not_count(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, **MET_RULES)) as server:
        ann, bob = at(server, "Ann", "192.0.2.1"), at(server, "Bob", "192.0.2.1")
        assert ratings_after(server, ann, bob) == [None, None]
        near, far = at(server, "Cid", "2001:db8:1:2::1"), at(server, "Dee", "2001:db8:1:2:ffff::9")
        assert ratings_after(server, near, far) == [None, None]


def test_the_networks_of_all_sessions_of_a_day_count(tmp_path: Path) -> None:
    now_ms = [START_MS]
    with running(settings_for(tmp_path, **MET_RULES, now_ms=lambda: now_ms[0])) as server:
        ann, bob = at(server, "Ann", "192.0.2.1"), at(server, "Bob", "192.0.2.1")
        bob.http.headers["x-forwarded-for"] = "198.51.100.1"
        bob.keep_account()
        assert ratings_after(server, ann, bob) == [None, None]
        now_ms[0] += DAY_MS + 120_000
        assert None not in ratings_after(server, ann, bob), "the session at the old network is not used any more"


def test_a_game_of_few_turns_does_not_count(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, trust_proxy=True, rated_age_ms=0, rated_turns=3)) as server:
        ann, bob = at(server, "Ann", "192.0.2.1"), at(server, "Bob", "198.51.100.1")
        assert ratings_after(server, ann, bob) == [None, None]
        assert ratings_after(server, ann, bob, turns=5) == [None, None]
        assert None not in ratings_after(server, ann, bob, turns=6)


def test_a_game_with_a_new_account_does_not_count(tmp_path: Path) -> None:
    now_ms = [START_MS]
    settings = settings_for(tmp_path, trust_proxy=True, rated_turns=0, rated_age_ms=DAY_MS, now_ms=lambda: now_ms[0])
    with running(settings) as server:
        ann = at(server, "Ann", "192.0.2.1")
        now_ms[0] += DAY_MS
        bob = at(server, "Bob", "198.51.100.1")
        assert ratings_after(server, ann, bob) == [None, None]
        now_ms[0] += DAY_MS
        assert None not in ratings_after(server, ann, bob)


def test_the_defaults_are_those_of_the_documentation() -> None:
    defaults = Settings(database="sqlite:///unused")
    assert (defaults.rated_turns, defaults.rated_age_ms) == (6, DAY_MS)


def person(name: str, mu: float | None = None, sigma: float | None = None) -> StoredPerson:
    return StoredPerson(name, name, "teal", account=True, mu=mu, sigma=sigma)


def test_an_uncertain_opponent_counts_less() -> None:
    known, new = person("ann", 25.0, 2.0), person("bob")
    against_new = new_ratings([known, new], [1, 2])
    against_known = new_ratings([known, person("cid", 25.0, 2.0)], [1, 2])
    assert 0 < against_new[0].mu - 25 < (against_known[0].mu - 25) / 4
    assert against_new[1].mu < 24, "the new player's own rating changes in full"


def farmed(puppets: int, days: int) -> int:
    """The best rating that one person reaches with aged puppets in different networks, by the best known strategy.

    Every puppet loses to all that come after it, as often as the limit allows, and the last one is the person.
    """
    ratings: dict[str, tuple[float | None, float | None]] = {str(n): (None, None) for n in range(puppets + 1)}
    for _ in range(days):
        played: Counter[tuple[str, str]] = Counter()
        for low, high in combinations(ratings, 2):
            while played[low, high] < RATED_PER_DAY:
                played[low, high] += 1
                for each in new_ratings([person(high, *ratings[high]), person(low, *ratings[low])], [1, 2]):
                    ratings[each.person] = (each.mu, each.sigma)
    mu = ratings[str(puppets)][0]
    assert mu is not None
    return round(mu * SCALE)


@pytest.mark.parametrize(("puppets", "days", "most"), [(1, 1, 2000), (7, 1, 2400)])
def test_the_rating_that_a_farm_reaches_is_bounded_and_known(puppets: int, days: int, most: int) -> None:
    assert farmed(puppets, days) < most
