"""Planners with language models for the arms around the table: Central Plan, RoCo, ReAct, HMAS-2."""

from __future__ import annotations

from coterie.protocols.tabletop.central import CentralPlan
from coterie.protocols.tabletop.hmas2 import Hmas2
from coterie.protocols.tabletop.planner import TablePlanner
from coterie.protocols.tabletop.react import ReAct
from coterie.protocols.tabletop.roco import RoCo

PLANNERS: dict[str, type[TablePlanner]] = {
    "central-plan": CentralPlan,
    "roco": RoCo,
    "react": ReAct,
    "hmas2": Hmas2,
}
