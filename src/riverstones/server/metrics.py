"""Metrics for Prometheus. Each server has its own registry."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class Metrics:
    """The server's metrics."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        registry = self.registry
        self.live_tables = Gauge("riverstones_live_tables", "Tables in memory", registry=registry)
        self.sockets = Gauge("riverstones_sockets", "Open sockets", registry=registry)
        self.tables_made = Counter("riverstones_tables_made", "Tables created", registry=registry)
        self.games_ended = Counter("riverstones_games_ended", "Games ended", registry=registry)
        self.commands = Counter(
            "riverstones_commands", "Commands by kind and outcome", ["kind", "outcome"], registry=registry
        )
        self.command_seconds = Histogram(
            "riverstones_command_seconds",
            "Seconds from receiving a command until it is stored and sent to viewers",
            buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0),
            registry=registry,
        )
        self.dropped = Counter("riverstones_dropped_readers", "Clients dropped for slow reading", registry=registry)
        self.limited = Counter("riverstones_limited", "Requests and messages over a limit", registry=registry)
        self.refused_connections = Counter(
            "riverstones_refused_connections", "Connections over a limit, closed at once", registry=registry
        )

    def text(self) -> bytes:
        """The metrics in Prometheus's text format."""
        return generate_latest(self.registry)
