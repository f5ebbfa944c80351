"""Replies are data: read tolerantly, never evaluated, cut to size.

What cannot be read is a `Misread` with the reason in words. Actions are read by the language of the world
(`coterie.core.language`); what all of them share is in `coterie.core.replies.sections`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import TypeVar

from coterie.core.kinds import Misread
from coterie.core.protocol import Ask, Prompt, Reply
from coterie.core.replies.fields import NUMBER, blank, clean, field, names_it, numbers, quoted, refuses, thought
from coterie.core.replies.json_blocks import blocks
from coterie.core.replies.sections import MOST_CHARS, lacking, sections, spoken, torn, under, unlisted

__all__ = [
    "MOST_CHARS", "Misread", "PlanReader", "ask_twice", "clean", "field", "names_it", "one_of", "plan_for",
    "quoted", "shift", "spoken", "thought", "whole",
]  # fmt: skip
T = TypeVar("T")
MOST_PLAN, MOST_PART = 900, 60  # characters of a plan, and of the part of each robot in a large team
#: A line with one of these gives no single name or pair of numbers for sure.
_HEDGE = re.compile(
    r"\b(?:or|and|not|never|no|neither|either|if|unless|depends|unsure|abstain|might|could|would|actually|than|except|"
    r"perhaps|maybe|as long as|cannot|wants?)\b|n't\b|\?",
    re.I,
)
_VOTE = re.compile(r"\W*(?:I (?:vote|am) for|I (?:choose|elect|pick)|my vote (?:is for|goes to))\b", re.I)
_UNREAD_HEADING = re.compile(
    r"[<{\"'\\]\W{0,3}\w{0,8}\W?(?:thought|plan|speech|summary|content)\b|^(?:thought|plan)\b", re.I
)
_AXES = re.compile(r"\bd?([xy])\b[\"'*_`]{0,3}\s*[:=]\s*([-+]?[0-9.]+)", re.I)
_UNITS = re.compile(r"\b(?:m|metres?|meters?|d?x|d?y|by|and)\b", re.I)


def ask_twice(
    ask: Ask, read: Callable[[str], T | Misread], form: str, first: Callable[[str], T | Misread] | None = None
) -> Generator[list[Ask], Sequence[Reply], T | Misread]:
    """Ask, and where the reply cannot be read ask once more with the reason, for `form`. `first` reads the first reply,
    if it is to be read more strictly."""
    (reply,) = yield [ask]
    found = Misread(reply.error) if reply.error else (first or read)(reply.text)
    if not isinstance(found, Misread):
        return found
    again = f"That could not be read: {found.reason}. Answer again, in {form} and nothing else."
    prompt: Prompt = (*ask.prompt, ("assistant", clean(reply.text, 300) or "(nothing)"), ("user", again))
    (reply,) = yield [ask._replace(attempt=1, prompt=prompt)]
    return Misread(reply.error) if reply.error else read(reply.text)


def whole(reply: str, most: int = 400) -> str | Misread:
    """All of a reply that has words in it: what was said without its heading."""
    said = "\n".join(
        body for name, body in sections(spoken(reply)) if name not in ("thought", "other") and not blank(body)
    )
    if refuses(said):
        return Misread("it says that it will not answer")
    if _UNREAD_HEADING.search(said):
        return Misread("its headings cannot be told apart; write them like `Plan: ...`")
    text = clean(unlisted(said), most)
    if not any(c.isalnum() for c in text) or blank(text):
        return Misread("it is empty")
    if all(x.rstrip().endswith("?") for x in re.findall(r"[^.!?]+[.!?]*", text) if re.search(r"\w", x)):
        return Misread("it asks instead of answering")
    return text


class PlanReader:
    """Reads a plan with a part for every robot. One that forgets a robot is asked for again; who then still forgets
    some is taken at its word, who forgets all has no plan."""

    def __init__(self, names: Iterable[str]):
        self.names, self.again = list(names), False

    def __call__(self, reply: str) -> str | Misread:
        plan = plan_for(reply, self.names if not self.again else ())
        if self.again and isinstance(plan, str) and len(lacking(plan, self.names)) == len(self.names):
            return plan_for(reply, self.names)
        self.again = True
        return plan


def plan_for(reply: str, names: Iterable[str]) -> str | Misread:
    """A plan in which every name is named, or why it is none."""
    names = list(names)
    body, most = under(spoken(reply), "plan"), max(MOST_PLAN, MOST_PART * len(names))
    plan = clean(unlisted(body), most) if body is not None and not refuses(body) else ""
    plan = plan if any(c.isalnum() for c in plan) and not blank(plan) else field(reply, "content", most) or ""
    if not plan:
        found = whole(reply, most)
        if isinstance(found, Misread):
            return found
        if found.count("?") > 1 or (names and not _parted(found, names)):
            return Misread("it has no heading Plan, and no part for each robot")
        if any(re.search(rf"(?<!\w){re.escape(n)} (?:is|was|has|had|reported|said)\b", found, re.I) for n in names):
            return Misread("it tells how things stand, and has no heading Plan")
        plan = found
    if refuses(plan) or re.match(r"\W*(?:there is )?no (?:new )?plan\b", plan, re.I):
        return Misread("it has no plan")
    if re.fullmatch(r"[^.;:]*\?\W*", plan):
        return Misread("it asks instead of planning")
    without = lacking(plan, names)
    if without:
        return Misread(f"the plan has no part for {', '.join(without)}")
    if names and not re.search(
        r"\w", re.sub(rf"\b(?:{'|'.join(map(re.escape, names))}|and|all)\b", "", plan, flags=re.I)
    ):
        return Misread("the plan has names and no parts")
    every = "|".join(map(re.escape, names))
    if (
        names
        and (empty := re.search(rf"(?<!\w)({every})\W{{0,3}}:\W*(?:\Z|(?:{every})\W{{0,3}}:)", plan, re.I)) is not None
    ):
        return Misread(f"the plan has no part for {empty.group(1)}")
    return plan


def _parted(plan: str, names: Iterable[str]) -> bool:
    """True if each name has words of its own, and not only several together."""
    words = "|".join(re.escape(n) for n in names)
    behind = re.split(rf"(?<!\w)(?:{words})(?!\w)", plan, flags=re.I)[1:]
    return all(re.search(r"\w", re.sub(r"\b(?:and|or|also|too)\b", "", x)) for x in behind)


def one_of(reply: str, heading: str, names: Iterable[str]) -> str | None:
    """The name a reply settles on: behind its heading, or in one line of a few words without it."""
    names = list(names)
    text = spoken(reply)
    if torn(text, heading):
        return None
    said = under(text, heading) or under(text, "answer")
    if said is None:
        said = text.strip()
        if "\n" in said or not (said.strip("*_`\"'.!") in names or _VOTE.match(said)):
            return None
    line = next((x for x in said.splitlines() if re.search(r"\w", x)), "")
    chosen = re.split(r"\b(?:because|since)\b", line)[0]  # others may stand in the reason
    found = [n for n in names if re.search(rf"(?<!\w){re.escape(n)}(?!\w)", chosen, re.I)]
    return found[0] if len(found) == 1 and not _HEDGE.search(chosen) else None


def shift(reply: str) -> tuple[float, float] | None:
    """`Move: 0.4, -0.2` to two numbers; with other words among them they may mean anything else."""
    text = spoken(reply)
    if torn(text, "move"):  # a way with several legs is no shift
        return None
    inside = [b for b in blocks(text) if isinstance(b, dict)]
    said = under(text, "move", keys=False) or (_axes(inside[-1]) if inside else text)
    line = next((x for x in said.splitlines() if NUMBER.search(x)), "")
    axes = {axis.lower(): value for axis, value in _AXES.findall(line)}
    if len(axes) == 2:
        line = f"{axes['x']}, {axes['y']}"
    found = numbers(line, 2)
    only = len(NUMBER.findall(line)) == 2 and not re.search(r"[^\W\d_]", _UNITS.sub("", NUMBER.sub("", line)))
    return None if found is None or not only else (found[0], found[1])


def _axes(block: dict[str, object]) -> str:
    """The two axes of a block of JSON, also one level below a key."""
    inner = next((v for v in block.values() if isinstance(v, dict)), block)
    return ", ".join(f"{k}: {v}" for k, v in inner.items() if re.fullmatch(r"d?[xy]", str(k), re.I))
