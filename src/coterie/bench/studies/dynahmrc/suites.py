"""The suites of the DynaHMRC paper: three tasks in rooms, four levels, six teams, and four kinds of change.

`group` is what averages weigh equally: team sizes, or transitions where a robot joins or leaves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from coterie.bench.spec import FIRST_SEED, TESTED, EpisodeSpec, suites
from coterie.core.config import Config
from coterie.episode.radio import OFF
from coterie.models.turned import KINDS
from coterie.worlds.indoor.bodies import TEAMS
from coterie.worlds.indoor.tasks.changes import TRANSITIONS, parse_change
from coterie.worlds.indoor.tasks.difficulty import WIDE

TASKS = ("pack-objects", "make-sandwich", "sort-solids")
SCENES = ("flat", "loft", "bungalow")  # reserved for tests; they serve as the three repeats of a cell
TESTED.update(SCENES, ("real",))
TARGET_SETS = 3
CHANGE_STEP = 5


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
        task=task, team=team, seed=seed, scene=scene, level=level, changes=(change,) if change else (), noise=noise,
        heartbeat=OFF,
    )  # fmt: skip
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


@suites.add("dynahmrc", name="dynahmrc")
def dynahmrc(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """The five suites above as one: 1,134 episodes."""
    parts = (dynahmrc_static, dynahmrc_cto, dynahmrc_irz, dynahmrc_anc, dynahmrc_rec)
    return [one for part in parts for one in part(seed)]


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


@suites.add("dynahmrc", "names", name="dynahmrc-names")
def dynahmrc_names(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """The same houses, with names of things and furniture as in training and with names it never had (Tab. 19)."""
    specs: list[EpisodeSpec] = []
    for names, task, team, nth, scene in product(("seen", "unseen"), TASKS, TEAMS, range(TARGET_SETS), SCENES):
        specs.append(spec(names, task, "medium-search", team, f"{scene}:{names}", seed + nth))
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


#: Rooms of the house, and who is in it besides the arm: few who open doors, drones that need them for that, and scouts
#: that can do nothing about what they find but tell it.
SIZES = (
    (6, {"MoMa": 1, "UAV": 1, "Mo": 1}),
    (10, {"MoMa": 1, "UAV": 2, "Mo": 2}),
    (14, {"MoMa": 2, "UAV": 2, "Mo": 3}),
    (17, {"MoMa": 3, "UAV": 3, "Mo": 5}),
    (20, {"MoMa": 4, "UAV": 4, "Mo": 7}),
)

#: Changes, by the name of the setting. Steps are spans of six seconds.
CHANGES = {
    "hard-goal-loss": ("cto@2", "rec@5:any"),
    "hard-room-loss": ("irz@2:rooms", "rec@5:any"),
    "hard-door-loss": ("door@2:any", "rec@5:any"),
    "hard-goal-room": ("cto@2", "irz@4:rooms"),
    "hard-goal-room-loss": ("cto@2", "irz@4:rooms", "rec@6:any"),
}
HARD_SETTINGS = {name: f"hard: {name.removeprefix('hard-').replace('-', ', ')}" for name in CHANGES}
RADIO = "range=15,loss=0.2,text=1"
REPEATS = 2


def team_of(bodies: dict[str, int]) -> str:
    return "-".join(["Ma", *(body for body, n in bodies.items() for _ in range(n))])


@suites.add("dynahmrc", "hard", name="dynahmrc-hard")
def dynahmrc_hard(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """Houses of 6 to 20 rooms, 4 to 16 robots, two or three changes, limits in time, words alone over a bad radio."""
    specs = []
    for (setting, changes), task, (rooms, bodies), nth in product(CHANGES.items(), TASKS, SIZES, range(REPEATS)):
        team, n = team_of(bodies), seed + nth
        scene = f"house:{n}:{rooms}"
        config = Config(
            task=task, team=team, seed=n, scene=scene, level=WIDE, changes=changes, radio=RADIO, heartbeat=OFF,
            synchronous=False,
        )  # fmt: skip
        size = 1 + sum(bodies.values())
        labels = {
            "setting": setting, "task": task, "level": WIDE, "team": f"{size} robots", "group": f"{size} robots",
            "scene": f"{rooms} rooms", "seed": n, "change": "+".join(c.partition("@")[0] for c in changes),
            "change_step": int(changes[0].partition("@")[2].partition(":")[0]), "change_detail": "", "transition": "",
        }  # fmt: skip
        specs.append(EpisodeSpec(f"{setting}/{task}/{rooms}/{size}/{n}", config, labels))
    return specs


TEAM, SABOTEUR = "Ma-MoMa-Mo-UAV", "David"
LEVEL = "medium-search"
INJECTION_SETTINGS = {f"injection-{kind}": f"hostile: {kind}" for kind in KINDS}


@suites.add("dynahmrc", "trust", name="injection")
def injection(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """One robot's model is hostile: false facts, orders, forged status lines, words to be passed on."""
    specs = []
    for (i, kind), task, (k, scene) in product(enumerate(KINDS), TASKS, enumerate(SCENES)):
        n = seed + i * len(SCENES) + k
        config = Config(
            task=task, team=TEAM, seed=n, scene=scene, level=LEVEL, model=f"turned:{kind}.{n}@{SABOTEUR}:",
        )  # fmt: skip
        setting = f"injection-{kind}"
        labels = {
            "setting": setting, "task": task, "level": LEVEL, "team": TEAM, "group": "4 types", "scene": scene,
            "seed": n, "change": "", "change_step": None, "change_detail": "", "transition": "",
        }  # fmt: skip
        specs.append(EpisodeSpec(f"{setting}/{task}/{scene}/{n}", config, labels))
    return specs
