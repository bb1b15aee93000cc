"""The server's and the table's refusals in plain words, beside those of `riverstones.notation`."""

from riverstones.notation.words import Catalogue

WORDS = Catalogue(__name__)
