"""Where bots think: in processes of their own, so that the server never waits for them.

`mind` is what runs there, `worker` is the process, `pool` keeps the processes and hands out the work.
"""

from .pool import Thinkers, ThinkingFailed

__all__ = ["Thinkers", "ThinkingFailed"]
