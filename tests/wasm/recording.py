"""Recordings of native calls of compiled functions, for replay on the WebAssembly kernel.

A recording is a list of steps: `["array", type, shape]` allocates array number 0, 1, ...; `["write", array, start,
values]` writes numbers; `["call", function, arguments, result, checksums]` calls a function, with `"#3"` for array 3,
and has what it returned and a checksum of every array among the arguments afterwards: so scratch memory is compared as
well.

`record_games` plays games, two to four seats, both variants, at random or greedily, from deals of its seed, and calls
every function in many of their positions.
"""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from riverstones.engine import kernel, lookahead, simulation, softmax, win_probability
from riverstones.engine.encoding import ALL_DIGITS, RED, digit_of
from riverstones.engine.endgame import last_round, two_seats
from riverstones.engine.greedy import STONES
from riverstones.engine.wasm import export_name

STAGES: tuple[tuple[int, int, float], ...] = (
    (0, 0, 0.0),
    (1, 0, 0.0),
    (2, 0, 0.0),
    (2, 1, 0.01),
    (3, 0, 0.05),
    (4, 0, 0.05),
)
"""Look-aheads: the plies, how many of them are careful, and the cutoff."""

_WEIGHTS = (np.arange(1 << 16, dtype=np.uint32) * np.uint32(0x9E3779B1)) | np.uint32(1)


