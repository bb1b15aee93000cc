"""Rules against players who use the table's rules against others: puppets, pauses, proposals, names."""

import pytest

from riverstones.rules import SEAT_COUNTS
from riverstones.table import NotAllowed, Options, TableRefusal, Viewer, fold
from riverstones.table import commands as c
from riverstones.table.options import Clock
from riverstones.table.players import LONGEST_NAME, clean_name
from riverstones.table.proposals import PROPOSAL_BURST, PROPOSAL_BURST_MS
from riverstones.table.views import snapshot

from .helpers import Played, table_of
from .test_seats import refused

NEWCOMER, PAUSE = c.Proposal.NEWCOMER, c.Proposal.PAUSE


# An absent player's seat


def with_newcomer() -> Played:
    """Ann and dee have let eve take the seat of bob, who is absent."""
    table = table_of("ann", "bob", "dee")
    table.absent = frozenset({"id-bob"})
    table.do("ann", c.Ask(0, NEWCOMER))
    table.do("dee", c.Answer(2, NEWCOMER, True))
    assert table.do("eve", c.Sit(1)) == ["Seated"]
    return table


def test_one_player_alone_cannot_give_away_an_absent_players_hand() -> None:
    table = table_of("ann", "bob")
    table.absent = frozenset({"id-bob"})
    with refused(TableRefusal.NOBODY_TO_AGREE):
        table.do("ann", c.Ask(0, NEWCOMER))
    with refused(TableRefusal.NOT_INVITED):
        table.do("eve", c.Sit(1))
    assert table.do("ann", c.SeatBot(1, "brook")) == ["Seated"]


def test_a_player_with_several_seats_is_still_alone() -> None:
    table = table_of("ann", "bob", "ann")
    table.absent = frozenset({"id-bob"})
    with refused(TableRefusal.NOBODY_TO_AGREE):
        table.do("ann", c.Ask(0, NEWCOMER))


def test_a_seat_that_was_left_may_be_given_away_by_one_player() -> None:
    table = table_of("ann", "bob")
    table.do("bob", c.Stand(1))
    table.do("ann", c.Ask(0, NEWCOMER))
    assert table.do("eve", c.Sit(1)) == ["Seated"]
    with refused(TableRefusal.SEAT_TAKEN):
        table.do("bob", c.Sit(1))


def test_consent_for_one_seat_is_none_for_that_of_somebody_who_goes_absent_later() -> None:
    table = table_of("ann", "bob", "dee")
    table.do("dee", c.Stand(2))
    table.do("ann", c.Ask(0, NEWCOMER))
    table.do("bob", c.Answer(1, NEWCOMER, True))
    table.absent = frozenset({"id-bob"})
    with refused(TableRefusal.NOT_INVITED):
        table.do("eve", c.Sit(1))
    assert table.do("eve", c.Sit(2)) == ["Seated"]


def test_the_absent_player_returns_to_a_seat_that_a_newcomer_holds() -> None:
    table = with_newcomer()
    assert snapshot(table.table, Viewer("id-eve", 1))["you"]["hand"]
    assert table.do("bob", c.Sit(1)) == ["Seated"]
    table.absent = frozenset()
    chair = table.table.chairs[1]
    assert (chair.person, chair.name) == ("id-bob", "bob")
    with pytest.raises(NotAllowed):
        snapshot(table.table, Viewer("id-eve", 1))
    with refused(TableRefusal.SEAT_TAKEN):
        table.do("eve", c.Sit(1))
    assert fold(table.log) == table.table


def test_the_absent_player_returns_without_naming_the_seat() -> None:
    table = with_newcomer()
    table.do("bob", c.Sit())
    assert table.table.seats_of("id-bob") == (1,)


@pytest.mark.parametrize("then", ["stand", "bot", "second newcomer"])
def test_the_seat_stays_the_absent_players_whoever_held_it_since(then: str) -> None:
    table = with_newcomer()
    if then == "stand":
        table.do("eve", c.Stand(1))
    else:
        table.absent = frozenset({"id-bob", "id-eve"})
        if then == "bot":
            table.do("ann", c.SeatBot(1, "brook"))
        else:
            table.do("ann", c.Ask(0, NEWCOMER))
            table.do("dee", c.Answer(2, NEWCOMER, True))
            table.do("fay", c.Sit(1))
    assert table.do("bob", c.Sit(1)) == ["Seated"]
    assert fold(table.log) == table.table


def test_a_newcomer_who_resigned_the_seat_has_lost_it_for_the_absent_player_too() -> None:
    table = with_newcomer()
    table.do("eve", c.Resign(1))
    with refused(TableRefusal.SEAT_TAKEN):
        table.do("bob", c.Sit(1))


# A pause of one's own turn


