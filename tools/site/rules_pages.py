"""The rules in every language, from the texts and the figures of the web app's rules page.

The structure is read from `Rules.svelte`, so that the pages have the same sections in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from riverstones.rules import Layout, Move, explain
from riverstones.svg import descriptions
from riverstones.words import LANGUAGES, language_name, phrase
from tools.figures import figures, layout_picture

PAGES = Path(__file__).parents[2] / "web" / "src" / "pages"

TOKEN = re.compile(
    r'\{@render heading\("(?P<heading>[a-z-]+)"\)\}'
    r"|<(?P<list>ol|ul)[ >]"
    r"|</(?P<end>ol|ul)>"
    r"|<(?P<tag>p|li)>\{m\.(?P<text>\w+)\(\)\}</"
    r"|FIGURES\.(?P<figure>\w+)\} caption=\{m\.(?P<caption>\w+)\(\)\}"
    r"|(?P<layouts><LayoutPicture)"
    r"|(?P<moves><table)"
)
MOVES = ((34, 33), (23, 22, 22), (17, 17, 17, 16))
"""How many moves each seat makes, by the number of seats."""


def rules_pages() -> dict[str, str]:
    """The pages and pictures of the rules, by their paths."""
    files: dict[str, str] = {}
    for language in LANGUAGES:
        pictures: dict[str, str] = {}
        files[f"play/rules-{language}.md"] = "\n".join(_page(language, pictures))
        files |= {f"play/{path}": picture for path, picture in pictures.items()}
    return files


def _page(language: str, pictures: dict[str, str]) -> Iterator[str]:
    """The lines of a page; its pictures are added to `pictures`."""
    source = (PAGES / "Rules.svelte").read_text(encoding="utf-8")
    titles = dict(re.findall(r'\{ id: "([a-z-]+)", title: m\.(\w+)\(\)', source))
    body = source.partition('<div class="text">')[2].partition("<style>")[0]

    def say(key: str) -> str:
        return phrase(key, language=language)

    others = (f"[{language_name(other)}](rules-{other}.md)" for other in LANGUAGES if other != language)
    yield f"# {say('rules_title')} {{ lang={language} }}\n"
    yield " · ".join(others) + "\n{ .languages }\n"
    yield f'<div lang="{language}" markdown>\n'
    yield f"{say('rules_lead')}\n{{ .lead }}\n"
    bullet = ""
    for token in TOKEN.finditer(body):
        if token["heading"]:
            yield f"## {say(titles[token['heading']])} {{ #{token['heading']} }}\n"
        elif token["list"]:
            bullet = {"ol": "1. ", "ul": "- "}[token["list"]]
        elif token["end"]:
            yield ""
        elif token["text"]:
            yield f"{bullet}{say(token['text'])}" if token["tag"] == "li" else f"{say(token['text'])}\n"
        elif token["figure"]:
            yield from _figure(token["figure"], say(token["caption"]), language, pictures)
        elif token["layouts"]:
            yield from _layouts(language, pictures)
        elif token["moves"]:
            yield f"| {say('rules_end_players')} | {say('rules_end_placements')} |\n|---|---|"
            yield from (f"| {len(moves)} | {' · '.join(map(str, moves))} |" for moves in MOVES)
            yield ""
    yield "</div>"


def _figure(name: str, caption: str, language: str, pictures: dict[str, str]) -> Iterator[str]:
    """A figure with a picture for each of its moves."""
    figure = figures()[name]
    yield '<figure class="rules-figure" markdown>\n'
    for n, move in enumerate(figure.moves, start=1):
        path = f"pictures/{language}/{name}-{n}.svg"
        pictures[path] = figure.picture(move, language)
        told = descriptions.verdict(explain(figure.board, Move.parse(move)), language).replace("|", "\\|")
        yield f"![{told}]({path})\n"
    yield f"<figcaption>{caption}</figcaption>\n\n</figure>\n"


def _layouts(language: str, pictures: dict[str, str]) -> Iterator[str]:
    """The four layouts, each with its name."""
    yield '<div class="layouts" markdown>\n'
    for layout in Layout:
        path = f"pictures/{language}/layout-{layout.value}.svg"
        pictures[path] = layout_picture(layout, language)
        name = phrase(f"layout_{layout.value}", language=language)
        yield f"<figure markdown>\n\n![{name}]({path})\n\n<figcaption>{name}</figcaption>\n\n</figure>\n"
    yield "</div>\n"
