"""Earlier rounds from states like this one, offered round by round where no whole task can be used again.

Any protocol may come after: what a transition decides need not be thought out, and what none decides the protocol does.
A transition is offered once in a state, passes the same checks as a plan, and may be put together with others from what
was done to single things.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Any

from coterie.core.action import MEMO as FROM_MEMO
from coterie.core.action import WAIT, Action
from coterie.core.bounds import load_json
from coterie.core.event import Event
from coterie.core.protocol import Ask, TeamView
from coterie.core.record import read
from coterie.core.records import AskEvent
from coterie.core.seeds import rng_of
from coterie.memo import Case, Memo, MemoSettings, Plan, Round, Situation, Store, Transition, draft
from coterie.memo.before.cases import MEMO
from coterie.memo.before.clearance import probe_of
from coterie.memo.case import displacement
from coterie.memo.file.transitions import TASK, Followed, Trial
from coterie.memo.geometry import carry_over
from coterie.memo.legs import Ends, Leg
from coterie.memo.transitions import WHOLE, alike, plain

KEY = "deeds"  # of requests
PATIENCE = 3  # rounds in which nothing changes, after which it can be said that a transition led into a dead end
GONE = -2  # the number of the next round of a beginning that another has left
MOST_ROUNDS, MOST_EACH, MOST_CHECKS = 4, 2, 12  # whole rounds and transitions for each thing that are looked at; checks


# -- at the desk ------------------------------------------------------------------------------------------------------
def answer(memo: Memo, request: Mapping[str, Any], case: Case, episode: str, step: int) -> dict[str, Any]:
    """The answer to an episode in a round: what it is offered; or, where none of it is trusted, that the planner should
    begin anew."""
    began = request[KEY].get(ANEW)
    transitions = found(memo.store, request, case, memo.settings, episode) if began != ALONE else []
    may = transitions if began else trusted(memo.store, transitions, case, episode, step)
    return {KEY: told(may), **({ANEW: True} if transitions and not may else {})}


def found(store: Store, request: Mapping[str, Any], case: Case, settings: MemoSettings, but: str) -> list[Transition]:
    """Candidates for the answer to a request, best first; only as many as will be tried."""
    asked = request[KEY]
    if settings.reuse == "prefixes":
        number, following = asked["number"], asked["following"]
        rounds = store.transitions(case, WHOLE, asked["whole"], (but,))
        rounds = [d for d in rounds if d.number == number and following in (d.episode, "") and not d.won]
        return sorted(rounds, key=lambda d: (-d.left, displacement(d.case, case), d.episode))[:MOST_ROUNDS]
    rounds = store.onward(case, asked["whole"], (but,))
    rounds.sort(key=lambda d: (displacement(d.case, case), d.episode))
    transitions = _unlike(rounds, MOST_ROUNDS)
    if settings.reuse == "things":
        for thing, state in sorted(asked["things"].items()):
            mine = store.transitions(case, thing, state, (but,))
            mine.sort(key=lambda d: (d.case.content != case.content, not d.won, -d.left, _moved(d, case), d.episode))
            transitions += _unlike(mine, MOST_EACH)
    return transitions


def _unlike(transitions: Sequence[Transition], most: int) -> list[Transition]:
    """The first of those that say the same."""
    first: dict[str, Transition] = {}
    for transition in transitions:
        first.setdefault(transition.words(), transition)
    return list(first.values())[:most]


def _moved(transition: Transition, case: Case) -> float:
    then, now = transition.case.pose(transition.thing), case.pose(transition.thing)
    return 0.0 if then is None or now is None else float(sum((a - b) ** 2 for a, b in zip(then[:2], now[:2])))


def told(transitions: Sequence[Transition]) -> list[dict[str, Any]]:
    return [
        {**d._asdict(), "case": d.case.to_json(), "step": Plan((d.step,)).to_json()[0], "state": ""}
        for d in transitions
    ]


def heard(rows: Any) -> list[Transition]:
    return [
        Transition(**{**r, "case": Case.from_json(r["case"]), "step": Plan.from_json([r["step"]]).steps[0]})
        for r in rows
    ]


# -- in the mind ------------------------------------------------------------------------------------------------------
class Offers:
    """Asks the desk in every round, and plays what it offers."""

    def __init__(self, settings: MemoSettings):
        self.settings = settings
        self.following = ""  # the episode whose beginning is played
        self.number = 0  # rounds of it that were
        self._used: set[tuple[str, str]] = set()  # states, and what was done in them in this episode
        self._broken = False
        self._first: Situation | None = None
        self._seen: Situation | None = None  # when a round was decided last
        self._left: dict[str, set[str]] = {}  # of each thing, states out of which a robot has brought it
        self._led: dict[tuple[str, str, tuple[Any, ...]], str] = {}  # what was done, and its thing's state then
        self._anew = Anew()

    def see(self, now: Situation | None, team: TeamView) -> None:
        """Note what robots have done to things in the last round."""
        before, self._seen = self._seen, now
        for done in (v.outcome for v in team.robots.values() if v.outcome is not None and v.outcome.ok):
            thing = done.action.args[0] if done.action.args else ""
            if before and now and thing in now.things and not alike(now.things[thing], before.things.get(thing)):
                self._left.setdefault(thing, set()).add(plain(before.things.get(thing, "")))
                self._led[done.robot, done.action.skill, done.action.args] = plain(now.things[thing])

    def _undoes(self, transition: Transition) -> bool:
        """True if it would bring a thing back to a state out of which a robot has brought it in this episode."""
        return any(
            ((transition.thing and transition.after) or self._led.get((robot, act.skill, act.args)))
            in self._left.get(act.args[0], ())
            for robot, act in transition.step.items()
            if act.args
        )

    def decide(self, recall: Any, team: TeamView, idle: Sequence[str]) -> Any:
        """A joint action, or nothing: then it is the protocol's turn."""
        now, case = recall.situation(team), recall.case(team)
        if now is None or case is None or len(idle) < len(team.robots):
            return {}
        solids, bodies = recall.solids(team), recall.bodies(team)
        asked = {"whole": now.whole, "things": dict(now.things), "number": self.number, "following": self.following}
        if self._broken:
            asked["number"] = GONE
        request = {"case": case.to_json(), KEY: {**asked, **self._anew.told(now)}}
        replies = yield [Ask(MEMO, MEMO, team.step, 0, ((MEMO, json.dumps(request, sort_keys=True)),))]
        told = load_json(replies[0].text)
        if told.get(ANEW):
            team.notes.append(self._anew.begin(now))
        transitions = heard(told.get(KEY, ()))
        probe, hands = probe_of(case, solids, bodies), recall.hands(team)
        self._first = self._first or now
        turn = (WHOLE, *self._in_turn(transitions, now, case.content))
        transitions = [d for d in transitions if d.thing in turn and not self._undoes(d)]
        for chosen in islice(self._joints(transitions, now.whole, case.content), MOST_CHECKS):
            joint = {r: Action(WAIT, why="remembered", origin=FROM_MEMO) for r in idle}
            for d in chosen:
                plan = draft(d.case, Plan((d.step,)), case, self.settings, probe, _ends(d, case, hands))
                joint |= recall.acts(plan, 0)
            if not set(joint) <= set(idle) or next(iter(team.check(joint).values())).ok is False:
                continue
            self._used.add((now.whole, _words(chosen)))
            self._follow(chosen)
            used = [[d.episode, d.round, d.thing, d.after] for d in chosen]
            team.notes.append({"deed": used, "episode": chosen[0].episode, "why": _told(chosen)})
            return joint
        self._broken = self._broken or self.settings.reuse == "prefixes"
        return {}

    def _follow(self, chosen: Sequence[Transition]) -> None:
        if self.settings.reuse == "prefixes":
            self.following, self.number = chosen[0].episode, self.number + 1

    def _in_turn(self, transitions: Sequence[Transition], now: Situation, goal: str) -> list[str]:
        """Things that may be taken now. A hand that takes what comes later may block what comes first: where nobody
        knows what to do with a thing that the goal names earlier, and nothing was done with it yet, the rest waits."""
        assert self._first is not None
        known, first = {d.thing for d in transitions}, self._first.things
        named = sorted((t for t in now.things if t in goal), key=goal.rfind)
        new = [t for t in named if t not in known and plain(first.get(t, "")) == plain(now.things[t])]
        return named[: named.index(new[0])] if new else list(now.things)

    def _joints(self, transitions: Sequence[Transition], state: str, goal: str) -> Iterator[tuple[Transition, ...]]:
        """Whole rounds, then what can be put together: the more robots it keeps at work the better, and things that the
        goal names first come first."""
        new = [(d,) for d in transitions if d.thing == WHOLE]
        single = [d for d in transitions if d.thing != WHOLE]
        order = {
            id(d): n for n, d in enumerate(sorted(single, key=lambda d: (goal.rfind(d.thing), not d.won, -d.left)))
        }
        joined = [c for size in (1, 2, 3) for c in combinations(single, size) if _fit(c)]
        joined.sort(key=lambda c: (-sum(len(d.step) for d in c), sum(order[id(d)] for d in c)))
        for chosen in (*new, *joined):
            if (state, _words(chosen)) not in self._used:
                yield chosen


