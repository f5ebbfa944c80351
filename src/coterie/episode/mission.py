"""A mission from beginning to end: goals in words, people who answer, and what became of it.

from coterie.episode.mission import serve
served = serve("hospital", ["medkit at alpha"], seed=7, faults=["missing"], answers="yes")
served.success, served.played.result.time_s
"""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from coterie.core.action import WAIT, Action
from coterie.core.config import Config
from coterie.core.entry import WorldEntry
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.event import Event
from coterie.core.reader import Reader, load_toml
from coterie.core.rights import ROLES
from coterie.core.seeds import rng_of
from coterie.core.task import Change, Task, Trigger, goal_from_json
from coterie.core.world import RealWorld
from coterie.episode.inputs import Input, Inputs, Utterance
from coterie.episode.loop import Episode
from coterie.episode.play import Played, play, resume_config
from coterie.episode.plugins import load_plugins
from coterie.episode.setup import resolve
from coterie.log.file import read_log
from coterie.mission.orders import typed as read_typed
from coterie.mission.planner import planning_apart
from coterie.mission.thought import planning_takes
from coterie.planning.judge import Fault, Interval, faults
from coterie.planning.question import ROBOT, Question, Step
from coterie.worlds import entry_of, worlds

HELP_S = 45.0  # in which a person does what was asked, after answering
PROTOCOL = "mission:talk"  # of a mission that understands free sentences
TYPED = "typed"  # in the log's first line, under what is said about the task
Answer = str | None  # what a person says to a proposal; None: nothing


class Said(NamedTuple):
    """Words of a person at a time [s]."""

    at_s: float
    person: str
    text: str


@dataclass(frozen=True)
class Typed:
    """The input that was given before a mission began. It fixes the mission as its seed does, so it is in the first
    line of the log."""

    goals: tuple[Said, ...] = ()
    script: tuple[Said, ...] = ()
    answers: str | None = None  # of those that can be written down
    at_once: bool = False
    planning_s: float = 0.0  # simulated, for each plan that is sought
    restock: tuple[Said, ...] = ()  # things that people bring: "5 gloves on table D"
    limit_s: float = 0.0  # after which the mission ends; 0: the task's own
    stays: bool = False  # it does not end before, however little there is to do

    @classmethod
    def of(cls, first: Event) -> Typed:
        """Return the input that a log was begun with; empty for logs older than this."""
        kept = first.data.get("about", {}).get(TYPED)
        if kept is None:
            return cls()
        try:
            goals, script, restock = (
                tuple(Said(float(t), str(p), str(x)) for t, p, x in kept.get(k, ()))
                for k in ("goals", "script", "restock")
            )
            answers = kept["answers"]
            planning_s, limit_s = (float(kept.get(k, 0.0)) for k in ("planning_s", "limit_s"))
            answers = None if answers is None else str(answers)
            stays = bool(kept.get("stays"))
            return cls(goals, script, answers, bool(kept["at_once"]), planning_s, restock, limit_s, stays)
        except (KeyError, TypeError, ValueError) as err:
            raise CoterieError(f"The log's first line holds words that cannot be read: {kept!r:.120}.") from err

    def to_json(self) -> dict[str, Any]:
        rows = {"goals": [list(s) for s in self.goals], "script": [list(s) for s in self.script]}
        more: dict[str, Any] = {"restock": [list(s) for s in self.restock]} if self.restock else {}
        more |= {k: getattr(self, k) for k in ("planning_s", "limit_s", "stays") if getattr(self, k)}
        return {**rows, "answers": self.answers, "at_once": self.at_once, **more}

    def ask(self, inputs: Inputs) -> None:
        """Ask for the goals; a run that is resumed does so again, and what is in its log is not said twice."""
        for said in self.goals:
            inputs.put(Utterance(said.person, said.text))


def _with(task: Task, typed: Any) -> Task:
    if typed is None:
        return task
    limit_s = typed.get("limit_s", task.time_limit_s) if isinstance(typed, Mapping) else task.time_limit_s
    return replace(task, about={**task.about, TYPED: typed}, time_limit_s=limit_s)


