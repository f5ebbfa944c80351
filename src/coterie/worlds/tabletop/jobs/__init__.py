"""The jobs on the table, one file each; those that users wrote are TOML."""

from __future__ import annotations

from coterie.core.registry import Registry
from coterie.worlds.tabletop.job import Job
from coterie.worlds.tabletop.jobs.arrange_cabinet import ArrangeCabinet
from coterie.worlds.tabletop.jobs.move_rope import MoveRope
from coterie.worlds.tabletop.jobs.pack_grocery import PackGrocery
from coterie.worlds.tabletop.jobs.sandwich import Sandwich
from coterie.worlds.tabletop.jobs.sort_cubes import SortCubes
from coterie.worlds.tabletop.jobs.sweep_floor import SweepFloor

jobs: Registry[Job] = Registry("job")

for _job in (SortCubes(), Sandwich(), PackGrocery(), MoveRope(), SweepFloor(), ArrangeCabinet()):
    jobs.put(_job.name, _job, _job.overlap)


def job_of(name: str) -> Job:
    """A job by its name, or from a file of a user's own."""
    if not name.endswith(".toml"):
        return jobs.get(name)
    from coterie.worlds.tabletop.own_jobs.file import job_named

    return job_named(name)
