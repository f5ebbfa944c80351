"""Solved tasks that can be used again: similarity tests, the S-Planner, the store, and priors for unknown houses.

Pure data: worlds and protocols hand cases and plans in and get drafts back; nothing here knows a world.
"""

from coterie.memo.case import BadRow, Case, Pose, Thing
from coterie.memo.file.schema import default_path
from coterie.memo.file.store import Store
from coterie.memo.legs import Leg, Probe
from coterie.memo.lookup import Found, Match, Memo
from coterie.memo.plan import Act, Motion, Plan, Step
from coterie.memo.priors import Lesson, PriorCase, prior, recall, teach
from coterie.memo.settings import Family, MemoSettings, families, family_of, parse_variant, variants
from coterie.memo.similarity import ratios, similarity
from coterie.memo.splanner import Draft, DraftAct, Drafted, draft, resume
from coterie.memo.transitions import Round, Situation, Transition, transitions_of

__all__ = [
    "Act",
    "BadRow",
    "Case",
    "Draft",
    "DraftAct",
    "Drafted",
    "Family",
    "Found",
    "Leg",
    "Lesson",
    "Match",
    "Memo",
    "MemoSettings",
    "Motion",
    "Plan",
    "Pose",
    "PriorCase",
    "Probe",
    "Round",
    "Situation",
    "Step",
    "Store",
    "Thing",
    "Transition",
    "default_path",
    "draft",
    "families",
    "family_of",
    "parse_variant",
    "prior",
    "ratios",
    "recall",
    "resume",
    "similarity",
    "teach",
    "transitions_of",
    "variants",
]