def _fit(transitions: Sequence[Transition]) -> bool:
    """Other things, other robots, other targets."""
    robots = [r for d in transitions for r in d.step]
    targets = [a.args[1] for d in transitions for a in d.step.values() if len(a.args) > 1]
    distinct = [(len(x), len(set(x))) for x in ([d.thing for d in transitions], robots, targets)]
    return all(count == different for count, different in distinct)


def _words(transitions: Sequence[Transition]) -> str:
    return "; ".join(sorted(d.words() for d in transitions))


def _told(transitions: Sequence[Transition]) -> str:
    where = "in this state" if transitions[0].thing == WHOLE else "with things where they are"
    return f"This was done before {where} (episode {transitions[0].episode}): {_words(transitions)}."


def _ends(transition: Transition, case: Case, hands: Mapping[str, Sequence[float]]) -> Ends:
    """Where a hand starts now is where it is; it ends where what it goes to has come to lie."""

    def ends(leg: Leg) -> tuple[Sequence[float], Sequence[float]] | None:
        motions = transition.step[leg.robot].motions
        if leg.number or leg.robot not in hands or not len(motions[0].ee):
            return None
        then, now = transition.case.pose(leg.toward), case.pose(leg.toward)
        x, y, z = motions[0].ee[-1]
        return hands[leg.robot], carry_over((x, y, z), None if then is None or now is None else (then, now))

    return ends


