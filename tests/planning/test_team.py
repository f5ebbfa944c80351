"""Plans for large teams are sought with the robots that matter, and hold for the whole team."""

from dataclasses import replace

from coterie.core.expr import eq, fl
from coterie.planning import own
from coterie.planning.answer import CAN
from coterie.planning.judge import faults
from coterie.planning.own.team import FEW, _Team
from coterie.planning.question import Question
from coterie.worlds.hospital.bodies import FETCH, SPOT, TEMI
from coterie.worlds.hospital.goals import Errands
from coterie.worlds.hospital.planning import goal_of, objects
from coterie.worlds.hospital.skills import SKILLS as HOSPITAL
from coterie.worlds.hospital.tasks import make
from coterie.worlds.hospital.world import HospitalWorld
from tests.planning.ward import Ward, schedule


def crowd(robots):
    """The hospital with so many robots, who stand wherever there is room."""
    task = make(7)
    more = [(f"{card.body}{i}", card) for i in range(2, robots // 3 + 1) for card in (FETCH, TEMI, SPOT)]
    world = HospitalWorld(replace(task, robots=(*task.robots, *more)))
    able = {name: card.skills for name, card in world.cards.items()}
    goal = task.goal
    assert isinstance(goal, Errands)
    wanted = [g for caddy, wish in zip(goal.caddies, goal.wishes) for g in goal_of(wish, caddy, goal.items)]
    return Question.ask(HOSPITAL, world.look, objects(world.map(), able), able, wanted)


def robots_of(answer):
    return {step.robot for step in answer.steps}


def test_a_crowd_in_the_way_makes_room():
    question = crowd(24)
    answer = own.solve(question)
    assert answer.found and not faults(question, schedule(question, answer))
    few = crowd(3)
    alone = own.solve(few)
    assert max(i.end for i in schedule(question, answer)) <= max(i.end for i in schedule(few, alone)) * 1.1


def test_few_robots_are_asked_and_not_the_whole_team(monkeypatch):
    asked, usual = [], own._solve
    monkeypatch.setattr(own, "_solve", lambda question, limits: asked.append(question) or usual(question, limits))
    question = Ward(1, teams=16).ask()
    answer = own.solve(question)
    assert answer.found and not faults(question, schedule(question, answer))
    assert [len(q.able) for q in asked] == [FEW]


def test_the_robot_that_holds_the_last_box_takes_part():
    ward = Ward(1, teams=8, stock=2)
    ward.facts["amount", "counter", "bandagebox"] = 0
    ward.facts["holding", "Fetch7"] = "bandagebox"
    question = ward.ask()
    answer = own.solve(question)
    assert answer.found and "Fetch7" in robots_of(answer) and not faults(question, schedule(question, answer))


def test_a_caddy_that_is_with_a_robot_is_not_lost():
    ward = Ward(1, teams=8, stocked=True)
    ward.facts["where", "caddy0"] = "Fetch6"
    ward.facts["holding", "Fetch6"] = "caddy0"
    answer = own.solve(ward.ask([eq(fl("carrying", "Temi5"), "caddy0")]))
    assert answer.found and {"Fetch6", "Temi5"} <= robots_of(answer)


def test_why_there_is_no_plan_is_the_same_for_many():
    few, many = Ward(1), Ward(1, teams=8)
    for ward in (few, many):
        ward.robots = {name: skills for name, skills in ward.robots.items() if "opendoor" not in skills}
        ward.facts["amount", "tableE", "bandagebox"] = 5
        for name in [n for n in ward.objects if n.startswith("Spot")]:
            del ward.objects[name]
    found = [own.solve(ward.ask()) for ward in (few, many)]
    assert [a.status for a in found] == ["none", "none"]
    assert found[1].why.root == found[0].why.root and found[1].why.root.pred == CAN


def test_two_of_one_kind_may_be_needed_where_one_hands_over_to_the_other():
    ward = Ward(1, teams=8)
    ward.robots = {n: (*s, "deliverkit") if n.startswith("Fetch") else s for n, s in ward.robots.items()}
    ward.robots = {n: s for n, s in ward.robots.items() if not n.startswith("Temi")}
    for name in [n for n in ward.objects if n.startswith("Temi")]:
        del ward.objects[name]
    answer = own.solve(ward.ask([eq(fl("where", "caddy0"), "Fetch3")]))  # it takes it itself, or is given it
    assert answer.found
    assert [len(group) for group in _Team(ward.ask()).groups] == [8, 8]
