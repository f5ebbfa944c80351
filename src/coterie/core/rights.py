"""Acts that people may have a right to, and the roles that have them unless a place names its own."""

from __future__ import annotations

from coterie.core.files import tables

_TABLES = tables(__package__, "roles.toml")
ACTS: dict[str, str] = _TABLES["acts"]  # with how a sentence says them
ROLES: dict[str, frozenset[str]] = {role: frozenset(acts) for role, acts in _TABLES["roles"].items()}
