"""A stranger among teammates it has never met: what it reads of their words, and how it decides."""

from __future__ import annotations

from coterie.core.registry import import_all

import_all(__name__, __path__)  # whatever lies here registers itself
