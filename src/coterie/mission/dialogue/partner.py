"""A mission as a partner in talk: meanings go to what does, answers and learns them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.answers_work import MissionAnswers
from coterie.mission.dialogue.conversation import Deed, Interaction, Question, Thread
from coterie.mission.dialogue.counterpart import Doubt, Fate, Partner
from coterie.mission.dialogue.speech import Mission, Speech
from coterie.mission.dialogue.teaching import Teaching
from coterie.mission.dialogue.zones import Zones
from coterie.mission.goals import Goal
from coterie.mission.knowledge.authority import Refusal
from coterie.talk import meanings as m
from coterie.talk.meanings import LATER, Meaning
from coterie.talk.vocabulary import Vocabulary, of_names
from coterie.talk.wording import Wording, listed, upper

#: What is refused to those without a right, of what may be put right.
NEEDS = {m.Order: "command", m.Zone: "command", m.Alter: "teach", m.Policy: "policy"}


class MissionPartner(Partner):
    def __init__(self, mission: Mission, speech: Speech):
        self.team = self.mission = mission
        self.speech = speech
        self.vocabulary: Vocabulary = of_names(speech.names(), speech.labels(), speech.kit_names())
        self.answers = MissionAnswers(mission, speech)
        self.teaching = Teaching(mission, speech, self.vocabulary)
        self._examples: tuple[tuple[Any, ...], list[str]] | None = None

    # -- names ----------------------------------------------------------------------------------------------------
    def robots(self) -> Sequence[str]:
        return sorted(self.mission.reports.robots)

    def wants(self) -> Sequence[str]:
        return self.speech.wants()

    def people(self) -> Sequence[str]:
        return sorted(set(self.mission.authority.members) - set(self.mission.cards))

    def home(self, person: str) -> str:
        return self.speech.home(person)

    @property
    def zones(self) -> Zones:
        found: Zones = self.mission.zones
        return found

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
        proposals = self.mission.proposals
        before = proposals.sound() if isinstance(meaning, (m.Tell, m.Zone)) else []
        reply = super().do(thread, meaning)
        stated = {c.what for c in meaning.claims if c.holds and c.what} if isinstance(meaning, m.Tell) else ()
        proposals.told(before, thread.person, self.wording.sentence(meaning), stated)
        return reply

    def refused(self, thread: Thread, meaning: Meaning, refusal: Refusal) -> str:
        """As every refusal it is noted; one that is about a goal says which in words."""
        self.mission.desk.note("refused", person=thread.person, act=refusal.act, words=refusal.words)
        goal = next((g for g in self.mission.goals.all() if g.id == refusal.about), None)
        named = f" for {self.mission.name_of(goal)}," if goal is not None else ""
        return refusal.words.replace(f" for {refusal.about},", named) if named else refusal.words

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
        return self._requested(person) or bool(self.proposed(person))

    def requested(self, thread: Thread, meaning: Meaning) -> Callable[[], str] | None:
        return self.mission.requests.answered(thread, meaning)

    def open_request(self, person: str) -> str:
        asked = self.mission.requests.of(person)
        return self.mission.requests.words(asked) if asked is not None else ""

    def _requested(self, person: str) -> bool:
        """Whether a robot or the mission has asked this person for a thing or a favour."""
        return self.mission.requests.of(person) is not None

    def _to_no_proposal(self, person: str, meaning: Meaning) -> str:
        """What is said to a yes or a no where no plan waits for one."""
        mission = self.mission
        if self._requested(person):
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
            others |= {t.person for t in mission.dialogue.threads if _about_to_answer(t)}
            mission.inform(others, person, f"{person} said yes to the plan for {name}.")
            return "All right, I do it."
        if isinstance(meaning, m.Refuse) and meaning.what == LATER:
            return "All right, that waits; say yes or no when you know."
        said = [v.person for g in waiting if g.proposal is not None for v in g.proposal.votes if v.yes]
        if mission.untold(person):
            if _leaves(meaning) and thread.asked_before:  # that is about their own question
                return "All right."
            mission._rejected(person, "")
            return ""  # they have just been told what it is about
        mission.authority.require(person, "approve", mission._awaited(person).id)
        thread.did(Deed(meaning, (mission._awaited(person).id,), self._counts))
        mission.desk.tell(person, "All right, I leave that.")  # before another way is proposed
        mission._rejected(person, "")
        mission.inform({*others, *said}, person, f"{person} said no to the plan for {name}.")
        return ""

    def lesson_left(self, person: str, right: str) -> str:
        return self.teaching.leave(self.mission.dialogue.threads.of(person), right)

    def possible(self, thread: Thread, meaning: Meaning, instead: Deed) -> None:
        right = next((r for kind, r in NEEDS.items() if isinstance(meaning, kind)), "")
        if right:
            self.mission.authority.require(thread.person, right)
        if isinstance(meaning, m.Order):
            self.mission.doing.possible(meaning, instead.goals)

    def _counts(self, deed: Deed) -> None:
        names = listed([self.mission.name_of(self.mission._root(self.mission.goals[g])) for g in deed.goals])
        word = "yes" if isinstance(deed.meaning, m.Approve) else "no"
        raise CoterieError(f"You said {word} to a plan for {names}, and that counts. Say what you want instead.")

    def fate(self, deed: Deed, person: str) -> Fate:
        return self.mission.doing.fate(deed, person)

    def rest(self, thread: Thread) -> str:
        return str(self.mission.steering.rest(thread))

    # -- doubts ---------------------------------------------------------------------------------------------------
    def under_way(self, what: str) -> str:
        return listed([f"{self.mission.name_of(g)} for {g.by}" for g in self.mission.ordered(what)])

    def forbids(self, thread: Thread, meaning: Meaning) -> Callable[[], str] | None:
        person, authority, steering = thread.person, self.mission.authority, self.mission.steering
        if not isinstance(meaning, (m.Zone, m.Steer)) or authority.may(person, "command"):
            return None
        stop, who = m.Stop(tuple(steering.forbidden(meaning))), upper(listed(authority.who_may("command")))
        if isinstance(meaning, m.Steer):
            own = any(g.by == person for g in self.mission.goals.live())
            return (
                (lambda: f"{steering.stop(thread, stop)} {who} may call it off.") if stop.robots and not own else None
            )
        place = self.wording.name(meaning.where)
        may = f"{who} may close {place} for robots; you may stop them."
        if stop.robots:
            return lambda: f"{steering.stop(thread, stop)} {may}"
        nobody = f"{listed(meaning.robots)} is not" if meaning.robots else "No robot is"
        return lambda: f"{nobody} on the way to {place}. {may}"

    def doubts(self, thread: Thread, meaning: Meaning) -> Doubt | None:
        steering = self.mission.steering
        if isinstance(meaning, m.Order) and not meaning.when:
            by = steering.stopper(thread.person, meaning.robots)
            words = f"{by} Do you want it all the same: {self.wording.sentence(meaning)}"
            return Doubt(words, meaning, lambda: self._all_the_same(thread, meaning)) if by else None
        if isinstance(meaning, m.Steer):
            return steering.doubts(thread, meaning)
        if isinstance(meaning, m.Forget) and meaning.label:
            return self.teaching.doubts(thread, meaning)
        if isinstance(meaning, m.Forget) and not meaning.label and self.proposed(thread.person):
            root = self.mission._root(self.mission._awaited(thread.person)).id
            other = thread.last is not None and root not in thread.last.goals
            return None if other else self._calling_off(thread, root)
        answers = isinstance(meaning, (m.Approve, m.Refuse))
        if answers and (not self._asked(thread.person) or self._own_first(thread, meaning)):
            return self._to_nothing(thread, meaning)
        return None

    def _all_the_same(self, thread: Thread, order: m.Order) -> str:
        """Something begins although somebody else has said stop: they are told."""
        held, words = self.mission.steering.held, self.wording.sentence(order)
        people = {held[r] for r in ("", *order.robots) if r in held}
        reply = self.act(thread, order)
        self.mission.inform(people, thread.person, f"{thread.person} wants, although you said stop: {words}")
        return reply

    def _asked(self, person: str) -> bool:
        """Whether anything waits for a yes or a no that this person may give."""
        return self._requested(person) or bool(self.mission.goals.all("waiting"))

    def _own_first(self, thread: Thread, meaning: Meaning) -> bool:
        """Whether "never mind" is about what its speaker has just ordered: of what is proposed they know nothing."""
        if self._requested(thread.person) or not _leaves(meaning) or not self.mission.untold(thread.person):
            return False
        return thread.last is not None and thread.spoken == thread.last.turn + 1

    def _to_nothing(self, thread: Thread, meaning: Meaning) -> Doubt | None:
        """A yes where something rests, and a no to what was ordered: that may be meant."""
        resting = self.mission.ordered(states=("paused",))
        own = thread.last is not None and isinstance(thread.last.meaning, (m.Stop, m.Steer, m.Order))
        if isinstance(meaning, m.Approve) and not resting:
            return self.mission.proposals.late_yes(thread)
        if isinstance(meaning, m.Approve):
            go_on = m.Steer("resume")
            if not own:
                return None
            names = listed([self.mission.name_of(g) for g in resting])
            words = f"{upper(names)} rests. Do you want me to go on?"
            return Doubt(words, go_on, lambda: self.act(thread, go_on))
        last = thread.last
        if last is None or not isinstance(last.meaning, m.Order):
            return None
        live = [g for g in last.goals if not self.mission.goals[g].over]
        later = isinstance(meaning, m.Refuse) and meaning.what == LATER
        return self._calling_off(thread, *live, how="pause" if later else "cancel") if live else None

    def _calling_off(self, thread: Thread, *goals: str, how: str = "cancel") -> Doubt:
        mission, word = self.mission, "call off" if how == "cancel" else "wait with"
        roots = {r.id: r for r in (mission._root(mission.goals[g]) for g in goals)}
        doubt: Doubt = mission.steering.doubt(thread, m.Steer(how), list(roots.values()), "", word)
        return doubt

    # -- answering and learning -----------------------------------------------------------------------------------
    def teach(self, thread: Thread, meaning: m.Teach) -> Interaction:
        return self.teaching.begin(thread, meaning)

    def start_taught(self, person: str, label: str, robots: Sequence[str] = ()) -> list[Goal]:
        return self.teaching.start(person, label, robots)

    # -- what can be said -----------------------------------------------------------------------------------------
    def tips(self) -> list[str]:
        return tips_of(self.vocabulary, list(self.speech.kit_names()))

    def examples(self) -> list[str]:
        """Sentences in the names of the scene, one for everything that can be meant."""
        mark = tuple(self.vocabulary.phrases)
        if self._examples is None or self._examples[0] != mark:
            self._examples = (mark, list(dict.fromkeys(examples_of(self.vocabulary))))
        return self._examples[1]


def _about_to_answer(thread: Thread) -> bool:
    """Whether somebody's yes or no was read back and waits."""
    return thread.asking is not None and isinstance(thread.asking.passing, (m.Approve, m.Refuse))


