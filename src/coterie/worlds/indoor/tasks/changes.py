"""The kinds of change during an episode, and how each is made to matter.

CTO: the goal changes. IRZ: zones are closed to some robots. ANC: a robot joins. REC: a robot vanishes. A door may be
closed or opened, too, and nobody is told.

A change bites when the best remaining plan of that moment no longer does: it is aimed at another goal, leads through a
closed zone, counts on a robot that is gone, or leaves a newcomer out who would make it shorter or possible at all.
Zones are chosen when they are closed, from the plan of that moment; the log says what was chosen and whether it bites.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError, unknown_name
from coterie.core.seeds import rng_of
from coterie.core.task import Change, Task, Trigger
from coterie.worlds.indoor.bodies import robots as bodies
from coterie.worlds.indoor.plans.errands import planner_of
from coterie.worlds.indoor.plans.joint import Plan
from coterie.worlds.indoor.tasks.bring import home_of
from coterie.worlds.indoor.tasks.goals import Bring, IndoorGoal, Pack, Sort, Stack
from coterie.worlds.indoor.tasks.vocabulary import SANDWICH
from coterie.worlds.indoor.world import IndoorWorld

#: As people type them: form -> what happens.
FORMS = {
    "cto@STEP": "the goal changes, and all are told",
    "irz@STEP:ZONES": "1, 2 or 3 places are closed to some robots, or with ZONES rooms a room, and nobody is told",
    "anc@STEP:ROBOT": "a robot joins; by its body or its name",
    "rec@STEP:ROBOT": "a robot vanishes; with any, one that is needed then",
    "door@STEP:DOOR": "a door is closed, or with DOOR=open opened, and nobody is told; with any, one on somebody's way",
}
Zone = tuple[str, str, str]  # robot, furniture or room, stand pose or `*`
ROOMS = "rooms"
ANY = "any"  # whoever, or whichever door, the plan of that moment needs
KINDS = tuple(form.partition("@")[0] for form in FORMS)

CHANGE_STEP = 5  # up to here a change is early: even the best plan has most of its work before it
LATE = 7  # actions of a robot in the best plan that still count when a change comes later

#: (team before, team after) of the benchmark; REC runs them backwards.
TRANSITIONS = (
    ("Ma-MoMa", "Ma-MoMa-UAV"),
    ("Ma-UAV", "Ma-MoMa-UAV"),
    ("Ma-MoMa-Mo", "Ma-MoMa-Mo-UAV"),
    ("Ma-Mo-UAV", "Ma-MoMa-Mo-UAV"),
)


def parse_change(text: str) -> tuple[str, int, str]:
    """`"cto@5"`, `"irz@5:2"`, `"anc@5:UAV"`, `"rec@5:MoMa"`, `"door@5:hall_door=open"` to kind, step and detail."""
    kind, at, rest = text.partition("@")
    if kind not in KINDS:
        raise unknown_name("kind of change", kind, KINDS)
    step, _, detail = rest.partition(":")
    if not at or not (step.isascii() and step.isdecimal() and len(step) <= 9):
        raise CoterieError(f"'{text}' is not a change: write {kind}@STEP with a step of 0 or more, like {kind}@5.")
    if kind == "cto" and detail:
        raise CoterieError(f"'{text}': a change of goal takes no detail; write cto@{step}.")
    if kind == "irz" and detail not in ("", "1", "2", "3", ROOMS):
        raise CoterieError(f"'{text}': write irz@{step}:2 for 1, 2 or 3 zones, or irz@{step}:{ROOMS} for a whole room.")
    if kind == "door":
        name, equals, state = detail.partition("=")
        if not name.isidentifier() or (equals and state not in ("open", "closed")):
            raise CoterieError(
                f"'{text}': name the door to close, like door@{step}:kitchen_door, or door@{step}:kitchen_door=open."
            )
    if kind in ("anc", "rec") and detail and (kind, detail) != ("rec", ANY):
        named = {c.name: b for b, c in bodies.items()}
        detail = named.get(detail, detail)  # a robot may be called by its name too
        bodies.get(detail)
    return kind, int(step), detail


class Several:
    """Several changes of one episode: a task is taken that all of them can happen to."""

    before_feasible = False

    def __init__(self, parts: list[Dynamic]):
        self.parts = parts
        self.step = max(p.step for p in parts)
        self.far_targets = max(p.far_targets for p in parts)

    def __call__(self, task: Task, world: IndoorWorld) -> Task | None:
        for part in self.parts:
            changed = part(task, world)
            if changed is None:
                return None
            task = changed
        kinds, steps = "+".join(p.kind for p in self.parts), [p.step for p in self.parts]
        return replace(task, about={**task.about, "change": kinds, "change_step": min(steps)})


# -- drawing --------------------------------------------------------------------------------------------------------
class Dynamic:
    """For `draw_task(accept=...)`: turns down tasks on which the change could not bite, and adds it to the others."""

    def __init__(self, kind: str, step: int, detail: str = ""):
        self.kind, self.step, self.detail = kind, step, detail
        self.before_feasible = kind == "anc"
        #: How many targets must lie off the work table, so that there is still something to do when the change comes.
        early = {"rec": 3, "irz": 2}.get(kind, 1)
        self.far_targets = early if step <= CHANGE_STEP or early == 1 else 5

    def __call__(self, task: Task, world: IndoorWorld) -> Task | None:
        return getattr(self, f"_{self.kind}")(task, world)

    def _with(self, task: Task, kind: str, data: dict[str, Any], told: tuple[str, ...]) -> Task:
        change = Change(Trigger(step=self.step), kind, data, told)
        about = {**task.about, "change": self.kind, "change_step": self.step}
        return replace(task, changes=(*task.changes, change), about=about)

    def _cto(self, task: Task, world: IndoorWorld) -> Task | None:
        rng = rng_of("cto", task.seed, task.goal.text())
        goal = changed_goal(task, world, rng)
        if goal is None:
            return None
        plan = planner_of(world, goal=goal).best()
        if plan is None or plan.steps > (task.step_limit or 30) - self.step - 4:
            return None
        return self._with(task, "goal", {"goal": goal}, ("all",))

    def _irz(self, task: Task, world: IndoorWorld) -> Task | None:
        drawn = rng_of("irz", task.seed, task.goal.text()).randint(1, 3)
        zones: int | str = drawn if not self.detail else self.detail if self.detail == ROOMS else int(self.detail)
        planner = planner_of(world)
        plan = planner.best()
        carriers = [{w.carrier for w in planner.ways(t)} for t in planner.to_fetch()]
        if len(planner.carriers) > 1 and not any(len(c) > 1 for c in carriers):
            return None  # a whole place is closed where another can go instead
        late = min(self.step, LATE)  # a team slower than the plan has more to do by then
        if plan is None or not any(a.skill == "navigate" for q in plan.queues.values() for a in q[late + 1 :]):
            return None  # nobody would still have to go anywhere
        return self._with(task, "zones", {"choose": zones}, ())

    def _anc(self, task: Task, world: IndoorWorld) -> Task | None:
        card = bodies.get(self.detail or "UAV")
        if not card.manipulates or not card.moves:
            raise CoterieError(f"A {card.body} that joins would change nothing: it cannot fetch anything.")
        if card.name in world.cards:
            raise CoterieError(
                f"A {card.body} cannot join: the team already has {card.name}. Leave {card.body} out of --team, or let "
                "another body join."
            )
        if planner_of(world).best() is not None:
            return None  # the newcomer must be needed
        later = planner_of(world, extra={card.name: card})
        plan = later.best()
        if plan is None or plan.steps > (task.step_limit or 30) - self.step - 4:
            return None
        return self._with(task, "join", {"robot": card.name, "card": card}, ("all",))

    def _rec(self, task: Task, world: IndoorWorld) -> Task | None:
        names = {c.body: n for n, c in world.cards.items()}
        mobile = [c.body for c in world.cards.values() if c.moves and c.manipulates]
        if self.detail == ANY:
            return self._with(task, "leave", {"choose": True}, ()) if len(mobile) > 1 else None
        if self.detail and not bodies.get(self.detail).moves:
            raise CoterieError(f"The {self.detail} cannot vanish: the final placement needs it.")
        body = self.detail or rng_of("rec", task.seed).choice(mobile)
        if body not in names:
            raise CoterieError(f"No {body} is in the team that could vanish. There are: {', '.join(names)}.")
        robot = names[body]
        plan, rest = planner_of(world).best(), planner_of(world, without=[robot]).best()
        if plan is None or rest is None:
            return None
        early = self.step <= CHANGE_STEP
        left = rest if early else self._left(world, plan, robot)
        if left is None or left.steps > (task.step_limit or 30) - self.step - (4 if early else 1):
            return None
        if len(plan.queues.get(robot, ())) <= (self.step + 2 if early else min(self.step - 3, LATE)):
            return None  # it would soon have finished its part
        return self._with(task, "leave", {"robot": robot}, ())

    def _left(self, world: IndoorWorld, plan: Plan, robot: str) -> Plan | None:
        """The plan of the others when it vanishes late: all that the best plan has not brought by then."""
        done = {a.args[0] for q in plan.queues.values() for a in q[: self.step] if a.skill == "place"}
        goal: Any = world.goal
        todo = tuple(t for t in goal.targets if t not in done) or goal.targets[-1:]
        pairs = tuple(pair for pair in getattr(goal, "pairs", ()) if pair[0] in todo)
        rest = Bring(pairs) if isinstance(goal, Bring) else Pack(todo, goal.platforms[0])
        return planner_of(world, goal=rest, without=[robot]).best()

    def _door(self, task: Task, world: IndoorWorld) -> Task | None:
        name, _, state = self.detail.partition("=")
        swinging = [d.name for d in world.scene.doors if d.swings]
        if name == ANY and swinging:
            return self._with(task, "door", {"door": ANY, "choose": {"open": False}}, ())
        if name not in swinging:
            if not swinging:
                raise CoterieError(f"Scene '{world.scene.name}' has no door that opens and closes; take another scene.")
            raise unknown_name(f"door in scene '{world.scene.name}'", name, swinging)
        to_open = state == "open"
        plan = planner_of(world, doors={name: to_open}).best()
        if plan is None or plan.steps > (task.step_limit or 30) - self.step - 4:
            return None
        return self._with(task, "door", {"door": name, "choose": {"open": to_open}}, ())


def changed_goal(task: Task, world: IndoorWorld, rng: Any) -> IndoorGoal | None:
    """Another goal: a target added, removed or swapped for something else in the scene, or brought elsewhere."""
    goal: Any = task.goal
    if isinstance(goal, Bring):
        scene, (thing, home) = world.scene, rng.choice(goal.pairs)
        other = home_of(rng, scene, [f.name for f in scene.places if f.person])
        pairs = tuple((t, other if t == thing else h) for t, h in goal.pairs)
        return replace(goal, pairs=pairs) if other != home else None
    names = list(goal.targets)
    spare = [t for t in world.things.values() if t.name not in names]
    if isinstance(goal, Sort):
        panels = {p.colour: p.name for p in world.setting.platforms}
        spare = [t for t in spare if t.colour in panels]
    elif isinstance(goal, Stack):
        food = {w.kind for w in SANDWICH[task.split]}
        spare = [t for t in spare if t.kind in food]
    spare = [t for t in spare if planner_of(world, goal=Pack((t.name,), goal.platforms[0])).feasible()]
    how = rng.choices(("swap", "add", "remove"), (6, 2, 2 if len(names) > 2 else 0))[0]
    if how != "remove" and not spare:
        return None
    if how == "add" and len(names) >= 5:
        how = "swap"
    i = rng.randrange(len(names))
    if how == "remove":
        names.pop(i)
    elif how == "add":
        names.insert(len(names) if isinstance(goal, Stack) else i, rng.choice(spare).name)
    else:
        names[i] = rng.choice(spare).name
    if isinstance(goal, Pack):
        return Pack(tuple(names), goal.into)
    if isinstance(goal, Stack):
        return Stack(tuple(names), goal.on)
    colours = {t.name: t.colour for t in world.things.values()}
    return Sort(tuple((n, f"{colours[n]}_panel") for n in names), goal.panels)


# -- settling -------------------------------------------------------------------------------------------------------
class Settle:
    """Fills in, when a change fires, what depends on the moment; the world calls it."""

    def __init__(self, task: Task, seed: int):
        self.task, self.seed = task, seed

    def __call__(self, world: IndoorWorld, change: Change) -> Change:
        data = dict(change.data)
        plan = planner_of(world).best()
        if change.kind == "leave" and "choose" in data:
            data.pop("choose")
            needed = self._needed(world, plan)
            if needed is None:
                return change._replace(kind="nothing", data={"was": "leave", "bites": False})
            data["robot"] = needed
        elif change.kind == "door" and data["door"] == ANY:
            door = self._door_on_the_way(world, plan, change.at.step or 0)
            if door is None:
                return change._replace(kind="nothing", data={"was": "door", "bites": False})
            data["door"] = door
        if change.kind == "goal":
            data["bites"] = data["goal"] != world.goal
        elif change.kind == "leave":
            data["bites"] = plan is not None and plan.uses(data["robot"])
        elif change.kind == "join":
            later = planner_of(world, extra={data["robot"]: data["card"]}).best()
            data["bites"] = later is not None and (plan is None or later.steps < plan.steps)
        elif change.kind == "door":
            data = self._door(world, plan, data)
        elif change.kind == "zones" and "choose" in data:
            count = data.pop("choose")
            choose = self._rooms if count == ROOMS else self._zones
            data = choose(world, plan, count, change.at.step or 0)
        return change._replace(data=data)

    def _needed(self, world: IndoorWorld, plan: Plan | None) -> str | None:
        """A robot that the plan counts on, and without which it can be done all the same."""
        movers = [n for n, c in world.cards.items() if c.moves and c.manipulates]
        used = [n for n in movers if plan is not None and plan.uses(n)]
        rng = rng_of(self.seed, "gone", len(world.cards))
        for name in rng.sample(used, len(used)):
            if planner_of(world, without=[name]).best() is not None:
                return name
        return None

    def _door_on_the_way(self, world: IndoorWorld, plan: Plan | None, step: int) -> str | None:
        """An open door that a robot under way by the plan has to go through, and that can be closed."""
        scene, rng = world.scene, rng_of(self.seed, "door", step)
        shut = world.fluents.closed_doors(world.look)
        rooms = {
            scene.piece[f].room
            for n in world.cards
            for f, _ in (plan.visits(n) if plan is not None else ())
            if f in scene.piece and scene.room_at(world.truth["pose", n]) != scene.piece[f].room
        }
        doors = [d.name for d in scene.doors if d.swings and d.name not in shut and rooms & set(d.rooms)]
        for name in rng.sample(doors, len(doors)):
            if not world.look("in_doorway", name) and planner_of(world, doors={name: False}).best() is not None:
                return name
        return None

    def _door(self, world: IndoorWorld, plan: Plan | None, data: dict[str, Any]) -> dict[str, Any]:
        """A door that cannot be closed now, or whose closing would make the task impossible, stays as it is."""
        name, asked = data["door"], data.pop("choose", {"open": data.get("open", False)})["open"]
        now = bool(world.truth["open", name])
        data["open"] = asked
        later = planner_of(world, doors={name: asked}).best()
        if not asked and world.look("in_doorway", name):
            data.update(open=now, kept="a robot stands in the doorway")
        elif plan is not None and later is None:
            data.update(open=now, kept="the task could not be done any more")
        changes = data["open"] != now
        data["bites"] = changes and (later is None or plan is None or later.steps != plan.steps)
        return data

    def _zones(self, world: IndoorWorld, plan: Plan | None, count: int, step: int) -> dict[str, Any]:
        rng = rng_of(self.seed, "zones", step)
        left = (self.task.step_limit or 30) - step - 2
        table = world.scene.work_table
        movers = [n for n, c in world.cards.items() if c.moves]
        whole = [(r, f, "*") for r in movers for f, _ in (plan.visits(r) if plan else ()) if f != table]
        sides = [(r, f, s) for r in movers for f, s in (plan.visits(r) if plan else ())]
        rng.shuffle(whole)
        rng.shuffle(sides)
        chosen = self._first(world, dict.fromkeys([*whole, *sides]), left)
        bites = bool(chosen)
        others = [(r, f.name, "*") for r in movers for f in world.scene.places if f.name != table]
        rng.shuffle(others)
        goal: Any = world.goal
        here = {world.fluents.base_of(world.look, world.truth["where", t]) for t in goal.targets}
        others.sort(key=lambda z: z[1] not in here)  # where a robot has to go, first
        for zone in others:
            if len(chosen) >= count:
                break
            if zone[1] not in {f for _, f, _ in chosen} and self._still_feasible(world, [*chosen, zone], left):
                chosen.append(zone)
        closed: dict[str, list[str]] = {}
        for robot, furniture, stand in chosen:
            closed.setdefault(robot, []).append(furniture if stand == "*" else f"{furniture}/{stand}")
        return {"closed": closed, "zones": len(chosen), "bites": bites}

    def _rooms(self, world: IndoorWorld, plan: Plan | None, count: Any, step: int) -> dict[str, Any]:
        """A room that the plan leads into, closed to that robot and to as many others as can be spared."""
        rng = rng_of(self.seed, "zones", step)
        left = (self.task.step_limit or 30) - step - 2
        scene, movers = world.scene, [n for n, c in world.cards.items() if c.moves]
        home = scene.piece[scene.work_table].room if scene.work_table else ""
        inside = {n: scene.room_at(world.truth["pose", n]) for n in movers}
        visits = [(r, f) for r in movers for f, _ in (plan.visits(r) if plan else ()) if f in scene.piece]
        first = list(dict.fromkeys((r, scene.piece[f].room) for r, f in visits))
        rng.shuffle(first)
        chosen = self._first(world, [(r, room, "*") for r, room in first if room not in (home, inside[r])], left)
        bites = bool(chosen)
        for robot in rng.sample(movers, len(movers)) if chosen else ():
            zone = (robot, chosen[0][1], "*")
            if zone not in chosen and zone[1] != inside[robot] and self._still_feasible(world, [*chosen, zone], left):
                chosen.append(zone)
        return {"closed": {robot: [room] for robot, room, _ in chosen}, "zones": len(chosen), "bites": bites}

    def _first(self, world: IndoorWorld, zones: Iterable[Zone], left: int) -> list[Zone]:
        """The first zone that can be closed while the task can still be done, alone in a list."""
        return next(([zone] for zone in zones if self._still_feasible(world, [zone], left)), [])

    def _still_feasible(self, world: IndoorWorld, zones: list[Zone], left: int) -> bool:
        plan = planner_of(world, closed=zones).best()
        return plan is not None and plan.steps <= left
