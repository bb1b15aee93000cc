"""What the engine makes for people: reviews, puzzles and the daily. It imports no server, and loads nothing heavy."""
