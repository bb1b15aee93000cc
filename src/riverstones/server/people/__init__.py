"""Who is who: guests with a cookie, people with an account, and people's programs."""

from .registry import COOKIE, People, Person

__all__ = ["COOKIE", "People", "Person"]
