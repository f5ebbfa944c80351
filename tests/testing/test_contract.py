"""The contracts of robots, models and protocols."""

import dataclasses
import itertools
import math
import random

import pytest

from coterie.core.action import Action
from coterie.core.facts import Fact
from coterie.core.protocol import Ask, Party, Reply, TeamProtocol
from coterie.core.task import Change, Trigger
from coterie.models.scripted import Scripted
from coterie.testing import Trial, check_model, check_protocol, check_robot
from coterie.worlds import worlds
from coterie.worlds.indoor.bodies import robots
from examples.yard import (
    CRAWLER,
    RUNNER,
    SKILLS,
    Chooser,
    Foreman,
    Tidier,
    YardWorld,
    seeded_choice,
    stranger_joins,
    yard_task,
)  # fmt: skip


# -- robots -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("card", [card for _, entry in worlds.items() for _, card in entry.bodies.items()])
def test_every_registered_body_has_a_sound_card(card):
    check_robot(card)


@pytest.mark.parametrize("card", [RUNNER, CRAWLER])
def test_cards_are_checked_against_the_skills_of_their_own_world(card):
    check_robot(card, SKILLS)
    check_robot(dataclasses.replace(card, body="Stranger"))
    with pytest.raises(AssertionError, match="there is no skill 'left'"):
        check_robot(card, worlds.get("indoor").skills)
    with pytest.raises(AssertionError, match="there is no skill 'navigate'"):
        check_robot(dataclasses.replace(card, skills=(*card.skills, "navigate")))


@pytest.mark.parametrize(("change", "words"), [
    ({"body": ""}, "`body` must be one line"),
    ({"about": "two\nlines"}, "`about` must be one line"),
    ({"mobility": "water"}, "mobility is 'water', not one of fixed, ground, air"),
    ({"skills": ()}, "can do nothing"),
    ({"skills": ("wait", "wait")}, "listed twice"),
    ({"skills": ["wait"]}, "must be a tuple"),
    ({"skills": ("wait", "juggle")}, "no skill 'juggle'"),
    ({"skills": ("pick",), "reach_m": 0.0, "payload_kg": 0.0}, "can `pick`, so it needs `reach_m` and `payload_kg`"),
    ({"reach_m": 0.0}, "takes things up, so it needs `reach_m`"),
    ({"speed_mps": 0.0}, "needs a speed above 0"),
    ({"speed_mps": math.nan}, "`speed_mps` is nan, not a number"),
    ({"payload_kg": -1.0}, "cannot be negative"),
    ({"footprint_m": 0}, "footprint and a height above 0"),
    ({"reach_low_m": 2.0, "reach_high_m": 1.0}, "above `reach_high_m`"),
    ({"battery_steps": 0}, "`battery_steps` is 0"),
])  # fmt: skip
def test_a_card_that_cannot_be_true_is_told_so(change, words):
    good = robots.get("UAV")
    with pytest.raises(AssertionError, match=words):
        check_robot(dataclasses.replace(good, **change))


# -- models -------------------------------------------------------------------------------------------------------
def echo(ask: Ask) -> str:
    return ask.prompt[-1][1][:20]


def test_a_model_passes_that_answers_each_request_and_one_that_wavers_where_that_is_allowed():
    check_model(Scripted(echo))
    replies = itertools.count()
    wavering = Scripted(lambda ask: str(next(replies)))
    check_model(wavering, deterministic=False)
    with pytest.raises(AssertionError, match="in a batch and with"):
        check_model(wavering)


def model(answer, name="mine"):
    return type("Model", (), {"name": name, "answer": staticmethod(answer)})()


@pytest.mark.parametrize(("broken", "words"), [
    (model(lambda asks: [Reply(echo(a)) for a in asks][:3]), "gave 3 replies to 5 requests"),
    (model(lambda asks: [Reply(echo(a)) for a in reversed(asks)]), "in the order of the requests"),
    (model(lambda asks: [Reply(str(len(asks)))] * len(asks)), "not depend on company"),
    (model(lambda asks: ["yes"] * len(asks)), "gave .yes., which is no Reply"),
    (model(lambda asks: [Reply(None)] * len(asks)), "has None as its .text."),
    (model(lambda asks: [Reply("", -1)] * len(asks)), "has -1 as its .tokens_in."),
    (model(lambda asks: [Reply("\ud800")] * len(asks)), "text that no log can hold"),
    (model(lambda asks: [Reply("yes")] * max(1, len(asks))), "no reply to no request"),
    (model(lambda asks: [], name=""), "needs a `name`"),
    (object(), "needs a `name`"),
])  # fmt: skip
def test_a_broken_model_is_told_so(broken, words):
    with pytest.raises(AssertionError, match=words):
        check_model(broken)


