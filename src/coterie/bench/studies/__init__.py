"""Studies by name, one folder or file each: what one paper compares, and how its tables and plots look.

Whatever lies in this folder is imported and registers itself; a study of a user's own does the same from a file that
`--load` names.
"""

from __future__ import annotations

import importlib
import pkgutil

from coterie.bench.study import Study, studies

for _found in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name):
    importlib.import_module(f"{__name__}.{_found.name}")

__all__ = ["Study", "studies"]
