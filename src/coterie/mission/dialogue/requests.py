"""Requests of robots and the mission to people: a thing to be handed over, or a favour; and the effect of the answers.

A robot that asks for a thing waits for the word of a person who has spoken in this talk. For everybody else the world
answers as it would without a talk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from coterie.core.skill import Rule
from coterie.mission.agenda import Item
from coterie.mission.asking import PATIENCE_S
from coterie.mission.dialogue.conversation import Thread
from coterie.mission.dialogue.effects import Confirm, call
from coterie.mission.dialogue.speech import Mission
from coterie.mission.dialogue.zones import against, enforced
from coterie.mission.goals import Goal
from coterie.mission.mending import HELP_S
from coterie.mission.policies import Alternative
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.wording import upper

HERE, GIVES, HAS_NONE, LATER, HOW_MANY = "here", "gives", "has none", "later", "how many"
REPLIES = {GIVES: "Thank you.", HAS_NONE: "I see; I look for another way."}
REMINDED_S = 60.0  # after which a person who was asked for something is asked again, once


class Asked(NamedTuple):
    """A request to one person: for a `thing` by the robot of a step, or for a favour for a goal."""

    person: str
    thing: str = ""
    item: Item | None = None
    goal: str = ""


def answer_to(asked: Asked, meaning: Meaning) -> str:
    """The answer that a meaning gives to a request; empty where it gives none."""
    if isinstance(meaning, m.Approve):
        return GIVES if asked.item is not None else ""
    if isinstance(meaning, (m.Nothing, m.Show)):
        return GIVES
    if isinstance(meaning, m.Refuse):
        return LATER if meaning.what == m.LATER else HAS_NONE
    if m.only_waits(meaning):
        return LATER
    if isinstance(meaning, m.Ask):
        return HOW_MANY if meaning.about in ("amount", "how many") and meaning.what in ("", asked.thing) else ""
    if isinstance(meaning, m.Tell) and asked.item is not None:
        lacks = [c for c in meaning.claims if c.kind in (m.SUPPLY, m.STOCK) and not c.holds]
        mine = [c for c in lacks if c.what in (asked.thing, "@it") and c.where in (asked.person, "@me", "@here", "")]
        return HAS_NONE if mine else ""
    return ""


class Requests:
    """One for a mission."""

    def __init__(self, mission: Mission):
        self.mission = mission
        self._here: set[str] = set()  # people who speak for themselves
        self._over: set[int] = set()  # steps whose request was answered, and that end by it
        self._reminded: set[object] = set()
        self._unable: dict[str, Rule] = {}  # rules against steps that people of the team cannot do

    def asks(self, item: Item) -> Asked | None:
        """The request of a step to a person, if any."""
        people, kinds = self.mission.domain.people(), self.mission.domain.objects()
        if self.mission.cards[item.robot].person:
            return Asked(item.robot, "", item, item.goal)
        person = next((a for a in item.action.args if a in people), "")
        thing = next((a for a in item.action.args if kinds.get(a) == "item"), "")
        gets = self.mission.domain.disturbs(item.action.skill)  # from the robot, instead of giving it something
        return Asked(person, thing, item, item.goal) if person and thing and not gets else None

    def of(self, person: str) -> Asked | None:
        """The request that waits for a person's answer."""
        running = [self.asks(i) for i in self.mission.agenda.running() if i.number not in self._over]
        favours = [Asked(w.request.person, goal=g) for g, w in self.mission.wanted.items() if w.request is not None]
        return next((a for a in (*running, *favours) if a is not None and a.person == person), None)

    def waits(self, item: Item) -> bool:
        """True if a step waits for the word of a person who speaks for themselves."""
        asked = self.asks(item)
        return asked is not None and asked.person in self._here and item.number not in self._over

    # -- asking ---------------------------------------------------------------------------------------------------
    def heard(self, person: str) -> None:
        """A person speaks: from now on robots that ask this person for something wait for the answer."""
        things = (n for n, kind in self.mission.domain.objects().items() if kind == "item")
        member = person in self.mission.cards and self.mission.cards[person].person
        if person not in self._here and (member or any(person in self.mission.speech.people_of(t) for t in things)):
            self._here.add(person)
            self._act(person, HERE)

    def begun(self, item: Item) -> None:
        """A step begins: a person whom it asks for something hears that."""
        asked = self.asks(item)
        if asked is not None and asked.thing:  # a person of the team was told what to do
            self.mission.desk.tell(asked.person, self.words(asked))

    def words(self, asked: Asked) -> str:
        if asked.item is not None and not asked.thing:
            return f"{self.mission.please(asked.item)} Say done when it is."
        if asked.item is not None:
            return f"This is {asked.item.robot}. Could I please have {self.mission.wording.some(asked.thing, 1)}?"
        return f"Could you please {self.mission.wanted[asked.goal].request.words}? Say done when it is."

    def remind(self) -> None:
        """Ask a person who has not answered for a while once more."""
        for asked in filter(None, map(self.of, sorted(self._here))):
            request = self.mission.wanted[asked.goal].request
            since = asked.item.begun_s if asked.item is not None else request.until_s - HELP_S
            mark = (asked.goal, since)
            if self.mission.now >= since + REMINDED_S and mark not in self._reminded:
                self._reminded.add(mark)
                self.mission.desk.tell(asked.person, f"I still wait for you. {self.words(asked)}")

    # -- answers --------------------------------------------------------------------------------------------------
    def answered(self, thread: Thread, meaning: Meaning) -> Callable[[], str] | None:
        """The effect of an answer; None where it answers nothing."""
        asked = self.of(thread.person)
        says = answer_to(asked, meaning) if asked is not None else ""
        if asked is None or not says:
            return None
        return lambda: self._take(asked, says)

    def _take(self, asked: Asked, says: str) -> str:
        if self.of(asked.person) != asked:
            return "That is over by now; I do not need it any more."
        if says == HOW_MANY:
            return self._how_many(asked)
        return self._thing(asked, says) if asked.item is not None else self._favour(asked, says)

    def _how_many(self, asked: Asked) -> str:
        if asked.item is None or not asked.thing:
            return self.words(asked)
        steps = [self.asks(i) for i in self.mission.agenda]
        count = sum(a is not None and (a.person, a.thing) == (asked.person, asked.thing) for a in steps)
        each = ", one at a time" * (count > 1)
        return f"{upper(self.mission.wording.some(asked.thing, count))}{each}, please."

    def _thing(self, asked: Asked, says: str) -> str:
        assert asked.item is not None
        if says == HAS_NONE and asked.thing:  # no plan counts on it that this person has such a thing
            steps = self.mission.speech.limits(m.SUPPLY, asked.thing, asked.person, False) or []
            self.mission.doing.limit(m.Claim(m.SUPPLY, asked.thing, asked.person, holds=False), steps)
        elif says == HAS_NONE:
            self._not_by(asked.item)
        if says != LATER:
            self._over.add(asked.item.number)
        self._act(asked.person, says)
        waits = f"All right, {asked.item.robot} waits; say it when you have it. To halt robots, say: Stop!"
        return waits if says == LATER else REPLIES[says]

    def _not_by(self, item: Item) -> None:
        """No plan asks a person of the team again for a step that they cannot do, until something else is said."""
        skill = self.mission.domain.skills.find(item.action.skill)
        given = list(zip(skill.params if skill is not None else (), item.action.args))
        about = {p.name: str(a) for p, a in given if p.kind != "pose"} or {p.name: str(a) for p, a in given[-1:]}
        step = self.mission.please(item).partition("please ")[2]
        rule = against(item.action.skill, {"robot": item.robot, **about}, f"{item.robot} cannot {step}")
        enforced(self.mission, [rule], True)
        self._unable[rule.name] = rule

    def anew(self) -> None:
        """An order or a fact may have changed what people can do."""
        enforced(self.mission, self._unable.values(), False)
        self._unable.clear()

    def _favour(self, asked: Asked, says: str) -> str:
        request = self.mission.wanted[asked.goal].request
        if says == LATER:
            request.until_s = self.mission.now + HELP_S
            return "All right, I wait; say done when it is."
        if says == GIVES:
            self.mission.desk.note("answer", by=asked.person, says=says, acts=request.changes)
        self.mission._answered(asked.person, says == GIVES)
        return REPLIES[says]

    def _act(self, person: str, says: str) -> None:
        """Give a person's answer to a robot its effect in the world."""
        self.mission.desk.note("answer", by=person, says=says, acts=[self.mission.speech.answered(person, says)])


