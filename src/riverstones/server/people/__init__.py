"""Who is who: guests with a cookie, people with an account, and people's programs."""

from .person import Person
from .registry import COOKIE, People

__all__ = ["COOKIE", "People", "Person"]
