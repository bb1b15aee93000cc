"""Sitting down, leaving, returning, and who may do what with a seat."""

import time

import pytest

from riverstones.table import NotAllowed, Options, Phase, TableRefusal, Viewer, viewer_after
from riverstones.table import commands as c

from .helpers import table_of


def refused(code: TableRefusal) -> "pytest.RaisesExc[NotAllowed]":
    return pytest.raises(NotAllowed, match=f"^{code}")


def test_play_begins_when_the_last_seat_is_taken() -> None:
    table = table_of("ann", "-")
    assert table.table.phase.value == "waiting"
    assert table.do("bob", c.Sit()) == ["Seated", "Started"]
    assert table.table.phase.value == "playing"
    assert table.table.seats_of("id-bob") == (1,)


def test_a_table_with_every_seat_taken_begins_at_once() -> None:
    assert table_of("ann", "bot:pebble").table.phase is Phase.PLAYING


def test_a_taken_seat_is_refused_and_nothing_changes() -> None:
    table = table_of("ann", "-", "-", options=Options(seats=3))
    table.do("bob", c.Sit(1))
    before = table.table
    with refused(TableRefusal.SEAT_TAKEN):
        table.do("eve", c.Sit(1))
    assert table.table == before


def test_a_viewer_has_their_only_seat_and_none_that_they_have_left() -> None:
    table = table_of("ann", "-", "-", options=Options(seats=3))
    ann, bob = Viewer("id-ann"), Viewer("id-bob")
    assert viewer_after(ann, table.table) == Viewer("id-ann", 0)
    assert viewer_after(bob, table.table) == bob
    table.do("bob", c.Sit(1))
    seated = viewer_after(bob, table.table)
    assert seated == Viewer("id-bob", 1)
    assert viewer_after(seated, table.table) == seated
    table.do("bob", c.Stand(1))
    assert viewer_after(seated, table.table) == bob
    table.do("ann", c.Sit(1))
    assert viewer_after(ann, table.table) == ann, "of several seats none is chosen for them"


def test_a_guest_holds_one_seat_and_the_host_may_hold_several() -> None:
    table = table_of("ann", "-", "-", "-", options=Options(seats=4))
    table.do("bob", c.Sit())
    with refused(TableRefusal.ALREADY_SEATED):
        table.do("bob", c.Sit())
    table.do("ann", c.Sit(name="Ann's mother"))
    assert table.table.seats_of("id-ann") == (0, 2)
    assert table.names()[2] == "Ann's mother"


def test_colours_are_never_shared() -> None:
    table = table_of("ann", "-", "-", "-", options=Options(seats=4))
    for name in ("bob", "cid", "dee"):
        table.do(name, c.Sit())
    assert len({chair.colour for chair in table.table.chairs}) == 4


@pytest.mark.parametrize("name", ["", "   ", "x" * 25, "\u202e\u200b", "\u3164\u2800", "\u200d \u200c"])
def test_a_name_must_be_short_and_visible(name: str) -> None:
    with refused(TableRefusal.BAD_NAME):
        table_of("ann", "-").do("ann", c.Sit(name=name))


def test_control_signs_in_a_name_become_spaces() -> None:
    table = table_of("ann", "-")
    table.do("ann", c.Sit(name="B\x07o\u202eb  \n X"))
    assert table.names()[1] == "B o b X"


@pytest.mark.parametrize(
    "name", ["\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"]
)
def test_joined_characters_in_a_name_stay_joined(name: str) -> None:
    table = table_of("ann", "-")
    table.do("ann", c.Sit(name=f"\u200d{name} \u200c"))
    assert table.names()[1] == name


def test_only_the_host_seats_bots_and_clears_seats_before_play() -> None:
    table = table_of("ann", "-", "-", options=Options(seats=3))
    table.do("bob", c.Sit())
    with refused(TableRefusal.NOT_THE_HOST):
        table.do("bob", c.SeatBot(2, "river"))
    with refused(TableRefusal.NOT_THE_HOST):
        table.do("bob", c.ClearSeat(0))
    table.do("ann", c.ClearSeat(1))
    assert table.table.chairs[1].free
    table.do("ann", c.SeatBot(1, "river"))
    assert table.do("ann", c.SeatBot(2, "brook")) == ["Seated", "Started"]


def test_a_player_who_leaves_can_return_to_the_seat() -> None:
    table = table_of("ann", "bob")
    table.do("bob", c.Stand(1))
    assert table.table.chairs[1].free
    table.do("bob", c.Sit())
    assert table.table.seats_of("id-bob") == (1,)


