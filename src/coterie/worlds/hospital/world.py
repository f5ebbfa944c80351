"""The truth of a hospital: where robots and things are, which doors are open, who answers.

Robots perceive themselves, what they hold, and the doors and free poses of the room they are in. What lies on a table
they learn by looking (`perceiveobject`) and by handling it; all else they are told. An action takes a time
that is drawn for it, and may fail at its end: because a condition does not hold in truth, or by bad luck; a grasp may
also slip without being noticed, so that only the next look at the gripper shows it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from coterie.core.action import WAIT, Action, Cause, Outcome
from coterie.core.bounds import is_word
from coterie.core.causes import by_driver
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.event import Event
from coterie.core.expr import Lookup
from coterie.core.fact_world import FactWorld, Key
from coterie.core.facts import UNKNOWN, Belief, Fact
from coterie.core.fluents import is_a
from coterie.core.judge import Flaw
from coterie.core.skill import Skill, fill, outcome_of
from coterie.core.task import Change, Task
from coterie.core.wire import carry_record, pack, unpack
from coterie.worlds.hospital import chance
from coterie.worlds.hospital.bodies import REACTS_S, carries_of, zones_of
from coterie.worlds.hospital.faults import Setting, Slip
from coterie.worlds.hospital.goals import Errands
from coterie.worlds.hospital.scene import INSIDE, Person, metres
from coterie.worlds.hospital.skills import DECLARED, KIND, SKILLS

_VALUED = frozenset(("room_of", KIND, "role", "spot", INSIDE))  # those of the map that are no yes or no
_FIXED = frozenset((*(f.name for f in DECLARED.fluents["fixed"]), KIND, "role", "spot", INSIDE))
CLOSED = ("closed",)
KINDS = ("goal", "join", "leave", "door", "put", "clear", "show", "person", "close")
#: Answers of a person who speaks for themselves to a robot that asks for an item.
HERE, GIVES, HAS_NONE, LATER = "here", "gives", "has none", "later"
#: Where nobody has done anything for so long [s], those who stand by do so for so long at most: with all done that was
#: wanted, and with something still to be waited for. So a day of nothing is a page of log.
CALM_S, CALM_WAIT_S = 60.0, 600.0
STUCK_S, STUCK_WAIT_S = 600.0, 60.0
SPEAKS_S = 240.0  # that a robot waits for the word of such a person, before the usual answer is taken
REACTS_SPREAD = 0.5
BAD_LUCK = "luck"  # the clause of a failure that nothing explains


class Luck(NamedTuple):
    """The random outcome of an action, drawn when it began."""

    action: Action
    begun: float
    due: float
    early: bool = False
    fails: bool = False
    unnoticed: bool = False


carry_record(Luck, "hospital_luck")


class HospitalWorld(FactWorld):
    def __init__(self, task: Task):
        assert isinstance(task.setting, Setting)
        self.setting: Setting = task.setting
        self.scene = task.setting.scene
        self.skills = dict(SKILLS.items())
        self._map = {("place",): self.scene.name, **self.scene.map()}
        if not self.setting.rates:
            self._map[chance.STEADY] = True
        self.counts: dict[str, int] = {}  # actions of each robot so far
        self._near: dict[str, list[Key]] = {}  # of each room, what everybody there sees
        self.busy_s = 0.0  # when an action last ended
        self.expects_s = math.inf  # when something is to happen that nobody here knows of yet, as far as is known
        self.slips: dict[tuple[str, str], Slip] = dict(task.setting.slips)
        self.bodies: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}  # where each may stand, what it may carry
        super().__init__(task)

    # -- what is true at the start --------------------------------------------------------------------------------
    def begin(self, task: Task) -> None:
        for pose in self.scene.poses:
            self.set(("free", pose), True)
        for key, value in self.setting.truth.items():
            self.set(key, value)
        for name, person in self.scene.people.items():
            self.set(("answers", name), person.answers)

    def enter(self, robot: str) -> None:
        pose = self.setting.starts.get(robot) or self._free_pose(robot)
        card = self.cards[robot]
        self.bodies[card.body] = zones_of(card), carries_of(card)
        self.set(("body", robot), card.body)
        self.set(("at", robot), pose)
        self.set(("holding", robot), None)
        self.set(("free", pose), False)
        for thing in self.scene.things:
            slip = self.slips.get((robot, thing))
            if slip is not None and slip.noticed:
                self.set(("graspable", robot, thing), slip.times <= 0)

    def _free_pose(self, robot: str) -> str:
        zones = zones_of(self.cards[robot])
        for name, pose in self.scene.poses.items():
            if pose.zone in zones and self.truth["free", name]:
                return name
        del self.cards[robot]
        raise CoterieError(f"There is no free pose for {robot}: leave robots out, or add a [[pose]] to the place.")

    def leave(self, robot: str) -> None:
        """Its body stays where it is, in everybody's way, with what it held."""
        for thing in self.scene.things:
            self.truth.pop(("graspable", robot, thing), None)

    # -- what follows, and who sees what --------------------------------------------------------------------------
    def map(self) -> Mapping[Key, object]:
        return self._map

    def lookup(self, belief: Belief) -> Lookup:
        over = super().lookup(belief)

        def look(pred: str, *args: Any) -> object:
            known = pred not in _VALUED or (pred, *args) in self._map
            return over(pred, *args) if known else UNKNOWN

        return look

    def derive(self, get: Callable[..., Any], pred: str, *args: Any) -> object:
        if pred in _FIXED:
            return self._map.get((pred, *args), None if pred in _VALUED else False)
        if pred in ("may", "carries"):
            body = get("body", args[0])
            if body is UNKNOWN:
                return UNKNOWN
            zones, carries = self.bodies.get(str(body), ((), ()))
            if pred == "carries":
                return self._map.get((KIND, args[1])) in carries
            pose = self.scene.poses.get(args[1])
            return pose is not None and pose.zone in zones
        if pred == "objectAt":
            count = get("stock", *args)
            return UNKNOWN if count is UNKNOWN else bool(count and count >= 1)
        value = get(pred, *args)
        if value is None and pred in ("stock", "amount", "has"):
            return 0
        if value is None and pred == "graspable":
            return True
        return value

    def get(self, pred: str, *args: Any) -> object:
        try:
            return super().get(pred, *args)
        except TypeError:  # an argument of a careless mind that can be no name
            return None

    def sees(self, robot: str) -> Iterator[Key]:
        yield from (("body", robot), ("at", robot), ("holding", robot))
        held = self.truth["holding", robot]
        if self._map.get((KIND, held)) == "caddy":
            yield from (("amount", held, item) for item in self.scene.items)
        room = self.scene.poses[self.truth["at", robot]].room
        if room not in self._near:
            doors = [("open", name) for name, door in self.scene.doors.items() if room in door.rooms]
            self._near[room] = [*doors, *(("free", n) for n, pose in self.scene.poses.items() if pose.room == room)]
        yield from self._near[room]

    # -- acting ---------------------------------------------------------------------------------------------------
    def _begun(self, robot: str, action: Action) -> Luck:
        self.counts[robot] = self.counts.get(robot, 0) + (action.skill != WAIT)
        rng = chance.dice(self.setting.seed, robot, self.counts[robot])
        took = self.nominal_s(robot, action)
        if action.skill == WAIT:
            took = self._standby_s(took)
        else:
            took *= chance.factor(rng, chance.SPREAD.get(action.skill, chance.USUAL_SPREAD))
            took += self._persons_time(action, rng) + self._reacts_s(robot, rng)
        fails = rng.random() < self.setting.rates.get(action.skill, 0.0)
        unnoticed = fails and action.skill == "pickup" and rng.random() < chance.UNNOTICED
        early = self._flaw(robot, action) is not None
        return Luck(action, self.now, self.now + round(took, 3), early, fails, unnoticed)

    def _reacts_s(self, robot: str, rng: Any) -> float:
        """How long a person of the team takes until they begin; who speaks for themselves says when it is done."""
        if not self.cards[robot].person:
            return 0.0
        return SPEAKS_S if self.truth.get(("speaks", robot)) else REACTS_S * chance.factor(rng, REACTS_SPREAD)

    def _standby_s(self, usual_s: float) -> float:
        """How long a robot stands by that has nothing to do: longer where nobody has had for long."""
        busy = any(luck.action.skill != WAIT for luck in self.underway.values())
        idle, progress = self.now - self.busy_s, self.progress()
        done = progress.partial >= 1.0 or not getattr(self.goal, "wishes", True)
        after, most = (CALM_S, CALM_WAIT_S) if done else (STUCK_S, STUCK_WAIT_S)
        return usual_s if busy or idle < after else max(usual_s, min(most, idle, self.expects_s - self.now))

    def nominal_s(self, robot: str, action: Action) -> float:
        """How long an action usually takes a robot, without the people in it [s]."""
        skill = self.skills.get(action.skill)
        if skill is None or skill.bind(robot, action.args) is None:
            return 1.0
        if action.skill in ("goto", "passdoor"):
            way = metres(self._map, *(str(a) for a in action.args))
            return skill.duration_s + way / self.cards[robot].speed_mps
        return skill.duration_s

    def _persons_time(self, action: Action, rng: Any) -> float:
        if action.skill not in ("receiveitem", "give") or len(action.args) != 3:
            return 0.0
        person = self.scene.people.get(action.args[1]) if isinstance(action.args[1], str) else None
        if person is None:
            return 0.0
        if action.skill == "receiveitem" and self.truth.get(("speaks", action.args[1])):
            return SPEAKS_S
        return person.delay_s * chance.factor(rng, person.spread) if person.answers else person.patience_s

    def _ended(self, robot: str, luck: Luck) -> Outcome:
        action, took = luck.action, self.now - luck.begun
        if action.skill != WAIT:  # those who stand by look up when something has been done
            self.busy_s = self.now
            for other, theirs in self.underway.items():
                if theirs.action.skill == WAIT:
                    self.underway[other] = theirs._replace(due=self.now)
        refused = self._refused(robot, action)
        if refused is not None:
            return Outcome(robot, action, "failed", refused.words, luck.begun, took, cause=refused.cause)
        flaw = self._flaw(robot, action)
        if flaw is not None:
            self._count_slip(robot, action, flaw)
            cause = flaw.cause.at("before" if luck.early and flaw.cause.clause not in LATE else "during")
            facts = self._learns(robot, action, flaw)
            return Outcome(robot, action, "failed", flaw.words, luck.begun, took, facts, cause=cause)
        if luck.fails and not luck.unnoticed:
            words = f"{robot} could not finish {action.skill}; nothing was in the way."
            cause = Cause(BAD_LUCK, (BAD_LUCK, (robot, action.skill), False), "during")
            return Outcome(robot, action, "failed", words, luck.begun, took, self._learns(robot, action), cause=cause)
        return self._done(Outcome(robot, action, "done", "", luck.begun, took), self._slips(robot, action, luck))

    def _refused(self, robot: str, action: Action) -> Flaw | None:
        """The refusal of a person who was asked for an item and gave none."""
        if not self.truth.get(("refused", robot)):
            return None
        self.set(("refused", robot), False)
        if self.cards[robot].person:
            return Flaw(f"{robot} says no.", Cause(BAD_LUCK, (BAD_LUCK, (robot, action.skill), False), "during"))
        thing, person = action.args[:2]
        words = f"{person} gave no {thing}."
        return Flaw(words, Cause("supplies", ("supplies", (person, thing), False), "during"))

    def _slips(self, robot: str, action: Action, luck: Luck) -> bool:
        """True if a grasp slips unnoticed by its robot."""
        if action.skill != "pickup":
            return False
        slip = self.slips.get((robot, action.args[0]))
        if slip is not None and slip.times > 0 and not slip.noticed:
            self.slips[robot, action.args[0]] = Slip(slip.times - 1, False)
            return True
        return luck.unnoticed

    def _count_slip(self, robot: str, action: Action, flaw: Flaw) -> None:
        if flaw.cause.clause != "graspable":
            return
        thing = action.args[0]
        slip = self.slips[robot, thing]
        self.slips[robot, thing] = Slip(slip.times - 1, True)
        if slip.times <= 1:
            self.set(("graspable", robot, thing), True)

    def _done(self, outcome: Outcome, slips: bool = False) -> Outcome:
        robot, action = outcome.robot, outcome.action
        skill = self.skills[action.skill]
        bound = skill.bind(robot, action.args) or {}
        says = fill(skill.says, bound, self.look)
        if not slips:
            for key, value in outcome_of(skill, bound, self.look).items():
                self.set(key, value)
        return outcome._replace(status="done", reason=says, facts=self._learns(robot, action))

    def accept(self, outcome: Outcome) -> Outcome:
        """Take over what a robot with a driver of its own has done, if that can be so."""
        if not outcome.ok:
            return self._believed(by_driver(outcome))
        flaw = self._flaw(outcome.robot, outcome.action)
        if flaw is None:
            return self._done(outcome)
        self._count_slip(outcome.robot, outcome.action, flaw)
        facts = self._learns(outcome.robot, outcome.action, flaw)
        return outcome._replace(status="failed", reason=flaw.words, facts=facts, cause=flaw.cause.at("after"))

    def _believed(self, outcome: Outcome) -> Outcome:
        """A failure whose cause a driver names: what it found there is so, also in the picture that we have of it."""
        fact = outcome.cause.fact if outcome.cause is not None else None
        if fact is None or fact[0] not in FOUND or fact[2] is not FOUND[fact[0]]:
            return outcome
        args = tuple(map(str, fact[1]))
        if not self.is_about(fact[0], args):
            return outcome
        key: Key = ("stock" if fact[0] == "objectAt" else fact[0], *args)
        new = 0 if fact[0] == "objectAt" else fact[2]
        self.set(key, new)
        return outcome._replace(facts=(Fact(key[0], key[1:], new, self.now, outcome.robot),))

    def is_about(self, pred: str, args: tuple[str, ...]) -> bool:
        """True if a fact is about things that are here."""
        kinds = (SKILLS.fluents or {})[pred].args
        here = {name: "robot" for name in self.cards}
        named = [here.get(a) or str(self._map.get((KIND, a), "")) for a in args]
        return len(args) == len(kinds) and all(is_a(a, kind, SKILLS.parents) for a, kind in zip(named, kinds))

    def _learns(self, robot: str, action: Action, flaw: Flaw | None = None) -> tuple[Fact, ...]:
        """Facts that a robot learns from an action it has just done, or tried."""
        skill = self.skills.get(action.skill)
        bound = skill.bind(robot, action.args) if skill is not None else None
        if bound is None:
            return ()
        keys: list[Key] = []
        if flaw is not None and flaw.cause.clause in LATE and flaw.cause.fact is not None:
            pred, args, _ = flaw.cause.fact
            keys += [(pred, *args)] if pred in TAUGHT else []
        table, caddy, thing = (str(bound.get(name, "")) for name in ("table", "caddy", "thing"))
        there = table != "" and self._map.get(("overlooks", self.truth["at", robot], table)) is True
        if there and action.skill in ("perceiveobject", "lookat"):
            keys += [("stock", name, table) for name in self.scene.things]
            caddy = thing if self._map.get((KIND, thing)) == "caddy" and self.look("objectAt", thing, table) else ""
        elif there:
            keys += [("stock", name, table) for name in (thing, caddy) if name in self.scene.things]
        if there and caddy in self.scene.caddies and self.look("objectAt", caddy, table):
            keys += [("amount", caddy, item) for item in self.scene.items]
        if flaw is None and skill is not None:
            keys += [k for k in self._said(skill, bound) if k not in keys]
        return tuple(Fact(k[0], k[1:], self.look(*k), self.now, robot) for k in keys)

    def _said(self, skill: Skill, bound: Mapping[str, Any]) -> list[Key]:
        """Effects of an action besides those its robot perceives of itself."""
        found: list[Key] = []
        for effect, args, _ in skill.changes:
            key = (effect.fluent.pred, *[a(self.look, bound) for a in args])
            if effect.fluent.pred in ("perceived", "delivered", "stock", "amount", "holding", "open", "seen", "has"):
                found.append(key)
        return found

    # -- changes --------------------------------------------------------------------------------------------------
    def apply(self, change: Change) -> list[Event]:
        if change.kind == "close":
            self.set(CLOSED, True)
        elif change.kind == "door":
            door = change.data.get("door")
            if door not in self.scene.doors:
                raise unknown_name("door", str(door), self.scene.doors)
            self.set(("open", str(door)), bool(change.data.get("open")))
            if change.data.get("open"):
                self.set(("jammed", str(door)), False)  # whoever opened it has mended it
        elif change.kind == "put":
            thing, place = str(change.data.get("thing")), str(change.data.get("place"))
            if thing not in self.scene.things or place not in self.scene.tables:
                raise CoterieError(f"Nobody can put '{thing}' on '{place}'.")
            more = change.data.get("count", 1)
            if not isinstance(more, int) or not more or (more < 0 and thing in self.scene.caddies):
                raise CoterieError(f"Nobody can put {more!r:.40} of '{thing}' anywhere; write a number.")
            if thing in self.scene.caddies:  # there is one of each: it is taken from wherever it is
                self._take_caddy(thing)
            self.set(("stock", thing, place), max(0, self.truth.get(("stock", thing, place), 0) + more))
        elif change.kind == "clear":
            self._clear(change.data.get("pose"))
        elif change.kind == "show":
            self._shown(change.data)
        elif change.kind == "person":
            self._answered(change.data.get("person"), change.data.get("says"))
        elif change.kind in ("goal", "leave", "join"):
            return super().apply(change)
        else:
            raise unknown_name("kind of change", change.kind, KINDS)
        return [Event(-1, 0, self.now, "change", change.source, {"kind": change.kind, **change.data})]

    def _answered(self, person: object, says: object) -> None:
        """A person speaks for themselves: robots that ask for an item wait for that, and end by it."""
        member = person in self.cards and self.cards[str(person)].person
        if not (person in self.scene.people or member) or says not in (HERE, GIVES, HAS_NONE, LATER):
            raise CoterieError(f"'{str(person)[:60]}' cannot say '{str(says)[:60]}' to a robot.")
        self.set(("speaks", str(person)), True)
        for robot, luck in self.underway.items():
            asked = luck.action.skill == "receiveitem" and person in luck.action.args
            if (asked or (robot == person and luck.action.skill != WAIT)) and says != HERE:
                due = self.now + (SPEAKS_S if says == LATER else 0.0)
                self.underway[robot] = luck._replace(due=due)
                if says == HAS_NONE:
                    self.set(("refused", robot), True)

    def _take_caddy(self, caddy: str) -> None:
        """Remove a caddy from where it is: a table, a room, a robot that has vanished."""
        for key, value in list(self.truth.items()):
            if key[0] == "holding" and value == caddy:
                self.set(key, None)
            elif key[:2] == ("stock", caddy) and value:
                self.set(key, 0)

    def _clear(self, pose: object) -> None:
        """Remove the body of a robot that has vanished; robots at work are left alone."""
        if pose not in self.scene.poses:
            raise unknown_name("pose", str(pose)[:60], self.scene.poses)
        if not any(self.truth.get(("at", robot)) == pose for robot in self.cards):
            self.set(("free", str(pose)), True)

    def _shown(self, data: Mapping[str, Any]) -> None:
        """Add things of a new kind that a person brings and shows: from now on they can be seen and held."""
        thing, place, count = data.get("thing"), data.get("place"), data.get("count", 1)
        if not isinstance(thing, str) or not is_word(thing) or place not in self.scene.tables:
            raise CoterieError(f"Nobody can show '{str(thing)[:60]}' on '{str(place)[:60]}'; name a table.")
        if not isinstance(count, int) or not 0 < count < 100:
            raise CoterieError(f"Nobody can bring {count!r:.40} of '{thing}'; write a number.")
        if self._map.get((KIND, thing), "item") != "item":
            raise CoterieError(f"'{thing}' is the name of something else here.")
        self.set(("shown", thing), True)
        self._know_shown()
        self.set(("stock", thing, str(place)), self.truth.get(("stock", thing, str(place)), 0) + count)

    def _know_shown(self) -> None:
        """Put things that were shown on the map; the truth keeps them, so that a restored world has them."""
        new = [k[1] for k in self.truth if k[0] == "shown" and k[1] not in self.scene.items]
        self.scene = replace(self.scene, items=(*self.scene.items, *new))
        self._map.update({(KIND, name): "item" for name in new})
        if new and isinstance(self.goal, Errands):
            self.goal = replace(self.goal, items=self.scene.items)

    def person(self, name: str) -> Person | None:
        """A person who works here."""
        return self.scene.people.get(name)

    def distance(self, a: str, b: str) -> float | None:
        """Between two robots [m], as the crow flies."""
        here, there = self.truth.get(("at", a)), self.truth.get(("at", b))
        return None if here is None or there is None else metres(self._map, here, there)

    # -- for readers of the log, and taking back ------------------------------------------------------------------
    def start_data(self) -> dict[str, Any]:
        scene = self.scene
        about = {
            "name": "hospital",
            "rooms": {n: list(r) for n, r in scene.rooms.items()},
            "doors": [[n, list(d.rooms), self.truth["open", n], d.x, d.y] for n, d in scene.doors.items()],
            "tables": {n: [t.room, t.x, t.y] for n, t in scene.tables.items()},
            "poses": {n: [p.room, p.x, p.y] for n, p in scene.poses.items()},
            "people": {n: [p.role, p.room] for n, p in scene.people.items()},
            "stock": [[*k[1:], n] for k, n in self.truth.items() if k[0] == "stock" and n],
        }
        return {**super().start_data(), "scene": about}

    def snapshot(self) -> bytes:
        slips = {f"{r} {t}": s for (r, t), s in self.slips.items()}
        return pack((super().snapshot().decode("ascii"), self.counts, slips, self.busy_s))

    def restore(self, data: bytes) -> None:
        rest, self.counts, slips, self.busy_s = unpack(data)
        self.slips = {tuple(name.split(" ", 1)): s for name, s in slips.items()}
        super().restore(rest.encode("ascii"))
        self.bodies |= {card.body: (zones_of(card), carries_of(card)) for card in self.cards.values()}
        self._know_shown()


#: Fluents that show only on trying, and those that trying teaches.
LATE = frozenset({"object_at", "graspable", "answers", "jammed"})
TAUGHT = frozenset({"answers", "jammed"})
FOUND = {"objectAt": False, "open": False, "jammed": True, "answers": False}  # of which a driver's word is taken
