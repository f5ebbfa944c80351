"""Decide what robots do next: options continue, the chain of each party is asked, guard rails may refuse once.

A chain is asked link by link. Each link may decide for a robot, ask a model first, or pass it on to the next; minds of
one link run in lock step, so that the requests of all of them are answered together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from types import GeneratorType
from typing import Any

from coterie.core.action import STAGE, WAIT, Action, Message, Outcome, Verdict
from coterie.core.bounds import brief
from coterie.core.errors import CoterieError
from coterie.core.facts import Fact
from coterie.core.protocol import Ask, Decision, Option, Reply, RobotView, TeamProtocol, TeamView, sound_reply
from coterie.core.seeds import seed_of
from coterie.core.world import World
from coterie.episode.agent import Agent, Side
from coterie.episode.post import Post
from coterie.episode.roster import Roster
from coterie.log.file import Log

MOST_TEXT = 200_000  # characters of a reply; far beyond any true one, so that no model fills a disk

Asked = Generator[list[Ask], Sequence[Reply], Any]


class Asking:
    """Puts the requests of minds to a model: in one order, with seeds of their own, never twice for one reply."""

    def __init__(self, log: Log, seed: int):
        self.log, self.seed = log, seed
        self._asked: dict[tuple[str, str, int, int], int] = {}

    def seeded(self, ask: Ask) -> Ask:
        """A seed from who asks, when and how often; asynchronous robots may ask several times within one step."""
        key = (ask.robot, ask.stage, ask.step, ask.attempt)
        again = self._asked.get(key, 0)
        self._asked[key] = again + 1
        seed = seed_of(self.seed, *key, *([again] if again else []))
        return Ask(*key, ask.prompt, ask.choices, seed)

    def answer(self, asks: list[Ask]) -> Generator[list[Ask], Sequence[Reply], list[Reply]]:
        """The replies, from the log as far as it goes and from the model beyond it; both end up in the log."""
        if not asks:
            return []
        causes = []
        for ask in asks:
            data = {"stage": ask.stage, "attempt": ask.attempt, "prompt": ask.prompt, "seed": ask.seed}
            causes.append(self.log.add("ask", ask.robot, data))
        replies: list[Reply] = []
        while len(replies) < len(asks):
            recorded = self.log.recorded("reply")
            if recorded is None:
                break
            replies.append(_recorded(recorded))
            self._note(asks[len(replies) - 1], replies[-1], causes[len(replies) - 1])
        rest = asks[len(replies) :]
        if rest:
            self.log.show()
            fresh = yield rest
            if len(fresh) != len(rest):
                raise CoterieError(f"The model gave {len(fresh)} replies to {len(rest)} requests.")
            for ask, reply in zip(rest, map(_cut, fresh)):
                self._note(ask, reply, causes[len(replies)])
                replies.append(reply)
            self.log.flush()
        return replies

    def _note(self, ask: Ask, reply: Reply, cause: int) -> None:
        data = {k: v for k, v in reply._asdict().items() if v or k != "served"}
        self.log.add("reply", ask.robot, data, (cause,))


def _recorded(data: dict[str, Any]) -> Reply:
    try:
        return sound_reply(Reply(**data))
    except TypeError as err:
        raise CoterieError(f"The log holds a reply that is none: {err}.") from None


def _cut(reply: Reply) -> Reply:
    """A reply as it is read and kept."""
    if len(sound_reply(reply).text) <= MOST_TEXT:
        return reply
    note = f"The reply was cut: it had {len(reply.text):,} characters."
    return reply._replace(text=reply.text[:MOST_TEXT], error=f"{reply.error} {note}".lstrip())


MOST_QUIET = 32  # barriers at which minds may stand while nobody asks or says anything
MOST_ROUNDS = 2000  # of asking and talking in one decision

Guard = Callable[[RobotView, Action], Verdict]


class Deciding:
    def __init__(
        self,
        world: World,
        roster: Roster,
        post: Post,
        asking: Asking,
        log: Log,
        guard: Guard | None,
        costs: tuple[float, float],
        rewind: Callable[[Side, str], None],
    ):
        self.world, self.roster, self.post, self.asking, self.log = world, roster, post, asking, log
        self.guard, self.rewind = guard, rewind
        self.call_s, self.token_s = costs  # of thinking
        self.step = 0
        self.unheard: list[Message] = []  # words of people while no robot was there

    # -- all idle robots ------------------------------------------------------------------------------------------
    def decide(self, step: int) -> Generator[list[Ask], Sequence[Reply], dict[str, Action]]:
        """Every idle robot gets an action."""
        self.step = step
        self._left_alone()
        resting = self.roster.resting
        agents = self.roster.agents.values()
        free = [a for a in agents if a.doing is None and a.planned is None and not a.held and a.name not in resting]
        for agent in free:
            agent.think_s = 0.0
        joint: dict[str, Action] = {}
        idle = [a for a in free if a.option is None or not self._goes_on(a, joint)]
        first = True
        while idle:
            decisions = yield from self._ask(idle, first)
            again = [a for a in idle if not self._settle(a, decisions.get(a.name), joint, first)]
            idle, first = again, False
        self._talk()  # also what was said within options
        for agent in agents:
            agent.view.refusals.clear()
        return {a.name: joint[a.name] for a in free}

    def _left_alone(self) -> None:
        """A mind whose robots are all gone is asked for nothing any more; it may still have something to say."""
        said, self.unheard = self.unheard, []
        for side in self.roster.sides:
            mind = side.protocol.shared
            if mind is not None and not any(a.side is side for a in self.roster):
                for note in mind.alone(self.world.now, said):
                    self.log.add("mission", data=dict(note))

    def speaks_alone(self) -> bool:
        """Return whether no robot is present, but a protocol has something to say to that."""
        minds = [s.protocol.shared for s in self.roster.sides]
        return not self.roster.agents and any(type(m).alone is not TeamProtocol.alone for m in minds if m is not None)

    def _settle(self, agent: Agent, decision: Decision | None, joint: dict[str, Action], first: bool) -> bool:
        """Make an action of a decision; False where it was refused and the mind is to think again."""
        name = agent.name
        if decision is None:
            decision = Action(WAIT, why="no decision")
        if type(decision) is not Action:
            if isinstance(decision, Option):
                return self._begin(agent, decision, joint, first)
            if not isinstance(decision, Action):
                raise CoterieError(f"The protocol returned {decision!r} for {name}; return an Action or an Option.")
        decision = settled(decision)
        if self.guard is None or self._refuses(agent, decision, again=first) is None:
            joint[name] = decision
        elif first:
            return False  # with its messages: it decides anew
        else:
            joint[name] = Action(WAIT, why="refused twice")
        if agent.read:
            self._take_inbox(agent)
        else:
            agent.heard = 0
        return True

    def _begin(self, agent: Agent, option: Option, joint: dict[str, Action], first: bool) -> bool:
        refused = len(agent.view.refusals)
        agent.option = option
        self.log.add("option", agent.name, {"name": option.name, "state": "begun"})
        inbox = self._take_inbox(agent)
        if self._goes_on(agent, joint, again=first):
            return True
        if first and len(agent.view.refusals) > refused:
            agent.view.inbox[:0] = inbox
            return False
        joint[agent.name] = Action(WAIT, why=f"{option.name} ended at once")
        return True

    @staticmethod
    def _take_inbox(agent: Agent) -> list[Message]:
        """The messages that a robot had when it decided; what came since stays for the next decision."""
        inbox, read = agent.view.inbox, agent.read
        if not read:
            agent.heard = 0
            return []
        agent.stirred = max(0, agent.stirred - read)
        agent.read = agent.heard = 0
        taken = inbox[:read]
        del inbox[:read]
        return taken

    def _refuses(self, agent: Agent, action: Action, again: bool) -> str | None:
        """Why guard rails refuse an action, if they do."""
        view = agent.view
        verdict = self.guard(view, action) if self.guard else None
        if verdict is None or verdict.ok is not False:
            return None
        told: dict[str, Any] = {"action": as_json(action), "reason": verdict.reason, "again": again}
        if verdict.cause is not None:
            told["cause"] = verdict.cause
        self.log.add("refused", agent.name, told)
        view.outcome = Outcome(agent.name, action, "refused", verdict.reason, self.world.now, cause=verdict.cause)
        view.refusals.append((action, verdict.reason))
        return verdict.reason

    def _goes_on(self, agent: Agent, joint: dict[str, Action], again: bool = True) -> bool:
        """Take the next step of an option, unless it has ended or something interrupts it."""
        option, view = agent.option, agent.view
        if option is None:
            return False
        why = option.interrupted(view)
        action = None if why is not None else option.step(view)
        if action is not None:
            action = settled(action)
            why = self._refuses(agent, action, again)
        if action is None or why is not None:
            agent.option = None
            state = "interrupted" if why else "ended"
            self.log.add("option", agent.name, {"name": option.name, "state": state, "why": why})
            return False
        joint[agent.name] = action
        return True

    # -- the chain ------------------------------------------------------------------------------------------------
    def _ask(self, idle: Sequence[Agent], first: bool) -> Generator[list[Ask], Sequence[Reply], dict[str, Decision]]:
        """Return the decisions of the chains. Links before the protocol are asked once; one that is still searching is
        asked again after it."""
        decisions: dict[str, Decision] = {}
        if first:
            yield from self._ask_before(idle, decisions)
        asked = {s.name: [a.name for a in idle if a.side is s and a.name not in decisions] for s in self.roster.sides}
        minds = [m for s in self.roster.sides for m in s.protocol.minds(asked[s.name]).values()]
        running = [self._deciding(mind, names) for mind, names in minds]
        decisions.update((yield from self._run(running)))
        self._keep_notes(running)
        if first:
            pending = [link for s in self.roster.sides for link in s.before if link.shared and link.shared.pending]
            if pending:
                yield from self._ask_before(idle, decisions, anew=True)
        return decisions

    def _ask_before(self, idle: Sequence[Agent], decisions: dict[str, Decision], anew: bool = False) -> Asked:
        """Ask the memos, party by party, before any protocol; with `anew`, also for robots that have decided."""
        for side in self.roster.sides:
            for link in side.before:
                names = [a.name for a in idle if a.side is side and (anew or a.name not in decisions)]
                for mind, mine in link.minds(names).values() if names else ():
                    team, generator = self._deciding(mind, mine)[1:3]
                    decisions.update((yield from self._run([(mind, team, generator, mine)])))
                    self._take_notes(side, team, mine)
        return None

    def _take_notes(self, side: Side, team: TeamView, names: Sequence[str]) -> None:
        """Keep the notes of a link about its search: in the log, and in words for the robots it decides for."""
        for note in team.notes:
            self.log.add("memo", data=dict(note))
        if team.rewound:
            self.rewind(side, team.rewound)
        now = self.world.now
        for note in team.notes:
            if note.get("words"):
                facts = tuple(Fact(p, tuple(a), v, now, "memo") for p, a, v in note.get("facts", ()))
                self.post.deliver(Message("memo", tuple(names), str(note["words"]), facts, now, via=STAGE))

    def _keep_notes(self, running: Sequence[Running]) -> None:
        """Write the notes of protocols about their decisions to the log."""
        for _, team, _, _ in running:
            for note in team.notes:
                self.log.add("mission", data=dict(note))

    def _deciding(self, mind: TeamProtocol, names: list[str]) -> Running:
        team = self._team_view(mind, names)
        given = mind.decide(team, names)
        return mind, team, given if type(given) is GeneratorType else _thinking(mind, given), names

    def _team_view(self, mind: TeamProtocol, names: Sequence[str]) -> TeamView:
        agent = self.roster.agents[names[0]]
        robots: Mapping[str, RobotView]
        robots = {agent.name: agent.view} if mind.sees == "own" else self.roster.in_contact(agent.side)
        return self.roster.view_of(robots, self.step, truth=mind.sees == "truth")

    def _run(self, running: Sequence[Running]) -> Generator[list[Ask], Sequence[Reply], dict[str, Decision]]:
        """Run the generators of minds in lock step, answering their requests together.

        Every wait ends: where nobody asks, speaks or has words in the air any more, those who still wait for others
        are not waited for.
        """
        going = dict(enumerate(running))
        quiet = rounds = 0
        decisions: dict[str, Decision] = {}
        replies: dict[int, list[Reply] | None] = dict.fromkeys(going)
        while going:
            batch: list[tuple[int, Ask]] = []
            for key in list(going):
                asks = self._advance(going[key], replies[key], decisions)
                if asks is None:
                    del going[key]
                    continue
                batch += [(key, ask) for ask in asks]
                replies[key] = []
            talk = self._talk()
            rounds, quiet = rounds + 1, 0 if batch or talk else quiet + 1
            if quiet > MOST_QUIET or rounds > MOST_ROUNDS:
                for _, _, generator, names in going.values():
                    generator.close()
                    why = "waited for others in vain" if quiet > MOST_QUIET else "talked without an end"
                    decisions.update({n: Action(WAIT, why=why) for n in names})
                return decisions
            if not batch:
                continue
            answers = yield from self.asking.answer([a for _, a in batch])
            for (key, ask), reply in zip(batch, answers):
                if key in going:
                    replies[key].append(reply)  # type: ignore[union-attr]
                    self._charge(going[key], ask, reply)
        return decisions

    def _advance(
        self, one: Running, answers: list[Reply] | None, decisions: dict[str, Decision]
    ) -> Sequence[Ask] | None:
        """Hand a generator its answers. Return its next requests, none at a barrier; None where it has decided."""
        mind, _, generator, names = one
        try:
            asks = next(generator) if answers is None else generator.send(answers)
        except StopIteration as end:
            decided = end.value if type(end.value) is dict else _decided(mind, end.value)
            decisions.update({n: decision for n, decision in decided.items() if n in names})
            if mind.thinks:
                for agent in map(self.roster.agents.__getitem__, names):
                    agent.read = agent.heard = len(agent.view.inbox)
            return None
        if type(asks) is list and not asks:
            return ()
        return [self.asking.seeded(ask) for ask in _asked(mind, asks)]

    def _charge(self, one: Running, ask: Ask, reply: Reply) -> None:
        """Count the simulated time of a request for the robot that asked, or for all where it is in nobody's name."""
        mind, _, _, names = one
        if mind.thinks:
            agents = self.roster.agents
            for n in [ask.robot] if ask.robot in agents else names:
                agents[n].think_s += self.call_s + self.token_s * reply.tokens_out

    def _talk(self) -> bool:
        """Hand over what was said; those who answer at once are heard at once. Whether anything was said."""
        talk = self.post.deliver_stage_talk()
        resting, some = self.roster.resting, False
        for agent in self.roster.agents.values():
            inbox, known = agent.view.inbox, agent.stirred
            if len(inbox) == known:
                continue
            agent.stirred = len(inbox)
            mind = agent.side.protocol.mind(agent.name)
            hears = type(mind).hear is not TeamProtocol.hear and mind.sees == "own"
            if hears and not agent.held and agent.name not in resting:
                mind.hear(agent.view, inbox[known:])
                some = True
        return (some and self.post.deliver_stage_talk()) or talk

    # -- those who act --------------------------------------------------------------------------------------------
    def between(self, step: int) -> Generator[list[Ask], Sequence[Reply], dict[str, Action]]:
        """Ask minds whose robots have heard something new while they act: what these do instead, if anything."""
        self.step = step
        stirred: list[Running] = []
        for side in self.roster.sides:
            acting = [a for a in self.roster if a.side is side and a.busy and not a.held]
            shared = side.protocol.shared
            wakes = shared is not None and shared.wakes <= self.world.now + 1e-9
            names = [a.name for a in acting if wakes or len(a.view.inbox) > a.heard]
            for mind, mine in side.protocol.minds(names).values():
                if type(mind).between is not TeamProtocol.between:
                    team = self._team_view(mind, mine)
                    stirred.append((mind, team, _thinking(mind, mind.between(team, mine)), mine))
        for name in [n for _, _, _, mine in stirred for n in mine]:
            self.roster.agents[name].heard = len(self.roster.agents[name].view.inbox)
        if not stirred:
            return {}
        decided = yield from self._run(stirred)
        self._keep_notes(stirred)
        self.post.deliver_stage_talk()
        return {n: settled(d) for n, d in decided.items() if isinstance(d, Action)}


