"""Tables without a server: one device keeps them, decides on them, plays their bots and reviews their games.

`LocalTable` answers the messages of the socket's protocol, so the page that shows a table need not know whether a
server keeps it. The other functions answer as the server's HTTP routes do. Nothing here does input or output: whoever
runs it stores the events, tells the time and waits. The same deal and the same moves give the same events as on a
server, and the same answers, byte for byte.
"""

from .analysis import analyse
from .hints import hint
from .reading import Unreadable, read
from .records import end_summary, read_record, record
from .refusals import REFUSALS, refused
from .reviews import review
from .saved import restore, save
from .summaries import Played, beaten_levels, played, profile, summary
from .table import Happening, LocalTable, Row, Step, Work

__all__ = [
    "REFUSALS",
    "Happening",
    "LocalTable",
    "Played",
    "Row",
    "Step",
    "Unreadable",
    "Work",
    "analyse",
    "beaten_levels",
    "end_summary",
    "hint",
    "played",
    "profile",
    "read",
    "read_record",
    "record",
    "refused",
    "restore",
    "review",
    "save",
    "summary",
]
