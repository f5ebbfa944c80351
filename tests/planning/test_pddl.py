"""Planning problems agree with the truth: what an expert did is a valid plan, and what a planner says works."""

import pytest
from unified_planning.engines import ValidationResultStatus
from unified_planning.io import PDDLReader, PDDLWriter
from unified_planning.plans import SequentialPlan
from unified_planning.shortcuts import PlanValidator as validator_for
from unified_planning.shortcuts import SequentialSimulator, get_environment

from coterie.core.action import Action
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.expr import all_of, any_of, eq, fl, ge, gt, le, lt, minus, ne, no, plus
from coterie.core.facts import UNKNOWN, Belief
from coterie.core.fluents import fluent
from coterie.core.kinds import Kind
from coterie.core.skill import Clause, Effect, Param, Skill, decrease, increase
from coterie.core.skills import Skills
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.planning import own
from coterie.planning.operators import operator, operators
from coterie.planning.own.ground import ground
from coterie.planning.question import Question
from coterie.planning.unified.foreign import Plain
from coterie.planning.unified.problem import Planning
from coterie.worlds.indoor.declared import DECLARED
from coterie.worlds.indoor.declared import KINDS as KINDS_OF_HOUSES
from coterie.worlds.indoor.plans.problem import planning
from coterie.worlds.indoor.skills import skills
from examples.yard import SKILLS as YARD_SKILLS
from examples.yard import STEPS, YardWorld, yard_task

get_environment().credits_stream = None
VALID, INVALID = ValidationResultStatus.VALID, ValidationResultStatus.INVALID


def steps_of(log):
    """What robots did with success, in order."""
    acts = {e.seq: Action(e.data["skill"], tuple(e.data["args"])) for e in log.events if e.kind == "act"}
    done = [e for e in log.events if e.kind == "outcome" and e.data["status"] == "done"]
    return [(e.who, acts[e.causes[0]]) for e in done]


def judge(problem, plan):
    with validator_for(problem_kind=problem.kind, plan_kind=plan.kind) as validator:
        return validator.validate(problem, plan).status


def solve(made):
    return made.plan(own.solve(made.question).steps)


def house(**config):
    config = Config(**{"team": "Ma-MoMa-UAV", "seed": 1, **config})
    world, drawn = build(config)
    return config, world, drawn, planning(world.look, world.cards, world.things, drawn.goal, drawn.rules)


# -- the house --------------------------------------------------------------------------------------------------------
def test_expert_episode_is_a_valid_plan():
    config, _, _, made = house(task="sort-solids", protocol="expert", scene="house:21")
    assert made.question.able["Bob"] and "card" not in made.fluents, "what a card says of skills is known"
    played = play(config)
    assert played.result.success
    plan = made.plan(steps_of(played.log))
    assert judge(made.problem, plan) is VALID
    # Without its first pick the same plan must fall through.
    first = next(i for i, a in enumerate(plan.actions) if a.action.name == "do_pick")
    assert judge(made.problem, SequentialPlan([a for i, a in enumerate(plan.actions) if i != first])) is INVALID
    assert [s for s, _ in made.steps(plan)] == [r for r, a in steps_of(played.log) if a.skill in made.operators]


def test_hidden_rule_becomes_a_condition():
    _, world, drawn, made = house()
    rule = fl("may_place", "?robot", "?platform")
    assert rule in operators(skills, drawn.rules)["place"].when
    assert rule not in operators(skills)["place"].when
    may = made.fluents["may_place"]
    robots, tray = (made.objects[n] for n in ("Bob", "Alice")), made.objects["tray"]
    assert [made.problem.initial_value(may(r, tray)).is_true() for r in robots] == [True, False]
    without = planning(world.look, world.cards, world.things, drawn.goal)
    assert "may_place" in str(made.actions["place"]) and "may_place" not in str(without.actions["place"])


