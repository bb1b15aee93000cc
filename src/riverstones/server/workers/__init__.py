"""Engine jobs run in worker processes, so that the server's event loop never blocks.

`jobs` defines the jobs, `worker` is the program of a process and `process` the server's handle of it, `pool` keeps the
processes and assigns jobs, `fair_queue` decides whose job is next.
"""

from riverstones.server.workers.jobs import Advice
from riverstones.server.workers.pool import WorkerPool
from riverstones.server.workers.process import WorkerFailed

__all__ = ["Advice", "WorkerFailed", "WorkerPool"]
