"""Matches on duplicate deals: the pairings, and that a match alone determines its games."""

import json
import sys
from collections import Counter
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from riverstones.engine.arena import Match, Pairing, Result, ResultFile, Tally, WrongFile, compete, processes, to_json
from riverstones.engine.arena.game import play
from riverstones.rules import Game, Layout, Move, Setup, Variant

QUICK = Match(("pebble", "brook"), seed=5)


def essence(tally: Tally) -> list[tuple[Any, ...]]:
    """All games of a match without their times, in order."""
    games = [result for deal in tally.deals() for result in deal]
    return [(game.pairing, game.order, game.scores, game.moves, game.forfeit) for game in games]


class Backwards(Executor):
    """An executor that runs its jobs in reverse order: nothing may depend on the order."""

    def __init__(self) -> None:
        self.given: list[tuple[Future[Any], Any]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.given.append((future, lambda: fn(*args, **kwargs)))
        if len(self.given) == 4:
            while self.given:
                waiting, call = self.given.pop()
                waiting.set_result(call())
        return future


# The match ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bots", "seatings"),
    [
        (("a", "b"), 2),
        (("a", "a"), 1),
        (("a", "b", "c"), 6),
        (("a", "b", "b"), 3),
        (("a", "b", "c", "d"), 24),
        (("a", "b", "b", "b"), 4),
        (("a", "a", "b", "b"), 6),
    ],
)
def test_every_deal_is_played_in_every_seating(bots: tuple[str, ...], seatings: int) -> None:
    match = Match(bots)
    orders = [match.order(Pairing(0, seating)) for seating in range(len(match.seatings))]
    assert len({tuple(bots[bot] for bot in order) for order in orders}) == len(orders) == seatings
    assert all(sorted(order) == list(range(len(bots))) for order in orders)


@pytest.mark.parametrize("bots", [("a", "b"), ("a", "a"), ("a", "b", "b"), ("a", "b", "b", "b"), ("a", "a", "b", "b")])
def test_every_bot_has_every_seat_equally_often(bots: tuple[str, ...]) -> None:
    match = Match(bots)
    games = list(match.pairings(240))
    seats = Counter((bot, seat) for pairing in games for seat, bot in enumerate(match.order(pairing)))
    assert set(seats.values()) == {len(games) // len(bots)}


def test_no_deal_is_left_without_one_of_its_seatings() -> None:
    assert len(list(Match(("a", "b")).pairings(5))) == 6
    assert len(list(Match(("a", "b", "c", "d")).pairings(25))) == 48


def test_deals_and_seeds_follow_from_the_match_and_the_numbers() -> None:
    match, same, other = Match(("a", "b"), 1), Match(("c", "d"), 1), Match(("a", "b"), 2)
    assert match.deal(3) == same.deal(3) != match.deal(4)
    assert match.deal(3) != other.deal(3)
    seeds = {match.bot_seed(Pairing(deal, seating), seat) for deal in (0, 1) for seating in (0, 1) for seat in (0, 1)}
    assert len(seeds) == 8
    assert match.bot_seed(Pairing(1, 1), 0) == same.bot_seed(Pairing(1, 1), 0) != other.bot_seed(Pairing(1, 1), 0)


@pytest.mark.parametrize("bots", [(), ("a",), ("a",) * 5])
def test_two_to_four_can_play(bots: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="Two, three or four bots can play"):
        Match(bots)


# Playing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", Variant)
@pytest.mark.parametrize("bots", [("pebble", "greedy"), ("brook", "greedy", "pebble", "greedy")])
def test_a_result_is_a_game_by_the_rules(bots: tuple[str, ...], variant: Variant) -> None:
    match = Match(bots, 7, variant, Layout.STAR)
    result = play(match, Pairing(1, 1))
    game = Game.begin(Setup(len(bots), variant, Layout.STAR), match.deal(1))
    for move in result.moves:
        game = game.play(Move.parse(move))
    assert game.over
    assert result.scores == game.scores
    assert all(ms > 0 for ms in result.ms)
    assert Result.from_json(json.loads(json.dumps(result.to_json()))) == Result.from_json(result.to_json())


def test_the_same_seed_gives_the_same_games_however_they_are_played() -> None:
    here, threads, backwards = Tally(QUICK), Tally(QUICK), Tally(QUICK)
    compete(here, 8)
    with ThreadPoolExecutor(3) as executor:
        compete(threads, 8, executor=executor, in_flight=5)
    compete(backwards, 8, executor=Backwards(), in_flight=4)
    assert essence(here) == essence(threads) == essence(backwards)
    assert len(here) == 8


def test_the_same_games_are_played_in_processes() -> None:
    here, apart = Tally(QUICK), Tally(QUICK)
    compete(here, 4)
    with processes(2) as executor:
        compete(apart, 4, executor=executor, in_flight=4)
    assert essence(here) == essence(apart)


def test_games_in_flight_are_cancelled_when_the_processes_end() -> None:
    """The match would take hours; its first game is enough."""

    def enough(result: Result) -> None:
        raise KeyboardInterrupt

    tally = Tally(QUICK)
    with pytest.raises(KeyboardInterrupt), processes(2) as executor:
        compete(tally, 1_000_000, executor=executor, in_flight=4, on_result=enough)
    assert len(tally) == 1


def test_the_same_games_are_played_on_a_dask_cluster() -> None:
    distributed = pytest.importorskip("distributed")
    from riverstones.engine.arena.cluster import cluster

    here, there = Tally(QUICK), Tally(QUICK)
    compete(here, 4)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None, protocol="tcp", host="127.0.0.1"
        ) as local,
        cluster(local.scheduler_address) as place,
    ):
        assert place.places == 2
        compete(there, 4, executor=place.executor, in_flight=place.places)
    assert essence(here) == essence(there)


