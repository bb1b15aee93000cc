"""`riverstones worker` with two more kinds of jobs, which wait for files; it does not compile the engine."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import riverstones.server.workers.pool as pool
from riverstones.cli.main import run
from riverstones.notation.json_node import Node
from riverstones.server.workers import job_forms
from riverstones.server.workers.jobs import Job, LongJob
from tests.server.jobs import Hold, Judge, Sleep


def form_of(job: Any) -> Any:
    """The form of any job, including those of the tests."""
    if isinstance(job, Hold):
        return {"kind": "hold", "name": job.name}
    if isinstance(job, Judge):
        return {"kind": "count", "upto": job.upto}
    return job_forms.job_to_json(job)


def main(folder: Path, options: Sequence[str]) -> None:
    """Run the command with these options. The files are in the folder."""

    def hold(node: Node) -> Job:
        return Hold(folder, node.fields("kind", "name")[1].text())

    def count(node: Node) -> LongJob:
        return Judge(folder, node.fields("kind", "upto")[1].number())

    job_forms._READERS.update(hold=hold, count=count)
    setattr(pool, "WarmUp", lambda: Sleep(0))  # noqa: B010 - not the type of the class
    sys.exit(run(["worker", *options]))
