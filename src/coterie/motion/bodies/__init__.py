"""The bodies of the arms: true kinematics and limits, light geometry, as data in `arms.toml`."""

from __future__ import annotations

from coterie.motion.bodies.build import BODIES, Tool, add_arm, home_of, tool_of
from coterie.motion.bodies.parts import Mount

__all__ = ["BODIES", "Mount", "Tool", "add_arm", "home_of", "tool_of"]
