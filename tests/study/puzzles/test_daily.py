"""The choice of the day depends on the calendar date alone."""

import os
import time
from datetime import date, timedelta
from pathlib import Path

import pytest

from riverstones.cli import puzzle as command
from riverstones.cli.words import Words
from riverstones.study.puzzles.daily import daily, puzzle_index, sprint_index
from riverstones.study.puzzles.file import shipped

MONDAY = date(2026, 11, 16)
ZONES = ("Europe/Rome", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati", "Pacific/Pago_Pago")


def test_a_week_becomes_harder_day_by_day() -> None:
    for week in range(60):
        days = [MONDAY + timedelta(7 * week + n) for n in range(7)]
        grades = [daily(shipped(), day).puzzle.grade for day in days]
        assert grades == sorted(grades)
        assert grades[0] <= 2
        assert grades[-1] >= 9


@pytest.mark.parametrize("puzzles", [7, 700, 5600, 5606])
def test_no_puzzle_comes_twice_before_all_have_been_used(puzzles: int) -> None:
    days = puzzles // 7 * 7
    chosen = [puzzle_index(puzzles, MONDAY + timedelta(n)) for n in range(days)]
    assert len(set(chosen)) == days
    assert max(chosen) < puzzles
    again = [puzzle_index(puzzles, MONDAY + timedelta(days + n)) for n in range(days)]
    assert again == chosen


def test_no_sprint_comes_twice_before_all_have_been_used() -> None:
    count = len(shipped().sprint_lines)
    assert sorted(sprint_index(count, MONDAY + timedelta(n)) for n in range(count)) == list(range(count))


def test_neighbouring_dates_follow_each_other_across_the_year() -> None:
    last, first = date(2026, 12, 31), date(2027, 1, 1)
    assert sprint_index(406, first) == (sprint_index(406, last) + 1) % 406
    assert puzzle_index(5600, first) == puzzle_index(5600, last) + 800
    assert sprint_index(406, date(1969, 12, 31)) == 405


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="this system cannot change its time zone")
@pytest.mark.parametrize("zone", ZONES)
def test_today_is_the_date_on_the_local_calendar(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path("/usr/share/zoneinfo", zone).exists() and "CI" not in os.environ:
        pytest.skip("this system has no time zone data")
    begun = time.gmtime()
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        local = time.localtime()
        today = command._date(None, Words("en"))
        assert today == date(local.tm_year, local.tm_mon, local.tm_mday)
        away = {"Pacific/Kiritimati": 14, "Pacific/Pago_Pago": -11, "Asia/Kolkata": 5.5}
        if zone in away:
            there = time.gmtime(time.mktime(local) + 3600 * away[zone])
            assert abs((today - date(begun.tm_year, begun.tm_mon, begun.tm_mday)).days) <= 1
            assert (there.tm_mon, there.tm_mday) == (today.month, today.day)
    finally:
        monkeypatch.undo()
        time.tzset()
