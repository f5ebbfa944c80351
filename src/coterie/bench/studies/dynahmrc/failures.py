"""The eight failure modes of Sec. 4.5.5 of the DynaHMRC paper, each a small predicate over the log.

How often each occurs in an episode is counted. A mode is a sign of poor coordination, not of a lost
episode: successful episodes show them too, and the bench reports both. The paper describes the modes with examples and
gives no rules; the docstring of each detector says which of those examples it looks for, and how.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Set

from coterie.bench.studies.dynahmrc.coordination import HANDLING, conflicts
from coterie.core.causes import ON_CARD
from coterie.core.files import tables
from coterie.log.fold import Moment
from coterie.log.state import Act, State

IDLE_STEPS = 3  # waits in a row from which on a robot counts as idle
WINDOW = 10  # steps within which saying or undoing the same thing counts as repetition

#: Clauses whose failure betrays a mode, by skill; a test holds them against those that skills and rules declare.
ANY = "*"  # whatever the skill
BEYOND_BODY = {ANY: {ON_CARD}, "navigate": {"level_ok"}, "pick": {"height_ok", "mass"}}
BEYOND_RULE = {"place": {"may_place"}}
MISPLACED = {
    "pick": {"gap", "arm_posture"},
    "place": {"gap_to", "arm_posture", "open"},
    "open": {"gap_to", "openable", "open"},
    "close": {"gap_to"},
}

_REQUEST = re.compile(r"\b(place|pick|put|bring|fetch|take|carry|move|find|search|look for|retrieve|deliver)\b", re.I)
_PROGRESS = re.compile(r"\b(progress|status|done|finished|complete|completed|how far)\b[^.!]*\?", re.I)
_VERBS = {
    "open": re.compile(r"\bopen\b", re.I),
    "pick": re.compile(r"\b(pick|grasp|grab)\b", re.I),
    "navigate": re.compile(r"\b(navigate|go to|drive to|fly to|explore)\b", re.I),
}


def betrays(table: Mapping[str, Set[str]], act: Act) -> bool:
    """Did this action fail, or was it refused, for a clause in the table?"""
    if act.status not in ("failed", "refused"):
        return False
    clause = act.cause.clause if act.cause is not None else ""
    return clause in table.get(act.skill, ()) or clause in table.get(ANY, ())


class Detector:
    """Looks at one moment after another; `found` counts."""

    mode = ""

    def __init__(self) -> None:
        self.found = 0
        self.begin()

    def begin(self) -> None:
        """Set what is kept from moment to moment."""

    def look(self, story: State, moment: Moment) -> None:
        raise NotImplementedError


class StateTaskMisalignment(Detector):
    """A robot works towards what is already done: it takes a target away from where it belongs, or asks others to
    deal with a target that is in its place ("place bowl" while the bowl is in the tray)."""

    mode = "state-task misalignment"

    def look(self, story: State, moment: Moment) -> None:
        for act in moment.acts:
            if act.skill == "pick" and story.right(act.on):
                self.found += 1
            elif act.words and _REQUEST.search(act.words):
                named = [t for t in story.targets if t in story.said(act.words)]
                self.found += bool(named) and all(story.right(t) for t in named)


class FusionGap(Detector):
    """A robot does not bring together what it has seen, done and is to do: it takes something that is neither a target
    nor in the way, it drives on to where no missing target is although it knows where all of them are, or it asks
    about progress again."""

    mode = "progress-goal-experience fusion gap"

    def begin(self) -> None:
        self.asked: set[str] = set()

    def look(self, story: State, moment: Moment) -> None:
        for act in moment.acts:
            if act.skill == "pick" and act.done:
                off_topic = story.home(act.on) is None and story.where.get(act.on) not in story.platforms
                self.found += off_topic
            elif act.skill == "navigate":
                self.found += self._aimless(story, act)
            elif act.words and _PROGRESS.search(act.words):
                self.found += act.robot in self.asked
                self.asked.add(act.robot)

    @staticmethod
    def _aimless(story: State, act: Act) -> bool:
        if act.on == story.table or act.on not in story.furniture or story.held(act.robot):
            return False
        known = story.knows(act.robot)
        missing = story.missing()
        if not missing or any(t not in known for t in missing):
            return False
        return all(story.furniture_of(known[t]) != act.on for t in missing)


class MyopicRedundancy(Detector):
    """Repetition without looking back: the same message to the same robots within ten steps, to and fro between two
    places with nothing done there, a third pick of the same thing, a third try of an action that failed twice."""

    mode = "myopic redundancy"

    def begin(self) -> None:
        self.said: dict[tuple[str, str, tuple[str, ...]], int] = {}
        self.trail: dict[str, list[str]] = {}
        self.picks: dict[tuple[str, str], int] = {}
        self.failed: dict[str, list[tuple[str, tuple[object, ...]]]] = {}

    def look(self, story: State, moment: Moment) -> None:
        if moment.changes:  # after a change, doing something again may be right
            self.picks.clear()
            self.trail.clear()
        for act in moment.acts:
            if act.skill == "wait":
                continue
            self._messages(act, moment.step)
            self._to_and_fro(act)
            self._picks(act)
            self._tries(act)

    def _messages(self, act: Act, step: int) -> None:
        if not act.words:
            return
        key = (act.robot, act.words.strip().lower(), act.told)
        self.found += key in self.said and step - self.said[key] <= WINDOW
        self.said[key] = step

    def _to_and_fro(self, act: Act) -> None:
        trail = self.trail.setdefault(act.robot, [])
        if act.skill == "navigate":
            trail.append(act.on)
            if len(trail) >= 4 and trail[-4:-2] == trail[-2:] and trail[-1] != trail[-2]:
                self.found += 1
        elif act.skill != "communicate" and act.done:
            trail.clear()

    def _picks(self, act: Act) -> None:
        if act.skill == "pick" and act.done:
            key = (act.robot, act.on)
            self.picks[key] = self.picks.get(key, 0) + 1
            self.found += self.picks[key] >= 3

    def _tries(self, act: Act) -> None:
        if act.skill == "communicate":
            return
        tried = self.failed.setdefault(act.robot, [])
        this = (act.skill, act.args)
        if act.done or (tried and tried[-1] != this):
            tried.clear()
        if not act.done:
            tried.append(this)
            self.found += len(tried) >= 3


class CapabilityError(Detector):
    """Actions beyond a body: a robot tries something beyond its card, breaks a rule of the task that it has broken
    before, or asks one teammate for something that is not on that teammate's card."""

    mode = "capability grounding error"

    def begin(self) -> None:
        self.taught: set[str] = set()

    def look(self, story: State, moment: Moment) -> None:
        for act in (*moment.acts, *moment.refused):
            if act.words:
                self.found += self._asks_too_much(story, act)
                continue
            self.found += betrays(BEYOND_BODY, act)
            if betrays(BEYOND_RULE, act):
                self.found += act.robot in self.taught
                self.taught.add(act.robot)

    @staticmethod
    def _asks_too_much(story: State, act: Act) -> bool:
        to = act.args[1] if len(act.args) > 1 else ()
        heard = act.told or ((to,) if isinstance(to, str) else tuple(to))
        if len(heard) != 1 or heard[0] not in story.cards:
            return False
        if re.search(r"\bI (will|am going to|can|have|opened|picked|am)\b", act.words):
            return False  # speaks of itself
        able = story.cards[heard[0]]["skills"]
        return any(verb.search(act.words) and skill not in able for skill, verb in _VERBS.items())


