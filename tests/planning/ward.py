"""A small hospital written with Coterie's own skills: three robots, a closed door, amounts as counts.

Fetch packs kits in the store and does not leave it; Temi carries a caddy and cannot open doors; Spot opens doors and
fetches what only the pharmacist has.
"""

from __future__ import annotations

from coterie.core.expr import any_of, eq, fl, ge, gt, no
from coterie.core.facts import UNKNOWN
from coterie.core.fluents import fluent
from coterie.core.kinds import Kind
from coterie.core.skill import Clause, Effect, Param, Skill, decrease, increase
from coterie.core.skills import Skills
from coterie.planning.judge import Interval
from coterie.planning.question import Question

KINDS = (
    Kind("location"),  # where a caddy can be
    Kind("place", parent="location"),
    Kind("table", parent="place"),
    Kind("ward", parent="place"),
    Kind("robot", parent="location"),
    Kind("holder"),  # what can be counted in
    Kind("room"),
    Kind("door"),
    Kind("load"),  # what a hand can hold
    Kind("ware", parent="load"),
    Kind("caddy", parent="load"),
)
FLUENTS = (
    fluent("at", "robot", value="place"),
    fluent("holding", "robot", value="load"),
    fluent("where", "caddy", value="location"),
    fluent("amount", "place", "ware", value="number"),
    fluent("packed", "caddy", "ware", value="number"),
    fluent("room", "place", value="room"),
    fluent("door", "room", "room", value="door"),
    fluent("side", "door", "room"),
    fluent("open", "door"),
    fluent("jammed", "door"),
    fluent("may_go", "robot", "place"),
    fluent("gives", "place", "ware"),
    fluent("delivered", "caddy", "ward"),
    fluent("carrying", "robot", value="caddy"),
)


def _skill(name, params, when, then, duration_s=5.0):
    params = tuple(Param(*p.split(":")) for p in params.split())
    return Skill(name, params, tuple(Clause(e, "no", f"{name}{i}") for i, e in enumerate(when)), then, duration_s)


HERE, HAND = fl("at", "?robot"), fl("holding", "?robot")
GOTO = _skill(
    "goto",
    "to:place",
    [
        fl("may_go", "?robot", "?to"),
        no(eq(HERE, "?to")),
        any_of(
            eq(fl("room", HERE), fl("room", "?to")),
            fl("open", fl("door", fl("room", HERE), fl("room", "?to"))),
        ),
    ],
    (Effect(HERE, "?to"),),
    10.0,
)
OPEN = _skill(
    "opendoor",
    "door:door",
    [no(fl("open", "?door")), no(fl("jammed", "?door")), fl("side", "?door", fl("room", HERE)), eq(HAND, None)],
    (Effect(fl("open", "?door"), True),),
    8.0,
)
PICK = _skill(
    "pickup",
    "ware:ware place:table",
    [eq(HERE, "?place"), eq(HAND, None), ge(fl("amount", "?place", "?ware"), 1)],
    (Effect(HAND, "?ware"), decrease(fl("amount", "?place", "?ware"))),
)
PUTDOWN = _skill(
    "putdown",
    "ware:ware place:table",
    [eq(HERE, "?place"), eq(HAND, "?ware")],
    (Effect(HAND, None), increase(fl("amount", "?place", "?ware"))),
)
PUTIN = _skill(
    "putin",
    "ware:ware caddy:caddy",
    [eq(HAND, "?ware"), eq(HERE, fl("where", "?caddy"))],
    (Effect(HAND, None), increase(fl("packed", "?caddy", "?ware"))),
)
RECEIVE = _skill(
    "receiveitem",
    "ware:ware place:place",
    [eq(HERE, "?place"), eq(HAND, None), fl("gives", "?place", "?ware"), gt(fl("amount", "?place", "?ware"), 0)],
    (Effect(HAND, "?ware"), decrease(fl("amount", "?place", "?ware"))),
    20.0,
)
TAKE = _skill(
    "takecaddy",
    "caddy:caddy",
    [eq(HAND, None), eq(HERE, fl("where", "?caddy"))],
    (Effect(HAND, "?caddy"), Effect(fl("where", "?caddy"), "?robot")),
)
HANDOVER = _skill(
    "handover",
    "caddy:caddy other:robot",
    [eq(HAND, "?caddy"), eq(HERE, fl("at", "?other")), eq(fl("carrying", "?other"), None)],
    (
        Effect(HAND, None),
        Effect(fl("carrying", "?other"), "?caddy"),
        Effect(fl("where", "?caddy"), "?other"),
    ),
)
DELIVER = _skill(
    "deliverkit",
    "caddy:caddy ward:ward",
    [eq(fl("carrying", "?robot"), "?caddy"), eq(HERE, "?ward")],
    (
        Effect(fl("carrying", "?robot"), None),
        Effect(fl("where", "?caddy"), "?ward"),
        Effect(fl("delivered", "?caddy", "?ward"), True),
    ),
)
SKILLS = Skills("ward", KINDS, FLUENTS)
for _s in (GOTO, OPEN, PICK, PUTDOWN, PUTIN, RECEIVE, TAKE, HANDOVER, DELIVER):
    SKILLS.put(_s.name, _s)

