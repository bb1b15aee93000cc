"""Errors that the command line reports to the user."""


class Complaint(Exception):
    """One sentence for the user; the command exits with status 2."""


def why(error: OSError | ValueError) -> str:
    """The message of a file error, without its error number."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
