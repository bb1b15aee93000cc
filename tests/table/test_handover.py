"""Several players on one device: the clock of a turn starts when its hand is shown, not behind the pass screen."""

import pytest

from riverstones.rules import Scoring
from riverstones.table import Clock, Options, TableRefusal, fold
from riverstones.table import commands as c
from riverstones.table import events as e
from riverstones.table.state import HANDOVER_MS
from riverstones.table.telling import told
from riverstones.table.views import Viewer, now, snapshot

from .helpers import Played, table_of
from .test_seats import refused

TURN_MS = 30_000
LATEST_MS = HANDOVER_MS + TURN_MS


def strict(*who: str, **terms: object) -> Played:
    return table_of(*who, options=Options(seats=len(who), clock=Clock.STRICT, seconds=TURN_MS // 1000, **terms))  # type: ignore[arg-type]  # terms are plain


def deadline(table: Played) -> int | None:
    """When the turn ends, relative to now; checks that the log alone gives the same."""
    assert fold(table.log) == table.table
    return None if table.table.deadline_ms is None else table.table.deadline_ms - table.now_ms


def test_no_turn_is_lost_behind_the_pass_screen() -> None:
    table = strict("ann", "ann")
    assert table.table.awaiting_reveal
    assert table.table.expires_ms is None
    table.now_ms += 3_600_000
    assert table.do("system", c.Tick()) == []
    assert table.do("ann", c.Reveal(0, 0)) == ["Revealed"]
    assert not table.table.awaiting_reveal
    assert deadline(table) == TURN_MS
    table.now_ms += TURN_MS
    assert table.do("system", c.Tick()) == ["Moved"]
    assert table.table.awaiting_reveal, "and the next player has yet to take the device"
    assert table.table.expires_ms is None


def test_the_gentle_clock_waits_as_well_and_no_clock_waits_for_nothing() -> None:
    gentle = table_of("ann", "ann", options=Options(clock=Clock.GENTLE, seconds=30))
    assert deadline(gentle) is None
    gentle.do("ann", c.Reveal(0, 0))
    assert deadline(gentle) == TURN_MS
    off = table_of("ann", "ann")
    assert not off.table.awaiting_reveal
    assert off.do("ann", c.Reveal(0, 0)) == []


def test_a_hand_is_revealed_once() -> None:
    table = strict("ann", "ann")
    table.do("ann", c.Reveal(0, 0))
    table.now_ms += 10_000
    assert table.do("ann", c.Reveal(0, 0)) == [], "to reveal it again gives no more time, and no longer log"
    assert deadline(table) == TURN_MS - 10_000


def test_only_the_holder_reveals_and_only_the_hand_to_move() -> None:
    table = strict("ann", "ann", "cid")
    with refused(TableRefusal.NOT_YOUR_SEAT):
        table.do("cid", c.Reveal(0, 0))
    with refused(TableRefusal.NOT_YOUR_TURN):
        table.do("ann", c.Reveal(1, 0))
    with refused(TableRefusal.WRONG_TURN):
        table.do("ann", c.Reveal(0, 1))
    with refused(TableRefusal.NOT_STARTED):
        strict("ann", "-").do("ann", c.Reveal(0, 0))
    table.do("cid", c.Resign(2))
    table.do("ann", c.Resign(1))
    with refused(TableRefusal.TABLE_OVER):
        table.do("ann", c.Reveal(0, 0))


@pytest.mark.parametrize("other", ["bob", "bot:pebble"])
def test_the_clock_does_not_wait_for_an_unshared_device(other: str) -> None:
    assert deadline(strict("ann", other)) == TURN_MS


def test_a_program_has_no_device_to_hand_over() -> None:
    table = strict("program", "-", programs=True, start=1)
    table.do("program", c.Sit(1))
    assert table.table.chairs[1].program
    assert deadline(table) == TURN_MS


def test_a_move_may_be_made_without_a_reveal() -> None:
    table = strict("ann", "ann", "bot:pebble")
    table.play_on(2)
    assert table.holder() == "system"
    assert deadline(table) == TURN_MS, "a bot needs no device"


def test_the_wait_is_bounded_if_players_on_other_devices_wait() -> None:
    table = strict("ann", "ann", "cid")
    assert deadline(table) == LATEST_MS
    table.now_ms += HANDOVER_MS - 1_000
    table.do("ann", c.Reveal(0, 0))
    assert deadline(table) == TURN_MS
    table.play_on(1)
    table.now_ms += LATEST_MS
    assert table.do("system", c.Tick()) == ["Moved"], "who never shows the hand has no more time for it than this"
    assert table.table.game is not None
    assert table.table.game.turns[-1].timed_out
    assert deadline(table) == TURN_MS, "Cid has a device of his own"


def test_a_restart_leaves_time_to_hand_over_the_device() -> None:
    alone = strict("ann", "ann")
    alone.now_ms += 3_600_000
    assert alone.do("system", c.Wake()) == []
    assert deadline(alone) is None
    table = strict("ann", "ann", "cid")
    table.now_ms += 3_600_000
    assert table.do("system", c.Wake()) == ["Extended"]
    assert deadline(table) == LATEST_MS
    assert table.table.awaiting_reveal
    table.now_ms += 5_000
    table.do("ann", c.Reveal(0, 0))
    assert deadline(table) == TURN_MS


def pause(table: Played) -> None:
    table.do("ann", c.Ask(0, c.Proposal.PAUSE))
    if "id-cid" in table.table.players:
        table.do("cid", c.Answer(2, c.Proposal.PAUSE, True))
    assert table.table.paused


def test_a_pause_does_not_reveal() -> None:
    table = strict("ann", "ann")
    pause(table)
    table.now_ms += 60_000
    table.do("ann", c.Resume(0))
    assert table.table.awaiting_reveal
    assert deadline(table) is None
    bounded = strict("ann", "ann", "cid")
    bounded.now_ms += 5_000
    pause(bounded)
    bounded.now_ms += 60_000
    bounded.do("ann", c.Resume(0))
    assert deadline(bounded) == LATEST_MS - 5_000


def test_a_hand_shown_during_a_pause_has_its_full_time_after_it() -> None:
    table = strict("ann", "ann")
    pause(table)
    assert table.do("ann", c.Reveal(0, 0)) == ["Revealed"]
    assert deadline(table) is None
    assert table.do("system", c.Tick()) == []
    table.now_ms += 60_000
    table.do("ann", c.Resume(0))
    assert deadline(table) == TURN_MS


@pytest.mark.parametrize("paused", [False, True])
def test_the_clock_does_not_wait_for_a_device_that_is_no_longer_shared(paused: bool) -> None:
    table = strict("ann", "ann", "cid")
    if paused:
        pause(table)
    table.now_ms += 3_000
    table.do("ann", c.Stand(1))
    assert not table.table.awaiting_reveal
    if paused:
        table.do("ann", c.Resume(0))
    assert deadline(table) == TURN_MS


def test_an_abandoned_seat_has_a_clock() -> None:
    table = strict("ann", "ann")
    table.do("ann", c.Stand(0))
    assert deadline(table) == TURN_MS


def test_a_returning_player_does_not_wait_forever() -> None:
    table = strict("ann", "ann", "cid")
    table.do("cid", c.Stand(2))
    assert deadline(table) is None
    table.now_ms += 60_000
    table.do("cid", c.Sit(2))
    assert deadline(table) == LATEST_MS


def test_the_time_for_objections_at_the_end_does_not_wait_for_a_hand() -> None:
    table = strict("ann", "ann", scoring=Scoring.CLAIMS)
    table.play_on()
    assert not table.table.awaiting_reveal
    table.now_ms += 30_000
    assert table.do("system", c.Tick()) == ["Ended"]


def test_a_reveal_does_not_contain_the_hand() -> None:
    table = strict("ann", "ann", "cid")
    assert now(table.table)["awaiting_reveal"]
    table.do("ann", c.Reveal(0, 0))
    assert told(table.log[-1].event, table.table) == {"type": "revealed", "seat": 0}
    seen = snapshot(table.table, Viewer("id-cid", 2))
    assert not seen["now"]["awaiting_reveal"]
    assert seen["you"]["hand"] == list(table.table.game.hands[2] if table.table.game else ())


def test_a_log_without_waiting_clocks_is_read() -> None:
    """Its turns timed out behind the pass screen, and a restart extended one of them; the last one waits now."""
    table = strict("ann", "ann")
    assert table.table.game is not None
    lowest, square = table.table.game.hands[0][0], table.table.game.board.frontier()[0]
    old = [
        *table.log,
        e.Entry(
            3,
            table.now_ms + TURN_MS,
            e.from_json("moved", {"seat": 0, "move": f"{square}+{lowest}", "timed_out": True}),
        ),
        e.Entry(4, table.now_ms + 90_000, e.from_json("extended", {"deadline_ms": table.now_ms + 100_000})),
    ]
    read = fold(old)
    assert read.turn == 1
    assert read.awaiting_reveal
    assert read.expires_ms is None
