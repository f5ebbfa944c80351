"""Coterie's own engine: plans for a small hospital, the same everywhere, with nothing that stands for "nowhere"."""

import os
import pickle
import subprocess
import sys

import pytest

from coterie.core.errors import CoterieError
from coterie.core.expr import eq, fl, ge, ne, no
from coterie.core.facts import UNKNOWN
from coterie.core.fluents import fluent
from coterie.core.kinds import Kind
from coterie.core.skill import Clause, Effect, Param, Skill, increase
from coterie.core.skills import Skills
from coterie.planning import own
from coterie.planning.answer import Limits
from coterie.planning.child import flaw
from coterie.planning.own.ground import ground
from coterie.planning.own.relaxed import FAR, Relaxed
from coterie.planning.own.task import Task
from coterie.planning.question import Question
from coterie.planning.unified.problem import Planning
from coterie.worlds.hospital import skills as hospital
from coterie.worlds.hospital.planning import objects
from coterie.worlds.hospital.tasks import make
from coterie.worlds.hospital.world import HospitalWorld
from tests.planning.ward import SKILLS, Ward


def skills_of(answer, robot=""):
    return [s.action.skill for s in answer.steps if not robot or s.robot == robot]


def test_the_kit_is_planned_over_three_robots():
    question = Ward(1).ask()
    answer = own.solve(question)
    assert answer.found and flaw(question, answer.steps) is None
    assert skills_of(answer, "Spot").count("opendoor") == 1  # Temi cannot, and the door is shut
    assert skills_of(answer, "Spot").count("receiveitem") == 1  # only the pharmacist has the box
    assert skills_of(answer, "Fetch").count("putin") == 3
    assert skills_of(answer, "Temi")[-1] == "deliverkit"
    assert len(answer.steps) < 32


def test_several_kits_one_after_the_other():
    question = Ward(2, teams=2).ask()
    answer = own.solve(question)
    assert answer.found and flaw(question, answer.steps) is None
    assert skills_of(answer).count("putin") == 6
    assert all("putin" in skills_of(answer, robot) for robot in ("Fetch", "Fetch2"))  # the work is shared


def test_a_limit_of_states_is_a_limit():
    answer = own.solve(Ward(1).ask(), Limits(states=5))
    assert answer.status == "limit" and "5 states" in answer.words and answer.why is None
    assert own.solve(Ward(1).ask(), Limits(wall_s=-1)).words == "No plan was found in -1 s."


PLAN = "from tests.planning.ward import Ward; from coterie.planning import own; print(own.solve(Ward(2).ask()).steps)"


