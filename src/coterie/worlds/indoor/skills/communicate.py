"""Say something to one, some or all teammates."""

from coterie.core.expr import fl
from coterie.core.skill import Clause, Param, Skill
from coterie.worlds.indoor.skills import skills

SKILL = Skill(
    name="communicate",
    params=(Param("content", "text", shown='"words"'), Param("recipients", "robots", shown="name or all")),
    help="tell teammates",
    when=(Clause(fl("hearers", "?robot", "?recipients"), "Nobody named {recipients} is there to hear it."),),
    duration_s=1.0,
    says="The message was sent to {heard_by(robot, recipients)}.",
)
skills.put(SKILL.name, SKILL)