# -- in the log -------------------------------------------------------------------------------------------------------
def tried(events: Sequence[Event], asked: Mapping[int, tuple[Situation, Case]], won: bool) -> list[Trial]:
    """The reuses of an episode, and whether they went as before: a round led to the same state, a task to its goal.
    What was used last must not lead into a dead end."""
    failed = {e.step for e in events if e.kind == "outcome" and e.data.get("status") != "done"}
    last = max((e.step for e in events if e.kind == MEMO and e.data.get("deed")), default=-1)
    if not won and _stuck(asked, last):
        failed.add(last)
    out: list[Trial] = []
    for event in events:
        if event.kind != MEMO:
            continue
        for whose, number, thing, after in event.data.get("deed", ()):
            now = asked.get(event.step + 1)
            same = thing != WHOLE or not after or now is None or now[0].whole == after
            out.append((whose, number, thing, event.step not in failed and same))
        if event.data.get("found") and "episode" in event.data:
            out.append((event.data["episode"], TASK, WHOLE, won and not _gave_up(events)))
    return out


def _stuck(asked: Mapping[int, tuple[Situation, Case]], last: int) -> bool:
    """True if nothing that was done after this round, or could not be done, changed how things stand."""
    states = [now.whole for step, (now, _) in asked.items() if step > last]
    return len(states) >= PATIENCE and len(set(states)) == 1


