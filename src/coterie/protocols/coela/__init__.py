"""CoELA: every robot drafts a message, then chooses from the list of what it could do now; nobody leads.

After the modules of CoELA (Zhang et al., 2023): perception and memory are the belief, a communication call drafts what
could be said, a planning call picks one option, and saying the draft is one of them.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from typing import Any

from coterie.core.action import COMMUNICATE, PERSON, STAGE, UNREAD, WAIT, Action
from coterie.core.facts import UNKNOWN
from coterie.core.language import LETTERS as ANY
from coterie.core.language import Language
from coterie.core.protocol import Asking, TeamProtocol, TeamView
from coterie.core.replies.fields import CALL
from coterie.core.replies.sections import torn, under
from coterie.protocols.shared import hearing, replies, words
from coterie.protocols.shared.hearing import body_in_words, greet, introduction, named_facts
from coterie.protocols.shared.memory import Memory
from coterie.protocols.shared.mind import Mind, Options, ask, out_of_reach, shift
from coterie.protocols.shared.reading import Reading, shift_for
from coterie.protocols.shared.templates import LENGTHS, render

LETTERS = [*string.ascii_uppercase, *(a + b for a in string.ascii_uppercase for b in string.ascii_uppercase)]


class Coela(TeamProtocol):
    sees = "own"
    about = "one language model per robot: draft a message, then choose an option; no leader"
    prompts = "coela"
    replies = {"COMM": 64, "PLAN": 48, "MV": 24}
    stages = {"COMM": "draft of a message", "PLAN": "action", "MV": "how far to shift"}

    def __init__(self, memory: int = 10, style: str = "compact"):
        self.mind = Mind(Options(style=style, memory=memory), memory=Memory(memory))

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        mind = self.mind
        mind.me = me = team.me
        if not mind.introduced:
            text, facts = introduction(mind.reading())
            me.say(text + body_in_words(mind.reading()), facts=facts)
            mind.introduced = True
            yield []
        elif new := frozenset(me.heartbeat) - mind.known:
            greet(mind.reading(), new, words=body_in_words(mind.reading()))
            yield []
        mind.known |= frozenset(me.heartbeat)
        mind.look_out()
        mind.memory.note_goal(mind.reading().goal, me.step)
        mind.memory.note_outcome(me.outcome, me.step, me.language)
        for message in me.inbox:
            bare = not message.facts and message.sender in me.heartbeat
            mind.words_alone |= bare and message.via == STAGE  # an introduction carries facts, if any are carried
            if mind.words_alone and bare and message.via != PERSON:
                hearing.believe(me, message)
            if message.via in (COMMUNICATE, PERSON):
                mind.memory.note_message(message, me.step, replies.clean(message.text, 200))
        r = mind.reading()
        held = mind.options.style == "compact"  # small models are held to what can be read, as those of DynaHMRC are
        draft = yield from ask(mind, "COMM", self._prompt(r, "comm"), _read_draft, _DRAFTS if held else None)
        choices = options(r, str(draft) if isinstance(draft, str) else "")
        listed = "\n".join(f"{letter}. {me.language.written(a)}" for letter, a in zip(LETTERS, choices))
        prompt = self._prompt(r, "plan", options=listed)
        letters = _options(choices, mind.memory.stuck(), me.language) if held else None
        picked = yield from ask(mind, "PLAN", prompt, lambda reply: _read_choice(reply, choices, me.language), letters)
        if isinstance(picked, replies.Misread):
            return {me.name: Action(WAIT, (), f"unreadable reply: {picked.reason}", origin=UNREAD)}
        if picked.skill == "move":
            return {me.name: (yield from shift(mind, r, picked))}
        if picked.skill == COMMUNICATE:
            picked = picked._replace(facts=tuple(named_facts(r, str(picked.args[0]))))
        return {me.name: picked}

    def _prompt(self, r: Reading, template: str, **extra: str) -> tuple[tuple[str, str], ...]:
        values = words.values(r, self.mind.memory, self.mind.options.style)
        extra["history_line"] = words.lately(self.mind.memory)
        return render(f"coela/{template}", self.mind.options.style, values.but(extra))


def options(r: Reading, draft: str) -> list[Action]:
    """Actions that a robot could sensibly try now, from its own belief."""
    found: list[Action] = []
    able = r.card.skills
    if r.held is not None:
        home = r.goal.home(r.held)
        places = (r.at, *r.goal.platforms, *([home] if r.look("holder", home) else []))  # or a caddy
        here = [p for p in places if isinstance(p, str) and r.furniture_of(p) == r.at]
        found += [Action("place", (r.held, p)) for p in dict.fromkeys(here) if not r.shut(p)]
    elif "pick" in able:
        for fact in r.belief.facts("where"):
            thing, spot = fact.args[0], r.spot(fact.args[0])
            if fact.value is UNKNOWN or not r.in_view(thing) or spot is None:
                continue
            if r.card.gap(r.pose, spot) <= r.card.reach_m:
                found.append(Action("pick", (thing,)))
        far = out_of_reach(r) if "move" in able else None
        if far is not None and shift_for(r, r.spot(far)) is not None:  # type: ignore[arg-type]
            found.append(Action("move"))
    if "open" in able and r.at is not None and r.shut(r.at):
        found.append(Action("open", (r.at,)))
    if "navigate" in able:
        doors: Any = r.look("shut_doors") if "open" in able else ()
        for place in (*sorted(r.look("all_furniture")), *sorted(doors)):  # type: ignore[call-overload]
            if place in doors or r.can_visit(r.name, place):
                found += [
                    Action("navigate", (place, s)) for s, _ in sorted(r.stands(place)) if (place, s) != (r.at, r.stand)
                ]
    if draft:
        found.append(Action(COMMUNICATE, (draft, ("all",))))
    return [*found, Action(WAIT)]


#: GBNF for a message, as long as one of DynaHMRC may be.
_DRAFTS = {"gbnf": f'root ::= "Message: " {ANY}{{1,{LENGTHS["compact"][1]}}}'}


def _options(choices: Sequence[Action], never: Sequence[str], language: Language) -> dict[str, str]:
    """GBNF for a thought and a letter; not that of what was done in vain again and again."""
    may = LETTERS[: len(choices)]
    if never:
        talk = COMMUNICATE in never
        may = [
            letter
            for letter, action in zip(LETTERS, choices)
            if language.remembered(action) not in never and not (talk and action.skill == COMMUNICATE)
        ]
    letters = " | ".join(f'"{x}"' for x in may)
    thought = f"{ANY}{{1,{LENGTHS['compact'][0]}}}"
    return {"gbnf": f'root ::= "Thought: " {thought} "\\nOption: " ({letters})'}


_SILENT = re.compile(r"\W*(?:nothing|none|silence|n/a|no (?:new )?(?:message|news)|no need)\b[^,;]{0,40}\Z", re.I)


def _read_draft(reply: str) -> str:
    """The words under the heading, or a whole reply between quotes; empty where there is nothing to say."""
    said = replies.field(reply, "message") or replies.field(reply, "content") or ""
    whole = re.fullmatch(r"\s*\"([^\"]+)\"\s*", replies.spoken(reply)) if not said else None
    said = replies.clean(whole.group(1)) if whole is not None else said
    return "" if _SILENT.match(said) else said


def _read_choice(reply: str, choices: list[Action], language: Language | None = None) -> Action | replies.Misread:
    text = replies.spoken(reply)  # letters are spelt out: without regard to case they also match their lookalikes
    if torn(text, "option"):
        return replies.Misread("it names several options; name one by its letter")
    letters = _letters(text)
    call = CALL.search(under(text, "option") or "")  # `B. pick(apple_0)`
    written = language.read(reply if call is None else call.group()) if language is not None else None
    same = [i for i, c in enumerate(choices) if isinstance(written, Action) and c[:2] == written[:2]]
    if not letters and not same:
        return replies.Misread("it names no option by its letter")
    index = LETTERS.index(letters[0]) if letters else same[0]
    if len(letters) > 1 or (same and index not in same):
        return replies.Misread("it names several options; name one by its letter")
    if index >= len(choices):
        return replies.Misread(f"there is no option {LETTERS[index]}")
    return choices[index]._replace(why=replies.thought(reply))


_LETTER = re.compile(
    r"[\W_]*(?:[Oo]ption\s)?[\W_]*([A-Z]{1,2})[\s*_`\"')\]]*(?:(?<=\s)because\b|[.,:;)(]|(?<=\s)-\s|\Z)"
)
_OTHER = re.compile(  # a second letter, or doubts
    r"[\W_]*[A-Z]{1,2}\b[\W_]*(?:(?:or|and|,|/|&)[\W_]*)?(?:[A-Z]{1,2}\b(?![a-z(])|.*\b(?:[Ww]ait,?|Hmm|Option)\s)"
)


def _letters(text: str) -> list[str]:
    """The letters that a reply settles on: behind its heading, or of the lines that begin with one."""
    said = under(text, "option") or under(text, "answer")
    lines = [line for line in (said or text).splitlines() if re.search(r"\w", line)]
    found = [m.group(1) for line in (lines[:1] if said else lines) if (m := _LETTER.match(line)) is not None]
    return [] if lines and _OTHER.match(lines[0]) else list(dict.fromkeys(found))
