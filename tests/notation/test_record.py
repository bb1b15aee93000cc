"""Records: what is written is read back, replays to the same game, and agrees with the rules."""

from dataclasses import replace

from hypothesis import given, settings

from riverstones.notation import (
    Fairness,
    Record,
    check_record,
    read_record,
    record_of,
    replay,
    verify_record,
    write_record,
)
from riverstones.rules import Game
from tests.notation.games import records


@settings(max_examples=50)
@given(records())
def test_a_record_is_read_back_and_replays_to_the_same_game(made: tuple[Record, Game]) -> None:
    record, game = made
    text = write_record(record)
    assert read_record(text) == read_record(text.encode("utf-8")) == record
    assert write_record(read_record(text)) == text
    assert check_record(record) == []
    last = replay(record)[-1]
    assert record_of(last).turns == record_of(game).turns
    assert replace(last, deal=game.deal) == game
    if record.header.seed is not None:
        assert last.deal == game.deal
        assert verify_record(text).fairness is Fairness.PROVEN


@settings(max_examples=20)
@given(records())
def test_a_record_without_the_seed_and_the_last_hands_still_replays(made: tuple[Record, Game]) -> None:
    record, game = made
    forgetful = replace(record, header=replace(record.header, seed=None), end=replace(record.end, hands=None))
    games = replay(read_record(write_record(forgetful)))
    assert [len(each.turns) for each in games] == list(range(len(game.turns) + 1))
    assert (games[-1].board, games[-1].turns, games[-1].scores) == (game.board, game.turns, game.scores)
