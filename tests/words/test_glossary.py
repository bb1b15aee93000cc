"""One word for one thing in each language, and correct punctuation."""

import re
from functools import cache
from pathlib import Path

import pytest

from riverstones.words import LANGUAGES, messages

ROOT = Path(__file__).parents[2]

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
"""The chosen word for each thing, and a pattern for rejected synonyms."""

NAMES = re.compile(r"(verb_\w+|level_[a-z]+|own_language)")
"""Texts that are proper names, or synonyms that a command accepts."""

FRENCH_BREAK = re.compile(r"\w [:;»]|« |[a-zà-ÿ] [!?](\s|$)")
"""A plain space where French needs a non-breaking one."""


@cache
def texts(language: str) -> dict[str, str]:
    """Every text of a language; each plural form is a text of its own."""
    found: dict[str, str] = {}
    for key, message in messages(language).items():
        if isinstance(message, str):
            found[key] = message
        else:
            found |= {f"{key}.{form}": text for form, text in message.items() if form != "plural"}
    return found


def losing_words(language: str, said: dict[str, str]) -> list[str]:
    """The uses of rejected words, with the word to use instead."""
    losing = {term: re.compile(pattern, re.IGNORECASE) for term, pattern in LOSING.get(language, {}).items()}
    return [
        f"{key}: “{match[0]}”, say “{term}”"
        for key, text in said.items()
        if not NAMES.fullmatch(key)
        for term, pattern in losing.items()
        if (match := pattern.search(text))
    ]


def test_every_language_has_its_glossary() -> None:
    for language in LANGUAGES:
        assert language in LOSING, f"add the synonyms that {language!r} rejects to LOSING here, or {{}} for none"
    header = re.search(r"^\| English \|.*\|$", (ROOT / "docs/glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert header
    assert header[0].count("|") == len(LANGUAGES) + 1, "give each language a column in docs/glossary.md"


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_thing_has_one_word(language: str) -> None:
    found = losing_words(language, texts(language))
    assert not found, "\n".join(found)


def test_rejected_words_are_found_in_texts_and_plurals_but_not_in_names() -> None:
    said = {"points.one": "Turn it over.", "verb_flip": "turn it over"}
    assert losing_words("en", said) == ["points.one: “Turn it over”, say “flip”"]
    assert "points.one" in texts("en")


CLAIMING = {"en": "claim", "es": "declar", "fr": "annon", "it": "dichiar", "nl": "aangeven"}


@pytest.mark.parametrize("language", CLAIMING)
def test_the_scoring_by_claims_is_called_by_the_word_for_claiming(language: str) -> None:
    assert CLAIMING[language] in texts(language)["scoring_claims"].lower()


def test_french_keeps_its_punctuation_on_the_line() -> None:
    assert [key for key, text in texts("fr").items() if FRENCH_BREAK.search(text)] == []
    assert all(FRENCH_BREAK.search(text) for text in ("Ligne 5 : total", "« oui", "un mot »", "Gagné !"))
    assert not FRENCH_BREAK.search("Ligne 5\N{NO-BREAK SPACE}: total")


def test_spanish_opens_what_it_closes() -> None:
    assert [key for key, text in texts("es").items() if unopened(text)] == []
    assert unopened("Has ganado!")
    assert unopened("¡Bien! Seguimos?")
    assert not unopened("¡Gana {name}! ¿Seguimos? El signo es ?!.")


def unopened(text: str) -> bool:
    """Whether a question or an exclamation lacks its opening mark; a mark that stands alone is ignored."""
    return any(len(re.findall(rf"[\w}}][{last}]", text)) != text.count(first) for first, last in ("¡!", "¿?"))
