"""The indoor world in tables, kept to be compared: its houses, its drawn tasks, what every skill does and refuses with
its cause while robots wander about at random, what plans and changes come to, and what is said of damaged files.

    python -m tests.worlds.indoor.tables     after a meant change: writes tables.json.gz anew

The same seed gives the same house, the same task and the same outcomes in every version and on every machine.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from coterie.core.action import Action
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Belief
from coterie.core.task import Change, Trigger
from coterie.episode.setup import build, resolve
from coterie.houses.names import scene
from coterie.houses.toml import load_scene
from coterie.worlds.indoor.arms.surroundings import around
from coterie.worlds.indoor.bodies import load_card
from coterie.worlds.indoor.bodies import robots as bodies
from coterie.worlds.indoor.declared import DECLARED
from coterie.worlds.indoor.plans.errands import planner_of
from coterie.worlds.indoor.setting import Noise
from coterie.worlds.indoor.tasks.changes import parse_change
from coterie.worlds.indoor.tasks.files import load_task, why_not
from coterie.worlds.indoor.tasks.goals import Pack
from tests.worlds.plainly import ROOT, keep, kept_in, line

HERE = Path(__file__).parent
TABLES = HERE / "tables.json.gz"
STUDIO, TEA = str(ROOT / "examples" / "studio.toml"), str(ROOT / "examples" / "tea_for_anna.toml")


# -- houses -----------------------------------------------------------------------------------------------------------
HOUSES = ("flat", "loft", "bungalow", "hall", "real", STUDIO, *(f"house:{n}" for n in (0, 8, 20)))


def house(name: str) -> Iterator[str]:
    where = scene(name)
    yield line(where.name, where.split, where.tray, where.bounds, where.work and asdict(where.work))
    for room in where.rooms:
        yield line(asdict(room))
    for door in where.doors:
        yield line(asdict(door), door.along, door.hole, door.rect)
    for f in where.furniture:
        yield line(asdict(f), len(f.spots), f.spots[:1], f.spots[-1:], f.centre)
    poses = sorted(where.stand_poses.items())
    yield line([[k, p, where.room_at(p)] for k, p in poses])
    for body, closed in (("MoMa", where.closed_doors), ("Mo", frozenset()), ("UAV", {d.name for d in where.doors[:1]})):
        card, closed = bodies.get(body), frozenset(closed)
        if len(where.rooms) < 12:
            nav = where.nav(card, closed)
            ways = [nav.length(poses[0][1], p) for _, p in poses[:: max(1, len(poses) // 7)]]
            yield line(body, sorted(closed), [nav.grid.free(p) for _, p in poses], ways)


# -- drawn tasks ------------------------------------------------------------------------------------------------------
def draws() -> Iterator[Config]:
    teams = ("Ma-MoMa-UAV", "Ma-MoMa", "Ma-MoMa-Mo-UAV", "Ma-Mo-UAV")
    levels = ("medium-search", "easy", "medium", "hard")
    scenes = ("flat", "loft", "bungalow", "house:3", "hall")
    changes = ("", "cto@5", "irz@5", "rec@5", "anc@5", "irz@4:2", "rec@5:MoMa", "anc@6:UAV", "door@3:kitchen_door")
    n = 0
    for task in ("pack-objects", "sort-solids", "make-sandwich"):
        for i, level in enumerate(levels):
            yield Config(task=task, level=level, team=teams[(n + i) % 4], scene=scenes[(n + i) % 5], seed=n + i)
        for i, change in enumerate(changes):
            team = "Ma-Mo" if change.startswith("anc") else teams[0]
            yield Config(task=task, team=team, scene="flat", seed=40 + n + i, changes=(change,) if change else ())
        n += 7


def drawn(config: Config) -> str:
    try:
        world, task = build(config)
    except CoterieError as err:
        return line(str(config.task), str(err))
    things = [[t.name, t.kind, t.mass_kg, t.colour, t.shape, place, spot] for t, place, spot in task.setting.things]
    changes = [[c.at, c.kind, c.data, c.told, c.source, c.awaited] for c in task.changes]
    start = [[n, c.body, world.truth["pose", n]] for n, c in world.robots().items()]
    platforms = [asdict(p) for p in task.setting.platforms]
    rules = [r.name for r in task.rules]
    return line(task.name, task.goal, things, platforms, start, changes, rules, task.step_limit, dict(task.about))


# -- walks ------------------------------------------------------------------------------------------------------------
WALKS: list[dict[str, Any]] = [
    {"task": "pack-objects", "team": "Ma-MoMa-UAV", "scene": "flat", "seed": 31},
    {"task": "sort-solids", "team": "Ma-MoMa-Mo-UAV", "scene": "loft", "seed": 32},
    {"task": "make-sandwich", "team": "Ma-MoMa-UAV", "scene": "bungalow", "seed": 33},
    {"task": "pack-objects", "team": "Ma-MoMa-Mo", "scene": "house:8", "seed": 34},
    {"task": "sort-solids", "team": "Ma-MoMa-UAV", "scene": "hall", "seed": 35},
    {"task": TEA, "seed": 36},
    {"task": "pack-objects", "team": "Ma-MoMa-UAV", "scene": "flat", "seed": 37,
     "noise": "slip=0.4,drift=0.5,miss=0.3,misplace=0.5,misjudge=0.2"},
]  # fmt: skip
WORDS = ("Come here.", "")


def some_action(world: Any, robot: str, rng: random.Random) -> Action:
    """What might be tried, sense or not: mostly names that fit, now and then one that does not."""
    names = {
        "furniture": sorted(world.look("all_furniture")),
        "thing": sorted(world.things),
        "platform": sorted({*world.look("platforms"), *world.look("all_furniture")}),
        "door": sorted(d.name for d in world.scene.doors),
        "stand": [f"stand_pose_{i}" for i in range(4)],
    }
    at = world.truth.get(("at", robot))
    near = [t for t in names["thing"] if world.fluents.base_of(world.look, world.truth["where", t]) == at]
    held = world.truth.get(("holding", robot))
    mine = [s for s in world.cards[robot].skills if s not in ("wait", "communicate")]
    skill = rng.choice([*mine, *mine, *mine, "wait", "communicate", "dance", "open"])

    def pick(*kinds: str) -> Any:
        return rng.choice([n for k in kinds for n in names[k]] or ["nothing"])

    odd = rng.random()
    if odd < 0.04:
        return Action(skill, tuple(pick("thing", "furniture") for _ in range(rng.randrange(4))))
    if odd < 0.06:
        return Action(skill, (pick("thing"), {"odd": 1})[: rng.randint(1, 2)])
    if skill == "navigate":
        return Action(skill, (pick("furniture", "door"), pick("stand")))
    if skill in ("open", "close"):
        return Action(skill, (at if at and rng.random() < 0.6 else pick("furniture", "door"),))
    if skill == "pick":
        return Action(skill, (rng.choice(near) if near and rng.random() < 0.7 else pick("thing", "furniture"),))
    if skill == "place":
        thing = held if held and rng.random() < 0.8 else pick("thing")
        return Action(skill, (thing, at if at and rng.random() < 0.6 else pick("platform", "thing", "door")))
    if skill == "move":
        return Action(skill, (rng.choice([0.2, -0.3, 0.7, 1.6]), rng.choice([0.0, -0.4, 0.5])))
    if skill == "communicate":
        others = [n for n in world.robots() if n != robot]
        return Action(skill, (rng.choice(WORDS), (rng.choice([*others, "all", "nobody", robot]),)))
    return Action(skill, ())


def planned(world: Any) -> dict[str, Action]:
    plan = planner_of(world).best(part=True)
    return {r: q[0] for r, q in plan.queues.items() if q} if plan is not None else {}


def derived(world: Any, look: Callable[..., Any], robot: str, rng: random.Random) -> Iterator[str]:
    """Everything the world computes, for some names."""
    things, places = sorted(world.things), sorted(world.look("all_furniture"))
    doors = sorted(d.name for d in world.scene.doors if d.swings) or places
    thing, place, stand = rng.choice(things), rng.choice([*places, *doors]), f"stand_pose_{rng.randrange(4)}"
    args: dict[str, tuple[Any, ...]] = {
        "short_move": (1.0, rng.choice([0.2, 1.2])), "moved": (robot, 0.5, -0.25), "move_free": (robot, 0.3, -0.2),
        "in_doorway": (rng.choice(doors),), "cover": (thing,), "sight": (rng.choice(places),),
    }  # fmt: skip
    for name in ("reach", "payload", "fixed", "flat", "start_free"):
        args[name] = (robot,)
    for name in ("in_view", "gap", "offset", "height_ok"):
        args[name] = (robot, thing)
    for name in ("goal_free", "path", "occupant", "shut_door"):
        args[name] = (robot, place, stand)
    platform = rng.choice([*world.look("platforms"), *places])
    args |= {"level_ok": (robot, rng.choice(places)), "gap_to": (robot, platform), "room_on": (robot, platform)}
    args |= {"lay_spot": (robot, rng.choice(places), "stand_pose_0"), "put_words": (robot, thing, platform)}
    for name in sorted({f.name for f in DECLARED.fluents["computed"]} & set(args)):
        try:
            yield line(name, args[name], look(name, *args[name]))
        except (KeyError, TypeError) as err:
            yield line(name, args[name], type(err).__name__)


def step_of(world: Any, joint: dict[str, Action]) -> Iterator[str]:
    for robot, verdict in world.check(joint).items():
        yield line("check", robot, str(joint[robot]), verdict.ok, verdict.reason, verdict.cause)
    world.start(joint)
    left = len(joint)
    while left:
        for o in world.advance(None):
            left -= 1
            said = o.message and [o.message.to, o.message.text]
            facts = [[f.pred, f.args, f.value] for f in o.facts]
            yield line(world.now, o.robot, str(o.action), o.status, o.reason, o.duration, o.cause, facts, said)


def _close_zones(world: Any) -> None:
    for robot in (n for n, c in world.cards.items() if c.moves):
        for place in sorted(world.look("all_furniture"))[::3]:
            world.set(("allowed", robot, place), False)
        for place in sorted(world.look("all_furniture"))[1::3]:
            world.set(("stand_allowed", robot, place, "stand_pose_0"), False)


def _open_zones(world: Any) -> None:
    for key in [k for k in world.truth if k[0] in ("allowed", "stand_allowed")]:
        world.set(key, True)


def _shut_doors(world: Any) -> None:
    for door in world.scene.doors:
        if door.swings and not world.look("in_doorway", door.name):
            world.set(("open", door.name), False)


def _make_heavy(world: Any) -> None:
    for name in sorted(world.things)[::2]:
        world.things[name] = replace(world.things[name], mass_kg=30.0)


def _empty_batteries(world: Any) -> None:
    for robot in list(world.robots())[-1:]:
        world.truth["used", robot] = 10_000


EVENTS = {8: _close_zones, 14: _open_zones, 16: _shut_doors, 30: _make_heavy, 36: _empty_batteries}


def walk(config: dict[str, Any], steps: int = 42) -> Iterator[str]:
    world = build(Config(**config))[0]
    rng = random.Random(config["seed"])
    beliefs = {r: Belief(world.map(), world.listings()) for r in world.robots()}
    for step in range(steps):
        for robot, belief in beliefs.items():
            seen = world.observe(robot).facts
            new = [[f.pred, f.args, f.value] for f in seen if belief.tell(f) and f.pred not in ("card", "goal")]
            yield line("sees", robot, new)
        robot = rng.choice(list(world.robots()))
        yield from derived(world, world.look, robot, rng)
        yield from derived(world, world.lookup(beliefs[robot]), robot, rng)
        wanted = planned(world) if rng.random() < 0.75 else {}
        joint = {
            r: wanted[r] if r in wanted and rng.random() < 0.7 else some_action(world, r, rng) for r in world.robots()
        }
        yield from step_of(world, joint)
        if step in EVENTS:
            EVENTS[step](world)
        if step % 6 == 5:
            yield from plans(world)
            for robot, card in world.cards.items():
                pose, but = world.truth["pose", robot], sorted(world.things)[0]
                yield line("around", robot, around(world.fluents, world.truth, pose, 1.1, card.footprint_m, but))
            saved = world.snapshot()
            world.restore(saved)
        yield line(world.progress(), world.trace())
    yield from altered(world, rng)


def plans(world: Any) -> Iterator[str]:
    mover = next(n for n, c in world.cards.items() if c.moves)
    shut = {d.name: False for d in world.scene.doors if d.swings}
    for options in ({}, {"without": [mover]}, {"doors": shut}):
        planner = planner_of(world, **options)
        plan = planner.best()
        helpers = planner.helpers_needed() if planner.arm is not None else None
        yield line("fetch", planner.to_fetch(), planner.feasible(), helpers)
        if plan is not None:
            queues = {r: [str(a) for a in q] for r, q in plan.queues.items()}
            yield line(plan.steps, queues, plan.ways)


# -- changes ----------------------------------------------------------------------------------------------------------
def altered(world: Any, rng: random.Random) -> Iterator[str]:
    """What each kind of change does, on copies of one moment."""
    things, places = sorted(world.things), sorted(world.look("all_furniture"))
    into = (*world.goal.platforms, *places)[0]
    door = next((d.name for d in world.scene.doors if d.swings), "none")
    movers = [n for n, c in world.cards.items() if c.moves]
    uav = bodies.get("UAV")
    tried: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
        ("goal", {"goal": Pack((things[0],), into)}, ("all",)), ("goal", {"goal": 3}, ()), ("goal", {}, ()),
        ("zones", {"closed": {movers[0]: [places[0], f"{places[1]}/stand_pose_0"]}}, ()),
        ("zones", {"choose": 2}, ()), ("zones", {"closed": {movers[0]: ["nowhere"]}}, ()),
        ("join", {"robot": "Zoe", "card": uav}, ("all",)), ("join", {"robot": "Zoe", "card": 1}, ()),
        ("leave", {"robot": movers[-1]}, ()), ("leave", {"robot": "Nobody"}, ()),
        ("door", {"door": door, "open": False}, ("all",)), ("door", {"door": door, "choose": {"open": True}}, ()),
        ("door", {"door": "nothing", "open": True}, ()), ("storm", {}, ()), ("nothing", {}, ()),
    ]  # fmt: skip
    saved = world.snapshot()
    for kind, data, told in tried:
        world.restore(saved)
        before = dict(world.truth)
        try:
            events = world.apply(Change(Trigger(step=5), kind, data, told))
        except CoterieError as err:
            yield line(kind, str(err))
            continue
        now = {k: v for k, v in world.truth.items() if before.get(k, UNKNOWN) != v}
        gone = [k for k in before if k not in world.truth]
        yield line(kind, [[e.kind, e.who, e.data] for e in events], now, gone, list(world.robots()), world.progress())
    world.restore(saved)


# -- damaged files ----------------------------------------------------------------------------------------------------
OTHERS = ("-1", "0", "1e9", "true", '"odd name"', '""', "[]", "[1.0, 2.0]", "[9.0, 9.0, 1.0, 1.0]")


def damaged(text: str, rng: random.Random, most: int) -> Iterator[tuple[str, str]]:
    """A file with one line left out, doubled, misspelt or given another value."""
    lines = text.split("\n")
    spots = [i for i, row in enumerate(lines) if row.strip() and not row.startswith("#")]
    for i in sorted(rng.sample(spots, min(most, len(spots)))):
        key, sign, _ = lines[i].partition("=")
        ways = [("left out", [])]
        if sign:
            ways += [(f"= {other}", [f"{key}= {other}"]) for other in rng.sample(OTHERS, 3)]
            ways += [("misspelt", [re.sub(r"(\w)\b", r"\1x", lines[i], count=1)])]
        else:
            ways += [("doubled", [lines[i], lines[i]])]
        for how, instead in ways:
            yield f"{i + 1} {key.strip()} {how}", "\n".join([*lines[:i], *instead, *lines[i + 1 :]])


def tried(file: Path, text: str, load: Callable[[Path], Any]) -> str:
    file.write_text(text)
    try:
        return line("fine", load(file))
    except CoterieError as err:
        return line(str(err).replace(str(file), file.name))


def shown_scene(path: Path) -> Any:
    where = load_scene(path)
    return [where.name, [asdict(f)["stands"] for f in where.furniture], sorted(where.stand_poses)[-1:]]


def shown_task(path: Path) -> Any:
    task = load_task(path, Config(task=str(path), team="Ma-MoMa-UAV", scene="flat"))
    return [task.name, task.goal, len(task.setting.things), [[c.at, c.kind, c.data] for c in task.changes]]


def shown_card(path: Path) -> Any:
    return asdict(load_card(path))


def shown_tea(path: Path) -> Any:
    task = load_task(path, resolve(Config(task=str(path))))
    people = [[f.name, f.rect, f.stands] for f in task.setting.scene.furniture if f.person]
    return [task.name, task.goal, [n for n, _ in task.robots], people, len(task.setting.things), len(task.changes)]


CHANGES = (
    "cto@5", "cto@0", "cto", "@5", "cto@x", "cto@-1", "xyz@5", "cto@5:more", "irz@5", "irz@5:2", "irz@5:0", "irz@5:9",
    "irz@5:two", "anc@5", "anc@5:UAV", "anc@5:Mo", "anc@5:Ma", "rec@5", "rec@5:MoMa",
    "rec@5:Ma", "rec@5:Mo", "rec@99", "door@3", "door@3:kitchen_door", "door@3:kitchen_door=open", "door@3:none",
    "door@3:kitchen_door=ajar", "door@3:a b",
)  # fmt: skip
WISHES: tuple[dict[str, Any], ...] = (
    {"team": "MoMa-UAV"}, {"team": "Ma-Mo"}, {"team": "Ma-Mo", "level": "easy"}, {"team": "Ma--Mo"}, {"team": "Ma-Xy"},
    {"level": "none"}, {"scene": STUDIO}, {"scene": "nowhere"}, {"scene": "house:x"}, {"changes": ("cto@5", "irz@5")},
    {"team": "Ma-MoMa-MoMa-UAV-UAV"}, {"arms": "odd"},
)  # fmt: skip


def wishes() -> Iterator[tuple[str, list[str]]]:
    """What becomes of changes as people write them, of teams, levels and scenes that do not go together."""
    rows = []
    for n, text in enumerate(CHANGES):
        try:
            rows.append(line(text, parse_change(text)))
        except CoterieError as err:
            rows.append(line(text, str(err)))
        if n % 3 == 2:
            rows.append(drawn(Config(task="pack-objects", team="Ma-MoMa-UAV", scene="flat", seed=3, changes=(text,))))
    yield "changes", rows
    yield "wishes", [line(w, drawn(Config(**{"task": "pack-objects", "seed": 3, **w}))) for w in WISHES]
    rows = []
    for config in (*WALKS[:6:2], WALKS[5]):
        world = build(Config(**config))[0]
        movers = [n for n, c in world.cards.items() if c.moves]
        for left in (*([n] for n in movers), movers):
            planner = planner_of(world, without=left)
            rows.append(line(left, planner.feasible(), why_not(planner) if not planner.feasible() else ""))
    yield "why not", rows
    noise = ("none", "real", "slip=0.5", "slip=2", "slip", "slips=0.1", "slip=x", "slip=0.1,drift=0.2", "")
    yield "noise", [line(text, _noise(text)) for text in noise]


FOLDER = ROOT / "src" / "coterie" / "houses" / "built_in"
FILES: dict[str, tuple[Path, Callable[[Path], Any], int]] = {
    "flat": (FOLDER / "flat.toml", shown_scene, 28),
    "loft": (FOLDER / "loft.toml", shown_scene, 28),
    "studio": (Path(STUDIO), shown_scene, 24),
    "set_the_table": (ROOT / "examples" / "set_the_table.toml", shown_task, 40),
    "mule": (ROOT / "examples" / "mule.toml", shown_card, 40),
    "tea_for_anna": (Path(TEA), shown_tea, 16),
}


def files(name: str) -> Iterator[tuple[str, list[str]]]:
    path, show, most = FILES[name]
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / "studio.toml").write_text(Path(STUDIO).read_text())
        ways = damaged(path.read_text(), random.Random(name), most)
        rows = [line(how, tried(Path(home) / "file.toml", text, show)) for how, text in ways]
    yield f"file {name}", rows


def _noise(text: str) -> str:
    try:
        return str(Noise.read(text))
    except CoterieError as err:
        return str(err)


# -- all --------------------------------------------------------------------------------------------------------------
def sections() -> dict[str, Callable[[], Iterator[tuple[str, list[str]]]]]:
    return {
        "houses": lambda: ((line("house", name), list(house(name))) for name in HOUSES),
        "tasks": lambda: ((line("task", c.to_json()), [drawn(c)]) for c in draws()),
        **{f"walk {n}": lambda c=c: [(line("walk", c), list(walk(c)))] for n, c in enumerate(WALKS)},  # type: ignore[misc]
        **{f"file {name}": lambda name=name: files(name) for name in FILES},  # type: ignore[misc]
        "wishes": wishes,
    }


def kept() -> dict[str, list[str]]:
    return kept_in(TABLES)


if __name__ == "__main__":
    keep(TABLES, {name: rows for make in sections().values() for name, rows in make()})
