"""Do nothing for a step."""

from coterie.core.skill import Skill
from coterie.worlds.indoor.skills import skills

SKILL = Skill(name="wait", params=(), help="do nothing for a step", duration_s=1.0, says="{robot} waited.")
skills.put(SKILL.name, SKILL)