def test_a_missing_cluster_is_reported_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    from riverstones.engine.arena import cluster

    monkeypatch.setattr(cluster, "CONNECT_WITHIN_S", 1)
    with pytest.raises(cluster.NoCluster, match="There is no Dask cluster at"), cluster.cluster("tcp://127.0.0.1:9"):
        pass
    for address in ("", "here", "tcp://here", "tcp://here:there", "river://here:8786"):
        with pytest.raises(cluster.NoCluster, match="looks like tcp://machine:8786"), cluster.cluster(address):
            pass


@pytest.mark.slow
def test_a_lost_cluster_is_reported_in_one_sentence() -> None:
    distributed = pytest.importorskip("distributed")
    from riverstones.engine.arena.cluster import NoCluster, cluster

    local = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp", host="127.0.0.1"
    )
    with (
        local,
        pytest.raises(NoCluster, match="was lost during the match"),
        cluster(local.scheduler_address) as place,
    ):
        compete(Tally(QUICK), 1000, executor=place.executor, on_result=lambda result: local.close())


# Bots that fail ---------------------------------------------------------------------------------------------

BOT = """
import json, sys
from riverstones.notation import parse_position
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "newgame":
        game = asked
    elif asked["type"] == "go":
        position = parse_position(asked["position"])
        moves = [str(play.move) for play in position.plays()]
        {answer}
        print(json.dumps({{"type": "move", "move": moves[0]}}), flush=True)
    else:
        break
"""


def foreign(folder: Path, answer: str = "pass") -> str:
    path = folder / f"bot{len(list(folder.iterdir()))}.py"
    path.write_text(BOT.format(answer=answer), encoding="utf-8")
    return f'cmd:"{sys.executable}" "{path}"'


def test_an_external_bot_plays_the_same_game_as_a_built_in_one(tmp_path: Path) -> None:
    ours, theirs = Tally(Match(("pebble", "greedy"))), Tally(Match(("pebble", foreign(tmp_path))))
    compete(ours, 2)
    compete(theirs, 2)
    assert [game[1:] for game in essence(ours)] == [game[1:] for game in essence(theirs)]


def test_a_bot_that_crashes_loses_that_game_and_the_match_goes_on(tmp_path: Path) -> None:
    """It crashes in one of the two seats, after a few moves."""
    command = foreign(tmp_path, 'if len(position.board) > 20 and game["seat"] == 1: sys.exit("giving up")')
    match = Match(("pebble", command))
    tally = Tally(match)
    compete(tally, 4)
    report = to_json(match, tally.deals())
    assert report["games"] == 4
    assert report["bots"][1]["forfeits"] == 2
    assert report["bots"][0]["wins"] >= 2
    assert report["forfeits"] == [
        {"deal": deal, "seating": 0, "bot": command, "reason": "it exited with status 1: giving up"} for deal in (0, 1)
    ]


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("e5+1", "it made the move e5+1: "),
        ("a1+1", "it made the move a1+1: "),
        ("nonsense", "it answered “nonsense”, which is not a move"),
    ],
)
def test_a_bot_that_makes_no_legal_move_loses(tmp_path: Path, move: str, reason: str) -> None:
    match = Match(("greedy", foreign(tmp_path, f"moves = [{move!r}]")))
    result = play(match, Pairing(0, 1))
    assert result.forfeit is not None
    assert result.forfeit.seat == 0
    assert result.forfeit.reason.startswith(reason)
    assert result.moves == ()
    assert result.winners == (1,)
    assert result.beats(1, 0) == 1
    assert result.beats(0, 1) == 0


def test_a_bot_that_cannot_be_started_loses(tmp_path: Path) -> None:
    result = play(Match(("cmd:no-such-program", "greedy", "pebble")), Pairing(0, 0))
    assert result.forfeit is not None
    assert result.forfeit.reason == "there is no program “no-such-program”"
    assert result.winners == (1, 2)


