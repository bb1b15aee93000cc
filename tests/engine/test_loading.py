"""The engine is compiled once, with a notice; from then on a new process only loads it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from riverstones.engine.levels import has_kernel
from riverstones.engine.loading import load

pytestmark = pytest.mark.skipif(not has_kernel(), reason="Numba is not installed")

PROGRAM = """
from numba.core import event
from riverstones.engine.loading import load
load(["ocean"], lambda: print("compiling"))
from riverstones.engine import bots
from riverstones.engine.protocol import Session
with event.install_recorder("numba:compile") as later:
    board = "........./........./....6..../........./..9.D.7../........./....4..../........./........."
    list(Session("river").answer('{"type": "go", "position": "%s 0 27,?? 0,0 63 standard"}' % board))
print(len(later.buffer), "more")
"""


@pytest.mark.long
@pytest.mark.slow
def test_the_first_process_compiles_and_the_next_ones_load(tmp_path: Path) -> None:
    env = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    said = [
        subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert said == ["compiling\n0 more\n", "0 more\n"]


def test_bots_without_search_load_nothing() -> None:
    program = "import sys\nfrom riverstones.engine.loading import load\nload(['brook', 'stream', 'greedy', 'cmd:x'])\n"
    check = "assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", program + check], check=True)


def test_loading_again_compiles_nothing() -> None:
    load(["river"])

    def compiling() -> None:
        raise AssertionError

    load(["river"], compiling)