def test_the_table_knows_after_how_many_turns_somebody_first_left() -> None:
    """Whether they stood up, resigned, or were replaced while absent; who leaves later does not matter."""
    stood, resigned, replaced = (table_of("ann", "bob", "cid") for _ in range(3))
    for table in (stood, resigned, replaced):
        table.play_on(4)
        assert table.table.left_after is None
    stood.do("bob", c.Stand(1))
    resigned.do("bob", c.Resign(1))
    replaced.absent = frozenset({"id-bob"})
    replaced.do("ann", c.SeatBot(1, "brook"))
    for table in (stood, resigned, replaced):
        assert table.table.left_after == 4
    stood.do("bob", c.Sit(1))
    stood.play_on(3)
    stood.do("cid", c.Stand(2))
    assert stood.table.left_after == 4
    waiting = table_of("ann", "bob", "-")
    waiting.do("bob", c.Stand(1))
    assert waiting.table.left_after is None


def test_a_newcomer_takes_over_an_abandoned_seat_with_consent() -> None:
    table = table_of("ann", "bob", "dee")
    with refused(TableRefusal.NOBODY_AWAY):
        table.do("ann", c.Ask(0, c.Proposal.NEWCOMER))
    table.do("bob", c.Stand(1))
    with refused(TableRefusal.NOT_INVITED):
        table.do("cid", c.Sit())
    table.do("ann", c.Ask(0, c.Proposal.NEWCOMER))
    with refused(TableRefusal.NOT_INVITED):
        table.do("cid", c.Sit(1))
    table.do("dee", c.Answer(2, c.Proposal.NEWCOMER, True))
    table.play_on(1)
    table.do("cid", c.Sit())
    assert table.table.seats_of("id-cid") == (1,)
    table.do("dee", c.Stand(2))
    with refused(TableRefusal.NOT_INVITED):  # the proposal was for one
        table.do("eve", c.Sit())


def test_one_refusal_keeps_newcomers_out() -> None:
    table = table_of("ann", "bob", "dee")
    table.do("bob", c.Stand(1))
    table.do("ann", c.Ask(0, c.Proposal.NEWCOMER))
    table.do("dee", c.Answer(2, c.Proposal.NEWCOMER, True))
    table.do("dee", c.Answer(2, c.Proposal.NEWCOMER, False))
    with refused(TableRefusal.NOT_INVITED):
        table.do("cid", c.Sit(1))


def test_a_returned_player_must_agree_to_a_newcomer_too() -> None:
    table = table_of("ann", "bob", "dee")
    table.do("bob", c.Stand(1))
    table.absent = frozenset({"id-dee"})
    table.do("ann", c.Ask(0, c.Proposal.NEWCOMER))
    table.absent = frozenset()
    with refused(TableRefusal.NOT_INVITED):
        table.do("cid", c.Sit(1))


def test_a_former_player_cannot_take_another_seat() -> None:
    table = table_of("ann", "bob", "dee")
    table.do("bob", c.Stand(1))
    table.absent = frozenset({"id-dee"})
    table.do("ann", c.Ask(0, c.Proposal.NEWCOMER))
    table.do("cid", c.Sit(1))
    table.do("cid", c.Stand(1))
    assert table.table.chairs[1].owner == "id-cid"
    table.do("ann", c.Ask(0, c.Proposal.NEWCOMER))
    with refused(TableRefusal.ALREADY_SEATED):
        table.do("bob", c.Sit(2))


def test_a_bot_takes_over_for_an_absent_player_until_they_return() -> None:
    table = table_of("ann", "bob")
    with refused(TableRefusal.STILL_HERE):
        table.do("ann", c.SeatBot(1, "river"))
    table.absent = frozenset({"id-bob"})
    table.do("ann", c.SeatBot(1, "river"))
    assert table.table.chairs[1].bot == "river"
    with refused(TableRefusal.NO_FREE_SEAT):
        table.do("cid", c.Sit())
    table.do("bob", c.Sit())
    assert table.table.chairs[1].person == "id-bob"


def test_a_newcomer_takes_over_for_an_absent_player() -> None:
    table = table_of("ann", "bob", "dee")
    with refused(TableRefusal.SEAT_TAKEN):
        table.do("cid", c.Sit(1))
    table.absent = frozenset({"id-bob"})
    table.do("ann", c.Ask(0, c.Proposal.NEWCOMER))
    table.do("dee", c.Answer(2, c.Proposal.NEWCOMER, True))
    table.do("cid", c.Sit(1))
    assert table.table.seats_of("id-cid") == (1,)


def test_abandoning_a_rated_game_counts_as_resigning() -> None:
    table = table_of("ann", "bob", options=Options(rated=True))
    table.absent = frozenset({"id-bob"})
    with refused(TableRefusal.SEAT_TAKEN):
        table.do("cid", c.Sit(1))
    with refused(TableRefusal.RATED_IS_FOR_PEOPLE):
        table.do("ann", c.Ask(0, c.Proposal.NEWCOMER))
    assert table.do("ann", c.SeatBot(1, "river")) == ["Resigned", "Ended"]
    assert table.table.outcome is not None
    assert table.table.outcome.winners == (0,)
    three = table_of("ann", "bob", "cid", options=Options(seats=3, rated=True))
    three.do("bob", c.Stand(1))
    assert three.do("ann", c.SeatBot(1, "river")) == ["Resigned", "Seated"]
    with refused(TableRefusal.SEAT_TAKEN):
        three.do("bob", c.Sit(1))
    assert three.table.chairs[1].owner == "id-bob"


