"""Every catalogue has the same texts in five languages, and one word for one thing in each of them."""

import json
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
CATALOGUES = {
    "web": "web/messages",
    "cli": "src/riverstones/cli/words",
    "notation": "src/riverstones/notation/words",
    "server": "src/riverstones/server/words",
}
LANGUAGES = ("en", "es", "fr", "it", "nl")

LOSING: dict[str, dict[str, str]] = {
    "en": {
        "flip": r"turn(s|ed|ing)? (it |one |a tile |any number )?over|the turned (tile|\d)",
        "place": r"\b(lay|lays|laid|laying) (a|it|your|the|number)\b",
        "to move": r"\bto play\b(?=$|,|\.)",
        "seat": r"\bempty (place|chair)\b",
        "game file": r"\b(the|this|a|another) record\b",
        "seal": r"\bcommitment\b",
        "near miss": r"\balmost a Kakuro\b",
        "pass and play": r"one device for (all|everyone)",
        "hourglass": r"\bsand-?glass\b",
    },
    "es": {
        "dar la vuelta": r"\b(volte|gir)(a|e|o|ar|ad[ao]s?|ando|an|as|arl[ao]s?)\b",
        "colocar": r"\bposar\b",
        "serie": r"\b(tanda|racha|secuencia)s?\b",
        "pantalla": r"\bbiombos?\b",
        "sitio": r"\b(?<!haya )(asiento|puesto|plaza)s?\b",
        "partida": r"\bregistros?\b",
        "sacar": r"\b(se )?rob(a|ar|ad[ao]|an)\b",
        "rival": r"\b(adversari|oponente|contrincante)",
        "piedra": r"\b(guijarro|canto)s?\b",
        "sello": r"\bcompromiso\b",
        "para expertos": r"\b(juego|variante) experto\b",
        "bot": r"\brobots?\b",
    },
    "fr": {
        "tuile": r"\bcarreaux?\b",
        "terme": r"\baddendes?\b",
        "série": r"\b(?<!tout de )(suite|rangée)s?\b",
        "galet": r"\bpierres?\b(?! autour)",
        "écran": r"\bparavents?\b",
        "place": r"\bsièges?\b",
        "partie": r"\bfeuilles?\b",
        "bot": r"\brobots?\b",
        "adversaire": r"\b(opposant|rival|rivaux)s?\b",
        "retenue": r"\b(admise|acceptée)\b",
        "experts": r"\b(jeu|variante) expert\b",
        "indice": r"\b(astuce|suggestion)s?\b",
        "sceau": r"\bengagement\b",
    },
    "it": {
        "capovolgere": r"\b(gira|giri|girano|girare|girarla|girando|girat[aeoi]|voltare|voltando)\b",
        "giocare": r"\b(posa|posi|posano|posare|posala|posando|posat[aeoi])\b",
        "sasso": r"\b(pietr[ae]|ciottol[oi])\b(?! attorno)",
        "sacchetto": r"\b(sacca|borsa)\b",
        "posto": r"\b(sedia|sedie|seggio)\b",
        "partita": r"\bverbal[ei]\b",
        "mossa": r"\b(una|la|le|nessuna) giocat[ae]\b",
        "avversario": r"\b(rival[ei]|oppositor[ei])\b",
        "accolta": r"contestazione.*\b(ammessa|accettata)\b",
        "sigillo": r"\bimpegno\b",
        "per esperti": r"\bgioco esperto\b",
        "bot": r"\brobot\b",
    },
    "nl": {
        "tegel": r"\b(steentje|fiche|tegeltje)s?\b",
        "term": r"\boptelgetal(len)?\b",
        "reeks": r"\b(series?|rij)\b \d|\btwee rijen\b",
        "omdraaien": r"\b(tegel|hem|die) (te )?draaien\b|\btegels draaien\b|(?<!om)(?<!terug)gedraaid",
        "kei": r"\b(rivier)?(steen|stenen)\b",
        "zakje": r"\bzak\b",
        "plaats": r"\b(stoel|zetel)(en)?\b",
        "aan de beurt": r"\baan zet\b",
        "partij": r"\b(spel)?verslag\b|\bhet spel (is|eindigt|verlaten)\b|\bverlaat het spel\b",
        "aangeven": r"\b(ge)?claim(s|t|d|de|en)?\b(?!( \d+)?”)",
        "toegekend": r"\btoegewezen\b",
        "bezwaar maken": r"\bbetwist(en)?\b",
        "experts": r"\bexpertspel\b",
        "toestel": r"\bapparaat\b",
        "zegel": r"\bvastlegging\b",
        "seed": r"\bzaadje\b",
        "bot": r"\brobots?\b",
    },
}
"""The word for each thing, and a pattern of the words that lost against it."""

