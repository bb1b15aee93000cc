"""Engine jobs run in worker processes, so that the server's event loop never blocks.

`interface` is what the server asks for. `jobs` defines the jobs, `worker` is the program of a process and `process` the
server's handle of it, `pool` keeps the processes of this machine and assigns jobs, `fair_queue` decides whose job is
next.

Workers on other machines: `job_forms` writes jobs as JSON, `job_store` is the queue that machines share, `dispatcher`
sends jobs to it and follows them, `queued` is `interface` on top of it, and `remote_worker` is the program of a worker.
`assembly` puts together what a server needs.
"""

from riverstones.server.workers.interface import NOBODY, WorkerFailed, Workers
from riverstones.server.workers.pool import WorkerPool, review_pool
from riverstones.server.workers.requester import LastAddresses, Requester

__all__ = ["NOBODY", "LastAddresses", "Requester", "WorkerFailed", "WorkerPool", "Workers", "review_pool"]