def test_a_spectator_cannot_seat_bots_or_move_or_speak() -> None:
    table = table_of("ann", "bob")
    table.absent = frozenset({"id-bob"})
    with refused(TableRefusal.NOT_SEATED):
        table.do("eve", c.SeatBot(1, "river"))
    with refused(TableRefusal.NOT_YOUR_SEAT):
        table.do("eve", c.Play(0, 0, "e4+1"))
    with refused(TableRefusal.NOT_SEATED):
        table.do("eve", c.Say("hello"))


def test_programs_sit_only_at_tables_that_admit_them() -> None:
    with refused(TableRefusal.PROGRAMS_NOT_WELCOME):
        table_of("ann", "-").do("program", c.Sit())
    table = table_of("ann", "-", options=Options(programs=True))
    table.do("program", c.Sit())
    assert table.table.chairs[1].program


def test_a_rated_table_needs_different_people() -> None:
    table = table_of("ann", "-", options=Options(rated=True))
    with refused(TableRefusal.RATED_IS_FOR_PEOPLE):
        table.do("ann", c.Sit())
    with refused(TableRefusal.RATED_IS_FOR_PEOPLE):
        table.do("ann", c.SeatBot(1, "river"))
    with refused(TableRefusal.RATED_IS_FOR_PEOPLE):
        table_of("ann", "bot:river", options=Options(rated=True))
    with refused(TableRefusal.RATED_IS_FOR_PEOPLE):
        table_of("ann", "-", options=Options(rated=True, hints=True))


def test_a_rated_table_needs_accounts() -> None:
    with refused(TableRefusal.RATED_NEEDS_ACCOUNT):
        table_of("guest", "-", options=Options(rated=True))
    table = table_of("ann", "-", options=Options(rated=True))
    with refused(TableRefusal.RATED_NEEDS_ACCOUNT):
        table.do("guest", c.Sit())
    assert table.do("bob", c.Sit()) == ["Seated", "Started"]


def test_the_host_closes_a_table_that_has_not_begun() -> None:
    table = table_of("ann", "-")
    with refused(TableRefusal.NOT_THE_HOST):
        table.do("bob", c.Close())
    assert table.do("ann", c.Close()) == ["Closed"]
    with refused(TableRefusal.TABLE_OVER):
        table.do("bob", c.Sit())


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (Options(seats=5), TableRefusal.BAD_SEAT_COUNT),
        (Options(seats=2, start=2), TableRefusal.BAD_START),
        (Options(seconds=4), TableRefusal.BAD_SECONDS),
    ],
)
def test_impossible_terms_are_refused(options: Options, code: TableRefusal) -> None:
    with refused(code):
        table_of("ann", "bob", options=options)


def test_a_table_needs_a_person() -> None:
    from riverstones.table import Actor, Chair, Context, create

    bots = (Chair(bot="river", name="river"), Chair(bot="brook", name="brook"))
    with refused(TableRefusal.NEEDS_A_PERSON):
        create("table", Options(), Actor("id-ann", "ann"), bots, Context(0, bytes(32)))


@pytest.mark.parametrize("seat", [-1, 2, 10**30])
def test_a_seat_that_does_not_exist_is_refused(seat: int) -> None:
    with refused(TableRefusal.NO_SUCH_SEAT):
        table_of("ann", "-").do("ann", c.SeatBot(seat, "river"))


def test_a_player_cannot_take_a_second_seat_of_a_running_game() -> None:
    table = table_of("ann", "bob", "cid", options=Options(seats=3))
    table.absent = frozenset({"id-cid"})
    with refused(TableRefusal.ALREADY_SEATED):
        table.do("ann", c.Sit(2))
    table.do("bob", c.Stand(1))
    with refused(TableRefusal.ALREADY_SEATED):
        table.do("ann", c.Sit(1))
    with refused(TableRefusal.ALREADY_SEATED):
        table.do("bob", c.Sit(2))
    table.do("bob", c.Sit(1))
    table.do("ann", c.Ask(0, c.Proposal.NEWCOMER))
    table.do("bob", c.Answer(1, c.Proposal.NEWCOMER, True))
    table.do("dee", c.Sit(2))
    assert table.table.seats_of("id-dee") == (2,)


def test_a_player_of_several_seats_can_return_to_each() -> None:
    table = table_of("ann", "ann", "bob", options=Options(seats=3))
    table.do("ann", c.Stand(1))
    table.do("ann", c.Sit(1))
    assert table.table.seats_of("id-ann") == (0, 1)


def test_a_name_of_many_accents_is_refused_quickly() -> None:
    begun = time.perf_counter()
    with refused(TableRefusal.BAD_NAME):
        table_of("ann", "-").do("ann", c.Sit(name="\u0316\u0301" * 80_000))
    assert time.perf_counter() - begun < 5
