"""The bill of materials lists every pinned package, with a hash for each."""

import json
import re
from pathlib import Path

from tools.sbom import bill

ROOT = Path(__file__).parents[1]


def test_every_pinned_package_is_in_the_bill() -> None:
    purls = {component["purl"] for component in bill()["components"]}
    pinned = re.findall(
        r"^([A-Za-z0-9._-]+)(?:\[.*\])?==([^\s;\\]+)", (ROOT / "requirements/run.txt").read_text(), re.M
    )
    assert len(pinned) > 30
    assert {f"pkg:pypi/{name.lower()}@{version}" for name, version in pinned} <= purls
    packages = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    names = {path.rpartition("node_modules/")[2] for path in packages if path}
    assert names == {component["name"] for component in bill()["components"] if component["purl"].startswith("pkg:npm")}


def test_every_component_has_what_an_auditor_needs() -> None:
    document = bill()
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    references = [component["bom-ref"] for component in document["components"]]
    assert len(references) == len(set(references))
    for component in document["components"]:
        lengths = {"SHA-256": 64, "SHA-512": 128}
        assert component["hashes"], component["name"]
        for each in component["hashes"]:
            assert re.fullmatch(rf"[0-9a-f]{{{lengths[each['alg']]}}}", each["content"]), component["name"]
