"""A mission as a partner in talk: meanings go to what does, answers and learns them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.answers import Answers
from coterie.mission.dialogue.asking import Interaction, Question
from coterie.mission.dialogue.counterpart import Doubt, Fate, Partner
from coterie.mission.dialogue.examples import examples_of, tips_of
from coterie.mission.dialogue.instead import Instead
from coterie.mission.dialogue.speech import Mission, Speech
from coterie.mission.dialogue.teaching import Teaching
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.mission.goals import Goal
from coterie.mission.knowledge import Refused
from coterie.talk import meanings as m
from coterie.talk.meanings import LATER, Meaning
from coterie.talk.vocabulary import Vocabulary, of_names
from coterie.talk.wording import listed, upper

RIGHTS = {"prioritise": "priority"}
#: What is refused to those without a right, of what may be put right.
NEEDS = {m.Order: "command", m.Zone: "command", m.Alter: "teach", m.Policy: "policy"}


class MissionPartner(Partner):
    def __init__(self, mission: Mission, speech: Speech):
        self.mission, self.speech = mission, speech
        self.vocabulary: Vocabulary = of_names(speech.names(), speech.labels(), speech.kit_names())
        self.answers = Answers(mission, speech)
        self.teaching = Teaching(mission, speech, self.vocabulary)
        self.approved: dict[str, str] = {}  # who said yes to a plan for a goal, the last at the end
        self._examples: tuple[tuple[Any, ...], list[str]] | None = None

    # -- names ----------------------------------------------------------------------------------------------------
    def robots(self) -> Sequence[str]:
        return sorted(self.mission.reports.robots)

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
        if not isinstance(meaning, m.Order):
            return None
        for i, want in enumerate(meaning.wants):
            if want.kind == m.STOCK and not want.where:
                what = self.wording.some(want.what, want.count)
                question = Question(f"Where should I bring {what}?", (m.Somewhere,), "table G")
                return question, lambda answer, i=i: _with(meaning, i, answer)
            if want.kind == m.AT and not meaning.robots:
                question = Question("Which robot should go there?", (m.Somewhere, m.Things), "Spot")
                return question, lambda answer: replace(meaning, robots=(_named(answer),))
        return None

    def do(self, thread: Thread, meaning: Meaning) -> str:
        proposals = self.mission.doing.proposals
        before = proposals.sound() if isinstance(meaning, (m.Tell, m.Zone)) else []
        try:
            reply = self._act(thread, meaning)
            stated = {c.what for c in meaning.claims if c.holds and c.what} if isinstance(meaning, m.Tell) else ()
            proposals.told(before, thread.person, self.wording.sentence(meaning), stated)
            return reply
        except Refused as err:
            self.mission.desk.note(
                "refused", person=thread.person, act=err.refusal.act, words=err.refusal.words
            )  # as every refusal
            if isinstance(meaning, m.Order):
                self.mission.doing.decline(thread.person, err.refusal.words)
            return self._named(err.refusal.words, err.refusal.about)

    def _named(self, words: str, goal: str) -> str:
        """A refusal that is about a goal says which in words."""
        known = {g.id: g for g in self.mission.goals.all()}
        return words.replace(f" for {goal},", f" for {self.mission.name_of(known[goal])},") if goal in known else words

    def _act(self, thread: Thread, meaning: Meaning) -> str:
        doing, teaching = self.mission.doing, self.teaching
        if isinstance(meaning, m.Order):
            return doing.order(thread, meaning)
        if isinstance(meaning, m.Tell):
            return doing.tell(thread, meaning)
        if isinstance(meaning, m.Stop):
            return doing.steering.stop(thread, meaning)
        if isinstance(meaning, m.Steer):
            return doing.steering.steer(thread, meaning)
        if isinstance(meaning, (m.Approve, m.Refuse)):
            return self._answered(thread, meaning)
        if isinstance(meaning, m.Alter):
            return teaching.alter(thread, meaning)
        if isinstance(meaning, m.Forget):
            return teaching.forget(thread, meaning)
        if isinstance(meaning, m.Policy):
            return teaching.policy(thread, meaning)
        if isinstance(meaning, m.Permit):
            return self._permit(thread, meaning)
        if isinstance(meaning, m.Zone):
            return doing.zones.change(thread, meaning)
        raise CoterieError("I understand it, but there is nothing that I could do about it.")

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
        disagreed = self._too_late(person) if word == "no" else ""
        if disagreed:
            return disagreed
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
            thread.did(Deed(meaning, (goal,)))
            self.approved[mission._root(mission.goals[goal]).id] = person
            others |= {t.person for t in mission.dialogue.threads if _about_to_answer(t)}
            mission.doing.inform(others, person, f"{person} said yes to the plan for {name}.")
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
        thread.did(Deed(meaning, (mission._awaited(person).id,)))
        mission.desk.tell(person, "All right, I leave that.")  # before another way is proposed
        mission._rejected(person, "")
        mission.doing.inform({*others, *said}, person, f"{person} said no to the plan for {name}.")
        return ""

    def _too_late(self, person: str) -> str:
        """A no to a plan that somebody else has said yes to: both are told, and how it can be ended."""
        mission = self.mission
        live = [(g, by) for i, by in self.approved.items() if not (g := mission.goals[i]).over and by != person]
        if not live or not mission.authority.may(person, "approve"):
            return ""
        goal, by = live[-1]
        name, kit = mission.name_of(goal), mission.subject(goal)[0]
        mission.doing.inform({by}, person, f"{person} says no to the plan for {name} that you said yes to.")
        cancel = self.wording.sentence(m.Steer("cancel", kit))
        return f"{by} has said yes to the plan for {name}, and it is under way. To end it, say: Stop! Or: {cancel}"

    def _permit(self, thread: Thread, permit: m.Permit) -> str:
        act, by = RIGHTS.get(permit.right, permit.right), thread.person
        authority, name = self.mission.authority, self.wording.name(permit.person)
        if permit.holds:
            until = self.mission.now + 60.0 * permit.minutes if permit.minutes else None
            if authority.may(permit.person, act) and not self._otherwise(by, permit.person, act, until):
                for_good = " by role, and not only for a time" if permit.minutes else ""
                return f"{name.capitalize()} may do that already{for_good}."
            thread.did(Deed(permit))
            authority.grant(by, permit.person, act, until=until)
            for_how_long = f" for {permit.minutes} minute{'s' * (permit.minutes != 1)}" if permit.minutes else ""
            self.mission.desk.tell(permit.person, f"{by} lets you {_act_words(act)}{for_how_long}.")
            return f"All right: {name} may {_act_words(act)}{for_how_long}."
        gone = authority.revoke(by, permit.person, act)
        if authority.may(permit.person, act):
            return f"{name.capitalize()} may {_act_words(act)} by role; that cannot be taken back here."
        if gone:
            thread.did(Deed(permit))
            left = self.teaching.leave(self.mission.dialogue.threads.of(permit.person), act)
            self.mission.desk.tell(permit.person, f"{by} takes back that you may {_act_words(act)}.{left}")
        return f"All right: {name} may not {_act_words(act)}."

    def _otherwise(self, by: str, person: str, act: str, until: float | None) -> bool:
        """Whether a right that somebody has is given for another time from now on; what they may by role is not."""
        authority = self.mission.authority
        given = [g for g in authority.grants.values() if (g.person, g.act, g.about) == (person, act, "")]
        if not given or (until is None and any(g.until is None for g in given)):
            return False
        authority.revoke(by, person, act)
        return not authority.may(person, act)

    def possible(self, thread: Thread, meaning: Meaning, instead: Deed) -> None:
        right = next((r for kind, r in NEEDS.items() if isinstance(meaning, kind)), "")
        if right:
            self.mission.authority.require(thread.person, right)
        if isinstance(meaning, m.Order):
            self.mission.doing.possible(meaning, instead.goals)

    def undo(self, thread: Thread, deed: Deed) -> None:
        if isinstance(deed.meaning, m.Alter):
            self.teaching.undo_last(thread)
        elif isinstance(deed.meaning, m.Policy):
            self.teaching.drop_policy(thread, deed.meaning)
        elif isinstance(deed.meaning, m.Permit):
            self._permit(thread, replace(deed.meaning, holds=not deed.meaning.holds, minutes=0))
        elif isinstance(deed.meaning, (m.Approve, m.Refuse)):
            names = listed([self.mission.name_of(self.mission._root(self.mission.goals[g])) for g in deed.goals])
            word = "yes" if isinstance(deed.meaning, m.Approve) else "no"
            raise CoterieError(f"You said {word} to a plan for {names}, and that counts. Say what you want instead.")
        else:
            self.mission.doing.undo(thread, deed)

    def fate(self, deed: Deed, person: str) -> Fate:
        return self.mission.doing.fate(deed, person)

    def rest(self, thread: Thread) -> str:
        return str(self.mission.doing.steering.rest(thread))

    def turned_away(self, person: str) -> str:
        try:
            self.mission.authority.require(person, "command")
        except Refused as err:
            return err.refusal.words
        return ""

    # -- doubts ---------------------------------------------------------------------------------------------------
    def instead(self, thread: Thread, order: Meaning, same: bool, wrong: str = "") -> Doubt | str:
        made = Instead(self.mission)
        return made.of(thread, order, same, wrong) if isinstance(order, m.Order) else made.part_of(thread, order)

    def restored(self, thread: Thread, deed: Deed) -> str:
        return Instead(self.mission).restored(thread, deed)

    def forbids(self, thread: Thread, meaning: Meaning) -> Callable[[], str] | None:
        person, authority, steering = thread.person, self.mission.authority, self.mission.doing.steering
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
        steering = self.mission.doing.steering
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
        held, words = self.mission.doing.steering.held, self.wording.sentence(order)
        people = {held[r] for r in ("", *order.robots) if r in held}
        reply = self.act(thread, order)
        self.mission.doing.inform(people, thread.person, f"{thread.person} wants, although you said stop: {words}")
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
            return self.mission.doing.proposals.late_yes(thread)
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
        roots = list(dict.fromkeys(self.mission._root(self.mission.goals[g]).id for g in goals))
        names = listed([self.mission.name_of(self.mission.goals[g]) for g in roots])
        steer = m.Steer(how)

        def then() -> str:
            live = [g for i in roots if not (g := self.mission.goals[i]).over]
            return str(self.mission.doing.steering.change(thread, steer, live))

        return Doubt(f"Do you want me to {'call off' if how == 'cancel' else 'wait with'} {names}?", steer, then)

    # -- answering and learning -----------------------------------------------------------------------------------
    def answer(self, thread: Thread, question: m.Ask) -> str:
        return self.answers.of(thread, question)

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


def _with(order: m.Order, i: int, answer: Meaning) -> Meaning:
    assert isinstance(answer, m.Somewhere)
    wants = list(order.wants)
    wants[i] = replace(wants[i], where=answer.where)
    return replace(order, wants=tuple(wants))


def _about_to_answer(thread: Thread) -> bool:
    """Whether somebody's yes or no was read back and waits."""
    return thread.asking is not None and isinstance(thread.asking.passing, (m.Approve, m.Refuse))


def _leaves(meaning: Meaning) -> bool:
    """Whether a no only leaves something: "never mind"."""
    return isinstance(meaning, m.Refuse) and meaning.what == m.LEAVE


def _named(answer: Meaning) -> str:
    return answer.where if isinstance(answer, m.Somewhere) else ""


def _act_words(act: str) -> str:
    from coterie.mission.knowledge.authority import ACTS

    return ACTS[act]
