"""Places that are closed for robots: who closed them, whom that concerns, and whether it is why there is no plan."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from coterie.core.expr import all_of, eq, no
from coterie.core.skill import Clause, Rule
from coterie.mission.dialogue.conversation import Deed, Thread
from coterie.mission.dialogue.speech import Mission
from coterie.mission.domain import minutes
from coterie.mission.goals import Goal
from coterie.planning.answer import Answer
from coterie.talk import meanings as m
from coterie.talk.wording import listed, upper

SAID = "said"  # the name of the clause of every rule that somebody's words made
MOST_REASONS = 2
STOPPED = "stopped "  # how rules against moving a robot that was stopped begin: who puts something right lets it rest


def against(skill: str, about: Mapping[str, str], words: str, name: str = SAID) -> Rule:
    """A rule against a step, as far as these arguments are the same."""
    same = all_of(*(eq(f"?{name}", value) for name, value in about.items()))
    return Rule(f"not {skill}({', '.join(about.values())})", skill, Clause(no(same), words, name=name))


def enforced(mission: Mission, rules: Collection[Rule], on: bool) -> set[str]:
    """Plans keep to rules from now on, or no longer; the goals with a step ahead that they forbid."""
    now = mission.recovery.rules
    for rule in rules:
        if on:
            now[rule.name] = rule
        else:
            now.pop(rule.name, None)
    ahead = [(i, [r for r in rules if r.skill == i.action.skill]) for i in mission.agenda.waiting() if on]
    return {i.goal for i, same in ahead if same and mission.now_only().flaw(i.robot, i.action, same) is not None}


class ClosedPlaces:
    """Places that people have closed for robots: who did, for whom, and what is said of it."""

    def __init__(self, team: Any):
        """`team` has a `partner` in talk."""
        self.team = team
        self.closed: dict[tuple[str, str], str] = {}  # who closed a place to a robot

    def places(self, where: str) -> list[str]:
        """The places that are closed with a place."""
        return [where]

    def word(self, place: str) -> str:
        """A door that is closed to robots need not be shut."""
        return "off limits" if self.team.partner.vocabulary.kind_of(place) == "door" else "closed"

    def left(self, shut: Collection[tuple[str, str]]) -> str:
        """When they are open again, if that was said."""
        return ""

    def so(self, claim: m.Claim) -> str:
        """Answer whether a place is closed, to a robot or to all, and by whom."""
        partner, places = self.team.partner, self.places(claim.where)
        robots = [claim.what] if claim.what else list(partner.robots())
        shut = {(p, r): self.closed[p, r] for p in places for r in robots if (p, r) in self.closed}
        name, yes, no = partner.name(claim.where), *(("Yes", "No") if claim.holds else ("No", "Yes"))
        if not shut:
            return f"{no}, {name} is open{f' for {claim.what}' * bool(claim.what)}."
        which, some = sorted({r for _, r in shut}), list(dict.fromkeys(partner.name(p) for p, _ in shut))
        whom = f" for {listed(which)}" if claim.what or len(which) < len(robots) else ""
        part = "" if len(some) == len(places) else f" in part ({listed(some)})"
        by = listed(sorted(set(shut.values())))
        return f"{yes}, {name} is {self.word(claim.where)}{part}{whom}: {by} said so.{self.left(shut)}"

    def which(self, robot: str) -> str:
        """The places that are closed, to a robot or to any."""
        shut = dict.fromkeys(where for where, r in sorted(self.closed) if robot in ("", r))
        rows = [self.so(m.Claim(m.CLOSED, robot, where)).removeprefix("Yes, ") for where in shut]
        return "\n".join(map(upper, rows)) or f"No place is closed{f' for {robot}' * bool(robot)}."


class Zones(ClosedPlaces):
    """Those of a mission: no step leads to a place that is closed."""

    def __init__(self, mission: Mission):
        super().__init__(mission)
        self.mission = mission
        self.opened: dict[tuple[str, str], str] = {}  # who opened a place that was closed to a robot
        self.until: dict[tuple[str, str], float] = {}  # when it is open again [s], where that was said

    def change(self, thread: Thread, zone: m.Zone) -> str:
        """A place is closed for robots, or open again: no step leads there."""
        mission, person = self.mission, thread.person
        mission.authority.require(person, "command")
        robots = zone.robots or tuple(sorted(mission.reports.robots))
        name, whom = self.mission.wording.name(zone.where), f" for {listed(zone.robots)}" if zone.robots else ""
        shut = self.word(zone.where)
        rules = [against(s, about, f"{name} is {shut}{whom}.") for s, about in self._ways(zone.where, robots)]
        before = self.opened if zone.holds else self.closed
        if not zone.holds and not any((zone.where, r) in self.closed for r in robots):
            return f"{upper(name)} is not {shut}{whom}."
        others = {before[k] for r in robots if (k := (zone.where, r)) in before}
        hit = enforced(mission, rules, zone.holds)
        for robot in robots:
            self.until.pop((zone.where, robot), None)
            if zone.holds:
                self.closed[zone.where, robot] = person
                self.opened.pop((zone.where, robot), None)
            elif self.closed.pop((zone.where, robot), None) is not None:
                self.opened[zone.where, robot] = person
            if zone.holds and zone.minutes:
                self.until[zone.where, robot] = mission.now + 60.0 * zone.minutes
        if not zone.holds or hit:
            mission._replan_all(f"{zone.where} was {'closed' if zone.holds else 'opened'}")
        word = shut if zone.holds else "open again"
        concerned = {mission._root(mission.goals[g]).by for g in hit} | others  # and whose word that turns round
        time = f" for {zone.minutes} minute{'s' * (zone.minutes != 1)}" if zone.minutes else ""
        mission.inform(concerned, person, f"{person} has spoken: {name} is {word}{whom}{time}.")
        back = replace(zone, holds=not zone.holds, minutes=0)
        thread.did(Deed(zone, undo=lambda _: self.change(thread, back)))
        return f"All right: {name} is {word} for {listed(robots)}{time and ','}{time}."

    def _ways(self, place: str, robots: Sequence[str]) -> list[tuple[str, dict[str, str]]]:
        return [(s, {**about, "robot": r}) for r in robots for s, about in self.mission.speech.ways(place)]

    def reopen(self) -> None:
        """Open places whose time is over again, and tell the people who closed them."""
        mission = self.mission
        over = [key for key, until in self.until.items() if mission.now >= until]
        for place in dict.fromkeys(where for where, _ in over):
            robots = [r for where, r in over if where == place]
            people = {self.closed.pop((place, r), "") for r in robots}
            for robot in robots:
                del self.until[place, robot]
            enforced(mission, [against(skill, about, "") for skill, about in self._ways(place, robots)], False)
            mission._replan_all(f"{place} was opened")
            name = self.mission.wording.name(place)
            mission.inform(people, "", f"The time is over: {name} is open again for {listed(robots)}.")

    def bound_for(self, zone: m.Zone) -> list[str]:
        """Robots that are on their way to a place, or will be."""
        robots = zone.robots or tuple(sorted(self.mission.reports.robots))
        ways = self._ways(zone.where, robots)
        return sorted({
            i.robot for i in self.mission.agenda
            if any(i.action.skill == s and set(a.values()) <= {i.robot, *i.action.args} for s, a in ways)
        })  # fmt: skip

    def left(self, shut: Collection[tuple[str, str]]) -> str:
        left = [self.until[key] - self.mission.now for key in shut if key in self.until]
        return f" It is open again in {minutes(max(left))}." if left else ""

    # -- why there is no plan -------------------------------------------------------------------------------------
    def barring(self, goal: Goal) -> str:
        """The statements of people that alone bar a goal; empty where it has no plan without them."""
        mission = self.mission
        said = [r for r in mission._rules(goal) if r.clause.name == SAID]
        if not said:
            return ""
        others = [r for r in mission._rules(goal) if r not in said]
        return self.broken(mission.plan_from(mission.now_like(), goal, others), said)

    def broken(self, free: Answer, said: Sequence[Rule]) -> str:
        """The words of rules that a plan without them breaks."""
        later, found = self.mission.now_like(), dict[str, None]()
        for step in free.steps if free.found else ():
            for rule in said:
                if rule.skill == step.action.skill and later.flaw(step.robot, step.action, [rule]) is not None:
                    found[rule.clause.words.rstrip(".")] = None
            later.do(step.robot, step.action)
        return listed(list(found)[:MOST_REASONS])

    # -- instead of something -------------------------------------------------------------------------------------
    def no_way(self, wish: Any, rules: Collection[Rule], instead: Collection[str]) -> str:
        """The reason why there is no plan for a wish instead of goals; empty where there is one."""
        mission = self.mission
        start, taken = mission.now_like(*instead), mission._taken(*instead)
        meanings = [c for _, c in mission.domain.meanings(wish, start.look, taken, "")]
        every = [r for r in (*mission.recovery.rules.values(), *rules) if not r.name.startswith(STOPPED)]
        plans: list[Answer] = []
        for conditions in meanings:
            plans.append(mission.plan_from(start, conditions, every, but_for=instead))
            if plans[-1].found:
                return ""
        said = [r for r in every if r.clause.name == SAID]
        others = [r for r in every if r not in said]
        for conditions in meanings if said else ():
            if why := self.broken(mission.plan_from(start, conditions, others, but_for=instead), said):
                return why
        cause = next((p.why.cause for p in plans if p.why is not None and p.why.cause is not None), None)
        known = cause is not None and cause.fact is not None
        return str(mission.desk.words(cause)) if known else "nobody here can bring it about"
