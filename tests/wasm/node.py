"""Runs scripts in Node."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def run(script: str, *arguments: str | Path) -> Any:
    """What a script of this folder prints, which is JSON."""
    folder = subprocess.run([ROOT / "tools" / "find-node"], capture_output=True, text=True, check=True).stdout.strip()
    command = [Path(folder, "node"), Path(__file__).with_name(script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)
