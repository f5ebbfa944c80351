"""A protocol of your own in one method: everybody searches alone, nobody talks.

Run it:  python examples/silent.py
"""

from coterie.core.action import WAIT, Action
from coterie.core.config import Config
from coterie.core.protocol import RobotView, SoloProtocol
from coterie.episode.play import play
from coterie.protocols import protocols
from coterie.protocols.rules import Memory, next_action


class Silent(SoloProtocol):
    """The rule minds, with their mouths shut: what they would say is lost, and costs them the step all the same."""

    about = "rule minds that never talk"

    def __init__(self) -> None:
        self.memory = Memory(introduced=True)

    def act(self, me: RobotView) -> Action:
        action, self.memory = next_action(me, self.memory)
        return action if action.skill != "communicate" else Action(WAIT, why="I keep it to myself.")


if "silent" not in protocols:  # also: coterie run pack-objects --load examples/silent.py --protocol silent
    protocols.put("silent", Silent)


def main() -> None:
    for name in ("rules", "silent"):
        done = [play(Config(protocol=name, team="Ma-MoMa-Mo", seed=s, scene="house:3")).result for s in range(10)]
        print(f"{name:8} success {sum(r.success for r in done)}/10, mean steps {sum(r.steps for r in done) / 10:.1f}")


if __name__ == "__main__":
    main()
