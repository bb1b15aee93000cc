"""Puzzles and sprints: what they are, the file that ships them, the choice of the day, and how they are made.

Reading needs only the standard library: `puzzle` (the types), `packing` and `file` (the file), `daily` (the choice of
the day). `grading` and `checking` use the engine's model of beginners and, for two kinds, its search. `making` finds
new puzzles with compiled code. docs/puzzle-file.md describes the file, docs/study.md every number.
"""
