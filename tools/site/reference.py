"""The API reference: a page for each public module, from its signatures and docstrings."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from enum import Enum
from pathlib import Path
from types import ModuleType

MODULES = (
    "riverstones.rules",
    "riverstones.notation",
    "riverstones.svg",
    "riverstones.engine",
    "riverstones.engine.arena",
    "riverstones.study",
    "riverstones.envs",
    "riverstones.envs.actions",
    "riverstones.envs.observation",
    "riverstones.envs.deals",
    "riverstones.envs.riverstones_v0",
    "riverstones.envs.one_seat",
    "riverstones.envs.open_spiel",
    "riverstones.envs.kernel_game",
    "riverstones.envs.dataset",
)
"""The public modules, in the order of docs/api.md."""

ENVIRONMENTS = "riverstones.envs"
"""A package with short names, such as `deal` and `mask`, which mean something else on the pages of other modules."""

WIDTH = 88
"""The longest line of a signature."""

LONGEST_DEFAULT = 30
"""The longest default that is shown."""


@dataclass(frozen=True)
class Name:
    """A public name of a module: its value, and the module and statement that define it."""

    module: str
    name: str
    value: object
    source: ast.stmt | None
    about: str

    @property
    def page(self) -> str:
        return f"{self.module.removeprefix('riverstones.').replace('.', '-')}.md"


def reference_pages() -> dict[str, str]:
    """The pages of the reference by their file names."""
    names = [name for module in MODULES for name in public_names(module)]
    pages = {}
    for module in MODULES:
        own = [name for name in names if name.module == module]
        known = [name for name in names if module.startswith(ENVIRONMENTS) or not name.module.startswith(ENVIRONMENTS)]
        links = {name.name: f"{name.page}#{name.name}" for name in reversed(known)}
        nearer = links | {name.name: f"#{name.name}" for name in own}
        pages[own[0].page] = _linked("\n".join(_page(module, own)), nearer)
    return pages


def public_names(module: str) -> list[Name]:
    """The names in `__all__` of a module, each with its defining statement."""
    loaded = importlib.import_module(module)
    names: list[str] = loaded.__all__
    return [_name(loaded, module, name) for name in sorted(names, key=str.lower)]


def _name(loaded: ModuleType, module: str, name: str) -> Name:
    value = getattr(loaded, name)
    for statement, about in _documented(_body(_defining(module, name))):
        if name in _bound(statement):
            defined = isinstance(statement, ast.ClassDef | ast.FunctionDef)
            doc = inspect.getdoc(value) if defined else about
            return Name(module, name, value, statement, doc or "")
    raise LookupError(f"{module}.{name} is defined nowhere")


def _body(module: str) -> list[ast.stmt]:
    return ast.parse(Path(importlib.import_module(module).__file__ or "").read_text(encoding="utf-8")).body


def _defining(module: str, name: str) -> str:
    """The module that defines a name, which packages on the way import from each other."""
    for node in ast.walk(ast.Module(_body(module), [])):
        match node:
            case ast.ImportFrom(module=str(inner), names=names, level=1) if any(alias.name == name for alias in names):
                return _defining(f"{module}.{inner}", name)
    return module


def _documented(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, str]]:
    """Each statement with the text that follows it as its documentation."""
    for statement, following in zip(body, [*body[1:], None], strict=True):
        match following:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield statement, inspect.cleandoc(text)
            case _:
                yield statement, ""


def _bound(statement: ast.stmt) -> list[str]:
    """The names that a statement defines."""
    match statement:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
            return [name]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
    return []


def _page(module: str, names: list[Name]) -> Iterator[str]:
    loaded = importlib.import_module(module)
    yield f"# `{module}`\n"
    yield f"{_text(inspect.getdoc(loaded) or '')}\n"
    kinds = {
        "Classes": [name for name in names if isinstance(name.source, ast.ClassDef)],
        "Functions": [name for name in names if inspect.isroutine(name.value)],
    }
    kinds["Types and constants"] = [name for name in names if not any(name in kind for kind in kinds.values())]
    for title, group in kinds.items():
        if group:
            yield f"## {title}\n"
        for name in group:
            yield f"### `{name.name}` {{ #{name.name} }}\n"
            if isinstance(name.source, ast.ClassDef) and inspect.isclass(name.value):
                yield from _class(name, name.source, name.value)
            elif inspect.isroutine(name.value):
                yield _code(f"def {name.name}{_signature(name.value)}")
                yield f"{_text(name.about)}\n"
            else:
                yield _code(_constant(name))
                yield f"{_text(name.about)}\n"


def _constant(name: Name) -> str:
    """A constant as it is written, or only its name if that is long."""
    text = ast.unparse(name.source) if name.source else name.name
    return text if len(text) <= WIDTH else f"{name.name}: {type(name.value).__name__}"


def _class(name: Name, source: ast.ClassDef, cls: type) -> Iterator[str]:
    if is_dataclass(cls):
        yield _code(f"class {cls.__name__}{_signature(cls)}")
    else:
        # Without the types in brackets.
        bases = ", ".join(ast.unparse(base.value if isinstance(base, ast.Subscript) else base) for base in source.bases)
        yield _code(f"class {cls.__name__}({bases})" if bases else f"class {cls.__name__}")
    yield f"{_text(name.about)}\n"
    for statement in source.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
            yield _code(f"{cls.__name__}{_signature(cls.__dict__['__init__'], without_self=True)}")
            yield f"{_text(ast.get_docstring(statement) or '')}\n"
    told = [each for each in _documented(source.body) if each[1] or not is_dataclass(cls)]
    rows = [row for statement, about in told if (row := _attribute(statement, about))]
    if rows:
        yield "| attribute | meaning |\n|---|---|\n" + "\n".join(rows) + "\n"
    for statement in source.body:
        if isinstance(statement, ast.FunctionDef) and not statement.name.startswith("_"):
            yield from _method(name.name, cls, statement)


def _attribute(statement: ast.stmt, about: str) -> str | None:
    """A row for an attribute or a member of an enum; None for other statements."""
    match statement:
        case ast.AnnAssign(target=ast.Name(id=name), annotation=kind) if not name.startswith("_"):
            shown = f"`{name}: {ast.unparse(kind)}`"
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if not name.startswith("_"):
            shown = f"`{name} = {ast.unparse(value)}`"
        case _:
            return None
    return f"| {_cell(shown)} | {_cell(' '.join(about.split()))} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _method(owner: str, cls: type, statement: ast.FunctionDef) -> Iterator[str]:
    decorators = [ast.unparse(decorator) for decorator in statement.decorator_list]
    about = ast.get_docstring(statement) or ""
    yield f"#### `{owner}.{statement.name}` {{ #{owner}.{statement.name} }}\n"
    if "property" in decorators:
        kind = ast.unparse(statement.returns) if statement.returns else ""
        yield _code(f"{statement.name}: {kind}")
    else:
        marks = "".join(f"@{mark}\n" for mark in decorators if mark in ("classmethod", "staticmethod"))
        yield _code(f"{marks}def {statement.name}{_signature(getattr(cls, statement.name))}")
    if about:
        yield f"{_text(about)}\n"


def _signature(value: object, *, without_self: bool = False) -> str:
    """The parameters and the result, on several lines if they are long."""
    signature = inspect.signature(value)  # type: ignore[arg-type]  # classes and functions only
    taken = list(signature.parameters.values())[int(without_self) :]
    parameters = [_parameter(each) for each in taken]
    result = signature.return_annotation
    arrow = "" if result in (inspect.Signature.empty, None, "None") else f" -> {result}"
    kinds = [each.kind for each in taken]
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        parameters.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    line = f"({', '.join(parameters)}){arrow}"
    if len(line) <= WIDTH:
        return line
    return "(\n" + "".join(f"    {each},\n" for each in parameters) + f"){arrow}"


def _parameter(parameter: inspect.Parameter) -> str:
    empty = inspect.Parameter.empty
    stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(parameter.kind.name, "")
    kind = "" if parameter.annotation is empty else f": {parameter.annotation}"
    default = parameter.default
    shown = str(default) if isinstance(default, Enum) else repr(default)
    if len(shown) > LONGEST_DEFAULT:
        shown = "..."
    if default is empty:
        return f"{stars}{parameter.name}{kind}"
    return f"{parameter.name}{kind} = {shown}"


def _code(text: str) -> str:
    return f"```python\n{text}\n```\n"


def _text(doc: str) -> str:
    """A docstring as Markdown: sections in Google's style become lists."""
    found = re.split(r"^(Args|Raises|Returns):\n", doc, flags=re.MULTILINE)
    parts = [found[0].rstrip()]
    for title, body in zip(found[1::2], found[2::2], strict=True):
        items = re.findall(r"^(\w+): (.*(?:\n +.*)*)", textwrap.dedent(body), re.MULTILINE)
        named = {"Args": "Arguments", "Raises": "Raises", "Returns": "Returns"}[title]
        rows = [f"- `{name}`: {' '.join(about.split())}" for name, about in items]
        parts.append(f"**{named}**\n\n" + "\n".join(rows))
    return "\n\n".join(part for part in parts if part)


def _linked(page: str, links: dict[str, str]) -> str:
    """The page with a link on each public name in its text; code and headings stay as they are."""
    chunks = re.split(r"(^```.*?^```$|^#.*$|^    .*$)", page, flags=re.MULTILINE | re.DOTALL)
    pattern = re.compile(r"(?<![\[`\w])`(\w+)`(?![`\w])")

    def link(found: re.Match[str]) -> str:
        target = links.get(found[1])
        return f"[`{found[1]}`]({target})" if target else found[0]

    linked = "".join(chunk if n % 2 else pattern.sub(link, chunk) for n, chunk in enumerate(chunks))
    return re.sub(r"(?<![\w/(])docs/([\w-]+\.md)", r"[docs/\1](../\1)", linked)
