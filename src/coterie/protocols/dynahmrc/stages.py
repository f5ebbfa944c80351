"""The stages: every robot describes itself, proposes a division of labour and says why it should lead; the team elects
one leader, whose proposal becomes everybody's plan; then everybody acts, and stops for discussions now and then.

An election has at most three rounds; the counts of all ties are shown in the next one; then a referee decides, who sees
them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from coterie.core.action import COMMUNICATE, UNREAD, WAIT, Action
from coterie.core.facts import Fact
from coterie.core.protocol import Prompt
from coterie.core.seeds import rng_of
from coterie.protocols.shared import sentences, words
from coterie.protocols.shared.hearing import body_in_words, introduction, named_facts
from coterie.protocols.shared.mind import LATE, SHARED_PLAN, Asking, Mind, ask, hear, out_of_reach, shift, wait_until
from coterie.protocols.shared.reading import Reading
from coterie.protocols.shared.replies import Misread, PlanReader, field, one_of, quoted, whole
from coterie.protocols.shared.templates import LENGTHS
from coterie.protocols.shared.together import listed, together

Counts = dict[str, int]  # candidate -> votes in one round


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


# -- election ----------------------------------------------------------------------------------------------------------
def elect(mind: Mind) -> Asking[None]:
    me, team = mind.me, mind.online()
    mind.elections += 1
    rounds: list[Counts] = []
    leader = team[0] if len(team) == 1 else None
    for number in range(mind.options.rounds if leader is None else 0):
        vote = yield from _vote(mind, team, rounds)
        key = f"{me.step}.{number}"
        mind.tell("vote", (me.name, key), vote, sentences.VOTE.say(number, vote))
        votes: list[str] = []
        for _ in range(1 + LATE):  # the votes arrive; that of a robot that was asked twice, or not at all, comes apart
            yield []
            mind.ears()
            votes = [v for n in team if isinstance(v := me.belief.value("vote", n, key), str)]
            if len(votes) == len(team):
                break
        counts = {n: votes.count(n) for n in team if n in votes}
        rounds.append(counts)
        best = max(counts.values(), default=0)
        first = [n for n, c in counts.items() if c == best]
        if len(first) == 1 and len(votes) == len(team):
            leader = first[0]
            break
        if len(votes) < len(team):  # a robot was busy: no second round without it
            leader = min(first, default=team[0])
            break
    if leader is None:
        leader = yield from _referee(mind, team, rounds)
    mind.leader = leader
    if me.name == leader:
        plan = _proposal(mind, leader)[0] or SHARED_PLAN
        mind.tell("leader", (), leader, sentences.LEADS.say(plan))
        mind.tell("team_plan", (), plan, f"The plan: {plan}")
    yield []
    mind.ears()


def _vote(mind: Mind, team: list[str], rounds: list[Counts]) -> Asking[str]:
    rng = rng_of(mind.me.seed, mind.me.name, "vote", mind.elections, len(rounds))
    if mind.options.random_votes and rng.random() < mind.options.random_votes:
        return rng.choice(team)
    prompt = _prompt(mind, "le", team, rounds)
    vote = yield from ask(mind, "LE", prompt, _reader(team), _held(mind, team))
    return vote if isinstance(vote, str) else mind.me.name


def _referee(mind: Mind, team: list[str], rounds: list[Counts]) -> Asking[str]:
    """One robot puts the question to a referee and tells the others."""
    counts = rounds[-1] if rounds else {}
    tied = [n for n in team if counts.get(n, 0) == max(counts.values(), default=0)]
    key = f"{mind.me.step}.referee"
    if mind.me.name == team[0]:
        prompt = _prompt(mind, "referee", tied, rounds)
        found = yield from ask(mind, "LE", prompt, _reader(tied), _held(mind, tied), "referee")
        chosen = found if isinstance(found, str) else tied[0]
        mind.tell("vote", ("referee", key), chosen, sentences.REFEREE.say(chosen))
        yield []
    else:
        yield from wait_until(lambda: _heard(mind, key))
    value = mind.me.belief.value("vote", "referee", key)
    return value if isinstance(value, str) else tied[0]


def _heard(mind: Mind, key: str) -> bool:
    mind.ears()
    return isinstance(mind.me.belief.value("vote", "referee", key), str)


def _prompt(mind: Mind, template: str, names: list[str], rounds: list[Counts]) -> Prompt:
    return mind.prompt(
        template, proposals=_proposals(mind, names), counts=_counts(rounds), candidates=", ".join(names),
        introductions=listed(mind.quotes("intro", names)),
    )  # fmt: skip


def _held(mind: Mind, names: list[str]) -> tuple[str, ...] | None:
    """A small model is held to a name; a larger one gives its reasons first, and a name alone would leave none."""
    return tuple(names) if mind.options.style == "compact" else None


def _reader(names: list[str]) -> Callable[[str], str | Misread]:
    return lambda reply: one_of(reply, "leader", names) or Misread("it names no candidate")


def _proposals(mind: Mind, names: list[str]) -> str:
    return listed(together([(n, quoted(" ".join(_proposal(mind, n)))) for n in names], len(names)))


def _proposal(mind: Mind, name: str) -> tuple[str, str]:
    """Plan and speech of a candidate; two empty texts for one that said something else."""
    said = mind.said("proposal", name)
    good = isinstance(said, tuple) and len(said) == 2 and all(isinstance(s, str) for s in said)
    return said if good else ("", "")


def _counts(rounds: list[Counts]) -> str:
    """The votes of every round so far, all of them ties."""
    shown = [f"Round {i}: {', '.join(f'{n} {c}' for n, c in counts.items())}" for i, counts in enumerate(rounds, 1)]
    return f"{'; '.join(shown)}." if shown else ""


# -- acting and reflecting ---------------------------------------------------------------------------------------------
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
    if mind.options.conversation and mind.options.memory:  # who remembers nothing has no conversation
        prompt = mind.conversation.ask(prompt, mind.memory, len(me.heartbeat))
    others = [n for n in r.online if n != me.name]
    held = action_grammar(r, mind.options.style, mind.memory.stuck())

    def read(reply: str) -> Action | Misread:
        found = me.language.read(reply, others)
        mind.conversation.answered(reply, not isinstance(found, Misread))
        return found

    found = yield from ask(mind, "HMRC", prompt, read, held)
    if isinstance(found, Misread):
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
        plan = found if isinstance(found, str) else mind.plan() or SHARED_PLAN  # newcomers have not heard it
        mind.tell("leader", (), me.name, sentences.LEADS.say(plan))
        mind.tell("team_plan", (), plan, f"The plan: {plan}")
        yield []


def _read_report(reply: str) -> str | Misread:
    summary, plan = field(reply, "summary"), field(reply, "plan") or field(reply, "next")
    return whole(reply) if summary is None else " ".join(p for p in (summary, plan) if p)