def test_the_same_question_has_the_same_answer_in_every_process():
    """Python's hashes differ from one process to the next, and so does the order of sets."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([root, *sys.path])}
    said = [
        subprocess.run(
            [sys.executable, "-c", PLAN],
            env={**env, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1] and "deliverkit" in said[0]


# -- questions --------------------------------------------------------------------------------------------------------
def test_a_question_is_plain_data_that_nothing_reaches_later():
    ward = Ward(1)
    question = ward.ask()
    ward.facts["open", "door_alpha"] = True
    again = pickle.loads(pickle.dumps(question))
    assert again == question and again.value("at", "Temi") == "dock" and again.value("open", "door_alpha") is False
    other = question.with_facts({("open", "door_alpha"): True})
    assert "opendoor" in skills_of(own.solve(again)) and "opendoor" not in skills_of(own.solve(other))
    nothing = own.solve(ward.ask([eq(fl("at", "Spot"), "dock")]))
    assert nothing.found and nothing.steps == (), "it is so already"


def test_names_that_nobody_knows_are_refused():
    with pytest.raises(CoterieError, match="door_alhpa"):
        Ward(1).ask([fl("open", "door_alhpa")])
    with pytest.raises(CoterieError, match="Spto"):
        Question.ask(SKILLS, Ward(1).look, Ward(1).objects, {"Spto": ["goto"]}, [])


def test_static_facts_keep_the_number_of_actions_small():
    made = ground(Ward(1).ask())
    assert len(made.actions) < 80  # all combinations of names: more than two thousand
    assert not [a for a in made.actions if a.robot == "Fetch" and "alpha" in a.names]


# -- nowhere ----------------------------------------------------------------------------------------------------------
PLACES = (Kind("place"), Kind("thing"))
MEETING = (
    fluent("at", "robot", value="place"),
    fluent("where", "thing", value="place"),
    fluent("has", "robot", value="thing"),
    fluent("pile", "place", value="number"),
    fluent("lit", "place"),
    fluent("made", "thing"),
)


def meet(when, then=None, facts=None):
    """One skill on one thing, by Ann, with Bob about; whether it can be planned, and whether the validator agrees."""
    own_skills = Skills("small", PLACES, MEETING)
    then = then or (Effect(fl("made", "?x"), True),)
    clauses = tuple(Clause(e, "no", f"c{i}") for i, e in enumerate(when))
    own_skills.put("make", Skill("make", (Param("x", "thing"),), clauses, then))
    facts = {("has", "Ann"): None, **(facts or {})}
    question = Question.ask(
        own_skills,
        lambda *k: facts.get(k, UNKNOWN),
        {"Ann": "robot", "Bob": "robot", "hall": "place", "cup": "thing"},
        {"Ann": ["make"]},
        [fl("made", "cup")],
    )
    answer = own.solve(question)
    step = question.step("make", "Ann", ["cup"])
    assert answer.found == (flaw(question, (step,)) is None)  # unified-planning reads it the same way
    names = {str(a) for a in Planning(question).problem.all_objects} - {"ann", "bob", "hall", "cup"}
    assert not names & {a for s in answer.steps for a in s.action.args}
    return answer.found


NOWHERE = {("at", "Ann"): None, ("at", "Bob"): None, ("where", "cup"): None}
HALL = {("at", "Ann"): "hall", ("at", "Bob"): "hall", ("where", "cup"): "hall"}


@pytest.mark.parametrize("when", [
    [eq(fl("at", "?robot"), fl("at", "Bob"))],
    [eq(fl("where", "?x"), fl("at", "?robot"))],
    [no(ne(fl("where", "?x"), fl("at", "?robot")))],
    [no(fl("lit", fl("at", "?robot")))],
    [ge(fl("pile", fl("where", "?x")), 0)],
])  # fmt: skip
def test_nowhere_is_no_place_to_meet(when):
    assert meet(when, facts=HALL)
    assert not meet(when, facts=NOWHERE)
    assert not meet(when)  # nothing is known of any of them


@pytest.mark.parametrize("effect", [
    increase(fl("pile", fl("at", "?robot"))),
    Effect(fl("lit", fl("where", "?x")), True),
    Effect(fl("where", "?x"), fl("at", "?robot")),
])  # fmt: skip
def test_nothing_is_done_nowhere(effect):
    then = (Effect(fl("made", "?x"), True), effect)
    assert meet([], then, HALL)
    assert not meet([], then, NOWHERE)
    assert not meet([], then)


def test_none_is_a_value_that_can_be_asked_for():
    assert meet([eq(fl("has", "?robot"), None)])
    assert meet([eq(fl("at", "?robot"), None)], facts=NOWHERE)
    assert not meet([eq(fl("at", "?robot"), None)])
    assert not meet([ne(fl("at", "?robot"), "hall")])
    assert meet([ne(fl("at", "?robot"), "hall")], facts=NOWHERE)


def test_numbers_with_fractions():
    own_skills = Skills("small", (Kind("jug"),), (fluent("litres", "jug", value="number"),))
    fill = Skill("fill", (Param("x", "jug"),), then=(increase(fl("litres", "?x"), 0.1),))
    own_skills.put("fill", fill)
    question = Question.ask(
        own_skills, lambda *k: 0.05, {"Ann": "robot", "jug": "jug"}, {"Ann": ["fill"]}, [ge(fl("litres", "jug"), 0.35)]
    )
    answer = own.solve(question)
    assert len(answer.steps) == 3 and flaw(question, answer.steps) is None


def test_a_box_from_afar_is_not_got_by_putting_another_one_down():
    """One box is in the hand, and the other with the pharmacist. To put the first into the kit is progress, and not a
    step back because it could be put down and picked up as the second."""
    world = HospitalWorld(make(seed=7))
    able = {name: card.skills for name, card in world.cards.items()}
    now = {("stock", "bandagebox", "tableE"): 0, ("holding", "Fetch"): "bandagebox", ("at", "Fetch"): "atA"}
    now |= {("free", "atA"): False, ("free", "atG"): True, ("perceived", "caddy1", "tableA"): True}
    asked = Question.ask(
        hospital.SKILLS,
        lambda *key: now.get(key, world.look(*key)),
        objects(world.map(), able),
        able,
        [eq(fl("amount", "caddy1", "bandagebox"), 2)],
    )
    made = Task(ground(asked))
    goal = tuple(t for part in made.goals for t in part)
    steps = [str(made.step(i)) for i in range(len(made.actions))]
    putin = steps.index("Fetch: putin(bandagebox, caddy1, tableA, atA)")
    states = [made.start, made.after(made.start, putin)]
    before, after = (Relaxed(made).look(s, goal).far for s in states)
    assert before < after < FAR
    before, after = (Relaxed(made).careful().look(s, goal).far for s in states)
    assert after < before < FAR
