"""How far work areas overlap in each job on the table, for the memo and for streams of tasks."""

from __future__ import annotations

from coterie.memo import Family, families

#: tau and k as in the MeCo paper (Sec. 4.2, 5.2); the rounds of a straight plan, and two more for a clumsy one.
families.put("move-rope", Family("high", tau=0.7, k=40, base_steps=4))
families.put("pack-grocery", Family("high", tau=0.85, k=30, base_steps=8, any_order=True))
families.put("sandwich", Family("low", k=700, base_steps=10))
families.put("sort-cubes", Family("low", k=50, base_steps=7))
families.put("sweep-floor", Family("low", k=9, base_steps=10))
families.put("arrange-cabinet", Family("low", k=9, base_steps=6))