def checksum(array: Any) -> int:
    """Each 32-bit word times an odd number of its own, summed modulo 2**32: a change of one word always shows."""
    data = array.tobytes()
    words = np.frombuffer(data, np.uint32, len(data) // 4)
    rest = np.frombuffer(data, np.uint8, len(data) % 4, len(data) - len(data) % 4).astype(np.uint32)
    every = np.concatenate([words, rest]) if len(rest) else words
    return int((every * _WEIGHTS[: len(every)]).sum(dtype=np.uint32))


class Recorder:
    """Calls compiled functions and writes down what happens."""

    def __init__(self, checksums: bool = True) -> None:
        self.steps: list[list[Any]] = []
        self.calls: Counter[str] = Counter()
        self.spent_ms: defaultdict[str, float] = defaultdict(float)
        """The time in each function, with what Numba needs to pass the arguments."""
        self._checksums = checksums
        self._numbers: dict[int, str] = {}
        self._arrays: list[Any] = []

    def zeros(self, shape: int | tuple[int, ...], kind: str) -> Any:
        """A new array."""
        array = np.zeros(shape, kind)
        self._numbers[id(array)] = f"#{len(self._arrays)}"
        self._arrays.append(array)
        self.steps.append(["array", kind, list(array.shape)])
        return array

    def array(self, values: Sequence[float], kind: str) -> Any:
        """A new array with these values."""
        array = self.zeros(len(values), kind)
        self.write(array, 0, values)
        return array

    def write(self, array: Any, start: int, values: Sequence[float]) -> None:
        """Replace numbers of an array."""
        array.reshape(-1)[start : start + len(values)] = values
        self.steps.append(["write", int(self._numbers[id(array)][1:]), start, list(values)])

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a compiled function."""
        dispatcher: Any = function
        name = export_name(dispatcher.py_func)
        begun = time.perf_counter()
        result = function(*arguments)
        self.spent_ms[name] += 1000 * (time.perf_counter() - begun)
        self.calls[name] += 1
        arrays = [each for each in arguments if isinstance(each, np.ndarray)]
        given = [self._numbers[id(each)] if isinstance(each, np.ndarray) else each for each in arguments]
        sums = [checksum(each) for each in arrays] if self._checksums else None
        self.steps.append(["call", name, given, result, sums])
        return result


class _Memory:
    """The arrays that all positions share."""

    def __init__(self, recorder: Recorder, rng: random.Random, worlds: int) -> None:
        zeros = recorder.zeros
        self.bits = recorder.array([rng.randrange(-(1 << 31), 1 << 31) for _ in range(72 * worlds)], "int32")
        self.board = zeros(81, "uint8")
        self.state = zeros(kernel.STATE_SHAPE, "int32")
        self.scratch = zeros(kernel.STATE_SHAPE, "int32")
        self.plays = zeros(kernel.MAX_PLAYS, "int64")
        self.best = zeros(10, "int64")
        self.saved = zeros(kernel.SAVED_SHAPE, "int32")
        self.passes = zeros(1, "int64")
        self.worth = {seats: recorder.array([1.0, *(-1.25 / (seats - 1),) * 3], "float64") for seats in (2, 3, 4)}
        self.notes = zeros((lookahead.MOST_PLIES, 10, lookahead.DIGIT_COLUMNS), "float64")
        self.marks = zeros((lookahead.MOST_PLIES, 26), "int64")
        self.deep_saved = zeros((lookahead.MOST_PLIES, *kernel.SAVED_SHAPE), "int32")
        self.four_plays = zeros((4, kernel.MAX_PLAYS), "int64")
        self.four_saved = zeros((4, *kernel.SAVED_SHAPE), "int32")
        self.solver_notes = zeros((4, 9), "int64")
        self.killer = zeros(4, "int64")
        self.round_notes = zeros((4, 3), "int64")
        self.round_scores = zeros((7, 4), "int64")


class _Position:
    """A game in progress, as the recorder drives it."""

    def __init__(self, rng: random.Random) -> None:
        self.seats = rng.choice((2, 2, 3, 4))
        self.expert = rng.random() < 0.5
        self.greed = rng.choice((0.0, 0.5, 1.0))
        deal = rng.sample([digit for digit in range(1, 10) for _ in range(8)], 72)
        self.tiles = [0] * 81
        for place, square in enumerate(STONES.tolist()):
            self.tiles[square] = deal[place] + (RED if place == 0 else 0)
        deal = deal[5:]
        self.hands = [[deal.pop(), deal.pop()] for _ in range(self.seats)]
        self.bag = deal
        self.to_move = 0

    @property
    def off_board(self) -> list[int]:
        counts = Counter(tile & 15 for tile in self.tiles if tile)
        return [0, *(8 - counts[digit] for digit in range(1, 10))]

    @property
    def in_order(self) -> list[list[int]]:
        """The hands, beginning with the seat to move."""
        return self.hands[self.to_move :] + self.hands[: self.to_move]


def record_games(recorder: Recorder, seed: int, positions: int, searches: int = 2, worlds: int = 4) -> None:
    """Play until this many positions have been visited, with this many searches and worlds in each."""
    rng = random.Random(seed)
    memory = _Memory(recorder, rng, worlds)
    visited = 0
    while visited < positions:
        position = _Position(rng)
        recorder.write(memory.board, 0, position.tiles)
        recorder.call(kernel.load, memory.state, memory.board, position.expert)
        while position.in_order[0]:
            visited += 1
            _visit(recorder, memory, position, rng, searches, worlds)


def _visit(
    recorder: Recorder, memory: _Memory, position: _Position, rng: random.Random, searches: int, worlds: int
) -> None:
    hands = position.in_order
    recorder.call(kernel.generate, memory.state, ALL_DIGITS, memory.plays)
    recorder.call(kernel.best_by_digit, memory.state, memory.best)
    hand = sum({1 << digit for digit in hands[0]})
    count = recorder.call(kernel.generate, memory.state, hand, memory.plays)
    plays = sorted(memory.plays[:count].tolist())
    _write_root(recorder, memory, position, rng)
    some = [plays[0], *rng.choices(plays, k=searches - 1)] if searches else []
    for play in some:
        _search(recorder, memory, position, play, rng)
        if position.seats > 2:
            _simulate(recorder, memory, position, play, rng, worlds)
        elif not position.bag:
            _solve(recorder, memory, hands, play)
        if position.seats > 2 and all(len(each) <= 1 for each in hands):
            _finish(recorder, memory, hands, play, rng)
    _choose(recorder, rng)
    play = plays[0] if rng.random() < position.greed else rng.choice(plays)
    recorder.call(kernel.apply, memory.state, play, memory.saved)
    recorder.call(kernel.undo, memory.state, play, memory.saved)
    recorder.call(kernel.apply, memory.state, play, memory.saved)
    hands[0].remove(digit_of(play))
    position.tiles = memory.state[:9, 1:10].ravel().tolist()
    if position.bag:
        hands[0].append(position.bag.pop())
    position.to_move = (position.to_move + 1) % position.seats


def _write_root(recorder: Recorder, memory: _Memory, position: _Position, rng: random.Random) -> None:
    """What the seat to move knows, as `iterative.LookAhead` writes it, with random knowledge about the others."""
    off_board, hands = position.off_board, position.in_order
    for seat in range(position.seats):
        likely = [count * rng.random() if seat else 0.0 for count in off_board]
        total = sum(likely) or 1.0
        recorder.write(memory.notes, seat * lookahead.DIGIT_COLUMNS, [each / total for each in likely])
    recorder.write(memory.notes, lookahead.POOL * lookahead.DIGIT_COLUMNS, off_board)
    recorder.write(memory.marks, lookahead.SIZES, [len(hand) for hand in hands])
    recorder.write(memory.marks, lookahead.BAG, [len(position.bag)])


def _search(recorder: Recorder, memory: _Memory, position: _Position, play: int, rng: random.Random) -> None:
    plies, careful, cutoff = rng.choice(STAGES)
    recorder.call(
        lookahead.expected_value, memory.state, play, sum(position.in_order[0]) - digit_of(play), plies, careful,
        position.seats, cutoff, rng.choice((0.0, 0.55)), memory.worth[position.seats], memory.notes, memory.marks,
        memory.deep_saved, memory.plays, memory.passes,
    )  # fmt: skip


def _simulate(
    recorder: Recorder, memory: _Memory, position: _Position, play: int, rng: random.Random, count: int
) -> None:
    hands, seats = position.in_order, position.seats
    unseen = sorted([*position.bag, *(digit for hand in hands[1:] for digit in hand)])
    worlds = recorder.zeros((count, len(unseen)), "uint8")
    sizes = recorder.array([len(hand) for hand in hands], "int64")
    kept = recorder.zeros((seats, 10), "float64")
    recorder.write(kept, 10, [rng.random() for _ in range(10 * (seats - 1))])
    recorder.call(simulation._deal, worlds, recorder.array(unseen, "uint8"), sizes, kept, memory.bits)
    left = len(position.bag) + sum(map(len, hands)) - 1
    scores = [float(rng.randrange(300)) for _ in range(seats)]
    recorder.call(
        simulation._play_on, memory.state, play, sum(hands[0]) - digit_of(play), sizes, min(3 * seats, left),
        rng.choice((0.0, 8.0, 8.0 * rng.random())), worlds, recorder.array(scores, "float64"),
        recorder.zeros(seats, "float64"), recorder.zeros(seats, "float64"), recorder.zeros(seats, "float64"),
        recorder.zeros((seats, 2), "int64"), memory.best, memory.scratch, memory.saved,
    )  # fmt: skip


def _solve(recorder: Recorder, memory: _Memory, hands: list[list[int]], play: int) -> None:
    mine = list(hands[0])
    mine.remove(digit_of(play))
    recorder.call(kernel.apply, memory.state, play, memory.saved)
    recorder.call(
        two_seats.solve, memory.state, recorder.array(hands[1], "int64"), recorder.array(mine, "int64"),
        -10_000, 10_000, memory.solver_notes, memory.four_plays, memory.four_saved, memory.killer, memory.best,
        memory.passes,
    )  # fmt: skip
    recorder.call(kernel.undo, memory.state, play, memory.saved)


def _finish(recorder: Recorder, memory: _Memory, hands: list[list[int]], play: int, rng: random.Random) -> None:
    tiles = [digit_of(play), *(hand[0] for hand in hands[1:] if hand)]
    scores = [rng.randrange(300) for _ in hands]
    recorder.write(memory.round_scores, 0, [*scores, *(-1,) * (4 - len(hands))])
    recorder.call(
        last_round.final_scores, memory.state, play, recorder.array(tiles, "int64"), memory.round_scores,
        memory.round_notes, memory.four_plays, memory.four_saved, memory.best, memory.passes,
    )  # fmt: skip


def _choose(recorder: Recorder, rng: random.Random) -> None:
    values = [rng.uniform(-60.0, 60.0) * rng.random() for _ in range(rng.randrange(1, 30))]
    recorder.call(softmax.share, recorder.array(values, "float64"), rng.randrange(len(values)), rng.uniform(0.05, 2.0))
    scores = [float(rng.randrange(400)) for _ in range(12)]
    recorder.call(
        win_probability._find_shares, recorder.array(scores, "float64"), rng.choice((2, 3, 4)),
        rng.choice((0.0, rng.uniform(0.5, 50.0))), recorder.zeros(12, "float64"),
    )  # fmt: skip
