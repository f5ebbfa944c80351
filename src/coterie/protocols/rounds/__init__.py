"""Planners with language models for the arms around the table: Central Plan, RoCo (also in one call), ReAct, HMAS-2."""

from __future__ import annotations

from coterie.protocols.rounds.hmas2 import Hmas2
from coterie.protocols.rounds.planner import CentralPlan, RoCoChat, TablePlanner
from coterie.protocols.rounds.react import ReAct
from coterie.protocols.rounds.roco import RoCo

PLANNERS: dict[str, type[TablePlanner]] = {
    "central-plan": CentralPlan,
    "roco": RoCo,
    "roco-chat": RoCoChat,
    "react": ReAct,
    "hmas2": Hmas2,
}
