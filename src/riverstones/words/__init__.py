"""Every text of Riverstones, in every language: one JSON file per language.

The command line, the notation, the server and the web app all read these files: Python through `phrase`, the web app
through functions that are compiled from them (`web/scripts/compile-words.mjs`). To add a language, add its file; a test
reports what is missing. docs/translating.md describes the files.

Keys are unique across the sections, which only group them for the reader. The message for a refusal with code C has the
key `refusal_C`; the message for a problem in a parsed text has the key `problem_C`.
"""

from .catalogue import DEFAULT_LANGUAGE, LANGUAGES, Message, language_name, messages, rejected, sections
from .phrases import Value, parameters, phrase, quotable
from .plurals import decimal_mark, join, plural_categories, plural_category

__all__ = [
    "DEFAULT_LANGUAGE",
    "LANGUAGES",
    "Message",
    "Value",
    "decimal_mark",
    "join",
    "language_name",
    "messages",
    "parameters",
    "phrase",
    "plural_categories",
    "plural_category",
    "quotable",
    "rejected",
    "sections",
]
