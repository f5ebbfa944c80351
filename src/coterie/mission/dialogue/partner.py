"""A mission as a partner in talk: meanings go to what does, answers and learns them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.answers_mission import MissionAnswers
from coterie.mission.dialogue.conversation import Deed, Interaction, Question, Thread
from coterie.mission.dialogue.counterpart import Fate, Partner
from coterie.mission.dialogue.effects import Confirm, act, call
from coterie.mission.dialogue.speech import Mission, Speech
from coterie.mission.dialogue.teaching import Teaching
from coterie.mission.dialogue.zones import Zones
from coterie.mission.knowledge.authority import Refusal
from coterie.mission.reports import MISSION
from coterie.talk import meanings as m
from coterie.talk.meanings import LATER, Meaning
from coterie.talk.vocabulary import of_names
from coterie.talk.wording import listed, upper


class MissionPartner(Partner):
    kind = "mission"

    def __init__(self, mission: Mission, speech: Speech):
        super().__init__(mission, of_names(speech.names(), speech.labels(), speech.kit_names()))
        self.mission, self.speech = mission, speech
        self.answers, self.beside = MissionAnswers(self), MissionAnswers(self, looks=True)
        self.teaching = Teaching(mission, speech, self.vocabulary)
        self.zones: Zones = mission.zones

    # -- names ----------------------------------------------------------------------------------------------------
    def robots(self) -> Sequence[str]:
        return sorted(self.mission.reports.robots)

    def wants(self) -> Sequence[str]:
        return self.speech.wants()

    def people(self) -> Sequence[str]:
        return sorted(set(self.mission.authority.members) - set(self.mission.cards))

    def home(self, person: str) -> str:
        return self.speech.home(person)

    def met(self, robots: Sequence[str]) -> None:
        """Robots that are here can be spoken of."""
        for robot in robots:
            self.vocabulary.add("robot", robot)

    # -- doing ----------------------------------------------------------------------------------------------------
    def missing(self, meaning: Meaning) -> tuple[Question, Callable[[Meaning], Meaning]] | None:
        """A place for what is to be brought; a robot for who is to go."""
        if isinstance(meaning, m.Order) and not meaning.robots and any(w.kind == m.AT for w in meaning.wants):
            question = Question("Which robot should go there?", (m.Somewhere, m.Things), "Spot")
            return question, lambda answer: replace(meaning, robots=(getattr(answer, "where", ""),))
        return super().missing(meaning)

    def do(self, thread: Thread, meaning: Meaning) -> str:
        if isinstance(meaning, (m.Order, m.Tell, m.Steer)):
            self.mission.requests.anew()
        before = self._taught()
        reply = super().do(thread, meaning)
        if isinstance(meaning, (m.Tell, m.Zone)) and self._taught() != before:
            self.mission.proposals.told(thread.person, self.wording.sentence(meaning))
        return reply

    def _taught(self) -> tuple[int, Mapping[str, Any]]:
        """How often what is known has changed, and the rules of plans: both stay where words taught nothing."""
        return len(self.mission.knowledge.changes), dict(self.mission.recovery.rules)

    def refused(self, thread: Thread, meaning: Meaning, refusal: Refusal) -> str:
        """As every refusal it is noted; one that is about a goal says which in words."""
        self.mission.desk.note("refused", person=thread.person, act=refusal.act, words=refusal.words)
        goals = {g.id: f" for {self.mission.name_of(g)}," for g in self.mission.goals.all()}
        about = f" for {refusal.about},"
        return refusal.words.replace(about, goals.get(refusal.about, about))

    def deeds(self) -> Mapping[type[Meaning], Callable[[Thread, Any], str]]:
        mission, doing, teaching = self.mission, self.mission.doing, self.teaching
        return {
            m.Order: doing.order, m.Tell: doing.tell, m.Stop: mission.steering.stop, m.Steer: mission.steering.steer,
            m.Approve: self._answered, m.Refuse: self._answered, m.Alter: teaching.alter, m.Forget: teaching.forget,
            m.Policy: teaching.policy, m.Permit: self.permit, m.Zone: mission.zones.change,
        }  # fmt: skip

    def proposed(self, person: str) -> str:
        mine = [w.meant[person] for g in self.mission.goals.all("waiting")
                if person in (w := self.mission.wanted_of(g)).asked and person in w.meant]  # fmt: skip
        return f"{mine[-1]} Do you want me to do it?" if mine else ""

    def awaits(self, person: str) -> bool:
        return self.mission.requests.of(person) is not None or bool(self.proposed(person))

    def requested(self, thread: Thread, meaning: Meaning) -> Callable[[], str] | None:
        return self.mission.requests.answered(thread, meaning)

    def open_request(self, person: str) -> str:
        asked = self.mission.requests.of(person)
        return self.mission.requests.words(asked) if asked is not None else ""

    def _to_no_proposal(self, person: str, meaning: Meaning) -> str:
        """The reply to a yes or a no where no plan waits for one."""
        mission = self.mission
        if mission.requests.of(person) is not None:
            return "Thank you; say done when it is."
        word = "yes" if isinstance(meaning, m.Approve) else "no"
        under_way = [mission.name_of(g) for g in mission.ordered(states=("running",))]
        more = f" I am at work on {listed(under_way)}." if under_way else ""
        if mission.goals.all("paused") and word == "yes":
            more += " Something rests; say continue to go on."
        return f"I proposed nothing, so there is nothing to say {word} to.{more}"

    def _answered(self, thread: Thread, meaning: m.Approve | m.Refuse) -> str:
        """Yes or no: to what is proposed, or to nothing."""
        mission, person = self.mission, thread.person
        waiting = mission.goals.all("waiting")
        if not waiting:
            return self._to_no_proposal(person, meaning)
        others = {p for g in waiting for p in mission.wanted_of(g).asked} - {person}
        name = mission.name_of(mission._root(mission._awaited(person)))
        if isinstance(meaning, m.Approve):
            number = int(meaning.what) if meaning.what.isdigit() else None
            goal = mission._awaited(person).id
            if not mission._approved(person, number):
                return ""  # they have just been told what it is about
            thread.did(Deed(meaning, (goal,), self._counts))
            answers = [(t.person, t.asking.passing) for t in mission.dialogue.threads if t.asking is not None]
            others |= {p for p, read_back in answers if isinstance(read_back, (m.Approve, m.Refuse))}
            mission.inform(others, person, f"{person} said yes to the plan for {name}.")
            return "All right, I do it."
        if isinstance(meaning, m.Refuse) and meaning.what == LATER:
            return "All right, that waits; say yes or no when you know."
        said = [v.person for g in waiting if g.proposal is not None for v in g.proposal.votes if v.yes]
        if mission.untold(person):
            if meaning == m.Refuse(m.LEAVE) and thread.asked_before:  # "never mind" is about their own question
                return "All right."
            mission._rejected(person, "")
            return ""  # they have just been told what it is about
        mission.authority.require(person, "approve", mission._awaited(person).id)
        thread.did(Deed(meaning, (mission._awaited(person).id,), self._counts))
        mission.desk.tell(person, "All right, I leave that.")  # before another way is proposed
        mission._rejected(person, "")
        mission.inform({*others, *said}, person, f"{person} said no to the plan for {name}.")
        return ""

    def possible(self, thread: Thread, meaning: Meaning, instead: Deed) -> None:
        super().possible(thread, meaning, instead)
        if isinstance(meaning, m.Order):
            self.mission.doing.possible(meaning, instead.goals)

    def _counts(self, deed: Deed) -> None:
        names = listed([self.mission.name_of(self.mission._root(self.mission.goals[g])) for g in deed.goals])
        word = "yes" if isinstance(deed.meaning, m.Approve) else "no"
        raise CoterieError(f"You said {word} to a plan for {names}, and that counts. Say what you want instead.")

    def fate(self, deed: Deed, person: str) -> Fate:
        goals = [self.mission.goals[g] for g in deed.goals] if isinstance(deed.meaning, m.Order) else []
        done = listed([self.mission.name_of(g) for g in goals if g.state == "done"])
        by = sorted({g.history[-1].by for g in goals if g.state == "cancelled"} - {MISSION})
        return Fate(done, listed(["you" if p == person else p for p in by]), any(g.state == "paused" for g in goals))

    def rest(self, thread: Thread) -> str:
        return str(self.mission.steering.rest(thread))

    # -- doubts ---------------------------------------------------------------------------------------------------
    def under_way(self, what: str) -> str:
        return listed([f"{self.mission.name_of(g)} for {g.by}" for g in self.mission.ordered(what)])

    def about_to(self, person: str, meaning: m.Zone | m.Steer) -> m.Stop | None:
        if isinstance(meaning, m.Zone):
            robots = self.zones.bound_for(meaning)
        else:
            ordered = self.mission.ordered(meaning.what, meaning.where)
            own = any(g.by == person for g in self.mission.goals.live())
            robots = [] if own else sorted({i.robot for i in self.answers.steps_of(ordered)})
        return m.Stop(tuple(robots)) if robots else None

    def doubts(self, thread: Thread, meaning: Meaning) -> Confirm | None:
        steering = self.mission.steering
        if isinstance(meaning, m.Order) and not meaning.when:
            by = steering.stopper(thread.person, meaning.robots)
            words = f"{by} Do you want it all the same: {self.wording.sentence(meaning)}"
            return Confirm(meaning, words, [call(lambda: self._all_the_same(thread, meaning))]) if by else None
        if isinstance(meaning, m.Steer):
            return steering.doubts(thread, meaning)
        if isinstance(meaning, m.Forget) and meaning.label:
            return self.teaching.doubts(thread, meaning)
        if isinstance(meaning, m.Forget) and self.proposed(thread.person):
            root = self.mission._root(self.mission._awaited(thread.person)).id
            other = thread.last is not None and root not in thread.last.goals
            return None if other else self._calling_off(thread, root)
        if isinstance(meaning, (m.Approve, m.Refuse)) and not self._answers_something(thread, meaning):
            return self._to_nothing(thread, meaning)
        return None

    def _all_the_same(self, thread: Thread, order: m.Order) -> str:
        """Begin something although another person has said stop, and tell them."""
        held, words = self.mission.steering.held, self.wording.sentence(order)
        people = {held[r] for r in ("", *order.robots) if r in held}
        reply = self.act(thread, order)
        self.mission.inform(people, thread.person, f"{thread.person} wants, although you said stop: {words}")
        return reply

    def _answers_something(self, thread: Thread, meaning: Meaning) -> bool:
        """True if a yes or no is waited for; "never mind" of whom no proposal was told is about their last order."""
        asked = self.mission.requests.of(thread.person) is not None
        own = thread.last is not None and thread.spoken == thread.last.turn + 1
        if asked or not self.mission.goals.all("waiting"):
            return asked
        return not (own and meaning == m.Refuse(m.LEAVE) and self.mission.untold(thread.person))

    def _to_nothing(self, thread: Thread, meaning: Meaning) -> Confirm | None:
        """A yes where something rests, and a no to what was ordered: that may be meant."""
        resting, last = self.mission.ordered(states=("paused",)), thread.last
        if isinstance(meaning, m.Approve) and not resting:
            return self.mission.proposals.late_yes(thread)
        if last is None or not isinstance(last.meaning, (m.Stop, m.Steer, m.Order)):
            return None
        if isinstance(meaning, m.Approve):
            go_on, names = m.Steer("resume"), listed([self.mission.name_of(g) for g in resting])
            return Confirm(go_on, f"{upper(names)} rests. Do you want me to go on?", [act(go_on)])
        live = [g for g in last.goals if not self.mission.goals[g].over and isinstance(last.meaning, m.Order)]
        later = meaning == m.Refuse(LATER)
        return self._calling_off(thread, *live, how="pause" if later else "cancel") if live else None

    def _calling_off(self, thread: Thread, *goals: str, how: str = "cancel") -> Confirm:
        mission, word = self.mission, "call off" if how == "cancel" else "wait with"
        roots = {r.id: r for r in (mission._root(mission.goals[g]) for g in goals)}
        doubt: Confirm = mission.steering.doubt(thread, m.Steer(how), list(roots.values()), "", word)
        return doubt

    # -- answering and learning -----------------------------------------------------------------------------------
    def teach(self, thread: Thread, meaning: m.Teach) -> Interaction:
        return self.teaching.begin(thread, meaning)

    def seen(self, thread: Thread, meaning: Meaning) -> Meaning:
        if not isinstance(meaning, m.Show):
            return meaning
        found = self.speech.views(thread.person, self.robots(), self.mission.now_only().look)
        return replace(meaning, seen=tuple(found))
