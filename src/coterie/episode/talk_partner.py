"""A team of a house as a partner in talk: its goal changes, zones close, and it is told from what it believes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN
from coterie.core.task import Change, Trigger
from coterie.episode.inputs import Stop
from coterie.episode.loop import Episode
from coterie.episode.talk_answers import ABOUT, TeamAnswers
from coterie.episode.talk_goals import bring, changes, taken_back, with_less, with_more
from coterie.episode.talk_help import Meeting
from coterie.episode.talk_zones import TeamZones
from coterie.mission.dialogue.asking import Interaction, Question
from coterie.mission.dialogue.counterpart import Doubt, Fate, Partner
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.mission.knowledge.authority import ACTS, Refused
from coterie.protocols.shared.guide import knows
from coterie.talk import meanings as m
from coterie.talk.meanings import LATER, Meaning
from coterie.talk.vocabulary import Vocabulary, spaced
from coterie.talk.wording import Wording, listed

MOST_TOLD = 8  # changes, and actions, of what has happened


class TeamPartner(Partner):
    """A team of a house as a partner in talk. It knows what robots believe and do, and nothing else."""

    def __init__(self, hall: Meeting):
        self.hall = hall
        self.vocabulary = Vocabulary()
        self.events: list[tuple[int, str]] = []
        self.stops: list[str] = []  # who has stopped robots and let them go on, the last at the end
        self.held: dict[str, str] = {}  # who has stopped which robot
        self.zones = TeamZones(self)
        self.answers = TeamAnswers(self)

    @property
    def episode(self) -> Episode:
        assert self.hall.episode is not None
        return self.hall.episode

    def met(self, episode: Episode) -> None:
        """Names of the house: furniture and rooms, doors and what opens, things, and robots."""
        world: Any = episode.world
        for key, value in world.map().items():
            if key[0] == "all_rooms" and isinstance(value, tuple):
                for room in value:
                    self._name("room", str(room))
            elif key[0] == "furniture":
                self._name("table", str(key[1]))
            elif key[0] == "door":
                self._name("door", str(key[1]))
        for place in getattr(self.goal, "platforms", ()):
            self._name("table", str(place))
        truth: Any = getattr(world, "truth", {})
        found = [key[1] for key in truth if key[0] == "where"] if isinstance(truth, Mapping) else []
        for thing in (*found, *getattr(self.goal, "targets", ())):
            self._name("item", str(thing))
        for robot in episode.views:
            self.vocabulary.add("robot", robot)

    def _name(self, kind: str, name: str) -> None:
        plain = unnumbered(name)
        if plain != name:
            self.vocabulary.share(kind, spaced(plain), name)
        self.vocabulary.add(kind, name, [spaced(name)])

    @property
    def goal(self) -> Any:
        """What is wanted: also what somebody has just asked for, of which the team hears in its next step."""
        coming = self.hall.coming
        return coming if coming is not None else self.episode.world.goal  # type: ignore[attr-defined]

    # -- for the manager ------------------------------------------------------------------------------------------
    def robots(self) -> Sequence[str]:
        return sorted(self.episode.views)

    def people(self) -> Sequence[str]:
        return sorted(self.hall.authority.members)

    def home(self, person: str) -> str:
        return ""

    def examples(self) -> list[str]:
        v, w = self.vocabulary, Wording(self.vocabulary)
        items, tables, robots, rooms = v.names("item"), v.names("table"), v.names("robot"), v.names("room")
        found: list[Meaning] = [m.Ask(a) for a in ("plan", "doing", "progress", "goals", "history", "help", "who")]
        found += [m.Ask("where", what=x) for x in (*items, *robots)]
        found += [m.Order((m.Want(m.STOCK, i, t),)) for i, t in zip(items, tables * len(items))]
        found += [m.Zone(t, (robots[0],)) for t in tables if robots] + [m.Ask("doing", robot=r) for r in robots]
        found += [m.Stop(), m.Steer("resume"), *(m.Ask("contents", what=t) for t in tables), *(
            m.Ask("ability", robot=r) for r in robots), *(m.Zone(r, ()) for r in rooms), m.Steer("help")]  # fmt: skip
        found += [m.Tell((m.Claim(m.STOCK, i, t),)) for i, t in zip(items, tables)]
        return [w.sentence(x) for x in found]

    def missing(self, meaning: Meaning) -> tuple[Question, Callable[[Meaning], Meaning]] | None:
        if isinstance(meaning, m.Order) and meaning.wants and meaning.wants[0].kind == m.STOCK:
            want = meaning.wants[0]
            if not want.where:
                question = Question("Where should it go?", (m.Somewhere,), "the tray")
                return question, lambda a: replace(meaning, wants=(replace(want, where=getattr(a, "where", "")),))
        return None

    def teach(self, thread: Thread, meaning: m.Teach) -> Interaction:
        raise CoterieError("This team cannot be taught; a mission can: coterie talk --scene hospital")

    def possible(self, thread: Thread, meaning: Meaning, instead: Deed) -> None:
        """Who may say it, and whether it is of a kind that this team does; the rest is seen when it is done."""
        if isinstance(meaning, (m.Order, m.Zone)):
            self.hall.authority.require(thread.person, "command")
        if isinstance(meaning, m.Order):
            self._pairs(meaning)

    def undo(self, thread: Thread, deed: Deed) -> None:
        """What one person wanted is taken back; what others wanted since stays."""
        if isinstance(deed.meaning, m.Zone):
            self.zones.change(thread, replace(deed.meaning, holds=not deed.meaning.holds))
        elif deed.before:
            self._want(thread.person, taken_back(self.goal, dict(deed.before)[("goal",)], dict(deed.before)[("new",)]))
        elif isinstance(deed.meaning, m.Stop):
            raise CoterieError("A stop holds until somebody says continue.")

    def fate(self, deed: Deed, person: str) -> Fate:
        return Fate()

    def rest(self, thread: Thread) -> str:
        return ""

    def restored(self, thread: Thread, deed: Deed) -> str:
        return ""  # what others wanted stays part of the goal

    def instead(self, thread: Thread, order: Meaning, same: bool, wrong: str = "") -> Doubt | str:
        """A thing that the team is to bring already goes elsewhere; for another one it has to be said what to leave."""
        if (
            same
            or not isinstance(order, m.Order)
            or not self.hall.authority.may(thread.person, "command")
            or not knows(self.episode.world)
        ):
            return ""
        targets = tuple(getattr(self.goal, "targets", ()))
        pairs = self._pairs(order)
        if not targets or any(thing in targets for thing, _ in pairs):
            return ""
        if wrong in targets:
            new = with_more(with_less(self.goal, wrong), pairs) if len(targets) > 1 else bring(dict(pairs))
            words = f"Do you want {self.word(wrong)} left, and the goal to be: {new.text()}"
            return Doubt(words, order, lambda: f"All right.{self._changed(thread, order, new)}")
        return f"Instead of what? The goal is: {self.goal.text()} Say first what to leave, or order it as well."

    def forbids(self, thread: Thread, meaning: Meaning) -> Callable[[], str] | None:
        person, authority = thread.person, self.hall.authority
        if not isinstance(meaning, (m.Zone, m.Steer)) or authority.may(person, "command"):
            return None
        may = f"{listed(authority.who_may('command')).capitalize()} may"
        what = f"close {self.word(meaning.where)} for robots" if isinstance(meaning, m.Zone) else "change what they do"
        return lambda: f"{self._stop(thread, m.Stop(meaning.robots))} {may} {what}."

    def doubts(self, thread: Thread, meaning: Meaning) -> Doubt | None:
        """A no, or a cancel, to nothing that was proposed may be about what its speaker has ordered."""
        cancel = isinstance(meaning, m.Steer) and meaning.how == "cancel" and not meaning.what
        if m.cancels_all(meaning):
            return self._doubts_all(thread)
        last, helper = thread.last, self.hall.helper
        if not (cancel or isinstance(meaning, m.Refuse)) or helper.waiting or helper.guide.on:
            return None
        if last is None or not isinstance(last.meaning, m.Order):
            return None
        words = f"Do you want me to take back: {Wording(self.vocabulary).sentence(last.meaning)}"
        return Doubt(words, m.Forget(), lambda: self.hall.dialogue.undone(thread, last))

    def _doubts_all(self, thread: Thread) -> Doubt | None:
        """Everything that somebody has ordered and not taken back, asked about as one."""
        orders = [d for d in thread.deeds if isinstance(d.meaning, m.Order) and self._still(d.meaning)]
        if not orders or not self.hall.authority.may(thread.person, "command"):
            return None
        words = Wording(self.vocabulary)
        said = " ".join(dict.fromkeys(words.sentence(d.meaning) for d in reversed(orders)))
        return Doubt(
            f"Do you want me to take back all that you ordered: {said}",
            m.Steer("cancel", level="all"),
            lambda: self._take_back(thread, orders),
        )

    def _still(self, order: m.Order) -> bool:
        """Whether anything of an order is still wanted."""
        goal = self.goal
        return any(w.what in goal.targets and goal.home(w.what) == w.where for w in order.wants)

    def _take_back(self, thread: Thread, orders: Sequence[Deed]) -> str:
        """Several orders of one person, the last first; what was wanted before them, and by others, stays."""
        goal = self.goal
        for deed in orders:
            before = dict(deed.before)
            goal = taken_back(goal, before[("goal",)], before[("new",)])
        self._want(thread.person, goal)
        thread.deeds = [d for d in thread.deeds if d not in orders]
        thread.did(Deed(m.Refuse()))
        led = " I no longer lead the team." if self.hall.helper.leave(thread.person) else ""
        return f"All right, I take that back. The goal is now: {goal.text()}{led}"

    # -- doing ----------------------------------------------------------------------------------------------------
    def do(self, thread: Thread, meaning: Meaning) -> str:
        person = thread.person
        if m.only_waits(meaning) and not self.hall.authority.may(person, "command"):
            meaning = m.Stop(meaning.robots)  # who may not let them rest may stop them
        if isinstance(meaning, m.Stop):
            return self._stop(thread, meaning)
        try:
            return self._act(thread, meaning, person)
        except Refused as err:
            return err.refusal.words

    def _stop(self, thread: Thread, stop: m.Stop) -> str:
        person, robots = thread.person, listed(stop.robots)
        thread.did(Deed(stop))
        self.hall.inputs.put(Stop(person, stop.robots or ("all",)))
        self.hall.inform(person, f"{person} has stopped {robots or 'everybody'}.")
        self.stops.append(f"{person} stopped {robots or 'everybody'}")
        self.held.update(dict.fromkeys(stop.robots or self.robots(), person))
        return f"{robots or 'Everybody'} stop{'s' * (len(stop.robots) < 2)}. Say continue to go on."

    def proposed(self, person: str) -> str:
        helper = self.hall.helper
        told = helper.waiting and person in helper.told[helper.current]
        return helper.proposed(person) if told and self.hall.authority.may(person, "approve") else ""

    def turned_away(self, person: str) -> str:
        try:
            self.hall.authority.require(person, "command")
        except Refused as err:
            return err.refusal.words
        return ""

    def awaits(self, person: str) -> bool:
        return bool(self.proposed(person))

    def _act(self, thread: Thread, meaning: Meaning, person: str) -> str:
        helper, authority = self.hall.helper, self.hall.authority
        if isinstance(meaning, m.Refuse) and meaning.what == LATER and helper.waiting:
            return "All right, that waits; say yes or no when you know."
        if isinstance(meaning, (m.Approve, m.Refuse)):
            return helper.answered(person, isinstance(meaning, m.Approve))
        if isinstance(meaning, m.Permit):
            return self._permit(person, meaning)
        if isinstance(meaning, m.Tell):
            return self._tell(person, meaning)
        authority.require(person, "command")
        if isinstance(meaning, m.Order):
            return self._order(thread, meaning)
        if isinstance(meaning, m.Zone):
            return self.zones.change(thread, meaning)
        if isinstance(meaning, m.Steer) and meaning.how in ("resume", "pause"):
            return self._rest(person, meaning.robots, meaning.how == "pause")
        if isinstance(meaning, m.Steer) and meaning.how == "cancel" and meaning.what:
            return self._without(thread, meaning.what)
        if isinstance(meaning, m.Steer) and meaning.how == "cancel":
            if helper.leave(person):
                return "All right, the team is left to itself."
            return "You have ordered nothing, and I do not lead the team. Say stop, or what the goal should leave out."
        if isinstance(meaning, m.Steer) and meaning.how == "help":
            if self.hall.coming is not None:
                return "The goal has just changed, and the team hears of it now. Ask again if they get stuck."
            return helper.propose(person)
        raise CoterieError("This team decides for itself; change its goal, close a zone, or stop it.")

    def _rest(self, person: str, robots: tuple[str, ...], on: bool) -> str:
        """Robots rest until somebody says continue, or go on."""
        who = listed(robots)
        self.hall.inputs.put(Stop(person, robots or ("all",), on=on))
        self.stops.append(f"{person} said {'wait' if on else 'continue'}")
        if on:
            self.held.update(dict.fromkeys(robots or self.robots(), person))
        else:
            self.held = {r: p for r, p in self.held.items() if robots and r not in robots}
        self.hall.inform(person, f"{person} lets {who or 'everybody'} {'rest' if on else 'go on'}.")
        if on:
            return "All right, they rest. Say continue to go on."
        return f"All right, {who or 'they'} {'goes' if len(robots) == 1 else 'go'} on."

    def _pairs(self, order: m.Order) -> list[tuple[str, str]]:
        pairs = [(w.what, w.where) for w in order.wants if w.kind == m.STOCK]
        if len(pairs) != len(order.wants):
            raise CoterieError("A team of this house can bring things to places; say for example: " + self._example())
        return pairs

    def _order(self, thread: Thread, order: m.Order) -> str:
        pairs = self._pairs(order)
        words = listed([f"{self.word(t)} to {self.word(p)}" for t, p in pairs])
        if not knows(self.episode.world):
            raise CoterieError("What this team is to do cannot be changed in words; houses like flat take orders.")
        return f"All right, I tell the team: {words}.{self._changed(thread, order, with_more(self.goal, pairs))}"

    def _changed(self, thread: Thread, meaning: Meaning, new: Any) -> str:
        """Something makes another goal of what is wanted; what it is now."""
        old = self.goal
        self._want(thread.person, new)
        thread.did(Deed(meaning, before=((("goal",), old), (("new",), new))))
        return f" The goal is now: {new.text()}"

    def only(self, pairs: list[tuple[str, str]]) -> Any:
        """A goal that wants just this."""
        return bring(dict(pairs))

    def _without(self, thread: Thread, thing: str) -> str:
        old = self.goal
        if thing not in old.targets:
            return f"{self.word(thing)} is not part of the goal."
        return f"All right.{self._changed(thread, m.Steer('cancel', thing), with_less(old, thing))}"

    def _want(self, person: str, goal: Any) -> None:
        """The team is to want something else; where that is less for others, they are told."""
        data, less = {"goal": goal}, changes(self.goal, goal)
        self.hall.wants(person, goal)
        if less:
            self.hall.inform(person, f"{person} has spoken. The goal is now: {goal.text()}")
        self.hall.inputs.put(Change(Trigger(step=0), "goal", data, ("all",), person, awaited=False))

    def _tell(self, person: str, told: m.Tell) -> str:
        """Facts of somebody whose word is taken go to the robots."""
        if not self.hall.authority.may(person, "tell"):
            who = listed(self.hall.authority.who_may("tell")).capitalize()
            raise CoterieError(f"{person} may not state facts here, where nobody would check them. {who} may.")
        facts: list[tuple[str, list[str], Any]] = []
        for claim in told.claims:
            if claim.kind == m.STOCK and claim.what in self.vocabulary.names("item") and claim.where and claim.holds:
                facts.append(("where", [claim.what], claim.where))
            elif claim.kind == m.DOOR:
                facts.append(("open", [claim.what], claim.holds))
            else:
                raise CoterieError("I can tell the team where a thing is, or that a door is open or shut.")
        said = Wording(self.vocabulary).sentence(told)
        data = {"text": said, "facts": facts}
        self.hall.inputs.put(Change(Trigger(step=0), "news", data, ("all",), person, awaited=False))
        self.hall.helper.renew()
        return f"All right, I tell the team: {said}"

    def _permit(self, person: str, permit: m.Permit) -> str:
        act, authority = {"prioritise": "priority"}.get(permit.right, permit.right), self.hall.authority
        if permit.holds:
            until = self.hall.now + 60.0 * permit.minutes if permit.minutes else None
            authority.grant(person, permit.person, act, until=until)
            return f"All right: {permit.person} may {ACTS[act]}."
        authority.revoke(person, permit.person, act)
        if authority.may(permit.person, act):
            return f"{permit.person.capitalize()} may {ACTS[act]} by role; that cannot be taken back here."
        return f"All right: {permit.person} may not {ACTS[act]}."

    # -- answering ------------------------------------------------------------------------------------------------
    def word(self, name: str) -> str:
        plain = spaced(unnumbered(name))
        return spaced(name) if plain in self.vocabulary.shared else plain

    def _example(self) -> str:
        items, tables = self.vocabulary.names("item"), self.vocabulary.names("table")
        return (
            f"Put the {self.word(items[0])} on the {self.word(tables[0])}." if items and tables else "What is the plan?"
        )

    def answer(self, thread: Thread, q: m.Ask) -> str:
        acts = self.hall.acts
        if q.about in ("plan", "doing", "why that", "progress", "under way") and self.hall.coming is not None:
            return f"The goal is new: {self.goal.text()} The team hears of it now and has not begun with it."
        if q.about == "plan" and self.episode.world.progress().done:
            return f"The goal is reached: {self.goal.text()} Nothing is left to be done."
        if q.about == "plan" and self.hall.helper.guide.on:
            return f"I lead the team: {self.hall.helper.plan_words()}"
        if q.about in ("plan", "doing", "why that", "under way"):
            robots = [q.robot] if q.robot else list(self.robots())
            rests = {r: f"{r} rests: {self.held[r]} has stopped it." for r in robots if r in self.held}
            rows = [rests.get(r) or f"{r}: {_act(*acts[r])}." for r in robots if r in acts or r in rests]
            talk = [f"  {who}: {text}" for who, text in self.hall.talk[-4:]] if q.about == "plan" else []
            said = ["They said lately:", *talk] if talk else []
            return "\n".join([f"The goal: {self.goal.text()}", *rows, *said])
        if q.about in ("progress", "goals"):
            progress = self.episode.world.progress()
            return f"The goal: {self.goal.text()} {round(100 * progress.partial)} % is done. {progress.text}"
        if q.about == "where":
            return self._where(q.what)
        if q.about in ("history", "changed", "took", "delivered"):
            rows = [
                f"step {s}: {w}"
                for s, w in (self.hall.events[thread.seen :] if q.about == "changed" else self.hall.events)
            ]
            thread.seen = len(self.hall.events)
            done = self.hall.done if q.about != "changed" else []
            count = f"{len(done)} action{'s have' if len(done) > 1 else ' has'} worked"
            lead = [f"{count}{'; the last' if len(done) > MOST_TOLD else ''}:"] if done else []
            rows = [*rows[-MOST_TOLD:], *lead, *(f"  step {s}: {w}" for s, w in done[-MOST_TOLD:])]
            return "\n".join(rows) or "Nothing has happened since."
        if q.about == "why":
            failed = [w for _, w in self.hall.events if "failed" in w or "refused" in w]
            return failed[-1] if failed else "Nothing has failed so far."
        if q.about == "who stopped":
            words = ", then ".join(self.stops[-2:])
            return f"{words[:1].upper()}{words[1:]}." if words else "Nobody has stopped anybody."
        if q.about == "ability":
            robots = [q.robot] if q.robot else list(self.robots())
            cards: Any = {r: self.episode.views[r].card for r in robots if r in self.episode.views}
            return "\n".join(f"{r}: {c.about or c.body}; {', '.join(c.skills)}." for r, c in cards.items())
        if q.about == "who":
            return f"Robots: {listed(list(self.robots()))}."
        if q.about == "help":
            tips = [self._example(), "What is the plan?", "How far are you?", "Where is the cup?", "Help the team."]
            tips += ["Close the sofa for Alice.", "Stop!", "Continue."]
            return "You can say, for example:\n" + "\n".join(f"  {e}" for e in tips)
        if q.about in ABOUT:
            return self.answers.of(thread.person, q)
        return "I cannot answer that for this team; ask for the plan, for progress, or where something is."

    def believed(self, thing: str) -> Any:
        """Where the robots believe a thing to be; the newest word counts."""
        facts = [f for v in self.episode.views.values() if (f := v.belief.fact("where", thing)) is not None]
        return max(facts, key=lambda f: f.time).value if facts else UNKNOWN

    def _where(self, name: str) -> str:
        if name in self.episode.views:
            at: Any = self.episode.views[name].look("at", name)
            return f"{name} is at {self.word(str(at))}." if at not in (None, UNKNOWN) else f"{name} is on its way."
        place = self.believed(name)
        if place is UNKNOWN:
            return f"Nobody of the team has seen the {self.word(name)} yet."
        return f"The {self.word(name)} is at {self.word(str(place))}, as far as the team knows."


def unnumbered(name: str) -> str:
    """`cup_2` as `cup`."""
    plain, _, number = name.rpartition("_")
    return plain if plain and number.isdigit() else name


def _act(skill: str, args: Sequence[Any], why: str) -> str:
    words = f"{skill} {' '.join(str(a) for a in args)}".strip()
    return f"{words} ({why})" if why else words
