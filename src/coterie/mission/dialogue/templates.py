"""Templates of talk by which people teach: each asks for what it does not know yet, and for nothing else.

They ask through `Question`s, and return plain data. Answers may come in any order and several at once: whatever was
said counts, and only what is still open is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.conversation import Question, Talk
from coterie.mission.dialogue.speech import Mission, Speech
from coterie.mission.language.understand import taken
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning, Want
from coterie.talk.vocabulary import Vocabulary
from coterie.talk.wording import Wording, listed, upper

Found = tuple[str, int, dict[str, Any]]  # a thing, how many, and where
_MORE = (m.Things, m.Nothing, m.Refuse, m.Approve)


def a(label: str) -> str:
    return f"{'an' if label[:1].lower() in 'aeiou' else 'a'} {label}"


def singular(word: str) -> str:
    if word.endswith(("ches", "xes", "shes", "sses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


class Templates:
    """The templates, with what they look up in a mission."""

    def __init__(self, mission: Mission, speech: Speech, vocabulary: Vocabulary):
        self.mission, self.speech, self.vocabulary = mission, speech, vocabulary
        self.showed: set[str] = set()  # names of things that were shown
        self.taken = partial(taken, vocabulary=vocabulary)

    @property
    def wording(self) -> Wording:
        return Wording(self.vocabulary)

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
        name, _, place = yield from self.shown(words, 1)
        return {"name": name, "places": {name: place}, "saw": place.get("saw", "")}

    def find_item(self, words: str) -> Talk:
        """A thing that was shown in another place."""
        asked = f"I know {a(words)} from another place. Could you show me one here, or say where there is one?"
        answer = yield Question(asked, (m.Show, m.Somewhere), "this is one", words)
        name, _, place = yield from self._example(answer, words, 1)
        return {"name": name, "places": {name: place}, "saw": place.get("saw", "")}

    # -- goal states and steps ------------------------------------------------------------------------------------
    def _gathered(
        self, first: str, more: str, none: str, forms: tuple[type, ...], example: str, read: Callable[[Any], list[Any]]
    ) -> Generator[Question, Meaning, tuple[Any, ...]]:
        """Ask for parts until nothing is left to be said; a part that cannot be is reported and asked for again."""
        found: list[Any] = []
        words = first
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

    def teach_task(self, label: str) -> Talk:
        """A goal state: its conditions, each of which a skill of the team brings about."""
        words = (f"What is so when {label} is done?", "What else is so?", "Something has to be so.")
        wants = yield from self._gathered(*words, (m.Tell, m.Order), "the door to alpha is open", self._wants)
        return {"wants": wants}

    def _wants(self, answer: Meaning) -> list[Want]:
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

    def teach_skill(self, label: str) -> Talk:
        """Steps, one after the other."""

        def step(answer: m.Order) -> list[m.Order]:
            if answer.when:
                raise CoterieError("A step is done when its turn comes, so say it without a condition.")
            for want in answer.wants:
                self.check(want)
            return [answer]

        words = (f"What is the first step of {label}?", "And then?", f"{label} has to have a step.")
        steps = yield from self._gathered(*words, (m.Order,), "Spot, open the door to alpha", step)
        return {"steps": steps}
