"""The four plans of the paper's demonstration beside ours, each a goal of its own, from the same moments: packing,
bringing a bandage box to table E, packing after that, and delivering.

    python benchmarks/paper_plans.py
"""

from __future__ import annotations

from typing import Any

from coterie.core.expr import eq, fl
from coterie.core.facts import Belief, Fact
from coterie.mission.assess import Assessor, Trial, Trials
from coterie.mission.estimate import as_plan
from coterie.mission.failure import planned
from coterie.mission.planner import MissionPlanner
from coterie.planning.answer import Answer
from coterie.worlds.hospital.domain import HospitalDomain
from coterie.worlds.hospital.goals import KIT, Wish
from coterie.worlds.hospital.kits import KITS
from coterie.worlds.hospital.planning import goal_of
from coterie.worlds.hospital.tasks import make
from coterie.worlds.hospital.world import HospitalWorld

PAPER = (("pack a medkit", 17, ""), ("a bandage box at table E", 8, "2:09"), ("pack it after that", 15, ""),
         ("deliver it to alpha", 8, ""))  # fmt: skip


class Scene:
    """The paper's scene at a moment: what is known, and plans from it."""

    def __init__(self) -> None:
        self.world = HospitalWorld(make(7))
        self.domain = HospitalDomain(self.world.map())
        self.belief = Belief(self.world.map())
        self.know({k: v for k, v in self.domain.said().items()})
        for robot in self.world.robots():
            self.belief.tell_all(self.world.observe(robot).facts)
        self.planner, self.trials = MissionPlanner(self.domain), Trials()
        for robot, card in self.world.robots().items():
            for skill, ok, took, usual, about in self.domain.experience(card):
                self.trials.add(Trial(skill, robot, ok, took, usual, about))

    def know(self, facts: dict[Any, Any]) -> None:
        for key, value in facts.items():
            self.belief.tell(Fact(key[0], tuple(key[1:]), value, self.world.now, "said"))

    def usual_s(self, step: Any) -> float:
        return self.domain.usual_s(self.world.robots()[step.robot], step.action)

    def plan(self, goal: list[Any]) -> Answer:
        able = {r: c.skills for r, c in self.world.robots().items()}
        return self.planner.plan(self.world.lookup(self.belief), able, goal, lasts=self.usual_s)

    def seconds(self, plan: Answer) -> float:
        steps = as_plan([plan], self.usual_s, self.domain.skills.find)
        return Assessor(self.trials, 7).assess(steps).duration_s


def main() -> None:
    scene = Scene()
    kit = Wish(KIT, "medkit", "", tuple(KITS["medkit"].contents.items()))
    packed = goal_of(kit, "caddy1", scene.domain.names.of("item"))
    plans = [scene.plan(packed)]
    scene.know({("at", "Fetch"): "atE", ("free", "atE"): False, ("free", "atG"): True,
                ("stock", "bandagebox", "tableE"): 0})  # fmt: skip
    there = planned(fl("objectAt", "bandagebox", "tableE"), scene.domain.skills)
    plans.append(scene.plan([there]))
    scene.know({("stock", "bandagebox", "tableE"): 1, ("perceived", "bandagebox", "tableE"): True})
    plans.append(scene.plan(packed))
    scene.know({("at", "Fetch"): "atA", ("free", "atE"): True, ("free", "atA"): False})
    scene.know({("perceived", "caddy1", "tableA"): True})
    scene.know({("stock", "bandagebox", "tableE"): 0, ("stock", "painkiller", "tableB"): 0})
    scene.know({("amount", "caddy1", i): dict(kit.contents).get(i, 0) for i in scene.domain.names.of("item")})
    plans.append(scene.plan([eq(fl("delivered", "caddy1", "alpha"), True)]))
    print("| goal | steps in the paper | ours | time in the paper | ours |")
    print("| --- | --- | --- | --- | --- |")
    for (goal, steps, time), plan in zip(PAPER, plans, strict=True):
        seconds = scene.seconds(plan)
        mine = f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
        print(f"| {goal} | {steps} | {len(plan.steps)} | {time} | {mine} |")
    print()
    for plan in plans:
        for i, step in enumerate(plan.steps, 1):
            print(f"{i:3d}  ({step.action.skill} {step.robot} {' '.join(step.action.args)})")
        print()


if __name__ == "__main__":
    main()
