"""Check a record: everything it states must agree with the rules and with itself.

The check follows the record, not an ideal game. After a disagreement it continues from what the record states, as far
as that is possible, so that one mistake is reported once and does not cause others to be reported.
"""

from __future__ import annotations

from dataclasses import replace

from riverstones.rules import HIGHEST_CLAIM, Code, Deal, Explanation, Hand, Move, Reason, Scoring, Side, Tile, explain
from riverstones.rules.scoring import flips_refusal, placement_refusal

from .dealing import Dealing
from .errors import Problem
from .position import NONE
from .record import MOST_TURNS, Annotation, End, Ending, Record, RecordedTurn, winners_of


class Disagreement(Problem):
    """A statement in a record that contradicts the rules or the rest of the record."""


def check_record(record: Record) -> list[Disagreement]:
    """Everything in a record that cannot be right, sorted by line; empty for a sound record."""
    return _Check(record).run()


def checked_deal(record: Record) -> tuple[list[Disagreement], Deal | None]:
    """The disagreements that `check_record` finds and, if there are none, a deal to replay the game from."""
    check = _Check(record)
    found = check.run()
    return found, None if found else check.dealing.deal()


class _Check:
    def __init__(self, record: Record) -> None:
        self.record = record
        self.header = record.header
        self.setup = record.header.setup
        seats = self.setup.seats
        self.claims = self.setup.scoring is Scoring.CLAIMS
        self.board = self.header.board
        self.deal = self.header.seed.deal() if self.header.seed else None
        self.dealing = Dealing(self.header.stones, seats, self.deal)
        self.totals = [0] * seats
        """The running totals according to the rules."""
        self.shown = [0] * seats
        """The running totals as the record last stated them: a wrong one is carried on and reported only once."""
        self.found: list[Disagreement] = []

    def run(self) -> list[Disagreement]:
        self._check_seed()
        for number, turn in enumerate(self.record.turns, start=1):
            self._check_turn(number, turn)
        self._check_end(self.record.end)
        if self.deal is None and not self.found:
            for digit, count in self.dealing.surplus().items():
                self._report("tiles_surplus", self.record.end.line, digit=digit, count=count)
        return sorted(self.found, key=lambda disagreement: disagreement.line)

    def _report(self, code: str, line: int, reason: Reason | None = None, /, **params: object) -> None:
        self.found.append(replace(Disagreement.of(code, **params), line=line, reason=reason))

    def _check_seed(self) -> None:
        header = self.header
        if header.seed is None or self.deal is None:
            return
        if header.commitment not in (None, header.seed.commitment):
            self._report("seed_commitment", header.lines.get("Seed", 0))
        if header.start_drawn and self.setup.start != (drawn := header.seed.first_seat(self.setup.seats)):
            self._report("seed_start", header.lines.get("Start", 0), start=self.setup.start, drawn=drawn)
        dealt = self.deal.digits[: len(header.stones)]
        if header.stones != dealt:
            line = header.lines.get("Stones", 0)
            self._report("seed_stones", line, stones=_digits(header.stones), dealt=_digits(dealt))

    def _check_turn(self, number: int, turn: RecordedTurn) -> None:
        seat = (self.setup.start + number - 1) % self.setup.seats
        if turn.seat != seat:
            self._report("turn_seat", turn.line, turn=number, seat=turn.seat, right=seat)
        self._check_hand(seat, turn.hand, turn.line, turn=number)
        if turn.annotation is not None and turn.annotation.best is not None:
            self._check_best(number, turn.hand, turn.annotation, turn.annotation.best)
        digit = turn.move.tile.digit
        if digit not in turn.hand:
            self._report("tile_not_held", turn.line, turn=number, digit=digit, hand=_digits(turn.hand))
        if turn.timed_out and not self._is_clock_move(turn):
            self._report("turn_late", turn.line, turn=number)
        explanation = explain(self.board, turn.move, self.setup.variant)
        refusal = self._refusal(turn, explanation)
        if refusal is not None:
            self._report("turn_refused", turn.line, refusal, turn=number, move=turn.move)
        points = turn.points if self.claims or refusal is not None else explanation.points
        if turn.points != points:
            self._report("turn_points_wrong", turn.line, turn=number, points=turn.points, right=points)
        self._add(seat, points, turn.points)
        self._check_total(number, seat, turn.total, turn.line)
        honest = explanation.legal and explanation.points == turn.points
        self._check_objections(number, seat, turn, honest)
        if self._impossible(turn.move) is None:
            self.board = (replace(turn.move, flips=()) if turn.upheld else turn.move).on(self.board)
        self.dealing.play(seat, digit)

    def _check_hand(self, seat: int, hand: Hand, line: int, turn: int) -> None:
        """Compare a hand with what is known about it; `turn` is the number of the turn that shows it."""
        known, size = self.dealing.known(seat), self.dealing.size(seat)
        if self.dealing.show(seat, hand):
            return
        about = {"turn": turn, "seat": seat, "hand": _digits(hand)}
        if self.deal is not None:
            self._report("hand_not_dealt", line, **about, dealt=_digits(known))
        elif len(hand) != size:
            self._report("hand_size", line, **about, count=size)
        else:
            self._report("hand_kept", line, **about, kept=_digits(known))

    def _is_clock_move(self, turn: RecordedTurn) -> bool:
        """Whether this is a move that the clock would make: the hand's lowest tile as an addend, no flip, no claim."""
        tile = turn.move.tile
        claimed = self.claims and turn.points > 0
        return tile == Tile(turn.hand[0], Side.ADDEND) and not turn.move.flips and not claimed

    def _impossible(self, move: Move) -> Reason | None:
        """Why a move is physically impossible, or None if it is not."""
        return placement_refusal(self.board, move.square) or flips_refusal(self.board, move)

    def _refusal(self, turn: RecordedTurn, explanation: Explanation) -> Reason | None:
        """Why the turn could not be played, or None. With claims, illegal flips are left to the opponents."""
        if not self.claims:
            return explanation.refusal
        if turn.points > HIGHEST_CLAIM:
            return Reason.of(Code.CLAIM_OUT_OF_RANGE, highest=HIGHEST_CLAIM)
        return self._impossible(turn.move)

    def _check_best(self, number: int, hand: Hand, annotation: Annotation, best: Move) -> None:
        explanation = explain(self.board, best, self.setup.variant)
        if best.tile.digit not in hand:
            self._report("best_not_held", annotation.line, turn=number, digit=best.tile.digit, hand=_digits(hand))
        elif explanation.refusal is not None:
            self._report("best_refused", annotation.line, explanation.refusal, turn=number, move=best)
        elif annotation.best_points != explanation.points:
            points = annotation.best_points
            self._report("best_points_wrong", annotation.line, turn=number, points=points, right=explanation.points)

    def _add(self, seat: int, points: int, shown: int) -> None:
        """Add the points by the rules and the points by the record to the two running totals of a seat."""
        self.totals[seat] += points
        self.shown[seat] += shown

    def _check_total(self, number: int, seat: int, total: int, line: int) -> None:
        if total not in (self.totals[seat], self.shown[seat]):
            self._report("total_wrong", line, turn=number, seat=seat, total=total, right=self.totals[seat])
        self.shown[seat] = total

    def _check_objections(self, number: int, mover: int, turn: RecordedTurn, honest: bool) -> None:
        """Check that each objection was allowed and judged correctly; its consequences follow the recorded verdict."""
        before: set[int] = set()
        upheld = False
        for objection in turn.objections:
            code = self._objection_fault(objection.seat, mover, before, upheld)
            if code is None and objection.upheld == honest:
                code = "objection_was_wrong" if honest else "objection_was_right"
            if code is not None:
                self._report(code, objection.line, turn=number, seat=objection.seat)
            if objection.upheld and not upheld:
                self._add(mover, -turn.points, -turn.points)
            self._check_total(number, mover, objection.total, objection.line)
            upheld = upheld or objection.upheld
            before.add(objection.seat)

    def _objection_fault(self, seat: int, mover: int, before: set[int], upheld: bool) -> str | None:
        """Why a seat could not object at all, as a code, or None if it could."""
        if not self.claims:
            return "objection_without_claim"
        if seat == mover:
            return "objection_own"
        if upheld:
            return "objection_late"
        return "objection_twice" if seat in before else None

    def _check_end(self, end: End) -> None:
        played = len(self.record.turns)
        if end.how is Ending.FINISHED and played < MOST_TURNS:
            self._report("end_early", end.line, count=played, most=MOST_TURNS)
        for seat, score in enumerate(end.scores):
            if score not in (self.totals[seat], self.shown[seat]):
                self._report("end_score", end.line, seat=seat, score=score, right=self.totals[seat])
        winners = winners_of(end.how, end.scores, end.resigned)
        if end.winners != winners:
            self._report("end_winners_wrong", end.line, winners=_list(end.winners), right=_list(winners))
        for seat, hand in enumerate(end.hands or ()):
            self._check_hand(seat, hand, end.line, turn=played + 1)


def _digits(digits: tuple[int, ...]) -> str:
    return "".join(map(str, digits)) or NONE


def _list(seats: tuple[int, ...]) -> str:
    return ", ".join(map(str, seats))
