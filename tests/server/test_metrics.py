"""The metrics count what happens, and every one of them is documented."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from riverstones.server.metrics import Metrics
from riverstones.server.storage import Conflict, Store
from riverstones.server.workers.fair_queue import Priority
from riverstones.server.workers.interface import Workers
from riverstones.server.workers.measured import MeasuredWorkers
from riverstones.table import fold
from tests.table.helpers import Played, table_of

from .running import API, Running
from .test_storage import save, with_store

DOCS = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


def test_every_metric_is_documented() -> None:
    names = {
        f"{family.name}_{suffix}" if suffix else family.name
        for family in Metrics().registry.collect()
        for suffix in [{"counter": "total", "info": "info"}.get(family.type, "")]
        if family.name.startswith("riverstones")
    }
    documented = set(re.findall(r"^\| `(riverstones_\w+)` \|", DOCS, re.MULTILINE))
    assert names == documented


def test_a_server_counts_its_commands_appends_and_refusals(server: Running) -> None:
    ann = server.client("Ann")
    table = ann.make_table("me", "open")
    socket = ann.socket(table)
    socket.wait("snapshot")
    assert socket.do("say", text="hello")["type"] == "ack"
    assert socket.do("say", text="")["type"] == "refused"
    ann.http.get(f"{API}/tables/nowhere")
    ann.http.post(f"{API}/me", json={"name": "x"}, headers={"origin": "http://evil.example"})
    shown = ann.http.get(f"{API}/metrics").text
    for line in (
        'riverstones_commands_total{kind="say",outcome="done"} 1.0',
        'riverstones_commands_total{kind="say",outcome="refused"} 1.0',
        "riverstones_command_seconds_count 1.0",
        "riverstones_appends_total 2.0",
        "riverstones_sockets 1.0",
        "riverstones_live_tables 1.0",
        'riverstones_refused_total{code="no_such_table"} 1.0',
        'riverstones_refused_total{code="wrong_origin"} 1.0',
    ):
        assert line in shown
    assert "process_open_fds" in shown
    assert 'riverstones_info{version="' in shown


def test_conflicts_and_failures_of_the_database_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = Metrics()

    async def work(store: Store) -> None:
        store.database.writer.observer = metrics
        played = table_of("ann", "bob")
        await save(store, played)
        length = len(played.log)
        twin = Played(fold(played.log), list(played.log))
        played.play_on(1)
        twin.play_on(1, seed=5)
        await save(store, played, length)
        with pytest.raises(Conflict):
            await save(store, twin, length)

        async def full(*_: Any) -> None:
            raise OSError("full")

        monkeypatch.setattr(store.database.writer, "_commit", full)
        length = len(played.log)
        played.play_on(1)
        with pytest.raises(OSError, match="full"):
            await save(store, played, length)

    with_store(f"sqlite:///{tmp_path / 'x.sqlite3'}", work)
    assert value(metrics, "riverstones_appends_total") == 2
    assert value(metrics, "riverstones_commit_seconds_count") == 2
    assert value(metrics, "riverstones_append_conflicts_total") == 1
    assert value(metrics, "riverstones_append_failures_total") == 1


class Held(Workers):
    """Workers whose job ends when the test says so."""

    def __init__(self) -> None:
        self.begun, self.result = asyncio.Event(), asyncio.get_running_loop().create_future()

    async def run(self, *_: Any) -> Any:
        self.begun.set()
        return await self.result

    def warm_up(self) -> None: ...

    @property
    def compiled(self) -> bool:
        return True

    async def until_compiled(self) -> None: ...

    async def close(self) -> None: ...


def test_jobs_are_counted_by_kind_and_outcome() -> None:
    metrics = Metrics()

    async def one(end: str) -> None:
        held = Held()
        job: Any = None
        running = asyncio.create_task(MeasuredWorkers(held, metrics).run(job, priority=Priority.HINT))
        await held.begun.wait()
        assert value(metrics, "riverstones_open_jobs", kind="hint") == 1
        match end:
            case "done":
                held.result.set_result(7)
            case "failed":
                held.result.set_exception(ValueError())
            case _:
                running.cancel()
        answers: Any = await asyncio.gather(running, return_exceptions=True)
        assert (list(answers) == [7]) is (end == "done")
        assert value(metrics, "riverstones_open_jobs", kind="hint") == 0
        assert value(metrics, "riverstones_jobs_total", kind="hint", outcome=end) == 1

    for end in ("done", "failed", "cancelled"):
        asyncio.run(one(end))
    assert value(metrics, "riverstones_job_seconds_count", kind="hint") == 1
