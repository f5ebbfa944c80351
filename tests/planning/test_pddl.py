"""The PDDL reading of skills agrees with the truth: what an expert did in the world is a valid plan in the text."""

import pytest
from unified_planning.engines import ValidationResultStatus
from unified_planning.io import PDDLReader
from unified_planning.plans import ActionInstance, SequentialPlan
from unified_planning.shortcuts import PlanValidator as validator_for
from unified_planning.shortcuts import get_environment

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.expr import eq, fl, le
from coterie.core.skill import Clause, Effect, Param, Skill
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.planning.pddl import action, name
from coterie.worlds.indoor.pddl import PLANNED, domain, problem

get_environment().credits_stream = None


def plan_of(problem_up, log):
    instances = []
    args_of = {}
    for event in log.events:
        if event.kind == "act":
            args_of[event.seq] = (event.data["skill"], event.data["args"])
        if event.kind == "outcome" and event.data["status"] == "done":
            skill, args = args_of[event.causes[0]]
            if skill in PLANNED:
                args = args[:1] if skill == "navigate" else args
                objects = [problem_up.object(name(a)) for a in (event.who, *args)]
                instances.append(ActionInstance(problem_up.action(f"do-{skill}"), tuple(map(_expr, objects))))
    return SequentialPlan(instances)


def _expr(obj):
    return get_environment().expression_manager.ObjectExp(obj)


def judge(problem_up, plan) -> ValidationResultStatus:
    with validator_for(problem_kind=problem_up.kind, plan_kind=plan.kind) as validator:
        return validator.validate(problem_up, plan).status


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("task", ["pack-objects", "sort-solids"])
def test_expert_episode_is_a_valid_plan(task, seed):
    config = Config(task=task, team="Ma-MoMa-UAV", protocol="expert", seed=seed, scene="house:21")
    world, drawn = build(config)
    text = problem(world.look, world.cards, world.things, drawn.goal)
    problem_up = PDDLReader().parse_problem_string(domain(drawn.rules), text)
    played = play(config)
    assert played.result.success
    plan = plan_of(problem_up, played.log)
    assert judge(problem_up, plan) is ValidationResultStatus.VALID
    # Without its first pick the same plan must fall through.
    first = next(i for i, a in enumerate(plan.actions) if a.action.name == "do-pick")
    broken = SequentialPlan([a for i, a in enumerate(plan.actions) if i != first])
    assert judge(problem_up, broken) is ValidationResultStatus.INVALID


def test_hidden_rule_becomes_a_condition():
    world, drawn = build(Config(seed=1))
    assert "(may-place ?robot ?platform)" in domain(drawn.rules).split("do-place")[1]
    assert "may-place ?robot ?platform" not in domain(()).split("do-place")[1]
    text = problem(world.look, world.cards, world.things, drawn.goal)
    assert "(may-place bob tray)" in text
    assert "(may-place alice tray)" not in text


def test_belief_states_only_what_is_known():
    world, drawn = build(Config(seed=1))
    from coterie.core.facts import Belief

    belief = Belief(world.map(), world.listings())
    for fact in world.observe("Alice").facts:
        belief.tell(fact)
    text = problem(world.lookup(belief), ["Alice"], world.things, drawn.goal)
    assert "(where " not in text.split(":goal")[0]


def test_numbers_without_a_reading_are_refused():
    skill = Skill("lift", (Param("x", "thing"),), (Clause(le(fl("mass", "?x"), fl("payload", "?robot")), "no"),))
    with pytest.raises(CoterieError, match="mass"):
        action(skill, {}, {})
    skill = Skill(
        "own",
        (Param("x", "thing"),),
        (Clause(eq(fl("owner", "?x"), None), "no"),),
        (Effect(fl("owner", "?x"), "?robot"),),
    )
    with pytest.raises(CoterieError, match="type"):
        action(skill, {}, {})
    assert "(owner ?x none)" in action(skill, {}, {"owner": "robot"})