@dataclass
class People:
    """Simulated people. They read what the mission tells them, as the log keeps it, and answer in their own time.

    `answers` is what they say to proposals: a text, or a function of the person and the note. Their delays are drawn
    from the seed. People of the world who do not answer are silent, whatever is said here.
    """

    inputs: Inputs
    seed: int = 0
    answers: Answer | Callable[[str, Mapping[str, Any]], Answer] = None
    script: Sequence[Said] = ()
    watch: Callable[[Episode], None] | None = None
    close: bool = True  # when nothing is left to be done
    at_once: bool = False  # answers take no time: they were given beforehand
    restock: Sequence[Said] = ()  # things that they bring
    more: Sequence[Said] = ()  # that is said besides, once what a log holds is over
    mission: Any = None  # the mind of the mission, once it has one
    _due: list[tuple[float, int, Input | Said]] = field(default_factory=list)
    _read: int = 0
    _order: int = 0
    _closed: bool = False
    _wishes: dict[str, Any] = field(default_factory=dict)  # goals that people gave, as they are wanted now
    _heard: bool = False
    _judged: Any = None

    def __post_init__(self) -> None:
        for said in self.script:
            self._later(said.at_s, Utterance(said.person, said.text))
        for said in self.restock:
            self._later(said.at_s, said)

    def __call__(self, episode: Episode) -> None:
        """Called whenever something has ended."""
        for event in episode.log.events[self._read :]:
            if event.kind == "mission":
                self._react(episode, event)
        self._read = len(episode.log.events)
        if self.watch is not None:
            self.watch(episode)
        if self.more and not episode.log.replaying:
            for new in self.more:
                self._later(new.at_s, Utterance(new.person, new.text))
            self.more = ()
        said = False
        while self._due and self._due[0][0] <= episode.world.now + 1e-9:
            item = self._due.pop(0)[2]
            for done in self._brought(episode, item) if isinstance(item, Said) else (item,):
                self.inputs.put(done)
            said = True
        if hasattr(episode.world, "expects_s"):  # those who stand by must not sleep through it
            episode.world.expects_s = self._due[0][0] if self._due else math.inf
        self._examine(episode)
        mind = next((episode.mind(robot) for robot in episode.views), None)
        self.mission = getattr(mind, "coordinator", self.mission)
        may_close = self.close and self._heard and not (self._closed or said or self._due)  # what was said comes first
        if may_close and self.mission is not None and not self.mission.goals.live():
            self._closed = True
            self.inputs.put(Change(Trigger(step=0), "close", {}, source="people", awaited=False))

    def _brought(self, episode: Episode, said: Said) -> list[Input]:
        """Inputs by which a person puts things somewhere, and tells how many there are now."""
        domain = self.mission.domain
        wish = domain.read(said.text)
        request = domain.request("objectAt", (wish.what, wish.where), True, wish.count)
        kind, data = request[1]["change"]
        there = episode.world.look("stock", wish.what, wish.where)  # type: ignore[attr-defined]
        words = domain.fact_words("stock", (wish.what, wish.where), (there or 0) + wish.count)
        put = Change(Trigger(step=0), kind, dict(data), source=said.person, awaited=False)
        return [put, Utterance(said.person, words)]

    def _examine(self, episode: Episode) -> None:
        """Update the goals by which the outcome is judged: people may have changed or added some."""
        goal: Any = getattr(episode.world, "goal", None)
        told = goal.to_json() if goal is not None else {}
        if self._wishes and "wishes" in told and not told.get("by") and list(self._wishes.values()) != told["wishes"]:
            new = goal_from_json({**told, "wishes": list(self._wishes.values())})
            if new != self._judged:
                self._judged = new
                self.inputs.put(Change(Trigger(step=0), "goal", {"goal": new}, source="people", awaited=False))

    def _later(self, at_s: float, item: Input | Said) -> None:
        self._order += 1
        self._due.append((at_s, self._order, item))
        self._due.sort(key=lambda d: d[:2])

    def _react(self, episode: Episode, event: Event) -> None:
        note = event.data
        acts = [note["change"]] if note["what"] == "shown" else note.get("acts", ())
        if self.answers is None or note.get("by") in episode.views:  # the others are simulated
            for kind, data in acts:  # what a person has done in the world, by their own word
                self.inputs.put(Change(Trigger(step=0), kind, dict(data), source=note["by"], awaited=False))
        self._heard |= note["what"] in ("heard", "goal")
        if note["what"] in ("goal", "amended") and "wish" in note:
            self._wishes[note["goal"]] = note["wish"]
            self._wishes.pop(_declined(note["wish"]), None)  # now it is served
        elif note["what"] == "declined":  # it was asked for all the same
            self._heard = True
            self._wishes[_declined(note["wish"])] = note["wish"]
        elif note["what"] == "changed" and note["to"] == "cancel":
            self._wishes.pop(note["goal"], None)
        elif note["what"] == "proposal":
            said = self.answers(note["to"], note) if callable(self.answers) else self.answers
            delay = self._delay(episode, note["to"], event.seq)
            if said is not None and delay is not None:
                self._later(event.t + delay, Utterance(note["to"], said))
        elif note["what"] == "brought" and not isinstance(episode.world, RealWorld):  # there it is done, not only said
            kind, data = note["change"]
            self._later(event.t, Change(Trigger(step=0), kind, dict(data), source=note["person"], awaited=False))
        elif note["what"] == "request":
            delay = self._delay(episode, note["to"], event.seq)
            if delay is None or self.answers is None or isinstance(episode.world, RealWorld):
                return  # of real people nobody knows what they do, and when
            done = event.t + delay + HELP_S
            for kind, data in note.get("changes", [note["change"]] if "change" in note else ()):  # what doing it means
                self._later(done, Change(Trigger(step=0), kind, dict(data), source=note["to"], awaited=False))
            self._later(done, Utterance(note["to"], "done"))

    def _delay(self, episode: Episode, person: str, seq: int) -> float | None:
        """Return how long a person takes to answer; None for a person who does not."""
        if self.at_once:
            return 0.0
        who = getattr(episode.world, "person", lambda name: None)(person)
        if who is None:
            return 2.0
        if not who.answers:
            return None
        return float(who.delay_s * math.exp(rng_of("answer", self.seed, person, seq).gauss(0.0, who.spread)))


