"""Logs to read."""

from tests.logs import log  # noqa: F401
