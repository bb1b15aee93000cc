"""Environments for machine learning: the same rules behind the interfaces of other projects.

Importing this package loads none of them. docs/environments.md describes the action space, the observation and each
environment.
"""
