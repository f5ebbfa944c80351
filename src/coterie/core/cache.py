"""Where a user's cache lives: models that were fetched, plans that are remembered."""

from __future__ import annotations

import os
from pathlib import Path


def cache_dir() -> Path:
    """COTERIE_CACHE, or `coterie` in the user's cache."""
    own = os.environ.get("COTERIE_CACHE")
    if own:
        return Path(own).expanduser()
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared and os.path.isabs(shared) else Path.home() / ".cache") / "coterie"
