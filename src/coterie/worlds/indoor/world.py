"""The indoor world: rooms, furniture, things, ground and flying robots, and one fixed arm.

The truth is a store of facts. Skills are judged on it, and their declared effects are applied to it; what geometry adds
(where a thing comes to lie, how long a path takes) is computed beside them.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from typing import Any

from coterie.core.action import COMMUNICATE, Action, Message, Outcome, Verdict
from coterie.core.card import Card
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.expr import Fluent, Lookup
from coterie.core.facts import Belief, Fact
from coterie.core.seeds import rng_of
from coterie.core.skill import Rule, Skill, fill
from coterie.core.task import Change, Goal, Progress, Task
from coterie.core.world import Observation
from coterie.motion.grid import Point
from coterie.skills import skills
from coterie.skills.judge import first_failure, lesson
from coterie.worlds.indoor.changes import apply_change
from coterie.worlds.indoor.fluents import Fluents
from coterie.worlds.indoor.noise import Noise
from coterie.worlds.indoor.scene import Setting, Thing, dist

Settle = Callable[["IndoorWorld", Change], Change]
_EPS = 1e-9

#: Outcomes may teach these; everything else is better seen than told.
_LESSONS = frozenset({"allowed", "stand_allowed", "open", "may_place"})


class Underway:
    """An action under way."""

    __slots__ = ("action", "bound", "end", "order", "robot", "skill", "start", "version", "words", "world")

    def __init__(self, world: IndoorWorld, robot: str, action: Action, order: int):
        self.world, self.robot, self.action, self.order = world, robot, action, order
        self.start = world.now
        self.end = world.now
        self.skill: Skill | None = None
        self.bound: dict[str, Any] = {}
        self.words: tuple[str, tuple[Fact, ...]] | None = None  # why it has failed already, and the lesson
        self.version = world.version

    def poll(self, now: float) -> Outcome | None:
        return self.world._finish(self) if now >= self.end - _EPS else None

    def cancel(self, now: float) -> Outcome:
        self.world._underway.pop(self.robot, None)
        return Outcome(self.robot, self.action, "cancelled", "cancelled.", self.start, now - self.start)


class IndoorWorld:
    free_check = False

    def __init__(
        self,
        task: Task,
        seed: int = 0,
        noise: Noise | None = None,
        settle: Settle | None = None,
        arms: str = "geometric",
    ):
        if arms != "geometric":
            raise CoterieError("Planned arms are not available yet; use --arms geometric.")
        self.setting: Setting = task.setting
        self.scene = self.setting.scene
        self.rules: tuple[Rule, ...] = task.rules
        self.goal: Goal = task.goal
        self.noise = noise or Noise()
        self.settle = settle
        self.seed = seed
        self.now = 0.0
        self.version = 0
        self.fluents = Fluents(self.setting)
        self.things: dict[str, Thing] = {t.name: t for t, _, _ in self.setting.things}
        self.cards: dict[str, Card] = {}
        self.truth: dict[tuple[str, ...], Any] = {}
        self.inside: dict[str, list[str]] = {}
        self.look: Lookup = self.fluents.over(self._get)
        self._underway: dict[str, Underway] = {}
        self._order = 0
        self._rng = rng_of(seed, "noise")
        self._traced: dict[tuple[str, ...], None] = {}  # what has changed since `trace` was last asked
        for f in self.scene.furniture:
            if f.opens:
                self.truth["open", f.name] = f.open
        for d in self.scene.doors:
            if d.swings:
                self.truth["open", d.name] = d.open
        for thing, place, spot in self.setting.things:
            self._set(("where", thing.name), place)
            self.truth["spot", thing.name] = spot
        starts = dict(self.setting.starts)
        for name, card in task.robots:
            self.add_robot(name, card, starts.get(name))
        self._traced.clear()

    # -- truth ----------------------------------------------------------------------------------------------------
    def _get(self, key: tuple[str, ...]) -> object:
        value = self.truth.get(key)
        if value is not None:
            return value
        pred = key[0]
        if pred == "contents":
            return tuple(self.inside.get(key[1], ()))
        if pred == "robots":
            return tuple(self.cards)
        if pred == "card":
            return self.cards.get(key[1])
        if pred == "mass":
            thing = self.things.get(key[1])
            return thing.mass_kg if thing else 0.0
        if pred == "hearers":
            return self._hearers(key[1], key[2])
        if pred == "heard_by":
            return ", ".join(self._hearers(key[1], key[2]))
        if pred in ("allowed", "stand_allowed"):  # zones that were closed to a robot are stored as False
            return True
        if pred == "may_place":  # who may do the final placement, where the task has a rule about it
            return self.cards[key[1]].mobility == "fixed" or key[2] not in self.fluents.platforms
        return None

    def _set(self, key: tuple[str, ...], value: Any) -> None:
        if key[0] == "where":
            thing, old = key[1], self.truth.get(key)
            if old is not None:
                self.inside[old].remove(thing)
            self.inside.setdefault(value, []).append(thing)
        self.truth[key] = value
        self._traced[key] = None
        self.version += 1

    def put(self, thing: str, place: str, spot: tuple[float, float, float]) -> None:
        """Lay a thing somewhere, outside of any skill."""
        self._set(("where", thing), place)
        self._set(("spot", thing), spot)

    def _hearers(self, robot: str, recipients: Any) -> tuple[str, ...]:
        wanted = (recipients,) if isinstance(recipients, str) else tuple(recipients)
        others = [n for n in self.cards if n != robot]
        return tuple(others) if "all" in wanted else tuple(n for n in others if n in wanted)

    # -- robots ---------------------------------------------------------------------------------------------------
    def robots(self) -> Mapping[str, Card]:
        return self.cards

    def add_robot(self, name: str, card: Card, start: Point | None = None) -> None:
        if name in self.cards:
            raise CoterieError(f"There is already a robot named '{name}'.")
        work = self.scene.work
        if card.mobility == "fixed":
            if any(c.mobility == "fixed" for c in self.cards.values()):
                raise CoterieError("The work table has room for one fixed arm; take one out of the team.")
            pose, at, stand = work.arm, work.table, None
        else:
            pose, at, stand = self._start_pose(card, start)
        self.cards[name] = card
        for pred, value in (("pose", pose), ("at", at), ("stand", stand), ("holding", None), ("used", 0)):
            self._set((pred, name), value)

    def _start_pose(self, card: Card, start: Point | None) -> tuple[Point, str | None, str | None]:
        """The wanted point, or a free one near the middle of the work table's room; robots begin away from furniture."""
        grid = self.scene.nav(card, self.scene.closed_doors).grid
        others = [self.truth["pose", n] for n, c in self.cards.items() if c.mobility == card.mobility]
        if start is None:
            table = self.scene.by_name[self.scene.work.table]
            room = next(r.rect for r in self.scene.rooms if r.name == table.room)
            start = ((room[0] + room[2]) / 2, (room[1] + room[3]) / 2)
        for ring in range(12):
            for k in range(max(1, 6 * ring)):
                wanted = (start[0] + 0.5 * ring * _COS[k % 12], start[1] + 0.5 * ring * _SIN[k % 12])
                free = grid.nearest_free(wanted, 1.0)
                if free is None or any(dist(free, s) < 0.35 for s in self.scene.stand_poses.values()):
                    continue  # not in the way of others
                if all(dist(free, o) >= 0.6 for o in others):
                    return free, None, None
        raise CoterieError(f"There is no free place for a {card.body} to begin in scene '{self.scene.name}'.")

    def remove_robot(self, name: str) -> str | None:
        """Take a robot out; what it held drops where it stood. Returns the dropped thing."""
        held = self.truth["holding", name]
        if held is not None:
            x, y = self.truth["pose", name]
            card = self.cards[name]
            if card.mobility == "fixed":
                spot = self.fluents.free_spot(self.look, card, (x, y), self.scene.work.table)
                self.put(
                    held, self.scene.work.table, spot or (x, y, self.scene.by_name[self.scene.work.table].height_m)
                )
            else:
                place, spot = self._floor_near((x, y))
                self.put(held, place, spot)
        self._underway.pop(name, None)
        del self.cards[name]
        for pred in ("pose", "at", "stand", "holding", "used"):
            del self.truth[pred, name]
        self.version += 1
        return held

    def _floor_near(self, p: Point) -> tuple[str, tuple[float, float, float]]:
        """Where a dropped thing comes to rest: the nearest stand pose of furniture that ground robots can visit."""
        low = [f for f in self.scene.furniture if f.height_m <= 1.6]
        _, name, stand = min((dist(s, p), f.name, s) for f in low for s in f.stands)
        return f"floor@{name}", (*stand, 0.0)

    # -- interface ------------------------------------------------------------------------------------------------
    def map(self) -> Mapping[tuple[str, ...], object]:
        return self.fluents.map

    def listings(self) -> Mapping[str, str]:
        return _LISTINGS

    def lookup(self, belief: Belief) -> Lookup:
        return self.fluents.of_belief(belief)

    def skill(self, name: str) -> Skill | None:
        return skills.get(name) if name in skills else None

    def observe(self, robot: str) -> Observation:
        now, truth = self.now, self.truth
        at = truth["at", robot]
        facts = [
            Fact("card", (robot,), self.cards[robot], now, robot),
            Fact("at", (robot,), at, now, robot),
            Fact("stand", (robot,), truth["stand", robot], now, robot),
            Fact("pose", (robot,), truth["pose", robot], now, robot),
            Fact("holding", (robot,), truth["holding", robot], now, robot),
            Fact("used", (robot,), truth["used", robot], now, robot),
        ]
        held = truth["holding", robot]
        if held is not None:
            facts.append(Fact("where", (held,), robot, now, robot))
        facts.extend(f._replace(time=now) for f in self.goal.facts())
        for platform in self.fluents.platforms:  # the status line reaches everybody
            facts.append(Fact("contents", (platform,), tuple(self.inside.get(platform, ())), now, "status"))
        if at is not None:
            self._look_around(robot, at, facts)
        heartbeat = tuple(n for n in self.cards if n != robot)
        return Observation(robot, now, tuple(facts), heartbeat)

    def _look_around(self, robot: str, at: str, facts: list[Fact]) -> None:
        now, truth = self.now, self.truth
        f = self.scene.by_name[at]
        places = [f"floor@{at}"]
        if f.opens:
            facts.append(Fact("open", (at,), truth["open", at], now, robot))
        if not f.opens or truth["open", at]:
            places.append(at)
        for place in places:
            seen = self._seen(robot, place)
            facts.append(Fact("contents", (place,), seen, now, robot))
            for thing in seen:
                facts.append(Fact("spot", (thing,), truth["spot", thing], now, robot))
                facts.append(Fact("mass", (thing,), self.things[thing].mass_kg, now, robot))
        for platform in self.fluents.platforms.values():
            if platform.on == at:
                for thing in self.inside.get(platform.name, ()):
                    facts.append(Fact("spot", (thing,), truth["spot", thing], now, robot))
                    facts.append(Fact("mass", (thing,), self.things[thing].mass_kg, now, robot))
        for other in self.cards:
            if other != robot and truth["at", other] == at:
                held = truth["holding", other]
                facts.append(Fact("holding", (other,), held, now, robot))
                if held is not None:
                    facts.append(Fact("where", (held,), other, now, robot))

    def _seen(self, robot: str, place: str) -> tuple[str, ...]:
        things = tuple(self.inside.get(place, ()))
        if self.noise.miss <= 0 or not things:
            return things
        # What is missed depends on the visit and the thing alone, so that looking twice is free of side effects.
        visit = self.truth["used", robot]
        return tuple(t for t in things if rng_of(self.seed, "miss", robot, t, visit).random() >= self.noise.miss)

    def check(self, joint: Mapping[str, Action]) -> Mapping[str, Verdict]:
        """What the truth says of a joint action now, public rules only. Not offered to protocols here."""
        verdicts = {}
        for robot, action in joint.items():
            words, _, _, _ = self._judge(robot, action, public_only=True)
            verdicts[robot] = Verdict(words is None, words[0] if words else "")
        return verdicts

    def _judge(
        self, robot: str, action: Action, public_only: bool = False
    ) -> tuple[tuple[str, tuple[Fact, ...]] | None, Skill | None, dict[str, Any], float]:
        """Why an action fails now (None if it does not), its skill, bindings and duration."""
        card = self.cards[robot]
        skill = self.skill(action.skill)
        if skill is None or action.skill not in card.skills:
            able = ", ".join(card.skills)
            return (f"{robot} ({card.body}) cannot {action.skill}; it can {able}.", ()), None, {}, 1.0
        bound = skill.bind(robot, action.args)
        if bound is None:
            return (
                (f"{skill.signature} takes {len(skill.params)} arguments, not {len(action.args)}.", ()),
                skill,
                {},
                1.0,
            )
        if not all(_well_formed(a) for a in action.args):
            return (f"{skill.signature}: an argument is neither a name nor a number.", ()), skill, bound, 1.0
        rules = [r for r in self.rules if r.public] if public_only else self.rules
        failure = first_failure(skill, bound, self.look, rules)
        if failure is not None:
            learnt = lesson(failure, bound, self.look, self.now, robot, _LESSONS)
            return (_sentence(failure.words), learnt), skill, bound, skill.duration_s
        return None, skill, bound, self._duration(robot, skill, bound)

    def _duration(self, robot: str, skill: Skill, bound: dict[str, Any]) -> float:
        if skill.name == "navigate":
            card = self.cards[robot]
            closed = self.fluents._closed_doors(self.look)
            goal = self.scene.stand_poses[bound["furniture"], bound["stand"]]
            length = self.scene.nav(card, closed).length(self.truth["pose", robot], goal)
            return skill.duration_s + (length or 0.0) / card.speed_mps
        return skill.duration_s

    def start(self, joint: Mapping[str, Action]) -> None:
        for robot, action in joint.items():
            if robot not in self.cards:
                raise CoterieError(f"'{robot}' is not here; there are: {', '.join(self.cards)}.")
            if robot in self._underway:
                raise CoterieError(f"{robot} is still busy with {self._underway[robot].action}.")
            self._order += 1
            u = Underway(self, robot, action, self._order)
            u.words, u.skill, u.bound, took = self._judge(robot, action)
            u.end = self.now + took
            self._underway[robot] = u
        # All are judged on the same moment: nothing has an effect before all have started.

    def advance(self, until: float | None = None) -> list[Outcome]:
        if not self._underway:
            if until is not None:
                self.now = max(self.now, until)
            return []
        end = min(u.end for u in self._underway.values())
        if until is not None and end > until + _EPS:
            self.now = max(self.now, until)
            return []
        self.now = max(self.now, end)
        due = sorted((u for u in self._underway.values() if u.end <= self.now + _EPS), key=lambda u: (u.end, u.order))
        return [self._finish(u) for u in due]

    def cancel(self, robot: str) -> Outcome | None:
        u = self._underway.get(robot)
        return u.cancel(self.now) if u is not None else None

    def _finish(self, u: Underway) -> Outcome:
        self._underway.pop(u.robot, None)
        if u.action.skill != "wait":
            self.truth["used", u.robot] += 1
        if u.words is None and u.version != self.version and u.skill is not None and u.skill.when:
            u.words = self._judge(u.robot, u.action)[0]  # others may have changed what it stood on
        took = u.end - u.start
        if u.words is not None:
            return self._misjudged(u, Outcome(u.robot, u.action, "failed", u.words[0], u.start, took, u.words[1]))
        skill, bound = u.skill, u.bound
        assert skill is not None
        if self.noise.any:
            accident = self._accident(u, skill, bound)
            if accident is not None:
                return accident
        spot = None
        if skill.name == "place":
            card, pose = self.cards[u.robot], self.truth["pose", u.robot]
            spot = self.fluents.free_spot(self.look, card, pose, bound["platform"])
        for effect in skill.then:
            self._apply(effect.fluent, effect.value, bound)
        if spot is not None:
            self._set(("spot", bound["object"]), spot)
        message = None
        if skill.name == COMMUNICATE:
            content, recipients = u.action.args
            to = self._hearers(u.robot, recipients)
            message = Message(u.robot, to, str(content), u.action.facts, self.now)
        words = _sentence(fill(skill.says, bound, self._look_of(u.robot)))
        return self._misjudged(u, Outcome(u.robot, u.action, "done", words, u.start, took, (), message))

    def _look_of(self, robot: str) -> Lookup:
        """The lookup for words about what a robot sees: without the things it failed to detect."""
        if self.noise.miss <= 0:
            return self.look

        def get(key: tuple[str, ...]) -> object:
            return self._seen(robot, key[1]) if key[0] == "contents" else self._get(key)

        return self.fluents.over(get)

    def _apply(self, fluent: Fluent, value: Any, bound: dict[str, Any]) -> None:
        key = (fluent.pred, *(bound[a[1:]] for a in fluent.args))
        if isinstance(value, Fluent):
            value = self.look(value.pred, *(bound[a[1:]] for a in value.args))
        elif isinstance(value, str) and value.startswith("?"):
            value = bound[value[1:]]
        self._set(key, value)

    # -- accidents ------------------------------------------------------------------------------------------------
    def _accident(self, u: Underway, skill: Skill, bound: dict[str, Any]) -> Outcome | None:
        noise, took = self.noise, u.end - u.start

        def fails(words: str) -> Outcome:
            return Outcome(u.robot, u.action, "failed", words, u.start, took)

        if skill.name == "pick" and self._rng.random() < noise.slip:
            return fails(f"The grasp slipped: {bound['object']} was not picked up.")
        if skill.name == "place" and self._rng.random() < noise.misplace:
            table = self.fluents.furniture_of(bound["platform"])
            card, pose = self.cards[u.robot], self.truth["pose", u.robot]
            spot = self.fluents.free_spot(self.look, card, pose, table) if table else None
            if table is not None and spot is not None and table != bound["platform"]:
                self.put(bound["object"], table, spot)
                self._set(("holding", u.robot), None)
                return fails(f"{bound['object']} was not placed at the target location: it lies on {table}.")
        if skill.name == "navigate" and self._rng.random() < noise.drift:
            goal = self.scene.stand_poses[bound["furniture"], bound["stand"]]
            grid = self.scene.nav(self.cards[u.robot]).grid
            off = (goal[0] + self._rng.uniform(-0.6, 0.6), goal[1] + self._rng.uniform(-0.6, 0.6))
            free = grid.nearest_free(off, 0.5)
            if (
                free is not None
                and dist(free, goal) > 0.3
                and self.fluents._standing_at(self.look, u.robot, free) is None
            ):
                self._set(("pose", u.robot), free)
                self._set(("at", u.robot), bound["furniture"])
                self._set(("stand", u.robot), None)
                return fails(
                    f"{u.robot} ended {dist(free, goal):.2f} m off the target pose, more than the allowed 0.30 m."
                )
        return None

    def _misjudged(self, u: Underway, outcome: Outcome) -> Outcome:
        if u.action.skill not in ("pick", "place") or self.noise.misjudge <= 0:
            return outcome
        if self._rng.random() >= self.noise.misjudge:
            return outcome
        if outcome.ok:
            return outcome._replace(status="failed", reason=f"{u.action} was judged to have failed.")
        return outcome._replace(status="done", reason=f"{u.action} was judged to have succeeded.", facts=())

    # -- change, progress, snapshots ------------------------------------------------------------------------------
    def apply(self, change: Change) -> list[Event]:
        settled = self.settle(self, change) if self.settle is not None else change
        return apply_change(self, settled)

    def progress(self) -> Progress:
        return self.goal.progress(self.look)

    def trace(self) -> list[list[Any]]:
        changed = [[k[0], k[1:], self.truth[k]] for k in self._traced if k in self.truth]
        self._traced.clear()
        return changed

    def snapshot(self) -> bytes:
        underway = [(u.robot, u.action, u.order, u.start, u.end, u.words, u.version) for u in self._underway.values()]
        state = (
            self.now, self.version, self.truth, self.inside, self.cards, self.goal, self.rules, underway, self._order,
            self._rng.getstate(), list(self._traced),
        )  # fmt: skip
        return pickle.dumps(state, protocol=pickle.HIGHEST_PROTOCOL)

    def restore(self, data: bytes) -> None:
        (
            self.now, self.version, self.truth, self.inside, self.cards, self.goal, self.rules, underway, self._order,
            rng, traced,
        ) = pickle.loads(data)  # fmt: skip
        self._rng.setstate(rng)
        self._traced = dict.fromkeys(traced)
        self._underway = {}
        for robot, action, order, start, end, words, version in underway:
            u = Underway(self, robot, action, order)
            u.start, u.end, u.words, u.version = start, end, words, version
            u.skill = self.skill(action.skill) if action.skill in self.cards[robot].skills else None
            u.bound = (u.skill.bind(robot, action.args) or {}) if u.skill is not None else {}
            self._underway[robot] = u


_LISTINGS = {"contents": "where"}
_COS = (1.0, 0.866, 0.5, 0.0, -0.5, -0.866, -1.0, -0.866, -0.5, 0.0, 0.5, 0.866)
_SIN = (0.0, 0.5, 0.866, 1.0, 0.866, 0.5, 0.0, -0.5, -0.866, -1.0, -0.866, -0.5)


def _well_formed(arg: Any) -> bool:
    if isinstance(arg, tuple):
        return all(isinstance(a, str) for a in arg)
    return isinstance(arg, (str, int, float))


def _sentence(words: str) -> str:
    words = words.strip()
    return words[:1].upper() + words[1:] if words and not words[0].isupper() else words
