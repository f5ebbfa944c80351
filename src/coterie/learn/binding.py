"""Which prompts an adapter was trained on: a fingerprint of prompts as they are rendered in fixed states.

Templates alone would not do: half of a prompt are words that code puts together, and texts of robot cards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.episode.pulse import OFF
from coterie.learn.demos import played
from coterie.learn.needs import needed
from coterie.models import Model, make_model

#: All bodies, tasks and kinds of change, played by the text oracle.
STATES = (
    Config("pack-objects", "Ma-MoMa-UAV", seed=11, scene="flat", changes=("cto@5",), heartbeat=OFF),
    Config("sort-solids", "Ma-Mo-UAV", seed=12, scene="loft", changes=("irz@5:2",), heartbeat=OFF),
    Config("make-sandwich", "Ma-MoMa", seed=13, scene="bungalow", changes=("anc@5:UAV",), heartbeat=OFF),
    Config("pack-objects", "Ma-MoMa-Mo-UAV", seed=14, scene="flat", changes=("rec@5:MoMa",), heartbeat=OFF, guard=True),
)


class _Listening:
    """The oracle, whose requests are counted in."""

    def __init__(self) -> None:
        self.oracle: Model = make_model("oracle")
        self.name, self.digest = self.oracle.name, hashlib.sha256()

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        for ask in asks:
            self.digest.update(repr((ask.stage, ask.prompt)).encode())
        return list(self.oracle.answer(asks))


def rendered_hash(protocol: str = "dynahmrc") -> str:
    """The fingerprint of today's prompts."""
    player = _Listening()
    configs = [Config(**{**vars(c), "protocol": protocol, "model": "oracle", "level": "medium-search"}) for c in STATES]
    if len(list(played(configs, player, rename=0.0))) != len(STATES):
        raise CoterieError("Not all of the episodes that prompts are taken from can be drawn.")
    return player.digest.hexdigest()[:16]


def trained_on(adapter: Path) -> str:
    """The fingerprint of the prompts that an adapter was trained on; empty if it does not say."""
    field = needed("gguf").GGUFReader(adapter).get_field("coterie.prompts")
    return str(field.contents()) if field is not None else ""
