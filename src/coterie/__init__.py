"""Coterie makes a team out of unlike robots."""

__version__ = "0.1.0"
