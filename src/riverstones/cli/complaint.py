"""What the command line says when it cannot do what it was asked."""


class Complaint(Exception):
    """One plain sentence for the user; the command ends with status 2."""


def why(error: OSError | ValueError) -> str:
    """What an error about a file says, in a few words and without its number."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
