"""The end of a game, solved exactly: `driver` chooses the solver, the others are one solver each."""
