"""What kind of device a session was opened on, in a few words: "Firefox · Linux"."""

from __future__ import annotations

BROWSERS = (("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
"""Marks in a User-Agent header. Most browsers name others too, so the order matters."""

SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)


def device_of(user_agent: str) -> str | None:
    """The browser and the system of a User-Agent header; None if neither is known. Nothing else of it is stored."""
    found = [next((name for mark, name in marks if mark in user_agent), None) for marks in (BROWSERS, SYSTEMS)]
    return " · ".join(name for name in found if name) or None
