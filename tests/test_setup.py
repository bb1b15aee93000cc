"""What the first `make play` says before it downloads anything."""

import re
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

from .test_requirements import ROOT, pins

SCRIPT = ROOT / "tools" / "announce-setup"
NAMES = {"python": "Python packages", "node": "Node.js", "web": "packages to build the web app"}
RUN_STAMP, NODE_STAMP, WEB_STAMP = ".venv/.stamp-run", ".venv/.stamp-node", "web/node_modules/.stamp"


def mb_of(part: str, what: str) -> int:
    """The size that the script has for a part: `download` or `disk`."""
    found = re.search(rf"\b{part}_{what}=(\d+)", SCRIPT.read_text(encoding="utf-8"))
    assert found
    return int(found[1])


def announced(folder: Path, *, node: bool, ready: tuple[str, ...] = ()) -> str:
    """The announcement in a clone with these stamps, on a machine with or without Node.js."""
    (folder / "tools").mkdir(exist_ok=True)
    for name in ("announce-setup", "find-node"):
        shutil.copy(ROOT / "tools" / name, folder / "tools")
    programs = folder / "programs"
    programs.mkdir()
    for name in ("dirname", "sh"):
        (programs / name).symlink_to(shutil.which(name) or "")
    if node:
        for name in ("node", "npm"):
            (programs / name).write_text("#!/bin/sh\n")
            (programs / name).chmod(0o755)
    for stamp in ready:
        (folder / stamp).parent.mkdir(parents=True, exist_ok=True)
        (folder / stamp).touch()
    done = subprocess.run(
        [folder / "tools" / "announce-setup"],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": str(programs)},
        timeout=60,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    ("node", "ready", "parts"),
    [
        (True, (), ["python", "web"]),
        (False, (), ["python", "node", "web"]),
        (False, (RUN_STAMP,), ["node", "web"]),
        (True, (RUN_STAMP, NODE_STAMP), ["web"]),
        (True, (NODE_STAMP, WEB_STAMP), ["python"]),
    ],
)
def test_the_first_run_says_what_it_downloads(
    tmp_path: Path, node: bool, ready: tuple[str, ...], parts: list[str]
) -> None:
    named = ", ".join(f"{NAMES[part]} ({mb_of(part, 'download')} MB)" for part in parts)
    download, disk = (sum(mb_of(part, what) for part in parts) for what in ("download", "disk"))
    first, second = announced(tmp_path, node=node, ready=ready).splitlines()
    assert first == f"The first run downloads about {download} MB: {named}."
    assert second.startswith(f"They take about {disk} MB on disk, in this folder.")


def test_a_later_run_says_nothing(tmp_path: Path) -> None:
    assert announced(tmp_path, node=False, ready=(RUN_STAMP, NODE_STAMP, WEB_STAMP)) == ""


def mb(paths: set[Path]) -> float:
    """The size of files on disk; hard links count once."""
    stats = {(stat.st_dev, stat.st_ino): stat.st_blocks * 512 for stat in (path.lstat() for path in paths)}
    return sum(stats.values()) / 2**20


def test_the_size_of_the_python_packages_is_honest() -> None:
    files = set()
    for name in {name for name, _ in pins("run.txt")} | {"pip"}:
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue  # for another platform
        listed = {Path(str(found.locate_file(file))) for file in found.files or ()}
        files |= {path for path in listed if path.exists()}
    assert mb(files) == pytest.approx(mb_of("python", "disk"), rel=0.2)


def test_the_size_of_the_web_packages_is_honest_and_at_most_150_mb() -> None:
    """Without the caches of tools that have run."""
    folder = ROOT / "web" / "node_modules"
    size = mb({path for path in folder.rglob("*") if path.relative_to(folder).parts[0] not in (".cache", ".vite")})
    assert size == pytest.approx(mb_of("web", "disk"), rel=0.2)
    assert size <= 150


def test_play_and_host_say_it_before_anything_else() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("play", "host"):
        assert re.search(rf"^{target}:.*\n\t@tools/announce-setup\n", makefile, re.MULTILINE)
