"""Shift the base a little, to bring something into reach."""

from coterie.core.expr import fl, no
from coterie.core.skill import Clause, Effect, Param, Skill
from coterie.worlds.indoor.skills import skills

SKILL = Skill(
    name="move",
    params=(Param("dx", "metres", shown=""), Param("dy", "metres", shown="")),
    help="shift your base when an object here is just out of reach",
    unread="a shift is two small numbers, dx and dy in metres",
    when=(
        Clause(fl("short_move", "?dx", "?dy"), "Move takes two numbers in metres, together at most 1.5 m."),
        Clause(
            fl("start_free", "?robot"),
            "No path: the starting point of {robot} falls on an obstacle or outside the map.",
        ),
        Clause(
            fl("move_free", "?robot", "?dx", "?dy"),
            "No path: the end point of the move, or the straight way there, falls on an obstacle, outside the map or "
            "where another robot stands.",
        ),
        Clause(no(fl("flat", "?robot")), "The battery of {robot} is flat."),
    ),
    then=(
        Effect(fl("at", "?robot"), fl("still_at", "?robot", "?dx", "?dy")),
        Effect(fl("pose", "?robot"), fl("moved", "?robot", "?dx", "?dy")),
        Effect(fl("stand", "?robot"), None),
    ),
    duration_s=1.0,
    says="{robot} moved by {dx:+.2f} m along x and {dy:+.2f} m along y.",
)
skills.put(SKILL.name, SKILL)
