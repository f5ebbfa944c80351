"""A mind that reads nothing but the text of a prompt and answers in the protocol's format.

It has no memory and no access to beliefs: whatever it decides well, the prompt has told it. It tests prompts, parser
and the way over HTTP without a language model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.protocols.dynahmrc import paper_reading
from coterie.protocols.dynahmrc.oracle_deciding import Deciding
from coterie.protocols.dynahmrc.oracle_reading import after, between, name_of, places_of, reported
from coterie.protocols.dynahmrc.oracle_sharing import best_shift, division

_SITUATION = re.compile(r"^Step \d+ of \w+\. ", re.M)  # how a prompt that asks for an action ends
#: Answers to prompts of further protocols: from the system message and the whole text, None where it is not theirs.
others: list[Callable[[str, str], str | None]] = []


def answer(messages: Sequence[tuple[str, str]]) -> str:
    """The reply to one prompt, a sequence of (role, text)."""
    system = messages[0][1] if messages else ""
    text = paper = "\n".join(t for _, t in messages)
    if paper_reading.is_paper(text):
        text = paper_reading.as_compact(text)
    fixed = "the final placement" if text is paper else "what is within its reach"  # the rule is to be found out there
    if "Introduce yourself" in system:
        return f"Thought: They should know me.\nContent: I am {name_of(system)}, {after(system, 'You are [^,]+, ')}"
    if "Propose who" in system:
        plan = division(text, fixed=fixed)
        return f"Thought: Everybody gets a share.\nPlan: {plan}\nSpeech: My plan leaves no place out."
    if "elects a leader" in system or "You are the referee" in system:
        names = after(text, "Candidates: ").split(", ")
        return f"Thought: The plans are alike.\nReason: first by name.\nLeader: {sorted(names)[0]}"
    if "You shift your base" in system:
        return f"Move: {best_shift(messages[-1][1])}"
    if "stops for a discussion" in system:
        return f"Thought: Let us see.\nSummary: {after(text, 'Searched: ') or 'nothing searched yet'}\nPlan: go on."
    if "You lead the team" in system:
        return f"Thought: What is left is shared again.\nPlan: {division(text, reported(text), fixed)}"
    if "You coordinate a team" in system:
        return _for_everybody(text)
    for other in others:
        if (reply := other(system, text)) is not None:
            return reply
    if _SITUATION.search(text) is None:
        raise CoterieError(
            "The oracle cannot read this prompt: it knows those of dynahmrc, coherent, coela, llm-mcts and planners "
            "on the table. Choose another --model."
        )
    thought, action = Deciding.read(text).decide()
    if text is not paper:
        action = paper_reading.final(action, paper)
    if "You may send one message" in system:
        words = re.match(r'communicate\("(.*)", all\)', action)
        return f"Message: {words.group(1) if words else 'nothing'}"
    if "Choose the best of the options" in system:
        listed = {what: letter for letter, what in re.findall(r"^([A-Z]{1,2})\. (.*)$", text, re.M)}
        told = next((letter for what, letter in listed.items() if what.startswith("communicate(")), None)
        letter = told if action.startswith("communicate(") and told else listed.get(action, listed.get("wait()", "A"))
        return f"Thought: {thought}\nOption: {letter}"
    return f"Thought: {thought}\nAction: {action}"


def _for_everybody(text: str) -> str:
    """The central planner's prompt: one line a robot, each decided as if it had asked alone."""
    team, history, status = (after(text, heading) for heading in ("Team: ", "History: ", "Status: "))
    head = text.partition("\n[")[0].splitlines()[2:]
    if "\nLeft to search: " in text:
        head = [line for line in head if not line.startswith("Left to search: ")]
        head.append(f"Searched: {', '.join(p for p in places_of(text) if p in reported(text))}")
    divided = division("\n".join(["You are nobody, nothing.", f"Team: {team}", *head]))
    shares = dict(part.split(": ", 1) for part in divided.split("; ") if ": " in part)
    scenes: list[Deciding] = []
    for name, block in re.findall(r"^\[(\w+)\] (.*?)(?=^\[\w+\] |^Status: )", text, re.S | re.M):
        card = re.search(rf"\b{name}: ([^()]+) \(([^()]*)\)\. ?", team)
        if card is None:
            continue
        own = "; ".join(step + what for step, what in re.findall(rf"(\d+ ){name}: ([^;]*)", history))
        first, *rest = block.strip().splitlines()
        prompt = [
            f"You are {name}, {card.group(1)}.", f"Team: {team.replace(card.group(0), '')}", *head,
            *(f"{skill}(): one of your skills" for skill in card.group(2).split(", ")),
            f'The plan: "{name}: {shares.get(name, "")}"', *rest, f"Done lately: {own}",
            f"Status: {status}", f"Step 0 of 0. {first}",
        ]  # fmt: skip
        scenes.append(Deciding.read("\n".join(prompt)))
    return "\n".join(["Thought: Everybody does what it can.", *_one_after_another(scenes)])


def _one_after_another(scenes: list[Deciding]) -> list[str]:
    """Who has something needed at hand chooses first, so that nobody is sent away from it."""
    chosen: dict[str, str] = {}
    taken: set[str] = set()

    def at_hand(scene: Deciding) -> list[str]:
        near = between(scene.itself, "ithin your reach: ", ".").split(", ")
        return [t for t in scene.needed if t in near]

    for scene in sorted(scenes, key=lambda s: not at_hand(s)):
        if "pick" in scene.able:  # what one fetches, no other need
            first = [*at_hand(scene), *scene.needed]
            scene.needed = {t: scene.needed[t] for t in dict.fromkeys(first) if t not in taken}
        scene.said = " ".join([*scene.needed, *scene.on_table, *scene.places])  # all is pooled: no need to talk
        thought, action = scene.decide()
        if action.startswith("communicate("):
            action = "wait()"
        taken |= {t for t in scene.needed if t in f"{thought} {action}" and "I look for" not in thought}
        chosen[scene.me] = action
    return [f"{scene.me}: {chosen[scene.me]}" for scene in scenes]


class Oracle:
    """The text oracle as a model in this process."""

    name = "oracle"

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        replies = []
        for ask in asks:
            text = answer(ask.prompt)
            replies.append(Reply(text, sum(len(t) for _, t in ask.prompt) // 4, len(text) // 4))
        return replies


# -- reading ----------------------------------------------------------------------------------------------------------
