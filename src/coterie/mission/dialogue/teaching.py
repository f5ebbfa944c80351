"""Teaching a mission: what people are asked, and what is learnt of it, kept, put into effect, changed and undone.

Templates of talk ask for what they do not know yet, and for nothing else. They ask through `Question`s, and return
plain data. Answers may come in any order and several at once: whatever was said counts, and only what is still open is
asked for.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.facts import Fact
from coterie.mission.dialogue.conversation import Deed, Interaction, Question, Talk, Thread, single
from coterie.mission.dialogue.doing import MOST_OF_ONE, Chain, Standing
from coterie.mission.dialogue.effects import Confirm, Effects, ask, call
from coterie.mission.dialogue.lessons import Lesson, Lessons, from_plain, reaction, to_plain
from coterie.mission.dialogue.speech import Mission, Speech
from coterie.mission.goals import Goal
from coterie.mission.language.understand import taken
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning, Want
from coterie.talk.vocabulary import Vocabulary, spaced
from coterie.talk.wording import Wording, listed, upper

Found = tuple[str, int, dict[str, Any]]  # a thing, how many, and where
_MORE = (m.Things, m.Nothing, m.Refuse, m.Approve)
_KINDS = {"kit": "kit", "task": "task", "skill": "task", "object": "", "item": "item"}  # of names, by what is taught
#: What is asked of a task and a skill: for the first part, for more, and where there is none; and an example.
_PARTS = {
    "task": ("What is so when {} is done?", "What else is so?", "Something has to be so.", "the door to alpha is open"),
    "skill": ("What is the first step of {}?", "And then?", "{} has to have a step.", "Spot, open the door to alpha"),
}


def a(label: str) -> str:
    return f"{'an' if label[:1].lower() in 'aeiou' else 'a'} {label}"


def singular(word: str) -> str:
    if word.endswith(("ches", "xes", "shes", "sses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


class Teaching:
    """What a mission is taught, with what the templates look up in it."""

    def __init__(self, mission: Mission, speech: Speech, vocabulary: Vocabulary):
        self.mission, self.speech, self.vocabulary, self.wording = mission, speech, vocabulary, Wording(vocabulary)
        self.showed: set[str] = set()  # names of things that were shown
        self.taken = partial(taken, vocabulary=vocabulary)
        self._built_in = {k: (c, dict(n)) for k, (c, n) in speech.kit_names().items()}
        self.lessons = Lessons(mission.journal, self._effect, self._allowed)

    def place_known(self, name: str) -> bool:
        look = self.mission.now_only().look
        return bool(self.speech.where(name, look)) or bool(self.speech.people_of(name))

    def kit_contents(self, name: str) -> Mapping[str, int] | None:
        known = self.speech.kit_names().get(name)
        return None if known is None else known[1]

    def inside(self, contents: Mapping[str, int]) -> str:
        return listed([self.wording.some(n, c) for n, c in contents.items()])

    def new_item(self, words: str) -> str:
        self.showed.add(words)
        name = self.speech.new_item(words)
        self.vocabulary.add("item", name, [words])
        return name

    def check(self, want: Want) -> None:
        """Raise an error unless a skill of the team has it as an effect: what nobody can change is no goal."""
        if want.kind == m.TASK:
            return
        cards = self.mission.cards
        wish = self.speech.wish(want.kind, want.what, want.where, want.count, want.holds, want.what)
        skill, _ = self.speech.doer(wish)
        if skill and cards and not any(skill in card.skills for card in cards.values()):
            raise CoterieError(f"Nobody here has the skill {skill}.")

    # -- parts ----------------------------------------------------------------------------------------------------
    def _items(self, answer: Meaning) -> Generator[Question, Meaning, list[Found]]:
        """The things that an answer names, each known by now: unknown ones are shown, and their place is asked for."""
        found: list[Found] = []
        assert isinstance(answer, m.Things)
        counts = dict(answer.items)
        for words in answer.unknown:
            count = counts.pop(words, 1)
            found.append((yield from self.shown(singular(words) if count > 1 else words, count)))
        for name, count in counts.items():
            inside = self.kit_contents(name)
            if inside is not None:  # "the same as in a medkit"
                found += [(item, n * count, {}) for item, n in inside.items()]
                continue
            where: dict[str, Any] = {}
            if not self.place_known(name):
                where = yield from self.placed(name, count)
            found.append((name, count, where))
        return found

    def shown(self, words: str, count: int) -> Generator[Question, Meaning, Found]:
        """A thing that nobody knows: one example is enough."""
        while (why := self.taken(words)) and words not in self.showed:  # an answer before it may be put right later
            answer = yield Question(f"{why}. What else is it called?", (m.Things,), "'burn gel'")
            if isinstance(answer, m.Things) and answer.items and not answer.unknown:  # it is known by another name
                name, count = answer.items[0][0], max(count, answer.items[0][1])
                return name, count, {} if self.place_known(name) else (yield from self.placed(name, count))
            words = next(iter(answer.unknown), words) if isinstance(answer, m.Things) else words
        asked = f"I do not know {a(words)}. Could you show me what it looks like?"
        answer = yield Question(asked, (m.Show, m.Approve), "this is one", words)
        return (yield from self._example(answer, words, count))

    def _example(self, answer: Meaning, words: str, count: int) -> Generator[Question, Meaning, Found]:
        """A thing of which one was shown, or whose place was said."""
        name = self.new_item(words)
        if isinstance(answer, m.Somewhere):
            return name, count, {"place": answer.where, "count": count, "shown": words}
        robot, table = yield from self._seen(getattr(answer, "seen", ()))
        saw = f"{robot} sees {self.wording.some(name, 1)} at {self.wording.name(table)}." if robot else ""
        none = "No robot stands where it could see it." if isinstance(answer, m.Show) and not table else ""
        known_place = {"place": table, "count": 1} if table and count <= 1 else None
        place = known_place or (yield from self.placed(name, count, saw or none))
        return name, count, {**place, "shown": words, "seen": (robot, table), "saw": saw}

    def _seen(self, views: Sequence[tuple[str, str]]) -> Generator[Question, Meaning, tuple[str, str]]:
        """The robot that sees what is shown, and the place; which of several, is asked, and may be another place."""
        if len({table for _, table in views}) < 2:
            return views[0] if views else ("", "")
        said = " or ".join(f"{robot} at {self.wording.name(table)}" for robot, table in views)
        answer = yield Question(f"Who of us sees it: {said}?", (m.Somewhere,), views[0][0])
        where = answer.where if isinstance(answer, m.Somewhere) else ""
        return next((row for row in views if where in row), ("", where))

    def placed(self, name: str, count: int, before: str = "") -> Generator[Question, Meaning, dict[str, Any]]:
        """Where as many as are needed are found; what is said `before` the question."""
        some = self.wording.some(name, max(1, count))
        asked = f"{before} Where {'is' if count <= 1 else 'are'} there {some}?".lstrip()
        while True:
            answer = yield Question(asked, (m.Somewhere, m.Tell), "on table C", name)
            if isinstance(answer, m.Somewhere):
                return {"place": answer.where, "count": max(1, count)}
            for claim in answer.claims if isinstance(answer, m.Tell) else ():
                if claim.kind == m.STOCK and claim.holds and claim.where and claim.what == name:
                    return {"place": claim.where, "count": claim.count or 1}

    # -- kits -----------------------------------------------------------------------------------------------------
    def teach_kit(self, label: str) -> Talk:
        """A kit: its container and what it contains, until nothing is left to be said."""
        old = self.kit_contents(label)
        container, contents, places = "", dict[str, int](), dict[str, dict[str, Any]]()

        def take(rows: list[Found]) -> None:
            nonlocal container
            for name, count, place in rows:
                if place:
                    places[name] = place
                if name in self.speech.containers():
                    container = name if count else container
                elif count:
                    contents[name] = count
                else:  # "no gloves"
                    contents.pop(name, None)

        words, before = f"What does {a(label)} contain?", ""
        while old is None and not container:
            asked = f"{before} What container does {a(label)} use?".lstrip()
            take((yield from self._items((yield Question(asked, (m.Things,), "a medical caddy")))))
            before = f"I take {self.inside(contents)} for what is in it." if contents else "That is no container."
        if old is not None:
            words = f"{a(label).capitalize()} contains {self.inside(old)}. What should it contain instead?"
        elif contents:
            words = f"Does {a(label)} contain anything else?"
        while True:
            answer = yield Question(words, _MORE, "two painkillers")
            if isinstance(answer, (m.Nothing, m.Refuse)):
                if contents or old is not None:
                    break
                words = f"{a(label).capitalize()} has to contain something. What does it contain?"
                continue
            if isinstance(answer, m.Approve):
                words = "What else?"
                continue
            before, rows = container, (yield from self._items(answer))
            take(rows)
            noted = listed([self.wording.some(n, c) if c else f"without {self.wording.some(n, 1)}" for n, c, _ in rows])
            others = [row for row in rows if row[0] not in self.speech.containers()]
            again = f" {a(label).capitalize()} is packed in it {'already' if container == before else 'now'}."
            saw = "".join(f" {where['saw']}" for _, _, where in rows if where.get("saw"))
            words = f"{upper(noted)}.{saw}{again * (len(others) < len(rows))} "
            words += f"Does {a(label)} contain anything else?"
        return {"container": container, "contents": contents or dict(old or {}), "places": places}

    def teach_item(self, label: str) -> Talk:
        """A thing that nobody knew."""
        words = label
        while not words:
            answer = yield Question("What is it called?", (m.Things,), "'splint'")
            words = next(iter(answer.unknown), "") if isinstance(answer, m.Things) else ""
        return (yield from self.shown(words, 1))

    def find_item(self, words: str) -> Talk:
        """A thing that was shown in another place."""
        asked = f"I know {a(words)} from another place. Could you show me one here, or say where there is one?"
        answer = yield Question(asked, (m.Show, m.Somewhere), "this is one", words)
        return (yield from self._example(answer, words, 1))

    # -- goal states and steps ------------------------------------------------------------------------------------
    def teach_parts(self, kind: str, label: str) -> Talk:
        """What is so when a task is done, each brought about by a skill of the team, or the steps of a skill: until
        nothing is left to be said. A part that cannot be is reported and asked for again."""
        first, more, none, example = (text.format(label) for text in _PARTS[kind])
        forms, read = ((m.Tell, m.Order), self._wants) if kind == "task" else ((m.Order,), self._step)
        words, found = first, list[Any]()
        while True:
            answer = yield Question(words, (*forms, m.Nothing, m.Refuse), example)
            if isinstance(answer, (m.Nothing, m.Refuse)) and found:
                return tuple(found)
            if isinstance(answer, (m.Nothing, m.Refuse)):
                words = f"{none} {first}"
                continue
            try:
                found += read(answer)
                words = more
            except CoterieError as err:
                words = f"{err} {more if found else first}"

    def _wants(self, answer: Meaning) -> list[Any]:
        found = []
        if isinstance(answer, m.Order):
            if answer.when:
                raise CoterieError("What a task brings about has no condition of its own.")
            who = answer.robots or ("",)  # whoever is to be somewhere is part of what is so
            found = [replace(w, what=r) for w in answer.wants if w.kind == m.AT for r in who]
            found += [w for w in answer.wants if w.kind != m.AT]
        for claim in answer.claims if isinstance(answer, m.Tell) else ():
            kind = claim.kind
            if kind in (m.STOCK, m.DOOR, m.AT) and (claim.holds or kind == m.DOOR):
                found.append(Want(kind, claim.what, claim.where, claim.count or 1, claim.holds))
            else:
                raise CoterieError(f"No skill of anybody here makes it so that {self.wording.claim(claim)}.")
        for want in found:
            if want.kind == m.AT and not want.what:
                raise CoterieError("Who is there then? Say it with the name of a robot.")
            self.check(want)
        return found

    def _step(self, answer: Any) -> list[Any]:
        if answer.when:
            raise CoterieError("A step is done when its turn comes, so say it without a condition.")
        for want in answer.wants:
            self.check(want)
        return [answer]

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

        def go_on(teach: m.Teach) -> Effects:
            return [ask(self.begin(thread, teach))]

        if teach.what == "again":  # something that was taught before is taught anew
            before = self.lessons.get(label)
            if before is None:
                raise CoterieError(f"Nobody has taught me '{label}'.")
            teach = m.Teach("object" if before.kind == "item" else before.kind, label)
        if not teach.what:
            words = "What do you want to teach me: a kit, a task, a skill, a thing, or a policy?"
            return single(Question(words, (m.Teach,), "a kit"), lambda x: x if x.what else None, go_on)
        if teach.what == "policy":
            asked = Question("When should I do what?", (m.Policy,), "if something is missing, ask the pharmacist")
            return single(asked, lambda x: x, partial(self.policy, thread), "the policy")
        why = self.taken(label) if label and self.vocabulary.kind_of(label) != _KINDS.get(teach.what) else ""
        if why or (not label and teach.what != "object"):
            words = f"{why}. What else is the {teach.what} called?" if why else f"What is the {teach.what} called?"
            named, what = Question(words, (m.Things,), "'firstaid'"), teach.what
            return single(named, lambda x: m.Teach(what, x.unknown[0]) if x.unknown else None, go_on, f"the {what}")
        template: Callable[[str], Talk] = partial(self.teach_parts, teach.what)
        learn: Callable[[Thread, str, Any], str] = partial(self._parts, teach.what)
        if teach.what in ("kit", "object"):
            kit = teach.what == "kit"
            template, learn = (self.teach_kit, self._kit) if kit else (self.teach_item, self._item)
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

    def _item(self, thread: Thread, label: str, got: Found) -> str:
        name, _, place = got
        self._places(thread, {name: place})
        return f"I have learnt what {self.wording.some(name, 1)} looks like. {place.get('saw', '')}".rstrip()

    def _parts(self, kind: str, thread: Thread, label: str, rows: Sequence[Any]) -> str:
        """A task, with what is wanted, or a skill, with its steps."""
        task = kind == "task"
        words = listed([self.wording.want(w) for w in rows]) if task else " ".join(map(self.wording.sentence, rows))
        data = {"wants" if task else "steps": to_plain(rows)}
        self.lessons.put(kind, label, thread.person, f"{label}: {words}", data)
        return f"I have learnt {label}{'' if task else f' with {len(rows)} steps'}. You can say: Do {label}."

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
        mission.recovery.taught[lesson.label] = policy
        if policy.then != "give up":
            mission.recovery.policies.put(reaction(lesson.label, policy, self.speech, mission), first=True)
