"""A protocol: the rule minds, which know nothing of rinsing, and one habit more."""

from coterie import PROTOCOLS, Action, RobotView
from coterie.protocols.rules import Rules


class Barista(Rules):
    about = "rule minds that rinse cups on their way to the guests"

    def decide(self, team, idle):
        joint = yield from super().decide(team, idle)
        return {team.me.name: rinse_first(team.me) or joint[team.me.name]}


def rinse_first(me: RobotView) -> Action | None:
    """What a robot with a dirty cup in its hand does before all else."""
    cup = me.look("holding", me.name)
    if "rinse" not in me.skills or cup not in me.look("goal").to_rinse or me.look("rinsed", cup) is True:
        return None
    if me.look("at", me.name) == "sink":
        return Action("rinse", (cup, "sink"), why=f"{cup} is dirty.")
    sides = me.look("all_stands", "sink")  # another one in the next step, where somebody stands in the way
    return Action("navigate", ("sink", sides[me.step % len(sides)]), why=f"I rinse {cup} first.")


PROTOCOLS.put("barista", Barista, "no-model", "cafe")
