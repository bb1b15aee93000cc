"""The command line. The `riverstones` command runs `main`; docs/cli.md documents it."""

from .main import main

__all__ = ["main"]