def _declined(wish: Mapping[str, Any]) -> str:
    return f"declined: {json.dumps(wish, sort_keys=True)}"


def company(config: Config) -> dict[str, Any]:
    """For `play`: the people of a world in which people give goals, who say yes in their own time; elsewhere nobody."""
    if type(entry_of(config.task)).domain is WorldEntry.domain:
        return {}
    inputs = Inputs()
    return {"inputs": inputs, "watch": People(inputs, config.seed, answers="yes")}


class Served(NamedTuple):
    played: Played
    success: bool
    notes: list[dict[str, Any]]  # what the mission wrote into the log, with their times
    mission: Any  # the coordinator, with its knowledge, goals and trials


def talked_in() -> dict[str, WorldEntry]:
    """Worlds in which people give goals in words."""
    return {name: entry for name, entry in worlds.items() if type(entry).domain is not WorldEntry.domain}


def place_of(scene: str) -> tuple[WorldEntry, str] | None:
    """The world in which people give goals, and the place in it, by the name of either or from a file; None where
    nobody gives any."""
    given = talked_in()
    if not scene or scene in given:
        return given[scene or next(iter(given))], ""
    if scene.endswith(".toml"):
        found = load_toml(Path(scene), "scene")
        named = Reader(found, scene).text("world", next(iter(given)), choices=tuple(worlds))
        if named in given and ("robot" in found or "world" in found):
            return given[named], scene
    return next(((entry, scene) for entry in given.values() if entry.has_scene(scene)), None)


def mission_in(
    scene: str,
    protocol: str,
    seed: int = 0,
    level: str = "",
    faults: Sequence[str] = (),
    noise: str = "none",
    cards: Sequence[str] = (),
    load: Sequence[str] = (),
    real: str = "",
) -> tuple[WorldEntry, Config]:
    """The world of a place, and the configuration of a mission there."""
    load_plugins(load)
    found = place_of(scene)
    if found is None and scene.endswith(".toml"):
        raise CoterieError(f"{scene}: this is no place of a mission: nobody is there; add a [[robot]].")
    if found is None:
        known = talked_in()
        places = [name for entry in known.values() for name, _ in entry.scenes()]
        if scene in worlds:
            where = ", ".join(places)
            raise CoterieError(
                f"In the world '{scene}' nobody gives goals in words. Name a place where people do: {where}."
            )
        raise unknown_name("place of a mission", scene, [*known, *places])
    entry, place = found
    task = next(iter(entry.tasks), "")
    config = Config(task=task, seed=seed, scene=place, level=level, changes=tuple(faults), noise=noise)
    config = replace(config, protocol=protocol, synchronous=False, cards=tuple(cards), load=tuple(load), real=real)
    return entry, resolve(config)


