"""The same manager of talk over any team: people speak with robots of a house, whatever protocol decides for them.

What people say is in the log like everything else; the manager reads it there and answers. What it does comes in as
changes: another goal, a zone that is closed, a stop. A run that is resumed goes through the same words again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.replies.fields import clean
from coterie.core.task import Change, Task, Trigger
from coterie.episode.inputs import Inputs, Stop, Utterance
from coterie.episode.loop import Episode
from coterie.episode.play import Played, play, resume_config
from coterie.episode.setup import build, resolve
from coterie.episode.talk import HEARD, NOTICE_S, Meeting, Told
from coterie.episode.talk_help import Helper
from coterie.episode.talk_partner import TeamPartner
from coterie.mission.dialogue.clarification import MOST_SHOWN
from coterie.mission.dialogue.listening import heard
from coterie.mission.dialogue.manager import conversation, hear
from coterie.mission.journal import Journal
from coterie.mission.knowledge.authority import Authority
from coterie.talk import meanings as m
from coterie.talk.stop import stops as stop_in

STEPS = 10  # times the usual limit: people may want more on the way
NEVER = 10**9
PEOPLE = {"teacher": "teacher", "instructor": "instructor"}  # whoever else speaks is a visitor


class Left(CoterieError):
    """The talk was ended by a person."""


def config_of(
    scene: str, task: str, seed: int = 0, protocol: str = "", model: str = "", real: str = ""
) -> tuple[Config, Task]:
    """A team in a house; it goes on when its goal is reached, since people may want something else."""
    config = Config(task=task or "pack-objects", seed=seed, protocol=protocol or "rules")
    config = replace(config, scene=scene) if scene else config
    config = replace(config, real=real, synchronous=False) if real else config
    config = resolve(replace(config, model=model) if model else config)
    return config, _endless(config)


def resumed(log_path: Path) -> tuple[Config, Task]:
    config = resume_config(log_path)
    return config, _endless(config)


def _endless(config: Config) -> Task:
    _, made = build(config, None)
    limit = made.step_limit * STEPS if made.step_limit else None
    later = Change(Trigger(step=(limit or NEVER) - 1), "nothing", {}, source="people", awaited=True)
    return replace(made, step_limit=limit, changes=(*made.changes, later))


@dataclass
class TeamHall(Meeting):
    """Called after every step: reads what was said, answers, and lets time go by."""

    inputs: Inputs
    person: str = "instructor"
    episode: Episode | None = None
    coming: Any = None  # a goal on its way to the team
    events: list[tuple[int, str]] = field(default_factory=list)
    acts: dict[str, tuple[str, Sequence[Any], str]] = field(default_factory=dict)
    talk: list[tuple[str, str]] = field(default_factory=list)
    failed: int = 0  # actions that have not worked
    done: list[tuple[int, str]] = field(default_factory=list)  # actions that have worked
    watch: Callable[[Episode], None] | None = None
    mission: Any = None  # no mission: the team decides
    _read: int = 0
    _owed: int = 0  # utterances that have no answer yet

    def __post_init__(self) -> None:
        self.journal = Journal(clock=lambda: self.now)
        self.authority = Authority(self.journal)
        for person, role in {**PEOPLE, self.person: PEOPLE.get(self.person, "instructor")}.items():
            self.authority.join(person, role)
        self.helper, self.partner = Helper(self), TeamPartner(self)
        self.dialogue = conversation(self.partner, self.journal, self.tell)
        self._replaying = False
        self._wanted: dict[str, None] = {self.person: None}  # who is told when it is done
        self._done = False

    def wants(self, person: str, goal: Any) -> None:
        """Take in another goal of a person, who is told when it is done."""
        self._wanted[person] = None
        self._done, self.coming = False, goal
        self.helper.renew()

    def put(self, person: str, kind: str, data: dict[str, Any]) -> None:
        """A change by a person, of which all robots hear."""
        self.inputs.put(Change(Trigger(step=0), kind, data, ("all",), person, awaited=False))

    def tell(self, person: str, text: str) -> None:
        self.dialogue.spoke(person, text)
        told = Told(len(self.told) + 1, self.now, person, text)
        self.told.append(told)
        if self.hear is not None and not self._replaying:
            self.hear(told)

    def inform(self, by: str, words: str) -> None:
        """Tell everybody else who has spoken, or wants something, what a person did."""
        for person in sorted({*self._wanted, *(t.person for t in self.dialogue.threads)} - {by}):
            self.tell(person, words)

    def __call__(self, episode: Episode) -> None:
        first, self.episode = self.episode is None, episode
        self.now, self._replaying = episode.world.now, episode.log.replaying
        self.coming = None  # what was put in after the last step has been taken in before this one
        if first:
            self.partner.met(episode)
        if self.watch is not None:  # what was said is shown before its answer
            self.watch(episode)
        self.helper.expire()
        for event in episode.log.events[self._read :]:
            self._take(event)
        self._read = len(episode.log.events)
        self.helper.watch()
        self._finished(episode)
        self._pace(episode)
        if self.ended and not self._replaying:
            raise Left("The talk was ended.")

    def _finished(self, episode: Episode) -> None:
        if self.coming is not None:
            return  # how far they are is said of what was wanted before
        progress = episode.world.progress()
        if progress.done and not self._done:
            for person in self._wanted:
                self.tell(person, f"Done. {progress.text}")
        self._done = progress.done

    def _take(self, event: Any) -> None:
        data = event.data
        self.helper.note(event)
        if event.kind == "act":
            self.acts[event.who] = (data["skill"], data.get("args", ()), str(data.get("why", "")))
        if event.kind == "outcome" and not str(data["action"]).startswith("wait"):
            self.failed += data["status"] not in ("done", "cancelled")
            self.done += [(event.step, str(data["reason"]))] if data["status"] == "done" else []
        if event.kind == "outcome" and data["status"] != "done":
            self.events.append((event.step, f"{event.who}: {data['status']}, {data['reason']}"))
        elif event.kind == "message":
            self.talk = [*self.talk[-20:], (event.who, str(data.get("text", "")))]
        elif event.kind == "change":
            what = next((str(data[k]) for k in ("said", "text", "kind") if data.get(k)), "")
            self.events.append((event.step, f"{event.who} changed something: {what}"))
            self.partner.zones.note(event.who, data.get("closed") or {}, data.get("opened") or {})
        elif event.kind == "input" and data.get("kind") == "utterance":
            person = str(data["person"])
            if person not in self.authority.members:
                self.authority.join(person)
            hear(self.dialogue, person, str(data["text"]))
            self.heard += 1
            self._owed -= not self._replaying

    def speak(self, person: str, text: str) -> None:
        """Words of a person. A stop or a plea to wait goes before the team's thoughts; who has to wait is told so."""
        known = self.partner.vocabulary
        stop = stop_in(text, known)  # without the grammar, which may still be loading
        meanings = heard(text, known).meanings if stop is None else [stop]
        stops = [x for x in meanings if isinstance(x, m.Stop) or m.only_waits(x)]
        for plea in stops:
            self.inputs.put(Stop(person, plea.robots or ("all",)))
        self._owed += 1
        if self.free is not None and not stops:
            text = self.free(person, text)
        self.inputs.put(Utterance(person, text))
        args = (person, text, self.heard + self._owed, bool(stops))
        threading.Thread(target=self._notice, args=args, daemon=True).start()

    def _notice(self, person: str, text: str, number: int, stops: bool) -> None:
        time.sleep(NOTICE_S)
        if self.hear is None or self.ended or self.heard >= number:
            return
        stop = "I have heard the stop: nothing that the team has in mind is begun."
        said = clean(text, MOST_SHOWN).rstrip(" .!")
        words = stop if stops else f"I have heard you: '{said}'. The team thinks; then I answer you."
        self.hear(Told(HEARD, self.now, person, words))

    def unanswered(self) -> bool:
        """True if there are utterances without an answer."""
        return self._owed > 0

    def end(self) -> None:
        self.ended = True

    def idle(self) -> bool:
        agents = list(self.episode.roster) if self.episode is not None and not self.inputs.waiting else []
        stopped = bool(agents) and all(a.held for a in agents)  # until a person says continue
        return stopped or not self.moving()

    def moving(self) -> bool:
        """True if the team has something to do, or will have when what was said has come in."""
        return self.episode is None or self.inputs.waiting or not self.episode.world.progress().done


def run(
    hall: TeamHall, config: Config, task: Task, log_path: Path | None = None, resume: bool = False, **more: Any
) -> Played | None:
    """Hold a talk with a team until a person ends it; None where that was before the team had come to its end."""
    try:
        before = (lambda: hall.helper.guide,)
        return play(config, log_path, resume, task=task, watch=hall, inputs=hall.inputs, before=before, **more)
    except Left:
        return None
