"""Write what Python says for every message to words-cases.json: the web app's messages are held to it.

Every message in every language, with parameters that meet each plural category and each way to join a list.
"""

import json
from itertools import cycle
from pathlib import Path

from riverstones.words import LANGUAGES, messages, parameters, phrase

COUNTS = (0, 1, 2, 5, 11, 21, 101, 1_000_000, 1_000_001, 2_000_000)
LISTS: tuple[object, ...] = (
    ["e5"],
    ["Ana", "Hilda"],
    ["a1", "b2", "i9"],
    ["agua", "hielo"],
    [3, 7],
    ["Zoë", "Y", "{name}", "Iris"],
)
TEXTS = ("e5", 7, "$& $1", "{count}", "L’été", 0)


def samples(key: str) -> list[dict[str, object]]:
    """Parameters to fill a message in with; what any language counts is a number."""
    names = sorted(parameters(messages("en")[key]))
    if not names:
        return [{}]
    forms = [message for language in LANGUAGES if isinstance(message := messages(language)[key], dict)]
    if forms:
        return [dict.fromkeys(names, "x") | {form["plural"]: count for form in forms} for count in COUNTS]
    texts = cycle(TEXTS)
    return [{name: next(texts) for name in names}, *(dict.fromkeys(names, each) for each in LISTS)]


def main() -> None:
    """Every message with all its samples, one line each."""
    cases = [
        {"key": key, "params": params, "said": {language: phrase(key, params, language) for language in LANGUAGES}}
        for key in messages("en")
        for params in samples(key)
    ]
    Path(__file__).with_name("words-cases.json").write_text(json.dumps(cases), encoding="utf-8")
    print(f"{len(cases)} messages with parameters, in {len(LANGUAGES)} languages")


if __name__ == "__main__":
    main()
