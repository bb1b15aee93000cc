"""Programs that some tests need besides Python."""

import os
import shutil

import pytest


def program(name: str) -> str:
    """The path of a program. In CI it must be there; on other machines its tests are skipped."""
    found = shutil.which(name)
    if found is None and "CI" not in os.environ:
        pytest.skip(f"{name} is not installed")
    assert found is not None, f"{name} is not installed"
    return found