@pytest.mark.parametrize("clock", [Clock.STRICT, Clock.GENTLE, Clock.OFF])
def test_nobody_pauses_their_own_strict_turn_alone(clock: Clock) -> None:
    table = table_of("ann", "bob", options=Options(clock=clock))
    table.absent = frozenset({"id-bob"})
    strict = clock is Clock.STRICT
    assert table.do("ann", c.Ask(0, PAUSE)) == (["Asked"] if strict else ["Asked", "Paused"])
    if strict:
        assert table.do("bob", c.Answer(1, PAUSE, True)) == ["Agreed", "Paused"]


def test_the_turn_of_an_absent_player_may_be_paused_by_the_others() -> None:
    table = table_of("ann", "bob", options=Options(clock=Clock.STRICT))
    table.play_on(turns=1)
    table.absent = frozenset({"id-bob"})
    assert table.do("ann", c.Ask(0, PAUSE)) == ["Asked", "Paused"]


def test_a_strict_turn_is_paused_by_those_who_are_present() -> None:
    table = table_of("ann", "bob", "dee", options=Options(seats=3, clock=Clock.STRICT))
    table.absent = frozenset({"id-bob"})
    table.do("ann", c.Ask(0, PAUSE))
    assert table.do("dee", c.Answer(2, PAUSE, True)) == ["Agreed", "Paused"]


# Many proposals


def test_proposals_are_limited() -> None:
    table = table_of("ann", "bob")
    for _ in range(PROPOSAL_BURST):
        table.do("ann", c.Ask(0, PAUSE))
        table.do("bob", c.Answer(1, PAUSE, False))
    with refused(TableRefusal.ASKED_TOO_OFTEN):
        table.do("ann", c.Ask(0, PAUSE))
    assert table.do("bob", c.Ask(1, PAUSE)) == ["Asked"]
    table.do("bob", c.Answer(1, PAUSE, False))
    table.now_ms += PROPOSAL_BURST_MS
    assert table.do("ann", c.Ask(0, PAUSE)) == ["Asked"]
    assert fold(table.log) == table.table


def test_several_seats_give_no_more_proposals() -> None:
    table = table_of("ann", "ann", "bob")
    for number in range(PROPOSAL_BURST):
        table.do("ann", c.Ask(number % 2, PAUSE))
        table.do("bob", c.Answer(2, PAUSE, False))
    for seat in (0, 1):
        with refused(TableRefusal.ASKED_TOO_OFTEN):
            table.do("ann", c.Ask(seat, PAUSE))


# Names

INVISIBLE = {
    "combining grapheme joiner": "\u034f",
    "variation selectors": "\ufe0f\ufe00\U000e0100",
    "Khmer inherent vowels": "\u17b4\u17b5",
    "Mongolian variation selectors": "\u180b\u180c\u180d",
    "a null notehead": "\U0001d159",
    "combining marks alone": "\u0301\u0308",
    "a tag": "\U000e0041",
    "joiners": "\u200d\u200c",
    "a filler": "\u3164",
}


@pytest.mark.parametrize("name", INVISIBLE.values(), ids=INVISIBLE.keys())
def test_invisible_names_are_refused(name: str) -> None:
    for text in (name, f" {name} {name} "):
        with refused(TableRefusal.BAD_NAME):
            clean_name(text)


@pytest.mark.parametrize("name", ["Ann", "Zoë", "Zoe\u0308", "李", "نیما", "👩‍🚀", "❤️", "می‌خواهم", "?", "7"])
def test_visible_names_stay(name: str) -> None:
    assert clean_name(name)


@pytest.mark.parametrize(
    "name", ["ann", "Ann", "ANN", "\uff21\uff4e\uff4e", "A\u034fnn", "ann\ufe0f", "An\u200dn", " ann "]
)
def test_two_people_with_one_name_are_told_apart(name: str) -> None:
    table = table_of("ann", "-", "-")
    table.do("eve", c.Sit(1, name))
    table.do("fay", c.Sit(2, name))
    second, third = table.names()[1:]
    assert second.endswith(" (2)")
    assert third.endswith(" (3)")


def test_a_long_name_that_is_taken_is_shortened() -> None:
    long = "x" * LONGEST_NAME
    table = table_of(long, "-")
    table.do("eve", c.Sit(1, long))
    assert table.names()[1] == "x" * (LONGEST_NAME - 4) + " (2)"


def test_the_name_of_a_new_table_s_players_differ() -> None:
    for seats in SEAT_COUNTS:
        table = table_of(*["ann"] * seats)
        assert len(set(table.names())) == seats


def test_a_returning_player_keeps_the_name() -> None:
    table = table_of("ann", "bob")
    table.do("bob", c.Stand(1))
    table.do("bob", c.Sit(1))
    assert table.names() == ["ann", "bob"]
