"""A review as one page of HTML: no script, no other file, nothing from the network; light, dark and in print.

It shows everything that is needed to recompute the numbers, and contains the JSON form of the review.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import partial
from html import escape
from importlib import resources

from riverstones.rules import Scoring
from riverstones.words import decimal_mark, join, phrase, quotable

from .accuracy import FEWEST, LEVEL_ACCURACY, accuracy_of_move
from .judgement import Judgement
from .pictures import board_with, curves, symbols
from .report import to_json
from .review import Report, ReviewedMove, SeatReview

_MINUS = "\N{MINUS SIGN}"


def to_html(report: Report, language: str = "en") -> str:
    """The page of a review, in this language."""
    page = _Page(report, language)
    style = (resources.files(__package__) / "page.css").read_text(encoding="utf-8")
    # In a script element only the end of the element has to be avoided; JSON may write any character as an escape.
    data = json.dumps(to_json(report), ensure_ascii=False).replace("<", "\\u003c")
    title = escape(f"{page.say('report_title')}: {join(page.names, language)}")
    return "\n".join(
        (
            f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>",
            symbols(),
            f"<main>\n<h1>{escape(join(page.names, language))}</h1>",
            page.seats(),
            page.course(),
            page.split(),
            page.mattered(),
            page.moves(),
            page.method(),
            "</main>",
            f'<script type="application/json" id="review">{data}</script>\n</body>\n</html>\n',
        )
    )


class _Page:
    """The parts of the page."""

    def __init__(self, report: Report, language: str) -> None:
        self.report = report
        self.language = language
        self.names = [quotable(seat.name) or f"{number + 1}" for number, seat in enumerate(report.seats)]

    def say(self, key: str, **params: object) -> str:
        """A text in the page's language."""
        return phrase(key, params, self.language)

    def number(self, value: float, digits: int = 1, *, signed: bool = False) -> str:
        """A number as the language writes it."""
        text = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
        if float(text) == 0:
            text = text.lstrip("+-")
        text = text.replace("-", _MINUS)
        return text.replace(".", decimal_mark(self.language))

    def chip(self, seat: int) -> str:
        """The name of a seat in its colour and pattern."""
        return f'<span class="chip seat-{seat}"><i></i>{escape(self.names[seat])}</span>'

    def seats(self) -> str:
        """Scores and accuracy of all seats."""
        cards = "".join(self.card(number, seat) for number, seat in enumerate(self.report.seats))
        about = f'<p class="about">{escape(self.say("report_accuracy_about"))}</p>'
        return (
            f'<section><h2>{escape(self.say("report_accuracy"))}</h2>{about}<div class="cards">{cards}</div></section>'
        )

    def card(self, number: int, seat: SeatReview) -> str:
        """One seat: its score, and its accuracy on a scale with the levels."""
        score = self.say("points", count=self.report.scores[number])
        if seat.accuracy is None:
            found = f'<p class="few">{escape(self.say("report_too_few", count=FEWEST))}</p>'
        else:
            counted = self.say("report_counted", count=seat.counted)
            found = f'<p class="accuracy">{self.number(seat.accuracy)}</p><p class="about">{escape(counted)}</p>'
            found += self.scale(seat.accuracy)
        return f'<article class="card">{self.chip(number)}<p class="score">{escape(score)}</p>{found}</article>'

    def scale(self, accuracy: float) -> str:
        """The accuracy on a scale from 0 to 100, with the usual values of the levels."""
        marks = "".join(
            f'<span class="level tier-{place % 4}" style="left:{usual.mean:.1f}%">'
            f"{escape(self.say(f'level_{level}'))} {self.number(usual.mean, 0)}</span>"
            for place, (level, usual) in enumerate(LEVEL_ACCURACY.items())
        )
        return f'<div class="scale"><b style="left:{accuracy:.1f}%"></b>{marks}</div>'

    def course(self) -> str:
        """The curves of points and of chances; the points are shown first."""
        report, seats = self.report, range(len(self.names))
        marks = [number for seat in report.seats for number in seat.mattered]
        points = [[0, *(self.scores_after(move)[seat] for move in report.moves)] for seat in seats]
        chances = [[report.start[seat], *(move.chances[seat] for move in report.moves)] for seat in seats]
        most = max(map(max, points))
        step = next(step for step in (10, 20, 50, 100, 200, 500, 1000) if most <= 8 * step)
        rows = [(float(value), str(value)) for value in range(0, most + 1, step)]
        shares = [(value / 100, f"{value} %") for value in (0, 25, 50, 75, 100)]
        named = partial(curves, names=self.names, marks=marks)
        words = self.say("report_points"), self.say("report_chances")
        return (
            f'<section class="course"><h2>{escape(self.say("report_curves"))}</h2>'
            f'<input type="radio" name="curve" id="by-points" checked><label for="by-points">{escape(words[0])}</label>'
            f'<input type="radio" name="curve" id="by-chances"><label for="by-chances">{escape(words[1])}</label>'
            f'<div class="points">{named(words[0], values=points, ticks=rows)}</div>'
            f'<div class="chances">{named(words[1], values=chances, ticks=shares)}</div></section>'
        )

    def scores_after(self, move: ReviewedMove) -> tuple[int, ...]:
        """The scores after a move."""
        before = move.position.scores
        return (*before[: move.seat], before[move.seat] + move.scored, *before[move.seat + 1 :])

    def split(self) -> str:
        """For each seat, how start, luck, slips and rest sum to the result."""
        report, seats = self.report, range(len(self.names))
        own_luck = [report.seats[seat].luck[seat] for seat in seats]
        own_slips = [report.seats[seat].slips[seat] for seat in seats]
        luck, slips, rest = (
            [sum(values[seat] for values in parts) for seat in seats]
            for parts in zip(*((each.luck, each.slips, each.rest) for each in report.seats), strict=True)
        )
        rows: list[tuple[str, Iterable[float], bool]] = [
            ("report_start", report.start, False),
            ("report_own_luck", own_luck, True),
            ("report_other_luck", [luck[seat] - own_luck[seat] for seat in seats], True),
            ("report_own_slips", own_slips, True),
            ("report_other_slips", [slips[seat] - own_slips[seat] for seat in seats], True),
            ("report_rest", rest, True),
            ("report_result", report.result, False),
        ]
        head = "".join(f'<th scope="col">{self.chip(seat)}</th>' for seat in seats)
        body = "".join(
            f'<tr class="{"part" if signed else "whole"}"><th scope="row">{escape(self.say(key))}</th>'
            + "".join(f"<td>{self.number(100 * value, signed=signed)}</td>" for value in values)
            + "</tr>"
            for key, values, signed in rows
        )
        return (
            f"<section><h2>{escape(self.say('report_split'))}</h2>"
            f'<p class="about">{escape(self.say("report_split_about"))}</p>'
            f"{self.wide('report_split')}<table><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>"
            f'<p class="about">{escape(self.say("report_rest_about"))}</p></section>'
        )

    def mattered(self) -> str:
        """The turns that mattered, with what was played beside what was best."""
        moves = {move.number: move for move in self.report.moves}
        cards = []
        for seat in self.report.seats:
            cards += [self.turn(moves[number]) for number in seat.mattered]
        body = "".join(cards) or f'<p class="about">{escape(self.say("report_nothing"))}</p>'
        return f"<section><h2>{escape(self.say('report_mattered'))}</h2>{body}</section>"

    def turn(self, move: ReviewedMove) -> str:
        """One turn that mattered."""
        judged = move.judgement
        facts = "".join(f"<li>{escape(fact.say(self.language))}</li>" for fact in move.facts)
        place = self.say("replay_turn", turn=move.number, count=len(self.report.moves))
        loss = self.say("report_lost", points=self.number(judged.loss))
        return (
            f'<article class="turn" id="turn-{move.number}"><header>{self.chip(move.seat)}<h3>{escape(place)}</h3>'
            f'<p class="verdict {judged.move_class}">{escape(self.verdict(judged))}</p><p>{escape(loss)}</p></header>'
            f"<ul>{facts}</ul>"
            f'<div class="pair">{self.figure(move, "report_played", best=False)}'
            f"{self.figure(move, 'best_move', best=True)}</div></article>"
        )

    def figure(self, move: ReviewedMove, key: str, *, best: bool) -> str:
        """A board with the move that was played, or with the best one."""
        shown = move.judgement.best if best else move.judgement.played
        points = self.say("points", count=shown.points)
        text = f"{self.say(key)}: {shown.move}, {points}"
        picture = board_with(move.position.board, shown.move, text)
        caption = f"<b>{escape(self.say(key))}</b> <code>{shown.move}</code> <span>{escape(points)}</span>"
        return f"<figure>{picture}<figcaption>{caption}</figcaption></figure>"

    def verdict(self, judged: Judgement) -> str:
        """The class of a move in words, with its glyph."""
        return f"{self.say(f'review_class_{judged.move_class}')} {judged.glyph}".strip()

    def moves(self) -> str:
        """Every move with its judgement."""
        keys = ("report_player", "report_hand", "report_move", "report_points", "best_move", "report_points")
        after = (
            "report_loss",
            "report_accuracy",
            "report_verdict",
            "report_own_luck",
            "report_own_slips",
            "report_rest",
        )
        head = "".join(f'<th scope="col">{escape(self.say(key))}</th>' for key in (*keys, *after))
        body = "".join(self.row(move) for move in self.report.moves)
        return (
            f'<section><h2>{escape(self.say("moves"))}</h2>{self.wide("moves")}<table class="moves">'
            f'<thead><tr><th scope="col">#</th>{head}</tr></thead><tbody>{body}</tbody></table></div></section>'
        )

    def wide(self, key: str) -> str:
        """The opening tag of a region that scrolls sideways; the keyboard can scroll it too."""
        return f'<div class="wide" role="region" tabindex="0" aria-label="{escape(self.say(key))}">'

    def row(self, move: ReviewedMove) -> str:
        """One line of the table of moves."""
        judged, seat = move.judgement, move.seat
        loss, share = self.number(judged.loss, 2), self.number(accuracy_of_move(judged.loss), 1)
        if not move.counted:
            loss, share = f"({loss})", f"({share})"
        scored = str(judged.played.points)
        if self.report.scoring is Scoring.CLAIMS and move.scored != judged.played.points:
            scored += f" ({move.scored})"
        numbers = [f"{self.number(100 * part[seat], signed=True)}" for part in (move.luck, move.slip, move.rest)]
        cells: Sequence[str] = (
            self.chip(seat),
            " ".join(map(str, move.hand)),
            f"<code>{move.move}</code>",
            scored,
            "" if judged.as_good else f"<code>{judged.best.move}</code>",
            "" if judged.as_good else str(judged.best.points),
            loss,
            share,
            f'<span class="verdict {judged.move_class}">{escape(self.verdict(judged))}</span>',
            *numbers,
        )
        return f'<tr><th scope="row">{move.number}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'

    def method(self) -> str:
        """The formula and what goes into it."""
        texts = (
            self.say("report_formula"),
            self.say("report_loss_about"),
            self.say("report_not_counted"),
            self.say("report_classes"),
            self.say("report_sums"),
            self.say("report_data"),
        )
        body = "".join(f"<p>{escape(text)}</p>" for text in texts)
        return f'<section class="method"><h2>{escape(self.say("report_how"))}</h2>{body}</section>'
