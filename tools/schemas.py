"""Generate docs/protocol.schema.json and docs/openapi.json: `python -m tools.schemas`.

They are generated from the code that validates the messages; a test fails when they are out of date. The web app's
TypeScript types are generated from them when it is built.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from riverstones.server.app import create_app
from riverstones.server.protocol import schemas
from riverstones.server.settings import Settings

DOCS = Path(__file__).parents[1] / "docs"


def documents() -> dict[Path, dict[str, Any]]:
    """The contents of each generated file."""
    app = create_app(Settings(database="sqlite:///unused"))
    return {DOCS / "protocol.schema.json": schemas(), DOCS / "openapi.json": app.openapi()}


if __name__ == "__main__":
    for path, document in documents().items():
        path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
