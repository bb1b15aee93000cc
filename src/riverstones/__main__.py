"""`python -m riverstones` is the `riverstones` command."""

from riverstones.cli import main

main()