# The result file --------------------------------------------------------------------------------------------


def test_a_match_is_resumed_from_its_file(tmp_path: Path) -> None:
    whole = Tally(QUICK)
    compete(whole, 6)
    path = tmp_path / "match.jsonl"
    with ResultFile.create(path, QUICK) as file:
        compete(Tally(QUICK), 2, on_result=file.add)
    with ResultFile.resume(path, QUICK) as file:
        assert len(file.results) == 2
        tally = Tally(QUICK, file.results)
        compete(tally, 6, on_result=file.add)
    assert essence(tally) == essence(whole)
    assert len(path.read_text().splitlines()) == 1 + 6
    with ResultFile.resume(path, QUICK) as file:
        assert essence(Tally(QUICK, file.results)) == essence(whole)


def test_the_game_of_an_incomplete_line_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with ResultFile.create(path, QUICK) as file:
        compete(Tally(QUICK), 4, on_result=file.add)
    data = path.read_bytes()
    path.write_bytes(data[:-40])
    with ResultFile.resume(path, QUICK) as file:
        assert len(file.results) == 3
        compete(Tally(QUICK, file.results), 4, on_result=file.add)
    with ResultFile.resume(path, QUICK) as file:
        assert len(file.results) == 4
    assert len(path.read_bytes().splitlines()) == 5


def test_a_missing_file_is_created(tmp_path: Path) -> None:
    with ResultFile.resume(tmp_path / "match.jsonl", QUICK) as file:
        assert file.results == ()
    assert (tmp_path / "match.jsonl").read_text().count("\n") == 1


@pytest.mark.parametrize(
    ("content", "match", "words"),
    [
        ("hello", QUICK, "is not a result file"),
        ("hello\n", QUICK, "is not a result file"),
        ("[]\n", QUICK, "is not a result file"),
        ("{}\n", QUICK, "is not a result file"),
        ('{"riverstones_arena": 0}\n', QUICK, "holds another match: it was written by another version of the arena"),
        (None, Match(("pebble", "brook"), seed=6), "holds another match: its seed is 5"),
        (None, Match(("brook", "pebble"), seed=5), "holds another match: its bots are pebble, brook"),
        (None, Match(("pebble", "brook"), 5, Variant.EXPERT), "holds another match: its variant is standard"),
    ],
)
def test_another_file_is_refused_and_left_alone(tmp_path: Path, content: str | None, match: Match, words: str) -> None:
    path = tmp_path / "match.jsonl"
    if content is None:
        ResultFile.create(path, QUICK).__exit__()
    else:
        path.write_text(content)
    before = path.read_bytes()
    with pytest.raises(WrongFile, match=words):
        ResultFile.resume(path, match)
    with pytest.raises(WrongFile, match="already exists"):
        ResultFile.create(path, match)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "changes",
    [{"seating": 2}, {"seating": -1}, {"deal": -1}, {"deal": "one"}, {"order": [0, 0]}, {"scores": [1]}, {"ms": ["-"]}],
)
def test_a_file_with_impossible_games_is_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    path = tmp_path / "match.jsonl"
    with ResultFile.create(path, QUICK) as file:
        compete(Tally(QUICK), 2, on_result=file.add)
    terms, first, second = path.read_text().splitlines()
    path.write_text("\n".join([terms, first, json.dumps(json.loads(second) | changes), ""]))
    with pytest.raises(WrongFile, match="is not a result file"):
        ResultFile.resume(path, QUICK)


@pytest.mark.parametrize("kept", [0, 30])
def test_a_file_with_an_incomplete_first_line_is_restarted(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "match.jsonl"
    ResultFile.create(path, QUICK).__exit__()
    whole = path.read_bytes()
    path.write_bytes(whole[:kept])
    with ResultFile.resume(path, QUICK) as file:
        assert file.results == ()
    assert path.read_bytes() == whole


def test_a_command_with_invalid_utf_8_is_kept(tmp_path: Path) -> None:
    """As Python passes an argument with a byte that is not valid UTF-8."""
    path = tmp_path / "match.jsonl"
    match = Match(("cmd:no-such-program \udcff", "greedy"))
    with ResultFile.create(path, match) as file:
        compete(Tally(match), 2, on_result=file.add)
    with ResultFile.resume(path, match) as file:
        assert len(file.results) == 2


def test_a_file_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    with pytest.raises(WrongFile, match="cannot be written: No such file or directory"):
        ResultFile.create(tmp_path / "nowhere" / "match.jsonl", QUICK)
    with pytest.raises(WrongFile, match="is a directory, not a file"):
        ResultFile.create(tmp_path, QUICK)