class OverConstrained(Detector):
    """Waiting for others to do their part: a free robot that moves waits three steps in a row although a target is
    still to be found and there is furniture, fit for its camera, that nobody has reached. Each such spell counts
    once."""

    mode = "over-constrained division of labor"

    def begin(self) -> None:
        self.idle: dict[str, int] = {}

    def look(self, story: State, moment: Moment) -> None:
        for act in moment.acts:
            free = act.skill == "wait" and "navigate" in story.cards[act.robot]["skills"] and not story.held(act.robot)
            self.idle[act.robot] = self.idle.get(act.robot, 0) + 1 if free and self._to_search(story, act) else 0
            self.found += self.idle[act.robot] == IDLE_STEPS

    @staticmethod
    def _to_search(story: State, act: Act) -> bool:
        known = story.knows(act.robot)
        if all(t in known for t in story.missing()):
            return False
        reached = set().union(*(r.visited for r in story.robots.values()))
        high = story.cards[act.robot].get("camera_high_m", math.inf)
        return any(
            name not in reached and name != story.table and f["height_m"] <= high for name, f in story.furniture.items()
        )


class Misbinding(Detector):
    """Wrong ideas of place and reach: picking, placing or opening fails for distance or for the state of a container,
    the base is shifted a second time in a row, or the fixed arm waits twice although it could take a target that
    belongs elsewhere."""

    mode = "spatial/affordance misbinding"

    def begin(self) -> None:
        self.moved: dict[str, bool] = {}
        self.hesitates: dict[str, int] = {}

    def look(self, story: State, moment: Moment) -> None:
        for act in (*moment.acts, *moment.refused):
            self.found += betrays(MISPLACED, act)
        for act in moment.acts:
            again = act.skill == "move" and self.moved.get(act.robot, False)
            self.found += again
            self.moved[act.robot] = act.skill == "move"
            waits = act.skill == "wait" and self._could_place(story, act.robot)
            self.hesitates[act.robot] = self.hesitates.get(act.robot, 0) + 1 if waits else 0
            self.found += self.hesitates[act.robot] == 2

    @staticmethod
    def _could_place(story: State, robot: str) -> bool:
        card, pose = story.cards[robot], story.robots[robot].pose
        if card.get("mobility") != "fixed" or pose is None or story.held(robot):
            return False
        missing = story.missing()
        if story.goal.get("kind") == "stack":  # only the next layer can be placed, and only on a clean stack
            stack = tuple(story.inside.get(story.goal["on"], ()))
            missing = missing[:1] if stack == story.targets[: len(stack)] else []
        for thing in missing:
            spot = story.true.get(("spot", thing))
            if story.where.get(thing) != story.table or spot is None:
                continue
            if math.dist((*pose, card["shoulder_m"]), spot) <= card["reach_m"]:
                return True
        return False


