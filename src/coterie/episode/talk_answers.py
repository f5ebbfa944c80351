"""Answers about a team of a house that decides for itself: who can do what, what if, how likely and how long.

Abilities come from bodies and skills, and from what the team believes. What would be is asked of the planner: that it
finds a way says that there is one, and not that the team takes it. There are no figures from which to reckon a chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN
from coterie.core.protocol import RobotView
from coterie.core.task import goal_from_json
from coterie.episode.loop import Episode
from coterie.episode.talk_help import steps_told
from coterie.mission.dialogue.answers import Answers
from coterie.mission.dialogue.conversation import Thread
from coterie.planning.answer import Answer
from coterie.protocols.shared.guide import Unplanned, knows, lost, plan_for, rounds
from coterie.protocols.shared.reading import Reading
from coterie.talk import meanings as m
from coterie.talk.forms import forms
from coterie.talk.meanings import Ask, Claim
from coterie.talk.wording import listed, upper

MOST_STEPS = 6  # of a plan that are told
NEW_GOAL = ("plan", "doing", "why that", "progress", "under way")  # of which nothing can be said before it has begun
LEFT = ("plan", "chance", "duration")  # which are about what is left of the goal
_DECIDES = "The team decides for itself and may do it otherwise."


class TeamAnswers(Answers):
    """For one team."""

    known = ", as far as the team knows"
    done = ("action has worked", "actions have worked")

    def of(self, thread: Thread, q: Ask) -> str:
        if q.about in NEW_GOAL and self.team.coming is not None:
            return f"The goal is new: {self.partner.goal.text()} The team hears of it now and has not begun with it."
        if q.about in LEFT and self._over:
            return f"The goal is reached: {self.partner.goal.text()} Nothing is left to be done."
        return super().of(thread, q)

    @property
    def _episode(self) -> Episode:
        found: Episode = self.partner.episode
        return found

    @property
    def _over(self) -> bool:
        return bool(self._episode.world.progress().done) and self.team.coming is None

    @property
    def _goal(self) -> str:
        return f"The goal: {self.partner.goal.text()}"

    # -- how it goes ----------------------------------------------------------------------------------------------
    def _plan(self, thread: Thread, q: Ask) -> str:
        if self.team.helper.guide.on:
            return f"I lead the team: {self.team.helper.plan_words()}"
        talk = [f"  {who}: {text}" for who, text in self.team.talk[-4:]]
        return "\n".join([self._doing(thread, q), *(["They said lately:"] if talk else []), *talk])

    def _doing(self, thread: Thread, q: Ask) -> str:
        rows = [self._goal]
        for robot in [q.robot] if q.robot else self.partner.robots():
            if robot in self.partner.held:
                rows.append(f"{robot} rests: {self.partner.held[robot]} has stopped it.")
            elif robot in self.team.acts:
                skill, args, why = self.team.acts[robot]
                rows.append(f"{robot}: {' '.join(map(str, (skill, *args)))}{f' ({why})' * bool(why)}.")
        return "\n".join(rows)

    _why_that = _under_way = _doing

    def _progress(self, thread: Thread, q: Ask) -> str:
        progress = self._episode.world.progress()
        return f"{self._goal} {round(100 * progress.partial)} % is done. {progress.text}"

    _goals = _progress

    _took = _delivered = Answers._history

    def completed(self) -> Sequence[tuple[int, str]]:
        return list(self.team.done)

    def clock(self, time: int) -> str:
        return f"step {time}:"

    def _why(self, thread: Thread, q: Ask) -> str:
        failed = [w for _, w in self.team.events if "failed" in w or "refused" in w]
        return failed[-1] if failed else "Nothing has failed so far."

    def _who_stopped(self, thread: Thread, q: Ask) -> str:
        words = ", then ".join(self.partner.stops[-2:])
        return f"{upper(words)}." if words else "Nobody has stopped anybody."

    def _why_not(self, thread: Thread, q: Ask) -> str:
        if q.wants:
            return self.could(thread, q, False)
        if not q.robot:
            where = f"{self._where(thread, q)} " if q.what and q.where else ""
            return f"{where}{self._goal} {_DECIDES}"
        return f"{self._doing(thread, q)} {self._ability(thread, q)}"

    # -- abilities ------------------------------------------------------------------------------------------------
    def _ability(self, thread: Thread, q: Ask) -> str:
        views = self._episode.views
        cards = {r: views[r].card for r in ([q.robot] if q.robot else self.partner.robots()) if r in views}
        return "\n".join(f"{r}: {c.about or c.body}; {', '.join(c.skills)}." for r, c in cards.items())

    def of_last(self, thread: Thread, q: Ask) -> str:
        return _DECIDES

    def hindrance(self, robot: str, q: Ask) -> str | None:
        """Why a robot cannot do something, as far as the team knows."""
        view, r = self._episode.views.get(robot), self.reading()
        if view is None:
            return "is not here"
        card, skills, doors = view.card, view.card.skills, self.partner.vocabulary.names("door")
        if q.skill == "open" and q.what and r is not None and q.what not in (*r.places.openable, *doors):
            return f"finds nothing to open at {self.partner.name(q.what)}"
        if q.skill == "open":
            return None if "open" in skills else "has no skill to open anything"
        if q.skill not in (*forms()["skills"], "go"):
            return None if q.skill in skills else f"has no skill {q.skill}"
        if q.skill != "go" and not card.manipulates:
            return "has no arm"
        if q.skill in ("go", "carry") and not card.moves:
            return "does not move"
        return self._out_of_reach(r, robot, q.what) if q.skill != "go" and q.what and r is not None else None

    def _out_of_reach(self, r: Reading, robot: str, thing: str) -> str | None:
        card, word = self._episode.views[robot].card, self.partner.name(thing)
        mass, place, spot = r.belief.value("mass", thing), r.where(thing), r.spot(thing)
        if isinstance(mass, float) and mass > card.payload_kg:
            return f"cannot lift the {word}: it weighs {mass:g} kg, and {card.payload_kg:g} kg are the most"
        furniture = r.furniture_of(place)
        if furniture is None:
            return None
        at = self.partner.name(furniture)
        if not card.moves:
            reaches = spot is not None and r.arm_reaches(spot)
            return None if reaches else f"does not reach the {word} at {at}, and does not move"
        if r.barred(robot, furniture):
            return f"may not go to {at}, where the {word} is"
        if place == furniture and r.shut(furniture) and "open" not in card.skills:
            return f"cannot open {at}, where the {word} is"
        if spot is not None and not card.reach_low_m <= spot[2] <= card.reach_high_m:
            return f"does not reach that high or low: the {word} is at {spot[2]:.1f} m"
        return None

    def reading(self) -> Reading | None:
        """The team's pooled belief of a house; None in other worlds."""
        known = knows(self._episode.world)
        return Reading(next(iter(self.team.helper.views().values()))) if known else None

    # -- what would be --------------------------------------------------------------------------------------------
    def _what_if(self, thread: Thread, q: Ask) -> str:
        words = self.wording._claims(q.claims)
        if self._over:
            return f"The goal is reached, so nothing would change if {words}."
        try:
            return f"If {words}: {self._way(self._supposed(q.claims))} As things are: {self._left()}"
        except Unplanned as err:
            return f"If {words}, the planner finds no way: {err}"

    def _supposed(self, claims: Sequence[Claim]) -> dict[str, RobotView]:
        """The team's belief in a hypothetical case."""
        gone, facts = set[str](), list[tuple[str, tuple[str, ...], Any]]()
        for c in claims:
            if c.kind == m.ABLE and not c.holds and not c.where:
                gone.add(c.what)
            elif c.kind == m.CLOSED:
                robots = [c.what] if c.what else self.partner.robots()
                places = self.partner.zones.places(c.where)
                facts += [("allowed", (r, f), not c.holds) for r in robots for f in places]
            elif c.kind == m.EMPTY and c.holds:
                facts.append(("contents", (c.where,), ()))
            elif c.kind == m.STOCK and c.what and c.where and c.holds:
                facts += [*self._elsewhere(c.what), ("where", (c.what,), c.where), ("spot", (c.what,), UNKNOWN)]
            elif c.kind == m.DOOR and c.what:
                facts.append(("open", (c.what,), c.holds))
            else:
                words = f"I cannot tell what would change if {self.wording.claim(c)}. I can if a robot is gone, a place"
                raise CoterieError(f"{words} is closed or empty, a door is shut, or a thing lies elsewhere.")
        return self.team.helper.supposing(facts, gone)

    def _elsewhere(self, thing: str) -> list[tuple[str, tuple[str, ...], Any]]:
        """That a thing is not where it is."""
        place = str(self._believed("where", thing))
        inside = self._believed("contents", place)
        if not isinstance(inside, tuple) or thing not in inside:
            return []
        return [("contents", (place,), tuple(t for t in inside if t != thing))]

    def _way(self, views: Mapping[str, RobotView]) -> str:
        """The plan for the goal, in words."""
        found = _found(views)
        first = steps_told(found, MOST_STEPS)
        if found.engine == "search":
            return f"what nobody has seen would be looked for: {first}. How long that takes nobody knows."
        return f"there is a way, in about {_steps(found)} of the team: {first}.{self._unseen(views)}"

    def _left(self) -> str:
        """The plan for what is left of the goal."""
        try:
            views = self.team.helper.supposing()
            found = _found(views)
        except Unplanned as err:
            return f"The planner finds no way to what is left: {err}"
        if found.engine == "search":
            return "Something that is wanted has not been seen yet; how long that takes nobody knows."
        return f"there is a way to what is left, in about {_steps(found)}.{self._unseen(views)} {_DECIDES}"

    def _unseen(self, views: Mapping[str, RobotView]) -> str:
        """Things that a plan leaves out because nobody knows where they are."""
        unseen = listed([self.partner.name(t) for t in lost(Reading(next(iter(views.values()))))])
        return f" Nobody has seen {unseen} yet; looking for that comes on top." if unseen else ""

    def _chance(self, thread: Thread, q: Ask) -> str:
        good, bad = len(self.team.done), self.team.failed
        so_far = f" So far {good} of {good + bad} actions have worked." if good + bad else ""
        none = "I have no figures for this team, which decides for itself, so I name no chance."
        return f"{none}{so_far} {upper(self._left())}"

    def _duration(self, thread: Thread, q: Ask) -> str:
        done = round(100 * self._episode.world.progress().partial)
        return f"After {self._episode.step} steps {done} % is done. {upper(self._left())}"

    def could(self, thread: Thread, q: Ask, asked: bool) -> str:
        pairs, goal = self.partner.pairs(q.wants), self.partner.goal
        if all(t in goal.targets and goal.home(t) == p for t, p in pairs):
            return f"That is part of the goal: {goal.text()}"
        try:
            goal = goal_from_json({"kind": "bring", "pairs": pairs})
            way = self._way(self.team.helper.supposing([("goal", (), goal)]))
        except Unplanned as err:
            return f"{'No' if asked else 'The planner finds no way'}: {err}"
        order = self.wording.sentence(m.Order(q.wants))
        return f"{'Yes' if asked else 'Nobody has asked for it'}; {way} To have it done, say: {order}"

    # -- what is known --------------------------------------------------------------------------------------------
    def _believed(self, *key: str) -> Any:
        """The robots' belief about a fact; the newest counts."""
        facts = [f for v in self._episode.views.values() if (f := v.belief.fact(*key)) is not None]
        return max(facts, key=lambda f: f.time).value if facts else UNKNOWN

    def holds(self, claim: Claim) -> bool | None:
        so: Any = UNKNOWN
        if claim.kind == m.STOCK and claim.what:
            place = self._believed("where", claim.what)
            so = place if place is UNKNOWN else place == claim.where or not claim.where
        elif claim.kind == m.DOOR:
            so = self._believed("open", claim.what)
        elif claim.kind == m.EMPTY:
            inside = self.inside(claim.where)
            so = UNKNOWN if inside is None else not inside
        elif claim.kind == m.AT and claim.what in self._episode.views:
            so = self._episode.views[claim.what].look("at", claim.what) == claim.where
        return None if so is UNKNOWN else bool(so) == claim.holds

    def inside(self, name: str) -> Sequence[tuple[str, int]] | None:
        found = [(t, 1) for t in self.partner.vocabulary.names("item") if self._believed("where", t) == name]
        return found if found or self._believed("contents", name) is not UNKNOWN else None

    def _where(self, thread: Thread, q: Ask) -> str:
        name, views = self.partner.name(q.what), self._episode.views
        if q.what in views:
            at: Any = views[q.what].look("at", q.what)
            there = f"at {self.partner.name(str(at))}" if at not in (None, UNKNOWN) else "on its way"
            return f"{name} is {there}."
        place = self._believed("where", q.what)
        if place is UNKNOWN:
            return f"Nobody of the team has seen the {name} yet."
        return f"The {name} is at {self.partner.name(str(place))}{self.known}."

    def _how_many(self, thread: Thread, q: Ask) -> str:
        kind = q.what.rsplit("_", 1)[0]
        same = [t for t in self.partner.vocabulary.names("item") if t.rsplit("_", 1)[0] == kind]
        seen = [(t, p) for t in same if (p := self._believed("where", t)) is not UNKNOWN and q.where in ("", p)]
        rows = listed([f"{t} at {self.partner.name(str(p))}" for t, p in seen])
        return f"The team has seen {len(seen)}{f': {rows}' if rows else ''}."

    def _taught(self, thread: Thread, q: Ask) -> str:
        return "This team cannot be taught; a mission can: coterie talk --scene hospital"


def _found(views: Mapping[str, RobotView]) -> Answer:
    found = plan_for(views)
    if not found.found:
        raise Unplanned(found.words)
    return found


def _steps(plan: Answer) -> str:
    return f"{rounds(plan)} step{'s' * (rounds(plan) != 1)}"
