"""The mission's domain of the hospital: how goals are said and meant, how facts are said, and
how long things usually take."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from coterie.core.action import Action
from coterie.core.card import Card
from coterie.core.expr import Expr, Lookup, any_of, eq, fl, ge, ne
from coterie.core.facts import UNKNOWN
from coterie.core.files import tables
from coterie.core.skill import Clause, Rule
from coterie.worlds.hospital.bodies import REACTS_S
from coterie.worlds.hospital.chance import STEADY
from coterie.worlds.hospital.goals import AT, KIT, LOOK, STOCK, TIDY, Errands, Wish
from coterie.worlds.hospital.phrases import Names, read_contents, read_fact, read_goal
from coterie.worlds.hospital.planning import goal_of
from coterie.worlds.hospital.scene import RIGHTS, Key, counted, label, metres
from coterie.worlds.hospital.searching import Search
from coterie.worlds.hospital.skills import DECLARED, EXPECTED, KIND, SKILLS
from coterie.worlds.hospital.speech import HospitalSpeech

_SAID = tables(__package__, "words.toml")
_WORDS: Mapping[str, tuple[str, str]] = _SAID["facts"]
_DEEDS: Mapping[str, str] = _SAID["deeds"]
_TRIED: Mapping[str, str] = _SAID["tried"]

PERSON_S = 8.0  # in which a person answers


def _unknown(pred: str, names: Sequence[str]) -> str:
    """The question that an unknown fact leaves open."""
    if pred == "at":
        return f"where {names[0]} is"
    if pred == "holding":
        return f"what {names[0]} holds"
    if pred == "has":
        return f"whether the {names[0]} has the {names[1]}"
    if pred in ("stock", "amount"):
        thing, where = (names[0], f"at {names[1]}") if pred == "stock" else (names[1], f"in the {names[0]}")
        return f"how many there are of the {thing} {where}"
    return f"whether {_WORDS[pred][0].format(*names)}" if pred in _WORDS else f"enough of {' and '.join(names)}"


def _some(count: object, name: str) -> str:
    if not isinstance(count, int):  # nobody has looked
        return f"may be some {label(name)}"
    if count == 1:
        return f"is {counted(count, name)}"
    return f"are {counted(count, name)}" if count else f"is no {label(name)}"


#: Where trials are kept, by how often actions fail by themselves in the place where they were recorded.
EXPERIENCE = {"real": "experience.json", "none": "experience-none.json"}


@cache
def experience(body: str, noise: str) -> list[tuple[str, bool, float, float, str]]:
    """Trials of a body that were recorded in earlier missions in such a place (`benchmarks/hospital.py
    --record` makes them)."""
    path = Path(__file__).with_name(EXPERIENCE[noise])
    rows = json.loads(path.read_text(encoding="utf-8")).get(body, ()) if path.exists() else ()
    return [(skill, bool(ok), ratio * usual, usual, about) for skill, ok, ratio, usual, about in rows]


class HospitalDomain:
    """For one map; it knows the place, and nothing of what is true in it."""

    skills = SKILLS

    def __init__(self, chart: Mapping[Key, object]):
        self.chart = chart
        self.names = Names(chart)
        self.search = Search(chart)
        self.speech = HospitalSpeech(self)  # what people say of it

    # -- what there is --------------------------------------------------------------------------------------------
    def objects(self) -> dict[str, str]:
        return self.names.kinds

    def people(self) -> dict[str, str]:
        """Names with their roles."""
        return {key[1]: str(role) for key, role in self.chart.items() if key[0] == "role"}

    def rights(self) -> dict[str, frozenset[str]]:
        return {key[1]: frozenset(acts) for key, acts in self.chart.items() if key[0] == RIGHTS}  # type: ignore[call-overload]

    def said(self) -> dict[Key, object]:
        """Expectations about the place, before any observation."""
        return {key[1:]: value for key, value in self.chart.items() if key[0] == EXPECTED}

    # -- goals ----------------------------------------------------------------------------------------------------
    def read(self, text: str) -> Wish:
        return read_goal(text, self.chart)

    def contents(self, text: str) -> dict[str, int] | None:
        return read_contents(text, self.chart)

    def amended(self, wish: Wish, text: str) -> Wish | None:
        """ "medkit to 1 painkiller and 1 bandage box", or just the contents."""
        what, _, rest = text.partition(" to ") if " to " in text else ("", "", text)
        if wish.kind != KIT or (what and what.strip().lower().removeprefix("the ") != wish.what):
            return None
        inside = self.contents(rest)
        return None if inside is None else replace(wish, contents=tuple(inside.items()))

    def told(self, text: str) -> list[tuple[Key, object]] | None:
        return read_fact(text, self.names)

    def counted(self, pred: str) -> bool:
        return pred == "objectAt"

    def told_fact(self, pred: str, args: Sequence[str], value: Any, count: int = 1) -> list[tuple[Key, object]]:
        """A fact as it is kept: that something is there is at least one of it."""
        if pred == "objectAt":
            return [(("stock", *args), count if value else 0)]
        return [((pred, *args), value), *([(("open", *args), True)] if pred == "jammed" and not value else [])]

    def behind(self, pred: str, args: Sequence[Any]) -> list[Key]:
        return [("stock", *(str(a) for a in args))] if pred == "objectAt" else []

    def request(
        self, pred: str, args: Sequence[Any], value: Any, count: int = 1
    ) -> tuple[str, Mapping[str, Any]] | None:
        names = [label(str(a)) for a in args]
        if pred in ("objectAt", "stock") and value and self.names.kinds.get(str(args[1])) == "table":
            return f"put {counted(count, str(args[0]))} on {names[1]}", {
                "change": ["put", {"thing": str(args[0]), "place": str(args[1]), "count": count}]
            }
        if (pred, value) in (("open", True), ("jammed", False)):
            return f"open the {names[0]}", {"change": ["door", {"door": str(args[0]), "open": True}]}
        if (pred, value) == ("free", True):
            words = f"take away the robot that stands at {names[0]} and does not move any more"
            return words, {"change": ["clear", {"pose": str(args[0])}]}
        return None

    def wishes(self, goal: Any) -> tuple[Wish, ...]:
        """The wishes of a task that asks by itself."""
        return goal.wishes if isinstance(goal, Errands) and goal.by else ()

    def meanings(
        self, wish: Wish, look: Lookup, taken: Collection[str], mine: str = ""
    ) -> Iterator[tuple[str, list[Expr]]]:
        """A kit stays in the caddy that it was begun in, if there is a way; otherwise it goes into one that is known to
        be somewhere, the fullest first."""
        if wish.kind == AT:
            poses = [p for p in self.speech.poses(wish.where) if look("may", wish.what, p) is not False]
            for pose in poses:
                yield "", [eq(fl("at", wish.what), pose)]
            return
        if wish.kind == LOOK and not wish.what:
            tables = self.search.rooms.get(wish.where, [wish.where])
            yield "", [eq(fl("seen", table), True) for table in tables]
            return
        if wish.kind == TIDY:  # the parts that come before it bring it about
            rows = self.search.misplaced(wish.where, self.names.of("item"), look)
            seen = [eq(fl("seen", table), True) for table in self.search.rooms[wish.where]]
            yield "", [*seen, *(part for row in rows for part in self.search.away(*row, look))]
            return
        if wish.kind == STOCK and self.search.looks and wish.where in self.search.rooms:
            tables = self.search.in_room(wish, look)
            yield from (("", goal_of(replace(wish, where=table))) for table in tables)
            return
        if wish.kind == LOOK and not wish.where:
            tables = [t for t, _ in self.speech.where(wish.what, look)] or self.names.of("table")
            yield from (("", goal_of(replace(wish, where=table))) for table in tables)
            return
        if wish.kind != KIT:
            yield "", goal_of(wish)
            return
        on_map = [i for i in self.names.of("item") if (KIND, i) in self.chart]  # what was taught may be nowhere
        there = [i for i in self.names.of("item") if i in (*on_map, *dict(wish.contents)) or self.speech.where(i, look)]
        free = [c for c in self.names.of("caddy") if c not in taken]
        known = [c for c in free if c == mine or self._somewhere(c, look)] or free
        for caddy in sorted(known, key=lambda c: (c != mine, -self._fitting(c, wish, look))):
            yield caddy, goal_of(wish, caddy, there)

    def before(self, wish: Wish, look: Lookup, stuck: bool, robots: Collection[str]) -> Iterator[tuple[str, Expr]]:
        unknown = wish.what in self.names.of("item") and not self._known(wish.what, look, robots)
        return self.search.before(wish, self.names.of("item"), look, stuck or unknown)

    def _known(self, thing: str, look: Lookup, robots: Collection[str]) -> bool:
        """True if anybody knows where there is such a thing; else no plan for it is sought before a robot has looked.
        Skills of a user's own may bring things that nobody knows of."""
        if len(self.skills) > len(DECLARED.skills):
            return True
        inside = (look("amount", caddy, thing) for caddy in self.names.of("caddy"))
        held = any(look("holding", robot) == thing for robot in robots) or any(isinstance(n, int) and n for n in inside)
        return held or bool(self.speech.where(thing, look) or self.speech.people_of(thing))

    def _somewhere(self, caddy: str, look: Lookup) -> bool:
        counts = (look("stock", caddy, place) for place in self.names.of("table", "room"))
        return any(isinstance(n, int) and n > 0 for n in counts)

    def _fitting(self, caddy: str, wish: Wish, look: Lookup) -> int:
        """How many items of a kit are in a caddy already."""
        inside = ((look("amount", caddy, item), n) for item, n in wish.contents)
        return sum(min(int(a), n) for a, n in inside if isinstance(a, int))

    def disturbs(self, skill: str) -> bool:
        return skill in ("pickup", "putin", "takeout", "handover", "deliverkit", "give")

    def keeping(self, wish: Wish, look: Lookup) -> Rule | None:
        """Nobody picks up the last of what was brought to a table; what is there beyond it is free."""
        if wish.kind != STOCK:
            return None
        thing, table = wish.what, wish.where
        spare = look("stock", thing, table) != wish.count  # else nobody takes any: plans are found sooner so
        more = [ge(fl("stock", thing, table), wish.count + 1)] if spare else []
        words = f"{counted(wish.count, thing)} at {label(table)} was brought for somebody."
        clause = Clause(any_of(ne("?thing", thing), ne("?table", table), *more), words, name="kept")
        return Rule(f"{thing} stays at {table}", "pickup", clause)

    # -- words ----------------------------------------------------------------------------------------------------
    def label(self, name: str) -> str:
        return label(name)

    def fact_words(self, pred: str, args: Sequence[Any], value: Any) -> str:
        names = [label(str(a)) for a in args]
        if pred == "can":  # of a skill, and perhaps a robot
            skill = self.skills.find(str(args[0]))
            who = f"{names[1]} cannot" if names[1:] else "nobody here can"
            return f"{who} {skill.help if skill is not None else names[0]}"
        if pred == "luck" and len(args) == 2:
            names[1] = _TRIED.get(str(args[1]), str(args[1]))
        if value is UNKNOWN or (value is None and pred in _WORDS):
            return f"nobody knows {_unknown(pred, names)}"
        if pred in _WORDS and isinstance(value, bool):
            return _WORDS[pred][0 if value else 1].format(*names)
        if pred == "stock" and len(names) == 2:
            return f"there {_some(value, args[0])} at {names[1]}"
        if pred == "amount" and len(names) == 2:
            return f"there {_some(value, args[1])} in the {names[0]}"
        if pred == "has" and len(names) == 2:
            return f"the {names[0]} has {counted(value, args[1]) if value else 'no ' + names[1]}"
        if pred == "holding":
            return f"{names[0]} holds {'nothing' if value is None else 'the ' + label(str(value))}"
        if pred == "at":
            return f"{names[0]} is at {label(str(value))}"
        return f"it is not as it should be with {' and '.join(names)}"

    def step_words(self, robot: str, action: Action) -> str:
        skill = self.skills.find(action.skill)
        bound = skill.bind(robot, action.args) if skill is not None else None
        if skill is None or bound is None:
            return f"{robot}: {action}"
        words = {k: label(str(v)) for k, v in bound.items()}
        if action.skill not in _DEEDS:  # of a user's own
            about = [words[p.name] for p in skill.params if p.kind != "pose"]
            return f"{robot}: {skill.help}" + (f" ({', '.join(about)})" if about else "")
        if action.skill == "passdoor" and words["to"] == f"the {words['door']}":
            return f"{robot} goes through the {words['door']}"  # and is on its other side
        return _DEEDS[action.skill].format(**words)

    # -- times ----------------------------------------------------------------------------------------------------
    def usual_s(self, card: Card, action: Action) -> float:
        """How long an action takes a body, as its maker and the map say [s]."""
        skill = self.skills.find(action.skill)
        seconds = skill.duration_s if skill is not None else 1.0
        if action.skill in ("goto", "passdoor"):
            seconds += metres(self.chart, *action.args) / card.speed_mps
        if action.skill == "receiveitem":
            seconds += PERSON_S
        return seconds + (REACTS_S if card.person else 0.0)

    def experience(self, card: Card) -> list[tuple[str, bool, float, float, str]]:
        """Robots have worked in this hospital before: what they bring was recorded where as much fails as here."""
        return experience(card.body, "none" if self.chart.get(STEADY) else "real")