def _gave_up(events: Sequence[Event]) -> bool:
    return any(e.kind == MEMO and e.data.get("failed") is not None for e in events)


def asked_about(events: Sequence[Event]) -> dict[int, tuple[Situation, Case]]:
    """Step -> how things stood when a round was decided, from the requests of a log."""
    out: dict[int, tuple[Situation, Case]] = {}
    for event in events:
        ask = read(AskEvent, event) if event.kind == "ask" and event.who == MEMO else None
        request = load_json(ask.prompt[0][1]) if ask is not None else {}
        if KEY in request:
            state = Situation(request[KEY]["whole"], request[KEY]["things"])
            out[event.step] = (state, Case.from_json(request["case"]))
    return out


# -- giving way -------------------------------------------------------------------------------------------------------
# Giving way: a planner that always goes on from the same beginning is never lucky with a better one.
# What was followed in vain, again and again, is left to the planner now and then. Half of the episodes follow it all
# the same; the others leave one round of it out, drawn from the episode's name, or rather do what else is known there.
# Where nothing else is, the planner begins anew there: the memo is silent until a thing is no longer as it was, but
# for a few rounds at most. What is found so is known from then on, and the shorter way is the one that is followed.
ANEW = "anew"  # in answers: the planner should begin anew; in requests: it has
ALONE, OVER = "alone", "over"  # and is left alone, or was
LOYAL = 0.5  # of the episodes, which follow whatever failed
ROUNDS = 3  # in which a planner that begins anew is left alone


def trusted(store: Store, transitions: Sequence[Transition], case: Case, episode: str, step: int) -> list[Transition]:
    """The transitions that may be followed in this round of an episode. A transition that itself gained something is
    not to blame."""
    bad = [d for d in transitions if d.partial <= d.had + 1e-9 and store.in_vain(case, d, episode)]
    if not bad or not _draws(episode, step, 1 + max(d.left for d in bad)):
        return list(transitions)
    return [d for d in transitions if all(d is not b for b in bad)]


def _draws(episode: str, step: int, rounds: int) -> bool:
    """True if this is the round that is left out; each of those to come is as likely."""
    if rng_of(episode, "loyal").random() < LOYAL:
        return False
    return rng_of(episode, "anew", step).random() * rounds < 1


class Anew:
    """Once in an episode, a planner that is left alone for a while."""

    def __init__(self) -> None:
        self._since: Situation | None = None
        self._left = 0  # rounds

    def begin(self, now: Situation) -> dict[str, Any]:
        """A note for the log."""
        self._since, self._left = now, ROUNDS
        return {ANEW: True, "why": "What is known here was followed in vain: the planner begins anew."}

    def told(self, now: Situation) -> dict[str, str]:
        """For the request of a round."""
        if self._since is None:
            return {}
        same = all(alike(state, self._since.things.get(thing)) for thing, state in now.things.items())
        self._left = self._left - 1 if same else 0
        return {ANEW: ALONE if self._left > 0 else OVER}


def followed(events: Sequence[Event], rounds: Sequence[tuple[int, Round]], won: bool) -> list[Followed]:
    """The advice that was followed, and whether that was worth it: the goal was reached, or something was gained after
    all that the memo knew had been done."""
    used: list[tuple[int, Any]] = [(e.step, e.data["deed"]) for e in events if e.kind == MEMO and e.data.get("deed")]
    last = max((step for step, _ in used), default=-1)
    led = max((r.partial for n, r in rounds if n <= last), default=0.0)
    gained = any(r.partial > led + 1e-9 for _, r in rounds)
    return [(whose, number, thing, won or gained) for _, rows in used for whose, number, thing, _ in rows]
