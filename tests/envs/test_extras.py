"""An environment whose project is not installed says which extra it needs."""

import importlib
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "missing", "sentence"),
    [
        ("observation", "numpy", "The observation needs the extra “envs”"),
        ("kernel_game", "numpy", "KernelGame needs the extra “envs”"),
        ("vector", "gymnasium", "VectorEnv needs the extra “envs”"),
        ("dataset", "numpy", "The dataset reader needs the extra “envs”"),
        ("make_dataset", "numpy", "make_dataset needs the extra “envs”"),
        ("riverstones_v0", "pettingzoo", "The PettingZoo environment needs the extra “envs”"),
        ("open_spiel", "pyspiel", "The OpenSpiel game needs the extra “openspiel”"),
        ("one_seat", "gymnasium", "The Gymnasium environment needs the extra “envs”"),
    ],
)
def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, module: str, missing: str, sentence: str) -> None:
    monkeypatch.delitem(sys.modules, f"riverstones.envs.{module}", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ModuleNotFoundError) as caught:
        importlib.import_module(f"riverstones.envs.{module}")
    assert str(caught.value).startswith(f"{sentence}: pip install")


def test_a_missing_module_of_our_own_is_not_blamed_on_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "riverstones.envs.riverstones_v0", raising=False)
    monkeypatch.setitem(sys.modules, "riverstones.envs.kernel_game", None)
    with pytest.raises(ModuleNotFoundError, match=r"riverstones\.envs\.kernel_game"):
        importlib.import_module("riverstones.envs.riverstones_v0")
