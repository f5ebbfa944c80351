"""The protocols of papers and their ablations, by name; imported when one of them is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.protocol import TeamProtocol, protocols
from coterie.protocols.coela import Coela
from coterie.protocols.coherent import Coherent
from coterie.protocols.dynahmrc import VARIANTS, DynaHmrc, changed, variant
from coterie.protocols.expert import Expert, Random, RandomLegal
from coterie.protocols.mcts import BUDGETS, Mcts, MctsNoIns
from coterie.protocols.mcts.advice import LlmMcts
from coterie.protocols.rounds import PLANNERS
from coterie.protocols.rounds import oracle as _arms  # noqa: F401 (the oracle learns to answer the table's planners)
from coterie.protocols.rounds.oracle import TaskExpert
from coterie.protocols.shared.templates import LEVELS

protocols.put("expert", Expert, "no-model", "indoor", "household")
protocols.put("task-expert", TaskExpert, "no-model", "tabletop")
protocols.put("random", Random, "no-model")
protocols.put("random-legal", RandomLegal, "no-model")

protocols.put("dynahmrc", DynaHmrc, "model", "indoor")
protocols.put("coherent", Coherent, "model", "indoor")
protocols.put("coela", Coela, "model", "indoor")
_RIVALS: dict[str, dict[str, Any]] = {
    "memory-10": {"memory": 10}, "memory-15": {"memory": 15},
    **{name: {"style": LEVELS[name]} for name in ("assisted", "compact", "full")},
}  # fmt: skip
for _name, _make in (("coherent", Coherent), ("coela", Coela)):
    for _kind, _how in _RIVALS.items():
        if _kind != "memory-10" or _name == "coherent":  # ten is what coela remembers anyway
            protocols.put(f"{_name}:{_kind}", partial(_make, **_how), "model", "indoor", "ablation")
for _name in VARIANTS:
    protocols.put(f"dynahmrc:{_name}", partial(variant, _name), "model", "indoor", "ablation")


def _combined(name: str) -> tuple[Callable[[], TeamProtocol], Iterable[str]] | None:
    """`dynahmrc:full-and-no-history`: variants of one protocol together, each named once."""
    base, _, rest = name.partition(":")
    parts = rest.split("-and-")
    known = changed if base == "dynahmrc" else _RIVALS.get if base in ("coherent", "coela") else None
    changes = {"style" if p in LEVELS else p.rstrip("-0123456789") for p in parts}
    if known is None or not rest or len(changes) < len(parts) or not all(known(p) for p in parts):
        return None  # a prompt has one style, and a memory one length
    if "conversation" in parts and (idle := [p for p in parts if p == "queues" or p.startswith("memory-")]):
        raise CoterieError(
            f"'{idle[0]}' would change nothing beside 'conversation', in which a robot is told all that is new and "
            "nothing is dropped: leave one of the two out."
        )
    if base == "dynahmrc":
        return partial(variant, rest), ("model", "indoor", "ablation")
    how = {key: value for part in parts for key, value in _RIVALS[part].items()}
    return partial(Coherent if base == "coherent" else Coela, **how), ("model", "indoor", "ablation")


protocols.rule(_combined)

for _name, _mcts, _tag in (
    ("mcts", Mcts, "no-model"),
    ("mcts-noins", MctsNoIns, "no-model"),
    ("llm-mcts", LlmMcts, "model"),
):
    protocols.put(_name, _mcts, _tag, "indoor", "slow")
    for _budget in BUDGETS:
        protocols.put(f"{_name}:{_budget}", partial(_mcts, _budget), _tag, "indoor", "slow", "ablation")
protocols.put("llm-mcts:full", partial(LlmMcts, style="full"), "model", "indoor", "slow", "ablation")
for _name, _planner in PLANNERS.items():
    protocols.put(_name, _planner, "model", "tabletop")
    protocols.put(f"{_name}:full", partial(_planner, style="full"), "model", "tabletop", "ablation")
