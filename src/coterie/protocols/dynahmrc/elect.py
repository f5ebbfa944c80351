"""Stage 3: the team elects one leader, whose proposal becomes everybody's plan.

At most three rounds; the counts of all ties are shown in the next one; then a referee decides, who sees them all.
"""

from __future__ import annotations

from collections.abc import Callable

from coterie.core.protocol import Prompt
from coterie.core.seeds import rng_of
from coterie.protocols.shared import sentences
from coterie.protocols.shared.mind import LATE, SHARED_PLAN, Asking, Mind, ask, wait_until
from coterie.protocols.shared.replies import Misread, one_of, quoted
from coterie.protocols.shared.together import listed, together

Counts = dict[str, int]  # candidate -> votes in one round


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
