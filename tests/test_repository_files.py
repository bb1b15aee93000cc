"""The files that a code host reads: the citation, the security policy and the forms for issues."""

import re
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

import riverstones

ROOT = Path(__file__).parents[1]
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
CFF_FIELDS = {
    "abstract",
    "authors",
    "cff-version",
    "commit",
    "contact",
    "date-released",
    "doi",
    "identifiers",
    "keywords",
    "license",
    "license-url",
    "message",
    "preferred-citation",
    "references",
    "repository",
    "repository-artifact",
    "repository-code",
    "title",
    "type",
    "url",
    "version",
}
"""The fields of the Citation File Format 1.2.0."""


def test_the_citation_has_the_form_of_its_format_and_the_version_of_the_package() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= citation.keys() <= CFF_FIELDS
    assert (citation["cff-version"], citation["type"], citation["license"]) == ("1.2.0", "software", "MIT")
    assert all(author.keys() <= {"name", "family-names", "given-names", "orcid"} for author in citation["authors"])
    assert citation["version"] == riverstones.__version__
    assert f"version = {{{riverstones.__version__}}}" in (ROOT / "docs" / "citing.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_an_issue_form_asks_for_something(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= form.keys()
    kinds = {"textarea", "input", "dropdown", "markdown", "checkboxes"}
    assert {field["type"] for field in form["body"]} <= kinds
    assert all(field["attributes"]["label"] for field in form["body"] if field["type"] != "markdown")
    ids = [field["id"] for field in form["body"] if "id" in field]
    assert len(ids) == len(set(ids))
    assert any(field.get("validations", {}).get("required") for field in form["body"])


def test_the_readme_fits_on_a_screen_and_names_the_policies() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.splitlines()) <= 60
    assert {"(SECURITY.md)", "(CONTRIBUTING.md)", "(LICENSE)"} <= set(re.findall(r"\([A-Z.a-z]+\)", readme))
    assert "Report a vulnerability" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")