def serve(
    scene: str,
    goals: Sequence[str],
    by: str = "",
    seed: int = 0,
    level: str = "",
    faults: Sequence[str] = (),
    noise: str = "none",
    answers: Answer | Callable[[str, Mapping[str, Any]], Answer] = None,
    script: Sequence[Said] = (),
    log_path: Path | None = None,
    watch: Callable[[Episode], None] | None = None,
    inputs: Inputs | None = None,
    engine: str = "",
    at_once: bool = False,
    apart: bool = False,
    planning_s: float = 0.0,
    cards: Sequence[str] = (),
    load: Sequence[str] = (),
    restock: Sequence[Said] = (),
    hours: float = 0.0,
    stays: bool = False,
    real: str = "",
    taught: Path | None = None,
    talks: bool = False,
    **more: Any,
) -> Served:
    """Serve goals that a person asks for at the beginning, and what is said in a script on the way.

    `scene` is a world, a place that comes with one, or the file of a place; without `by` its instructor asks. `cards`
    are files of further robots, `load` those of a user's own skills or world. `restock` are things that people bring on
    the way ("5 gloves on table D"). `taught` is a file of lessons, if not that of the place: goals may then speak of
    what was taught, in the sentences of a talk. If it `talks`, people speak in such sentences anyway. The mission ends
    when nothing is left to be done, and after `hours` of simulated time at the latest (0: half an hour); if it `stays`,
    only then.

    `apart`: plans are sought in a process of their own, and this one is free meanwhile for what its threads do. The
    plans are the same. With `drivers`, whose robots live by the clock, so does the search: robots go on with what is
    planned already, and the log keeps when a plan was there. Otherwise each plan that is sought takes `planning_s` of
    simulated time, in which robots go on likewise; the log is the same, wherever it is sought.
    """
    if not 0 <= planning_s < math.inf:
        raise CoterieError(f"Seeking a plan takes {planning_s!r} s; name a time from 0 s on.")
    protocol = f"mission:{engine}" if engine else "mission"
    entry, config = mission_in(scene, protocol, seed, level, faults, noise, cards, load, real)
    by = by or getattr(entry.task(config).goal, "by", "") or "instructor"
    lessons = taught or (Path(found) if (found := entry.lessons(config)) else None)
    if lessons is not None and engine:
        raise CoterieError(f"What {lessons} teaches is planned by the built-in planner: leave the engine out.")
    if lessons is not None or (talks and not engine):
        config = replace(config, protocol=PROTOCOL)
    asked = (*_lessons(entry, config, lessons), *(Said(0.0, by, text) for text in goals))
    entry.asked(config, [brought.text for brought in restock])  # complains before anything is played
    words = answers if isinstance(answers, str) else None
    typed = Typed(asked, tuple(script), words, at_once, planning_s, tuple(restock), hours * 3600.0, stays)
    plain = [said.text if (said := read_typed(text)).what == "wish" else text for text in goals]  # without "at once"
    known = plain if config.protocol != PROTOCOL or not any(plain) else []  # what is taught is heard on the way
    wanted = _with(entry.task_for(config, entry.asked(config, known)), typed.to_json())
    inputs = inputs or Inputs()
    typed.ask(inputs)
    people = People(inputs, seed, answers, script, watch, not stays, at_once, restock)
    with planning(apart, typed.planning_s, more.get("drivers")):
        played = play(config, log_path, task=wanted, watch=people, inputs=inputs, **more)
    return served(played, people.mission)


def resume(
    log_path: Path,
    answers: Answer | Callable[[str, Mapping[str, Any]], Answer] = None,
    script: Sequence[Said] = (),
    watch: Callable[[Episode], None] | None = None,
    inputs: Inputs | None = None,
    at_once: bool = False,
    apart: bool = False,
    load: Sequence[str] = (),
    **more: Any,
) -> Served:
    """Go on with a mission that was interrupted: its log is played again, with all that people said, and continued.

    What was given beforehand (answers, a script) is in the log, and need not be given again; other answers count
    instead of those, and a script is said besides.
    """
    config, task = remembered(log_path, load)
    typed = Typed.of(read_log(log_path)[0])
    inputs = inputs or Inputs()
    typed.ask(inputs)
    if answers is None:
        answers, at_once = typed.answers, typed.at_once if typed.answers is not None else at_once
    new = [said for said in script if said not in typed.script]
    stays, restock = typed.stays, typed.restock
    people = People(inputs, config.seed, answers, typed.script, watch, not stays, at_once, restock, new)
    with planning(apart, typed.planning_s, more.get("drivers")):
        played = play(config, log_path, resume=True, task=task, watch=people, inputs=inputs, **more)
    return served(played, people.mission)


