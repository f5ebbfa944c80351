"""Monte Carlo tree search for a whole team, on what its robots have seen together.

`mcts` searches plainly, `mcts-noins` without the instruction to act where one has gone, `llm-mcts` with a language
model's advice. All look at the pooled beliefs of the party, never at the truth.
"""

from __future__ import annotations

from coterie.protocols.mcts.advice import LlmMcts
from coterie.protocols.mcts.protocol import BUDGETS, Mcts, MctsNoIns

__all__ = ["BUDGETS", "LlmMcts", "Mcts", "MctsNoIns"]
