"""The comparison of environments plays every environment of this project."""

import pytest

from bench.envs import Contestant, contestants

OURS = [
    contestant for contestant in contestants() if contestant.project == "riverstones" and "1,024" not in contestant.game
]


@pytest.mark.parametrize("contestant", OURS, ids=lambda contestant: contestant.game)
def test_every_environment_of_ours_can_be_measured(contestant: Contestant) -> None:
    try:
        batch = contestant.prepare()
    except ImportError as error:
        pytest.fail(str(error))
    assert batch() > 30
