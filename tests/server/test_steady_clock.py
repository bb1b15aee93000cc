"""The clock of a node does not follow steps of the wall clock, and finds the time of the database."""

from hypothesis import given
from hypothesis import strategies as st

from riverstones.server.steady_clock import SteadyClock


class Machine:
    """The clocks of a machine, in milliseconds."""

    def __init__(self, wall_ms: float = 1_700_000_000_000) -> None:
        self.wall_ms = wall_ms
        self.monotonic_ms = 5_000.0

    def wait(self, ms: float) -> None:
        self.wall_ms += ms
        self.monotonic_ms += ms

    def clock(self) -> SteadyClock:
        return SteadyClock(lambda: self.wall_ms, lambda: self.monotonic_ms)


def test_steps_of_the_wall_clock_change_nobodys_time() -> None:
    machine = Machine()
    clock = machine.clock()
    before = clock()
    for step_ms in (-3_600_000, 7_200_000):
        machine.wall_ms += step_ms
        machine.wait(1_000)
    assert clock() - before == 2_000


def test_a_wall_clock_that_was_set_back_does_not_repeat_the_past() -> None:
    machine = Machine()
    clock = machine.clock()
    clock.advance_to(1_700_000_100_000)
    assert clock() == 1_700_000_100_000
    clock.advance_to(1_600_000_000_000)
    assert clock() == 1_700_000_100_000


@given(
    skew_ms=st.integers(-(10**9), 10**9),
    answers=st.lists(st.tuples(st.floats(0, 500), st.floats(0, 500), st.floats(0, 5_000)), min_size=1, max_size=20),
)
def test_the_error_is_at_most_half_of_the_quickest_answer(
    skew_ms: int, answers: list[tuple[float, float, float]]
) -> None:
    machine, database = Machine(), Machine()
    machine.wall_ms += skew_ms
    clock = machine.clock()
    quickest_ms = 1e9
    for there_ms, back_ms, pause_ms in answers:
        asked_ms = clock.monotonic_ms()
        for each in (machine, database):
            each.wait(there_ms)
        database_ms = database.wall_ms
        for each in (machine, database):
            each.wait(back_ms)
        clock.synchronise(database_ms, asked_ms)
        quickest_ms = min(quickest_ms, there_ms + back_ms)
        for each in (machine, database):
            each.wait(pause_ms)
    drift_ms = sum(map(sum, answers)) * 0.0002
    assert abs(clock() - database.wall_ms) <= quickest_ms / 2 + drift_ms + 1


def test_a_database_whose_clock_is_set_is_followed() -> None:
    machine, database = Machine(), Machine()
    clock = machine.clock()
    clock.synchronise(database.wall_ms, clock.monotonic_ms())
    database.wall_ms += 60_000
    clock.synchronise(database.wall_ms, clock.monotonic_ms())
    assert clock() == database.wall_ms
