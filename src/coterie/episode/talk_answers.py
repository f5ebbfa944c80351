"""What can be said of a team of a house that decides for itself: who can do what, what if, how likely and how long.

Abilities come from bodies and skills, and from what the team believes. What would be is asked of the planner, from what
the team believes together: that it finds a way says that there is one, and not that the team takes it. There are no
figures of such teams from which a chance could be reckoned, and that is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Belief, Fact
from coterie.core.protocol import RobotView
from coterie.mission.knowledge.authority import ACTS
from coterie.planning.answer import Answer
from coterie.protocols.shared.guide import Unplanned, knows, lost, plan_for, rounds, words_of
from coterie.protocols.shared.reading import Reading
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim
from coterie.talk.wording import SKILLS, Wording, listed, upper

MOST_STEPS = 6  # of a plan that are told
SUPPOSED = "supposed"
ABOUT = (
    "who can",
    "can",
    "chance",
    "duration",
    "what if",
    "why not",
    "why so",
    "who may",
    "rights",
    "is it so",
    "how many",
    "contents",
    "taught",
    "which",
)
_DECIDES = "The team decides for itself and may do it otherwise."


class TeamAnswers:
    """For one team."""

    def __init__(self, partner: Any):
        """`partner` is the one that these are answers of (`talk_partner.TeamPartner`)."""
        self.partner = partner

    @property
    def wording(self) -> Wording:
        return Wording(self.partner.vocabulary)

    def of(self, person: str, q: m.Ask) -> str:
        made: str = getattr(self, f"_{q.about.replace(' ', '_')}")(person, q)
        return made

    # -- abilities ------------------------------------------------------------------------------------------------
    def _who_can(self, person: str, q: m.Ask) -> str:
        if not q.skill:
            return _DECIDES
        reading = self._reading()
        why = {n: self._hindrance(reading, n, q) for n in self.partner.robots()}
        able, what = [n for n, w in why.items() if not w], self.wording._skill(q)
        rest = " ".join(f"{n} {w}." for n, w in why.items() if w)
        return f"{listed(able) or 'Nobody here'} can {what}. {rest}".strip()

    def _which(self, person: str, q: m.Ask) -> str:
        """Of which of several something is so, as far as the team knows."""
        (claim,) = q.claims
        if claim.kind == m.CLOSED:
            return str(self.partner.zones.which(claim.what))
        kind = {m.DOOR: "door", m.EMPTY: "table"}.get(claim.kind)
        if kind is None:
            raise CoterieError("I can tell which doors are open or shut, and which places are empty.")
        field, names = ("what" if kind == "door" else "where"), self.partner.vocabulary.names(kind)
        so = {n: self._holds(replace(claim, **{field: n})) for n in names}
        known = [self.partner.word(n) for n, yes in so.items() if yes]
        unknown = sum(yes is None for yes in so.values())
        state = self.wording.which(claim).partition(" are ")[2]
        rest = f" Of {unknown} nobody knows it." if unknown else ""
        return f"{(listed(known) or 'none').capitalize()} {'is' if len(known) < 2 else 'are'} {state}.{rest}"

    def _can(self, person: str, q: m.Ask) -> str:
        if not q.skill and not q.wants:
            return f"{_DECIDES} To keep {q.robot} from something, close a place for it."
        if q.wants:
            return self._could(q, asked=True)
        if not q.robot:
            return self._who_can(person, q)
        why = self._hindrance(self._reading(), q.robot, q)
        return f"No: {q.robot} {why}." if why else f"Yes, {q.robot} can {self.wording._skill(q)}."

    def _hindrance(self, r: Reading | None, robot: str, q: m.Ask) -> str:
        """Why a robot cannot do something, behind its name; nothing where it can, as far as the team knows."""
        view = self.partner.episode.views.get(robot)
        if view is None:
            return "is not here"
        card, skills = view.card, set(view.card.skills)
        if q.skill == "open" and q.what and r is not None and q.what not in (*r.places.openable, *self._doors()):
            return f"finds nothing to open at {self.partner.word(q.what)}"
        if q.skill == "open":
            return "" if "open" in skills else "has no skill to open anything"
        if q.skill == "go":
            return "" if card.moves else "does not move"
        if q.skill not in SKILLS:
            return "" if q.skill in skills else f"has no skill {q.skill}"
        if not card.manipulates:
            return "has no arm"
        if q.skill == "carry" and not card.moves:
            return "does not move"
        return self._out_of_reach(r, robot, q.what) if q.what and r is not None else ""

    def _out_of_reach(self, r: Reading, robot: str, thing: str) -> str:
        card, word = self.partner.episode.views[robot].card, self.partner.word(thing)
        mass, place, spot = r.belief.value("mass", thing), r.where(thing), r.spot(thing)
        if isinstance(mass, float) and mass > card.payload_kg:
            return f"cannot lift the {word}: it weighs {mass:g} kg, and {card.payload_kg:g} kg are the most"
        furniture = r.furniture_of(place)
        if furniture is None:
            return ""
        at = self.partner.word(furniture)
        if not card.moves:
            return (
                ""
                if spot is not None and r.arm_reaches(spot)
                else f"does not reach the {word} at {at}, and does not move"
            )
        if r.barred(robot, furniture):
            return f"may not go to {at}, where the {word} is"
        if place == furniture and r.shut(furniture) and "open" not in card.skills:
            return f"cannot open {at}, where the {word} is"
        if spot is not None and not card.reach_low_m <= spot[2] <= card.reach_high_m:
            return f"does not reach that high or low: the {word} is at {spot[2]:.1f} m"
        return ""

    def _doors(self) -> list[str]:
        return self.partner.vocabulary.names("door")

    def _reading(self) -> Reading | None:
        if not knows(self.partner.episode.world):
            return None
        return Reading(next(iter(self.partner.hall.helper.views().values())))

    # -- what would be --------------------------------------------------------------------------------------------
    def _what_if(self, person: str, q: m.Ask) -> str:
        return self.what_if(q.claims)

    def what_if(self, claims: Sequence[Claim]) -> str:
        words = self.wording._claims(claims)
        if self._over:
            return f"The goal is reached, so nothing would change if {words}."
        try:
            return f"If {words}: {self._way(self._supposed(claims))} {self._as_it_is()}"
        except Unplanned as err:
            return f"If {words}, the planner finds no way: {err}"

    def _supposed(self, claims: Sequence[Claim]) -> dict[str, RobotView]:
        """What the team would believe, in a case that need not be so."""
        gone, facts = set[str](), list[tuple[str, tuple[str, ...], Any]]()
        for c in claims:
            if c.kind == m.ABLE and not c.holds and not c.where:
                gone.add(c.what)
            elif c.kind == m.CLOSED:
                robots = [c.what] if c.what else self.partner.robots()
                places = self.partner.zones.furniture(c.where)
                facts += [("allowed", (r, f), not c.holds) for r in robots for f in places]
            elif c.kind == m.EMPTY and c.holds:
                facts.append(("contents", (c.where,), ()))
            elif c.kind == m.STOCK and c.what and c.where and c.holds:
                facts += [*self._elsewhere(c.what), ("where", (c.what,), c.where), ("spot", (c.what,), UNKNOWN)]
            elif c.kind == m.DOOR and c.what:
                facts.append(("open", (c.what,), c.holds))
            else:
                raise CoterieError(
                    f"I cannot tell what would change if {self.wording.claim(c)}. I can if a robot is gone, a place is "
                    "closed or empty, a door is shut, or a thing lies elsewhere."
                )
        return self._believing(facts, gone)

    def _elsewhere(self, thing: str) -> list[tuple[str, tuple[str, ...], Any]]:
        """That a thing is not where it is."""
        place = self.partner.believed(thing)
        for view in self.partner.episode.views.values():
            inside = view.belief.value("contents", str(place))
            if isinstance(inside, tuple) and thing in inside:
                return [("contents", (str(place),), tuple(t for t in inside if t != thing))]
        return []

    def _believing(self, facts: Sequence[tuple[str, tuple[str, ...], Any]], gone: set[str]) -> dict[str, RobotView]:
        if not knows(self.partner.episode.world):
            raise Unplanned("The planner knows the skills of houses with a scene graph, and this is another world.")
        views = self.partner.hall.helper.views()
        old = next(iter(views.values())).belief
        belief = Belief(old.base, old.listings)
        belief.tell_all(old.facts())
        now = 1.0 + max([self.partner.hall.now, *(f.time for f in old.facts())])
        belief.tell_all(Fact(p, a, v, now, SUPPOSED) for p, a, v in facts)
        look = self.partner.episode.world.lookup(belief)
        left = {n: v for n, v in views.items() if n not in gone}
        if not left:
            raise Unplanned("nobody would be left.")
        alive = {n: tuple(h for h in v.heartbeat if h not in gone) for n, v in left.items()}
        return {n: replace(v, belief=belief, look=look, heartbeat=alive[n]) for n, v in left.items()}

    def _way(self, views: Mapping[str, RobotView]) -> str:
        """What the planner finds for the goal, in words."""
        found = plan_for(views)
        if not found.found:
            raise Unplanned(found.words)
        steps = [f"{s.robot} {words_of(s.action)}" for s in found.steps]
        more = f" and {len(steps) - MOST_STEPS} more" if len(steps) > MOST_STEPS else ""
        first = f"{', '.join(steps[:MOST_STEPS])}{more}"
        if found.engine == "search":
            return f"what nobody has seen would be looked for: {first}. How long that takes nobody knows."
        return f"there is a way, in about {_steps(found)} of the team: {first}.{self._unseen(views)}"

    def _unseen(self, views: Mapping[str, RobotView]) -> str:
        """What a plan leaves out because nobody knows where it is."""
        unseen = listed([self.partner.word(t) for t in lost(Reading(next(iter(views.values()))))])
        return f" Nobody has seen {unseen} yet; looking for that comes on top." if unseen else ""

    def _as_it_is(self) -> str:
        found = self._plan()
        if isinstance(found, str):
            return f"As things are, the planner finds none: {found}"
        unseen = self._unseen(self._believing((), set()))
        as_it_is = "" if found.engine == "search" else f"As things are, it takes about {_steps(found)}.{unseen} "
        return as_it_is + _DECIDES

    def _plan(self) -> Answer | str:
        """What the planner finds as things are, or why it finds nothing."""
        try:
            found = plan_for(self._believing((), set()))
        except Unplanned as err:
            return str(err)
        return found if found.found else found.words

    @property
    def _over(self) -> bool:
        return bool(self.partner.episode.world.progress().done) and self.partner.hall.coming is None

    def _chance(self, person: str, q: m.Ask) -> str:
        if self._over:
            return f"The goal is reached: {self.partner.goal.text()}"
        good, bad = self.partner.hall.worked
        so_far = f" So far {good} of {good + bad} actions have worked." if good + bad else ""
        found = self._plan()
        if isinstance(found, str):
            way = f"The planner finds no way to what is left: {found}"
        elif found.engine == "search":
            way = "Something that is wanted has not been seen yet, so nobody knows whether there is a way."
        else:
            part = self._unseen(self._believing((), set()))
            way = f"There is a way to what {'has been seen' if part else 'is left'}, in about {_steps(found)}.{part}"
        return f"I have no figures for this team, which decides for itself, so I name no chance.{so_far} {way}"

    def _duration(self, person: str, q: m.Ask) -> str:
        if self._over:
            return "Nothing is under way that would take time."
        found, steps = self._plan(), self.partner.episode.step
        done = round(100 * self.partner.episode.world.progress().partial)
        so_far = f"After {steps} steps {done} % is done."
        if isinstance(found, str) or found.engine == "search":
            why = f" {found}" if isinstance(found, str) else " Something that is wanted has not been seen yet."
            return f"{so_far} How long the rest takes nobody knows.{why}"
        part = self._unseen(self._believing((), set()))
        return f"{so_far} The planner would need about {_steps(found)} for the rest.{part} {_DECIDES}"

    def _why_so(self, person: str, q: m.Ask) -> str:
        if all(c.kind == m.CLOSED for c in q.claims):
            return upper(self._is_it_so(person, q).removeprefix("Yes, ").removeprefix("No, "))
        so = self._is_it_so(person, q)
        return f"{upper(so.removeprefix('Yes, '))} Why, nobody has told me." if so.startswith("Yes") else so

    def _why_not(self, person: str, q: m.Ask) -> str:
        if q.wants:
            return self._could(q)
        if bool(q.what) != bool(q.where):
            return f"The goal: {self.partner.goal.text()} {_DECIDES}"
        if q.what:
            there = self.partner.believed(q.what) == q.where
            goal = f"The goal: {self.partner.goal.text()} {_DECIDES}"
            return goal if there else f"{self.partner._where(q.what)} {goal}"
        if q.robot in self.partner.held:
            return f"{q.robot} rests: {self.partner.held[q.robot]} has stopped it. Say: {q.robot}, continue."
        act, card = self.partner.hall.acts.get(q.robot), self.partner.episode.views.get(q.robot)
        if card is None:
            return f"{q.robot or 'Nobody'} is not here."
        at_work = f" Just now: {act[0]} {' '.join(str(a) for a in act[1])}".rstrip() + "." if act is not None else ""
        return (
            f"{q.robot} is part of the team, which decides for itself.{at_work} It can: {', '.join(card.card.skills)}."
        )

    def _could(self, q: m.Ask, asked: bool = False) -> str:
        """Whether something that is not the goal could be done."""
        pairs = [(w.what, w.where) for w in q.wants if w.kind == m.STOCK and w.where]
        if len(pairs) != len(q.wants):
            raise CoterieError("A team of this house can bring things to places; ask whether it can do that.")
        goal = self.partner.goal
        if all(t in goal.targets and goal.home(t) == p for t, p in pairs):
            return f"That is part of the goal: {goal.text()}"
        order = self.wording.sentence(m.Order(q.wants))
        only = self.partner.only(pairs)
        try:
            way = self._way(self._believing([("goal", (), only)], set()))
        except Unplanned as err:
            return f"{'No' if asked else 'The planner finds no way'}: {err}"
        return f"{'Yes' if asked else 'Nobody has asked for it'}; {way} To have it done, say: {order}"

    # -- what is known --------------------------------------------------------------------------------------------
    def _who_may(self, person: str, q: m.Ask) -> str:
        act = {"prioritise": "priority"}.get(q.right, q.right)
        who = self.partner.hall.authority.who_may(act)
        return f"{listed(who).capitalize() or 'Nobody here'} may {ACTS[act]}."

    def _rights(self, person: str, q: m.Ask) -> str:
        authority = self.partner.hall.authority
        if q.right:
            act = {"prioritise": "priority"}.get(q.right, q.right)
            no = f"No, {person} may not {ACTS[act]}. {self._who_may(person, q)}"
            return f"Yes, you may {ACTS[act]}; just say it." if authority.may(person, act) else no
        may = [words for act, words in ACTS.items() if authority.may(person, act)]
        return f"You are {person} ({' and '.join(authority.roles_of(person)) or 'a visitor'}) and may {listed(may)}."

    def _is_it_so(self, person: str, q: m.Ask) -> str:
        if q.claims and all(c.kind == m.CLOSED for c in q.claims):
            return "\n".join(self.partner.zones.so(c) for c in q.claims)
        words = self.wording._claims(q.claims)
        so = [self._holds(c) for c in q.claims]
        if any(x is None for x in so):
            return f"Nobody of the team knows whether {words}."
        return (
            f"Yes, {words}, as far as the team knows."
            if all(so)
            else f"No, as far as the team knows it is not so that {words}."
        )

    def _holds(self, c: Claim) -> bool | None:
        if c.kind == m.STOCK and c.what:
            place = self.partner.believed(c.what)
            return None if place is UNKNOWN else (place == c.where or not c.where) == c.holds
        if c.kind == m.DOOR:
            facts = [f for v in self.partner.episode.views.values() if (f := v.belief.fact("open", c.what)) is not None]
            return None if not facts else bool(max(facts, key=lambda f: f.time).value) == c.holds
        if c.kind == m.EMPTY:
            inside = [t for t in self.partner.vocabulary.names("item") if self.partner.believed(t) == c.where]
            seen = any(v.belief.fact("contents", c.where) is not None for v in self.partner.episode.views.values())
            return (not inside) == c.holds if seen or inside else None
        if c.kind == m.AT and c.what in self.partner.episode.views:
            return (self.partner.episode.views[c.what].look("at", c.what) == c.where) == c.holds
        return None

    def _contents(self, person: str, q: m.Ask) -> str:
        inside = sorted({t for t in self.partner.vocabulary.names("item") if self.partner.believed(t) == q.what})
        seen = any(v.belief.fact("contents", q.what) is not None for v in self.partner.episode.views.values())
        if not inside and not seen:
            return f"Nobody of the team knows what is at {self.partner.word(q.what)}."
        things = listed([self.partner.word(t) for t in inside]).capitalize()
        return f"{things or 'Nothing'}, as far as the team knows."

    def _how_many(self, person: str, q: m.Ask) -> str:
        word = self.partner.word(q.what)
        same = [t for t in self.partner.vocabulary.names("item") if t.rsplit("_", 1)[0] == q.what.rsplit("_", 1)[0]]
        seen = {t: p for t in same if (p := self.partner.believed(t)) is not UNKNOWN}
        if q.where:
            count = sum(p == q.where for p in seen.values())
            return f"{count or 'No'} {word} at {self.partner.word(q.where)}, as far as the team knows."
        rows = listed([f"{t} at {self.partner.word(str(p))}" for t, p in seen.items()])
        return f"The team has seen {len(seen)}{f': {rows}' if rows else ''}."

    def _taught(self, person: str, q: m.Ask) -> str:
        return "This team cannot be taught; a mission can: coterie talk --scene hospital"


def _steps(plan: Answer) -> str:
    return f"{rounds(plan)} step{'s' * (rounds(plan) != 1)}"
