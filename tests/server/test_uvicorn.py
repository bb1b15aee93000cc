"""The parts of uvicorn that are not its public interface: an update that changes them fails here first."""

from importlib.metadata import requires, version

import pytest
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from riverstones.server.http.channel import Channel
from riverstones.server.http.uvicorn_protocols import LimitedHttpProtocol, LimitedSocketProtocol

OWN = {"write", "is_writable", "outbox", "receiver", "take_packet", "limits"}
"""Public names that our classes add."""


@pytest.mark.parametrize(
    ("own", "base"),
    [
        (LimitedHttpProtocol, HttpToolsProtocol),
        (Channel, WebSocketsSansIOProtocol),
        (LimitedSocketProtocol, WebSocketsSansIOProtocol),
    ],
)
def test_overridden_members_exist(own: type, base: type) -> None:
    overridden = {name for name in vars(own) if not name.startswith("_")} - OWN
    assert overridden
    assert {name for name in overridden if not hasattr(base, name)} == set()


def test_only_the_tested_release_is_allowed() -> None:
    """The next release has to be tested before it is allowed."""
    allowed = next(text for text in requires("riverstones") or () if text.startswith("uvicorn"))
    major, minor, *_ = version("uvicorn").split(".")
    assert f">={major}.{minor}" in allowed
    assert f"<{major}.{int(minor) + 1}" in allowed
