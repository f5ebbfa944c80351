"""A robot's situation as far as its next sub-task depends on it, as text for prompts, and read back from that text.

    You: Alice; arm, lifts 6.22 kg; tall; battery 41; at (2.5, 1.25) in room_3; holds nothing
    Mate Bob: no arm; small; battery 100; at (1, 2) in room_1; holds nothing; task Explore <room_2>
    Astray mug_0: Mug on bathtub_0 in room_2 at (4.1, 6.32); belongs on CounterTop in Kitchen
    Room room_1 (Kitchen): explored
    Room room_2: open, 12 steps away
    Failed: mug_0
    Places in room_1: CounterTop, Fridge

The last ones stand there for models alone, which are not told where things belong.
The oracle answers prompts from these lines and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import partial

from coterie.core.facts import Belief
from coterie.core.kinds import Misread
from coterie.core.protocol import Ask, Reply, RobotView
from coterie.houses.model import FLOOR
from coterie.protocols.adhoc.irot import answers
from coterie.protocols.adhoc.irot.page import place_words
from coterie.protocols.heuristic import Heuristic
from coterie.protocols.heuristic.adapter.values import REPLACE, Phrase
from coterie.protocols.heuristic.lines import TALL_M
from coterie.protocols.shared.replies import clean
from coterie.protocols.shared.templates import first, render
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import (
    Survey,
    Thing,
    number_of,
    room_at,
    rooms_known,
    survey_as,
    survey_of,
)

Point = tuple[float, float]
NOBODY_KNOWS = "?"


@dataclass(frozen=True)
class Mate:
    """A robot, as far as the writer knows it."""

    name: str
    arm: bool | None = None
    payload_kg: float | None = None
    tall: bool | None = None
    battery: int | None = None
    at: Point | None = None
    room: str = ""
    holding: str | None = None  # an empty text: nothing
    task: str = ""
    cannot: tuple[str, ...] = ()  # things that it cannot take

    def line(self, head: str) -> str:
        lifts = "" if self.payload_kg is None else f", lifts {self.payload_kg:g} kg"
        arm = NOBODY_KNOWS if self.arm is None else f"arm{lifts}" if self.arm else "no arm"
        tall = NOBODY_KNOWS if self.tall is None else "tall" if self.tall else "small"
        at = NOBODY_KNOWS if self.at is None else f"({self.at[0]:g}, {self.at[1]:g})"
        held = NOBODY_KNOWS if self.holding is None else self.holding or "nothing"
        battery = NOBODY_KNOWS if self.battery is None else str(self.battery)
        room = f" in {self.room}" if self.room else ""
        task = f"; task {self.task}" if self.task else ""
        cannot = f"; cannot take {', '.join(self.cannot)}" if self.cannot else ""
        return f"{head}: {arm}; {tall}; battery {battery}; at {at}{room}; holds {held}{cannot}{task}"


@dataclass(frozen=True)
class Astray:
    name: str
    kind: str
    on: str
    room: str
    at: Point | None
    home: tuple[str, str] | None = None  # kinds of receptacle and room where it belongs, of which one is known

    def line(self) -> str:
        at = f" at ({self.at[0]:g}, {self.at[1]:g})" if self.at is not None else ""
        room = f" in {self.room}" if self.room else ""
        home = f"; belongs on {self.home[0]} in {self.home[1]}" if self.home else ""
        return f"Astray {self.name}: {self.kind} on {self.on or NOBODY_KNOWS}{room}{at}{home}"


@dataclass(frozen=True)
class Known:
    """A room."""

    name: str
    kind: str = ""
    steps: int | None = None  # to where the known ends in it; None: nothing is left to explore there

    def line(self) -> str:
        kind = f" ({self.kind})" if self.kind else ""
        return f"Room {self.name}{kind}: {'explored' if self.steps is None else f'open, {self.steps} steps away'}"


@dataclass(frozen=True)
class Situation:
    me: Mate
    mates: tuple[Mate, ...] = ()
    astray: tuple[Astray, ...] = ()
    rooms: tuple[Known, ...] = ()
    failed: tuple[str, ...] = ()  # things that this robot could not take
    places: tuple[tuple[str, str], ...] = ()  # rooms, and the kinds of furniture in them on which things can be put

    def text(self) -> str:
        lines = [self.me.line(f"You: {self.me.name}").replace(": ", "; ", 2).replace("You; ", "You: ", 1)]
        lines += [mate.line(f"Mate {mate.name}") for mate in self.mates]
        lines += [thing.line() for thing in self.astray] or ["Astray: nothing that you know of"]
        lines += [room.line() for room in self.rooms]
        lines += [f"Failed: {', '.join(self.failed)}"] if self.failed else []
        lines += [f"Places in {room}: {kinds}" for room, kinds in self.places]
        return "\n".join(lines)


# -- reading it back --------------------------------------------------------------------------------------------------
_POINT = re.compile(r"\((-?[\d.]+), (-?[\d.]+)\)")
_ASTRAY = re.compile(
    r"^Astray (\w+): (\w*) on ([\w?]+)(?: in (\w+))?(?: at (\([^()]*\)))?(?:; belongs on (\w+) in (\w+))?$", re.M
)
_ROOM = re.compile(r"^Room (\w+)(?: \((\w+)\))?: (?:explored|open, (\d+) steps away)$", re.M)


def read(text: str) -> Situation:
    """A situation from a prompt that shows one."""
    me = re.search(r"^You: (\w+); (.*)$", text, re.M)
    mates = tuple(_mate(name, rest) for name, rest in re.findall(r"^Mate (\w+): (.*)$", text, re.M))
    astray = tuple(
        Astray(name, kind, "" if on == NOBODY_KNOWS else on, room, _point(at), (home, where) if home else None)
        for name, kind, on, room, at, home, where in _ASTRAY.findall(text)
    )
    rooms = tuple(Known(name, kind, int(steps) if steps else None) for name, kind, steps in _ROOM.findall(text))
    failed = first(r"^Failed: (.*)$", text)
    left = tuple(failed.split(", ")) if failed else ()
    places = tuple(re.findall(r"^Places in (\w+): (.+)$", text, re.M))
    return Situation(_mate(me[1], me[2]) if me else Mate("?"), mates, astray, rooms, left, places)


def _mate(name: str, words: str) -> Mate:
    parts = [part.strip() for part in words.split("; ")]
    task = next((part[5:] for part in parts if part.startswith("task ")), "")
    lifts, battery = first(r"lifts ([\d.]+) kg", parts[0]), first(r"battery (\d+)", words)
    arm = None if parts[0] == NOBODY_KNOWS else not parts[0].startswith("no arm")
    tall = {"tall": True, "small": False}.get(parts[1]) if len(parts) > 1 else None
    place = next((part for part in parts if part.startswith("at ")), "")
    held = next((part[6:] for part in parts if part.startswith("holds ")), NOBODY_KNOWS)
    holding = None if held == NOBODY_KNOWS else "" if held == "nothing" else held
    cannot = next((tuple(part[12:].split(", ")) for part in parts if part.startswith("cannot take ")), ())
    return Mate(
        name, arm, float(lifts) if lifts else None, tall, int(battery) if battery else None, _point(place),
        first(r" in (\w+)$", place), holding, task, cannot,
    )  # fmt: skip


def _point(text: str) -> Point | None:
    found = _POINT.search(text)
    return (float(found[1]), float(found[2])) if found else None


ANYWHERE = "anywhere"  # what lies in no room that has a number yet
MOST_THINGS = 8


def situation(me: RobotView, mind: Heuristic, guests: bool = False) -> Situation:
    """`guests`: those who joined are shown like teammates."""
    survey = survey_of(me)
    mates = [_teammate(me, name, mind) for name in sorted(me.heartbeat)]
    if guests:
        mates += [Mate(n, at=g.at, task=g.task) for n, g in sorted(mind.talk.guests.known.items())]
    things = sorted(mind._astray(me, survey).values(), key=lambda t: t.name)[:MOST_THINGS]
    astray = [_astray(me, survey, thing, mind) for thing in things]
    failed = tuple(t.name for t in things if mind._gave_up(me, t.name) or not mind._can(me, t, me.name))
    places = survey.places() if isinstance(survey, SaidSurvey) else ()
    done = {f.args[0] for f in me.belief.facts("explored") if f.value is True}
    return Situation(myself(me), tuple(mates), tuple(astray), tuple(rooms(me, done)), failed, places)


def myself(me: RobotView) -> Mate:
    x, y, _, _ = chart_of(me).pose
    held, battery = me.belief.value("holding", me.name), me.belief.value("battery", me.name)
    return Mate(
        me.name, me.card.manipulates, me.card.payload_kg if me.card.manipulates else None,
        (me.card.camera_m or 1.6) > TALL_M, battery if isinstance(battery, int) else None, (x, y),
        room_at(me.belief, x, y), held if isinstance(held, str) else "",
    )  # fmt: skip


def _teammate(me: RobotView, name: str, mind: Heuristic) -> Mate:
    value = me.belief.value
    payload, pose, doing = value("payload", name), value("pose", name), value("doing", name)
    at = (float(pose[0]), float(pose[1])) if isinstance(pose, tuple) else None
    kg = float(payload) if isinstance(payload, (int, float)) else None
    room = room_at(me.belief, *at) if at is not None else ""
    task = doing if isinstance(doing, str) else ""
    astray = mind._astray(me, survey_of(me)).values()
    cannot = tuple(t.name for t in astray if value("failed_at", name, t.name) is True or not mind._can(me, t, name))
    return Mate(
        name, None if kg is None else kg > 0, kg or None, None, None, at, room, None, task, cannot if kg else ()
    )


def _astray(me: RobotView, survey: Survey, thing: Thing, mind: Heuristic) -> Astray:
    place = mind._home(me, survey, thing)
    home = None
    if place is not None:
        survey.update()  # it may be furniture that a guest told of, noted down just now
        _, _, room = place.partition("@")
        kind = FLOOR if room else survey.pieces[place][0]
        home = (kind, survey.kind_of_room(room or survey.pieces[place][1]))
    at = (thing.spot[0], thing.spot[1]) if thing.spot is not None else None
    return Astray(thing.name, thing.kind, thing.where, survey.room_of(thing), at, home)


def rooms(me: RobotView, done: set[str]) -> list[Known]:
    """Rooms that are known, with the steps to where the known ends in them; what is `done` is explored."""
    chart, survey = chart_of(me), survey_of(me)
    found, left = [], chart.frontier
    for room in rooms_known(me.belief):
        nodes = chart.room(number_of(room)) if number_of(room) else 0
        nodes |= chart.beside(nodes)
        goals, left = chart.frontier & nodes, left & ~nodes
        steps = chart.steps_to(goals) if goals and room not in done else None
        found.append(Known(room, survey.kind_of_room(room), steps))
    if left and all(room.steps is None for room in found):
        steps = chart.steps_to(left)
        found += [Known(ANYWHERE, "", steps)] if steps is not None else []
    return found


# -- a model's own judgement ------------------------------------------------------------------------------------------
# A model's own judgement of things: which of them are misplaced, and where such things belong. Where a model decides
# for a negotiating robot, its survey of the house asks these words and never the placement table.
SEE = "SEE"
MOST_JUDGED = 40  # things that are judged at once


class SaidSurvey(Survey):
    def __init__(self, belief: Belief):
        super().__init__(belief)
        self.verdicts: dict[tuple[str, str, str], bool] = {}  # (thing, where, kind of its room) -> misplaced
        self.last: dict[tuple[str, str], bool] = {}  # (thing, where) -> the same, until its room is known better
        self.named: dict[str, set[tuple[str, str]]] = {}  # kind of thing -> (on, kind of room) that were named

    # -- what is misplaced ----------------------------------------------------------------------------------------
    def misplaced(self, thing: Thing) -> bool:
        return self.verdicts.get(self._key(thing), self.last.get((thing.name, thing.where), False))

    def unjudged(self) -> list[Thing]:
        """Things that lie somewhere in a room and were not judged there yet."""
        lying = (t for t in self.things.values() if t.where == FLOOR or t.where in self.pieces)
        return [t for t in lying if self.room_of(t) and self._key(t) not in self.verdicts]

    def note(self, things: Sequence[Thing], wrong: Sequence[str]) -> None:
        for thing in things:
            self.verdicts[self._key(thing)] = self.last[thing.name, thing.where] = thing.name in wrong
            self._judge(thing.name)
        self.version += bool(things)

    def _key(self, thing: Thing) -> tuple[str, str, str]:
        return thing.name, thing.where, self.kind_of_room(self.room_of(thing))

    # -- where it belongs -----------------------------------------------------------------------------------------
    def name(self, task: Phrase) -> None:
        """Remember the home that a sub-task names for a kind of thing."""
        thing, on, room = (*task.args, "", "", "")[:3]
        kind = self.belief.value("kind", thing)
        if task.name == REPLACE and on and isinstance(kind, str):
            self.named.setdefault(kind, set()).add((on, room))

    def belongs(self, kind: str, on: str, room: str) -> bool:
        return any(what == on and where in ("", room) for what, where in self.named.get(kind, ()))

    def places(self) -> tuple[tuple[str, str], ...]:
        """Furniture on which things can be put, by room, for prompts."""
        found: dict[str, dict[str, None]] = {}
        for piece, (kind, room) in self.pieces.items():
            box = self.belief.value("box", piece)
            if kind and isinstance(box, tuple) and box[6]:
                found.setdefault(room, {})[kind] = None
        return tuple((room, ", ".join(kinds)) for room, kinds in found.items())


def said_survey(me: RobotView) -> SaidSurvey:
    return survey_as(me, SaidSurvey)


def see(me: RobotView, style: str) -> Generator[list[Ask], Sequence[Reply], None]:
    """Ask which of the things that were not judged yet are misplaced. It takes two barriers whether or not anything is
    asked, so that robots that negotiate stay in turn."""
    survey = said_survey(me)
    new = survey.unjudged()[:MOST_JUDGED]
    rows = "\n".join(f"{t.name} ({t.kind}) {place_words(survey, t)}" for t in new)
    prompt = render("negotiate/see", style, {"name": me.name, "things": rows}) if new else ()
    read = partial(answers.misplaced, names=[t.name for t in new])
    found: list[str] | Misread = []
    for attempt in range(2):
        replies = yield [Ask(me.name, SEE, me.step, attempt, prompt)] if prompt else []
        if prompt:
            found = Misread(replies[0].error) if replies[0].error else read(replies[0].text)
            again = ("user", "That could not be read. Answer again, in the two lines and nothing else.")
            said = ("assistant", clean(replies[0].text, 300) or "(nothing)")
            prompt = (*prompt, said, again) if isinstance(found, Misread) else ()
    survey.note(new, [] if isinstance(found, Misread) else found)
