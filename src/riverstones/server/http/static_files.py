"""The web app's files, compressed. Browsers cache files with hashed names for good and revalidate the others."""

from __future__ import annotations

import gzip
import mimetypes
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

FOLDER = Path(__file__).parents[1] / "static"
HASHED = "assets/"
"""The folder of files whose names contain a hash of their content."""

TABLES = "t/"
"""The path prefix of tables. The build has a page for them that preloads the files of a table."""

COMPRESSIBLE = ("text/", "application/javascript", "application/json", "application/manifest+json", "image/svg+xml")
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))

NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Riverstones</title>
<h1>Riverstones</h1>
<p>The server runs, but the web app is not built yet.</p>
<p>Run <code>make web</code> in the project's folder, then load this page again.</p>
</html>
"""


@dataclass(frozen=True, slots=True)
class File:
    """A file of the web app in each available encoding."""

    kind: str
    tag: str
    bodies: dict[str, bytes]


@cache
def load(path: Path) -> File:
    """Read a file and its compressed versions; gzip it if the build has not."""
    body = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if path.suffix == ".webmanifest":
        kind = "application/manifest+json"
    bodies = {"identity": body}
    for encoding, suffix in ENCODINGS:
        ready = path.with_name(path.name + suffix)
        if ready.is_file():
            bodies[encoding] = ready.read_bytes()
    if "gzip" not in bodies and kind.startswith(COMPRESSIBLE) and len(body) > 500:
        bodies["gzip"] = gzip.compress(body, mtime=0)
    return File(kind, f'"{sha256(body).hexdigest()[:16]}"', bodies)


def page(request: Request, path: str, folder: Path = FOLDER) -> Response | None:
    """The file for a path, or the app's page for a path without a file name; None if the file is missing."""
    index = folder / "index.html"
    if not index.is_file():
        return Response(NOT_BUILT, media_type="text/html") if "." not in path.rpartition("/")[2] else None
    wanted = _file(folder, path)
    if wanted is not None and wanted.suffix not in (".br", ".gz"):
        return _answer(request, load(wanted), forever=wanted.is_relative_to((folder / HASHED).resolve()))
    if "." in path.rpartition("/")[2] or path.startswith(HASHED):
        return None
    table = folder / "table.html"
    return _answer(request, load(table if path.startswith(TABLES) and table.is_file() else index), forever=False)


def _file(folder: Path, path: str) -> Path | None:
    """The file for a path inside the folder; None if it is missing or outside."""
    try:
        wanted = (folder / path).resolve()
        return wanted if wanted.is_relative_to(folder.resolve()) and wanted.is_file() else None
    except (OSError, ValueError):  # not a valid file name: too long, or with a null byte
        return None


def _answer(request: Request, file: File, *, forever: bool) -> Response:
    headers = {
        "etag": file.tag,
        "vary": "accept-encoding",
        "cache-control": "public, max-age=31536000, immutable" if forever else "no-cache",
    }
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    accepted = {part.partition(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}
    for encoding, _ in ENCODINGS:
        if encoding in accepted and encoding in file.bodies:
            return Response(
                file.bodies[encoding], headers={**headers, "content-encoding": encoding}, media_type=file.kind
            )
    return Response(file.bodies["identity"], headers=headers, media_type=file.kind)