@pytest.mark.long
def test_a_ground_problem_survives_as_pddl():
    """Of a house, with one thing in it: to read a text takes longer the more names are in it."""
    _, world, drawn, _ = house(task="pack-objects", scene="house:21", seed=0)
    thing = drawn.goal.targets[0]
    goal = [eq(fl("where", thing), drawn.goal.home(thing))]
    plain = Plain(ground(planning(world.look, ["Alice", "Bob"], [thing], goal, drawn.rules).question)).problem
    writer, reader = PDDLWriter(plain), PDDLReader()
    parsed = reader.parse_problem_string(writer.get_domain(), writer.get_problem())
    assert {a.name for a in parsed.actions} == {writer.get_pddl_name(a) for a in plain.actions}


def test_belief_states_only_what_is_known():
    _, world, drawn, _ = house()
    belief = Belief(world.map(), world.listings())
    for fact in world.observe("Alice").facts:
        belief.tell(fact)
    made = planning(world.lookup(belief), ["Alice"], world.things, drawn.goal)
    where = made.fluents["where"]
    for thing in world.things:
        value = made.problem.initial_value(where(made.objects[thing]))
        assert str(value) == "unknown_location"
    # Two unknowns are not the same place: a robot that stands nowhere sees nothing of what is nowhere known.
    thing = next(iter(world.things))
    with SequentialSimulator(made.problem) as simulator:
        state = simulator.get_initial_state()
        pick = made.actions["pick"]
        assert not simulator.is_applicable(state, pick, (made.objects["Alice"], made.objects[thing]))


def test_which_skills_are_operators_follows_from_what_they_change():
    assert {"navigate", "open", "close", "pick", "place"} <= set(operators(skills))
    assert not {"move", "communicate", "wait"} & set(operators(skills))
    assert [p.name for p in operators(skills)["navigate"].params] == ["furniture"]  # the side is left to execution


def test_a_planner_solves_a_house_and_the_plan_works_in_it():
    _, world, drawn, _ = house(task="pack-objects", scene="house:21", seed=0)
    target = drawn.goal.targets[0]
    goal = [eq(fl("where", target), drawn.goal.home(target))]
    made = planning(world.look, world.cards, world.things, goal, drawn.rules)
    plan = solve(made)
    assert plan.actions and judge(made.problem, plan) is VALID
    for robot, action in made.steps(plan):
        assert any(carried_out(world, robot, a) for a in sides(world, action)), action
    assert world.look("where", target) == drawn.goal.home(target)


def sides(world, action):
    """Where to stand is left to execution: every side is tried."""
    if action.skill != "navigate":
        return [action]
    return [action._replace(args=(action.args[0], s)) for s in world.look("all_stands", action.args[0])]


def carried_out(world, robot, action):
    """Do it if what follows can work from there: a hand that does not reach goes to another side."""
    world.start({robot: action})
    (outcome,) = world.advance(None)
    return outcome.ok


# -- a user's own skills ----------------------------------------------------------------------------------------------
SPONGE = (
    fluent("clean", "furniture"),
    fluent("dirt", "furniture", value="number", initial=2),
    fluent("water", "robot", value="number", initial=3),
)
WIPE = Skill(
    "wipe",
    (Param("furniture", "furniture"),),
    when=(
        Clause(eq(fl("holding", "?robot"), None), "full"),
        Clause(le(fl("gap_to", "?robot", "?furniture"), fl("reach", "?robot")), "far"),
        Clause(gt(fl("water", "?robot"), 0), "dry"),
        Clause(ge(plus(fl("water", "?robot"), fl("dirt", "?furniture")), 1), "odd"),
    ),
    then=(decrease(fl("dirt", "?furniture")), decrease(fl("water", "?robot"))),
)
FINISH = Skill(
    "finish",
    (Param("furniture", "furniture"),),
    when=(Clause(lt(fl("dirt", "?furniture"), 1), "dirty"), Clause(no(fl("clean", "?furniture")), "done")),
    then=(Effect(fl("clean", "?furniture"), True),),
)


