"""Lessons that people taught: kits, tasks, step-by-step skills, things and policies; listed, exported and undone.

The part "taught" of a journal. A lesson is plain data; its changes of words, kits and policies are put into effect by
the callable `effect` when the lesson comes, and taken out again when it goes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from coterie.core.bounds import load_json
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.expr import All
from coterie.mission.dialogue.speech import Mission, Speech
from coterie.mission.dialogue.zones import against
from coterie.mission.goals import Failure, Goal
from coterie.mission.journal import Journal
from coterie.mission.policies import Alternative, Finder, Policy, about, another_robot, ask_person, retry
from coterie.mission.recovery import Recovery
from coterie.talk import meanings as m

KINDS = ("kit", "task", "skill", "item", "policy", "gone")
FORMAT = "coterie lessons 1"
_TYPES = {c.__name__: c for c in vars(m).values() if isinstance(c, type) and is_dataclass(c)}


@dataclass(frozen=True)
class Lesson:
    """One thing that was taught, by whom and when [s]. `words` say it to people, `data` is what is kept of it."""

    kind: str
    label: str
    by: str
    time: float
    words: str
    data: Mapping[str, Any] = field(default_factory=dict)


Effect = Callable[[Lesson, bool], None]  # a lesson comes, or goes
Check = Callable[[str, str, Mapping[str, Any]], None]  # kind, label, data


class Lessons:
    def __init__(self, journal: Journal, effect: Effect, check: Check | None = None):
        """`check` raises where a lesson of a file cannot be."""
        self.journal, self._effect, self._check = journal, effect, check
        self._rows: dict[str, Lesson] = {}
        self._before: list[tuple[str, str, Lesson | None]] = []  # what each change replaced, and whose it was
        journal.attach("taught", self._take)

    def __iter__(self) -> Iterator[Lesson]:
        return iter(list(self._rows.values()))

    def __len__(self) -> int:
        return len(self._rows)

    def get(self, label: str) -> Lesson | None:
        return self._rows.get(label)

    def put(self, kind: str, label: str, by: str, words: str, data: Mapping[str, Any]) -> Lesson:
        if kind not in KINDS:
            raise unknown_name("kind of lesson", kind, KINDS)
        row = {"kind": kind, "label": label, "by": by, "words": words, "data": dict(data)}
        self.journal.write("taught", "put", row)
        return self._rows[label]

    def drop(self, label: str, by: str = "") -> Lesson:
        found = self._rows.get(label)
        if found is None:
            raise unknown_name("lesson", label, self._rows)
        self.journal.write("taught", "drop", {"label": label, "by": by})
        return found

    def taught_by(self, person: str) -> bool:
        """True if there is a change by this person that could be undone."""
        return any(who == person for _, who, _ in self._before)

    def undo(self, by: str = "") -> str:
        """Undo the last change, or that of a person if one is named; returns what it was about."""
        mine = [i for i, (_, who, _) in enumerate(self._before) if not by or who == by]
        if not mine:
            words = "You have taught me nothing" if self._before else "Nothing was taught"
            raise CoterieError(f"{words} that could be undone.")
        label = self._before[mine[-1]][0]
        if later := next((who for what, who, _ in self._before[mine[-1] + 1 :] if what == label), ""):
            raise CoterieError(f"{later} has changed {label} since, so I leave it as it is.")
        self.journal.write("taught", "undo", {"at": mine[-1]})
        return label

    # -- changes, now and from the journal ------------------------------------------------------------------------
    def _take(self, kind: str, data: Mapping[str, Any], time: float) -> None:
        if kind == "undo":
            label, _, new = self._before.pop(int(data.get("at", -1)))
        else:
            label, new = str(data["label"]), Lesson(**data, time=time) if kind == "put" else None
            self._before.append((label, str(data.get("by", "")), self._rows.get(label)))
        if (old := self._rows.pop(label, None)) is not None:
            self._effect(old, False)
        if new is not None:
            self._rows[label] = new
            self._effect(new, True)

    # -- as a file ------------------------------------------------------------------------------------------------
    def export(self) -> str:
        """A file that people can read and change, and `read` takes back."""
        rows = [{name: value for name, value in vars(x).items() if name != "time"} for x in self]
        return json.dumps({"format": FORMAT, "lessons": rows}, indent=2, ensure_ascii=False) + "\n"

    def read(self, text: str, by: str) -> int:
        """Learn what a file holds; how much it was. Nothing is learnt from a file that cannot be read."""
        rows = rows_in(text)
        for kind, label, _, data in rows if self._check is not None else ():
            self._check(kind, label, data)  # type: ignore[misc]
        for kind, label, words, data in rows:
            self.put(kind, label, by, words, data)
        return len(rows)


def rows_in(text: str) -> list[tuple[str, str, str, dict[str, Any]]]:
    """The lessons in the text of a file: kind, label, words and data of each."""
    try:
        found = load_json(text)
        if found["format"] != FORMAT:
            raise ValueError(found["format"])
        return [(str(r["kind"]), str(r["label"]), str(r["words"]), dict(r["data"])) for r in found["lessons"]]
    except (ValueError, KeyError, TypeError) as err:
        raise CoterieError(f"This is no file of lessons ({str(err)[:80]}); one is made by: export.") from err


def names_in_lesson(data: Any, key: str = "") -> Iterator[str]:
    """The names of a world that a lesson speaks of."""
    if isinstance(data, Mapping):
        yield from data if key == "contents" else ()
        for inner, value in data.items():
            yield from names_in_lesson(value, inner)
    elif isinstance(data, (list, tuple)):
        for value in data:
            yield from names_in_lesson(value, key)
    elif key in ("what", "where", "source", "person", "robots", "without") and data and not str(data).startswith("@"):
        yield str(data)


# -- meanings as plain data --------------------------------------------------------------------------------------------
def to_plain(value: Any) -> Any:
    """Fields that are as usual are left out."""
    if isinstance(value, tuple):
        return [to_plain(v) for v in value]
    if is_dataclass(value) and not isinstance(value, type):
        rows = {f.name: to_plain(v) for f in fields(value) if (v := getattr(value, f.name)) != f.default}
        return {"is": type(value).__name__, **rows}
    return value


def from_plain(data: Any) -> Any:
    if isinstance(data, (list, tuple)):
        return tuple(from_plain(v) for v in data)
    if not isinstance(data, dict):
        return data
    try:
        return _TYPES[data["is"]](**{k: from_plain(v) for k, v in data.items() if k != "is"})
    except KeyError as err:
        raise CoterieError(f"{err} is nothing that can be meant.") from err
    except TypeError as err:
        raise CoterieError(f"A meaning cannot be read: {err}.") from err


# -- policies that people taught --------------------------------------------------------------------------------------
# Policies that people taught: what is done about a failure without asking, since a person has said so before.
class TaughtRecovery(Recovery):
    """Recovery that also knows when to give up, and whom to ask, because a person taught it."""

    def __init__(self, mission: Any, policies: Any = None, limits: Any = None):
        super().__init__(mission, policies, limits)
        self.taught: dict[str, m.Policy] = {}

    def matching(self, failure: Failure) -> list[tuple[str, m.Policy]]:
        speech = self.mission.domain.speech  # type: ignore[attr-defined]
        return [(name, said) for name, said in self.taught.items() if fits(said, failure, speech)]

    def exhausted(self, goal: Goal, failure: Failure) -> str:
        gives_up = [name for name, said in self.matching(failure) if said.then == "give up"]
        return f"that is {gives_up[0]}" if gives_up else super().exhausted(goal, failure)


def fits(said: m.Policy, failure: Failure, speech: Speech) -> bool:
    """True if a policy is about a failure: by its kind, and by the names in it."""
    pred, args = about(failure.cause)
    same = [c for c in said.trigger if {c.what, c.where} <= {"", *args}]
    return not said.trigger or any(pred in speech.trigger(c.kind, c.holds) for c in same)


def reaction(label: str, said: m.Policy, speech: Speech, mission: Mission) -> Policy:
    """A policy of recovery from one that was said. It needs no approval: the person who set it has approved."""

    def make(recovery: Finder, goal: Goal, failure: Failure) -> Iterator[Alternative]:
        if not fits(said, failure, speech):
            return
        if said.then == "retry":
            yield from retry(recovery, goal, failure)
        elif said.then == "other robot":
            yield from another_robot(recovery, goal, failure)
        elif said.then == "wants":
            yield from _wanted(recovery, goal, said, mission)
        elif said.then in ("ask", "bring") and not mission.authority.may(said.person, "approve"):
            yield from _from_person(recovery, goal, failure, said.person, mission)

    return Policy(label, f"as {label} says", make, approval=False)


def _wanted(recovery: Finder, goal: Goal, said: m.Policy, mission: Mission) -> Iterator[Alternative]:
    """First what the policy wants, then the goal anew."""
    for want in said.wants:
        wish = mission.speech.wish(want.kind, want.what, want.where, want.count, want.holds)
        for _, conditions in mission.domain.meanings(wish, mission.now_like().look, mission._taken(), ""):
            first = recovery.plan_for(list(conditions))
            then = recovery.plan(goal, after=first) if first.found else first
            if first.found and first.steps and then.found:
                yield Alternative("taught", f"see to {wish.text()} first", first, then, All(tuple(conditions)))
            break


def _from_person(
    recovery: Finder, goal: Goal, failure: Failure, person: str, mission: Mission
) -> Iterator[Alternative]:
    """The missing thing from a person: by a robot that goes there, or by asking the person to help."""
    (_, args), speech = about(failure.cause), mission.speech
    kinds = speech.names()
    thing = next((a for a in args if kinds.get(a) in ("item", "caddy")), "")
    others = [p for p in speech.people_of(thing) if p != person] if thing else []
    steps = [s for p in others for s in speech.limits("supply", thing, p, False) or ()]
    rules = tuple(against(skill, about, "somebody else was named.") for skill, about in steps)
    plan = recovery.plan(goal, rules=rules)
    if thing and plan.found and any(person in s.action.args for s in plan.steps):
        label = mission.domain.label(person)
        yield Alternative("taught", f"get the {mission.domain.label(thing)} from the {label}", then=plan, rules=rules)
        return
    yield from ask_person(recovery, goal, failure, first=person)
