"""Compiled code is discarded when anything changes that it was compiled from."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

jit = pytest.importorskip("riverstones.engine.jit", reason="Numba is not installed")


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small engine: a search on a kernel on an encoding, and a module that none of them imports."""
    (tmp_path / "search.py").write_text("from .kernel import play\n")
    (tmp_path / "kernel.py").write_text("from riverstones.engine.encoding import RED\n")
    (tmp_path / "encoding.py").write_text("RED = 16\n")
    (tmp_path / "levels.py").write_text("LEVELS = ()\n")
    monkeypatch.setattr(jit, "_ENGINE", tmp_path)
    return tmp_path


def fingerprint(path: Path) -> str:
    jit._fingerprint.cache_clear()
    return str(jit._fingerprint(path))


@pytest.mark.parametrize("changed", ["search.py", "kernel.py", "encoding.py"])
def test_a_change_below_makes_the_search_stale(engine: Path, changed: str) -> None:
    before = fingerprint(engine / "search.py")
    (engine / changed).write_text((engine / changed).read_text() + "# changed\n")
    assert fingerprint(engine / "search.py") != before


@pytest.mark.parametrize("changed", ["envs/game.py", "envs/actions.py", "engine/encoding.py"])
def test_a_change_below_makes_code_of_other_folders_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    for name, text in {
        "bench/learn.py": "from riverstones.envs.game import play\n",
        "envs/game.py": "from riverstones.engine.encoding import RED\n\nfrom .actions import COUNT\n",
        "envs/actions.py": "COUNT = 3978\n",
        "engine/encoding.py": "RED = 16\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(jit, "_ENGINE", tmp_path / "engine")
    before = fingerprint(tmp_path / "bench" / "learn.py")
    (tmp_path / changed).write_text((tmp_path / changed).read_text() + "# changed\n")
    assert fingerprint(tmp_path / "bench" / "learn.py") != before


def test_a_change_elsewhere_does_not_make_it_stale(engine: Path) -> None:
    before = fingerprint(engine / "search.py")
    (engine / "levels.py").write_text("LEVELS = (1,)\n")
    assert fingerprint(engine / "search.py") == before


def test_the_fingerprint_is_part_of_what_numba_compares() -> None:
    kernel = pytest.importorskip("riverstones.engine.kernel")
    stamp = kernel.generate._cache._cache_file._source_stamp
    assert fingerprint(Path(kernel.__file__)) in stamp


def test_without_a_writable_directory_it_is_still_compiled(tmp_path: Path) -> None:
    """As in a read-only container. Here files are in the way of Numba's directories."""
    for name in ("__pycache__", "home"):
        (tmp_path / name).touch()
    (tmp_path / "double.py").write_text(
        "from riverstones.engine.jit import jit\n"
        "@jit('int64(int64)')\n"
        "def double(number):\n"
        "    return 2 * number\n"
        "print(double(21), double._cache.cache_path)\n"
    )
    home = str(tmp_path / "home")
    done = subprocess.run(
        [sys.executable, tmp_path / "double.py"],
        env={**os.environ, "HOME": home, "XDG_CACHE_HOME": home},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("42 None\n", "")
