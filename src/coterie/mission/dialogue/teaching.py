"""Teaching a mission: templates are begun, what they learn is kept, put into effect, changed and undone."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.facts import Fact
from coterie.mission.dialogue.conversation import Deed, Interaction, Question, Thread, until
from coterie.mission.dialogue.doing import MOST_OF_ONE, Chain, Standing
from coterie.mission.dialogue.effects import Confirm, Effects, ask, call
from coterie.mission.dialogue.lessons import Lesson, Lessons, from_plain, reaction, to_plain
from coterie.mission.dialogue.speech import Mission, Speech
from coterie.mission.dialogue.templates import Templates, a
from coterie.mission.goals import Goal
from coterie.talk import meanings as m
from coterie.talk.vocabulary import Vocabulary, spaced
from coterie.talk.wording import listed

_KINDS = {"kit": "kit", "task": "task", "skill": "task", "object": "", "item": "item"}  # of names, by what is taught


class Teaching(Templates):
    def __init__(self, mission: Mission, speech: Speech, vocabulary: Vocabulary):
        super().__init__(mission, speech, vocabulary)
        self._built_in = {k: (c, dict(n)) for k, (c, n) in speech.kit_names().items()}
        self.lessons = Lessons(mission.journal, self._effect, self._allowed)

    def _allowed(self, kind: str, label: str, data: Mapping[str, Any]) -> None:
        """A file of lessons gives no names that people could not give."""
        name = str(data.get("words", "")) if kind == "item" else label
        known = kind in ("policy", "gone") or self.vocabulary.kind_of(label) == _KINDS.get(kind)
        if not known and (why := self.taken(name)):
            raise CoterieError(f"{why}; call it otherwise in the file.")

    # -- beginning ------------------------------------------------------------------------------------------------
    def begin(self, thread: Thread, teach: m.Teach) -> Interaction:
        self.mission.authority.require(thread.person, "policy" if teach.what == "policy" else "teach")
        label = teach.label
        if teach.what == "again":  # something that was taught before is taught anew
            before = self.lessons.get(label)
            if before is None:
                raise CoterieError(f"Nobody has taught me '{label}'.")
            teach = m.Teach("object" if before.kind == "item" else before.kind, label)
        if not teach.what:
            words = "What do you want to teach me: a kit, a task, a skill, a thing, or a policy?"
            return self._asked(thread, "", Question(words, (m.Teach,), "a kit"), lambda x: x if x.what else None)
        if teach.what == "policy":
            asked = Question("When should I do what?", (m.Policy,), "if something is missing, ask the pharmacist")
            return Interaction("the policy", lambda: until(asked, lambda x: x), lambda got: self.policy(thread, got))
        why = self.taken(label) if label and self.vocabulary.kind_of(label) != _KINDS.get(teach.what) else ""
        if why or (not label and teach.what != "object"):
            words = f"{why}. What else is the {teach.what} called?" if why else f"What is the {teach.what} called?"
            named, what = Question(words, (m.Things,), "'firstaid'"), teach.what
            return self._asked(thread, what, named, lambda x: m.Teach(what, x.unknown[0]) if x.unknown else None)
        template, learn = {
            "kit": (self.teach_kit, self._kit), "object": (self.teach_item, self._item),
            "skill": (self.teach_skill, self._done), "task": (self.teach_task, self._done),
        }[teach.what]  # fmt: skip
        name = f"the {'thing' if teach.what == 'object' else teach.what} {label}".strip()

        def then(got: Any) -> str:
            if not self.mission.authority.may(thread.person, "teach"):
                raise CoterieError(f"You may not teach me any more, so I have not kept {name}.")
            words = learn(thread, label, got)
            thread.did(Deed(teach))  # "undo that" is about it
            return words

        return Interaction(name, partial(template, label), then, right="teach")

    def find(self, thread: Thread, label: str, words: str) -> Interaction:
        """Ask for one of a kind of thing that a file of lessons knows."""
        find, found = partial(self.find_item, words), partial(self._item, thread, label)
        return Interaction(f"the thing {words}", find, found, right="teach")

    def _asked(
        self, thread: Thread, name: str, question: Question, read: Callable[[Any], m.Teach | None]
    ) -> Interaction:
        """The question for what is to be taught, or its name, asked before the lesson."""

        def then(teach: m.Teach) -> Effects:
            return [ask(self.begin(thread, teach))]

        return Interaction(f"the {name}" if name else "it", lambda: until(question, read), then)

    # -- what was learnt ------------------------------------------------------------------------------------------
    def _places(self, thread: Thread, places: Mapping[str, Mapping[str, Any]]) -> None:
        """Put things where a person says, or a robot sees them; what was shown has been brought there."""
        mission = self.mission
        for name, row in places.items():
            if row.get("shown"):
                self.lessons.put("item", name, thread.person, f"'{row['shown']}' was shown", {"words": row["shown"]})
            robot, table = row.get("seen", ("", ""))
            there = [(str(row["place"]), int(row["count"]), robot if row["place"] == table else thread.person)]
            there += [(table, 1, robot)] if table not in ("", row["place"]) else []
            for place, count, source in there:
                if row.get("shown"):
                    mission.desk.note("shown", thing=name, by=thread.person, **self.speech.shown(name, place, count))
                if self.vocabulary.kind_of(place) == "table":
                    mission.knowledge.tell(Fact("stock", (name, place), count, mission.now, source))

    def _kit(self, thread: Thread, label: str, got: Mapping[str, Any]) -> str:
        self._places(thread, got["places"])
        container = got["container"] or self.speech.kit_names()[label][0]
        contains = self._put_kit(thread.person, label, container, got["contents"])
        rooms = self.vocabulary.names("room")
        room = self.wording.name(next((r for r in rooms if r in ("alpha", "beta", "gamma")), rooms[-1]))
        more = self._amended(thread.person, label)
        return f"I have learnt it: {contains}.{more} You can say: Deliver {a(label)} to {room}."

    def _put_kit(self, by: str, label: str, container: str, contents: Mapping[str, int]) -> str:
        many = next((self.wording.some(n, count) for n, count in contents.items() if count > MOST_OF_ONE), "")
        if many:
            raise CoterieError(f"{many} are too many: a kit holds at most {MOST_OF_ONE}. So I have not kept it.")
        words = f"{a(label)} contains {self.inside(contents)}"
        self.lessons.put("kit", label, by, words, {"container": container, "contents": dict(contents)})
        return words

    def _amended(self, person: str, kit: str) -> str:
        """Goals that want the kit want it as it is now."""
        changed = []
        for goal in self.mission.goals.live():
            wish = self.mission.wanted_of(goal).wish
            if wish is not None and getattr(wish, "what", "") == kit and self.speech.again(wish) != wish:
                self.mission.amend(goal, self.speech.again(wish), person)
                self.mission.inform({goal.by}, person, f"{person} has changed it: {self.mission.name_of(goal)}.")
                changed.append(self.mission.name_of(goal))
        return f" I change what is under way: {listed(changed)}." if changed else ""

    def _item(self, thread: Thread, label: str, got: Mapping[str, Any]) -> str:
        self._places(thread, got["places"])
        return f"I have learnt what {self.wording.some(got['name'], 1)} looks like. {got['saw']}".rstrip()

    def _done(self, thread: Thread, label: str, got: Mapping[str, Any]) -> str:
        """A task, with what is wanted, or a skill, with its steps."""
        ((part, rows),) = got.items()
        words = listed([self.wording.want(w) for w in rows if part == "wants"])
        words += " ".join(self.wording.sentence(s) for s in rows if part == "steps")
        kind, with_steps = ("task", "") if part == "wants" else ("skill", f" with {len(rows)} steps")
        self.lessons.put(kind, label, thread.person, f"{label}: {words}", {part: to_plain(rows)})
        return f"I have learnt {label}{with_steps}. You can say: Do {label}."

    def policy(self, thread: Thread, policy: m.Policy) -> str:
        self.mission.authority.require(thread.person, "policy")
        known = sum(x.kind == "policy" for x in self.lessons)
        label = next(x for i in itertools.count(1 + known) if self.lessons.get(x := f"policy {i}") is None)
        words = self.wording.sentence(policy)
        data = {"policy": to_plain(policy), "by": thread.person}
        self.lessons.put("policy", label, thread.person, f"{label}: {words}", data)
        thread.did(Deed(policy, undo=lambda _: self._drop_policy(thread, policy)))
        return f"All right, I remember it as {label}: {words}"

    def _drop_policy(self, thread: Thread, policy: m.Policy) -> None:
        """A policy that was put right or taken back."""
        data, mine = to_plain(policy), [x for x in self.lessons if x.kind == "policy" and x.by == thread.person]
        for lesson in [x for x in mine if x.data["policy"] == data][:1]:
            self.lessons.drop(lesson.label, thread.person)

    # -- changes --------------------------------------------------------------------------------------------------
    def alter(self, thread: Thread, alter: m.Alter) -> str:
        self.mission.authority.require(thread.person, "teach")
        known = self.speech.kit_names().get(alter.kit)
        if known is None:
            raise CoterieError(f"I know no kit called {alter.kit}.")
        contents = dict(known[1])
        before = contents.get(alter.item, 0)
        after = {"add": before + alter.count, "remove": max(0, before - alter.count)}.get(alter.how, alter.count)
        if after == before:
            return f"{a(alter.kit).capitalize()} is like that already: {self.inside(contents)}."
        contents = {i: n for i, n in {**contents, alter.item: after}.items() if n}
        if not contents:
            raise CoterieError(f"Nothing would be left in {a(alter.kit)}.")
        contains = self._put_kit(thread.person, alter.kit, known[0], contents)
        thread.did(Deed(alter, undo=lambda _: self._amended(thread.person, self.lessons.undo(thread.person))))
        return f"All right: {contains}.{self._amended(thread.person, alter.kit)}"

    def doubts(self, thread: Thread, forget: m.Forget) -> Confirm | None:
        """The confirmation to ask before a kit is forgotten that is under way, or that nobody has taught."""
        label = forget.label
        if label not in self.speech.kit_names() or not self.mission.authority.may(thread.person, "teach"):
            return None
        if not self.mission.ordered(label) and self.lessons.get(label) is not None:
            return None
        words, meant = f"Do you want me to forget for everybody what {a(label)} is?", m.Steer("cancel", label)
        if not self.mission.ordered(label):
            return Confirm(forget, words, [call(partial(self.forget, thread, forget))])
        off = f"To call off {self._under_way(label)}, say: {self.wording.sentence(meant)}"
        return Confirm(meant, f"{words} The order goes on then. {off}", [call(partial(self.forget, thread, forget))])

    def forget(self, thread: Thread, forget: m.Forget) -> str:
        if not forget.label and not self.lessons.taught_by(thread.person):
            return "You have done nothing that I could undo. To forget something that was taught, say its name."
        self.mission.authority.require(thread.person, "teach")
        if not forget.label:
            label = self.lessons.undo(thread.person)
            if thread.last is not None and not isinstance(thread.last.meaning, m.Forget):
                del thread.deeds[0]
            thread.did(Deed(forget))
            more = self._amended(thread.person, label)
            return f"All right: what was last taught about {label} is undone.{more}"
        goes_on = self._under_way(forget.label)
        if self.lessons.get(forget.label) is not None:
            self.lessons.drop(forget.label, thread.person)
        elif forget.label in self.speech.kit_names():
            self.lessons.put("gone", forget.label, thread.person, f"{forget.label} is forgotten", {})
        else:
            raise CoterieError(f"Nobody has taught me '{forget.label}'.")
        thread.did(Deed(forget))
        return f"All right, I forget {forget.label}.{f' What is ordered already goes on: {goes_on}.' * bool(goes_on)}"

    def _under_way(self, label: str) -> str:
        """Goals under way for something that was taught, or is known from the beginning."""
        mission = self.mission
        chains = {g for c in mission.doing.chains if c.label == label for g in c.goals}
        goals = [g for g in mission.goals.live() if g.id in chains or g in mission.ordered(label)]
        return listed([f"{mission.name_of(g)} for {g.by}" for g in goals])

    def steps(self, label: str, robots: Sequence[str] = ()) -> list[m.Order]:
        """Steps of a task or a skill that was taught; by the robots given where it names none."""
        found = self.lessons.get(label)
        if found is None or found.kind not in ("task", "skill"):
            raise CoterieError(f"Nobody has taught me '{label}'.")
        task = found.kind == "task"
        steps = [m.Order(from_plain(found.data["wants"]))] if task else list(from_plain(found.data["steps"]))
        others = sorted({r for s in steps for r in s.robots} - set(robots))
        if robots and others:
            words = f"{label} was taught with steps for {listed(others)}, so {listed(robots)} cannot do it alone."
            raise CoterieError(f"{words} Say: Do {label}.")
        return [replace(s, robots=s.robots or tuple(robots)) for s in steps]

    def start(self, person: str, label: str, robots: Sequence[str] = ()) -> list[Goal]:
        """Do a task or a skill that was taught."""
        steps = self.steps(label, robots)
        found = self.lessons.get(label)
        if found is not None and found.kind == "task":
            return self.mission.doing.submit(person, steps[0])
        chain = Chain(person, label, steps)
        goals = self.mission.doing.submit(person, chain.left.pop(0))
        chain.goals = tuple(g.id for g in goals)
        self.mission.doing.chains.append(chain)
        return goals

    # -- in effect ------------------------------------------------------------------------------------------------
    def _effect(self, lesson: Lesson, comes: bool) -> None:
        """Put a lesson's changes of words, kits and policies into effect."""
        label, data = lesson.label, lesson.data
        if lesson.kind == "policy":
            self._policy(lesson, comes)
        elif lesson.kind in ("kit", "gone"):
            kit = self._built_in.get(label)  # as it was before anybody taught it
            if comes:
                contents = {str(i): int(n) for i, n in data.get("contents", {}).items()}
                kit = (str(data["container"]), contents) if lesson.kind == "kit" else None
            if kit is None:
                self.speech.drop_kit(label)
                self.vocabulary.remove(label)
            else:
                self.speech.put_kit(label, *kit)
                self.vocabulary.add("kit", label)
        elif not comes:
            self.vocabulary.remove(label)
        elif lesson.kind == "item":
            self.vocabulary.add("item", self.speech.new_item(str(data["words"])), [str(data["words"])])
        else:
            self.vocabulary.add("task", label, [spaced(label)])

    def _policy(self, lesson: Lesson, comes: bool) -> None:
        mission, policy = self.mission, from_plain(lesson.data["policy"])
        if not comes:
            mission.recovery.policies.remove(lesson.label)
            mission.recovery.taught.pop(lesson.label, None)
            mission.doing.standing = [s for s in mission.doing.standing if s.stands != lesson.label]
            return
        watched = any(c.what or c.where for c in policy.trigger)  # one place, and not any failure of a kind
        if policy.then == "wants" and watched:
            when = tuple(mission.doing.conditions(policy.trigger))
            order, words = m.Order(policy.wants), self.wording.claim(policy.trigger[0])
            mission.doing.standing.append(Standing(lesson.by, order, when, words, lesson.label))
            return
        made = reaction(lesson.label, policy, self.speech, mission)
        mission.recovery.taught[lesson.label] = (policy, made)
        if policy.then != "give up":
            mission.recovery.policies.put(made, first=True)
