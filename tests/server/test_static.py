"""The web app's files: compression, caching by hash, and the paths of its pages."""

from pathlib import Path

import pytest
from starlette.requests import Request

from riverstones.server.http.static_files import page

from .running import Running


def request(**headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": raw})


@pytest.fixture
def built(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>" + " " * 1000)
    (tmp_path / "assets" / "app-abc123.js").write_text("let x = 1;" * 200)
    (tmp_path / "assets" / "app-abc123.js.br").write_bytes(b"brotli")
    (tmp_path / "icon.svg").write_text("<svg/>")
    (tmp_path.parent / "secret.txt").write_text("secret")
    return tmp_path


def test_hashed_files_are_cached_for_good_and_compressed(built: Path) -> None:
    answer = page(request(accept_encoding="gzip, br"), "assets/app-abc123.js", built)
    assert answer is not None
    assert answer.headers["content-encoding"] == "br"
    assert "immutable" in answer.headers["cache-control"]
    gzipped = page(request(accept_encoding="gzip"), "assets/app-abc123.js", built)
    assert gzipped is not None
    assert gzipped.headers["content-encoding"] == "gzip"
    assert len(gzipped.body) < 200
    plain = page(request(), "assets/app-abc123.js", built)
    assert plain is not None
    assert "content-encoding" not in plain.headers


@pytest.mark.parametrize("path", ["", "t/k3w9xq5m2dab", "rules", "replay/abc"])
def test_the_apps_paths_lead_to_its_page(built: Path, path: str) -> None:
    answer = page(request(), path, built)
    assert answer is not None
    assert bytes(answer.body).startswith(b"<!doctype html>")
    assert answer.headers["cache-control"] == "no-cache"
    tag = answer.headers["etag"]
    again = page(request(if_none_match=tag), path, built)
    assert again is not None
    assert again.status_code == 304


def test_a_table_path_gets_the_page_that_preloads_its_files(built: Path) -> None:
    (built / "table.html").write_text("<!doctype html><title>a table</title>")
    table = page(request(), "t/k3w9xq5m2dab", built)
    first = page(request(), "", built)
    assert table is not None
    assert first is not None
    assert b"a table" in table.body
    assert b"a table" not in first.body
    assert table.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["missing.js", "assets/gone", "../secret.txt", "assets/app-abc123.js.br"])
def test_a_missing_file(built: Path, path: str) -> None:
    assert page(request(), path, built) is None


def test_without_a_build_a_page_says_how_to_build(tmp_path: Path) -> None:
    answer = page(request(), "", tmp_path)
    assert answer is not None
    assert b"make web" in answer.body
    assert page(request(), "app.js", tmp_path) is None


def test_an_unknown_path_of_the_api_is_json(server: Running) -> None:
    answer = server.client(None).http.get("/api/v1/nothing")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
    assert server.client(None).http.put("/api/v1/me", json={}).json()["error"]["code"] == "method_not_allowed"


@pytest.mark.parametrize("path", ["a\0b", "a" * 5000, "a/" * 3000, "assets/" + "a" * 300])
def test_an_invalid_file_name_is_not_an_error(built: Path, path: str) -> None:
    answer = page(request(), path, built)
    assert answer is None or answer.status_code == 200
