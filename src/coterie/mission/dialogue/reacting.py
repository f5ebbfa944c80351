"""Policies that people taught: what is done about a failure without asking, since somebody has said so before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from coterie.core.expr import All
from coterie.mission.dialogue.speech import Mission, Speech
from coterie.mission.dialogue.zones import against
from coterie.mission.failure import about
from coterie.mission.goals import Failure, Goal
from coterie.mission.policies import Alternative, Finder, Policy, another_robot, ask_person, retry
from coterie.mission.recovery import Recovery
from coterie.talk import meanings as m


class TaughtRecovery(Recovery):
    """Recovery that also knows when to give up, and whom to ask, because somebody taught it."""

    taught: dict[str, tuple[m.Policy, Policy]]

    def __init__(self, mission: Any, policies: Any = None, limits: Any = None):
        super().__init__(mission, policies, limits)
        self.taught = {}

    def matching(self, goal: Goal, failure: Failure) -> list[tuple[str, m.Policy]]:
        speech = self.mission.domain.speech  # type: ignore[attr-defined]
        return [
            (name, said)
            for name, (said, made) in self.taught.items()
            if made.applies(goal, failure) and fits(said, failure, speech)
        ]

    def exhausted(self, goal: Goal, failure: Failure) -> str:
        gives_up = [name for name, said in self.matching(goal, failure) if said.then == "give up"]
        return f"that is {gives_up[0]}" if gives_up else super().exhausted(goal, failure)


def fits(said: m.Policy, failure: Failure, speech: Speech) -> bool:
    """Whether a failure is one that a policy speaks of: by its kind, and by the names in it."""
    if not said.trigger:
        return True
    pred, args = about(failure.cause)
    for claim in said.trigger:
        names = {n for n in (claim.what, claim.where) if n}
        if pred in speech.trigger(claim.kind, claim.holds) and names <= set(args):
            return True
    return False


def reaction(label: str, said: m.Policy, speech: Speech, mission: Mission) -> Policy:
    """A policy of recovery from one that was said. It needs no approval: whoever set it has approved."""
    preds = tuple(p for c in said.trigger for p in speech.trigger(c.kind, c.holds))

    def make(recovery: Finder, goal: Goal, failure: Failure) -> Iterator[Alternative]:
        if not fits(said, failure, speech):
            return
        if said.then == "retry":
            yield from retry(recovery, goal, failure)
        elif said.then == "other robot":
            yield from another_robot(recovery, goal, failure)
        elif said.then == "wants":
            yield from _wanted(recovery, goal, said, mission)
        elif said.then in ("ask", "bring") and not mission.authority.may(said.person, "approve"):
            yield from _from_person(recovery, goal, failure, said.person, speech, mission)

    return Policy(label, f"as {label} says", make, preds=preds, approval=False)


def _wanted(recovery: Finder, goal: Goal, said: m.Policy, mission: Mission) -> Iterator[Alternative]:
    """First what the policy wants, then the goal anew."""
    for want in said.wants:
        wish = mission.speech.wish(want.kind, want.what, want.where, want.count, want.holds)
        for _, conditions in mission.domain.meanings(wish, mission.now_like().look, mission._taken(), ""):
            first = recovery.plan_for(list(conditions))
            then = recovery.plan(goal, after=first) if first.found else first
            if first.found and first.steps and then.found:
                yield Alternative("taught", f"see to {wish.text()} first", first, then, All(tuple(conditions)))
            break


def _from_person(
    recovery: Finder, goal: Goal, failure: Failure, person: str, speech: Speech, mission: Mission
) -> Iterator[Alternative]:
    """The missing thing from a person: by a robot that goes there, or by asking the person to help."""
    _, args = about(failure.cause)
    kinds = speech.names()
    thing = next((a for a in args if kinds.get(a) in ("item", "caddy")), "")
    others = [p for p in speech.people_of(thing) if p != person] if thing else []
    steps = [s for p in others for s in speech.limits("supply", thing, p, False) or ()]
    rules = tuple(against(skill, about, "somebody else was named.") for skill, about in steps)
    plan = recovery.plan(goal, rules=rules)
    if thing and plan.found and any(person in s.action.args for s in plan.steps):
        label = mission.domain.label(person)
        yield Alternative("taught", f"get the {mission.domain.label(thing)} from the {label}", then=plan, rules=rules)
        return
    with mission._helper_first(person):
        yield from ask_person(recovery, goal, failure)
