"""Move selection: bots, search and arena. Importing this package loads neither NumPy nor Numba."""
