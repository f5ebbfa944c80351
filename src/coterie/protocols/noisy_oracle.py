"""A player that errs: it follows the teacher, and now and then does something else, or the same again after it failed.

The teacher labels whatever state that leads to, so that a pupil has seen how to get out of states in which the teacher
itself would never be.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from coterie.core.protocol import Ask, Prompt, Reply
from coterie.core.seeds import rng_of
from coterie.models import Kind, Model, Options, models, share_in
from coterie.protocols.dynahmrc.oracle import answer
from coterie.protocols.dynahmrc.oracle_paper import is_paper, with_digests
from coterie.protocols.shared.templates import read

AGAIN = 0.5  # of failures: the same is tried once more
_SKILL = re.compile(r"^(\w+)\(.*?\): ", re.M)
_DEED = re.compile(r"\d+ ((\w+)\([^;]*?\)) FAILED")
_PLACES = re.compile(r"^Places with their sides: (.*)$", re.M)
_THING = re.compile(r"\b[a-z]+(?:_[a-z]+)*_\d+\b")


class Straying:
    """The text oracle, of whose actions a share is replaced by others that the prompt allows."""

    def __init__(self, share: float):
        self.share, self.name = share, f"straying:{share:g}"

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        replies = []
        for ask in asks:
            text = self._text(ask)
            replies.append(Reply(text, sum(len(t) for _, t in ask.prompt) // 4, len(text) // 4))
        return replies

    def _text(self, ask: Ask) -> str:
        rng, right = random.Random(ask.seed), answer(ask.prompt)
        text = told(ask.prompt)
        if "\nOption: " in right:
            return self._option(text, right, rng)
        if "You coordinate a team" in ask.prompt[0][1]:
            return self._orders(text, right, rng)
        if "\nLeader: " in right:
            return self._vote(ask, text, right)
        if "\nAction: " not in right:
            return right
        done = re.search(r"^Done lately: (.*)$", text, re.M)
        last = _DEED.match(done.group(1).split("; ")[-1]) if done else None
        if last is not None and rng.random() < AGAIN * min(1.0, 3 * self.share):
            return f"Thought: Once more.\nAction: {last.group(1)}"
        if rng.random() >= self.share:
            return right
        other = some_action(text, rng)
        return f"Thought: Let me try this.\nAction: {other}" if other else right

    def _vote(self, ask: Ask, text: str, right: str) -> str:
        """In some elections everybody votes for itself, round after round, so that a referee has to decide."""
        me = re.match(r"You are (\w+)\. Your team elects", ask.prompt[0][1])
        lines = re.findall(r"^(?:Goal|Candidates): .*$", text, re.M)  # the same for all who vote
        if me is None or rng_of("quarrel", *lines).random() >= self.share:
            return right
        return f"Thought: I can do it.\nLeader: {me.group(1)}"

    def _option(self, text: str, right: str, rng: random.Random) -> str:
        """Another of the options, among them what has just failed."""
        if rng.random() >= self.share:
            return right
        letters = re.findall(r"^([A-Z]{1,2})\. ", text, re.M)
        return f"Thought: Let me try this.\nOption: {rng.choice(letters)}" if letters else right

    def _orders(self, text: str, right: str, rng: random.Random) -> str:
        """Some of the robots are told something else."""
        lines = []
        for line in right.splitlines():
            name, mark, _ = line.partition(": ")
            able = re.search(rf"\b{re.escape(name)}: [^()]+ \(([^()]*)\)", text) if mark else None
            other = ""
            if able is not None and rng.random() < self.share:
                other = some_action(text, rng, [*able.group(1).split(", "), "wait"])
            lines.append(f"{name}: {other}" if other else line)
        return "\n".join(lines)


def told(prompt: Prompt) -> str:
    """The text of a prompt; where places and past stand apart in it, with the lines of a short one."""
    text = "\n".join(t for _, t in prompt)
    page = read(("dynahmrc/hmrc",), prompt) if "\nScene graph (" in text else None
    if page is None or not is_paper(page):
        return text
    page = with_digests(page)
    lines = ("Places with their sides", "places"), ("Work table", "table_line"), ("Done lately", "lately")
    return "\n".join([text, *(f"{head}: {page[slot]}" for head, slot in lines)])


def some_action(text: str, rng: random.Random, able: Sequence[str] = ()) -> str:
    """An action that can be read, whether it makes sense or not. `able`: of these skills; else of those in the text."""
    skills = [s for s in dict.fromkeys(able or _SKILL.findall(text)) if s != "communicate"]
    listed = _PLACES.search(text)
    places = [item.split(" ")[0] for item in listed.group(1).split(", ")] if listed else []
    table = re.search(r"^Work table: (\w+)", text, re.M)
    things = [t for t in dict.fromkeys(_THING.findall(text)) if t not in places]
    every = [*places, *([table.group(1)] if table else [])]
    for skill in rng.sample(skills, len(skills)):
        if skill == "navigate" and every:
            return f"navigate({rng.choice(every)}, {rng.randrange(3)})"
        if skill == "open" and places:
            return f"open({rng.choice(places)})"
        if skill == "pick" and things:
            return f"pick({rng.choice(things)})"
        if skill == "place" and things and every:
            return f"place({rng.choice(things)}, {rng.choice(every)})"
        if skill == "wait":
            return "wait()"
    return ""


def _make(rest: str, options: Options) -> Model:
    return Straying(share_in("straying", rest, "other actions", 0.1))


models.put("straying", Kind("straying:SHARE", "the oracle, of whose actions a share is another: for training", _make))
