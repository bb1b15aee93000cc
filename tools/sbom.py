"""The software bill of materials: every pinned package of the server and of the web app, as CycloneDX 1.6 JSON.

`python -m tools.sbom [FILE]` reads the lock files only, so it needs no network and lists exactly what is installed.
"""

from __future__ import annotations

import base64
import json
import re
import sys
from pathlib import Path
from typing import Any

from riverstones import __version__

ROOT = Path(__file__).parents[1]
PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)")
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def python_packages(lock: Path) -> list[dict[str, Any]]:
    """The packages of a pip lock file with the hashes of their distributions."""
    found: list[dict[str, Any]] = []
    for line in lock.read_text(encoding="utf-8").splitlines():
        if pinned := PINNED.match(line):
            name, version = pinned[1].lower(), pinned[2]
            purl = f"pkg:pypi/{name}@{version}"
            found.append({"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl})
        elif found:
            hashes = [{"alg": "SHA-256", "content": content} for content in HASH.findall(line)]
            found[-1].setdefault("hashes", []).extend(hashes)
    return found


def node_packages(lock: Path) -> list[dict[str, Any]]:
    """The packages of an npm lock file. All are needed to build the web app only, so none is installed with it."""
    found: dict[str, dict[str, Any]] = {}
    for path, package in json.loads(lock.read_text(encoding="utf-8"))["packages"].items():
        if not path or package.get("link"):
            continue
        name, version = path.rpartition("node_modules/")[2], package["version"]
        purl = f"pkg:npm/{name.replace('@', '%40')}@{version}"
        component = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
        if (integrity := package.get("integrity", "")).startswith("sha512-"):
            content = base64.b64decode(integrity.removeprefix("sha512-")).hex()
            component["hashes"] = [{"alg": "SHA-512", "content": content}]
        found[purl] = component | {"scope": "excluded" if package.get("dev") else "required"}
    return [found[purl] for purl in sorted(found)]


def bill() -> dict[str, Any]:
    """The bill of materials."""
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "riverstones", "version": __version__}},
        "components": [
            *python_packages(ROOT / "requirements" / "run.txt"),
            *node_packages(ROOT / "web" / "package-lock.json"),
        ],
    }


def main() -> None:
    """Write the bill to a file, or to standard output."""
    text = json.dumps(bill(), indent=1) + "\n"
    if len(sys.argv) > 1:
        Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
        Path(sys.argv[1]).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
