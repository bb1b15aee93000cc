"""Guests with a cookie, people with an account, and people's programs."""

from riverstones.server.accounts.accounts import COOKIE, Accounts
from riverstones.server.accounts.person import Person

__all__ = ["COOKIE", "Accounts", "Person"]
