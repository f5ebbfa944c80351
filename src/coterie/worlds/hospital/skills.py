"""The skills of robots in the hospital, and the kinds of names that they speak of; `skills.toml` declares them.

What does not change (which pose overlooks which table, who may stand where) is on the map; all else is perceived.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from coterie.core.kinds import Kind, Knower
from coterie.core.skill_file import read_skills

KIND = "kind"  # on the map: of what kind a name is
EXPECTED = "expected"  # on the map: what was said of a fluent before anybody looked


def _of(*kinds: str) -> Callable[[Knower], Sequence[str]]:
    """The names of these kinds on the map."""
    return lambda me: [key[1] for key, value in me.belief.base.items() if key[0] == KIND and value in kinds]


KINDS = (
    Kind("place", _of("table", "room")),  # where things are
    Kind("table", _of("table"), parent="place"),
    Kind("room", _of("room"), parent="place"),
    Kind("pose", _of("pose")),  # where robots stand, one at a time
    Kind("door", _of("door")),
    Kind("person", _of("person")),
    Kind("thing", _of("item", "caddy"), held=True),
    Kind("item", _of("item"), parent="thing"),
    Kind("caddy", _of("caddy"), parent="thing"),
    Kind("robot", lambda me: list(me.heartbeat)),
)

DECLARED = read_skills(Path(__file__).with_name("skills.toml"))
SKILLS = DECLARED.of("hospital", KINDS)
