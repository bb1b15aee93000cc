"""Engine jobs run in worker processes, so that the server's event loop never blocks.

`interface` is what the server asks for. `jobs` defines the jobs, `worker` is the program of a process and `process` the
server's handle of it, `pool` keeps the processes of this machine and assigns jobs, `fair_queue` decides whose job is
next.
"""

from riverstones.server.workers.interface import NOBODY, WorkerFailed, Workers
from riverstones.server.workers.jobs import Advice
from riverstones.server.workers.pool import WorkerPool, review_pool
from riverstones.server.workers.requester import LastAddresses, Requester

__all__ = ["NOBODY", "Advice", "LastAddresses", "Requester", "WorkerFailed", "WorkerPool", "Workers", "review_pool"]
