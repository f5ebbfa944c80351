"""Solved tasks that can be used again: similarity tests, the S-Planner, and the store.

Pure data: worlds and protocols hand cases and plans in and get drafts back; nothing here knows a world.
"""

from coterie.memo.case import BadRow, Case, Pose, Thing
from coterie.memo.file.schema import default_path
from coterie.memo.file.store import Store
from coterie.memo.legs import Leg, Probe
from coterie.memo.lookup import Found, Match, Memo
from coterie.memo.plan import Act, Motion, Plan, Step
from coterie.memo.settings import Family, MemoSettings, families, family_of, parse_variant, variants
from coterie.memo.similarity import ratios, similarity
from coterie.memo.splanner import Draft, DraftAct, Drafted, draft, resume
from coterie.memo.transitions import Round, Situation, Transition, transitions_of

__all__ = [
    "Act", "BadRow", "Case", "Draft", "DraftAct", "Drafted", "Family", "Found", "Leg", "Match", "Memo",
    "MemoSettings", "Motion", "Plan", "Pose", "Probe", "Round", "Situation", "Step", "Store", "Thing", "Transition",
    "default_path", "draft", "families", "family_of", "parse_variant", "ratios", "resume", "similarity",
    "transitions_of", "variants",
]  # fmt: skip
