"""Invariants of every table, checked with random commands."""

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverstones.rules import Deal, Game, Malformed, Refused, Scoring, Variant
from riverstones.table import Clock, Entry, NotAllowed, Options, Table, Viewer, fold, snapshot, tell
from riverstones.table import commands as c
from riverstones.table import events as e

from .helpers import Played, table_of, viewers

PEOPLE = ["ann", "bob", "cid", "eve", "system"]


def any_command(rng: random.Random, table: Table) -> c.Command:
    """A random command that is more often valid than not."""
    seat = rng.randrange(len(table.chairs))
    last = table.turn - 1
    if table.game and table.to_move is not None and rng.random() < 0.7:
        plays = table.game.plays()
        play = rng.choice(plays[:5])
        claim = play.points + rng.choice([0, 0, 0, 5]) if table.by_claims else None
        return c.Play(table.to_move, table.turn, str(play.move), claim)
    proposal = rng.choice(list(c.Proposal))
    commands: list[c.Command] = [
        c.Sit(rng.choice([None, seat])),
        c.Stand(seat),
        c.SeatBot(seat, "brook"),
        c.ClearSeat(seat),
        c.Reveal(seat, table.turn),
        c.Object(seat, last),
        c.Confirm(seat, last),
        c.Ask(seat, proposal),
        c.Answer(seat, proposal, rng.random() < 0.7),
        c.Resume(seat),
        c.Say("hello"),
        c.Tick(),
        c.Wake(),
    ]
    if rng.random() < 0.03:
        commands += [c.Resign(seat), c.Close()]
    return rng.choice(commands)


def wander(seed: int, steps: int = 150) -> Played:
    rng = random.Random(seed)
    options = Options(
        seats=3,
        variant=rng.choice(list(Variant)),
        scoring=rng.choice(list(Scoring)),
        clock=rng.choice(list(Clock)),
        start=rng.choice([0, 1, 2, "random"]),
    )
    table = table_of("ann", rng.choice(["-", "bob", "ann"]), rng.choice(["bot:river", "-"]), options=options, seed=seed)
    table.claim_wait_ms = 8_000
    for _ in range(steps):
        command = any_command(rng, table.table)
        who = table.holder() if isinstance(command, c.Play) else rng.choice(PEOPLE)
        system_only = isinstance(command, c.Tick | c.Wake)
        players_only = isinstance(command, c.Sit | c.SeatBot | c.ClearSeat | c.Close | c.Say)
        if system_only or (who == "system" and players_only):
            who = "system" if system_only else "ann"
        table.now_ms += rng.choice([0, 10, 1000, 40_000])
        table.absent = frozenset(rng.sample(["id-ann", "id-bob"], rng.randrange(2)))
        table.away = table.absent | frozenset(rng.sample(["id-ann", "id-bob"], rng.randrange(2)))
        before, length = table.table, len(table.log)
        try:
            table.do(who, command)
        except (NotAllowed, Refused, Malformed):
            assert table.table == before
            assert len(table.log) == length
    return table


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_replay_equals_live(seed: int) -> None:
    table = wander(seed)
    assert fold(table.log) == table.table
    assert [entry.seq for entry in table.log] == list(range(1, len(table.log) + 1))


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_a_clock_waits_only_for_a_device_that_is_handed_over(seed: int) -> None:
    log = wander(seed).log
    state = fold(log[:1])
    for entry in log[1:]:
        state = fold([entry], state)
        seat = state.to_move
        if state.awaiting_reveal:
            assert seat is not None
            assert state.shares_device(seat)
        elif seat is not None and state.options.clock is not Clock.OFF:
            assert (state.left_ms if state.paused else state.deadline_ms) is not None


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_an_event_survives_storage(seed: int) -> None:
    for entry in wander(seed, 60).log:
        stored = json.dumps(e.to_json(entry.event))
        assert e.from_json(e.name_of(entry.event), json.loads(stored)) == entry.event


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_every_message_is_json_and_numbered_alike_for_all(seed: int) -> None:
    table = wander(seed, 60)
    for number, (entry, state) in enumerate(zip(table.log, table.states(), strict=True), 1):
        told = tell(entry, state)
        to_move = told.public["now"]["to_move"]
        assert to_move is None or told.hands[to_move]
        for viewer in viewers(state):
            assert told.to(viewer)["seq"] == entry.seq == number
            assert json.loads(json.dumps(told.to(viewer))) == told.to(viewer)
            assert json.loads(json.dumps(snapshot(state, viewer))) == snapshot(state, viewer)


