"""A node of the site under test: `riverstones serve`, with one more way to die.

After SIGUSR1 it kills itself at its next commit: the event is stored, and no other node is told of it.
"""

from __future__ import annotations

import os
import signal
import sys

from riverstones.server.fanout.queued import QueuedFanout
from riverstones.server.run import serve
from riverstones.server.settings import Settings


def _die(self: QueuedFanout, table: str, seq: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _arm(*_: object) -> None:
    QueuedFanout.publish = _die  # type: ignore[method-assign]


def main(database: str, redis: str, host: str, port: str) -> None:
    signal.signal(signal.SIGUSR1, _arm)
    settings = Settings(
        database=database,
        redis=redis or None,
        host=host,
        port=int(port),
        limits=False,
        workers=1,
        bot_pace_ms=50,
        tables_each=10**6,
    )
    serve(settings, warm_up=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
