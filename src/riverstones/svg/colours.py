"""The colours of the web board, by day and by night, and the style sheet made of them.

A picture has either theme, or both: then it follows the colour scheme of the page or system that shows it. The style
sheet uses plain class selectors and no variables, which every program that reads SVG understands.
"""

from __future__ import annotations

from enum import Enum


class Theme(Enum):
    """The colours of a picture."""

    AUTO = "auto"
    """Light or dark, as the page that shows the picture."""
    LIGHT = "light"
    DARK = "dark"


LIGHT = {
    "paper": "#f6f2e8",
    "paper-raised": "#fdfaf3",
    "paper-sunk": "#ece6d7",
    "ink": "#1f2a2e",
    "ink-soft": "#4d5a5c",
    "ink-faint": "#667172",
    "line": "#cfc8b6",
    "line-strong": "#a9a592",
    "water": "#2f6f73",
    "water-wash": "#dfe9e4",
    "addend": "#f2c14e",
    "addend-light": "#f8d27a",
    "addend-edge": "#b98516",
    "addend-ink": "#2a2210",
    "total": "#c2412d",
    "total-light": "#cf5440",
    "total-edge": "#7d2415",
    "total-ink": "#fff6ea",
    "river": "#d3e2dc",
    "pebble": "#a9aea8",
    "pebble-light": "#d6d8d0",
    "pebble-dark": "#848a85",
    "step": "#f2eee2",
    "step-ten": "#fdfaf3",
    "light": "#fffbe6",
    "light-core": "#f7a81b",
    "indigo": "#3f4a9c",
    "teal": "#0f766e",
    "plum": "#8a2d68",
    "ochre": "#8f5a0a",
    "on-seat": "#fffaf0",
    "ripple": "#c3d6cf",
    "shadow": "#282212",
}
"""The names and values of `web/src/style/tokens.css`; a test compares them."""

DARK = LIGHT | {
    "paper": "#121c1f",
    "paper-raised": "#1a272b",
    "paper-sunk": "#0d1518",
    "ink": "#dce5e2",
    "ink-soft": "#aebcba",
    "ink-faint": "#8f9f9e",
    "line": "#2e4045",
    "line-strong": "#4b6167",
    "water": "#6fb7b0",
    "water-wash": "#1d3336",
    "addend": "#e6b647",
    "addend-light": "#efc768",
    "addend-edge": "#8f6a17",
    "total": "#c4472f",
    "total-light": "#d05a42",
    "total-edge": "#6f2113",
    "river": "#16292d",
    "pebble": "#5e6e72",
    "pebble-light": "#7b8b8e",
    "pebble-dark": "#3a474b",
    "step": "#32454b",
    "step-ten": "#48606a",
    "light": "#fff3c4",
    "light-core": "#ffc95c",
    "indigo": "#8e9af0",
    "teal": "#4cc2b4",
    "plum": "#e08cc0",
    "ochre": "#e2ab54",
    "on-seat": "#10191c",
    "ripple": "#1d353a",
    "shadow": "#000000",
}

SEATS = ("indigo", "teal", "plum", "ochre")
"""The colour of each seat."""

FONT = "'Atkinson Hyperlegible Next','Avenir Next','Segoe UI','Helvetica Neue','Liberation Sans',Arial,sans-serif"

_FILLS = {
    "ground": "paper-raised",
    "sunk": "paper-sunk",
    "wash": "water-wash",
    "river": "river",
    "name": "ink-faint",
    "figure": "ink",
    "faint": "ink-faint",
    "addend-edge": "addend-edge",
    "addend-ink": "addend-ink",
    "total-edge": "total-edge",
    "total-ink": "total-ink",
    "pebble": "pebble",
    "pebble-light": "pebble-light",
    "pebble-dark": "pebble-dark",
    "step": "step",
    "step-ten": "step-ten",
    "glow": "light-core",
    "label": "ink",
    "label-text": "paper",
    "miss-label": "paper-raised",
    "miss-text": "ink-soft",
    "shade": "shadow",
    "mark": "water",
    "on-seat": "on-seat",
    **{seat: seat for seat in SEATS},
}
_STROKES = {
    "grid": "line",
    "rim": "line-strong",
    "ripple": "ripple",
    "glow": "light-core",
    "light": "light",
    "miss": "ink-faint",
    "miss-label": "line-strong",
    "pen": "water",
    "ground-pen": "paper-raised",
    "addend-mark": "addend-ink",
    "total-mark": "total-ink",
    "pawn": "paper-raised",
}
_STOPS = {name: name for name in ("addend", "addend-light", "total", "total-light")}


def style_sheet(theme: Theme) -> str:
    """The style sheet of a picture, valid only inside an element of the class `rs-THEME`."""
    night = DARK if theme is Theme.DARK else LIGHT
    rules = [f".rs-{theme.value} text{{font-family:{FONT}}}", *_rules(theme, night)]
    if theme is Theme.AUTO:
        rules.append(f"@media(prefers-color-scheme:dark){{{''.join(_rules(theme, DARK))}}}")
    return "".join(rules)


def _rules(theme: Theme, colours: dict[str, str]) -> list[str]:
    properties = (("fill", _FILLS), ("stroke", _STROKES), ("stop-color", _STOPS))
    return [
        f".rs-{theme.value} .{name}{{{prop}:{colours[colour]}}}"
        for prop, classes in properties
        for name, colour in classes.items()
    ]
