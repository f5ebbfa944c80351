"""A hospital for tests of talk: what was planned, what rests and who moves, after each line."""

from coterie.core.action import Cause
from coterie.mission.goals import Failure
from tests.mission.talkers import Hospital

A, B, V = "instructor", "teacher", "visitor"
MEDKIT = "a medkit (2 painkillers, 1 bandage box)"
WOUNDKIT = "a woundkit (1 bandage box, 1 antiseptic, 1 gloves)"
PAIN, PAINS = "1 painkiller at table C", "2 painkillers at table C"


class Ward(Hospital):
    """A hospital in which plans are made and goals end when a test says so; nothing moves by itself."""

    def talk(self, *lines):
        """Lines of (person, words); the reply to the last."""
        reply = ""
        for person, words in lines:
            reply = self.say(person, words)
            self.mission.think()
        return reply

    def end(self):
        """What is wanted is so."""
        for goal in self.mission.goals.live():
            self.mission._finish(self.mission.goals[goal.id])

    def fail(self):
        """A step of the first goal goes wrong, and a way out is proposed."""
        item = next(i for i in self.mission.agenda if i.action.skill == "pickup" and "bandagebox" in i.action.args)
        cause = Cause("stock", ("stock", ("bandagebox", "tableE"), 0), "before")
        self.mission._failures.append((item.goal, Failure("EXECUTION", cause, item.robot, "pickup", item.action.args)))
        self.mission.think()

    def states(self):
        goals = self.mission.goals
        return {self.mission.name_of(g): g.state for g in goals.all() if not g.parent and g.state != "cancelled"}

    def waits(self):
        """Whether all that is wanted waits for a yes."""
        return set(self.states().values()) == {"waiting"}

    def moves(self):
        return {i.robot for i in self.mission.agenda}


def with_medkit():
    """A ward in which a medkit is on its way to alpha."""
    ward = Ward()
    ward.talk((A, "Deliver a medkit to alpha."))
    return ward
