"""Messages on sockets are counted in a window that slides."""

from limits import parse

from riverstones.server.http.sliding_window import FEWEST_SWEPT, SlidingWindows


def allowed(windows: SlidingWindows, times: int, now_s: float) -> int:
    """How many of so many events at this time are within the limit."""
    return sum(windows.hit("ann", now_s) for _ in range(times))


def test_no_more_than_the_limit_are_allowed_in_a_window() -> None:
    assert allowed(SlidingWindows(parse("60/5 second")), 100, 1000.0) == 60


def test_a_new_window_begins_with_the_share_of_the_last_that_it_still_covers() -> None:
    windows = SlidingWindows(parse("60/5 second"))
    allowed(windows, 60, 1000.0)
    assert allowed(windows, 100, 1005.0) == 0
    assert allowed(windows, 100, 1007.5) == 30


def test_after_two_windows_everything_is_forgotten() -> None:
    windows = SlidingWindows(parse("60/5 second"))
    allowed(windows, 60, 1004.9)
    assert allowed(windows, 100, 1010.0) == 60


def test_keys_do_not_share_a_window() -> None:
    windows = SlidingWindows(parse("1/5 second"))
    assert windows.hit("ann", 1000.0)
    assert windows.hit("bob", 1000.0)
    assert not windows.hit("ann", 1000.0)


def test_keys_that_are_no_longer_used_are_removed() -> None:
    windows = SlidingWindows(parse("1/5 second"))
    for number in range(3 * FEWEST_SWEPT):
        windows.hit(f"socket {number}", 1000.0 + number)
    assert len(windows) <= FEWEST_SWEPT


def test_keys_in_use_are_kept_when_others_are_removed() -> None:
    windows = SlidingWindows(parse("1/1 hour"))
    for number in range(2 * FEWEST_SWEPT):
        windows.hit(f"socket {number}", 1000.0)
    assert not windows.hit("socket 0", 1000.0)