def remembered(log_path: Path, load: Sequence[str] = ()) -> tuple[Config, Task]:
    """The configuration and the task of a mission that is to go on."""
    config = resume_config(log_path, load)
    load_plugins(load)
    first = read_log(log_path)[0]
    if config.protocol.partition(":")[0] != "mission":
        raise CoterieError(f"'{log_path}' is not the log of a mission; go on with: coterie run --resume {log_path}")
    task = worlds.get(first.data["world"]).task_for(config, goal_from_json(first.data["goal"]))
    return config, _with(task, first.data.get("about", {}).get(TYPED))


def _lessons(entry: WorldEntry, config: Config, file: Path | None) -> list[Said]:
    """The lessons of a file, in the name of a person who may teach."""
    if file is None:
        return []
    from coterie.mission.dialogue.talker import lessons_in

    domain = entry.domain(entry.world(entry.task(config), config).map())
    acts = {**ROLES, **domain.rights()}
    teacher = next((name for name, role in domain.people().items() if "teach" in acts.get(role, ())), None)
    if teacher is None:
        raise CoterieError(f'{file}: nobody here may teach; give the place a [[person]] with role = "teacher".')
    return [Said(0.0, teacher, lessons_in(file))]


@contextlib.contextmanager
def planning(apart: bool, planning_s: float, drivers: Any) -> Iterator[None]:
    """Where plans are sought, and how time passes meanwhile."""
    where = planning_apart() if apart else contextlib.nullcontext()
    with where, planning_takes(planning_s, live=apart and bool(drivers)):
        yield


def served(played: Played, mission: Any) -> Served:
    notes = [{"t": e.t, **e.data} for e in played.log.events if e.kind == "mission"]
    return Served(played, played.result.success, notes, mission)


# -- what was carried out, judged ---------------------------------------------------------------------------------
def carried_out(events: Sequence[Event]) -> list[Interval]:
    """Every step that had its effect, from its start to its end; not those that failed or only seemed to be done."""
    acts = {e.seq: e for e in events if e.kind == "act"}
    unseen = _unseen(events, acts)
    found = []
    for end in events:
        act = acts.get(end.causes[0]) if end.kind == "outcome" and end.causes else None
        if act is None or act.data["skill"] == WAIT or end.data["status"] != "done" or end.seq in unseen:
            continue
        step = Step(end.who, Action(act.data["skill"], tuple(act.data["args"])))
        found.append(Interval(step, act.t, end.t))
    return found


def _unseen(events: Sequence[Event], acts: Mapping[int, Event]) -> set[int]:
    """Ends of steps that were said to be done, and had no effect: each the last of its kind before that was told."""
    last: dict[tuple[Any, ...], int] = {}
    found = set()
    for e in events:
        if e.kind == "outcome" and e.causes and e.causes[0] in acts:
            act = acts[e.causes[0]].data
            last[e.who, act["skill"], tuple(act["args"])] = e.seq
        elif e.kind == "mission" and e.data.get("stage") == "EFFECT" and "robot" in e.data:
            key = (e.data["robot"], e.data["skill"], tuple(e.data["args"]))
            found |= {last[key]} if key in last else set()
    return found


def judged(played: Played) -> list[Fault]:
    """Faults of what was carried out, judged on the truth from the beginning: conditions, and who did what at
    the same time. Where people changed things on the way, or robots came, nothing can be said of it."""
    events, entry = played.log.events, worlds.get(played.log.events[0].data["world"])
    if any(e.kind == "input" and e.data.get("change") in ("door", "put", "clear", "join") for e in events):
        return []
    world = entry.world(played.task, played.config)
    able = {name: card.skills for name, card in world.robots().items()}
    objects = {**entry.domain(world.map()).objects(), **dict.fromkeys(able, ROBOT)}
    look = world.lookup(_Truth(world, entry.skills, events))  # type: ignore[arg-type]
    return faults(Question.ask(entry.skills, look, objects, able, []), carried_out(events), goal=False)


class _Truth:
    """The truth at the beginning; of facts that change by themselves (things that slip), the latest."""

    def __init__(self, world: Any, skills: Any, events: Sequence[Event]):
        self._get = world.get
        changed = {e.fluent.pred for _, skill in skills.items() for e in skill.then}
        told = [row for e in events if e.kind == "truth" for row in e.data["facts"] if row[0] not in changed]
        self._later = {(pred, *args): value for pred, args, value in told}

    def value(self, pred: str, *args: Any) -> Any:
        key = (pred, *args)
        return self._later[key] if key in self._later else self._get(pred, *args)
