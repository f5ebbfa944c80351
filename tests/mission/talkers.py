"""A mission of the hospital that people talk to, without an episode around it: nothing is planned until it thinks."""

from __future__ import annotations

from coterie.core.config import Config
from coterie.core.facts import Fact
from coterie.mission.dialogue.talker import Talker
from coterie.worlds.hospital.entry import HOSPITAL
from coterie.worlds.hospital.tasks import make


class Hospital:
    def __init__(self, journal=None):
        task = make()
        world = HOSPITAL.world(task, Config(task="medkit"))
        self.mission = Talker(HOSPITAL.domain(world.map()), world.lookup, journal=journal)
        self.mission.cards.update(dict(task.robots))
        self.mission.reports.robots = set(dict(task.robots))
        for robot, card in task.robots:
            self.mission.authority.join(robot, "robot")
            self.mission.knowledge.tell(
                Fact("body", (robot,), card.body, 0.0, robot),
                Fact("at", (robot,), task.setting.starts[robot], 0.0, robot),
                Fact("holding", (robot,), None, 0.0, robot),
                Fact("online", (robot,), True, 0.0, robot),
            )
        self.mission.partner.met(sorted(self.mission.reports.robots))

    def say(self, person: str, text: str) -> str:
        """What this person is told at once."""
        self.mission.desk.take()
        self.mission.hear(person, text)
        return "\n".join(n["text"] for n in self.mission.desk.notes if n["what"] == "tell" and n["to"] == person)

    def told(self, person: str) -> list[str]:
        """What somebody was told by the last utterance."""
        return [n["text"] for n in self.mission.desk.notes if n["what"] == "tell" and n["to"] == person]

    def goals(self) -> list[str]:
        return [self.mission.name_of(g) for g in self.mission.goals.live()]