@pytest.fixture
def sponge():
    own = Skills("indoor", KINDS_OF_HOUSES, DECLARED.all_fluents, DECLARED.readings)
    for name in ("navigate", "open", "pick", "place"):
        own.put(name, skills.get(name))
    own.declare(*SPONGE)
    own.put("wipe", WIPE)
    own.put("finish", FINISH)
    return own


def cleaning(own, places=("sofa", "desk"), goal=None, water=3):
    facts = {
        **{("part_of", p): p for p in places},
        **{("dirt", p): 2 for p in places},
        ("water", "Molly"): water,
        ("holding", "Molly"): None,
        ("at", "Molly"): None,
    }
    objects = {"Molly": "robot", **dict.fromkeys(places, "furniture")}
    goal = goal or [fl("clean", "sofa")]
    able = {"Molly": ["navigate", "wipe", "finish"]}
    return Planning(Question.ask(own, lambda *k: facts.get(k, UNKNOWN), objects, able, goal))


def by_molly(made, *calls):
    return made.plan(("Molly", Action(skill, (place, "stand_pose_0")[: 2 if skill == "navigate" else 1]))
                     for skill, place in (c.split() for c in calls))  # fmt: skip


GOOD = ("navigate sofa", "wipe sofa", "wipe sofa", "finish sofa")


def test_a_new_skill_is_an_operator_with_numbers_and_the_engine_counts(sponge):
    made = cleaning(sponge)
    wipe = made.operators["wipe"]
    assert eq(fl("at", "?robot"), fl("part_of", "?furniture")) in wipe.when  # geometry, as plans read it
    assert gt(fl("water", "?robot"), 0) in wipe.when
    assert [e.how for e in wipe.then] == ["decrease", "decrease"]
    assert judge(made.problem, by_molly(made, *GOOD)) is VALID
    for broken in (GOOD[1:], GOOD[:-1], GOOD[:2] + GOOD[3:], ("navigate desk", *GOOD[1:])):
        assert judge(made.problem, by_molly(made, *broken)) is INVALID
    thirsty = cleaning(sponge, water=1)
    assert judge(thirsty.problem, by_molly(thirsty, *GOOD)) is INVALID
    found = solve(made)
    assert judge(made.problem, found) is VALID
    assert [a.skill for _, a in made.steps(found)].count("wipe") == 2


# -- conditions of every form -----------------------------------------------------------------------------------------
KINDS = (Kind("thing"), Kind("box", parent="thing"))


def small(when, facts, goal=None):
    declared = (
        fluent("owner", "thing", value="robot"),
        fluent("seller", "thing", value="robot"),
        fluent("full", "thing"),
        fluent("size", "thing", value="number"),
        fluent("note", "thing", value="text"),
        fluent("list", value="listing"),
    )
    own = Skills("small", KINDS, declared)
    then = (Effect(fl("owner", "?x"), "?robot"), increase(fl("size", "?x"), fl("size", "?x")))
    own.put("own", Skill("own", (Param("x", "box"),), tuple(Clause(e, "no") for e in when), then))
    objects, goal = {"Ann": "robot", "crate": "box", "ball": "thing"}, goal or [eq(fl("owner", "crate"), "Ann")]
    made = Planning(Question.ask(own, lambda *k: facts.get(k, UNKNOWN), objects, {"Ann": ["own"]}, goal))
    return judge(made.problem, made.plan([("Ann", Action("own", ("crate",)))]))