Running = tuple[TeamProtocol, TeamView, Generator[list[Ask], Sequence[Reply], Mapping[str, Decision]], list[str]]


# -- what minds of others give back: a sentence for what nobody can use ---------------------------------------------
def _thinking(mind: TeamProtocol, given: Any) -> Any:
    if not isinstance(given, Generator):
        raise CoterieError(
            f"{type(mind).__name__} gave {brief(given)} where it should think: let it be a generator, which yields its "
            "requests to a model (or an empty list) and returns its decisions."
        )
    return given


def _asked(mind: TeamProtocol, given: Any) -> Sequence[Ask]:
    if not isinstance(given, (list, tuple)) or not all(isinstance(ask, Ask) for ask in given):
        raise CoterieError(f"{type(mind).__name__} yielded {brief(given)}; yield a list of requests (Ask).")
    return given


def _decided(mind: TeamProtocol, given: Any) -> Mapping[str, Decision]:
    if given is not None and not isinstance(given, Mapping):
        raise CoterieError(f"{type(mind).__name__} returned {brief(given)}; return a decision for each robot by name.")
    return given or {}


def as_json(action: Action) -> dict[str, Any]:
    data: dict[str, Any] = {"skill": action.skill, "args": action.args}
    if action.why:
        data["why"] = action.why
    if action.path:
        data["path"] = action.path
    if action.motion is not None:
        data["motion"] = action.motion
    if action.origin:
        data["origin"] = action.origin
    return data


def settled(action: Action) -> Action:
    """Arguments become part of facts: lists from a parser become tuples, tables and numbers without end their text."""
    for arg in action.args:
        if type(arg) is not str:
            break
    else:
        return action
    frozen = tuple(_frozen(a) for a in action.args)
    return action if frozen == action.args else action._replace(args=frozen)


def _frozen(arg: Any) -> Any:
    if isinstance(arg, (list, tuple)):
        return tuple(_frozen(a) for a in arg)
    return str(arg) if isinstance(arg, dict) or (isinstance(arg, float) and not math.isfinite(arg)) else arg