def _leaves(meaning: Meaning) -> bool:
    """Whether a no only leaves something: "never mind"."""
    return isinstance(meaning, m.Refuse) and meaning.what == m.LEAVE


# -- sentences that can be said, in the names of a scene --------------------------------------------------------------
def tips_of(vocabulary: Vocabulary, kits: Sequence[str]) -> list[str]:
    """A few sentences for a newcomer."""
    rooms = vocabulary.names("room")
    kit = kits[-1] if kits else "medkit"
    room = next((r for r in rooms if r in ("alpha", "beta", "gamma")), rooms[0] if rooms else "alpha")
    return [
        "Define a new kit 'firstaid'.", f"Deliver a {kit} to {room}.", "What is your plan?",
        "How likely is it to work?", "What if table E is empty?", "Yes.", "What is going on?", "Why did you fail?",
        "Who can open doors?", "There are two painkillers on table C.",
        "If something is missing, ask the pharmacist.", "Stop!",
    ]  # fmt: skip


def examples_of(v: Vocabulary) -> list[str]:
    """One for everything that can be meant."""
    w = Wording(v)
    kit, room, table, person = (next(iter(v.names(kind)), "") for kind in ("kit", "room", "table", "person"))
    tables = v.names("table") or [table]
    rooms = [r for r in v.names("room") if r in ("alpha", "beta", "gamma")] or [room]
    S, D, O = m.STOCK, m.DOOR, m.Order  # noqa: E741
    found: list[Meaning] = [O((m.Want(m.KIT, k, r),)) for k in v.names("kit") for r in rooms]
    found += [O((m.Want(m.KIT, k),)) for k in v.names("kit")]
    found += [O((m.Want(D, d),)) for d in v.names("door")]
    found += [O((m.Want(S, i, tables[-1], 2),)) for i in v.names("item")]
    found += [O((m.Want(S, i, tables[-1], 1, source=person),)) for i in v.names("item")[:2]]
    found += [O((m.Want(m.AT, "", r),), (x,)) for x in v.names("robot") for r in rooms[:1]]
    found += [O((m.Want(m.LOOK, i, t),)) for i, t in zip(v.names("item"), tables)]
    found += [m.Ask(a) for a in ("plan", "duration", "chance", "why", "doing", "progress", "history", "changed",
                                 "taught", "understood", "goals", "who", "help", "ability", "why that")]  # fmt: skip
    found += [m.Ask("where", what=i) for i in v.names("item")] + [m.Ask("where", what=r) for r in v.names("robot")]
    found += [m.Ask("how many", what=i, where=t) for i, t in zip(v.names("item"), tables)]
    found += [m.Ask("contents", what=t) for t in tables] + [m.Ask("contents", what=k) for k in v.names("kit")]
    found += [m.Ask("doing", robot=r) for r in v.names("robot")] + [m.Ask("ability", robot=r) for r in v.names("robot")]
    found += [m.Ask("who can", skill=s) for s in ("open", "carry", "pick", "pack")]
    found += [m.Ask("can", robot=r, skill=s) for r in v.names("robot") for s in ("open", "pack")]
    found += [m.Ask("what if", claims=(m.Claim(m.EMPTY, "", t),)) for t in tables]
    found += [m.Ask("what if", claims=(m.Claim(m.ABLE, r, holds=False),)) for r in v.names("robot")]
    found += [m.Ask("is it so", claims=(m.Claim(D, d),)) for d in v.names("door")]
    found += [m.Ask("why not", wants=(m.Want(m.KIT, kit, rooms[0]),))]
    found += [m.Ask("who may", right=r) for r in ("approve", "teach", "command")]
    found += [m.Tell((m.Claim(S, i, t, holds=h),)) for i, t in zip(v.names("item"), tables) for h in (True, False)]
    found += [m.Tell((m.Claim(m.EMPTY, "", t),)) for t in tables]
    found += [
        m.Tell((m.Claim(k, d, holds=h),)) for d in v.names("door") for k, h in ((D, True), (D, False), (m.JAMMED, True))
    ]
    found += [m.Tell((m.Claim(m.ABLE, r, holds=False),)) for r in v.names("robot")]
    found += [m.Tell((m.Claim(m.PRESENT, p, holds=False),)) for p in v.names("person")]
    found += [m.Approve(), m.Refuse(), m.Stop(), m.Steer("pause"), m.Steer("resume"), m.Steer("cancel")]
    found += [m.Stop((r,)) for r in v.names("robot")] + [m.Steer(h, kit) for h in ("pause", "resume", "cancel")]
    found += [m.Steer("prioritise", kit, "high"), m.Teach("kit", "firstaid"), m.Teach("task", "night round")]
    found += [m.Teach("skill", "inspection"), m.Forget(kit), m.Forget(), m.Repeat(), m.Greet()]
    found += [m.Alter(kit, how, i, 1) for how in ("add", "remove") for i in v.names("item")]
    found += [m.Policy((m.Claim(S, holds=False),), "ask", p) for p in v.names("person")]
    found += [m.Policy((m.Claim(m.HOLD, holds=False),), "retry"), m.Policy((m.Claim(m.JAMMED),), "give up")]
    found += [m.Permit(p, r) for p in v.names("person") for r in ("approve", "command")]
    return [w.sentence(x) for x in found if "  " not in w.sentence(x)]
