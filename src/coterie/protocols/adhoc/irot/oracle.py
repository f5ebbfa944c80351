"""The rule mind of a stranger: it reads the text of a prompt and nothing else, and answers as a model is asked to.

It knows what people know (what belongs where, how heavy things are), and no more of the house than the prompt says. The
stages differ in what they look at: candidates are what is near and can be done; ranking weighs steps, battery and who
else is better placed; judgement looks at what was answered; the sub-skill follows from the sub-task.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from coterie.houses.model import FLOOR, ROOM_KINDS
from coterie.houses.placement import belongs, homes, kinds
from coterie.protocols.adhoc.irot.page import JOBS, NONE
from coterie.protocols.adhoc.subtasks import (
    EXPLORE,
    GO_ROOM,
    HERE,
    PICK,
    PUT,
    REPLACE,
    REPORT,
    STOP,
    Phrase,
    read_subtask,
)  # fmt: skip
from coterie.protocols.dynahmrc.oracle import answers
from coterie.protocols.shared.templates import Page, first

SURE = 0.8  # of the odds that a thing belongs somewhere
DOUBT = 0.04  # that a thing lies in order: then it is not called misplaced until more of the room is known
STEP_M = 0.25
WINDING = 1.8  # a way takes so much longer than the straight line, with its turns
BENDS = 1.3  # and so much longer than the nodes on it
SPARE = 4  # steps of battery that are kept for turns and handling
CORNERS = 60  # steps that a room seems further off of which only corners are left
AT_HAND, LONG = 8, 60  # steps: what is so near is taken along to look for its home, with so much battery
SETTLED = 30  # steps that what is under way seems nearer
LOOK = 6  # steps that a look from nearer seems further off
LATER = 3  # as in `worth`: looks from nearer come after rooms that are left
AGAIN = 40  # steps that a room seems further off in which eyes of the same height have been
CROWDED = 25  # steps that a room seems further off for everybody who explores there
PATIENCE = 12  # steps for which a thing is left to a robot better placed
SETTLING = 20  # steps until it counts on knowing what the others do
FLAT_M = 0.15  # what is lower is not seen on the floor by a high camera, which tells things apart up to 1.5 m off
NEARER_M = 3.0  # who is nearer by so much is better placed
GUESSES = (0.6, 0.4, 0.2)  # how likely a thing belongs somewhere, for want of a place that is clearer
FAIR = 0.5  # a guess that is likelier than this is better than to let others take it
SOON, LAST = 16, 3  # steps of battery: what is held is put where others can take it, or let fall at last
TOUCH_M = 1.5  # a place that near needs no way
GUESS_STEPS = 25  # of battery besides the way, with which it does not wait for a clearer one
NAMED = 8  # things whose usual places are named as a reason
MARGIN = 10  # steps by which something else must be nearer, for an intention to be given up for it
_OBJECTS = re.compile(r"\banswer: no\b.*|\bACK NO\b.*|\bI object\b.*")
_LIKELY = re.compile(r"(\w+) (\d+)%")
_PLACE = re.compile(r"([\w]+) \((\w+)\) at \((-?[\d.]+), (-?[\d.]+)\)")
_THING = re.compile(
    r"^(\w+) \((\w+)\) on (\w+)(?: \((\w+)\))? in ([\w ]+?) \(([^()]*)\)"
    r"(?:; at \((-?[\d.]+), (-?[\d.]+)\), (\d+) steps)?(.*)$"
)


class Room(NamedTuple):
    name: str
    kind: str  # the likeliest; empty: nothing speaks for any
    odds: str  # what is said of its kind
    steps: int | None  # to where it is left to explore; None: nothing is left, or no way is known
    corners: bool  # no more than that is left
    mine: bool  # this robot has explored it
    by: tuple[str, ...]  # who explored it
    overlooked: bool  # those have eyes of another height, and miss what this robot sees
    others: int  # who explore there
    places: int  # seen from afar alone
    nearer: int  # steps to the first of them


class Thing(NamedTuple):
    name: str
    kind: str
    on: str
    room: str
    at: tuple[float, float]
    steps: int
    kg: float
    hopeless: bool
    known: int  # for how many steps
    tried: int  # how often in vain


def flat(thing: Thing) -> bool:
    """True if a thing lies on the floor and is not high."""
    usual = kinds().get(thing.kind)
    return thing.on == FLOOR and (usual is None or usual.size_m[2] < FLAT_M)


class Mate(NamedTuple):
    name: str
    arm: bool
    high: bool  # its camera
    kg: float
    at: tuple[float, float] | None
    holds: str
    left: int | None  # steps of its battery
    task: Phrase | None


class Outlook:
    """The robot, the house and the others as a prompt shows them."""

    def __init__(self, page: Page):
        you = f"{page['ability']}. {page['state']}"
        self.arm, self.high = not you.startswith("no arm"), "camera high" in you
        self.kg = float(first(r"lifts ([\d.]+) kg", you) or 0.0)
        self.battery = int(first(r"battery (\d+) of", you) or 10_000)
        self.at = _point(you) or (0.0, 0.0)
        self.room = first(r"You are in (\w+)", you)
        self.held = first(r"and hold (?!nothing\b)(\w+)", you)
        self.held_kind = first(r"and hold \w+ \((\w+)\)", you)
        self.rooms = {r.name: r for r in map(self._room, rows(page["rooms"]))}
        self.places = [p for row in rows(page["receptacles"]) for p in self._places(row)]
        self.mates = self._mates(page)
        self.things = [t for row in rows(page["astray"]) if (t := self._thing(row))]
        self.underway = read_subtask(page["underway"])
        self.stays = int(page["step"].split()[0]) - int(page["joined"])  # steps since it joined
        self.finding = page["wanted"] == JOBS["find"].wanted

    # -- reading --------------------------------------------------------------------------------------------------
    def _room(self, row: str) -> Room:
        name, _, rest = row.partition(": ")
        odds = rest.partition("; ")[0]
        steps = first(r"left to explore, (\d+) steps", rest) if "you found no way" not in rest else ""
        by = re.findall(r"explored by (\w+)(?: \(camera (\w+)\))?", rest)
        other = "low" if self.high else "high"
        return Room(
            name, likeliest(odds), odds, int(steps) if steps else None, "corners left" in rest,
            "you explored it" in rest, tuple(who for who, _ in by), bool(by) and all(eyes == other for _, eyes in by),
            rest.count("is there and explores"), int(first(r"(\d+) places? to look at", rest) or 0),
            int(first(r"to look at from nearer, (\d+) steps", rest) or 0),
        )  # fmt: skip

    def _places(self, row: str) -> Iterator[tuple[str, str, str, tuple[float, float]]]:
        room, _, rest = row.partition(": ")
        for name, kind, x, y in _PLACE.findall(rest):
            yield name, kind, room, (float(x), float(y))

    def _mates(self, page: Page) -> dict[str, Mate]:
        able = dict(row.partition(": ")[::2] for row in rows(page["abilities"]))
        self.unsure = any("said nothing" in words for words in able.values())  # of what a robot can do
        found = {}
        for row in rows(page["states"]):
            name, _, words = row.partition(": ")
            body = able.get(name, "")
            left = "0" if "must be empty" in words else first(r"battery (\d+) steps", words)
            found[name] = Mate(
                name, body.startswith("arm"), "camera high" in body,
                float(first(r"lifts ([\d.]+) kg", body) or math.inf), _point(words),
                first(r"holds (?!nothing\b)(\w+)", words), int(left) if left else None,
                read_subtask(first(r"sub-task (.*)$", words)),
            )  # fmt: skip
        return found

    def _thing(self, row: str) -> Thing | None:
        m = _THING.match(row)
        if m is None or m.group(7) is None:
            return None
        name, kind, on, _, room, _, x, y, steps, rest = m.groups()
        usual = kinds().get(kind)
        kg = float(first(r"; ([\d.]+) kg", rest) or (usual.mass_kg if usual else 0.0))
        known, tried = (int(first(p, rest) or 0) for p in (r"known for (\d+) steps", r"you tried (\d+) times"))
        at, hopeless = (float(x), float(y)), "a moment ago" in rest
        return Thing(name, kind, on, room, at, int(steps), kg, hopeless, known, tried)

    # -- thinking -------------------------------------------------------------------------------------------------
    def home(self, kind: str, at: tuple[float, float], least: float = SURE) -> tuple[str, str, str, float] | None:
        """The nearest known place where a kind of thing belongs: its name, its kind, its room, how far it is [m]. Where
        the kinds of rooms are not clear, it counts how likely it belongs there."""
        said = {r.name: r.odds for r in self.rooms.values()}
        fit = [p for p in self.places if said.get(p[2]) and fits(kind, p[1], said[p[2]]) >= least]
        if fit:
            name, on, room, spot = min(fit, key=lambda p: (math.dist(p[3], at), p[0]))
            return name, on, room, math.dist(spot, at)
        floor = next((r.name for r in self.rooms.values() if r.kind and fits(kind, FLOOR, r.odds) >= least), "")
        return (FLOOR, FLOOR, floor, 0.0) if floor else None

    def guess(self, kind: str, at: tuple[float, float]) -> tuple[str, str, str, float] | None:
        """The likeliest place for a thing whose home is not clear, once it has to be put down: nothing is left to
        explore, or the battery ends."""
        others = any(m.arm and m.left != 0 for m in self.mates.values())  # they can take what is let fall
        for least in GUESSES:
            found = None if others and least < FAIR else self.home(kind, at, least)
            if found is not None:
                left = any(r.steps is not None and not r.by for r in self.rooms.values())
                return None if left and self.battery > GUESS_STEPS + found[3] * WINDING / STEP_M else found
        return None

    def in_time(self, home: tuple[str, str, str, float]) -> bool:
        """True if the battery does for what is held to get home."""
        if home[0] == FLOOR:
            return home[2] == self.room
        return home[3] <= TOUCH_M or (self.battery > LAST and home[3] * WINDING / STEP_M <= self.battery)

    def rest(self, home: tuple[str, str, str, float] | None, bad: Collection[str]) -> tuple[str, str] | None:
        """The nearest furniture for what is held, and its room, when the battery ends before it is home: on the floor
        high cameras would miss it. None: there is time, or no such place is near."""
        if self.battery > SOON or self.battery <= LAST:
            return None
        if home is not None and self.in_time(home):
            return None
        near = [(math.dist(p[3], self.at), p[0], p[2]) for p in self.places if p[2] == self.room and p[0] not in bad]
        far, name, room = min(near, default=(math.inf, "", ""))
        return (name, room) if max(0.0, far - TOUCH_M) * WINDING / STEP_M + SPARE <= self.battery else None

    def replacing(self, name: str, kind: str, at: tuple[float, float]) -> Phrase | None:
        """The sub-task that brings a thing home; None for what has no home anywhere."""
        found = self.home(kind, at)
        if found is not None:
            return Phrase(REPLACE, (name, found[1], self.rooms[found[2]].kind or found[2]))
        usual = homes(kind)
        return Phrase(REPLACE, (name, *usual[0])) if usual else None

    def effort(self, thing: Thing) -> int:
        """Steps to fetch a thing and carry it home; twice the way to it where no home is known yet."""
        found = self.home(thing.kind, thing.at)
        carry = found[3] * WINDING / STEP_M if found is not None else thing.steps + 20
        return round(BENDS * thing.steps + carry) + SPARE

    def at_it(self, name: str) -> str:
        for mate in self.mates.values():
            working = mate.task is not None and mate.task.name == REPLACE and mate.task.args[0] == name
            if mate.holds == name or (working and mate.left != 0):
                return mate.name
        return ""

    def better_placed(self, thing: Thing) -> str:
        """A robot that could take a thing, has empty hands and is clearly nearer, unless it has left it for long."""
        mine = math.dist(thing.at, self.at)
        if thing.known > PATIENCE:
            return ""
        for mate in self.mates.values():
            busy = mate.holds or (mate.task is not None and mate.task.name in (REPLACE, STOP))
            if not mate.arm or mate.kg < thing.kg or busy or mate.at is None or (mate.high and flat(thing)):
                continue
            far = math.dist(thing.at, mate.at)
            if far < mine - NEARER_M and (mate.left is None or mate.left > 2 * far / STEP_M):
                return mate.name
        return ""

    def can(self, thing: Thing) -> bool:
        """True if this robot can take a thing: a high camera does not see what lies flat on the floor."""
        able = self.arm and thing.kg <= self.kg and not thing.hopeless and not (self.high and flat(thing))
        return (
            able and thing.steps + SPARE < self.battery and (self.battery > SOON or self.effort(thing) < self.battery)
        )

    def options(self) -> dict[Phrase, int]:
        """All that could be done next, with the steps until it begins: in the order of the prompt."""
        found: dict[Phrase, int] = {}
        if self.held:
            phrase = self.replacing(self.held, self.held_kind, self.at)
            return {phrase: 0} if phrase is not None else {}
        for thing in self.things:
            if self.finding:
                found[Phrase(REPORT, (thing.name,))] = 0
                continue
            phrase = self.replacing(thing.name, thing.kind, thing.at)
            if phrase is not None and self.can(thing) and not self.at_it(thing.name):
                found[phrase] = thing.steps
        for room in self.rooms.values():
            if (way := self.way_into(room)) is not None:
                phrase = Phrase(EXPLORE, (room.name,))
                found[phrase] = way[1] + CORNERS * (way[0] - 2) - SETTLED * (phrase == self.underway)
        return found

    def way_into(self, room: Room) -> tuple[int, int] | None:
        """How good it is to search a room, as in `worth`, and the steps to where that begins: where the known ends,
        unless others have seen that, or at what was seen from afar alone. None: nothing is left, or no way is known."""
        way = None
        steps = room.steps if room.steps is not None and room.steps < self.battery else None
        second = room.others == 0  # a second look neither stands in the way nor is waited for
        if steps is not None and (not room.by or (room.overlooked and second)):
            way = (4 if room.corners else 2), steps + CROWDED * (room.others + room.overlooked)
        if room.places and room.nearer < self.battery and (way is None or way[0] > LATER):
            way = LATER, room.nearer + LOOK
        if way is None and steps is not None and second:
            way = 5, steps + AGAIN
        return None if self.in_vain or self.alone else way  # who is alone is waited for: no way is worth that

    @property
    def alone(self) -> bool:
        """True if nobody else is at work any more, and a robot waits. Who re-places something searches on later."""
        return bool(self.mates) and not self.busy and self.stays >= SETTLING

    @property
    def busy(self) -> str:
        """The name of a robot that explores or re-places something; empty if there is none."""
        tasks = {m.name: m.task for m in self.mates.values() if m.left != 0 and m.task is not None}
        return next((name for name, task in tasks.items() if task.name in (EXPLORE, REPLACE)), "")

    @property
    def in_vain(self) -> bool:
        """True if nobody is left who could carry what is found: all arms are flat or have stopped for good."""
        known = self.mates and not self.unsure and self.stays >= SETTLING
        return bool(known) and not self.finding and not self.arm and self.only

    @property
    def only(self) -> bool:
        """True if nobody else could carry a thing: all other arms are flat or have stopped for good."""
        return not any(m.arm and m.left != 0 and (m.task is None or m.task.name != STOP) for m in self.mates.values())

    def crowded(self, phrase: Phrase) -> bool:
        """True if others explore the room of a sub-task."""
        return bool(phrase.args) and phrase.args[0] in self.rooms and self.rooms[phrase.args[0]].others > 0

    def has_better(self, phrase: Phrase) -> bool:
        """True if something else is clearly better to do than a sub-task, with all that is known by now."""
        kind, steps = self.worth(phrase)
        rest = (self.worth(p) for p in self.options() if p != phrase)
        return any(k < kind or (k == kind and s < steps - MARGIN) for k, s in rest)

    def worth(self, phrase: Phrase) -> tuple[int, float]:
        """Smaller is better: what is sure before what is hoped for, what is near before what is far."""
        if phrase.name == REPLACE:
            thing = next((t for t in self.things if t.name == phrase.args[0]), None)
            if thing is None or thing.name == self.held:
                return 0, 0.0
            effort = self.effort(thing)
            if not self.can(thing) or self.at_it(thing.name):
                return 8, effort
            if effort > self.battery:
                return 6, effort
            if self.home(thing.kind, thing.at) is None and (thing.steps > AT_HAND or self.battery < LONG):
                return 3, effort  # its home comes first
            return (3 if self.better_placed(thing) else 1), effort
        if phrase.name == REPORT:
            return 0, 0.0
        if phrase.name == EXPLORE and phrase.args:
            room = self.rooms.get(phrase.args[0])
            way = None if room is None else self.way_into(room)
            return (7, 0.0) if way is None else (way[0], way[1] - SETTLED * (phrase == self.underway))
        return 9, 0.0


# -- stages -----------------------------------------------------------------------------------------------------------
def candidates(page: Page) -> str:
    now = Outlook(page)
    refused = {str(p) for p in map(read_subtask, page["refused"].split("; ")) if p}
    options = {p: steps for p, steps in now.options().items() if str(p) not in refused}
    near = sorted(options, key=lambda p: options[p])[:3]
    found = [p for p in options if p in near]
    if len(found) < 3 and not now.held:
        found.append(Phrase(STOP))
    reasons = [
        f"{p}: {max(0, options[p])} steps off." if p in options else "Nothing else is left for me." for p in found
    ]
    return listed(" ".join(reasons) or "What I hold has no place anywhere.", found or [Phrase(STOP)])


def ranked(page: Page) -> str:
    given = [p for p in map(read_subtask, rows(page["candidates"])) if p is not None]
    best = sorted(given, key=Outlook(page).worth)
    return listed(f"{best[0]} is sure and near." if best else "There is nothing.", best)


def judged(page: Page) -> str:
    phrase = read_subtask(page["candidate"])
    why = _against(Outlook(page), phrase, rows(page["answers"])) if phrase is not None else "I cannot read it"
    return f"[analysis] {why or 'Nothing speaks against it'}.\n[judgement] {'no' if why else 'yes'}"


def _against(now: Outlook, phrase: Phrase, replies: list[str]) -> str:
    room = now.rooms.get(phrase.args[0]) if phrase.name == EXPLORE and phrase.args else None
    searched = room is not None and bool(room.by)  # by others: it would be a second look
    if searched and any(now.worth(p) < now.worth(phrase) for p in now.options()):
        return f"others have explored {phrase.args[0]}, and there is better to do"
    if searched and room is not None and now.way_into(room) is None:
        return f"others have explored {phrase.args[0]}"
    if phrase.name == REPLACE and phrase.args[0] != now.held:
        who = now.at_it(phrase.args[0])
        if who:
            return f"{who} is at {phrase.args[0]}"
        thing = next((t for t in now.things if t.name == phrase.args[0]), None)
        if thing is None:
            return f"{phrase.args[0]} is not astray any more"
        if now.better_placed(thing):
            return f"{now.better_placed(thing)} is nearer to {thing.name} and can take it"
    if phrase.name == STOP:
        left = any(not room.mine and not room.by for room in now.rooms.values())
        again = next((t.name for t in now.things if t.tried in (1, 2) and t.kg <= now.kg), "")
        if again and now.arm and now.battery > SPARE and not now.at_it(again):
            return f"I may try {again} again"
        waits = now.busy and now.arm and (left or now.only)
        return f"{now.busy} is still at work and may find something for my arm" if waits else ""
    no = next((found for row in replies if (found := _OBJECTS.search(row))), None)
    if phrase.name == EXPLORE and not searched and (no is not None or now.crowded(phrase)):
        return "others explore it already, and there is as good to do" if now.has_better(phrase) else ""
    if no is not None and not searched:
        return f"somebody objects: {no.group(0)[:60]}"
    return ""


def skilled(page: Page) -> str:
    bad = set(re.findall(r"(\S+) did not work", page["places"]))
    why, found = _skill(Outlook(page), read_subtask(page["subtask"]), bad)
    return f"[analysis] {why}\n[subskill] {found}"


def _skill(now: Outlook, phrase: Phrase | None, bad: set[str]) -> tuple[str, Phrase]:
    if now.held:
        now.places = [p for p in now.places if p[0] not in bad]
        home = now.home(now.held_kind, now.at) or now.guess(now.held_kind, now.at)
        rest = now.rest(home, bad)
        if rest is not None:
            return f"My battery ends; others can take {now.held} from there.", Phrase(PUT, (now.held, *rest))
        if now.battery <= LAST and (home is None or not now.in_time(home)):
            return f"My battery ends; others can take {now.held}.", Phrase(PUT, (now.held, FLOOR, HERE))
        if home is not None:
            return f"I hold {now.held}, and it belongs there.", Phrase(PUT, (now.held, home[0], home[2]))
        return f"I hold {now.held}, and look for a place where it belongs.", Phrase(EXPLORE)
    if phrase is None and now.finding and now.things:
        return f"{now.things[0].name} is asked for.", Phrase(REPORT, (now.things[0].name,))
    if phrase is None:  # nobody has planned a sub-task
        near = sorted((t for t in now.things if now.can(t)), key=lambda t: t.steps)
        if near:
            return f"{near[0].name} is misplaced.", Phrase(PICK, (near[0].name,))
        left = any(r.steps is not None for r in now.rooms.values())
        return ("Something is left to explore.", Phrase(EXPLORE)) if left else ("Nothing is left.", Phrase(STOP))
    if phrase.name == REPORT:
        return "I have seen it.", phrase
    if phrase.name == REPLACE:
        return f"I have to take {phrase.args[0]} first.", Phrase(PICK, phrase.args[:1])
    if phrase.name == EXPLORE:
        room = now.rooms.get(phrase.args[0]) if phrase.args else None
        if room is not None and room.name != now.room and room.steps is None and not room.places:
            return f"I go to {room.name}.", Phrase(GO_ROOM, (room.name,))
        return "I look at what is not known yet.", Phrase(EXPLORE)
    return "Nothing is left for me.", Phrase(STOP)


def seen(page: Page) -> str:
    found, why = [], []
    for row in rows(page["things"]):
        m = _THING.match(row)
        if m is None or not (where := homes(m.group(2))):
            continue
        on = FLOOR if m.group(3) == FLOOR else m.group(4) or ""
        astray = bool(on) and fits(m.group(2), on, m.group(6)) < DOUBT
        found += [m.group(1)] if astray else []
        rooms = ", ".join(dict.fromkeys(room for _, room in where))
        why.append(f"{m.group(2)}: {rooms}; {on or 'there'} {'yes' if on in dict(where) else 'no'}")
    said = ". ".join(why[:NAMED]) or "All lie where people keep such things"
    return f"[analysis] {said}.\n[misplaced] {', '.join(found) or 'none'}"


def likeliest(room: str) -> str:
    """The kind that a room is of most likely, by what is said of it; empty: nothing is."""
    if room in ROOM_KINDS:
        return room
    odds = {kind: int(share) for kind, share in _LIKELY.findall(room) if kind in ROOM_KINDS}
    return max(odds, key=lambda kind: odds[kind], default="")


def fits(kind: str, on: str, room: str) -> float:
    """How likely a kind of thing belongs on such furniture in a room, by what is said of the room's kind."""
    if room in ROOM_KINDS:
        return float(belongs(kind, on, room))
    odds = [(k, int(n) / 100) for k, n in _LIKELY.findall(room)] or [(k, 1 / len(ROOM_KINDS)) for k in ROOM_KINDS]
    return sum(share for k, share in odds if belongs(kind, on, k))


# -- text -------------------------------------------------------------------------------------------------------------
def listed(why: str, found: list[Phrase]) -> str:
    return "\n".join([f"[analysis] {why}", "[result]", *(f"{i}. {p}" for i, p in enumerate(found, 1))])


def rows(block: str) -> list[str]:
    """The lines of a list; "none" stands for an empty one."""
    return [row for row in block.split("\n") if row and row != NONE]


def _point(text: str) -> tuple[float, float] | None:
    found = re.search(r"at \((-?[\d.]+), (-?[\d.]+)\)", text)
    return (float(found[1]), float(found[2])) if found else None


answers.update(
    {
        "adhoc/irot_gen": candidates,
        "adhoc/irot_rank": ranked,
        "adhoc/irot_judge": judged,
        "adhoc/irot_skill": skilled,
        "adhoc/irot_see": seen,
        "negotiate/see": seen,
    }
)
