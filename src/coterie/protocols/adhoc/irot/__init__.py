"""IRoT: a stranger that thinks of three sub-tasks, ranks them, tells the team what it intends, hears what they say to
that, and does it only when nothing speaks against it.

Every stage asks a model: candidates (GEN), ranking (RANK), judgement (JUDGE), the sub-skill (SKILL), and which of the
things that were newly detected are misplaced (SEE). The rule mind that answers where no model is named reads the same
prompts (`oracle.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from coterie.core.action import Action
from coterie.core.facts import UNKNOWN
from coterie.core.files import tables
from coterie.core.kinds import Misread
from coterie.core.protocol import Ask, Asking, Prompt, Reply, RobotView, TeamView, protocols
from coterie.houses.model import FLOOR, ROOM_KINDS
from coterie.protocols.adhoc.irot import answers
from coterie.protocols.adhoc.irot import oracle as _answers  # noqa: F401 (the oracle learns to answer)
from coterie.protocols.adhoc.irot.page import BUDGETS, JOBS, NONE, job_of, messages, place_words, situation
from coterie.protocols.adhoc.stranger import Choosing, Skilling, Stranger
from coterie.protocols.adhoc.subtasks import (
    DIRECT,
    EXPLORE,
    GO_OBJECT,
    GO_POINT,
    GO_ROOM,
    HERE,
    PICK,
    PUT,
    REPLACE,
    REPORT,
    STOP,
    LetFall,
    Phrase,
)  # fmt: skip
from coterie.protocols.shared.replies import ask_twice
from coterie.protocols.shared.templates import asked_at, render, source
from coterie.worlds.household import options as skills
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import Survey, Thing, survey_of

T = TypeVar("T")
ROUNDS = 3  # of generating candidates anew, when all of them were turned down
MOST_JUDGED = 40  # things that are judged at once


@dataclass(frozen=True)
class Options:
    subtasks: bool = True  # a sub-task is planned, and not sub-skills alone
    ranks: bool = True  # candidates are evaluated and ranked
    reflects: bool = True  # what is intended is told, and judged by what is answered
    free: bool = False  # sub-tasks in the model's own words
    style: str = "compact"


class Irot(Stranger):
    about = "household: a stranger that intends, listens and judges before it acts"
    prompts = "adhoc"
    replies, long_replies, stages = asked_at("adhoc", "GEN", "RANK", "JUDGE", "SKILL", "SEE")
    goals = frozenset(JOBS)
    reflecting = True  # it hears what others say to its intentions

    def __init__(self, options: Options | None = None):
        super().__init__()
        self.options = options or Options()
        self.asks = self.reflecting and self.options.reflects
        self.verdicts: dict[tuple[str, str, str], bool] = {}  # (thing, where, what is known of its room) -> misplaced
        self.named: dict[str, dict[tuple[str, str], None]] = {}  # kind of thing -> (on, in which room) that it named
        self.reported: set[str] = set()  # things of which it has reported where they are
        self._judged = -1  # the state of the survey that was last judged
        self._astray: dict[str, Thing] = {}
        self._pause = False  # the sub-skill under way stands still until what was seen is judged
        self._looked = -1  # the state of the survey in which nothing was left to judge
        self._here: tuple[Any, dict[str, str]] | None = None

    # -- asking ---------------------------------------------------------------------------------------------------
    def ask(
        self, me: RobotView, stage: str, template: str, read: Callable[[str], T | Misread], **extra: str
    ) -> Generator[list[Ask], Sequence[Reply], T | Misread]:
        """Ask, and ask once more with the reason where a reply cannot be read."""
        request = Ask(me.name, stage, me.step, 0, self.prompt(me, template, extra))
        return (yield from ask_twice(request, read, "the form asked for"))

    def prompt(self, me: RobotView, template: str, extra: Mapping[str, str]) -> Prompt:
        """A prompt within its budget: what is left beside the rest is for messages, the newest first."""
        style = self.options.style
        key = (me.step, survey_of(me).version, self.company.version, len(self.failed), self.why, self.subtask)
        if self._here is None or self._here[0] != key:
            self._here = (key, situation(self, me, style))
        job = job_of(me.belief)
        told = {"about": job.about, "wanted": job.wanted, "skills": source(job.skills)}
        told["subtasks"] = "" if self.options.free else source(job.subtasks)
        values = {**self._here[1], **told, **extra, "messages": ""}
        used = sum(len(text) for _, text in render(f"adhoc/{template}", style, values))
        values["messages"] = messages(self.company.said, max(300, BUDGETS[style] - used))
        return render(f"adhoc/{template}", style, values)

    # -- what is misplaced ----------------------------------------------------------------------------------------
    def judge(self, me: RobotView, survey: Survey) -> Mapping[str, Thing]:
        """Things judged to be misplaced, and those that others call so until this robot can judge them by itself."""
        if survey.version == self._judged:
            return self._astray
        self._judged = survey.version
        before, self._astray = self._astray, {}
        if not job_of(me.belief).judges:
            names = getattr(me.belief.value("goal"), "things", ())
            left = (n for n in names if n in survey.things and n not in self.reported)
            self._astray = {n: survey.things[n] for n in left if survey.things[n].where != me.name}
            return self._astray
        for thing in survey.things.values():
            heard = me.belief.fact("spot", thing.name)
            told = heard is not None and heard.source != me.name
            was = before.get(thing.name)  # what others said, and this robot sees at last, stands until it is judged
            stands = was is not None and was.where == thing.where
            if self.verdicts.get(self._key(survey, thing), told or stands):
                self._astray[thing.name] = thing
        return self._astray

    def _key(self, survey: Survey, thing: Thing) -> tuple[str, str, str]:
        return thing.name, thing.where, place_words(survey, thing)

    def _unjudged(self, me: RobotView, survey: Survey) -> list[Thing]:
        """Things that this robot has not judged yet where they lie: it has seen them, or others said so and it knows
        by now what kind of room that is."""
        found = []
        for thing in survey.things.values() if job_of(me.belief).judges else ():
            if (thing.where == FLOOR or thing.where in survey.pieces) and self._key(survey, thing) not in self.verdicts:
                spot = me.belief.fact("spot", thing.name)
                if spot is not None and (spot.source == me.name or survey.kind_of_room(survey.room_of(thing))):
                    found.append(thing)
        return found

    def _see(self, me: RobotView) -> Generator[list[Ask], Sequence[Reply], None]:
        """Judge what was newly detected."""
        survey = survey_of(me)
        new = self._unjudged(me, survey)
        for at in range(0, len(new), MOST_JUDGED):
            some = new[at : at + MOST_JUDGED]
            rows = "\n".join(f"{t.name} ({t.kind}) {place_words(survey, t)}" for t in some)
            names = [t.name for t in some]
            read = partial(answers.misplaced, names=names)
            found = yield from self.ask(me, "SEE", "irot_see", read, things=rows)
            wrong = [] if isinstance(found, Misread) else found
            self.verdicts.update({self._key(survey, t): t.name in wrong for t in some})
        if new:
            self._judged, self._here = -1, None  # what prompts say is misplaced is another thing now

    # -- deciding -------------------------------------------------------------------------------------------------
    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        me = team.me
        if not self.options.subtasks and self.subtask is None:
            self.subtask, self.why = DIRECT, ""
        yield from self._see(me)
        going, paused, self._pause = self.option, self._pause, False
        self.why = self.why or self._new_plan(me, survey_of(me))
        if paused and going is not None and going.ok is None and not self.why:
            self._seen, self._heard = survey_of(me).version, self.company.version
            return {me.name: going}  # what was seen changes nothing
        return (yield from super().decide(team, idle))

    def _watch(self, me: RobotView) -> str | None:
        why, version = super()._watch(me), survey_of(me).version
        if why is None and version != self._looked and self._unjudged(me, survey_of(me)):
            self._pause, why = True, "something is seen that was not judged yet"
        self._looked = version
        return why

    def choose(self, me: RobotView) -> Choosing:
        if not self.options.subtasks:
            return DIRECT
        refused: list[Phrase] = []
        free = self.options.free
        for _ in range(ROUNDS):
            turned = "; ".join(map(str, refused)) or NONE
            read = partial(answers.candidates, free=free)
            found = yield from self.ask(me, "GEN", "irot_gen", read, refused=turned)
            given = [p for p in found if p not in refused] if not isinstance(found, Misread) else []
            if not given:
                break  # the same question would have the same answer
            if self.options.ranks and len(given) > 1:
                rows = "\n".join(f"{i}. {p}" for i, p in enumerate(given, 1))
                order = yield from self.ask(
                    me, "RANK", "irot_rank", partial(answers.ranking, given=given, free=free), candidates=rows
                )
                given = given if isinstance(order, Misread) else order
            for phrase in given:
                if phrase == self.subtask or not self.options.reflects or (yield from self._accepted(me, phrase)):
                    return phrase
                refused.append(phrase)
        return self.at_last(me)

    def at_last(self, me: RobotView) -> Phrase | None:
        """Nothing was accepted: what is in the hand is put away, and else the robot waits a little."""
        held = me.belief.value("holding", me.name)
        return Phrase(REPLACE, (held, "", "")) if isinstance(held, str) else None

    def _accepted(self, me: RobotView, phrase: Phrase) -> Generator[list[Ask], Sequence[Reply], bool]:
        """Tell what is intended, hear what the others say, and judge; what is not to be is told as well."""
        before = len(self.company.said)
        yield from self.intend(me, phrase)
        said = [e for e in self.company.said[before:] if e.who != me.name]
        found = yield from self.ask(
            me, "JUDGE", "irot_judge", answers.judgement, candidate=str(phrase), answers=messages(said, 3000)
        )
        if found is not True and phrase.args:
            self.speech.say("given up", phrase)
        return found is True

    # -- where things belong --------------------------------------------------------------------------------------
    def fitting(self, me: RobotView, kind: str) -> tuple[list[str], list[str]]:
        """By the table where a rule mind answers. A model has named such places itself, and nothing else counts."""
        if self.ruled:
            return super().fitting(me, kind)
        survey, named = survey_of(me), self.named.get(kind, {})

        def fits(on: Sequence[str], room: str) -> bool:  # furniture by its kind or name, rooms likewise, or any
            return any(what in on and where in ("", room, survey.kind_of_room(room)) for what, where in named)

        pieces = [piece for piece, (on, room) in survey.pieces.items() if fits((on, piece), room)]
        return pieces, [room for room in survey.rooms if fits((FLOOR,), room)]

    def home_rooms(self, kind: str) -> set[str]:
        """A model has named them itself."""
        if self.ruled:
            return super().home_rooms(kind)
        rooms = {room for _, room in self.named.get(kind, {})}
        return rooms if rooms <= set(ROOM_KINDS) else set()

    def _new_skill(self, me: RobotView, survey: Survey) -> str | None:
        """A model is asked again about what it holds whenever it sees furniture that it did not know of."""
        why = super()._new_skill(me, survey)
        holds = isinstance(me.belief.value("holding", me.name), str) and isinstance(self.option, skills.Explore)
        if why or self.ruled or not holds or len(survey.pieces) <= self._pieces:
            return why
        self._pieces = len(survey.pieces)
        return "furniture was seen that may be a place for what I hold"

    # -- sub-skills -----------------------------------------------------------------------------------------------
    def skill(self, me: RobotView, subtask: Phrase) -> Skilling:
        if subtask.name == REPLACE and subtask.args[1:] and subtask.args[1]:
            kind = str(me.belief.value("kind", subtask.args[0]))
            self.named.setdefault(kind, {})[(subtask.args[1], (*subtask.args, "")[2])] = None
        words = NONE if subtask == DIRECT else str(subtask)
        bad = [f"{place} did not work" for thing, place in sorted(self.bad_homes) if thing in subtask.args]
        found = yield from self.ask(
            me, "SKILL", "irot_skill", answers.subskill, subtask=words, places="; ".join(bad) or NONE
        )
        option = self.by_rule(me, subtask) if isinstance(found, Misread) else self._option(me, subtask, found)
        if option is None and subtask == DIRECT:
            option = self._explore(me, "") or skills.StopHere()
        return option

    def _option(self, me: RobotView, subtask: Phrase, skill: Phrase) -> skills.SubSkill | None:
        """The option that carries out a sub-skill; None where that is impossible, or nothing is left to do."""
        held = me.belief.value("holding", me.name)
        name, args = skill
        if name == STOP:
            return skills.StopHere()
        if name == PICK:
            if held is not None or self.can_take(me, args[0]) or me.belief.value("spot", args[0]) is UNKNOWN:
                return None
            return skills.PickupObject(args[0], self._watch)
        if name == PUT:
            if not isinstance(held, str):
                return None
            if args[1].lower() == FLOOR and args[2].lower() == HERE:
                return LetFall()
            place = f"{FLOOR}@{args[2]}" if args[1].lower() == FLOOR else args[1]
            known = "@" in place or isinstance(me.belief.value("box", place), tuple)
            return skills.put_at(place, self._watch) if known and (held, place) not in self.bad_homes else None
        if name == REPORT:
            where = me.belief.value("where", args[0])
            if not isinstance(where, str) or args[0] in self.reported:
                return None
            self.reported.add(args[0])
            self._judged = -1
            return Deed(f"{REPORT}({args[0]})", Action(REPORT, (args[0], where)))
        if name == GO_ROOM:
            return skills.GoToRoom(args[0], self._watch)
        if name == GO_OBJECT:
            return skills.GoToObject(args[0], self._watch)
        if name == GO_POINT:
            pose = chart_of(me).pose
            try:
                point = pose[0] + float(args[0]), pose[1] + float(args[1])
            except ValueError:
                return None
            return skills.GoToPoint(point, until=self._watch)
        room = subtask.args[0] if subtask.name == EXPLORE and subtask.args else ""
        return self._explore(me, "" if isinstance(held, str) else room)


class Deed(skills.SubSkill):
    """One action, and it is over."""

    def __init__(self, name: str, action: Action):
        super().__init__(name)
        self.action: Action | None = action

    def step(self, me: RobotView) -> Action | None:
        action, self.action = self.action, None
        return action if action is not None else self.end(True)


VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    name: (row.pop("about"), row) for name, row in tables(__package__, "variants.toml").items()
}


def variant(name: str) -> Irot:
    about, change = VARIANTS[name]
    mind = Irot(Options(**change))
    mind.about = f"irot {about}"
    return mind


protocols.put("irot", Irot, "household", "oracle")
for _name in VARIANTS:
    protocols.put(f"irot:{_name}", partial(variant, _name), "household", "oracle", "ablation")
