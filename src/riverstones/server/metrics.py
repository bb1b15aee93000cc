"""Metrics for Prometheus. Each server has its own registry."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector, generate_latest

from riverstones import __version__

QUICK_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
"""Buckets for what a player waits for."""

LONG_S = (0.01, 0.05, 0.1, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0)
"""Buckets for the work of the engine."""


class Metrics:
    """The server's metrics. It also counts the writes of the database: see `storage.writer.WriteObserver`."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        registry = self.registry
        ProcessCollector(registry=registry)
        Info("riverstones", "The version of this server", registry=registry).info({"version": __version__})
        self.live_tables = Gauge("riverstones_live_tables", "Tables in memory", registry=registry)
        self.sockets = Gauge("riverstones_sockets", "Open sockets", registry=registry)
        self.tables_made = Counter("riverstones_tables_made", "Tables created", registry=registry)
        self.games_ended = Counter("riverstones_games_ended", "Games ended", registry=registry)
        self.commands = Counter(
            "riverstones_commands", "Commands by kind and outcome", ["kind", "outcome"], registry=registry
        )
        self._commands: dict[tuple[str, str], Counter] = {}
        self.command_seconds = Histogram(
            "riverstones_command_seconds",
            "Seconds from receiving a command until it is stored and sent to viewers",
            buckets=QUICK_S,
            registry=registry,
        )
        self.appends = Counter("riverstones_appends", "Changes of tables that are durable", registry=registry)
        self.append_conflicts = Counter(
            "riverstones_append_conflicts", "Changes of tables that another server was first to make", registry=registry
        )
        self.append_failures = Counter(
            "riverstones_append_failures", "Changes of tables that the database did not store", registry=registry
        )
        self.commit_seconds = Histogram(
            "riverstones_commit_seconds",
            "Seconds that the database takes to commit a batch of changes",
            buckets=QUICK_S,
            registry=registry,
        )
        self.open_jobs = Gauge(
            "riverstones_open_jobs", "Engine jobs that wait or run, by kind", ["kind"], registry=registry
        )
        self.jobs = Counter(
            "riverstones_jobs", "Engine jobs by kind and outcome", ["kind", "outcome"], registry=registry
        )
        self.job_seconds = Histogram(
            "riverstones_job_seconds",
            "Seconds from the request of an engine job to its result",
            ["kind"],
            buckets=LONG_S,
            registry=registry,
        )
        self.dropped = Counter("riverstones_dropped_readers", "Clients dropped for slow reading", registry=registry)
        self.limited = Counter("riverstones_limited", "Requests and messages over a limit", registry=registry)
        self.refused = Counter(
            "riverstones_refused",
            "Requests and sockets refused by the server, by error code",
            ["code"],
            registry=registry,
        )
        self.refused_connections = Counter(
            "riverstones_refused_connections", "Connections over a limit, closed at once", registry=registry
        )

    def count_command(self, kind: str, outcome: str) -> None:
        """Count a command. The library's own search for the counter costs more than the increment."""
        counter = self._commands.get((kind, outcome))
        if counter is None:
            counter = self._commands[kind, outcome] = self.commands.labels(kind, outcome)
        counter.inc()

    def committed(self, changes: int, seconds: float) -> None:
        """Count a batch of durable changes."""
        self.appends.inc(changes)
        self.commit_seconds.observe(seconds)

    def conflicted(self) -> None:
        """Count a change that another server was first to make."""
        self.append_conflicts.inc()

    def not_stored(self, changes: int) -> None:
        """Count changes that the database did not store."""
        self.append_failures.inc(changes)

    def text(self) -> bytes:
        """The metrics in Prometheus's text format."""
        return generate_latest(self.registry)
