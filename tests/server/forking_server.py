"""Fast server processes: a parent that has imported everything forks a server for each line that it reads.

A line is `DATABASE PORT`; the answer is the child's process id. A forked server starts within milliseconds, so that a
test can kill many.
"""

import gc
import os
import signal
import sys

from riverstones.server.app import create_app
from riverstones.server.run import serve
from riverstones.server.settings import Settings
from riverstones.server.workers import pool


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    create_app(Settings(database="sqlite:///unused")).openapi()  # prepares the routes
    pool.REVIEW_NICENESS = 0  # see `running`
    gc.freeze()  # or each server would begin by collecting the garbage of everything imported
    while line := os.read(0, 4096).decode():
        database, port = line.split()
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            settings = Settings(
                database=database, port=int(port), limits=False, rated_turns=0, rated_age_ms=0, workers=1
            )
            serve(settings, warm_up=False)
            os._exit(0)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