NAMES = re.compile(r"(^|\.)(verb_\w+|level_[a-z]+|own_language)$")
"""Texts that are proper names, or words that a command understands besides the one that is shown."""


@cache
def texts(catalogue: str, language: str) -> dict[str, str]:
    """Every text of a catalogue, by its dotted key; the forms of a plural are texts of their own."""
    file = ROOT / CATALOGUES[catalogue] / f"{language}.json"
    return dict(_leaves(json.loads(file.read_text(encoding="utf-8")), ""))


def _leaves(node: Any, path: str) -> Iterator[tuple[str, str]]:
    match node:
        case str():
            yield path, node
        case [{"match": dict(forms)}]:
            yield from ((f"{path}.{form}", text) for form, text in forms.items())
        case dict():
            for name, child in node.items():
                yield from _leaves(child, f"{path}.{name}" if path else name)
        case _:
            raise AssertionError(f"{path} is neither a text, nor a plural, nor a section")


def keys(catalogue: str, language: str) -> set[str]:
    """The keys of a catalogue. A language has as many forms of a plural as it needs."""
    return {re.sub(r"\.number=\S+$", "", key) for key in texts(catalogue, language)}


def parameters(catalogue: str, language: str) -> dict[str, set[str]]:
    """The parameters of every text; one of the forms of a plural may do without its number."""
    found: dict[str, set[str]] = {}
    for key, text in texts(catalogue, language).items():
        names = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
        found.setdefault(re.sub(r"\.number=\S+$", "", key), set()).update(names)
    return found


@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_a_catalogue_has_a_file_for_every_language_and_no_other(catalogue: str) -> None:
    assert {file.stem for file in (ROOT / CATALOGUES[catalogue]).glob("*.json")} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_no_language_lacks_a_text_or_has_one_too_many(catalogue: str, language: str) -> None:
    assert keys(catalogue, language) == keys(catalogue, "en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_a_text_takes_the_parameters_that_it_takes_in_english(catalogue: str, language: str) -> None:
    assert parameters(catalogue, language) == parameters(catalogue, "en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_every_plural_has_a_form_for_one_and_one_for_the_rest(catalogue: str, language: str) -> None:
    forms: dict[str, set[str]] = {}
    for key in texts(catalogue, language):
        if found := re.fullmatch(r"(.*)\.number=(\S+)", key):
            forms.setdefault(found[1], set()).add(found[2])
    assert all({"one", "*"} <= each for each in forms.values()), forms


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_one_thing_has_one_word(catalogue: str, language: str) -> None:
    losing = {term: re.compile(pattern, re.IGNORECASE) for term, pattern in LOSING[language].items()}
    found = [
        f"{key}: “{match[0]}”, say “{term}”"
        for key, text in texts(catalogue, language).items()
        if not NAMES.search(key)
        for term, pattern in losing.items()
        if (match := pattern.search(text))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_french_keeps_its_punctuation_on_the_line(catalogue: str) -> None:
    for key, text in texts(catalogue, "fr").items():
        assert not re.search(r"\w [:;»]|« |[a-zà-ÿ] [!?](\s|$)", text), key
