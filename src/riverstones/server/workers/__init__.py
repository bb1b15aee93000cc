"""Where bots think: in processes of their own, so that the server never waits for them.

`mind` is what runs there, `worker` is the process and `process` the server's end of it, `pool` keeps the processes and
hands out the work, `places` says whose work is next.
"""

from riverstones.server.workers.pool import WorkerPool
from riverstones.server.workers.process import WorkerFailed

__all__ = ["WorkerFailed", "WorkerPool"]