@pytest.mark.parametrize(("when", "facts", "status"), [
    ([], {}, VALID),
    ([eq(fl("owner", "?x"), None)], {("owner", "crate"): None}, VALID),
    ([eq(fl("owner", "?x"), None)], {("owner", "crate"): "Ann"}, INVALID),
    ([eq(fl("owner", "?x"), None)], {}, INVALID),
    ([no(eq(fl("owner", "?x"), "?robot"))], {("owner", "crate"): None}, VALID),
    ([eq(fl("owner", "?x"), fl("seller", "?x"))], {("owner", "crate"): "Ann", ("seller", "crate"): "Ann"}, VALID),
    ([eq(fl("owner", "?x"), fl("seller", "?x"))], {("owner", "crate"): None, ("seller", "crate"): None}, INVALID),
    ([eq(fl("owner", "?x"), fl("seller", "?x"))], {}, INVALID),  # two unknowns are not the same
    ([ne(fl("owner", "?x"), None)], {}, INVALID),  # nor is an unknown something else
    ([ne(fl("owner", "?x"), None)], {("owner", "crate"): "Ann"}, VALID),
    ([fl("full", "?x")], {("full", "crate"): True}, VALID),
    ([fl("full", "?x")], {("full", "ball"): True}, INVALID),
    ([eq(fl("full", "?x"), False)], {("full", "crate"): True}, INVALID),
    ([any_of(fl("full", "?x"), gt(fl("size", "?x"), 2))], {("size", "crate"): 3}, VALID),
    ([any_of(fl("full", "?x"), gt(fl("size", "?x"), 3))], {("size", "crate"): 3}, INVALID),
    ([all_of(no(fl("full", "?x")), le(minus(fl("size", "?x"), 1), 2))], {("size", "crate"): 3}, VALID),
    ([le(fl("size", "?x"), 2.5)], {("size", "crate"): 2.6}, INVALID),
    ([eq(fl("note", "?x"), "fragile")], {}, VALID),  # words are left to execution
])  # fmt: skip
def test_conditions_of_every_form(when, facts, status):
    assert small(when, facts) is status


@pytest.mark.parametrize(("grown", "status"), [(4, VALID), (3, INVALID)])
def test_a_number_can_grow_by_another(grown, status):
    assert small([], {("size", "crate"): 2}, [eq(fl("size", "crate"), grown)]) is status


def test_what_has_no_types_is_refused():
    own = Skills("small", KINDS)
    when, then = Clause(le(fl("mass", "?x"), 3), "no"), Effect(fl("up", "?x"), True)
    skill = Skill("lift", (Param("x", "thing"),), (when,), (then,))
    with pytest.raises(CoterieError, match=r"'up' before its types are declared"):
        operator(skill, own)


def test_without_the_package_the_extra_is_named(monkeypatch):
    import sys

    from coterie.planning.unified.names import shortcuts

    monkeypatch.setitem(sys.modules, "unified_planning.shortcuts", None)
    with pytest.raises(CoterieError, match=r"coterie\[planning\]"):
        shortcuts()


# -- the yard ---------------------------------------------------------------------------------------------------------
def test_the_yard_is_planned_and_played():
    """Who is in whose way, and who lifts together, is left to execution."""
    task = yard_task()
    world = YardWorld(task)
    kinds = {"robot": world.cards, "cell": world.cells, "way": STEPS, "thing": ["ball", "cup"]}
    objects = {name: kind for kind, names in kinds.items() for name in names}
    able = {name: card.skills for name, card in world.cards.items()}
    goal = [eq(fl("where", t), c) for t, c in task.goal.homes]
    made = Planning(Question.ask(YARD_SKILLS, world.look, objects, able, goal))
    assert {"left", "right", "up", "down", "grab", "drop"} <= set(made.operators)
    ada = ["right", "right", "right", "grab ball", "right", "down", "right", "drop ball"]
    bo = ["left", "down", "left", "left", "grab cup", "left", "left", "drop cup"]
    calls = [("Ada", s.split()) for s in ada] + [("Bo", s.split()) for s in bo]
    steps = [(who, Action(skill, tuple(args))) for who, (skill, *args) in calls]
    assert judge(made.problem, made.plan(steps[:-1])) is INVALID
    for robot, action in steps:
        world.start({robot: action})
        assert all(o.ok for o in world.advance(None)), (robot, action)
    assert world.progress().done == (judge(made.problem, made.plan(steps)) is VALID)
    assert world.progress().done
