"""Ways to decide together, by name. `NAME:variant` is an ablation of NAME.

Whatever else lies in this folder is imported at the end and registers itself, as a file that `--load` names does.
"""

from __future__ import annotations

from functools import partial

from coterie.core.protocol import protocols
from coterie.core.registry import import_all
from coterie.models import Kind, models
from coterie.protocols.coela import Coela
from coterie.protocols.coherent import Coherent
from coterie.protocols.dynahmrc import VARIANTS, DynaHmrc, variant
from coterie.protocols.dynahmrc.oracle import Oracle
from coterie.protocols.expert import Expert
from coterie.protocols.mcts import BUDGETS, LlmMcts, Mcts, MctsNoIns
from coterie.protocols.mcts import oracle as _advises  # noqa: F401 (the oracle learns to answer llm-mcts)
from coterie.protocols.random import Random, RandomLegal
from coterie.protocols.rounds import PLANNERS
from coterie.protocols.rounds import oracle as _arms  # noqa: F401 (the oracle learns to answer the table's planners)
from coterie.protocols.rules import Rules
from coterie.protocols.task_expert import TaskExpert

protocols.put("rules", Rules, "no-model", "indoor", "hospital")
protocols.put("rules:silent", partial(Rules, silent=True), "no-model", "indoor", "ablation")
protocols.put("expert", Expert, "no-model", "indoor", "household")
protocols.put("task-expert", TaskExpert, "no-model", "tabletop")
protocols.put("random", Random, "no-model")
protocols.put("random-legal", RandomLegal, "no-model")
models.put("oracle", Kind("oracle", "a rule mind that reads prompts and nothing else", lambda rest, options: Oracle()))
protocols.put("dynahmrc", DynaHmrc, "model", "indoor")
protocols.put("coherent", Coherent, "model", "indoor")
protocols.put("coela", Coela, "model", "indoor")
for _name, _make in (("coherent", Coherent), ("coela", Coela)):
    protocols.put(f"{_name}:memory-15", partial(_make, memory=15), "model", "indoor", "ablation")
    protocols.put(f"{_name}:full", partial(_make, style="full"), "model", "indoor", "ablation")
for _name in VARIANTS:
    protocols.put(f"dynahmrc:{_name}", partial(variant, _name), "model", "indoor", "ablation")
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
import_all(__name__, __path__)
