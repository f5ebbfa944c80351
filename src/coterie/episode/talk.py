"""Talk of people with a team at work: what they say goes in, what they are told comes out, each to whom it is for.

The team is an episode, so all that is said is in its log, and a talk that was killed goes on where it was. Programs
hold a `Talk`; the terminal, the page and scripts hold a `Hall`.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.task import Change, Task, Trigger
from coterie.episode.inputs import Inputs, Utterance
from coterie.episode.loop import Episode
from coterie.episode.mission import PROTOCOL, People, Said, Served, mission_in, planning, remembered, served
from coterie.episode.play import play
from coterie.mission.dialogue.listening import heard
from coterie.mission.dialogue.quick import noticed, quick
from coterie.talk import meanings as m
from coterie.talk.marks import EARLY
from coterie.worlds import entry_of

LONGEST_S = 30 * 86_400.0  # of simulated time; a talk ends when people end it
GRACE_S = 0.15  # in which the team may answer itself
LOOK_S = 0.01  # between two looks at whether it thinks
AGAIN_S = 0.25  # between two looks at whether a question can be answered beside it
NOTICE_S = 0.4  # after which a person is told that their words were heard
HEARD = -1  # the number of such a message: the answer is still to come
POLL_S = 0.2  # between two looks at whether a talk was ended


class Told(NamedTuple):
    """Words to one person, at a time [s]; `number` counts all that was told. What is told ahead while the team thinks
    is 0, or `HEARD` where it is no answer."""

    number: int
    time: float
    person: str
    text: str


@dataclass(kw_only=True)
class Meeting:
    """Where people and a team meet: simulated time goes on while robots work, and waits while they wait for people."""

    inputs: Inputs
    speed: float | None = None  # simulated seconds in one of the clock; None: as fast as it can be computed
    hear: Callable[[Told], None] | None = None
    free: Callable[[str, str], str] | None = None  # finds other words for what the grammar does not read
    tick: Callable[[Episode], None] | None = None  # after everything else; it may put inputs
    paced: Callable[[float], Any] | None = None  # lets time go by instead of the clock
    waits: bool = True  # time stands still while nothing is to be done
    told: list[Told] = field(default_factory=list)
    heard: int = 0  # utterances that have been answered
    ended: bool = False
    now: float = 0.0
    _last_s: float = 0.0

    def moving(self) -> bool:
        """True if anything is to be done by robots now."""
        raise NotImplementedError

    def waited_for(self) -> bool:
        """True if people are waited for by the clock."""
        return False

    def _pace(self, episode: Episode) -> None:
        """After a step: what is to be done besides, and time that goes by."""
        if self.tick is not None:
            self.tick(episode)
        since_s, self._last_s = max(0.0, self.now - self._last_s), self.now
        if episode.log.replaying:
            return
        if self.moving():
            if self.speed:
                (self.paced or self.inputs.wait)(since_s / self.speed)
            return
        while self.waits and not (self.inputs.waiting or self.ended or episode.settled):  # ended within a step
            if self.speed and self.waited_for():
                self.inputs.wait(since_s)
                return
            self.inputs.wait(POLL_S)


@dataclass
class Hall(People, Meeting):
    """Where people and a mission meet."""

    close: bool = False
    changed: threading.Condition = field(default_factory=threading.Condition)
    live: bool = False  # what the log of a talk that goes on held is over
    spoken: Counter[str] = field(default_factory=Counter)  # utterances of each person
    answered: Counter[str] = field(default_factory=Counter)
    _ahead: set[tuple[str, int]] = field(default_factory=set)  # those that were answered while the team thought
    _shown: list[tuple[str, str]] = field(default_factory=list)  # what was told since the log was written
    _hears: str = ""  # whose words are being answered

    def __call__(self, episode: Episode) -> None:
        with self.changed:
            known = self.mission
            before = list(self.told) if not self.live and not episode.log.replaying else []
            super().__call__(episode)
            last = {told.person: told for told in self.told}
            for told in before:  # a talk that was interrupted goes on: what everybody was told last is told again
                if self.hear is not None and last[told.person] is told:
                    self.hear(told)
            self._shown.clear()
            self.now, self.live = episode.world.now, not episode.log.replaying
            if self.mission is not known:
                self.mission.desk.listeners.append(self._at_once)
            self.changed.notify_all()
        self._pace(episode)

    def _react(self, episode: Episode, event: Event) -> None:
        super()._react(episode, event)
        note = event.data
        if note["what"] == "tell":
            told = Told(len(self.told) + 1, event.t, note["to"], note["text"])
            self.told.append(told)
            if self.hear is not None and not self.live and not episode.log.replaying:
                self.hear(told)
        elif note["what"] == "understood":
            self.heard += 1
            self.answered[note["person"]] += not self.live and not episode.log.replaying

    def _at_once(self, note: Mapping[str, Any]) -> None:
        """What the team has for people is told at once, and not when it has thought; answers that were told are not."""
        if not self.live or note["what"] not in ("heard", "tell", "understood"):
            return
        with self.changed:
            who = note["to"] if note["what"] == "tell" else note["person"]
            told = who == self._hears and (who, self.answered[who] + 1) in self._ahead
            if note["what"] == "tell" and not told:
                self._shown.append((who, note["text"]))
                self._tell(0, who, note["text"])
            self.answered[who] += note["what"] == "understood"
            self._hears = {"heard": who, "understood": ""}.get(note["what"], self._hears)
            self.changed.notify_all()

    def _tell(self, number: int, person: str, text: str) -> None:
        if self.hear is not None:
            self.hear(Told(number, self.now, person, text))

    # -- speaking -------------------------------------------------------------------------------------------------
    def speak(self, person: str, text: str) -> None:
        """Words of a person. Where the team thinks, questions are answered meanwhile, and all else is heard at once."""
        if self.free is not None:
            text = self.free(person, text)
        self.spoken[person] += 1
        if self.mission is not None and self.live and self._is_early(person, text):
            text = EARLY + text
        self.inputs.put(Utterance(person, text))
        if self.mission is not None and self.hear is not None:
            threading.Thread(target=self._meanwhile, args=(person, text, self.spoken[person]), daemon=True).start()

    def _meanwhile(self, person: str, text: str, number: int) -> None:
        """Until a person's words are answered, see if they can be beside a team that thinks; a person who has waited
        for a moment is told that they were heard."""
        began, look, told = time.monotonic(), 0.0, False

        while True:
            with self.changed:
                if self.ended or self.answered_by_now(person) >= number:
                    return
                now = time.monotonic()
                late = self.live and (self.mission.planner.thinking or now > began + GRACE_S)
                looks = late and now > look and self._next(person, number)
                tells = not looks and not told and self.live and now > began + NOTICE_S
                if not looks and not tells:
                    self.changed.wait(LOOK_S)
                    continue
            if looks:
                words, look = quick(self.mission, person, text), time.monotonic() + AGAIN_S
                with self.changed:
                    if words is not None and self._next(person, number):
                        self._ahead.add((person, number))
                        self._tell(0, person, words)
            else:
                words, told = noticed(self.mission, person, text), True
                with self.changed:
                    if self.answered_by_now(person) < number:
                        self._tell(HEARD, person, words)

    def _is_early(self, person: str, text: str) -> bool:
        """True if a person who was told of no proposal says yes or no: what is proposed by then is not meant."""
        if not any(isinstance(x, (m.Approve, m.Refuse)) for x in heard(text, self.mission.partner.vocabulary).meanings):
            return False
        with self.changed:
            proposed = self.mission.partner.proposed(person)
            told = [t.text for t in self.told if t.person == person]
            told += [text for who, text in self._shown if who == person]
            return not proposed or not any(proposed in t for t in told)

    def _next(self, person: str, number: int) -> bool:
        """True if these words are the person's first without an answer, and are not being answered: order is kept."""
        return self.answered_by_now(person) == number - 1 and self._hears != person

    def unanswered(self) -> bool:
        """True if there are utterances without an answer."""
        return any(self.answered_by_now(person) < number for person, number in list(self.spoken.items()))

    def answered_by_now(self, person: str) -> int:
        """The number of a person's utterances that have been answered, by the mission or while it thought."""
        with self.changed:
            count = self.answered[person]
            while (person, count + 1) in self._ahead:
                count += 1
            return count

    def end(self) -> None:
        """End the talk when what was said has been taken in."""
        self.inputs.put(ending())

    def idle(self) -> bool:
        return self.mission is not None and not self.mission.agenda.items

    # -- time -----------------------------------------------------------------------------------------------------
    def moving(self) -> bool:
        """True if anything is to be done by robots now; a robot that waits for a person's word does nothing."""
        return self.mission is None or self.mission.at_work()

    def waited_for(self) -> bool:
        return bool(self.mission.goals.live())


