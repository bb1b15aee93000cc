"""Puzzles in the browser: wrong and right answers, claims, winning, the trainer, the rush, slips, and two devices."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

import pytest
from playwright.sync_api import expect

from riverstones.rules import SQUARES, explain
from riverstones.study.puzzles.file import shipped
from riverstones.study.puzzles.puzzle import Kind, Puzzle

from .games import worst
from .scenes import PEBBLE, answer, first_of, open_puzzle, puzzles
from .visitors import DESK, PHONE, Visitor, Visitors

pytestmark = pytest.mark.slow
START = datetime(2026, 11, 16, 12)


def shown(visitor: Visitor) -> Puzzle:
    """The puzzle on the page, found by its position."""
    board, hand = visitor.board(), tuple(sorted(visitor.hand()))
    return next(each for each in shipped().puzzles() if each.board == board and each.hand == hand and not each.claim)


def sums(puzzle: Puzzle) -> list[str]:
    """The arithmetic of a puzzle's answer as the page writes it."""
    made = explain(puzzle.board, puzzle.answer, puzzle.variant).kakuros
    return [f"{each.total} | {' + '.join(map(str, each.addends))} = {each.sum}" for each in made]


def test_a_wrong_answer_is_told_what_it_is_worth_and_a_right_one_why_it_is_best(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    puzzle = first_of(Kind.MOST_POINTS)
    assert puzzle.next_best is not None
    open_puzzle(visitor, puzzle)
    answer(visitor, puzzle.next_best.move)
    expect(visitor.page.locator(".status")).to_contain_text(
        re.compile(rf"{puzzle.next_best.points} points?; there are {puzzle.best}\.")
    )
    expect(visitor.page.locator(".after")).to_contain_text("only the first answer counts")
    visitor.page.get_by_role("button", name="Take back").click()
    answer(visitor, puzzle.answer)
    told = visitor.page.locator(".told")
    expect(told.locator(".headline")).to_have_text("Found!")
    assert told.locator(".sum").all_text_contents() == sums(puzzle)
    fewer = puzzle.best - puzzle.next_best.points
    expect(told).to_contain_text(f": {fewer} fewer.")
    told.locator("label", has_text="The runner-up").click()
    assert visitor.page.locator("[data-square].tentative").get_attribute("data-name") == str(
        puzzle.next_best.move.square
    )


def test_two_kakuros_show_their_arithmetic_and_the_answer_can_be_asked_for(visitors: Visitors) -> None:
    visitor = visitors.come(DESK)
    puzzle = first_of(Kind.TWO_KAKUROS)
    open_puzzle(visitor, puzzle)
    answer(visitor, puzzle.answer)
    told = visitor.page.locator(".told")
    assert told.locator(".sum").all_text_contents() == sums(puzzle)
    expect(told.locator(".total")).to_have_text(f"{puzzle.best} points")
    puzzle = first_of(Kind.LOOK_FURTHER)
    assert puzzle.next_best is not None
    open_puzzle(visitor, puzzle)
    answer(visitor, puzzle.next_best.move)
    expect(visitor.page.locator(".status")).to_contain_text("another move is worth more once the reply is counted")
    visitor.page.get_by_role("button", name="Show the answer").click()
    expect(told.locator(".headline")).to_have_text("This is the move.")


def test_a_claim_is_judged_by_one_of_two_buttons_and_then_explained(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    claims = shipped().of_kind(Kind.SPOT_THE_ERROR)
    right = next(each for each in claims if each.claim_is_right)
    wrong = next(each for each in claims if not each.claim_is_right)
    # The headline is about the answer, not about the claim.
    answers = (
        (right, "Right", "Well spotted!"),
        (right, "Wrong", "Wrong answer."),
        (wrong, "Wrong", "Well spotted!"),
        (wrong, "Right", "Wrong answer."),
    )
    for puzzle, said, headline in answers:
        open_puzzle(visitor, puzzle)
        assert puzzle.claim is not None
        expect(visitor.page.locator("h1")).to_contain_text(f"{puzzle.claim.points} point")
        expect(visitor.page.locator(".lights .sum")).to_have_count(0)
        visitor.page.get_by_role("button", name=said, exact=True).click()
        told = visitor.page.locator(".told")
        expect(told.locator(".headline")).to_have_text(headline)
        expect(told).to_contain_text("The claim is right" if puzzle.claim_is_right else "The claim is wrong")


def test_winning_shows_both_hands_and_the_scores(visitors: Visitors) -> None:
    visitor = visitors.come(DESK)
    puzzle = first_of(Kind.WIN)
    assert puzzle.others is not None
    assert puzzle.scores is not None
    open_puzzle(visitor, puzzle)
    rival = visitor.page.locator(".rival")
    expect(rival).to_contain_text(f"You {puzzle.scores[0]} · opponent {puzzle.scores[1]}")
    digits = rival.locator(".tiles b").evaluate_all("all => all.map((each) => Number(each.dataset.digit))")
    assert tuple(digits) == puzzle.others
    answer(visitor, puzzle.answer)
    expect(visitor.page.locator(".told .headline")).to_have_text("Right!")


def test_the_trainer_gives_puzzles_of_the_chosen_kind_and_grade_and_the_server_rates_them(visitors: Visitors) -> None:
    visitor = visitors.come(DESK)
    assert visitor.actor.person
    wanted = next(each for each in shipped().of_kind(Kind.FLIP) if len(shipped().of_kind(Kind.FLIP, each.grade)) > 1)
    puzzles(visitor)
    visitor.page.locator(".trainer label", has_text="The flip that matters").click()
    visitor.page.locator(".grades label").nth(wanted.grade).click()
    visitor.page.get_by_role("button", name="Start training").click()
    seen = []
    for _ in range(2):
        visitor.page.wait_for_selector(".hand button")
        puzzle = shown(visitor)
        assert (puzzle.kind, puzzle.grade) == (Kind.FLIP, wanted.grade)
        answer(visitor, puzzle.answer)
        seen.append(puzzle.id)
        visitor.page.get_by_role("button", name="Next puzzle").click()
    assert len(set(seen)) == 2
    puzzles(visitor)
    expect(visitor.page.locator(".rating")).to_have_text("Your puzzle rating appears after a few more puzzles.")
    expect(visitor.page.locator(".trainer label", has_text="The flip that matters")).to_contain_text("2 of")


def test_a_rush_lasts_three_minutes_and_can_be_reviewed(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    clock = visitor.page.clock
    clock.install(time=START)
    visitor.go("/puzzles/rush")
    visitor.page.wait_for_selector("button.main")
    clock.pause_at(START + timedelta(seconds=20))
    visitor.page.locator("button.main").click()
    expect(visitor.page.get_by_role("timer")).to_have_text("3:00")

    def solve(right: bool) -> None:
        clock.run_for(500)  # the squares are drawn in some frames
        claim = visitor.page.locator(".verdicts button")
        if claim.count():
            points = int(re.search(r"\d+", visitor.page.locator("h1").inner_text())[0])  # type: ignore[index]
            board = visitor.page.evaluate(READ_CLAIMED)
            puzzle = next(each for each in shipped().of_kind(Kind.SPOT_THE_ERROR) if shows(each, board, points))
            claim.nth(0 if puzzle.claim_is_right == right else 1).click()
            return
        puzzle = shown(visitor)
        legal = explain(puzzle.board, puzzle.answer, puzzle.variant)
        assert legal.legal
        assert puzzle.next_best is not None
        answer(visitor, puzzle.answer if right else puzzle.next_best.move)

    for count in range(5):
        solve(right=True)
        expect(visitor.page.locator(".counts")).to_contain_text(f"{count + 1} solved")
    expect(visitor.page.locator(".change")).to_have_text("+3 seconds")
    solve(right=False)
    expect(visitor.page.locator(".change")).to_have_text("−10 seconds")
    expect(visitor.page.locator(".counts")).to_contain_text("0 in a row")
    left = visitor.page.get_by_role("timer").inner_text()
    minutes, seconds = map(int, left.split(":"))
    clock.run_for((minutes * 60 + seconds - 1) * 1000)
    expect(visitor.page.get_by_role("timer")).to_be_visible()
    clock.run_for(2_000)
    expect(visitor.page.locator("h1")).to_have_text("Time is up")
    expect(visitor.page.locator(".score")).to_have_text("5 solved")
    answers = visitor.page.locator("details[open] ol a")
    assert answers.all_text_contents() == ["✓"] * 5 + ["✗"]
    answers.last.click()
    clock.run_for(500)
    expect(visitor.page.locator(".hand button, .verdicts button").first).to_be_visible()


def test_a_rush_that_is_stopped_does_not_say_that_time_is_up(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    visitor.go("/puzzles/rush")
    visitor.page.get_by_role("button", name="Start").click()
    visitor.page.get_by_role("button", name="Stop").click()
    expect(visitor.page.locator("h1")).to_have_text("Stopped")


READ_CLAIMED = """() => [...document.querySelectorAll('[data-square]')].map((square) =>
  Number(square.querySelector('.lying b')?.dataset.digit ?? 0))"""
"""The digits on the board, with the claimed tile."""


def shows(puzzle: Puzzle, digits: list[int], points: int) -> bool:
    """Whether these are the digits and the claim of a puzzle."""
    placed = puzzle.board.place(puzzle.answer.square, puzzle.answer.tile)
    mine = [0 if (tile := placed[square]) is None else tile.digit for square in SQUARES]
    return puzzle.claim is not None and puzzle.claim.points == points and mine == digits


def test_a_missed_puzzle_comes_back_the_next_day_and_then_three_days_later(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    puzzle = first_of(Kind.MOST_POINTS)
    assert puzzle.next_best is not None
    visitor.page.clock.set_fixed_time(START)
    open_puzzle(visitor, puzzle)
    answer(visitor, puzzle.next_best.move)
    puzzles(visitor)
    slips = visitor.page.locator("a[href='/puzzles/slips']")
    expect(slips).to_contain_text("Nothing for today. 1 will come back later.")
    visitor.page.clock.set_fixed_time(START + timedelta(days=1))
    puzzles(visitor)
    slips.click()
    answer(visitor, puzzle.answer)
    expect(visitor.page.locator(".told")).to_contain_text("It comes back on Friday 20 November.")
    visitor.page.get_by_role("button", name="Done").click()
    expect(visitor.page.locator("h1")).to_have_text("That was everything for today.")


def test_a_move_missed_in_a_game_comes_back_as_a_slip(visitors: Visitors) -> None:
    visitor = visitors.come(DESK)
    visitor.game(PEBBLE).play(20, worst).resign().open(visitor)
    visitor.page.wait_for_selector(".end thead")
    visitor.page.wait_for_function("() => localStorage.getItem('riverstones.study')?.includes('game:')")
    visitor.page.clock.set_fixed_time(datetime.combine(date.today(), datetime.min.time()) + timedelta(days=1, hours=12))
    visitor.go("/puzzles/slips")
    expect(visitor.page.locator(".kind")).to_have_text("From one of your games")
    expect(visitor.page.locator("h1")).to_contain_text("What was better?")
    visitor.page.wait_for_selector(".hand button")
    answer(visitor, visitor.plays()[0].move)
    expect(visitor.page.locator(".told .headline")).to_have_text("Right!")


def test_two_devices_of_one_person_share_their_progress(visitors: Visitors) -> None:
    phone, desk = visitors.come(PHONE), visitors.come(DESK)
    assert phone.actor.person
    desk.context.add_cookies(phone.context.cookies())  # type: ignore[arg-type]  # what was read can be written
    for visitor, kind in ((phone, Kind.MOST_POINTS), (desk, Kind.FLIP)):
        open_puzzle(visitor, first_of(kind))
        answer(visitor, first_of(kind).answer)
        with visitor.page.expect_response(lambda answer: answer.request.method == "PUT"):
            pass
    puzzles(phone)
    expect(phone.page.locator(".trainer label").first).to_contain_text("2 of")