# -- protocols ----------------------------------------------------------------------------------------------------
def tiny_trial(make) -> Trial:
    task = yard_task(beam=True, step_limit=8, changes=[stranger_joins(step=4)])
    parties = [Party("team", make, ("Ada", "Bo")), Party("stranger", Tidier, ("Zed",))]
    return Trial(YardWorld(task), task, parties, Scripted(seeded_choice).answer)


class Waiting(TeamProtocol):
    """The base of all broken ones; by itself it is a good protocol."""

    sees = "own"

    def decide(self, team, idle):
        yield []
        return {name: Action("wait") for name in idle}


@pytest.mark.parametrize("protocol", [Chooser, Foreman, Tidier, Waiting])
def test_the_tiny_minds_keep_the_contract(protocol):
    check_protocol(protocol, tiny_trial)


def deciding(decide, sees="own"):
    return type("Broken", (Waiting,), {"decide": lambda self, team, idle: decide(team, idle), "sees": sees})


def returning(decided, sees="own"):
    """One that decides at once, in another way than it should."""

    def decide(team, idle):
        return decided(team, idle)
        yield []

    return deciding(decide, sees)


def asking(asked):
    def decide(team, idle):
        yield asked(team)

    return deciding(decide)


def waits(names, **more):
    return {name: Action("wait", **more) for name in names}


def endless(team, idle):
    while True:
        yield []


def pools(team, idle):
    for view in team.robots.values():
        view.belief.tell(Fact("secret", (), team.step, float(team.step)))
    return waits(idle)


def cheats(team, idle):
    team.world.apply(Change(Trigger(step=0), "goal", {"goal": type(team.task.goal)(())}))
    return waits(idle)


class Whisperer(Waiting):
    """Passes facts around behind the back of the loop."""

    beliefs: dict = {}

    def decide(self, team, idle):
        self.beliefs[team.me.name] = team.me.belief
        yield []
        for name, belief in self.beliefs.items():
            if name != team.me.name:
                belief.tell(Fact("secret", (), team.step, float(team.step)))
        return waits(idle)


TIMES = itertools.count()  # a memory that outlives the episode


@pytest.mark.parametrize(("protocol", "words"), [
    (returning(lambda team, idle: waits(["Ada"]), "pooled"), "returned no decision for Bo, which is idle"),
    (returning(lambda team, idle: waits(["Ada", "Bo"])), "decided for Bo, which is not idle"),
    (asking(lambda team: ({},)), "must yield a list of Ask, not"),
    (asking(lambda team: ["what now?"]), "there is 'what now\\?' in it"),
    (asking(lambda team: [Ask("planner", "plan", 0, 0, (("user", "?"),))]), "asked in the name of 'planner'"),
    (asking(lambda team: [Ask(team.me.name, "plan", 0, 0, "what now?")]), "a prompt is a tuple of \\(role, text\\)"),
    (deciding(lambda team, idle: waits(idle)), "must be a generator"),
    (deciding(endless), "came to no end"),
    (asking(lambda team: []), "must return a mapping robot -> action, not None"),
    (returning(lambda team, idle: dict.fromkeys(idle, "wait")), "Ada cannot do 'wait'"),
    (returning(lambda team, idle: dict.fromkeys(idle, Action("communicate", ("hi", ["all"])))), "give a tuple"),
    (returning(lambda team, idle: waits(idle), "everything"), "sees is 'everything', not one of own, pooled, truth"),
    (returning(lambda team, idle: waits(idle, why=str(random.random()))),
     "gives another log when run again with the same seed and replies"),
    (returning(lambda team, idle: waits(idle, why=f"for the {next(TIMES)}. time")), "for the 0. time"),
    (Whisperer, "wrote into the belief of Bo"),
    (returning(pools, "pooled"), "wrote into the belief of Ada"),
    (returning(cheats, "truth"), "left the world in another state"),
])  # fmt: skip
def test_a_broken_protocol_is_told_so(protocol, words):
    with pytest.raises(AssertionError, match=words):
        check_protocol(protocol, tiny_trial)


def test_state_that_a_resumed_run_cannot_have_is_noticed():
    class Impatient(Waiting):
        """Thinks about how often the model was really called, which a resumed run does less often."""

        def decide(self, team, idle):
            me = team.me
            yield [Ask(me.name, "act", me.step, 0, (("user", "?"),))]
            return {me.name: Action("wait", why=f"after {len(model.asked)} requests")}

    def trial(make):
        nonlocal model
        model = Scripted(lambda ask: "yes")
        return tiny_trial(make)._replace(answer=model.answer)

    model = Scripted(lambda ask: "yes")
    with pytest.raises(AssertionError, match="Impatient gives another log when"):
        check_protocol(Impatient, trial)
