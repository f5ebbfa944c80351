"""Kits as data: the container they use, and how many of which items are in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Kit:
    name: str
    container: str  # a kind of thing
    contents: Mapping[str, int] = field(default_factory=dict)

    def words(self) -> str:
        return ", ".join(f"{n} {item}" for item, n in self.contents.items())


KITS = {
    k.name: k
    for k in (
        Kit("medkit", "caddy", {"painkiller": 2, "bandagebox": 1}),
        Kit("woundkit", "caddy", {"bandagebox": 1, "antiseptic": 1, "gloves": 1}),
        Kit("feverkit", "caddy", {"thermometer": 1, "painkiller": 1}),
    )
}
