"""Engine jobs run in worker processes, so that the server's event loop never blocks.

`jobs` are what runs there, `worker` is the process and `process` the server's end of it, `pool` keeps the processes and
hands out jobs, `fair_queue` decides whose job is next.
"""

from riverstones.server.workers.pool import WorkerPool
from riverstones.server.workers.process import WorkerFailed

__all__ = ["WorkerFailed", "WorkerPool"]
