"""Write fold-cases.json: what Python makes of each event for each kind of viewer. The browser's fold is held to it.

A case is a snapshot, the message of the next event, and the snapshot after it, all as one viewer gets them.
"""

import json
import random
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from riverstones.rules import Scoring
from riverstones.table import Clock, Entry, Options, Table, Viewer, snapshot, tell, viewer_after
from riverstones.table import commands as c
from riverstones.table import events as e
from riverstones.table.state import CHAT_KEPT
from tests.table.helpers import Played, table_of
from tests.table.test_laws import wander

WALKS = 8

WATCHED_AS_THEY_SIT = (e.Seated, e.Left)
"""The events after which a viewer may look from another seat."""


def closed(*who: str) -> Played:
    """A table that was closed before it began, after somebody came and went."""
    played = table_of(*who)
    played.do("bob", c.Sit(1))
    played.do("bob", c.Stand(1))
    played.do("ann", c.SeatBot(2, "brook"))
    played.do("ann", c.ClearSeat(2))
    played.do("ann", c.Close())
    return played


def talkative() -> Played:
    """A table at which more is said than is kept."""
    played = table_of("ann", "bob")
    for number in range(CHAT_KEPT + 2):
        played.now_ms += 10_000
        played.do("ann", c.Say(f"word {number}"))
    return played


def one_device(seed: int) -> Played:
    """Two seats of one person and one of another: proposals, pauses, objections, and the end with a rematch."""
    played = table_of("ann", "bob", "ann", options=Options(seats=3, scoring=Scoring.CLAIMS, clock=Clock.STRICT))
    rng = random.Random(seed)
    played.do("ann", c.Reveal(0, 0))
    played.play_on(rng.randint(1, 5), seed)
    played.do("ann", c.Ask(0, c.Proposal.PAUSE))
    played.do("bob", c.Answer(1, c.Proposal.PAUSE, True))
    played.do("bob", c.Resume(1))
    played.do("bob", c.Ask(1, c.Proposal.PAUSE))
    played.do("ann", c.Answer(2, c.Proposal.PAUSE, False))
    seat = played.table.to_move
    assert seat is not None
    last = (seat - 1) % 3
    other = "bob" if last != 1 else "ann"
    played.do(other, c.Object(1 if last != 1 else 0, played.table.turn - 1))
    played.play_on(1, seed)
    last = seat
    played.do("bob" if last != 1 else "ann", c.Confirm(1 if last != 1 else 2, played.table.turn - 1))
    played.now_ms += 100_000
    played.do("system", c.Wake())
    played.play_on(seed=seed)
    played.now_ms += 100_000
    played.do("system", c.Tick())
    played.do("ann", c.Ask(2, c.Proposal.REMATCH))
    played.do("bob", c.Answer(1, c.Proposal.REMATCH, True))
    played.do("system", c.Rematch("next"))
    return played


def agreeing_for_two_seats() -> Played:
    """A person with two seats agrees to a proposal while a third person is still asked."""
    played = table_of("ann", "bob", "ann", "cid", options=Options(seats=4))
    played.do("bob", c.Ask(1, c.Proposal.PAUSE))
    played.do("ann", c.Answer(0, c.Proposal.PAUSE, True))
    played.do("cid", c.Answer(3, c.Proposal.PAUSE, True))
    return played


def two_proposals() -> Played:
    """Two proposals at the same time: one is declined, and the game ends before the other is answered."""
    played = table_of("ann", "bob")
    played.play_on(65)  # no more tiles are drawn, so a move may be taken back
    played.do("ann", c.Ask(0, c.Proposal.PAUSE))
    played.do("ann", c.Ask(0, c.Proposal.TAKE_BACK))
    played.do("bob", c.Answer(1, c.Proposal.PAUSE, False))
    played.do("bob", c.Resign(1))
    return played