# -- ways out that wait for a yes -------------------------------------------------------------------------------------
class Proposals:
    """Of a mission. When a person objects to one, ways out are looked for anew, and who was asked is told."""

    def __init__(self, mission: Mission):
        self.mission = mission
        self.doubted: dict[str, tuple[str, str]] = {}  # goals whose ways out are looked at again; who said what
        self.late: dict[str, str] = {}  # goals that were given up, by the person who did not answer
        self._reminded: set[tuple[str, int]] = set()

    def told(self, person: str, words: str) -> None:
        """Look again at the ways out that wait for a yes: a person has stated something new."""
        for goal in self.mission.goals.all("waiting"):
            self.doubted.setdefault(goal.id, (person, words))

    # -- no answer ------------------------------------------------------------------------------------------------
    def _remind(self) -> None:
        """Ask a person who has not answered for half of the time once more."""
        for goal in self.mission.goals.all("waiting"):
            proposal, asked = goal.proposal, self.mission.wanted_of(goal).asked
            late = proposal is not None and self.mission.now >= (proposal.until_s or 0.0) - PATIENCE_S / 2
            if late and asked and proposal is not None and (goal.id, proposal.number) not in self._reminded:
                self._reminded.add((goal.id, proposal.number))
                words = self.mission.partner.proposed(asked[-1])
                self.mission.desk.tell(asked[-1], f"I still wait for your yes or no. {words}")

    def unanswered(self, goal: Goal, asked: Sequence[str]) -> None:
        """Nobody has answered in time: those who were asked are told what becomes of it."""
        mission, root = self.mission, self.mission._root(goal)
        name = mission.name_of(root)
        if not goal.over:
            now = mission.wanted_of(goal).asked[-1]
            words = f"You have not answered, so I have asked {now} about {name}. Your yes or no still counts."
            mission.desk.tell(asked[-1], words)
            return
        for person in asked:
            self.late[person] = root.id
            if root.over:
                words = f"You have not answered, so I have given up {name}. If you want it after all, say yes."
                mission.desk.tell(person, words)

    def late_yes(self, thread: Thread) -> Confirm | None:
        """A yes to what was given up because nobody had answered: whether it is wanted again is asked."""
        goal = self.mission.goals[self.late[thread.person]] if thread.person in self.late else None
        if goal is None or goal.state != "failed":
            return None
        name = self.mission.name_of(goal)

        def then() -> str:
            self.late = {person: id for person, id in self.late.items() if id != goal.id}
            return f"All right: {self.mission.name_of(self.mission.doing.renewed(goal))}."

        words = f"I gave up {name}, since nobody answered in time. Do you want me to begin with it again?"
        return Confirm(m.Steer("retry"), words, [call(then)])

    def watch(self) -> None:
        self._remind()
        for id in [i for i in self.doubted if self.mission.goals[i].state != "paused"]:
            (person, words), goal = self.doubted.pop(id), self.mission.goals[id]
            mine = self.mission.recovery.of(goal)
            if goal.state == "waiting":
                now = self.mission.recovery.alternatives(goal, mine.failures[-1])
                if [o.words for o in now[:1]] != [o.words for o in mine.offers[:1]]:
                    self._anew(goal, person, words, now)

    def _anew(self, goal: Goal, by: str, words: str, now: Sequence[Alternative]) -> None:
        """Replace a proposal by what is best by now, and tell the people who were asked."""
        mission: Any = self.mission
        wanted, mine = mission.wanted_of(goal), mission.recovery.of(goal)
        asked = list(wanted.asked)
        wanted.asked.clear()
        mission.goals.move(goal.id, "recovering", why=f"{by} said: {words}")
        name = mission.name_of(mission._root(goal))
        for person in asked:
            said = "You" if person == by else upper(by)
            mission.desk.tell(person, f"{said} said: {words} So I leave what I proposed for {name}.")
        mine.offers = list(now)
        mission._best_offer(mission.goals[goal.id], mine.failures[-1])
