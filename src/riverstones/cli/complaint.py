"""What the command line says when it cannot do what it was asked."""


class Complaint(Exception):
    """One plain sentence for the user; the command ends with status 2."""
