"""The knowledge base: facts that were reported, rules over them, the knowledge of each person, and permissions."""

from coterie.mission.knowledge.authority import ACTS, ROLES, Authority, Grant, Member, Refusal, Refused
from coterie.mission.knowledge.base import Claim, Heard, Knowledge, Lack, Lesson
from coterie.mission.knowledge.rules import Rules
from coterie.mission.knowledge.solver import Contradiction
from coterie.mission.knowledge.view import Answer, View

__all__ = [
    "ACTS", "ROLES", "Answer", "Authority", "Claim", "Contradiction", "Grant", "Heard", "Knowledge", "Lack",
    "Lesson", "Member", "Refusal", "Refused", "Rules", "View",
]  # fmt: skip
