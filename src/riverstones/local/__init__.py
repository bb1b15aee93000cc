"""Tables without a server: one device keeps them, decides on them and plays their bots.

`LocalTable` answers the messages of the socket's protocol, so the page that shows a table need not know whether a
server keeps it. It does no input or output: whoever runs it stores the events, tells the time and waits. The same deal
and the same moves give the same events as on a server, byte for byte.
"""

from .reading import Unreadable, read
from .table import Happening, LocalTable, Row, Step, Work

__all__ = ["Happening", "LocalTable", "Row", "Step", "Unreadable", "Work", "read"]