def accepted_claim() -> Played:
    """Two players accept a claim one after the other, and play goes on."""
    played = table_of("ann", "bob", "cid", options=Options(seats=3, scoring=Scoring.CLAIMS))
    played.play_on(1)
    played.do("cid", c.Confirm(2, 0))
    played.do("bob", c.Confirm(1, 0))
    played.play_on(1)
    return played


def abandoned() -> Played:
    """A seat is left, the others invite a newcomer, go on playing, and somebody comes."""
    played = table_of("ann", "bob", "cid")
    played.do("cid", c.Stand(2))
    played.do("ann", c.Ask(0, c.Proposal.NEWCOMER))
    played.do("bob", c.Answer(1, c.Proposal.NEWCOMER, True))
    played.play_on(2)
    played.do("eve", c.Sit(2))
    played.play_on(2)
    played.do("eve", c.Stand(2))
    played.do("eve", c.Sit(2))
    played.do("bob", c.Resign(1))
    return played


def taken_back(*who: str) -> Played:
    """One person, who takes a move back late in the game, and resigns."""
    played = table_of(*who)
    played.play_on(64)
    played.do("ann", c.Ask(0, c.Proposal.TAKE_BACK))
    played.do("ann", c.Resign(0))
    return played


def kind_of(viewer: Viewer, table: Table) -> str:
    """What kind of viewer somebody is."""
    seats = len(table.seats_of(viewer.person))
    if not seats:
        return "spectator"
    return f"{'one seat' if seats == 1 else 'several seats'}, {'looking away' if viewer.seat is None else 'looking'}"


def situation(table: Table, event: e.Event) -> tuple[object, ...]:
    """What the effect of an event may depend on besides the viewer."""
    seat = getattr(event, "seat", None)
    on_shared_device = seat is not None and table.shares_device(seat)
    proposals = tuple(pending.proposal for pending in table.proposals)
    return table.phase, proposals, len(table.confirmed), len(table.chat) == CHAT_KEPT, on_shared_device


def cases(played: Played) -> Iterator[tuple[tuple[object, ...], dict[str, object]]]:
    """Each event for everybody whom it is told: what makes the case different from others, and the case."""
    for (before, after), entry in zip(pairwise(played.states()), played.log[1:], strict=True):
        players = {*before.players, *after.players}
        looks = [Viewer(), *(Viewer(p, seat) for p in players for seat in (None, *before.seats_of(p)))]
        for viewer in sorted(looks, key=str):
            event, kind = e.name_of(entry.event), kind_of(viewer, before)
            difference = (event, kind, viewer.seat, situation(before, entry.event))
            yield difference, {"event": event, "viewer": kind, **case(before, entry, after, viewer)}


def case(before: Table, entry: Entry, after: Table, viewer: Viewer) -> dict[str, object]:
    """One event as one viewer is told it."""
    then = viewer_after(viewer, after) if isinstance(entry.event, WATCHED_AS_THEY_SIT) else viewer
    return {
        "before": snapshot(before, viewer),
        "message": tell(entry, after).to(then),
        "after": snapshot(after, then),
    }


def main() -> None:
    """Walk, and keep a case of each kind."""
    walks = [
        closed("ann", "-", "-"),
        closed("ann", "-", "-", "ann"),
        talkative(),
        agreeing_for_two_seats(),
        two_proposals(),
        accepted_claim(),
        abandoned(),
        taken_back("ann", "bot:pebble", "bot:brook"),
        taken_back("ann", "ann", "bot:brook"),
        one_device(1),
        one_device(2),
        *(wander(seed) for seed in range(WALKS)),
    ]
    kept: dict[tuple[object, ...], dict[str, object]] = {}
    for played in walks:
        for difference, found in cases(played):
            kept.setdefault(difference, found)
    target = Path(__file__).with_name("fold-cases.json")
    lines = ",\n".join(json.dumps(each, separators=(",", ":")) for each in kept.values())
    target.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(f"{len(kept)} events as they are told")


if __name__ == "__main__":
    main()
