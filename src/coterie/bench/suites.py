"""Suites: named lists of episodes. A suite is a function from its first seed to specifications; tags group suites.

A specification does not name a method: the same episodes are played by every method, which is what makes paired
comparison possible. Labels say which cell of a table an episode belongs to; `group` is what averages weigh equally
(team sizes, or transitions where a robot joins or leaves).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.registry import Registry
from coterie.worlds.indoor.bodies import TEAMS
from coterie.worlds.indoor.tasks.changes import TRANSITIONS, parse_change
from coterie.worlds.tabletop.tasks import ABOUT as TABLE_ABOUT
from coterie.worlds.tabletop.tasks import TABLE
from coterie.worlds.tabletop.tasks import TEAMS as TABLE_TEAMS

FIRST_SEED = 10_000  # below lie the seeds of training and tuning
TASKS = ("pack-objects", "make-sandwich", "sort-solids")
SCENES = ("flat", "loft", "bungalow")  # reserved for tests; they serve as the three repeats of a cell
TARGET_SETS = 3
CHANGE_STEP = 5


@dataclass(frozen=True)
class EpisodeSpec:
    """One episode without its method: a key that names it for ever, its configuration and its labels."""

    key: str
    config: Config
    labels: dict[str, Any] = field(default_factory=dict)


SuiteFactory = Callable[[int], list[EpisodeSpec]]
suites: Registry[SuiteFactory] = Registry("suite")


# -- cells ----------------------------------------------------------------------------------------------------------
def team_size(team: str) -> int:
    return len(team.split("-"))


def arrow(before: str, after: str) -> str:
    return f"{before} → {after}"


def spec(
    setting: str, task: str, level: str, team: str, scene: str, seed: int, change: str = "", noise: str = "none"
) -> EpisodeSpec:
    """One episode of a cell. `team` is the team at the start."""
    group, transition = f"{team_size(team)} types", ""
    kind, step, detail = parse_change(change) if change else ("", 0, "")
    if kind == "anc":
        group = transition = arrow(team, joined(team, detail))
    elif kind == "rec":
        group = transition = arrow(team, left(team, detail))
    config = Config(
        task=task, team=team, seed=seed, scene=scene, level=level, changes=(change,) if change else (), noise=noise
    )
    parts = [setting, task, level, team, *([change] if change else []), scene, str(seed)]
    labels = {
        "setting": setting, "task": task, "level": level, "team": team, "group": group, "scene": scene, "seed": seed,
        "change": kind, "change_step": step if change else None, "change_detail": detail, "transition": transition,
    }  # fmt: skip
    return EpisodeSpec("/".join(parts), config, labels)


def joined(team: str, body: str) -> str:
    """The team after `body` has joined, written in the order of the benchmark."""
    after = {*team.split("-"), body}
    return next((t for t in TEAMS if set(t.split("-")) == after), f"{team}-{body}")


def left(team: str, body: str) -> str:
    return "-".join(b for b in team.split("-") if b != body)


def _cells(
    setting: str, tasks: Iterable[str], level: str, teams: Iterable[tuple[str, str]], seed: int
) -> Iterator[EpisodeSpec]:
    """All tasks, teams with their change, target sets and scenes."""
    for task, (team, change), nth, scene in product(tasks, list(teams), range(TARGET_SETS), SCENES):
        yield spec(setting, task, level, team, scene, seed + nth, change)


def _with(change: str, teams: Iterable[str]) -> list[tuple[str, str]]:
    return [(team, change) for team in teams]


def _joins(step: int) -> list[tuple[str, str]]:
    return [(before, f"anc@{step}:{_other(after, before)}") for before, after in TRANSITIONS]


def _leaves(step: int) -> list[tuple[str, str]]:
    return [(after, f"rec@{step}:{_other(after, before)}") for before, after in TRANSITIONS]


def _other(more: str, fewer: str) -> str:
    (body,) = set(more.split("-")) - set(fewer.split("-"))
    return body


BIG_TEAMS = tuple(t for t in TEAMS if team_size(t) >= 3)


# -- the suites -----------------------------------------------------------------------------------------------------
@suites.add("dynahmrc", "static", name="dynahmrc-static")
def dynahmrc_static(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """Three tasks, four levels, six teams; nothing changes (Tab. 3)."""
    specs: list[EpisodeSpec] = []
    for level in ("easy", "medium", "hard", "medium-search"):
        setting = "static-search" if level == "medium-search" else "static"
        specs += _cells(setting, TASKS, level, _with("", TEAMS), seed)
    return specs


@suites.add("dynahmrc", "dynamic", name="dynahmrc-cto")
def dynahmrc_cto(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """The goal changes at step 5 (Tab. 5)."""
    return list(_cells("cto", TASKS, "medium-search", _with(f"cto@{CHANGE_STEP}", TEAMS), seed))


@suites.add("dynahmrc", "dynamic", name="dynahmrc-irz")
def dynahmrc_irz(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """One to three zones are closed at step 5; teams of three and four types (Tab. 6)."""
    return list(_cells("irz", TASKS, "medium-search", _with(f"irz@{CHANGE_STEP}", BIG_TEAMS), seed))


@suites.add("dynahmrc", "dynamic", name="dynahmrc-anc")
def dynahmrc_anc(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """A robot joins at step 5, four transitions (Tab. 7)."""
    return list(_cells("anc", TASKS, "medium-search", _joins(CHANGE_STEP), seed))


@suites.add("dynahmrc", "dynamic", name="dynahmrc-rec")
def dynahmrc_rec(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """A robot vanishes at step 5, the transitions backwards (Tab. 8)."""
    return list(_cells("rec", TASKS, "medium-search", _leaves(CHANGE_STEP), seed))


@suites.add("dynahmrc", "sweeps", name="dynahmrc-sweeps")
def dynahmrc_sweeps(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """Pack Objects with early, usual and late changes, and with one to three zones (Tab. 21-23)."""
    pack, level = TASKS[:1], "medium-search"
    specs: list[EpisodeSpec] = []
    for step in (3, 5, 10):
        specs += _cells("cto", pack, level, _with(f"cto@{step}", TEAMS), seed)
    for zones in (1, 2, 3):
        specs += _cells("irz", pack, level, _with(f"irz@{CHANGE_STEP}:{zones}", BIG_TEAMS), seed)
    for step in (3, 5, 13):
        specs += _cells("anc", pack, level, _joins(step), seed)
    for step in (3, 5, 13):
        specs += _cells("rec", pack, level, _leaves(step), seed)
    return specs


@suites.add("dynahmrc", "noise", name="dynahmrc-real")
def dynahmrc_real(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """Toys into a basket in the scene `real`, with the accidents of real robots (Tab. 12, Tab. 20)."""
    return [
        spec("real", "pack-objects", "medium-search", "Ma-MoMa-Mo", "real", seed + n, noise="real") for n in range(24)
    ]


@suites.add("quick", name="smoke")
def smoke(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """A little of everything: all tasks, levels, teams and kinds of change, in seconds."""
    specs: list[EpisodeSpec] = []
    for i, task in enumerate(TASKS):

        def at(k: int, i: int = i) -> str:
            return SCENES[(i + k) % len(SCENES)]

        for k, (level, team) in enumerate(zip(("easy", "medium", "hard", "medium-search"), TEAMS[i % 2 :: 1])):
            setting = "static-search" if level == "medium-search" else "static"
            specs.append(spec(setting, task, level, team, at(k), seed))
        specs.append(spec("cto", task, "medium-search", TEAMS[i + 3], at(0), seed, f"cto@{CHANGE_STEP}"))
        specs.append(spec("irz", task, "medium-search", BIG_TEAMS[i + 1], at(1), seed, f"irz@{CHANGE_STEP}"))
        for setting, changes in (("anc", _joins(CHANGE_STEP)), ("rec", _leaves(CHANGE_STEP))):
            team, change = changes[i]
            specs.append(spec(setting, task, "medium-search", team, at(2), seed, change))
    return specs


# -- the table --------------------------------------------------------------------------------------------------------
TABLE_TASKS = tuple(TABLE_ABOUT)
MECO_SEEDS = 30
CACHE_TASKS, CACHE_SEEDS = ("sort-cubes", "sandwich", "pack-grocery"), 80


def table_spec(setting: str, task: str, level: str, seed: int) -> EpisodeSpec:
    """One episode at the table; its group is its task, so that averages weigh tasks equally."""
    labels = {
        "setting": setting, "task": task, "level": level, "team": TABLE_TEAMS[task], "group": task, "scene": TABLE,
        "seed": seed, "change": "", "change_step": None, "change_detail": "", "transition": "",
    }  # fmt: skip
    return EpisodeSpec(f"{setting}/{task}/{level}/{seed}", Config(task=task, seed=seed, level=level), labels)


def _meco(setting: str, level: str, seed: int, seeds: int = MECO_SEEDS) -> list[EpisodeSpec]:
    return [table_spec(setting, task, level, seed + n) for task in TABLE_TASKS for n in range(seeds)]


@suites.add("meco", "tabletop", name="meco-s1")
def meco_s1(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """Random tasks at the table, six jobs, 30 seeds each (MeCoBench S1)."""
    return _meco("s1", "mecobench", seed)


@suites.add("meco", "tabletop", name="meco-s2")
def meco_s2(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """All tasks of a job are similar to its first (MeCoBench S2)."""
    return _meco("s2", "mecobench-similar", seed)


@suites.add("meco", "tabletop", name="meco-s3")
def meco_s3(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """No two tasks of a job are similar (MeCoBench S3); jobs that have no 30 such tasks are cut short, and say so."""
    return _meco("s3", "mecobench-different", seed)


@suites.add("meco", "tabletop", name="meco-cache")
def meco_cache(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """Long random streams of three jobs, for memos of several sizes: --methods "task-expert+memo:k=5,..." (Fig. 4)."""
    return [table_spec("cache", task, "mecobench", seed + n) for task in CACHE_TASKS for n in range(CACHE_SEEDS)]


@suites.add("rocobench", "tabletop", name="rocobench")
def rocobench(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """The six jobs of RoCoBench with its own randomisation, 20 seeds each."""
    return _meco("rocobench", "rocobench", seed, 20)


@suites.add("quick", "tabletop", name="meco-smoke")
def meco_smoke(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """Three similar tasks of Sort Cubes and Make Sandwich and one of every other job, in a minute or two."""
    specs = [table_spec("s2", task, "mecobench-similar", seed + n) for task in TABLE_TASKS[:2] for n in range(3)]
    return specs + [table_spec("s1", task, "mecobench", seed) for task in TABLE_TASKS[2:]]


# -- choosing -------------------------------------------------------------------------------------------------------
def make_suite(names: str, seed: int = FIRST_SEED, noise: str | None = None) -> list[EpisodeSpec]:
    """The episodes of one suite or of several joined with commas; each episode once."""
    specs: dict[str, EpisodeSpec] = {}
    for name in filter(None, (n.strip() for n in names.split(","))):
        for s in suites.get(name)(seed):
            specs.setdefault(s.key, s)
    if not specs:
        raise CoterieError(f"Name a suite. There are: {', '.join(suites)}.")
    if noise is None:
        return list(specs.values())
    return [replace(s, key=f"{s.key}/{noise}", config=replace(s.config, noise=noise)) for s in specs.values()]


def sample(specs: Sequence[EpisodeSpec], n: int | None) -> list[EpisodeSpec]:
    """`n` episodes spread evenly over a suite; one from each n-th part, not always the first of it."""
    if n is None or n >= len(specs):
        return list(specs)
    if n < 1:
        raise CoterieError(f"--episodes {n}: take at least one.")
    golden = 0.618034  # a plain stride would fall on the same scene or team again and again
    return [specs[int((i + (i * golden) % 1.0) * len(specs) / n)] for i in range(n)]
