"""Stages 1 and 2: every robot describes itself, then proposes a division of labour and says why it should lead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from coterie.core.action import COMMUNICATE, UNREAD, WAIT, Action
from coterie.core.facts import Fact
from coterie.protocols.dynahmrc.elect import elect
from coterie.protocols.shared import replies, sentences, words
from coterie.protocols.shared.hearing import body_in_words, introduction, named_facts
from coterie.protocols.shared.mind import LATE, SHARED_PLAN, Asking, Mind, ask, hear
from coterie.protocols.shared.reading import Reading
from coterie.protocols.shared.replies import Misread, PlanReader, field, whole
from coterie.protocols.shared.shift import out_of_reach, shift
from coterie.protocols.shared.templates import LENGTHS
from coterie.protocols.shared.together import listed


def introduce(mind: Mind) -> Asking[None]:
    told = yield from ask(mind, "SD", mind.prompt("sd"), read_introduction)
    text, facts = introduction(mind.reading())  # the card, and what is in sight
    facts = facts if mind.options.share else []
    said = told if isinstance(told, str) else text  # what cannot be read is not passed on
    me = mind.me
    facts.append(Fact("intro", (me.name,), said, me.time, me.name))
    me.belief.tell(facts[-1])
    said += body_in_words(mind.reading()) if mind.options.share else ""
    me.say(sentences.INTRODUCTION.say(said), facts=facts)
    mind.introduced = True
    yield from hear(mind, "intro")


def read_introduction(reply: str) -> str | Misread:
    return field(reply, "content") or whole(reply)


def propose(mind: Mind, anew: bool = False) -> Asking[None]:
    """At the beginning; `anew` once the leader is gone: what was reported and found since then counts, too."""
    values = {"introductions": introductions(mind), "reports": "", "searched_since": "", "found_since": ""}
    if anew:
        reports = listed(mind.quotes("report", [n for n in mind.online() if mind.said("report", n)]))
        r = mind.reading()
        values["reports"] = reports
        if mind.options.style != "paper":
            values["searched_since"] = words.searched(r, True)
            values["found_since"] = words.found(r, mind.memory, mind.options.style == "full")
    prompt = mind.prompt("talb", False, **values)
    read = PlanReader(mind.online())
    found = yield from ask(mind, "TALB", prompt, lambda reply: _read(reply, read))
    plan, speech = found if isinstance(found, tuple) else (SHARED_PLAN, "")
    said = sentences.PLAN_WITH_SPEECH.say(plan, speech) if speech else sentences.PLAN.say(plan)
    mind.tell("proposal", (mind.me.name,), (plan, speech), said)
    yield from hear(mind, "proposal", anew)


def introductions(mind: Mind) -> str:
    """The introductions of all robots, quoted."""
    return listed(mind.quotes("intro", mind.online()))


def _read(reply: str, read: PlanReader) -> tuple[str, str] | Misread:
    plan = read(reply)
    return plan if isinstance(plan, Misread) else (plan, field(reply, "speech") or "")


#: The form of a reply for servers that hold replies to a schema and know no grammars.
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"thought": {"type": "string"}, "action": {"type": "string"}},
    "required": ["thought", "action"],
    "additionalProperties": False,
}


def act(mind: Mind) -> Asking[Action]:
    me, r = mind.me, mind.reading()
    prompt = mind.prompt("hmrc")
    others = [n for n in r.online if n != me.name]
    held = action_grammar(r, mind.options.style, mind.memory.stuck())
    found = yield from ask(mind, "HMRC", prompt, lambda reply: me.language.read(reply, others), held)
    if isinstance(found, replies.Misread):
        return Action(WAIT, (), f"unreadable reply: {found.reason}", origin=UNREAD)
    if found.skill == "move" and "move" in r.card.skills:
        return (yield from shift(mind, r, found))
    if found.skill == COMMUNICATE and mind.options.share:
        return found._replace(facts=tuple(named_facts(r, str(found.args[0]))))
    return found


def action_grammar(r: Reading, style: str = "compact", never: Iterable[str] = ()) -> dict[str, Any]:
    """GBNF for `Thought: ...` and `Action: skill(names)`, and for large models a schema in its stead. `never`: what is
    done in vain again and again cannot be said once more. Nor can a robot move closer where nothing is out of reach: it
    would only wait, and say the same again."""
    thought, words = LENGTHS[style]
    able = [s for s in r.card.skills if s != "move" or out_of_reach(r) is not None]
    grammar = r.me.language.grammar(r.me, able, thought, words, never)
    return grammar if style == "compact" else {**grammar, "schema": SCHEMA}


def discuss(mind: Mind) -> Asking[None]:
    mind.discussed = mind.me.step
    yield from _report(mind)
    if mind.options.leader and mind.options.reelect and mind.leader is not None and mind.leader not in mind.online():
        yield from propose(mind, anew=True)
        yield from elect(mind)
    else:
        yield from lead(mind)


def _report(mind: Mind) -> Asking[None]:
    """Everybody says what it did and knows; who does not, is missed."""
    me = mind.me
    report = yield from ask(mind, "GD", mind.prompt("gd", long=True), _read_report)
    if isinstance(report, str):  # what cannot be read is not passed on
        grounds = named_facts(mind.reading(), report) if mind.options.share else []
        mind.tell("report", (me.name,), report, sentences.REPORT.say(report), grounds)
    elif me.pulse is not None:  # but that it is here
        mind.tell("report", (me.name,), "", sentences.REPORT.say(f"{me.name} is here."))
    yield []  # the reports arrive
    mind.ears()
    for _ in range(LATE if me.pulse is not None else 0):  # those that come late, or that nobody sends any more
        if all(_reported(mind, n) for n in mind.online()):
            break
        yield []
        mind.ears()
    mind.miss(n for n in mind.online() if n != me.name and not _reported(mind, n))


def _reported(mind: Mind, name: str) -> bool:
    """There is a word of it since this discussion began, if only that it has nothing to say."""
    return name == mind.me.name or mind.fresh("report", name)


def lead(mind: Mind) -> Asking[None]:
    """The leader writes the new plan; the others wait for it. What cannot be read leaves the plan as it is."""
    me = mind.me
    if mind.options.leader and mind.leader == me.name:
        reports = listed(mind.quotes("report", mind.online(), otherwise="intro"))
        found = yield from ask(mind, "LP", mind.prompt("lp", long=True, reports=reports), PlanReader(mind.online()))
        plan = (
            found if isinstance(found, str) else mind.plan() or SHARED_PLAN
        )  # told again: a newcomer has not heard it
        mind.tell("leader", (), me.name, sentences.LEADS.say(plan))
        mind.tell("team_plan", (), plan, f"The plan: {plan}")
        yield []


def _read_report(reply: str) -> str | Misread:
    summary, plan = field(reply, "summary"), field(reply, "plan") or field(reply, "next")
    return whole(reply) if summary is None else " ".join(p for p in (summary, plan) if p)
