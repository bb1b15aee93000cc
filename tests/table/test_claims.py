"""Time for objections: a bot that follows a claim waits for the players who may object to it."""

import json

from riverstones.rules import Scoring
from riverstones.table import Clock, Options, Phase, fold
from riverstones.table import commands as c
from riverstones.table import events as e

from .helpers import Played, table_of

WAIT_MS = 8_000


def claims(*who: str, **terms: object) -> Played:
    options = Options(seats=len(who), scoring=Scoring.CLAIMS, **terms)  # type: ignore[arg-type]  # terms are plain
    table = table_of(*who, options=options)
    table.claim_wait_ms = WAIT_MS
    return table


def claim(table: Played, wrongly: bool = False) -> None:
    """Make the next move and claim its points, or too many."""
    assert table.table.game is not None
    play = table.table.game.plays()[0]
    table.play(table.holder(), play.move, play.points + wrongly)


def waits_until(table: Played) -> int | None:
    """Until when bots wait; checks that the log alone gives the same."""
    assert fold(table.log) == table.table
    return table.table.objections_until_ms


def test_a_bot_waits_for_the_players_who_may_object() -> None:
    table = claims("ann", "bot:pebble", "cid")
    claim(table)
    assert waits_until(table) == table.now_ms + WAIT_MS


def test_bots_do_not_wait_if_no_player_can_object() -> None:
    table = claims("ann", "bot:pebble")
    claim(table)
    assert waits_until(table) is None
    claim(table)
    assert waits_until(table) is None, "Ann is next, and takes her time herself"


def test_bots_do_not_wait_for_disconnected_players() -> None:
    table = claims("ann", "bot:pebble", "cid")
    table.away = frozenset({"id-cid"})
    claim(table)
    assert waits_until(table) is None


def test_answers_of_all_connected_players_end_the_wait() -> None:
    table = claims("ann", "bot:pebble", "cid", "dee")
    table.away = frozenset({"id-dee"})
    claim(table, wrongly=True)
    table.away = frozenset()
    assert waits_until(table) == table.now_ms + WAIT_MS
    table.do("cid", c.Confirm(2, 0))
    assert waits_until(table) is None, "Dee was away when the claim was made, and that is in the log"
    table.do("dee", c.Object(3, 0))
    assert table.table.game is not None
    assert table.table.game.turns[0].upheld, "whoever comes back in time may object"


def test_bots_wait_for_a_returned_player_at_the_next_claim() -> None:
    table = claims("ann", "bob", "bot:pebble", "dee")
    table.away = frozenset({"id-dee"})
    claim(table)
    table.away = frozenset()
    claim(table)
    table.do("ann", c.Confirm(0, 1))
    assert waits_until(table) == table.now_ms + WAIT_MS


def test_answers_of_all_players_end_the_wait() -> None:
    table = claims("ann", "bob", "bot:pebble", "dee")
    claim(table)
    assert waits_until(table) is None
    claim(table)
    table.do("ann", c.Confirm(0, 1))
    assert waits_until(table) == table.now_ms + WAIT_MS
    table.do("dee", c.Object(3, 1))
    assert waits_until(table) is None, "Dee has objected, in vain, and Ann lets it stand"


def test_one_seat_answers_for_all_seats_of_a_player() -> None:
    table = claims("ann", "ann", "bot:pebble", "ann")
    claim(table)
    claim(table)
    assert waits_until(table) is not None
    table.do("ann", c.Confirm(0, 1))
    assert waits_until(table) is None


def test_an_upheld_objection_ends_the_wait() -> None:
    table = claims("ann", "bot:pebble", "cid", "dee")
    claim(table, wrongly=True)
    table.do("cid", c.Object(2, 0))
    assert waits_until(table) is None


def test_the_strict_clock_does_not_expire_while_a_bot_waits() -> None:
    table = claims("ann", "bot:pebble", "cid", clock=Clock.STRICT, seconds=5)
    claim(table)
    assert waits_until(table) == table.now_ms + 2_500


def test_a_restart_restarts_the_time_for_objections() -> None:
    table = claims("ann", "bot:pebble", "cid")
    claim(table)
    table.now_ms += 60_000
    assert table.do("system", c.Wake()) == ["Extended"]
    assert waits_until(table) == table.now_ms + WAIT_MS
    assert table.table.deadline_ms is None
    table.do("cid", c.Confirm(2, 0))
    assert table.do("system", c.Wake()) == []


def test_a_pause_restarts_the_time_for_objections() -> None:
    table = claims("ann", "bot:pebble", "cid")
    claim(table)
    table.do("ann", c.Ask(0, c.Proposal.PAUSE))
    table.do("cid", c.Answer(2, c.Proposal.PAUSE, True))
    assert waits_until(table) is None
    table.now_ms += 60_000
    table.do("cid", c.Resume(2))
    assert waits_until(table) == table.now_ms + WAIT_MS


def test_a_bot_that_sits_down_after_the_claim_waits_as_well() -> None:
    table = claims("ann", "bob", "cid")
    table.do("bob", c.Stand(1))
    claim(table, wrongly=True)
    assert waits_until(table) is None, "nobody is to move for Bob yet"
    table.now_ms += 1_000
    table.do("ann", c.SeatBot(1, "pebble"))
    assert waits_until(table) == table.now_ms - 1_000 + WAIT_MS


def test_bots_do_not_wait_after_the_end() -> None:
    table = claims("ann", "bob", "bot:pebble")
    claim(table)
    claim(table)
    assert waits_until(table) is not None
    for seat, who in ((1, "bob"), (0, "ann")):
        table.do(who, c.Resign(seat))
    assert table.table.phase is Phase.OVER
    assert waits_until(table) is None
    assert table.do("system", c.Wake()) == []


def test_after_a_pause_the_strict_clock_does_not_expire_while_a_bot_waits() -> None:
    table = claims("ann", "ann", "bot:pebble", clock=Clock.STRICT, seconds=5)
    claim(table)
    claim(table)
    for _ in range(3):
        table.now_ms += 1_000
        table.do("ann", c.Ask(0, c.Proposal.PAUSE))
        table.do("ann", c.Resume(0))
    left = 5_000 - 3 * 1_000
    assert table.table.deadline_ms == table.now_ms + left
    assert waits_until(table) == table.now_ms + left // 2


def test_disconnected_seats_are_stored_with_the_move() -> None:
    moved = e.Moved(0, "e4+7", 12, objections_ms=5, away=(2, 3))
    assert e.from_json("moved", json.loads(json.dumps(e.to_json(moved)))) == moved


def test_a_log_without_waits_is_read() -> None:
    data = e.to_json(e.Moved(0, "e4+7", 0))
    del data["objections_ms"], data["away"]
    assert e.from_json("moved", data) == e.Moved(0, "e4+7", 0)
    assert e.from_json("extended", {"deadline_ms": 5}) == e.Extended(5)
