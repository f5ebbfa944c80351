"""Other ways in which a stranger could decide, to compare IRoT with."""

from __future__ import annotations

from coterie.core.registry import import_all

import_all(__name__, __path__)  # whatever lies here registers itself
