"""Which known type of teammates one has met, from their behaviour alone: where they are and whether they hold
something, step by step. How they speak is not looked at.
"""

from __future__ import annotations

from coterie.protocols.adhoc.types.known import EVERY, Library, Track, library, symbols

__all__ = ["EVERY", "Library", "Track", "library", "symbols"]
