"""Every message matches its type, which is defined once, and the published schemas match the types."""

import json
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from riverstones.engine import bots
from riverstones.rules import Layout
from riverstones.server.protocol import CLIENT_MESSAGE, SERVER_MESSAGE, schemas
from riverstones.server.tables.feed import EncodedEvent
from riverstones.table import events as e
from riverstones.table import snapshot, tell, wire
from tests.table.helpers import viewers
from tests.table.test_laws import wander


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_every_message_to_a_viewer_matches_its_schema(seed: int) -> None:
    table = wander(seed, 60)
    for entry, state in zip(table.log, table.states(), strict=True):
        told = tell(entry, state)
        encoded = EncodedEvent.of(told)
        for viewer in viewers(state):
            heard = told.to(viewer)
            SERVER_MESSAGE.validate_python(heard)
            SERVER_MESSAGE.validate_python({"type": "snapshot", "snapshot": snapshot(state, viewer)})
            assert json.loads(encoded.to(viewer)) == heard
            hand = None if viewer.seat is None or state.game is None else list(state.game.hands[viewer.seat])
            assert heard.get("hand") == hand


def tags(union: Any) -> dict[str, str]:
    """The class name of each message of a union, by its type."""
    return {get_args(get_type_hints(kind)["type"])[0]: kind.__name__ for kind in get_args(union)}


def test_every_stored_event_is_sent_under_the_same_name() -> None:
    assert tags(wire.TableEvent) == {name: kind.__name__ for name, kind in e._BY_NAME.items()}


@pytest.mark.parametrize(
    "event",
    [
        {"type": "resigned"},
        {"type": "resigned", "seat": "one"},
        {"type": "resigned", "seat": 1, "hand": [1, 2]},
        {"type": "teleported", "seat": 1},
        {"seat": 1},
    ],
)
def test_an_event_that_does_not_match_its_schema_is_rejected(event: dict[str, Any]) -> None:
    played = wander(1, 5)
    message = tell(played.log[0], next(played.states())).public
    SERVER_MESSAGE.validate_python({**message, "event": {"type": "resigned", "seat": 1}})
    with pytest.raises(ValidationError):
        SERVER_MESSAGE.validate_python({**message, "event": event})


@pytest.mark.parametrize(
    "message",
    [
        {"type": "hello", "protocol": 1, "since": -1},
        {"type": "hello", "protocol": 1, "seat": 4},
        {"type": "hello", "protocol": 1, "more": 1},
        {"type": "look"},
        {"type": "hint", "id": "x" * 65, "seat": 0, "step": 1},
        {"type": "hint", "id": "x", "seat": 0, "step": 4},
        {"type": "do", "id": "a b", "command": {"type": "close"}},
        {"type": "do", "id": "x", "command": {"seat": 1}},
        {"type": "do", "id": "x", "command": {"type": "stand", "seat": 1, "more": 1}},
    ],
)
def test_fields_out_of_bounds_are_rejected(message: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        CLIENT_MESSAGE.validate_python(message)


def test_only_optional_fields_are_optional_in_the_schema() -> None:
    published = schemas()
    defs = published["server"]["$defs"]
    optional = {
        f"{name}.{field}"
        for name, schema in defs.items()
        for field in schema.get("properties", {})
        if field not in schema["required"]
    }
    assert optional == {"EventMessage.hand", "ErrorInfo.problems"}
    client = published["client"]["$defs"]
    assert set(client["Hello"]["properties"]) - set(client["Hello"]["required"]) == {"since", "seat"}
    assert "type" in client["Sit"]["required"]
    assert "claim" not in client["Play"]["required"]


def test_descriptions_of_fields_are_in_the_schema() -> None:
    assert "viewer's seat" in schemas()["server"]["$defs"]["EventMessage"]["properties"]["hand"]["description"]


def test_the_published_limits_are_those_of_the_code() -> None:
    limits = schemas()["limits"]
    assert limits["levels"] == list(bots.LEVELS)
    assert set(limits["layouts"]) == {layout.value for layout in Layout}
