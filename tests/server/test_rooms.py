"""The parts of the server stay apart: what one of them is made of, and who reads what."""

import ast
from collections.abc import Iterator
from pathlib import Path

SERVER = Path(__file__).parents[2] / "src" / "riverstones" / "server"

OTHERS = {"server/workers/remote_worker.py: Worker"}
"""Classes of libraries that take functions."""


def trees() -> Iterator[tuple[str, ast.Module]]:
    """Every module of the server, parsed, by its place in the package."""
    for path in sorted(SERVER.rglob("*.py")):
        yield path.relative_to(SERVER.parent).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def given_methods(place: str, tree: ast.Module) -> Iterator[str]:
    """Each class that an object of this module makes with one of its own methods, as `file: class`."""
    for owner in ast.walk(tree):
        if not isinstance(owner, ast.ClassDef):
            continue
        methods = {
            node.name
            for node in owner.body
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and "property" not in map(ast.unparse, node.decorator_list)
        }
        for call in ast.walk(owner):
            if not isinstance(call, ast.Call):
                continue
            made = ast.unparse(call.func).rpartition(".")[2]
            given = [*call.args, *(keyword.value for keyword in call.keywords)]
            if made[:1].isupper() and any(
                isinstance(each, ast.Attribute) and ast.unparse(each.value) == "self" and each.attr in methods
                for each in given
            ):
                yield f"{place}: {made}"


def test_no_object_is_made_with_methods_of_its_maker() -> None:
    """An object gets the objects that it needs. Callbacks hide which way events flow."""
    assert {found for place, tree in trees() for found in given_methods(place, tree)} == OTHERS


def test_a_method_that_is_given_to_a_new_object_is_found() -> None:
    source = "class A:\n    def f(self):\n        self.b = B(self.f)\n        self.c = C(self.g)\n"
    assert list(given_methods("a.py", ast.parse(source))) == ["a.py: B"]


def test_the_address_that_a_proxy_forwards_is_read_in_one_place() -> None:
    reading = [
        place
        for place, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
        if node.value in ("x-forwarded-for", b"x-forwarded-for")
    ]
    assert reading == ["server/http/addresses.py"]