class Contention(Detector):
    """Robots in each other's way over a thing: they handle it in the same step, one reaches for what another holds, or
    one takes back what it has just laid on the work table for the arm."""

    mode = "object-level contention"

    def begin(self) -> None:
        self.laid: dict[tuple[str, str], int] = {}

    def look(self, story: State, moment: Moment) -> None:
        if any(c.kind == "goal" for c in moment.changes):
            self.laid.clear()
        shared = conflicts(story, moment, HANDLING)
        self.found += len(shared)
        for act in moment.acts:
            key = (act.robot, act.on)
            if act.skill == "place" and act.done and len(act.args) > 1 and act.args[1] == story.table:
                self.laid[key] = moment.step
            elif act.skill == "pick" and act.on not in shared:
                holder = story.where.get(act.on)
                taken = holder in story.cards and holder != act.robot
                undone = act.on in story.targets and moment.step - self.laid.get(key, -WINDOW - 1) <= WINDOW
                self.found += taken or (undone and "navigate" in story.cards[act.robot]["skills"])


class Chatter(Detector):
    """A `communicate` that tells its hearers nothing new: no fact they have not been told, and no thing, place or robot
    that an earlier message to them did not name together. What was said before a change does not count."""

    mode = "communication inefficiency"

    def begin(self) -> None:
        self.heard: dict[str, list[frozenset[object]]] = {}

    def look(self, story: State, moment: Moment) -> None:
        if moment.changes:
            self.heard.clear()
        new: list[tuple[str, frozenset[object]]] = []
        for act in moment.acts:
            if not act.words or not act.done:
                continue
            content: frozenset[object] = frozenset((*story.said(act.words), *act.facts))
            known = [any(content <= earlier for earlier in self.heard.get(name, ())) for name in act.told]
            self.found += not content or all(known)
            new.extend((name, content) for name in act.told)
        for name, content in new:  # words of one step cross each other
            self.heard.setdefault(name, []).append(content)


DETECTORS: tuple[type[Detector], ...] = (
    StateTaskMisalignment,
    FusionGap,
    MyopicRedundancy,
    CapabilityError,
    OverConstrained,
    Misbinding,
    Contention,
    Chatter,
)
MODES: tuple[str, ...] = tuple(d.mode for d in DETECTORS)
LINES: dict[str, str] = tables(__package__, "paper.toml")["failure_modes"]  # for the legend of a table
