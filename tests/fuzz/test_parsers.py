"""The parsers under Atheris, with a budget of runs that takes seconds."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("atheris", reason="Atheris has wheels for Linux on x86-64 only")

RUNS = 5_000
PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"
BOARD = b"........./........./....6..../........./..9.D.7../........./....4..../........./........."
SEEDS = [
    b"\x00" + BOARD + b" 0 27,?? 0,0 63 standard",
    b"\x01h3+7~e3",
    b"\x01e4=9",
    b"\x02" + BOARD,
]


@pytest.mark.long
@pytest.mark.slow
def test_the_parsers_survive_any_input(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    texts = [b"\x03" + path.read_bytes()[:2000] for path in sorted(PLAYTHROUGHS.glob("*.river"))]
    for number, seed in enumerate([*SEEDS, *texts]):
        (corpus / str(number)).write_bytes(seed)
    command = [sys.executable, "-m", "tests.fuzz.parsers", f"-runs={RUNS}", "-seed=1", "-max_len=2048"]
    done = subprocess.run(
        [*command, f"-artifact_prefix={tmp_path}/", str(corpus)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert f"Done {RUNS} runs" in done.stderr
