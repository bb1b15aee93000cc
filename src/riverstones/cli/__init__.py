"""The command line. `main` is what the `riverstones` command runs; docs/cli.md tells how it is used."""

from .main import main

__all__ = ["main"]
