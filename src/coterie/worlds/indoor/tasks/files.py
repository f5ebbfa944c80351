"""Tasks from files that people write. `docs/write-a-task.md` shows one from top to bottom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from coterie.core.bounds import MOST_WORD, brief, can_take_part, is_word
from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.reader import MOST_KG, Reader, load_toml
from coterie.core.task import Change, Task, Trigger
from coterie.houses.checks import with_people
from coterie.houses.names import scene
from coterie.houses.scene import Scene, stand_names
from coterie.houses.toml import read_person
from coterie.worlds.indoor.bodies import robots as bodies
from coterie.worlds.indoor.bodies import team as make_team
from coterie.worlds.indoor.fluents import fluents_of
from coterie.worlds.indoor.plans.errands import planner_of
from coterie.worlds.indoor.plans.joint import Planner
from coterie.worlds.indoor.setting import Platform, Setting, Thing
from coterie.worlds.indoor.tasks.draw import FINAL_PLACEMENT, platforms_for
from coterie.worlds.indoor.tasks.goals import Bring, IndoorGoal, Pack, Sort, Stack
from coterie.worlds.indoor.world import IndoorWorld

MOST_HELD = 20  # things in one caddy
MOST_THINGS, MOST_CHANGES, MOST_STEPS = 500, 500, 100_000
GOALS = {"pack": "pack-objects", "sort": "sort-solids", "stack": "make-sandwich", "bring": "bring"}


def file_defaults(path: Path) -> dict[str, str]:
    """The team and scene a task file names; a scene file is found beside it."""
    r = Reader(load_toml(path, "task"), str(path))
    r.text("world")
    found = {k: r.text(k) for k in ("team", "scene") if r.text(k)}
    if found.get("scene", "").endswith(".toml") and not Path(found["scene"]).is_absolute():
        found["scene"] = str(path.parent / found["scene"])
    return found


def load_task(path: Path, config: Config) -> Task:
    r = Reader(load_toml(path, "task"), str(path))
    for known in ("world", "team", "scene"):  # in the configuration already
        r.text(known)
    where, team = scene(config.scene), config.team
    try:
        robots = make_team(team)
    except CoterieError as err:
        raise r.fail(str(err)) from None
    goal_reader = r.table("goal")
    kind = goal_reader.text("kind", required=True, choices=tuple(GOALS))
    people = [read_person(t, where.rooms) for t in r.tables("person")]
    if people:
        try:
            where = with_people(where, people)
        except CoterieError as err:
            raise r.fail(str(err)) from None
    boxes = [str(t.raw("name")) for t in r.tables("thing") if t.raw("holds")]
    things = [_thing(t, where, boxes) for t in r.tables("thing", MOST_THINGS)]
    if not things:
        raise r.fail("a task needs at least one [[thing]].")
    names = [t.name for t, _, _ in things]
    for n in names:
        if names.count(n) > 1:
            raise r.fail(f"two things are named '{n}'; every thing needs its own name.")
    taken = {*where.piece, *where.room, *where.door, *(n for n, _ in robots)}
    taken |= {where.tray, "cutting_board"}
    for n, _ in robots:
        if n in where.piece:
            raise r.fail(f"'{n}' is a robot of team {team}; give the place or person of that name another one.")
    for n in names:
        if n in taken:
            raise r.fail(f"a thing cannot be named '{n}': something else in the scene or the team has that name.")
    colours = tuple(dict.fromkeys(t.colour for t, _, _ in things if t.colour))
    platforms = _platforms(r, kind, where, robots, team, colours)
    goal = _goal(goal_reader, kind, things, where)
    placed = _spots(r, Setting(where, platforms, ()), things)
    limit = r.number("step_limit", 30, low=1, high=MOST_STEPS, whole=True)
    task = Task(
        r.text("name", path.stem[:MOST_WORD], most=MOST_WORD),
        goal,
        Setting(where, platforms, tuple(placed)),
        robots,
        (FINAL_PLACEMENT,) if r.flag("final_placement", True) and platforms else (),
        tuple(_change(t, things, where, kind, [n for n, _ in robots], limit) for t in r.tables("change", MOST_CHANGES)),
        limit,
        split="test",
        seed=config.seed,
        about={"kind": GOALS[kind], "level": "file", "team": team, "scene": where.name},
    )
    r.done()
    _rehearse(r, task)
    planner = planner_of(IndoorWorld(task))
    if not any(c.kind == "join" for c in task.changes) and not planner.feasible():
        raise r.fail("this task cannot be done:\n" + why_not(planner))
    return task


def _platforms(
    r: Reader, kind: str, where: Scene, robots: Any, team: str, colours: tuple[str, ...]
) -> tuple[Platform, ...]:
    """The platforms on the work table for this kind of task; bringing needs neither the table nor an arm at it."""
    arm = next((c for _, c in robots if c.mobility == "fixed"), None)
    if arm is not None and where.work is None:
        raise r.fail(f"scene '{where.name}' has no work table for a fixed arm; take {arm.body} out of team {team}.")
    if kind == "bring":
        return ()
    if arm is None:
        raise r.fail(f"team {team} has no fixed arm for the final placement; add Ma.")
    return platforms_for(GOALS[kind], where, arm, "test", colours if kind == "sort" else ())


def _rehearse(r: Reader, task: Task) -> None:
    """Apply the changes to a world of their own: what cannot happen is told now, not in the middle of a run."""
    world = IndoorWorld(task)
    for change in sorted(task.changes, key=lambda c: c.at.step or 0):
        try:
            world.apply(change)
        except CoterieError as err:
            raise r.fail(f"the change at step {change.at.step} cannot happen: {err}") from None


def _thing(t: Reader, where: Scene, holders: list[str]) -> tuple[Thing, str, Any]:
    name = t.text("name", required=True)
    if not is_word(name):
        raise t.fail(f"`name` is {brief(name)}; use letters, digits and _ only.")
    for key in ("kind", "colour", "shape"):  # they stand in prompts and in names of panels
        said = t.text(key)
        if said and not is_word(said.replace(" ", "_").replace("-", "_")):
            raise t.fail(f"`{key}` is {brief(said)}; take a word or two.")
    thing = Thing(
        name,
        t.text("kind", name.rstrip("0123456789_")),
        float(t.number("mass_kg", 0.2, low=0.001, high=MOST_KG)),
        t.text("colour", ""),
        t.text("shape", ""),
        t.number("holds", 0, low=0, high=MOST_HELD, whole=True),
    )
    place = t.text("place", required=True)
    known = [*(f.name for f in where.places), *holders]
    t.known(f"piece of furniture in scene '{where.name}'", place, known)
    at = t.numbers("at", 2)
    t.done()
    return thing, place, at


def _spots(r: Reader, setting: Setting, things: list[tuple[Thing, str, Any]]) -> list[Any]:
    """Lay the things down: at the wanted point, or at the first free spot."""
    blocked = fluents_of(setting).blocked_spots
    used: set[Any] = set()
    placed: list[Any] = []
    in_order = sorted(things, key=lambda t: t[1] not in setting.scene.piece)  # caddies before what lies in them
    for thing, place, at in in_order:
        if place not in setting.scene.piece:
            placed.append((thing, place, _spot_in(r, thing, place, placed)))
            continue
        f = setting.scene.piece[place]
        free = [s for s in f.spots if s not in used and s not in blocked]
        if not free:
            raise r.fail(f"thing '{thing.name}': '{place}' is full; put it somewhere else.")
        if at is not None:
            x0, y0, x1, y1 = f.rect
            if not (x0 <= at[0] <= x1 and y0 <= at[1] <= y1):
                raise r.fail(f"thing '{thing.name}': `at` {list(at)} is not on '{place}', which covers {list(f.rect)}.")
            spot = min(free, key=lambda s: (s[0] - at[0]) ** 2 + (s[1] - at[1]) ** 2)
        else:
            spot = free[0]
        used.add(spot)
        placed.append((thing, place, spot))
    return placed


def _spot_in(r: Reader, thing: Thing, holder: str, placed: list[Any]) -> Any:
    """Where a thing lies that begins in a caddy: where the caddy stands."""
    into = next((p for p in placed if p[0].name == holder), None)
    if into is None or thing.holds:
        raise r.fail(f"thing '{thing.name}' cannot begin in '{holder}'; put it onto furniture.")
    if sum(p[1] == holder for p in placed) >= into[0].holds:
        raise r.fail(f"thing '{thing.name}': '{holder}' holds only {into[0].holds}; put it somewhere else.")
    return into[2]


def _bring(t: Reader, things: list[tuple[Thing, str, Any]], where: Scene) -> Bring:
    t.text("kind")
    pairs = []
    names = [x.name for x, _, _ in things]
    homes = [*(f.name for f in where.places), *where.room, *(x.name for x, _, _ in things if x.holds)]
    for item in t.tables("item"):
        thing, to = item.text("thing", required=True), item.text("to", required=True)
        item.done()
        item.known("thing", thing, names)
        item.known(f"place, room or person in scene '{where.name}'", to, homes)
        if thing == to:
            raise item.fail(f"'{thing}' cannot be brought into itself.")
        pairs.append((thing, to))
    t.done()
    if not pairs:
        raise t.fail("nothing is to be brought; add [[goal.item]] with `thing` and `to`.")
    if len({x for x, _ in pairs}) < len(pairs):
        raise t.fail("a thing is to be brought to two places; name each thing once.")
    return Bring(tuple(pairs))


def _goal(t: Reader, kind: str, things: list[tuple[Thing, str, Any]], where: Scene) -> IndoorGoal:
    if kind == "bring":
        return _bring(t, things, where)
    targets = t.texts("targets", required=True)
    t.text("kind")
    t.done()
    by_name = {x.name: x for x, _, _ in things}
    if not targets:
        raise t.fail("`targets` is empty; name at least one thing.")
    for n in targets:
        t.known("thing", n, by_name)
    if len(set(targets)) < len(targets):
        raise t.fail("`targets` names a thing twice.")
    if kind == "pack":
        return Pack(targets, where.tray)
    if kind == "stack":
        return Stack(targets)
    colours = list(dict.fromkeys(x.colour for x in by_name.values() if x.colour))
    for n in targets:
        if not by_name[n].colour:
            raise t.fail(f"'{n}' has no colour; add a line `colour = \"red\"` to its [[thing]].")
    return Sort(tuple((n, f"{by_name[n].colour}_panel") for n in targets), tuple(f"{c}_panel" for c in colours[:6]))


def _change(
    t: Reader, things: list[tuple[Thing, str, Any]], where: Scene, kind: str, names: list[str], limit: int
) -> Change:
    step = t.number("step", required=True, low=0, whole=True)
    if step >= limit:
        raise t.fail(f"`step` is {step}, but the task ends after {limit} steps; raise `step_limit` or change earlier.")
    what = t.text("kind", required=True, choices=("goal", "zones", "join", "leave", "door"))
    data: dict[str, Any]
    told: tuple[str, ...] = ()
    if what == "goal":
        wish = {"item": t.raw("item", [])} if kind == "bring" else {"targets": list(t.texts("targets", required=True))}
        data = {"goal": _goal(Reader(wish, t.place), kind, things, where)}
        told = ("all",)
    elif what == "zones":
        data = _zones(t, where, names)
    elif what == "door":
        doors = [d.name for d in where.doors if d.swings]
        door, wished = t.text("door", required=True), t.flag("open", False)
        t.known(f"door in scene '{where.name}' that opens and closes", door, doors)
        data, told = {"door": door, "choose": {"open": wished}}, t.texts("told")
        for name in told:
            t.known("robot", name, [*names, "all"])
    elif what == "join":
        card = bodies.get(t.text("body", required=True))
        data, told = {"robot": t.text("robot", card.name), "card": card}, ("all",)
        if not can_take_part(data["robot"]):
            raise t.fail(f"`robot` is {brief(data['robot'])}; use letters, digits and _ only.")
        if data["robot"] in names:
            raise t.fail(f"the team already has a {data['robot']}; give the newcomer another name with `robot = ...`.")
    else:
        robot = t.text("robot", required=True)
        t.known("robot", robot, names)
        data = {"robot": robot}
    t.done()
    return Change(Trigger(step=step), what, data, told)


def _zones(t: Reader, where: Scene, names: list[str]) -> dict[str, Any]:
    """The places that are closed to a robot, as data of a change."""
    robot, places = t.text("robot", required=True), t.texts("places", required=True)
    for p in places:
        place, _, stand = p.partition("/")
        t.known("piece of furniture", place, where.piece)
        if stand and (place, stand) not in where.stand_poses:
            raise t.fail(f"'{place}' has no '{stand}'; it has {', '.join(stand_names(where.piece[place]))}.")
    if not places:
        raise t.fail("`places` is empty; name the places to close.")
    t.known("robot", robot, names)
    return {"closed": {robot: list(places)}, "zones": len(places)}


def why_not(planner: Planner) -> str:
    """For every target that cannot be brought to the arm, what stops each robot."""
    lines = []
    for thing in planner.to_fetch():
        if planner.ways(thing):
            continue
        world = planner.world
        place, spot = world.truth["where", thing], world.truth["spot", thing]
        lines.append(f"  {thing} ({world.mass(thing):.1f} kg) lies at {place}, {spot[2]:.1f} m high:")
        for name, card in planner.cards.items():
            lines.append(f"    {name} ({card.body}): {_obstacle(planner, name, card, thing)}")
    return "\n".join(lines)


def _obstacle(planner: Planner, name: str, card: Card, thing: str) -> str:
    spot = planner.world.truth["spot", thing]
    if not card.moves:
        return "cannot move"
    if not card.manipulates:
        return "cannot pick"
    if planner.world.mass(thing) > card.payload_kg:
        return f"lifts only {card.payload_kg:.1f} kg"
    if not card.reach_low_m <= spot[2] <= card.reach_high_m:
        return f"works only between {card.reach_low_m:.1f} and {card.reach_high_m:.1f} m"
    door = _locked_out(planner, card, name, thing)
    if door is not None:
        return f"{door} is closed, and nobody in the team can open it"
    if planner.pick_stand(name, thing) is None:
        return "finds no stand pose from which it reaches it"
    if planner.goal.kind == "bring":
        return _sealed(planner, thing) or _not_home(planner, name, thing)
    if planner.drop_stand(name) is None:
        return "finds no stand pose from which it can hand over to the arm"
    return _sealed(planner, thing) or "nothing"


def _sealed(planner: Planner, thing: str) -> str:
    box = planner.shut(thing)
    if box is not None and not any(planner.open_stand(o, box) for o in planner.openers):
        return f"{box} is closed, and nobody in the team can open it"
    return ""


def _locked_out(planner: Planner, card: Card, name: str, thing: str) -> str | None:
    """The closed door that keeps a robot from where a thing lies."""
    doors, fluents = planner.doors, planner.fluents
    furniture = fluents.base_of(planner.world.look, planner.world.truth["where", thing])
    f = planner.scene.piece.get(furniture or "")
    if not doors.stuck or f is None:
        return None
    barred = [fluents.barrier(card, planner.pose(name), s, doors.stuck) for s in f.stands]
    return None if None in barred or not barred else barred[0]


def _not_home(planner: Planner, name: str, thing: str) -> str:
    home = str(planner.goal.home(thing))
    shut = planner.world.truth.get(("open", home)) is False
    if shut and not any(planner.open_stand(o, home) for o in planner.openers):
        return f"{home} is closed, and nobody in the team can open it"
    if all(w.carrier != name for w in planner.ways(thing)):
        return f"finds no way to put it to {home}"
    return "nothing"
