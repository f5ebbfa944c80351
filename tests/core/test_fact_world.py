"""Worlds of facts: effects, messages, rules, who comes and goes. `examples/corridor.py` keeps the whole contract."""

import pytest

from coterie.core.action import COMMUNICATE, Action
from coterie.core.card import Card
from coterie.core.errors import CoterieError
from coterie.core.expr import eq, fl, ne
from coterie.core.fact_world import TALKING, WAITING, FactWorld
from coterie.core.facts import Fact
from coterie.core.skill import Clause, Effect, Param, Rule, Skill
from coterie.core.task import Change, Progress, Task, Trigger, goals
from coterie.testing import check_world

SKILLS = (
    Skill("swap", (), says="{robot} swapped.", duration_s=2.0,
          then=(Effect(fl("left", "?robot"), fl("right", "?robot")),
                Effect(fl("right", "?robot"), fl("left", "?robot")))),
    Skill("hand", (Param("thing", "thing"), Param("to", "robot")), says="{robot} gave {thing} away.",
          when=(Clause(eq(fl("owner", "?thing"), "?robot"), "{thing} belongs to {owner(thing)}."),
                Clause(eq(fl("here", "?to"), True), "{to} is not here.")),
          then=(Effect(fl("owner", "?thing"), "?to"),)),
    TALKING,
    WAITING,
)  # fmt: skip
CARD = Card("Juggler", "Jo", "fixed", tuple(s.name for s in SKILLS), "a juggler")


class Juggled:
    kind = "juggled"

    def progress(self, look):
        return Progress(look("owner", "hat") == "Al", float(look("owner", "hat") == "Al"), "a hat.")

    def text(self):
        return "Al has the hat."

    def facts(self):
        return [Fact("goal", (), "Al has the hat")]

    def to_json(self):
        return {"kind": self.kind}


class Circus(FactWorld):
    skills = {s.name: s for s in SKILLS}

    def begin(self, task):
        self.set(("owner", "hat"), "Jo")

    def enter(self, robot):
        for pred, value in (("left", "ball"), ("right", "club"), ("here", True)):
            self.set((pred, robot), value)

    def leave(self, robot):
        if self.get("owner", "hat") == robot:
            self.set(("owner", "hat"), "nobody")

    def sees(self, robot):
        yield from super().sees(robot)
        yield ("owner", "hat")
        yield from (("here", other) for other in self.cards)
        yield ("things", str(self.get("owner", "hat")))

    def listings(self):
        return {"things": "owner"}


def circus(*rules):
    goals.put("juggled", lambda _: Juggled(), replace=True)
    return Circus(Task("juggle", Juggled(), None, (("Jo", CARD), ("Al", CARD)), rules=rules))


def do(world, robot, skill, *args):
    world.start({robot: Action(skill, args)})
    (outcome,) = world.advance()
    return outcome


def test_it_keeps_the_contract():
    check_world(circus, [{"Jo": Action("swap"), "Al": Action("hand", ("hat", "Jo"))}], rounds=30)


def test_effects_are_read_before_they_are_set():
    world = circus()
    assert do(world, "Jo", "swap").ok
    assert (world.truth["left", "Jo"], world.truth["right", "Jo"]) == ("club", "ball")
    assert world.now == 2.0
    assert world.trace() == [["left", ["Jo"], "club"], ["right", ["Jo"], "ball"]] and world.trace() == []


def test_who_ends_first_comes_first_and_is_judged_when_it_ends():
    world = circus()
    world.start({"Jo": Action("hand", ("hat", "Al")), "Al": Action("hand", ("hat", "Jo"))})
    first, second = world.advance() + world.advance()
    assert (first.robot, first.status, first.reason) == ("Al", "failed", "hat belongs to Jo.")
    assert (second.robot, second.status) == ("Jo", "done")
    assert world.progress().done and world.look("things", "Al") == ("hat",)


def test_messages_reach_those_who_are_named():
    world = circus()
    outcome = do(world, "Jo", COMMUNICATE, "hop", "all")
    assert (outcome.message.to, outcome.message.text) == (("Al",), "hop")
    assert "nobody named" in do(world, "Jo", COMMUNICATE, "hop", ("Bo",)).reason


def test_rules_of_the_task_hold():
    world = circus(Rule("no swaps", "swap", Clause(ne("?robot", "Jo"), "Jo may not swap.")))
    assert do(world, "Jo", "swap").reason == "Jo may not swap."
    assert do(world, "Al", "swap").ok


def test_what_a_robot_leaves_behind_stays_and_its_own_facts_go():
    world = circus()
    world.start({"Jo": Action("swap")})
    world.apply(Change(Trigger(step=0), "leave", {"robot": "Jo"}))
    assert world.truth["owner", "hat"] == "nobody" and ("left", "Jo") not in world.truth
    assert world.advance() == [] and list(world.robots()) == ["Al"]
    world.apply(Change(Trigger(step=0), "goal", {"goal": Juggled()}))
    with pytest.raises(CoterieError, match="No kind of change 'rain'"):
        world.apply(Change(Trigger(step=0), "rain", {}))
