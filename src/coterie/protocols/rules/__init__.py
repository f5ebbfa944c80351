from coterie.core.action import Action
from coterie.core.protocol import RobotView, SoloProtocol


class Rules(SoloProtocol):
    def act(self, me):
        return Action("wait")