def config_of(scene: str, *given: Any, **more: Any) -> tuple[Config, Task]:
    """The configuration and the task of a talk; the rest as for `mission_in`."""
    entry, config = mission_in(scene, PROTOCOL, *given, **more)
    return config, unlimited(entry.task_for(config, entry.asked(config, [])))


def unlimited(task: Task) -> Task:
    return replace(task, time_limit_s=LONGEST_S, step_limit=None)


def resumed(log_path: Path, load: Sequence[str] = ()) -> tuple[Config, Task]:
    config, task = remembered(log_path, load)
    if config.protocol != PROTOCOL:
        raise CoterieError(f"'{log_path}' is not the log of a talk.")
    return config, unlimited(task)


def run(
    hall: Hall,
    config: Config,
    task: Task,
    log_path: Path | None = None,
    resume: bool = False,
    apart: bool = False,
    **more: Any,
) -> Served:
    """Hold a talk until a person ends it; `apart`: plans are sought in a process of their own, during which robots with
    `drivers` go on."""
    with planning(apart, 0.0, more.get("drivers")):
        played = play(config, log_path, resume=resume, task=task, watch=hall, inputs=hall.inputs, **more)
    return served(played, hall.mission)


def people_of(config: Config, task: Task) -> dict[str, str]:
    """The people of a scene, with their roles; then those who work with the robots, also who joins later."""
    entry = entry_of(config.task)
    cards = [*dict(task.robots).values(), *(change.data["card"] for change in task.changes if change.kind == "join")]
    team = {card.name: "supplies" for card in cards if card.person}
    return {**entry.domain(entry.world(task, config).map()).people(), **team}


