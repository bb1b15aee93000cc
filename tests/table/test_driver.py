"""What a table needs next: invariants under random commands, and a host that only carries out needs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverstones.rules import Game, Malformed, Refused, Scoring, Seed, Setup
from riverstones.table import (
    SYSTEM,
    BotMove,
    BotVerdict,
    Chair,
    Clock,
    Command,
    Context,
    ExpireClock,
    MakeRematch,
    Need,
    NotAllowed,
    Options,
    Phase,
    Table,
    TableRefusal,
    create,
    decide,
    fold,
    needs,
)
from riverstones.table import commands as c
from riverstones.table import events as e
from riverstones.table.driver import bot_move

from .helpers import Played, actor, entropy, table_of
from .test_laws import wander

GOING_ON = (Phase.PLAYING, Phase.SETTLING)
CLAIMS = Options(seats=4, scoring=Scoring.CLAIMS)
WAIT_MS = 8_000
MOST_COMMANDS = 72 * 5
"""More commands than bots can ever submit: each tile is placed once, and each seat judges each move once."""


def states(table: Played) -> Iterator[Table]:
    """The table after each of its events, except between the last move and the end, which come together."""
    state = fold(table.log[:1])
    yield state
    for entry in table.log[1:]:
        state = fold([entry], state)
        if state.phase is not Phase.PLAYING or state.to_move is not None:
            yield state


def commands_of(need: Need, table: Table, rng: random.Random) -> list[Command]:
    """Everything that may be submitted for a need."""
    match need:
        case BotVerdict():
            answers = (need.command(objects) for objects in (True, False))
            return [command for command in answers if command is not None]
        case BotMove():
            assert table.game is not None
            play = rng.choice(table.game.plays()[:5])
            wrong = rng.choice([0, 0, 3])
            return [need.command(play.move, play.points + wrong if table.by_claims else None)]
        case ExpireClock():
            return [need.command]
        case MakeRematch():
            return [need.command("rematch")]


@dataclass
class Host:
    """Carries out what a table needs, with bots that judge and move at random."""

    table: Table
    rng: random.Random
    bots_alone: bool = False
    asked: set[BotVerdict] = field(default_factory=set)

    def next(self, now_ms: int) -> Command | None:
        """The next command that is due; None if there is none before the next event."""
        for need in needs(self.table, bots_alone=self.bots_alone):
            if need in self.asked:
                continue
            if isinstance(need, ExpireClock | MakeRematch):
                if isinstance(need, ExpireClock) and need.at_ms <= now_ms:
                    return need.command
                continue
            if isinstance(need, BotVerdict) and self.rng.random() < 0.7 and need.command(False) is None:
                self.asked.add(need)
                continue
            if need.not_before_ms is not None and now_ms < need.not_before_ms:
                return None
            return self.rng.choice(commands_of(need, self.table, self.rng))
        return None


def rematch_of(need: MakeRematch) -> Table:
    return create("rematch", need.options, need.host, need.chairs, Context(0, entropy(0)), "table").table


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_a_running_table_needs_something_unless_it_waits_for_a_player(seed: int) -> None:
    for table in states(wander(seed)):
        found = needs(table)
        chair = None if table.to_move is None else table.chairs[table.to_move]
        if not found and table.phase in GOING_ON:
            assert table.paused or not table.players or (chair is not None and chair.bot is None)
        bot_moves = table.phase is Phase.PLAYING and not table.paused and bool(table.players)
        assert any(isinstance(need, BotMove) for need in found) == (bot_moves and bool(chair and chair.bot))
        if table.phase not in GOING_ON:
            assert all(isinstance(need, MakeRematch) for need in found)


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_every_command_of_a_need_is_accepted(seed: int) -> None:
    rng = random.Random(seed)
    for table in states(wander(seed)):
        for need in needs(table):
            at_ms = need.at_ms if isinstance(need, ExpireClock) else table.turn_ms
            for command in commands_of(need, table, rng):
                decision = decide(table, SYSTEM, command, Context(at_ms, entropy(seed)))
                assert decision.entries
                assert need not in needs(decision.table)
            if isinstance(need, ExpireClock):
                assert not decide(table, SYSTEM, need.command, Context(at_ms - 1, entropy(seed))).entries
            if isinstance(need, MakeRematch):
                assert rematch_of(need).phase is Phase.PLAYING


def test_the_walks_reach_every_kind_of_need() -> None:
    kinds = {type(need) for seed in range(12) for table in states(wander(seed)) for need in needs(table)}
    assert kinds >= {BotVerdict, BotMove, ExpireClock}


@pytest.mark.slow
@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_bots_alone_finish_every_game(seed: int) -> None:
    rng = random.Random(seed)
    begun = [table for table in states(wander(seed)) if table.phase in GOING_ON]
    if not begun:
        return
    table = rng.choice(begun)
    bots = tuple(Chair(bot="brook", name=f"brook {seat}") for seat in range(len(table.chairs)))
    host = Host(replace(table, chairs=bots, paused=False), rng, bots_alone=True)
    assert all(isinstance(need, ExpireClock) for need in needs(host.table)), "nobody plays for nobody"
    for _ in range(MOST_COMMANDS):
        command = host.next(table.turn_ms)
        if command is None:
            break
        host.table = decide(host.table, SYSTEM, command, Context(table.turn_ms, claim_wait_ms=WAIT_MS)).table
    assert host.table.phase is Phase.OVER


def any_word(table: Table, rng: random.Random) -> tuple[str, Command]:
    """A random command of Ann or Bob while bots wait for them."""
    who, seat = rng.choice([("ann", 0), ("bob", 2)])
    last = table.turn - 1
    if table.to_move == seat and rng.random() < 0.6:
        assert table.game is not None
        play = rng.choice(table.game.plays()[:5])
        return who, c.Play(seat, table.turn, str(play.move), play.points + rng.choice([0, 3]))
    words: list[Command] = [c.Confirm(seat, last), c.Object(seat, last)]
    if table.paused or rng.random() < 0.05:
        words += [c.Ask(seat, c.Proposal.PAUSE), c.Answer(seat, c.Proposal.PAUSE, True), c.Resume(seat)]
    return who, rng.choice(words)


def play_with_bots(seed: int, clock: Clock) -> Played:
    """A whole game of Ann, Bob and two bots whose host only carries out needs."""
    rng = random.Random(seed)
    options = replace(CLAIMS, clock=clock, seconds=rng.choice([5, 30]))
    table = table_of("ann", "bot:pebble", "bob", "bot:brook", options=options, seed=seed)
    table.claim_wait_ms = WAIT_MS
    host = Host(table.table, rng)
    while host.table.phase is not Phase.OVER:
        table.now_ms += rng.choice([0, 10, 1000, 3000])
        table.away = frozenset(rng.sample(["id-ann", "id-bob"], rng.choice([0, 0, 0, 1])))
        if rng.random() < 0.4:
            who, command = any_word(table.table, rng)
            try:
                table.do(who, command)
            except (NotAllowed, Refused, Malformed):
                continue
        elif (due := host.next(table.now_ms)) is not None:
            table.do("system", due)
        host.table = table.table
    return table


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(Clock))
def test_bots_do_not_act_while_players_may_object(seed: int, clock: Clock) -> None:
    """Derived from the log alone: who was connected, who has answered, and how long the bots had to wait."""
    table = play_with_bots(seed, clock)
    until_ms, waited_for, waits = None, set[int](), 0
    after = fold(table.log[:1])
    for entry in table.log[1:]:
        before, after, event = after, fold([entry], after), entry.event
        of_bot = isinstance(event, e.Moved | e.Objected) and before.chairs[event.seat].bot is not None
        by_clock = isinstance(event, e.Moved) and event.timed_out
        if of_bot and not by_clock and before.phase is Phase.PLAYING and before.to_move in (1, 3) and waited_for:
            assert until_ms is not None
            assert entry.at_ms >= until_ms
            waits += 1
        if isinstance(event, e.Moved):
            until_ms = event.objections_ms
            waited_for = set() if until_ms is None else {0, 2} - {event.seat} - set(event.away)
        elif isinstance(event, e.Objected | e.Confirmed):
            waited_for.discard(event.seat)
            if after.game is not None and after.game.turns[-1].upheld:
                waited_for = set()
        elif isinstance(event, e.Resumed):
            until_ms = after.objections_ms
    assert waits > 0


def claimed() -> Played:
    """A table at which Ann has claimed points, a bot is next, and Bob may object."""
    table = table_of("ann", "bot:pebble", "bob", "bot:brook", options=CLAIMS)
    table.claim_wait_ms = WAIT_MS
    table.play_on(1)
    return table


def test_verdicts_come_before_the_move_and_wait_for_players() -> None:
    table = claimed()
    bots = [need for need in needs(table.table) if isinstance(need, BotVerdict | BotMove)]
    assert [(type(need), need.seat, need.turn) for need in bots] == [
        (BotVerdict, 1, 0),
        (BotVerdict, 3, 0),
        (BotMove, 1, 1),
    ]
    assert {need.not_before_ms for need in bots} == {table.now_ms + WAIT_MS}


def test_a_need_stays_the_same_when_its_time_changes() -> None:
    table = claimed()
    before = needs(table.table)
    table.do("bob", c.Confirm(2, 0))
    after = needs(table.table)
    assert after == before
    assert set(after) == set(before)
    assert [need.not_before_ms for need in after if isinstance(need, BotVerdict | BotMove)] == [None, None, None]


def test_a_bot_that_has_objected_is_not_asked_again() -> None:
    table = claimed()
    table.do("system", c.Object(3, 0))
    assert [need.seat for need in needs(table.table) if isinstance(need, BotVerdict)] == [1]


def test_after_the_last_move_every_bot_confirms_even_its_own() -> None:
    table = table_of("ann", "bot:pebble", options=Options(scoring=Scoring.CLAIMS))
    table.play_on()
    assert table.table.phase is Phase.SETTLING
    assert table.table.game is not None
    (verdict, clock) = needs(table.table)
    assert isinstance(verdict, BotVerdict)
    assert isinstance(clock, ExpireClock)
    assert verdict.may_object == (table.table.game.turns[-1].seat == 0)
    assert verdict.command(False) == c.Confirm(1, 66)
    assert verdict.command(True) == (c.Object(1, 66) if verdict.may_object else c.Confirm(1, 66))


@pytest.mark.parametrize("options", [Options(), Options(rated=True), Options(start="random")])
def test_an_agreed_rematch_can_be_made(options: Options) -> None:
    table = table_of("ann", "bob", options=options)
    table.play_on()
    table.do("ann", c.Ask(0, c.Proposal.REMATCH))
    table.do("bob", c.Answer(1, c.Proposal.REMATCH, True))
    (need,) = needs(table.table)
    assert isinstance(need, MakeRematch)
    rematch = rematch_of(need)
    assert (rematch.phase, rematch.previous, rematch.players) == (Phase.PLAYING, "table", table.table.players)


def test_a_table_of_bots_needs_a_host_that_allows_it() -> None:
    bots = tuple(Chair(bot="brook", name=name) for name in ("one", "two"))
    context = Context(0, entropy(0))
    with pytest.raises(NotAllowed, match=TableRefusal.NEEDS_A_PERSON):
        create("table", Options(), actor("ann"), bots, context)
    table = create("table", Options(), actor("ann"), bots, context, bots_alone=True).table
    assert table.phase is Phase.PLAYING
    assert needs(table) == ()
    (move,) = needs(table, bots_alone=True)
    assert isinstance(move, BotMove)


def test_a_need_does_not_print_the_seed_of_its_bot() -> None:
    table = claimed().table
    assert all(str(need.seed) not in repr(need) for need in needs(table) if isinstance(need, BotVerdict | BotMove))


def test_a_game_without_a_table_needs_the_next_bot_move_until_it_is_over() -> None:
    game, bots, moved = Game.begin(Setup(3), Seed(bytes(32)).deal()), ["brook", "drop", "stream"], []
    assert bot_move(game, [None, "drop", "stream"], int) is None  # a person is to move
    while (need := bot_move(game, bots, lambda seat: seat + 7)) is not None:
        assert (need.level, need.seed, need.turn) == (bots[need.seat], need.seat + 7, len(game.turns))
        moved.append(need.seat)
        game = game.play(game.plays()[0].move)
    assert game.over
    assert moved == [turn % 3 for turn in range(67)]
