"""Teammates that negotiate: a model of each robot plans its next sub-task, one robot after the other.

Every so many steps the robots that explore stand still and negotiate anew; in between, a robot that has done its
sub-task or has seen something plans by itself, with the plans of those before it in view. It first says whether it
agrees; a robot that is objected to plans once more, with the objection in its prompt. They tell each other, and robots
that join them, everything in sentences. Sub-tasks are carried out by the sub-skills of the world.
`rule.py` answers the same prompts by rule, and may be told by the placement table what is misplaced and where that
belongs; a model says so itself (`situation.py`).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial

from coterie.core.action import WAIT, Action, Message
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.kinds import Misread
from coterie.core.protocol import Ask, Asking, Decision, Prompt, Reply, RobotView, TeamView, protocols
from coterie.protocols.heuristic import Heuristic, thing_of
from coterie.protocols.heuristic.adapter.values import EXPLORE, REPLACE, STOP, Phrase
from coterie.protocols.negotiate import rule as _answers  # noqa: F401 (the oracle learns to answer)
from coterie.protocols.negotiate.situation import ANYWHERE, SEE, said_survey, see, situation
from coterie.protocols.negotiate.talk import FreeTalk, Planned, read_plan
from coterie.protocols.shared.replies import ask_twice, clean
from coterie.protocols.shared.templates import render
from coterie.worlds.household import options as skills
from coterie.worlds.household.knowledge.graph import Survey, Thing, survey_of

LOOK_STEPS = 10  # between two looks at which rooms are explored
MOST_PLANS = 3  # sub-tasks that may turn out to be over at once, within one decision
STAGE = "NEG"
ROUND_STEPS = 20  # between two rounds in which all who explore negotiate
MOST_BAD = 5  # places that did not work, of which a model is told
HOLD_STEPS = 2  # for which they stand still then, until all have been heard
TURN = 2  # barriers: at the first a model answers, at the second the others hear what was planned
Planning = Generator[list[Ask], Sequence[Reply], None]


class Negotiate(Heuristic):
    """One robot's mind: its sub-task, and why it plans anew, if it does."""

    about = "household: one language model per robot; sub-tasks are negotiated one after the other"
    talks = FreeTalk
    prompts = "negotiate"
    replies = {STAGE: 160, SEE: 80}
    stages = {STAGE: "negotiation", SEE: "what lies astray"}
    long_replies = {STAGE: 500, SEE: 300}
    ruled = True  # unless a model decides: then it also says what is misplaced and where that belongs

    def __init__(self, style: str = "compact", adaptive: bool = False) -> None:
        super().__init__()
        self.style, self.adaptive = style, adaptive  # whether prompts speak of who joined and who is gone
        self.task: Phrase | None = None
        self.why = ""  # it plans
        self.history: list[str] = []
        self.known: set[str] = set()  # things misplaced that were thought about
        self.objected: set[tuple[str, str]] = set()  # (teammate, sub-task) that this robot has objected to
        self.planned = 0  # the step of its last plan
        self._unread: Prompt = ()  # whose answer could not be read
        self.hold = 0  # steps for which it still listens
        self._furniture = 0  # pieces that were known when a model last planned
        self._pauses = False  # it stands still until what was seen is judged
        self.heeded = -1.0  # when the objections were made that were thought about last

    # -- deciding -------------------------------------------------------------------------------------------------
    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        me = team.me
        if not self.ruled:
            going, paused, self._pauses = self.option, self._pauses, False
            yield from self._see(me)
            if paused and going is not None and going.ok is None and not self.why:
                self._seen = survey_of(me).version
                return {me.name: going}  # what was seen changes nothing
        self._open(me)
        yield []  # what the others say at the same moment is heard
        if self.hold > 0 and not self.why:
            self.hold -= 1
            return {me.name: Action(WAIT, why="we negotiate")}
        decision: Decision | None = None
        for attempt in range(MOST_PLANS):
            if self.task is None or self.why:
                yield from self._negotiate(me, first=attempt == 0)
            decision = self._carry_out(me, survey_of(me))
            if decision is not None:
                break
            self.task = None
        self.talk.task(me, str(self.task or STOP), self._aim())
        self.talk.send(me)
        if self.hold > 0 and isinstance(decision, skills.Explore):
            self.hold -= 1
            self.option = None
            return {me.name: Action(WAIT, why="we negotiate")}
        self.hold = 0
        return {me.name: decision if decision is not None else Action(WAIT, why="nothing to do that I could do")}

    def _see(self, me: RobotView) -> Planning:
        """A model judges what is new; of what it calls misplaced the robot that explores thinks anew."""
        yield from see(me, self.style)
        free = me.belief.value("holding", me.name) is None and isinstance(self.option, skills.Explore)
        if free and set(self._astray(me, survey_of(me))) - self.known:
            self.why = self.why or "something lies astray"

    def hear(self, me: RobotView, new: Sequence[Message]) -> None:
        if not self.ruled:
            said_survey(me)
        super().hear(me, new)

    def _look_back(self, me: RobotView) -> None:
        option = self.option
        super()._look_back(me)
        if option is None or option.ok is None:
            return
        if isinstance(option, skills.PickupObject):
            if not option.ok:
                self.task, self.why = None, option.why
        elif not isinstance(option, (skills.Explore, skills.GoToRoom)) and option.ok:
            self.task, self.why = None, "the last sub-task is done"
        elif not self.ruled and isinstance(option, (skills.PutObject, skills.DropInRoom)):
            self.why = option.why  # a model names another place
        elif isinstance(option, skills.Explore) and self.task is not None and self.task.name == EXPLORE:
            self.task, self.why = None, option.why or "the last sub-task is done"

    def _negotiate(self, me: RobotView, first: bool) -> Planning:
        """Plan when it is this robot's turn; those who come after it may object, and it plans once more."""
        names = sorted((me.name, *me.heartbeat))
        turn = names.index(me.name)
        for _ in range(TURN * turn if first else 0):
            yield []
        yield from self._plan(me, "")
        for _ in range(TURN * (len(names) - turn) if first else 0):
            yield []
        words = self._objections(me)
        if words:
            yield from self._plan(me, words)

    def _plan(self, me: RobotView, objections: str) -> Planning:
        prompt = render("negotiate/plan", self.style, self._values(me, objections))
        read = partial(read_plan, names=list(me.heartbeat))
        planned: Planned | Misread = Misread("the same question would have the same answer")
        if prompt != self._unread:
            planned = yield from ask_twice(Ask(me.name, STAGE, me.step, 0, prompt), read, "the three lines")
        if isinstance(planned, Misread):
            self._unread = prompt
            planned = Planned(self.task or Phrase(EXPLORE, (ANYWHERE,)))
        self.task, self.why, self.planned = planned.task, "", me.step
        self.known = set(self._astray(me, survey_of(me)))
        if not self.ruled:
            said_survey(me).name(self.task)
            self._furniture = len(survey_of(me).pieces)
        self.history.append(f"{me.step} {self.task}")
        self.talk.task(me, str(self.task), None)
        self.talk.send(me)
        if planned.against:
            self._object(me, planned)

    def _object(self, me: RobotView, planned: Planned) -> None:
        task = str(me.belief.value("doing", planned.against))
        if (planned.against, task) not in self.objected:
            self.objected.add((planned.against, task))
            fact = Fact("objects", (planned.against, me.name), planned.why)
            me.say(f"{planned.against}, I object to your plan: {planned.why}.", (planned.against,), [fact])

    def _objections(self, me: RobotView) -> str:
        """The objections of others to this robot's plan, since it was last asked."""
        new = [f for f in me.belief.facts("objects") if f.args[0] == me.name and f.time > self.heeded]
        if new:
            self.heeded = max(f.time for f in new)
        return "; ".join(f"{f.args[1]}: {clean(str(f.value), 120)}" for f in new)

    def _values(self, me: RobotView, objections: str) -> dict[str, str]:
        guests = sorted(self.talk.guests.known) if self.adaptive else []
        gone = sorted(self.talk.team - set(me.heartbeat)) if self.adaptive else []
        joined = [f"{name} of another team has joined and helps; leave to it what it is at." for name in guests]
        joined += [f"{name} is not heard any more; do not count on it." for name in gone]
        bad = [f"{thing} cannot be put on {place}." for thing, place in sorted(self.bad_homes) if not self.ruled]
        return {
            "name": me.name,
            "count": str(1 + len(me.heartbeat)),
            "thinking": "one short sentence" if self.style == "compact" else "think step by step",
            "situation": situation(me, self, self.adaptive).text(),
            "history": "; ".join(self.history[-5:]) or "none",
            "joined": " ".join([*joined, *bad[-MOST_BAD:]]),
            "objections": objections,
            "step": str(me.step),
        }

    def _astray(self, me: RobotView, survey: Survey) -> dict[str, Thing]:
        """As heuristic teammates; but what is known by a stranger's word alone is left to it while it says that it
        re-places that."""
        found, guests = super()._astray(me, survey), self.talk.guests
        at_it = {thing_of(words) for words in guests.tasks(me.time)} & found.keys()
        left = {name for name in at_it if getattr(me.belief.fact("spot", name), "source", "") in guests.known}
        return {name: thing for name, thing in found.items() if name not in left} if left else found

    # -- carrying out ---------------------------------------------------------------------------------------------
    def _carry_out(self, me: RobotView, survey: Survey) -> Decision | None:
        """The next sub-skill of the sub-task; None where nothing is left to do for it."""
        self._seen = survey.version
        held = me.belief.value("holding", me.name)
        if isinstance(held, str):
            self.thing = held
            self.home = self.home or self._wanted_home(me, survey, held) or ""
            return self._do(skills.put_at(self.home, self._watch)) if self.home else self._roam(me, "")
        report = self._report(me)
        if report is not None:
            return report
        task = self.task or Phrase(STOP)
        self.thing = self.home = ""
        if task.name == REPLACE:
            known = survey.things.get(task.args[0])
            if known is None or not self._can(me, known, me.name) or self._gave_up(me, known.name):
                return None
            self.thing = known.name
            return self._do(skills.PickupObject(known.name, self._watch))
        if task.name == EXPLORE:
            room = task.args[0] if task.args and task.args[0] != ANYWHERE else ""
            return self._roam(me, room)
        if self._wanted(me):
            self.task = None
            return Action(WAIT, why="others still explore")
        return self._do(skills.StopHere())

    def _wanted_home(self, me: RobotView, survey: Survey, held: str) -> str | None:
        """Furniture of the kind that the sub-task names; otherwise wherever the thing belongs."""
        _, on, room = (*self.task.args, "", "", "")[:3] if self.task is not None else ("", "", "")
        for piece, (kind, inside) in survey.pieces.items():
            fits = kind == on and room in ("", survey.kind_of_room(inside))
            if fits and (held, piece) not in self.bad_homes and me.belief.value("box", piece) is not UNKNOWN:
                return piece
        return self._home(me, survey, Thing(held, str(me.belief.value("kind", held)), me.name, None))

    def _roam(self, me: RobotView, room: str) -> skills.SubSkill | None:
        option = skills.Explore(room, self._watch)
        return self._do(option) if option.worthwhile(me) else None

    # -- on the way -----------------------------------------------------------------------------------------------
    def _watch(self, me: RobotView) -> str | None:
        self.talk.guests.on_the_way(me)
        survey = survey_of(me)
        if me.step % LOOK_STEPS == 0:
            self.talk.explored(me, survey)
            self.talk.send(me)
        blamed = any(f.args[0] == me.name and f.time > self.heeded for f in me.belief.facts("objects"))
        if blamed and not isinstance(me.belief.value("holding", me.name), str):
            self.why = "somebody objects"
            return self.why
        if survey.version == self._seen and me.step % ROUND_STEPS:
            return None
        self._seen = survey.version
        self.talk.news(me, survey)
        self.talk.send(me)
        return self._reason(me, survey)

    def _reason(self, me: RobotView, survey: Survey) -> str | None:
        option, held = self.option, me.belief.value("holding", me.name)
        if isinstance(option, skills.PickupObject):
            if self.thing not in self._astray(me, survey) and held is None:
                self.task, self.why = None, f"{self.thing} is not astray any more"
                return self.why
        elif isinstance(option, skills.Explore):
            if isinstance(held, str):
                if self._wanted_home(me, survey, held):
                    return "there is a place for what I hold"
                if not self.ruled and len(survey.pieces) > self._furniture:
                    self.why = "furniture was seen that may be a place for what I hold"
                return self.why or None
            if self._unreported(me):
                return "something is found"
            if me.step % ROUND_STEPS == 0 and me.step > self.planned:
                self.why, self.hold = "it is time to negotiate", HOLD_STEPS
                return self.why
            if not self.ruled and said_survey(me).unjudged():
                self._pauses = True
                return "something is seen that was not judged yet"
            if set(self._astray(me, survey)) - self.known:
                self.why = "something lies astray"
                return self.why
        return None


for _name, _make, _tags in (
    ("negotiate", Negotiate, ()),
    ("negotiate:full", partial(Negotiate, style="full"), ("ablation",)),
    ("negotiate:adaptive", partial(Negotiate, adaptive=True), ("ablation",)),
):
    protocols.put(_name, _make, "model", "oracle", "household", *_tags)
