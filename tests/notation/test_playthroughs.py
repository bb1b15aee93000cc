"""Golden records of whole games. Each replays by the rules, and the writer reproduces it exactly."""

from pathlib import Path

import pytest

from riverstones.notation import Ending, Fairness, read_record, record_of, replay, verify_record, write_record
from riverstones.rules import Scoring, Variant

PLAYTHROUGHS = sorted((Path(__file__).parents[1] / "playthroughs").glob("*.river"))


@pytest.fixture(params=PLAYTHROUGHS, ids=lambda path: path.stem)
def text(request: pytest.FixtureRequest) -> str:
    path: Path = request.param
    return path.read_bytes().decode("utf-8")


def test_a_playthrough_is_reproduced_exactly(text: str) -> None:
    assert write_record(read_record(text)) == text


def test_a_playthrough_agrees_with_the_rules(text: str) -> None:
    found = verify_record(text)
    assert [finding.say() for finding in found.findings] == []
    record = read_record(text)
    assert found.fairness is (Fairness.PROVEN if record.header.seed else Fairness.UNOPENED)


def test_a_playthrough_replays_turn_for_turn(text: str) -> None:
    record = read_record(text)
    games = replay(record)
    again = record_of(games[-1], resigned=record.end.resigned)
    assert again.end.scores == record.end.scores
    assert again.end.winners == record.end.winners
    for before, turn in zip(games, record.turns, strict=False):
        assert (before.to_move, before.hand) == (turn.seat, turn.hand)
    for turn, copy in zip(record.turns, again.turns, strict=True):
        assert (turn.move, turn.points, turn.total, turn.objections) == (
            copy.move,
            copy.points,
            copy.total,
            copy.objections,
        )


def test_the_playthroughs_cover_every_part_of_a_record() -> None:
    records = [read_record(path.read_text(encoding="utf-8")) for path in PLAYTHROUGHS]
    setups = [record.header.setup for record in records]
    turns = [turn for record in records for turn in record.turns]
    assert {setup.seats for setup in setups} == {2, 3, 4}
    assert {setup.variant for setup in setups} == set(Variant)
    assert len({setup.layout for setup in setups}) > 1
    assert {setup.scoring for setup in setups} == set(Scoring)
    assert {record.end.how for record in records} >= {Ending.FINISHED, Ending.RESIGNED}
    assert {objection.upheld for turn in turns for objection in turn.objections} == {True, False}
    assert any(turn.timed_out for turn in turns)
    assert any(turn.annotation for turn in turns)
    assert any(turn.comment for turn in turns)
    assert any(player.bot for record in records for player in record.header.players)
