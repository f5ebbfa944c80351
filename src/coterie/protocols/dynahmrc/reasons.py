"""Reasons for actions that another player chose: a player acts well and thinks in its own way, or not at all.

Where the teacher would have done the same, its thought is the reason. Elsewhere one is put together from the action and
from what the prompt says about the names in it; nothing is said that does not stand there.
"""

from __future__ import annotations

import re

from coterie.core.protocol import Prompt
from coterie.core.replies.fields import CALL, names_it
from coterie.core.replies.sections import spoken, under
from coterie.protocols.shared.templates import LENGTHS

MOST = LENGTHS["compact"][0]  # characters of a thought


def action_in(reply: str) -> str:
    """The action that a reply settles on, as one call; empty where it names none."""
    found = CALL.search(under(spoken(reply), "action") or "")
    return re.sub(r"\s+", " ", found.group()).strip() if found else ""


def reasoned(said: str, taught: str, prompt: Prompt) -> str:
    """A reply with the action that was played and a reason for it; empty where no action can be read."""
    action = action_in(said)
    if not action:
        return ""
    same = _bare(action) == _bare(action_in(taught))
    thought = under(taught, "thought") if same else None
    return f"Thought: {thought or reason_for(action, prompt)}\nAction: {action}"


def _bare(action: str) -> str:
    return re.sub(r"\s", "", action)


def reason_for(action: str, prompt: Prompt) -> str:
    """Why one might do this, by the prompt; the fullest sentence that is short enough."""
    skill, _, inner = action.rstrip(")").partition("(")
    args = [a.strip() for a in inner.split(",")] if inner.strip() else []
    fitting = [r for r in _reasons(skill, args, inner, "\n".join(t for _, t in prompt)) if len(r) <= MOST]
    return fitting[0] if fitting else "This comes next."


def _reasons(skill: str, args: list[str], inner: str, text: str) -> list[str]:
    first = args[0] if args else ""
    goal, needed, table = _line(text, "Goal: "), _line(text, "Needed: "), _line(text, "Work table: ").partition(",")[0]
    held = re.search(r"You hold (\w+)", text)
    if skill == "wait":
        return ["I wait for the others."]
    if skill == "communicate":
        name = inner.rpartition(",")[2].strip()
        return [*([f"{name} should know this."] if name.isidentifier() and name != "all" else []),
                "The others should know this."]  # fmt: skip
    if skill == "pick" and first:
        return [*([f"{first} is needed."] if names_it(first, goal) else []), f"I take {first}."]
    if skill == "place" and len(args) > 1:
        home = re.search(rf"\b{re.escape(first)} on {re.escape(args[1])}\b|into the {re.escape(args[1])}\b", goal)
        belongs = home is not None and names_it(first, goal)
        return [
            *([f"{first} belongs there."] if belongs else []),
            f"I put {first} on {args[1]}.",
            f"I lay {first} down.",
        ]
    if skill == "open" and first:
        return [f"I look into {first}.", "I look inside."]
    if skill == "navigate" and first:
        there = re.search(rf"\b(\w+) at {re.escape(first)}\b", needed)
        told = [f"{there.group(1)} is there."] if there else []
        told += [f"I bring {held.group(1)} there."] if held and names_it(first, table) else []
        told += [f"{first} is left to search."] if names_it(first, _line(text, "Left to search: ")) else []
        return [*told, f"I go to {first}.", "I go there."]
    if skill == "move":
        return ["From a bit nearer I may reach it."]
    return [f"I {skill} {first}.".replace(" .", ".")]


def _line(text: str, heading: str) -> str:
    found = re.search(rf"^{heading}(.*)$", text, re.M)
    return found.group(1) if found else ""