def everything_told(table: Played, viewer: Viewer) -> list[str]:
    """All messages and answers a viewer can get over the whole log, without the commitment, a hash of the secret."""
    heard: list[str] = []
    state = fold(table.log[:1])
    for number, entry in enumerate(table.log):
        state = fold([entry], state) if number else state
        seat = viewer.seat if viewer.seat in state.seats_of(viewer.person) else None
        looking = Viewer(viewer.person, seat)
        text = json.dumps([tell(entry, state).to(looking), snapshot(state, looking)])
        assert table.table.seed is not None
        heard.append(text.replace(table.table.seed.commitment, "commitment"))
    return heard


def other_deal(game: Game, seat: int | None) -> Deal:
    """Another deal in which the same moves are legal and the seat draws the same tiles: the others draw differently."""
    digits = list(game.deal.digits)
    owner: list[int | None] = [None] * 5 + [s for s in range(game.setup.seats) for _ in range(2)]
    for turn in game.turns:
        if len(owner) < len(digits):
            owner.append(turn.seat)
    for other in range(game.setup.seats):
        if other != seat:
            places = [place for place, who in enumerate(owner) if who == other]
            played = [turn.move.tile.digit for turn in game.turns if turn.seat == other]
            for place, digit in zip(places, played, strict=True):
                digits[place] = digit
    return Deal(tuple(digits))


@pytest.mark.parametrize("viewer", [Viewer(), Viewer("id-ann", 0), Viewer("id-bob", 1), Viewer("id-cid", 2)])
@pytest.mark.parametrize("scoring", list(Scoring))
def test_two_tables_that_differ_only_in_secrets_send_the_same_messages(
    viewer: Viewer, scoring: Scoring, monkeypatch: pytest.MonkeyPatch
) -> None:
    from riverstones.rules import Seed

    table = table_of("ann", "bob", "cid", options=Options(seats=3, scoring=scoring))
    table.play_on()
    game = table.table.game
    assert game is not None
    deal = other_deal(game, viewer.seat)
    assert deal != game.deal
    ended = next((n for n, entry in enumerate(table.log) if isinstance(entry.event, e.Ended)), len(table.log))
    heard = everything_told(replace(table, log=table.log[:ended]), viewer)
    monkeypatch.setattr(Seed, "deal", lambda self: deal)
    twin = Played(fold(table.log[:ended]), table.log[:ended])
    assert twin.table.game is not None
    assert twin.table.game.hands != game.hands or twin.table.game.deal != game.deal
    assert everything_told(twin, viewer) == heard


def test_the_seed_is_published_at_the_end_and_not_before() -> None:
    table = table_of("ann", "bob")
    seed = table.table.seed
    assert seed is not None
    table.play_on(60)
    assert not any(seed.reveal() in text for text in everything_told(table, Viewer("id-ann", 0)))
    table.play_on()
    assert seed.reveal() in everything_told(table, Viewer())[-1]


def test_a_viewer_cannot_look_from_another_players_seat() -> None:
    table = table_of("ann", "bob")
    for viewer in (Viewer("id-ann", 1), Viewer(None, 0), Viewer("id-eve", 0)):
        with pytest.raises(NotAllowed):
            snapshot(table.table, viewer)


def test_a_log_must_be_complete() -> None:
    table = table_of("ann", "bob")
    table.play_on(3)
    with pytest.raises(ValueError, match="cannot follow"):
        fold([table.log[0], *table.log[2:]])
    with pytest.raises(ValueError, match="first event"):
        fold(table.log[1:])
    with pytest.raises(ValueError, match="once"):
        fold([*table.log, Entry(len(table.log) + 1, 0, table.log[0].event)])
