"""Which prompts an adapter was trained on: a fingerprint of prompts as they are rendered in fixed states.

Templates alone would not do: half of a prompt are words that code puts together, and texts of robot cards.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from coterie.core.config import Config
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.protocol import Ask, Reply, asks_model
from coterie.episode.pulse import OFF
from coterie.learn.demos import played
from coterie.learn.trained import Bound
from coterie.models import Model, make_model
from coterie.models.adapter import about
from coterie.protocols import protocols

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


def check_teachable(protocol: str) -> None:
    """Whether there is a protocol of this name that asks a model."""
    if protocol not in protocols:
        raise unknown_name("protocol", protocol, [name for name in protocols if asks_model(name)])
    if not asks_model(protocol):
        raise CoterieError(f"The protocol '{protocol}' asks no model, so that there is nothing to learn.")


def rendered_hash(protocol: str = "dynahmrc") -> str:
    """The fingerprint of today's prompts."""
    check_teachable(protocol)
    player = _Listening()
    configs = [Config(**{**vars(c), "protocol": protocol, "model": "oracle", "level": "medium-search"}) for c in STATES]
    if len(list(played(configs, player, rename=0.0))) != len(STATES):
        raise CoterieError(
            f"No fingerprint can be taken of the prompts of '{protocol}': it does not play all of the episodes that "
            "they are rendered in."
        )
    return player.digest.hexdigest()[:16]


def bound_to(protocol: str) -> Bound:
    """What is trained now on the prompts of this protocol; empty where they have no fingerprint."""
    try:
        return Bound(protocol, rendered_hash(protocol)) if protocol else Bound()
    except CoterieError:
        check_teachable(protocol)
        return Bound(protocol)


def protocol_of(samples: Iterable[Path]) -> str:
    """Whose prompts are answered in these files, as their cards say; empty where one does not, or they differ."""
    found = set()
    for path in samples:
        try:
            found.add(str(json.loads(path.with_suffix(".card.json").read_text(encoding="utf-8"))["protocol"]))
        except (OSError, ValueError, KeyError, TypeError):
            return ""
    return found.pop() if len(found) == 1 else ""


def trained_on(adapter: Path) -> str:
    """The fingerprint of the prompts that an adapter was trained on; empty if it does not say."""
    return about(adapter).get("prompts", "")


def mismatch(adapter: Path, asking: Sequence[str]) -> str:
    """A sentence where an adapter was trained on other prompts than these protocols ask with; empty where it fits, or
    does not say what it was trained on."""
    told = about(adapter)
    protocol, prompts = told.get("protocol", ""), told.get("prompts", "")
    kind = protocol.partition(":")[0]
    strange = [name for name in asking if name.partition(":")[0] != kind]
    if protocol and strange:
        return f"The adapter '{adapter}' was trained for {protocol}, and has not learnt to answer {', '.join(strange)}."
    if prompts and asking and prompts != rendered_hash(protocol):
        return (
            f"The adapter '{adapter}' was trained on prompts of {protocol} that have changed since; it will play worse "
            "than it did. docs/learn.md says how it is trained again."
        )
    return ""