ABLE = {
    "Fetch": ("goto", "pickup", "putdown", "putin", "takecaddy", "handover"),
    "Temi": ("goto", "deliverkit"),
    "Spot": ("goto", "opendoor", "pickup", "putdown", "receiveitem"),
}
TABLES = ("tableA", "tableB", "tableE", "tableG")
WARES = ("painkiller", "bandagebox")
WARDS = ("alpha", "beta", "gamma", "delta", "epsilon")


class Ward:
    """Facts that a test can change before it asks."""

    def __init__(self, kits=1, teams=1, stocked=False, stock=20):
        self.kits = kits
        self.wards = WARDS[: max(kits, 1)]
        self.caddies = [f"caddy{i}" for i in range(kits)]
        self.robots = {
            f"{body}{'' if i == 0 else i + 1}": ABLE[body] for i in range(teams) for body in ("Fetch", "Temi", "Spot")
        }
        places = (*TABLES, "hatch", "dock", "counter", *self.wards)
        self.objects = {
            **dict.fromkeys(self.robots, "robot"),
            **dict.fromkeys(TABLES, "table"),
            **dict.fromkeys(("hatch", "dock", "counter"), "place"),
            **dict.fromkeys(self.wards, "ward"),
            **dict.fromkeys(("store", "hall", "pharmacy", *(f"room_{w}" for w in self.wards)), "room"),
            **dict.fromkeys(("door_store", "door_pharmacy", *(f"door_{w}" for w in self.wards)), "door"),
            **dict.fromkeys(WARES, "ware"),
            **dict.fromkeys(self.caddies, "caddy"),
        }
        f = self.facts = {}
        rooms = {**dict.fromkeys((*TABLES, "hatch"), "store"), "dock": "hall", "counter": "pharmacy"}
        rooms.update({w: f"room_{w}" for w in self.wards})
        for place in places:
            f["room", place] = rooms[place]
        doors = {"door_store": "store", "door_pharmacy": "pharmacy", **{f"door_{w}": f"room_{w}" for w in self.wards}}
        for door, room in doors.items():
            for one, two in ((room, "hall"), ("hall", room)):
                f["door", one, two] = door
                f["side", door, one] = True
            f["open", door] = door in ("door_store", "door_pharmacy")
            f["jammed", door] = False
        for robot in self.robots:
            body = robot.rstrip("0123456789")
            for place in places:
                f["may_go", robot, place] = rooms[place] == "store" if body == "Fetch" else (
                    place not in TABLES if body == "Temi" else True
                )  # fmt: skip
            f["at", robot] = {"Fetch": "tableG", "Temi": "dock", "Spot": "dock"}[body]
            f["holding", robot] = f["carrying", robot] = None
        for caddy in self.caddies:
            f["where", caddy] = "tableA"
        f["amount", "tableB", "painkiller"] = stock
        f["amount", "tableE", "bandagebox"] = stock if stocked else 0
        f["amount", "counter", "bandagebox"] = stock
        f["gives", "counter", "bandagebox"] = True

    def look(self, pred, *args):
        if (pred, *args) in self.facts:
            return self.facts[pred, *args]
        return {"amount": 0, "packed": 0}.get(pred, False if pred in _TRUTHS else UNKNOWN)

    @property
    def goal(self):
        return [g for c, w in zip(self.caddies, self.wards) for g in self.kit(c, w)]

    def kit(self, caddy, ward):
        return [
            eq(fl("packed", caddy, "painkiller"), 2),
            eq(fl("packed", caddy, "bandagebox"), 1),
            fl("delivered", caddy, ward),
        ]

    def ask(self, goal=None):
        return Question.ask(SKILLS, self.look, self.objects, self.robots, self.goal if goal is None else goal)


_TRUTHS = {f.name for f in FLUENTS if f.value == "bool"}


def schedule(question, answer):
    """Every step of a plan as early as its order lets it begin."""
    timed = []
    for step, after in zip(answer.steps, answer.after):
        start = max((timed[i].end for i in after), default=0.0)
        timed.append(Interval(step, start, start + question.seconds(step)))
    return timed
