"""The prompt of a planner on the table, read back from its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from coterie.protocols.rounds.scene import form
from coterie.protocols.shared.templates import Page
from coterie.worlds.tabletop.skills import VERBS

Joint = dict[str, str]  # robot -> its action as it is written
Point = tuple[float, float, float]
NUMBER = r"-?\d+\.\d+"
POINT = rf"\(({NUMBER}), ({NUMBER}), ({NUMBER})\)"
#: A robot's statement of itself, without the word and the plan that end its turn.
_STATEMENT = re.compile(r'^\[(\w+)\]: "(.*?) I see: (.*?)(?: (?:PROCEED|EXECUTE)\b.*)?"$', re.M)


class Paper:
    """The contents of a prompt."""

    def __init__(self, page: Page):
        self.job, self.goal = page["job"], page["goal"]
        self.robots: list[str] = page["robots"].split(", ")
        self.me, self.roles = page["name"], page["roles"]  # nobody's name for a planner of all
        #: The things each robot sees.
        self.seen = {
            n: " ".join(re.findall(rf"^(?:All see|{n} sees): (.*)$", page["state"], re.M)) for n in self.robots
        }
        self.told = {n for n in self.robots if self.seen[n]}  # robots whose sight is known
        if self.me or len(self.robots) == 1:
            own = self.me or self.robots[0]
            self.seen[own] = page["state"].removeprefix("You see: ")
            self.told = {own}
        #: A robot's statement of itself to the others.
        self.statement = f"{self.roles} I see: {self.seen[self.me]}" if self.me else ""
        for who, words, sight in _STATEMENT.findall(f"{page['before']}\n{page['talk']}"):
            if who in self.robots and who != self.me:  # what is quoted may be cut off
                self.roles, self.seen[who] = f"{self.roles}\n{words}", sight
                self.told.add(who)
        self.must = bool(page["last_turn"])  # no more turns
        self.refused = bool(page["feedback"])  # a plan of this round was
        self.past = f"{page['history']}\n{page['failed']}{_done(page['trace'])}"  # what was done in earlier rounds
        earlier = {**_failed(page["refused"]), **_failed(page["failed"]), **_traced(page["trace"])}
        self.tried = {**_refused(page["feedback"]), **earlier}  # plan -> why it failed
        self.verbs = {name: can for line in page["actions"].splitlines() for name, can in _able(line)}

    @property
    def sight(self) -> str:
        """The views of all robots together."""
        return " ".join(self.seen.values())

    def hopeless(self, joint: Joint) -> bool:
        """This plan failed, or its actions did for a reason that other ways of the hands do not mend."""
        for plan, why in self.tried.items():
            if plan == written(joint):
                return True
            mended = "Waypoints" in why or "PATH" in why or "Motion planning failed" in why
            if not mended and bare(plan) == bare(written(joint)):
                return True
            far = [r for r in joint if "Goal Step" in why and f"IK failed: on {r} " in why]
            if any(bare(written({r: joint[r]})) in bare(plan).splitlines() for r in far):
                return True  # what one arm does not reach it does not reach whatever the others do
        return False

    def points(self) -> dict[str, Point]:
        """Places by name, as `name: (x, y, z)` or `name is at (x, y, z)`."""
        found = re.findall(rf"([\w']+(?: gripper)?)(?::| is at) {POINT}", self.sight)
        return {n.replace("'s gripper", ""): (float(x), float(y), float(z)) for n, x, y, z in found}

    def held(self) -> dict[str, str]:
        """The thing that each robot holds."""
        found = {}
        for name in self.robots:
            thing = _group(rf"{name}'s gripper(?::[^;]*?,)? (?:holding|holds) (\w+)", self.sight)
            if thing and thing != "nothing":
                found[name] = thing
        return found


def _able(line: str) -> list[tuple[str, list[str]]]:
    """Robots of a line of the actions, with their skills."""
    names, _, forms = line.removeprefix("- ").partition(": ")
    can = [verb for verb, skill in VERBS.items() if f"{form(verb)} ({skill.help})" in forms.split("; ")]
    return [(name, can) for name in names.split(", ")]


def written(joint: Joint) -> str:
    return "\n".join(f"NAME {r} ACTION {a}" for r, a in joint.items())


def bare(plan: str) -> str:
    """A plan without the ways of the hands."""
    return re.sub(r" PATH .*", "", plan)


def thinner(joint: Joint) -> Iterator[Joint]:
    """A plan, then the same with fewer robots at work."""
    at_work = [r for r, a in joint.items() if a != "WAIT"]
    for count in range(len(at_work), 0, -1):
        for few in combinations(at_work, count):
            yield {r: a if r in few else "WAIT" for r, a in joint.items()}


def _group(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.M)
    return found.group(1).strip() if found else ""


def _refused(text: str) -> dict[str, str]:
    blocks = re.findall(r"plan \d+ of this round was refused\.\n((?:  .*\n?)*)", text)
    return dict(_plan_and_reason(b) for b in blocks)


def _plan_and_reason(block: str) -> tuple[str, str]:
    plan, _, why = block.partition("Reason: ")
    return "\n".join(line.strip() for line in plan.strip().splitlines()), why.strip()


def _failed(text: str) -> dict[str, str]:
    found = re.findall(r"^- (NAME .*)\n  because: ((?:.*\n?)(?:    .*\n?)*)", text, re.M)
    return {plan.replace(" | ", "\n"): why.strip() for plan, why in found}


def _steps(trace: str) -> list[tuple[str, str]]:
    """Actions and observations of a trace of ReAct."""
    pattern = r"^Action: ((?:.*\n)(?:    .*\n)*)Observation: ((?:.*\n)(?:    .*\n)*)"
    return re.findall(pattern, f"{trace}\n", re.M)


def _done(trace: str) -> str:
    return "".join(action for action, came in _steps(trace) if " is done." in came)


def _traced(trace: str) -> dict[str, str]:
    """Refused and failed actions since a round was last done."""
    found: dict[str, str] = {}
    for action, came in _steps(trace):
        if " is done." in came:
            found = {}
        else:
            found["\n".join(line.strip() for line in action.strip().splitlines())] = came.strip()
    return found
