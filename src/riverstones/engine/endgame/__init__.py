"""Exact endgame solvers: `driver` chooses one, each other module is one solver."""
