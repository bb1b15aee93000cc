"""Moves, clocks, claims and the end."""

from dataclasses import fields

import pytest

from riverstones.rules import Code, Malformed, Refused, Scoring
from riverstones.table import Clock, MakeRematch, NotAllowed, Options, Phase, Table, TableRefusal, fold, needs
from riverstones.table import commands as c

from .helpers import Played, table_of
from .test_seats import refused

CLAIMS = Options(scoring=Scoring.CLAIMS)


def wrong_claim(table: Played, who: str) -> None:
    """Make the best move and claim one point too many."""
    assert table.table.game is not None
    best = table.table.game.plays()[0]
    table.play(who, best.move, best.points + 1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_game_ends_after_67_turns(seats: int) -> None:
    table = table_of(*["ann", "bob", "cid", "dee"][:seats])
    table.play_on()
    assert table.table.phase is Phase.OVER
    assert table.table.turn == 67
    assert fold(table.log[:-1]).to_move is None, "nobody is to move between the last move and the end"
    assert table.table.outcome is not None
    assert table.table.game is not None
    assert table.table.outcome.scores == table.table.game.scores


def test_a_move_is_made_by_the_seat_whose_turn_it_is() -> None:
    table = table_of("ann", "bob")
    with refused(TableRefusal.NOT_YOUR_TURN):
        table.do("bob", c.Play(1, 0, "e4+1"))
    with refused(TableRefusal.NOT_YOUR_SEAT):
        table.do("bob", c.Play(0, 0, "e4+1"))


def test_a_move_for_another_turn_is_refused() -> None:
    table = table_of("ann", "bob")
    table.play_on(2)
    with refused(TableRefusal.WRONG_TURN):
        table.do("ann", c.Play(0, 0, "e4+1"))


def test_a_move_that_the_rules_refuse_changes_nothing() -> None:
    table = table_of("ann", "bob")
    before = table.table
    with pytest.raises(Refused) as refusal:
        table.play("ann", f"a1+{before.game.hands[0][0] if before.game else 1}")
    assert refusal.value.reason.code is Code.NOT_ADJACENT
    with pytest.raises(Malformed):
        table.play("ann", "z9*4")
    assert table.table == before


def test_the_first_seat_is_fixed_or_drawn() -> None:
    assert table_of("ann", "bob", "cid").table.to_move == 0
    assert table_of("ann", "bob", "cid", options=Options(seats=3, start=2)).table.to_move == 2
    drawn = {
        table_of("ann", "bob", "cid", options=Options(seats=3, start="random"), seed=n).table.to_move for n in range(30)
    }
    assert drawn == {0, 1, 2}


def test_without_a_clock_nothing_expires() -> None:
    table = table_of("ann", "bob")
    assert table.table.deadline_ms is None
    assert table.table.expires_ms is None


def test_the_gentle_clock_only_shows_the_time() -> None:
    table = table_of("ann", "bob", options=Options(clock=Clock.GENTLE, seconds=30))
    assert table.table.deadline_ms == table.now_ms + 30_000
    table.now_ms += 60_000
    assert table.do("system", c.Tick()) == []


def test_the_strict_clock_makes_the_move() -> None:
    table = table_of("ann", "bob", options=Options(clock=Clock.STRICT, seconds=30))
    assert table.table.game is not None
    lowest = table.table.game.hands[0][0]
    table.now_ms += 29_999
    assert table.do("system", c.Tick()) == []
    table.now_ms += 1
    assert table.do("system", c.Tick()) == ["Moved"]
    turn = table.table.game.turns[-1]
    assert turn.timed_out
    assert str(turn.move.tile) == f"+{lowest}"
    assert not turn.move.flips
    assert table.table.deadline_ms == table.now_ms + 30_000


def test_the_strict_clock_claims_nothing() -> None:
    options = Options(clock=Clock.STRICT, seconds=5, scoring=Scoring.CLAIMS)
    table = table_of("ann", "bob", options=options)
    table.now_ms += 5_000
    table.do("system", c.Tick())
    assert table.table.game is not None
    assert table.table.game.turns[-1].claim == 0


def test_a_restart_does_not_cost_a_turn() -> None:
    table = table_of("ann", "bob", options=Options(clock=Clock.STRICT, seconds=30))
    assert table.do("system", c.Wake()) == []
    table.now_ms += 3_600_000
    assert table.do("system", c.Wake()) == ["Extended"]
    assert table.table.expires_ms == table.now_ms + 10_000


def test_a_pause_keeps_the_time_that_is_left() -> None:
    table = table_of("ann", "bob", options=Options(clock=Clock.STRICT, seconds=30))
    table.now_ms += 10_000
    assert table.do("ann", c.Ask(0, c.Proposal.PAUSE)) == ["Asked"]
    assert table.do("bob", c.Answer(1, c.Proposal.PAUSE, True)) == ["Agreed", "Paused"]
    table.now_ms += 500_000
    assert table.do("system", c.Tick()) == []
    assert (table.table.deadline_ms, table.table.left_ms) == (None, 20_000)
    with refused(TableRefusal.PAUSED):
        table.do("ann", c.Play(0, 0, "e4+1"))
    table.do("bob", c.Resume(1))
    assert (table.table.deadline_ms, table.table.left_ms) == (table.now_ms + 20_000, None)


def test_a_pause_needs_everybodys_consent() -> None:
    table = table_of("ann", "bob", "cid")
    table.do("ann", c.Ask(0, c.Proposal.PAUSE))
    assert table.do("bob", c.Answer(1, c.Proposal.PAUSE, True)) == ["Agreed"]
    assert table.do("cid", c.Answer(2, c.Proposal.PAUSE, False)) == ["Declined"]
    assert not table.table.paused
    with refused(TableRefusal.NOTHING_ASKED):
        table.do("bob", c.Answer(1, c.Proposal.PAUSE, True))


def test_a_repeated_consent_is_logged_once() -> None:
    table = table_of("ann", "bob", "cid", options=Options(seats=3))
    table.do("ann", c.Ask(0, c.Proposal.PAUSE))
    assert table.do("bob", c.Answer(1, c.Proposal.PAUSE, True)) == ["Agreed"]
    assert table.do("bob", c.Answer(1, c.Proposal.PAUSE, True)) == []
    assert table.do("ann", c.Answer(0, c.Proposal.PAUSE, True)) == []
    table.absent = frozenset({"id-cid"})
    assert table.do("bob", c.Answer(1, c.Proposal.PAUSE, True)) == ["Paused"]


def test_a_single_player_among_bots_pauses_at_once() -> None:
    assert table_of("ann", "bot:river").do("ann", c.Ask(0, c.Proposal.PAUSE)) == ["Asked", "Paused"]


def test_a_wrong_claim_stands_if_nobody_objects() -> None:
    table = table_of("ann", "bob", options=CLAIMS)
    wrong_claim(table, "ann")
    claimed = table.table.game.scores[0] if table.table.game else 0
    table.play_on(1)
    with refused(TableRefusal.WRONG_TURN):
        table.do("bob", c.Object(1, 0))
    assert table.table.game is not None
    assert table.table.game.scores[0] == claimed > 0


def test_an_upheld_objection_cancels_the_points() -> None:
    table = table_of("ann", "bob", "cid", options=Options(seats=3, scoring=Scoring.CLAIMS))
    wrong_claim(table, "ann")
    assert table.do("cid", c.Object(2, 0)) == ["Objected"]
    assert table.table.game is not None
    assert table.table.game.scores == (0, 0, 0)
    with pytest.raises(Refused, match="already_upheld"):
        table.do("bob", c.Object(1, 0))


def test_a_rejected_objection_changes_nothing_but_is_recorded() -> None:
    table = table_of("ann", "bob", options=CLAIMS)
    table.play_on(1)
    scores = table.table.game.scores if table.table.game else ()
    table.do("bob", c.Object(1, 0))
    assert table.table.game is not None
    assert table.table.game.scores == scores
    assert [o.upheld for o in table.table.game.turns[-1].objections] == [False]


def test_there_are_no_objections_with_automatic_scoring() -> None:
    table = table_of("ann", "bob")
    table.play_on(1)
    with refused(TableRefusal.NOT_BY_CLAIMS):
        table.do("bob", c.Object(1, 0))


def test_the_last_claim_waits_for_everybody() -> None:
    table = table_of("ann", "bob", options=CLAIMS)
    table.play_on()
    assert table.table.phase is Phase.SETTLING
    assert table.do("ann", c.Confirm(0, 66)) == ["Confirmed"]
    with refused(TableRefusal.ALREADY_CONFIRMED):
        table.do("ann", c.Confirm(0, 66))
    assert table.do("bob", c.Confirm(1, 66)) == ["Confirmed", "Ended"]


def test_the_last_claim_can_be_objected_to() -> None:
    table = table_of("ann", "bob", options=CLAIMS)
    table.play_on(66)
    last = table.holder()
    wrong_claim(table, last)
    other = "bob" if last == "ann" else "ann"
    seat = ["ann", "bob"].index(other)
    assert table.do(other, c.Object(seat, 66)) == ["Objected", "Ended"]
    assert table.table.game is not None
    assert table.table.game.turns[-1].points == 0


def test_the_last_claim_stands_when_the_countdown_ends() -> None:
    table = table_of("ann", "bob", options=CLAIMS)
    table.play_on()
    table.now_ms += 30_000
    assert table.do("system", c.Tick()) == ["Ended"]


def test_resigning_ends_a_game_of_two() -> None:
    table = table_of("ann", "bob")
    table.play_on(10)
    assert table.do("ann", c.Resign(0)) == ["Resigned", "Ended"]
    assert table.table.outcome is not None
    assert table.table.outcome.winners == (1,)


def test_with_more_seats_a_bot_plays_on_for_a_resigned_seat_and_cannot_win() -> None:
    table = table_of("ann", "bob", "cid")
    assert table.do("ann", c.Resign(0)) == ["Resigned", "Seated"]
    with refused(TableRefusal.SEAT_TAKEN):
        table.do("ann", c.Sit(0))
    table.play_on()
    assert table.table.outcome is not None
    assert 0 not in table.table.outcome.winners


def test_a_flip_of_an_empty_square_is_refused_by_the_rules() -> None:
    table = table_of("ann", "bob")
    assert table.table.game is not None
    square, digit = table.table.game.board.frontier()[0], table.table.game.hand[0]
    with pytest.raises(Refused, match="flip_empty"):
        table.play("ann", f"{square}+{digit}~a1")


def test_a_rematch_passes_the_start_on() -> None:
    table = table_of("ann", "bob", "bot:brook")
    with refused(TableRefusal.NOT_OVER):
        table.do("ann", c.Ask(0, c.Proposal.REMATCH))
    table.play_on()
    table.do("ann", c.Ask(0, c.Proposal.REMATCH))
    assert needs(table.table) == ()
    table.do("bob", c.Answer(1, c.Proposal.REMATCH, True))
    (rematch,) = needs(table.table)
    assert isinstance(rematch, MakeRematch)
    assert rematch.options.start == 1
    assert [chair.name for chair in rematch.chairs] == ["ann", "bob", "brook"]
    assert table.do("system", rematch.command("other")) == ["Rematched"]
    assert needs(table.table) == ()


def test_no_take_back_after_the_draw_was_seen() -> None:
    table = table_of("ann", "bob")
    table.play_on(3)
    with refused(TableRefusal.DRAW_WAS_SEEN):
        table.do("ann", c.Ask(0, c.Proposal.TAKE_BACK))


def test_a_take_back_without_a_draw_needs_consent() -> None:
    table = table_of("ann", "bob")
    table.play_on(64)
    before = table.table.game
    who = table.holder()
    seat = table.table.to_move
    assert seat is not None
    table.play_on(1)
    assert table.do(who, c.Ask(seat, c.Proposal.TAKE_BACK)) == ["Asked"]
    other = "bob" if who == "ann" else "ann"
    assert table.do(other, c.Answer(1 - seat, c.Proposal.TAKE_BACK, True)) == ["Agreed", "TakenBack"]
    assert table.table.game == before


def test_a_single_player_among_bots_may_take_back_freely() -> None:
    table = table_of("ann", "bot:pebble", options=CLAIMS)
    with refused(TableRefusal.NO_MOVE_TO_TAKE_BACK):
        table.do("ann", c.Ask(0, c.Proposal.TAKE_BACK))
    table.play_on(2)
    before = table.table.game
    wrong_claim(table, "ann")
    table.do("system", c.Object(1, 2))
    table.play_on(1)
    assert table.do("ann", c.Ask(0, c.Proposal.TAKE_BACK)) == ["Asked", "TakenBack"]
    assert table.table.game == before


@pytest.mark.parametrize("stand_in", [True, False])
def test_no_take_back_of_a_seen_draw_while_a_player_is_away(stand_in: bool) -> None:
    table = table_of("ann", "bob")
    table.play_on(2)
    table.do("bob", c.Stand(1))
    if stand_in:
        table.do("ann", c.SeatBot(1, "river"))
    table.play_on(1)
    with refused(TableRefusal.DRAW_WAS_SEEN):
        table.do("ann", c.Ask(0, c.Proposal.TAKE_BACK))


def test_nothing_is_taken_back_during_a_pause() -> None:
    table = table_of("ann", "bob", options=Options(clock=Clock.STRICT))
    table.play_on(65)
    assert table.table.game is not None
    mover = table.table.game.turns[-1].seat
    asker, other = ("ann", "bob") if mover == 0 else ("bob", "ann")
    table.do(asker, c.Ask(mover, c.Proposal.TAKE_BACK))
    table.do(asker, c.Ask(mover, c.Proposal.PAUSE))
    assert table.do(other, c.Answer(1 - mover, c.Proposal.PAUSE, True)) == ["Agreed", "Paused"]
    with refused(TableRefusal.PAUSED):
        table.do(other, c.Answer(1 - mover, c.Proposal.TAKE_BACK, True))
    assert table.table.expires_ms is None
    table.do(asker, c.Resume(mover))
    assert table.do(other, c.Answer(1 - mover, c.Proposal.TAKE_BACK, True)) == ["Agreed", "TakenBack"]


def test_a_rated_game_that_a_bot_finished_has_no_rematch() -> None:
    table = table_of("ann", "bob", "cid", options=Options(seats=3, rated=True))
    table.do("cid", c.Resign(2))
    table.play_on()
    with refused(TableRefusal.RATED_IS_FOR_PEOPLE):
        table.do("ann", c.Ask(0, c.Proposal.REMATCH))


def test_chat_messages_are_limited_in_length_and_rate() -> None:
    table = table_of("ann", "bob")
    for word in ["one", "two", "three", "four", "five"]:
        table.do("ann", c.Say(word))
    with refused(TableRefusal.CHAT_TOO_FAST):
        table.do("ann", c.Say("six"))
    table.do("bob", c.Say("I may"))
    table.now_ms += 10_000
    table.do("ann", c.Say("  a\u0000b\n c "))
    assert table.table.chat[-1].text == "a b c"
    with refused(TableRefusal.CHAT_EMPTY):
        table.do("bob", c.Say(" "))
    with refused(TableRefusal.CHAT_EMPTY):
        table.do("bob", c.Say("\u200b\ud800"))
    with refused(TableRefusal.CHAT_TOO_LONG):
        table.do("bob", c.Say("x" * 281))


def test_a_refusal_is_an_error_with_a_code() -> None:
    with pytest.raises(NotAllowed) as error:
        table_of("ann", "bob", options=Options(seconds=1))
    assert (error.value.code, error.value.params) == (TableRefusal.BAD_SECONDS, {"seconds": 1})


def test_a_table_has_its_fields_and_nothing_else() -> None:
    """Tables are copied without checking names: a misspelt one would become an attribute."""
    played = table_of("ann", "bob")
    played.play_on(5)
    played.do("ann", c.Resign(0))
    assert vars(played.table).keys() == {field.name for field in fields(Table)}
