"""For worlds in which nobody knows where things are: what earlier episodes suggest, never what is hidden in this one.

A lesson is what a world drew from the log of a finished episode, and only from what its robots saw and did: where kinds
of things were found, who fetched them, who put them in place, who led. A prior sums lessons up: words for a prompt, and
an order in which to search the furniture that the team knows of.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from coterie.memo.case import BadRow
from coterie.memo.file.store import Store

OTHER_KINDS = 0.1  # what a find of another kind of thing says, against one of the same kind
OTHER_HOUSE = 0.5  # what a find in another house says of furniture of the same kind


class PriorCase(NamedTuple):
    """The features by which episodes are compared."""

    scene: str
    team: tuple[str, ...]  # bodies, sorted
    goal: str  # its kind: pack, sort, stack
    kinds: tuple[str, ...]  # of the targets, sorted


class Find(NamedTuple):
    kind: str
    furniture: str
    furniture_kind: str


class Job(NamedTuple):
    kind: str
    fetched: str  # the body that picked it up first
    placed: str  # the body that put it where it belongs; empty: nobody


@dataclass(frozen=True)
class Lesson:
    case: PriorCase
    success: bool
    found: tuple[Find, ...]
    jobs: tuple[Job, ...]
    led: str = ""  # the body of the leader, if there was one

    def to_json(self) -> dict[str, Any]:
        return dict(vars(self))  # named tuples are lists in JSON

    @classmethod
    def from_json(cls, data: Any) -> Lesson:
        try:
            scene, team, goal, kinds = data["case"]
            return cls(
                PriorCase(str(scene), tuple(map(_name, team)), str(goal), tuple(map(_name, kinds))),
                bool(data["success"]),
                tuple(Find(*map(_name, f)) for f in data["found"]),
                tuple(Job(*map(_name, j)) for j in data["jobs"]),
                _name(data["led"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as err:
            raise BadRow(f"not a lesson: {err}") from err


def _name(text: object) -> str:
    """Names of lessons reach prompts: words of kinds, bodies and furniture, and nothing that could be more."""
    name = str(text)
    if not re.fullmatch(r"[\w @.:-]{0,80}", name):
        raise BadRow("not a name")
    return name


@dataclass(frozen=True)
class Prior:
    """A hint, not knowledge: whoever keeps it does so under a predicate that no skill or guard rail is judged by."""

    order: Mapping[str, float]  # furniture -> weight, the likeliest first; the weights sum to 1
    words: str = ""
    episodes: int = 0


def kind_of(thing: str) -> str:
    return re.sub(r"_\d+$", "", thing)


# -- from lessons -------------------------------------------------------------------------------------------------
def prior(case: PriorCase, lessons: Sequence[Lesson], furniture: Mapping[str, str]) -> Prior:
    """The prior that lessons suggest. `furniture` (name -> kind) is what the team knows of; no other name comes out."""
    weights: dict[str, float] = {}
    for lesson in lessons:
        for find in lesson.found:
            worth = 1.0 if find.kind in case.kinds else OTHER_KINDS
            if lesson.case.scene == case.scene:
                alike = [find.furniture] if find.furniture in furniture else []
            else:
                alike = [name for name, kind in furniture.items() if kind == find.furniture_kind]
                worth *= OTHER_HOUSE
            for name in alike:
                weights[name] = weights.get(name, 0.0) + worth / len(alike)
    total = sum(weights.values())
    order = {n: w / total for n, w in sorted(weights.items(), key=lambda item: (-item[1], item[0]))} if total else {}
    words = [*_found_words(case, lessons, furniture), *_labour_words(case, lessons)]
    return Prior(order, "\n".join(words), len(lessons))


def _found_words(case: PriorCase, lessons: Sequence[Lesson], furniture: Mapping[str, str]) -> list[str]:
    here: dict[str, Counter[str]] = {}
    for lesson in lessons:
        for find in lesson.found:
            if find.kind in case.kinds:
                named = lesson.case.scene == case.scene and find.furniture in furniture
                place = find.furniture if named else f"a {find.furniture_kind} of another house"
                here.setdefault(find.kind, Counter())[place] += 1
    lines = []
    for kind in sorted(here):
        places = sorted(here[kind].items(), key=lambda item: (-item[1], item[0]))[:3]
        lines.append(f"Earlier, {kind} was found at " + ", ".join(f"{p} ({_times(n)})" for p, n in places) + ".")
    return [*lines, "These are only hints: things may lie elsewhere now."] if lines else []


def _labour_words(case: PriorCase, lessons: Sequence[Lesson]) -> list[str]:
    """Only teams of the same bodies that did it: others divide work in other ways."""
    same = [x for x in lessons if x.success and x.case.team == case.team and x.case.goal == case.goal]
    if not same:
        return []
    fetched = Counter(job.fetched for x in same for job in x.jobs if job.fetched)
    placed = Counter(job.placed for x in same for job in x.jobs if job.placed)
    led = Counter(x.led for x in same if x.led)
    parts = [
        f"{words} {_share(counter)}"
        for words, counter in (("fetched by", fetched), ("put in place by", placed), ("led by", led))
        if counter
    ]
    many = f"{len(same)} such episode{'' if len(same) == 1 else 's'}"
    return [f"How teams like this one did it in {many}: " + "; ".join(parts) + "."] if parts else []


def _share(counter: Counter[str]) -> str:
    return ", ".join(f"{body} ({_times(n)})" for body, n in sorted(counter.items(), key=lambda i: (-i[1], i[0])))


def _times(n: int) -> str:
    return "once" if n == 1 else f"{n} times"


# -- in the store -------------------------------------------------------------------------------------------------
def teach(store: Store, lesson: Lesson, episode: str) -> None:
    """Keep the lesson of an episode, in place of the one it taught before."""
    store.teach(episode, lesson.case.scene, lesson.case.goal, lesson.to_json())


def recall(store: Store, case: PriorCase, furniture: Mapping[str, str], limit: int = 200, but: str = "") -> Prior:
    """The prior from the latest lessons in the store; `but` is the episode that asks and must not hear itself."""
    lessons = []
    for data in store.lessons(case.scene, case.goal, limit, but):
        try:
            lessons.append(Lesson.from_json(data))
        except BadRow:
            store.skipped += 1
    return prior(case, lessons, furniture)