def ending() -> Change:
    """The change that ends a talk."""
    return Change(Trigger(step=0), "close", {}, source="people", awaited=False)


class Talk:
    """A talk for programs: it goes on in a thread of its own."""

    def __init__(
        self,
        scene: str = "",
        seed: int = 0,
        level: str = "",
        faults: Sequence[str] = (),
        noise: str = "none",
        log_path: Path | None = None,
        resume: bool = False,
        speed: float | None = None,
        script: Iterable[Said] = (),
        cards: Sequence[str] = (),
    ):
        self.inputs = Inputs()
        self.hall = Hall(self.inputs, seed, None, list(script), speed=speed)
        if resume and log_path is None:
            raise CoterieError("To resume, name the log.")
        old = resumed(log_path) if resume and log_path is not None else None
        made = old or config_of(scene, seed, level, faults, noise, cards)
        self._said = 0
        self._error: BaseException | None = None
        self.served: Served | None = None
        self._thread = threading.Thread(target=self._run, args=(*made, log_path, resume), name="talk", daemon=True)

    def _run(self, config: Config, task: Task, log_path: Path | None, resume: bool) -> None:
        try:
            self.served = run(self.hall, config, task, log_path, resume)
        except BaseException as err:  # noqa: BLE001 (it is raised where an answer is waited for)
            self._error = err
        finally:
            with self.hall.changed:
                self.hall.ended = True
                self.hall.changed.notify_all()

    def __enter__(self) -> Talk:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def mission(self) -> Any:
        return self.hall.mission

    def say(self, person: str, text: str, timeout_s: float = 60.0) -> list[str]:
        """Say something as a person; what this person is told, up to the answer. `timeout_s` by the clock. A stop that
        comes while a plan is sought is answered at once, and done before any robot moves."""
        with self.hall.changed:
            self._wait(lambda: self.hall.live, timeout_s, "team")
            before = len(self.hall.told)
            number = self._said = max(self._said, self.hall.heard) + 1
            waits = self.mission is not None and self.mission.planner.seeking
            self.inputs.put(Utterance(person, text))
            stops = waits and self.mission.at_once(text) == "stop"
            if stops and not self._within(lambda: self.hall.heard >= number, NOTICE_S):
                return [noticed(self.mission, person, text)]
            self._wait(lambda: self.hall.heard >= number, timeout_s, f"answer to '{text[:60]}'")
            return [t.text for t in self.hall.told[before:] if t.person == person]

    def _within(self, ready: Callable[[], bool], seconds: float) -> bool:
        """Wait until a condition holds, for a few seconds by the clock; True if it does."""
        until = time.monotonic() + seconds
        while not ready() and not self.hall.ended and time.monotonic() < until:
            self.hall.changed.wait(max(0.0, until - time.monotonic()))
        return ready()

    def until(self, person: str, words: str, timeout_s: float = 120.0, after: int = 0) -> str:
        """Wait for a message to a person that holds these words; `after` leaves out the first messages."""

        def found() -> list[Told]:
            return [t for t in self.hall.told[after:] if t.person == person and words.lower() in t.text.lower()]

        with self.hall.changed:
            self._wait(lambda: bool(found()), timeout_s, f"'{words}' to {person}")
            return found()[0].text

    def idle(self, timeout_s: float = 120.0) -> None:
        """Until nothing is left to be done by robots."""
        with self.hall.changed:
            self._wait(lambda: not self.hall.moving(), timeout_s, "the end of the work")

    def _wait(self, ready: Callable[[], bool], timeout_s: float, what: str) -> None:
        if self._within(ready, timeout_s):
            return
        if self._error is not None:
            raise self._error
        ended = "The talk has ended; there will be" if self.hall.ended else f"Within {timeout_s:g} s there was"
        raise CoterieError(f"{ended} no {what}.")

    def close(self) -> Served | None:
        if self._thread.is_alive():
            self.inputs.put(ending())
            self._thread.join(30.0)
        if self._error is not None:
            raise self._error
        return self.served
