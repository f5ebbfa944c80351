"""Jobs on the table, the six by name and those of files, drawn from a seed."""

from __future__ import annotations

from collections.abc import Sequence

from coterie.core.errors import unknown_name
from coterie.core.seeds import rng_of
from coterie.core.task import Task
from coterie.worlds.tabletop.bodies import BODY, WELDED, card_of, cards_of, job_with
from coterie.worlds.tabletop.declared import JOBS

TABLE = "table"  # the scene that these tasks play in
TEAMS = {name: "-".join(BODY[arm["body"]] for arm in job["arms"]) for name, job in JOBS.items()}
MODES = ("rocobench", "mecobench", "cluttered")
STREAMS = (  # a hundred seeds in a row belong together
    "mecobench-similar",
    "mecobench-different",
    "cluttered-similar",
)
FILE_MODES = ("file", "cluttered")  # of a job of a file: as it says, and among posts
FILE_STREAMS = ("file-similar", "file-different", "cluttered-similar")


def team_of(name: str, arms: Sequence[str] = ()) -> str:
    """The bodies that play a job, joined with dashes."""
    named = [body for body in arms if body != WELDED]
    if not named and not name.endswith(".toml"):
        return TEAMS[name]
    return "-".join(card_of(body).body for body in named or bodies_of(name))


def bodies_of(name: str) -> tuple[str, ...]:
    """The bodies of the arms of a job, in the order of its places."""
    from coterie.worlds.tabletop.jobs import job_of

    return tuple(mount.body for mount in job_of(name).mounts)


def draw_tabletop(name: str, mode: str, seed: int, changes: Sequence[str] = (), arms: tuple[str, ...] = ()) -> Task:
    from coterie.worlds.tabletop.changes import changes_of
    from coterie.worlds.tabletop.jobs import job_of
    from coterie.worlds.tabletop.layouts.streams import different, drawn, similar
    from coterie.worlds.tabletop.world import TableGoal, TableSetting

    modes, streams = (FILE_MODES, FILE_STREAMS) if name.endswith(".toml") else (MODES, STREAMS)
    if mode not in (*modes, *streams):
        raise unknown_name("level", mode, (*modes, *streams))
    job = job_with(job_of(name), arms)
    if mode in modes:
        layout = drawn(job, rng_of(seed, job.name, mode), mode)
    else:
        kind, _, stream = mode.partition("-")
        layout = similar(job, seed, kind) if stream == "similar" else different(job, seed)
    cards = cards_of(job)
    return Task(
        name=job.name,
        goal=TableGoal(job.name, job.goal(layout)),
        setting=TableSetting(name, layout, mode, arms),
        robots=cards,
        changes=changes_of(changes, job, dict(cards), seed) if changes else (),
        step_limit=job.rounds,
        seed=seed,
        about={"level": mode, "team": team_of(name, arms), "scene": TABLE},
    )
