"""How puzzles are made: games, finders, continuations, sprints, and the choice for the file. Needs the extra `engine`.

`tools/make_puzzles.py` runs it. Everything follows from one seed.
"""
