"""Where an arm stands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mount:
    """One robot in a scene. All of it in the model is named after it: "Alice/hand", "Alice/j1".

    With `yaw` 0 an arm at home holds its tool out along world +x, and the humanoid looks along world -y.
    """

    name: str
    body: str  # a key of BODIES
    at: tuple[float, float, float]  # [m] of the base, world frame
    yaw: float = 0.0  # [rad] about world z
    rail: tuple[float, float] | None = None  # [m] the base slides along WORLD x, relative to `at`; None: bolted
    home: tuple[float, ...] = ()  # joint values, slide first when there is a rail; empty: the body's own
    scale: float = 1.0  # of every length of the body, for arms that reach farther or less far than its maker's
