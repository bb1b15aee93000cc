"""How puzzles are made: games, finders and proofs agree with the rules alone, and everything follows from the seed."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="Numba is not installed")

import numpy as np

from riverstones.engine.careful import careful_play
from riverstones.engine.encoding import board_from_text, hand_from_digits, move_text
from riverstones.engine.kernel import MAX_PLAYS, SAVED_SHAPE, generate, new_state
from riverstones.rules import COPIES, DIGITS, Board, Hand, Move, Variant, plays, refusal
from riverstones.study.puzzles.checking import Depth, puzzle_faults, sprint_faults
from riverstones.study.puzzles.file import read_puzzle, read_sprint, shipped
from riverstones.study.puzzles.making import finders, scan
from riverstones.study.puzzles.making.continuations import Continuations, clearly_better
from riverstones.study.puzzles.making.games import MOVES, PlayedGame, Workspace
from riverstones.study.puzzles.making.jobs import Plan, do_block
from riverstones.study.puzzles.making.sprints import solve
from riverstones.study.puzzles.puzzle import Kind, hand_after
from tools import make_puzzles

SEED = 7


def moments(plies: tuple[int, ...] = (5, 20, 40, 62), games: int = 4) -> Iterator[tuple[PlayedGame, int]]:
    for number in range(games):
        game = PlayedGame(SEED, number)
        for ply in plies:
            yield game, ply


# Games ---------------------------------------------------------------------------------------------------------------


def test_a_game_is_legal_from_the_first_tile_to_the_last() -> None:
    for number in range(3):
        game = PlayedGame(SEED, number)
        for ply in range(MOVES):
            moment = game.moment(ply)
            move = Move.parse(move_text(int(game.plays[ply])))
            assert move.tile.digit in moment.hand
            assert refusal(moment.board, move, moment.variant) is None
            held = [*moment.hand, *moment.other, *moment.coming]
            assert sorted(moment.board.counts()[d - 1] + held.count(d) for d in DIGITS) == [COPIES] * 9
            following = game.moment(ply + 1) if ply + 1 < MOVES else None
            if following is not None:
                assert following.board == move.on(moment.board)
                assert following.other == hand_after(moment.hand, move, moment.coming[:1])


def test_games_differ_in_variant_and_layout() -> None:
    games = [PlayedGame(SEED, number) for number in range(30)]
    assert {game.variant for game in games} == set(Variant)
    assert len({game.layout for game in games}) == 4


def expected_points(board: Board, variant: Variant) -> float:
    """What a greedy seat may expect that holds any two tiles that are not on the board."""
    left = [digit for digit in DIGITS for _ in range(COPIES - board.count(digit))]
    best = {digit: plays(board, (digit,), variant)[0].points for digit in set(left)}
    pairs = [(a, b) for n, a in enumerate(left) for b in left[n + 1 :]]
    return sum(max(best[a], best[b]) for a, b in pairs) / len(pairs)


@pytest.mark.slow  # compiles the function for a call from Python
def test_a_careful_seat_leaves_the_next_one_little() -> None:
    for game, ply in moments((45, 58), games=2):
        moment = game.moment(ply)
        state = new_state(moment.board.cells, game.expert)
        pool = np.array([0.0, *(COPIES - count for count in moment.board.counts())])
        saved, listed = np.zeros(SAVED_SHAPE, np.int32), np.zeros(MAX_PLAYS, np.int64)
        hand = hand_from_digits("".join(map(str, moment.hand)))
        chosen = _careful(state, hand, pool, listed, saved)
        values = {
            play.move: play.points - 0.5 * expected_points(play.move.on(moment.board), moment.variant)
            for play in plays(moment.board, moment.hand, moment.variant)
        }
        assert values[Move.parse(move_text(chosen))] == pytest.approx(max(values.values()))


def _careful(state: object, hand: int, pool: object, listed: object, saved: object) -> int:
    """`careful_play` has no wrapper for Python, since only compiled code calls it."""
    import numba

    @numba.njit
    def call(state, hand, pool, listed, saved, best):  # type: ignore[no-untyped-def]
        return careful_play(state, hand, pool, listed, saved, best)

    return int(call(state, hand, pool, listed, saved, np.zeros(10, np.int64)))


# Finders -------------------------------------------------------------------------------------------------------------


def test_a_scan_counts_as_the_rules_do() -> None:
    for number in range(3):
        game, work = PlayedGame(SEED, number), Workspace()
        found = np.zeros((MOVES, scan.COLUMNS), np.int64)
        scan.scan_game(
            board_from_text(game.start.cells), game.expert, game.plays, game.hands, found,
            work.state, work.list, work.saved,
        )  # fmt: skip
        for ply in range(3, MOVES, 7):
            moment = game.moment(ply)
            legal = plays(moment.board, moment.hand, moment.variant)
            best = [play for play in legal if play.points == legal[0].points > 0]
            here = found[ply].tolist()
            assert here[scan.BEST] == legal[0].points
            assert here[scan.EQUALS] == len(best)
            assert here[scan.NEXT] == max((play.points for play in legal if play not in best), default=0)
            assert here[scan.WITHOUT_FLIP] == max(play.points for play in legal if not play.move.flips)
            assert here[scan.ONE_KAKURO] == max(play.points for play in legal if len(play.kakuros) < 2)
            counts = [len(play.kakuros) for play in best] or [0]
            assert (here[scan.FEWEST_KAKUROS], here[scan.MOST_KAKUROS]) == (min(counts), max(counts))


def test_found_puzzles_meet_the_definitions() -> None:
    kinds = set()
    for number in range(6):
        game, rng = PlayedGame(SEED, number), random.Random(number)
        found = [*finders.by_points(game, rng, gems_only=False), *finders.errors(game, rng), *finders.wins(game)]
        if number < 2:
            found += finders.further(game, SEED)
        for puzzle in found:
            # A file takes only those endgames that a single move wins.
            several = ["more than one play wins"] if puzzle.kind is Kind.WIN and len(puzzle.answers or ()) > 1 else []
            assert puzzle_faults(puzzle, Depth.ENGINE) == several
            kinds.add(puzzle.kind)
    assert kinds >= {Kind.MOST_POINTS, Kind.FLIP, Kind.TWO_KAKUROS, Kind.SPOT_THE_ERROR, Kind.LOOK_FURTHER}


def test_wrong_claims_are_wrong_in_every_way_that_people_err() -> None:
    rng = random.Random(1)
    claims = [puzzle for number in range(60) for puzzle in finders.errors(PlayedGame(SEED, number), rng)]
    wrong = [puzzle for puzzle in claims if not puzzle.claim_is_right]
    assert 0.3 < len(wrong) / len(claims) < 0.7
    illegal = [puzzle for puzzle in wrong if refusal(puzzle.board, puzzle.answer, puzzle.variant) is not None]
    assert 0 < len(illegal) < len(wrong)
    assert any(puzzle.answer.tile.is_total and not puzzle.best for puzzle in wrong)
    assert any(puzzle.best for puzzle in wrong)


def test_continuations_tell_a_good_play_from_a_bad_one() -> None:
    puzzle = shipped().of_kind(Kind.LOOK_FURTHER)[0]
    played = Continuations(puzzle.board, puzzle.variant, puzzle.hand, seed=5, worlds=400)
    state = new_state(puzzle.board.cells, puzzle.variant is Variant.EXPERT)
    listed = np.zeros(MAX_PLAYS, np.int64)
    count = generate(state, hand_from_digits("".join(map(str, puzzle.hand))), listed)
    by_move = {move_text(play): play for play in listed[:count].tolist()}
    assert puzzle.next_best is not None
    gains = [played.gains(by_move[str(move)]) for move in (puzzle.answer, puzzle.next_best.move)]
    assert clearly_better(gains[0], gains[1])
    assert not clearly_better(gains[1], gains[0])
    assert not clearly_better(gains[0], gains[0] + 0.01)
    again = Continuations(puzzle.board, puzzle.variant, puzzle.hand, seed=5).gains(by_move[str(puzzle.answer)])
    assert again.tolist() == gains[0].tolist()


# Proofs by the rules alone -------------------------------------------------------------------------------------------


def most_points(board: Board, variant: Variant, hand: Hand, tiles: Hand, moves: int, known: dict[object, int]) -> int:
    """The most points of so many moves alone, by trying all of them."""
    if not moves:
        return 0
    key = board, hand, moves
    if key not in known:
        known[key] = max(
            play.points
            + most_points(
                play.move.on(board), variant, hand_after(hand, play.move, tiles[:1]), tiles[1:], moves - 1, known
            )
            for play in plays(board, hand, variant)
        )
    return known[key]


@pytest.mark.parametrize("variant", Variant)
@pytest.mark.parametrize(
    ("tiles", "hand", "drawn"),
    [("a1=3 b1+1", (2, 4), (6, 1, 5)), ("i9+5 i8+2 h9=7", (1, 7), (7, 3, 9)), ("a5=8 a6+3 a7+5", (3, 5), (8, 8, 2))],
)
def test_the_optimum_of_a_sprint_is_that_of_a_brute_force(
    variant: Variant, tiles: str, hand: Hand, drawn: Hand
) -> None:
    board = Board.of(tiles)
    optimum, line = solve(board, variant, hand, drawn)
    assert optimum == most_points(board, variant, hand, drawn, 4, {})
    points, held = 0, hand
    for turn, move in enumerate(line):
        points += next(play.points for play in plays(board, held, variant) if play.move == move)
        board, held = move.on(board), hand_after(held, move, drawn[turn : turn + 1])
    assert points == optimum


def margin(board: Board, variant: Variant, mine: Hand, theirs: Hand, alpha: int, beta: int) -> int:
    """What the seat to move gains until the end under best play, by the rules alone (alpha-beta)."""
    if not mine:
        return 0
    best = -10_000
    for play in plays(board, mine, variant):
        if not theirs:
            return play.points
        left = hand_after(mine, play.move, ())
        # Before the last reply a play gains at most its points, and plays are sorted by them.
        if len(theirs) == 1 and not left and play.points <= max(best, alpha):
            return max(best, play.points)
        gain = play.points - margin(play.move.on(board), variant, theirs, left, play.points - beta, play.points - alpha)
        best = max(best, gain)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


@pytest.mark.slow
def test_only_the_answers_win_by_an_exhaustive_search_with_the_rules() -> None:
    for puzzle in shipped().of_kind(Kind.WIN)[:2]:
        assert puzzle.scores is not None
        assert puzzle.others is not None
        needed = puzzle.scores[1] - puzzle.scores[0]
        for play in plays(puzzle.board, puzzle.hand, puzzle.variant):
            left = hand_after(puzzle.hand, play.move, ())
            # The play wins if the opponent gains less than its points and the lead together.
            lost = margin(
                play.move.on(puzzle.board), puzzle.variant, puzzle.others, left,
                play.points - needed - 1, play.points - needed,
            )  # fmt: skip
            assert (play.points - lost > needed) == (play.move in (puzzle.answers or ())), (puzzle.id, play.move)


# The whole -----------------------------------------------------------------------------------------------------------

SMALL = Plan(games=4, ordinary=3, wins=4, further=1, sprints=2, block=2)


@pytest.mark.slow
def test_a_block_depends_on_the_seed_and_its_number_alone() -> None:
    first = [do_block(SEED, SMALL, number) for number in range(SMALL.blocks())]
    again = [do_block(SEED, SMALL, number) for number in reversed(range(SMALL.blocks()))][::-1]
    assert first == again
    assert do_block(SEED + 1, SMALL, 0) != first[0]
    for text in [text for block in first for text in block]:
        line = text.split(" ")[1]
        if line[3] == ".":
            assert sprint_faults(read_sprint(line), Depth.ENGINE) == []
        else:
            assert puzzle_faults(read_puzzle(line), Depth.ENGINE) == []


@pytest.mark.slow
def test_a_run_that_was_stopped_continues_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_puzzles.do_missing(SEED, SMALL, tmp_path / "whole", None, 1)
    whole = list(make_puzzles.lines_of(SMALL, tmp_path / "whole"))
    done: list[int] = []

    def stop_after_one(seed: int, plan: Plan, number: int) -> tuple[int, list[str]]:
        if done:
            raise KeyboardInterrupt
        done.append(number)
        return number, do_block(seed, plan, number)

    monkeypatch.setattr(make_puzzles, "numbered_block", stop_after_one)
    with pytest.raises(KeyboardInterrupt):
        make_puzzles.do_missing(SEED, SMALL, tmp_path / "parts", None, 1)
    assert len(list((tmp_path / "parts").iterdir())) == 1
    monkeypatch.undo()
    make_puzzles.do_missing(SEED, SMALL, tmp_path / "parts", None, 1)
    assert list(make_puzzles.lines_of(SMALL, tmp_path / "parts")) == whole


@pytest.mark.slow
def test_the_same_blocks_are_done_in_processes(tmp_path: Path) -> None:
    make_puzzles.do_missing(SEED, SMALL, tmp_path / "here", None, 1)
    with make_puzzles.workers(2, None) as (executor, places):
        make_puzzles.do_missing(SEED, SMALL, tmp_path / "there", executor, places)
    here, there = (list(make_puzzles.lines_of(SMALL, tmp_path / name)) for name in ("here", "there"))
    assert here == there


@pytest.mark.slow
def test_the_same_blocks_are_done_on_a_dask_cluster(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    make_puzzles.do_missing(SEED, SMALL, tmp_path / "here", None, 1)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None, protocol="tcp", host="127.0.0.1"
        ) as local,
        make_puzzles.workers(1, local.scheduler_address) as (executor, places),
    ):
        make_puzzles.do_missing(SEED, SMALL, tmp_path / "there", executor, places)
    here, there = (list(make_puzzles.lines_of(SMALL, tmp_path / name)) for name in ("here", "there"))
    assert here == there
