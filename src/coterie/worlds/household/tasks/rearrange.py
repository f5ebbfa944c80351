"""Episodes of Habitat and PARTNR: things brought where a file says, judged by the propositions of the file.

Propositions, their dependencies and constraints stay as they are in the file, in our names. They are judged over the
course of everything that was laid or taken, as PARTNR does. To lie in furniture and on it is one here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from coterie.core.bounds import brief
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.expr import Lookup
from coterie.core.task import Goal, Progress, Task, goals
from coterie.houses.habitat import MALFORMED, Episode, load_episode
from coterie.houses.model import FLOOR
from coterie.worlds.household.tasks.draw import lies_in, right
from coterie.worlds.household.tasks.goals import tally
from coterie.worlds.household.tasks.tidy import make_task

NAME, TEAM = "rearrange", "SmallArm-TallArm"  # and who plays it if no team is named: as in PARTNR, two that carry
#: Arguments of a proposition that name things and targets, the one that asks for the same target for all, and words.
KINDS = {
    "is_on_top": ("object_handles", "receptacle_handles", "is_same_receptacle", "on"),
    "is_inside": ("object_handles", "receptacle_handles", "is_same_receptacle", "in"),
    "is_in_room": ("object_handles", "room_ids", "is_same_room", "in"),
    "is_on_floor": ("object_handles", FLOOR, "", "on the"),
    "is_next_to": ("entity_handles_a", "entity_handles_b", "is_same_b", "next to"),
}
NEXT_TO, DIFFERENT, SAME = "is_next_to", "DifferentArgConstraint", "SameArgConstraint"
Data = Mapping[str, Any]
Lies = Mapping[str, tuple[str, Any]]  # of each thing, the place that counts and the spot


class Held(NamedTuple):
    """Whether a proposition holds at a moment, of how many things, and by which things and targets."""

    ok: bool = False
    most: int = 0
    things: frozenset[str] = frozenset()
    targets: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Rearrange(Goal):
    """The propositions of an episode hold as its dependencies and constraints ask."""

    instruction: str
    propositions: Sequence[Data]  # one without a name is not judged
    dependencies: Sequence[Data]
    constraints: Sequence[Data]
    places: Mapping[str, Sequence[str]]  # that make up a target; of furniture and things, themselves
    kind: str = NAME
    of_things = True

    def text(self) -> str:
        asked = "; ".join(self._words(p) for p in self.propositions if p["function_name"])
        return f"{self.instruction} (That is: {asked}.)"

    def _words(self, p: Data) -> str:
        things, targets, _ = _of(p)
        some = f"{_number(p)} of " if len(things) > _number(p) else ""
        return f"{some}{', '.join(things)} {KINDS[p['function_name']][3]} {' or '.join(targets)}"

    def progress(self, look: Lookup) -> Progress:
        states, since, broken = self.judged(look("course"))  # type: ignore[arg-type]
        asked = {i: _number(p) for i, p in enumerate(self.propositions) if p["function_name"]}
        holds = {i for i in asked if i in since and i not in broken}
        part = sum(n if i in holds else min(states[-1][i].most, n - 1) for i, n in asked.items()) / sum(asked.values())
        ended, whole = bool(look("ended")), len(holds) == len(asked)
        text = tally(len(holds), len(asked), "proposition holds", "propositions hold")
        return Progress(ended and whole, part, text, ended and not whole)

    def judged(self, course: Sequence[Lies]) -> tuple[list[list[Held]], dict[int, int], set[int]]:
        """How all propositions held at each moment, since when, and which do not count for a constraint."""
        states: list[list[Held]] = []
        since: dict[int, int] = {}
        for lies in course:
            now = [self._held(p, lies) for p in self.propositions]
            for _ in range(len(self.dependencies) + 1):  # what holds now lets others be looked at a moment later
                shut = {i for d in self.dependencies if not _met(d, states) for i in d["proposition_indices"]}
                states.append([Held() if i in shut else held for i, held in enumerate(now)])
                for i in (i for i, held in enumerate(states[-1]) if held.ok):
                    since.setdefault(i, len(states) - 1)
        return states, since, {i for c in self.constraints for i in _broken(c, states, since)}

    def _held(self, p: Data, lies: Lies) -> Held:
        if not p["function_name"]:
            return Held(True)  # so that it holds up nothing that comes after it
        things, targets, same = _of(p)
        pairs = [(t, target) for t in things for target in targets if self._at(p, lies, t, target)]
        most = max(len({t for t, at in pairs if not same or at == target}) for target in targets)
        return Held(most >= _number(p), most, frozenset(t for t, _ in pairs), frozenset(at for _, at in pairs))

    def _at(self, p: Data, lies: Lies, thing: str, target: str) -> bool:
        if p["function_name"] != NEXT_TO:
            return lies[thing][0] in self.places.get(target, (target,))
        one, other = lies[thing][1], lies[target][1]
        near = float(p["args"].get("l2_threshold", 0.5))
        return thing != target and bool(one and other) and math.dist(one[:2], other[:2]) <= near

    @cached_property
    def wanted(self) -> dict[str, tuple[str, ...]]:
        """Where robots bring things: as many as are asked for, and where several propositions name one, by the last."""
        found: dict[str, tuple[str, ...]] = {}
        for i, p in enumerate(self.propositions):
            if p["function_name"] in ("", NEXT_TO):
                continue
            things, targets, same = _of(p)
            tied = [c for c in self.constraints if c["type"] in (SAME, DIFFERENT)
                    and i in c["args"]["proposition_indices"]]  # fmt: skip
            turn = tied[0]["args"]["proposition_indices"].index(i) if tied and tied[0]["type"] == DIFFERENT else 0
            targets = [targets[turn % len(targets)]] if same or tied else targets
            places = tuple(place for target in targets for place in self.places.get(target, (target,)))
            free = [t for t in things if t not in found] or things
            found.update(dict.fromkeys(free[: _number(p)], places))
        return found


def _of(p: Data) -> tuple[list[str], list[str], bool]:
    """The things and the targets of a proposition, and whether all are to be at the same one."""
    things, targets, same, _ = KINDS[p["function_name"]]
    return p["args"][things], p["args"][targets], bool(p["args"].get(same))


def _number(p: Data) -> int:
    return int(p["args"].get("number") or 1)


def _met(d: Data, states: Sequence[Sequence[Held]]) -> bool:
    """Whether the propositions of a dependency may be looked at."""

    def met(held: list[bool]) -> bool:
        if d["relation_type"] == "while_satisfied":
            return bool(held) and held[-1]
        if d["relation_type"] == "after_unsatisfied":
            return any(a and not b for a, b in pairwise(held))
        return any(held) == (d["relation_type"] == "after_satisfied")

    each = [met([s[i].ok for s in states]) for i in d["depends_on"]]
    return any(each) if d.get("dependency_mode") == "any" else all(each)


def _broken(c: Data, states: Sequence[Sequence[Held]], since: Mapping[int, int]) -> set[int]:
    """The propositions that do not count for a constraint."""
    if c["type"] == "TemporalConstraint":
        late: set[int] = set()
        for _ in states[-1]:  # what comes after something that is late is late, too
            late |= {b for a, b in c["args"]["dag_edges"] if a in late or since.get(b, -1) <= since.get(a, len(states))}
        return late
    numbers = c["args"]["proposition_indices"]
    if c["type"] == "TerminalSatisfactionConstraint":
        return {i for i in numbers if not states[-1][i].ok}
    found, taken = set[int](), frozenset[str]()
    for when, i, arg in sorted((since[i], i, arg) for i, arg in zip(numbers, c["args"]["arg_names"]) if i in since):
        by = states[when][i].things if arg in ("object_handles", "entity_handles_a") else states[when][i].targets
        if taken and bool(by & taken) == (c["type"] == DIFFERENT):
            found.add(i)
        taken = taken | by if c["type"] == DIFFERENT else taken or by
    return found


goals.put(NAME, lambda d: Rearrange(**{key: value for key, value in d.items() if key != "kind"}))


# -- out of a file ----------------------------------------------------------------------------------------------------
def goal_of(episode: Episode) -> tuple[Rearrange, list[str]]:
    """The goal of an episode, and what of it is not asked for here, each in a sentence."""
    told, house = list[str](), episode.house
    floors = {room.name: f"{FLOOR}@room_{i + 1}" for i, room in enumerate(house.rooms)}
    places = {r: [*(f.name for f in house.furniture if f.room == r), floor] for r, floor in floors.items()}
    rows = episode.data.get("evaluation_propositions") or [
        {"function_name": "is_on_top", "args": {"object_handles": [thing], "receptacle_handles": [goal[0]]}}
        for thing, goal in zip(episode.data.get("targets") or {}, episode.data.get("goal_receptacles") or ())
    ]
    asked = [_named(row, episode, told) for row in rows]
    gone = {i for i, p in enumerate(asked) if not p["function_name"]}
    if len(gone) == len(asked):
        raise CoterieError(f"The episode '{house.name}' asks for nothing that can be judged here. {' '.join(told)}")
    if gone:
        told.append(f"{len(gone)} of {len(asked)} propositions are not judged.")
    needs = [d for d in episode.data.get("evaluation_proposition_dependencies") or () if not gone & {*d["depends_on"]}]
    bounds = episode.data.get("evaluation_constraints") or []
    text = str(episode.data.get("instruction") or "Rearrange the house.")
    goal = Rearrange(text, asked, needs, bounds, {**places, FLOOR: [*floors.values()]})
    if any(c["args"].get("dag_edges") for c in bounds) or any(d["relation_type"].startswith("after") for d in needs):
        told.append("The episode asks for an order; robots that follow rules bring each thing where it is to end up.")
    return goal, told


def _named(row: Data, episode: Episode, told: list[str]) -> dict[str, Any]:
    """A proposition in our names; without a name of its own if it cannot be judged."""
    kind, args = row["function_name"], {FLOOR: [FLOOR], **row["args"]}
    things, targets = KINDS.get(kind, ("", ""))[:2]
    known = {**episode.named, FLOOR: FLOOR}
    for key in (things, targets) if things else ():
        only = episode.house.thing if key == things or kind == NEXT_TO else known.values()
        args[key] = [known[h] for h in args[key] if h in known and known[h] in only]
    if things and args[things] and args[targets]:
        return {"function_name": kind, "args": args}
    why = f"speaks of {brief(row['args'])}, which is not here" if things else "is nothing that is judged here"
    told.append(f"A proposition is left out: {kind} {why}.")
    return {"function_name": "", "args": {}}


def draw_rearrange(config: Config) -> Task:
    """carry out an episode of a file of Habitat or PARTNR: --scene FILE.json.gz#3"""
    episode, goal, _ = play(config.scene)
    house = replace(episode.house, wanted=tuple(goal.wanted.items()))
    things = [house.thing[t] for t in goal.wanted]
    away = tuple(t.name for t in things if not right(house, t, t.on, lies_in(house, t.on, t.spot)))
    task = make_task(NAME, goal, house, away, config)
    return replace(task, about={**task.about, "left_out": sum(not p["function_name"] for p in goal.propositions)})


def play(scene: str) -> tuple[Episode, Rearrange, list[str]]:
    """An episode, its goal, and all that is told of either."""
    try:
        episode = load_episode(scene)
        goal, told = goal_of(episode)
    except MALFORMED as err:
        raise CoterieError(f"'{scene}' is not written as Habitat writes episodes: {brief(err)}.") from None
    return episode, goal, [*episode.house.notes, *told]
