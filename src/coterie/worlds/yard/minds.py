"""Minds for the tiny world: an option, a mind that asks a model, one without a model, and a foreman for the team."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from coterie.core.action import COMMUNICATE, WAIT, Action
from coterie.core.facts import UNKNOWN
from coterie.core.protocol import Ask, Asking, Decision, Option, RobotView, SoloProtocol, TeamProtocol, TeamView
from coterie.core.replies.fields import quoted
from coterie.worlds.yard.skills import STEPS
from coterie.worlds.yard.tasks import Tidy


class WalkTo(Option):
    """Go to a cell, step by step, around whoever is seen on the way."""

    def __init__(self, cell: str, me: RobotView):
        self.cell, self.name = cell, f"walk to {cell}"
        self._goal, self._outcome = me.look("goal"), me.outcome

    def step(self, me: RobotView) -> Action | None:
        way = _way(me, self.cell)
        return Action(way, why=self.name) if way else None

    def interrupted(self, me: RobotView) -> str | None:
        if me.inbox:
            return f"{me.inbox[-1].sender} has said something."
        if me.look("goal") != self._goal:
            return "the goal has changed."
        if me.outcome is not None and me.outcome is not self._outcome and not me.outcome.ok:
            return me.outcome.reason
        return None


def _way(me: RobotView, target: str) -> str | None:
    """The first step of a shortest way over cells where nobody is believed to stand; None if there is none."""
    start = me.look("at", me.name)
    first: dict[object, str] = {start: ""}
    queue = deque([start])
    while queue:
        cell = queue.popleft()
        if cell == target:
            return first[cell] or None
        for way in STEPS:
            there = me.look("neighbour", cell, way)
            if there is None or there in first or me.look("standing", there) not in (None, UNKNOWN):
                continue
            first[there] = first[cell] or way
            queue.append(there)
    return None


def errand(me: RobotView) -> Decision:
    """A robot that acts for the goal by itself, from its belief alone."""
    goal, here, held = me.look("goal"), me.look("at", me.name), me.look("holding", me.name)
    if not isinstance(goal, Tidy):
        return Action(WAIT, why="the goal is not known")
    if isinstance(held, str):
        home = dict(goal.homes).get(held, here)
        return Action("drop", (held,)) if here == home else WalkTo(str(home), me)
    for thing, home in goal.homes:
        where = me.look("where", thing)
        if isinstance(where, str) and where != home and me.look("cell", where) is True:  # not in somebody's hand
            return Action("grab", (thing,)) if where == here else WalkTo(where, me)
    unseen = [k[1] for k in me.belief.base if k[0] == "cell" and me.look("contents", k[1]) is UNKNOWN]
    near = min(unseen, key=lambda cell: (_apart(str(here), cell), cell), default=None)
    return WalkTo(near, me) if near is not None else Action(WAIT, why="nothing is left to do alone")


def _apart(a: str, b: str) -> int:
    (ax, ay), (bx, by) = ((int(v) for v in cell.split(",")) for cell in (a, b))
    return abs(ax - bx) + abs(ay - by)


class Tidier(SoloProtocol):
    """Thinks for one robot without a model: a pure function of its belief."""

    about = "errands for one robot"

    def act(self, me: RobotView) -> Decision:
        return errand(me)


class Foreman(TeamProtocol):
    """Thinks for the whole party: errands first, then beams, two robots at a time."""

    sees = "pooled"
    about = "one mind for the team"

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        decisions = {name: errand(team.robots[name]) for name in idle}
        beam = self._beam(team)
        pair = list(team.robots)[:2]
        if beam is not None and len(pair) == 2:
            lifts = {
                name: Action("lift", (beam, partner))
                for name, partner in zip(pair, reversed(pair))
                if isinstance(decisions.get(name), Action)
            }
            near = [n for n in pair if team.robots[n].look("near", n, beam) is True]
            for name in lifts:
                where = self._where(team, beam)
                if name not in near and where is not None:
                    decisions[name] = WalkTo(where, team.robots[name])
                elif name in near and len(near) == 1:
                    decisions[name] = Action(WAIT, why=f"nobody else is at {beam} yet")
            if len(near) == 2 and len(lifts) == 2 and all(v.ok for v in team.check(lifts).values()):
                decisions.update(lifts)
        return decisions
        yield []  # makes this a generator

    @staticmethod
    def _beam(team: TeamView) -> str | None:
        """A beam of the goal that nobody has seen in the air."""
        for me in team.robots.values():
            goal = me.look("goal")
            for beam in goal.beams if isinstance(goal, Tidy) else ():
                if all(r.look("lifted", beam) is not True for r in team.robots.values()):
                    return beam
        return None

    @staticmethod
    def _where(team: TeamView, beam: str) -> str | None:
        found = (r.look("where", beam) for r in team.robots.values())
        return next((w for w in found if isinstance(w, str)), None)


class Chooser(TeamProtocol):
    """Every robot tells what it has found, hears the others, and asks a model to choose what it does."""

    sees = "own"
    about = "a model chooses for each robot"

    def __init__(self) -> None:
        self._told = 0

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        me = team.me
        news = [f for f in me.belief.since(self._told) if f.pred == "where" and f.source == me.name]
        news = [f for f in news if f.value is not UNKNOWN]
        self._told = me.belief.cursor
        if news:
            me.say("; ".join(str(f) for f in news), facts=news)
        yield []  # what the others have found arrives here
        choices = _choices(me)
        (reply,) = yield [Ask(me.name, "act", me.step, len(me.refusals), _prompt(me, choices), choices)]
        return {me.name: _parsed(reply.text, me)}


def _choices(me: RobotView) -> list[str]:
    """Replies the model may give; the first is the sensible one."""
    best = errand(me)
    said = f"walk {best.cell}" if isinstance(best, WalkTo) else " ".join([best.skill, *best.args])  # type: ignore[union-attr]
    return list(dict.fromkeys([said, *STEPS, WAIT, "say here I am"]))


def _prompt(me: RobotView, choices: Sequence[str]) -> tuple[tuple[str, str], ...]:
    lines = [f"You are {me.name}, {quoted(me.card.about)}, in cell {me.look('at', me.name)}, step {me.step}."]
    lines += [f"{m.sender} said: {quoted(m.text)}" for m in me.inbox]
    if me.outcome is not None:
        lines.append(f"{me.outcome.action}: {me.outcome.status}. {me.outcome.reason}")
    lines += [f"{action} was refused: {reason}" for action, reason in me.refusals]
    return (("system", f"Answer with one of: {', '.join(choices)}."), ("user", "\n".join(lines)))


def _parsed(text: str, me: RobotView) -> Decision:
    verb, *rest = text.split() or [""]
    if verb == "walk" and len(rest) == 1 and me.look("cell", rest[0]) is True:
        return WalkTo(rest[0], me)
    if verb == "say":
        return Action(COMMUNICATE, (" ".join(rest), "all"))
    if verb in me.skills:
        return Action(verb, tuple(rest))
    return Action(WAIT, why=f"the reply {text[:40]!r} is not an action")


def first_choice(ask: Ask) -> str:
    """For `Scripted`: a model that always answers with the first of the choices."""
    return str(ask.choices[0])


def seeded_choice(ask: Ask) -> str:
    """For `Scripted`: a model that answers with whatever the seed of the request picks."""
    return str(ask.choices[ask.seed % len(ask.choices)])
