"""The documentation site: `make docs` assembles its pages into build/docs-source, and Zensical builds them."""
