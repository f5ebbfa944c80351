"""Studies by name, one folder or file each: what one paper compares, and how its tables and plots look.

Whatever lies in this folder is imported and registers itself; a study of a user's own does the same from a file that
`--load` names.
"""

from __future__ import annotations

from coterie.bench.study import Study, studies
from coterie.core.registry import import_all

import_all(__name__, __path__)

__all__ = ["Study", "studies"]
