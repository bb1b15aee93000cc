"""Schemathesis sends requests that the OpenAPI document allows, and invalid ones: the server never fails."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from riverstones.server.app import create_app
from riverstones.server.settings import Settings

from .running import Client, Running

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def visitor(server: Running) -> Client:
    """A client with a name, a table and a finished game."""
    client = server.client("Ann")
    client.make_table("me", "open", listed=True)
    client.do(client.make_table("me", "me:Bob"), "resign", seat=0)
    return client


schema = schemathesis.openapi.from_dict(create_app(Settings(database="sqlite:///unused")).openapi())


@schema.exclude(path_regex="stream$").parametrize()
@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
def test_answers_match_the_document(case: Any, visitor: Client) -> None:
    # Sign out only without a session: the visitor's is still needed.
    cookies = {} if case.method == "DELETE" else dict(visitor.http.cookies)
    answer = case.call(base_url=visitor.url, headers={"origin": visitor.url}, cookies=cookies)
    case.validate_response(answer, checks=CHECKS)


def test_every_route_is_described(server: Running) -> None:
    document = server.client(None).get("/openapi.json")
    assert len(document["paths"]) > 20
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], (method, path)
            answers = operation["responses"]
            assert "409" in answers, (method, path)
            for status, answer in answers.items():
                for kind, content in answer.get("content", {}).items():
                    assert content["schema"], (method, path, status, kind)
                assert answer.get("content") or status == "204", (method, path, status)
                if status >= "400":
                    assert answer["content"]["application/json"]["schema"]["$ref"].endswith("/ErrorAnswer")
