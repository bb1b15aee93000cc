"""What an operator can watch, for Prometheus. Each server has a registry of its own."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class Metrics:
    """The server's counters."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        registry = self.registry
        self.live_tables = Gauge("riverstones_live_tables", "Tables in memory", registry=registry)
        self.sockets = Gauge("riverstones_sockets", "Open sockets", registry=registry)
        self.tables_made = Counter("riverstones_tables_made", "Tables made", registry=registry)
        self.games_ended = Counter("riverstones_games_ended", "Games ended", registry=registry)
        self.commands = Counter(
            "riverstones_commands", "Commands by kind and outcome", ["kind", "outcome"], registry=registry
        )
        self.command_seconds = Histogram(
            "riverstones_command_seconds",
            "From a command's arrival until it is durable and told",
            buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0),
            registry=registry,
        )
        self.dropped = Counter("riverstones_dropped_readers", "Slow readers cut off", registry=registry)
        self.limited = Counter("riverstones_limited", "Requests and messages over a limit", registry=registry)
        self.refused_connections = Counter(
            "riverstones_refused_connections", "Connections refused when they were accepted", registry=registry
        )

    def text(self) -> bytes:
        """The counters in the text form that Prometheus reads."""
        return generate_latest(self.registry)
