"""How a memo compares tasks at the table; importing this registers it."""

from __future__ import annotations

from coterie.memo import Family, families
from coterie.worlds.tabletop.declared import JOBS

for _name, _job in JOBS.items():
    families.put(_name, Family(**_job["family"]))
