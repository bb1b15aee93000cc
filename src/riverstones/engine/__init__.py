"""How a move is chosen. Importing this package loads neither NumPy nor Numba; modules that need them do."""
