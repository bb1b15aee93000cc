"""Riverstones, the digital home of the Kakuro board game.

Importing this package costs nothing: the parts are subpackages, imported by name.
"""

__version__ = "0.1.0"
