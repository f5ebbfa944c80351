"""The terminal of a talk, as people see it and type: the team's words, what robots do, and lines from the keyboard."""

from __future__ import annotations

import math
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.cli.live_page import show_links
from coterie.cli.out import console, say
from coterie.core.action import WAIT
from coterie.core.errors import CoterieError

if TYPE_CHECKING:
    from coterie.core.event import Event
    from coterie.core.task import Change
    from coterie.episode.inputs import Inputs
    from coterie.episode.loop import Episode
    from coterie.episode.talk import Told
    from coterie.live.process import Live

QUIT = ("quit", "exit", ":q")
AT_LEAST_S = 2.0  # for the last answer to a person who quits at the keyboard
TEAM, ROBOTS = "cyan", "dim"  # how lines are told apart where a person sits at a terminal


def show(text: str, style: str, lead: str = "") -> None:
    """Words of the team in their colour, under a name."""
    from rich.text import Text

    console().print(Text.assemble((lead, f"bold {style}"), (text, style)))


class Printer:
    """Shows each message to those who are at this terminal, and what robots do."""

    def __init__(
        self, people: set[str] | None = None, everybody: bool = False, quiet: bool = False, silent: bool = False
    ):
        self.people, self.everybody, self.quiet, self.silent = people or set(), everybody, quiet, silent
        self.room: Any = None
        self.page: Any = None  # of --live
        self.coloured = False  # a person types below what is shown
        self._seen = 0
        self._story: Any = None

    def __call__(self, episode: Episode) -> None:
        new = episode.log.events[self._seen :]
        self._seen = len(episode.log.events)
        if episode.log.replaying or self.silent:
            return
        for event in new:
            if self.everybody and event.kind == "input" and event.data.get("kind") == "utterance":
                say(f"{event.data['person']}: {event.data['text']}")
            elif self.everybody and event.kind == "mission" and event.data["what"] == "tell":
                self.tell(str(event.data["to"]), str(event.data["text"]))
            elif event.kind in ("act", "outcome") and not self.quiet:
                for line in self._told(episode, event):
                    self._print(f"  {line}", ROBOTS)

    def _told(self, episode: Episode, event: Event) -> Any:
        if self._story is None:
            from coterie.mission.story import Story
            from coterie.worlds import worlds

            domain = worlds.get(episode.log.events[0].data["world"]).domain({})
            self._story = Story(domain or _Plain())
        return self._story.of(event)

    def told(self, told: Told) -> None:
        """Show words to a person, as they come."""
        if self.room is not None:
            self.room.tell(told)
        if self.page is not None:
            self.page.told(told)
        if not self.silent:
            self.tell(told.person, told.text)

    def tell(self, person: str, text: str) -> None:
        if self.everybody or person in self.people:
            several = self.everybody or len(self.people) > 1
            lead = f"to {person}: " if several else "> "
            if self.coloured:
                lead = f"team to {person}: " if several else "team: "
            self._print("\n  ".join(text.splitlines()), TEAM, lead)
            sys.stdout.flush()

    def _print(self, text: str, style: str, lead: str = "") -> None:
        if self.coloured:
            show(text, style, lead)
        else:
            say(lead + text)


class _Plain:
    """Steps of robots that nobody has better words for."""

    def step_words(self, robot: str, action: Any) -> str:
        return f"{robot}: {action}"

    def label(self, name: str) -> str:
        return name


def vocabulary_of(hall: Any) -> Any:
    """The names of a talk; None where it has not begun."""
    partner = getattr(hall.mission if hall.mission is not None else hall, "partner", None)
    return None if partner is None else partner.vocabulary


def names_once_begun(hall: Any) -> Any:
    """Wait until a talk has begun and return its names; None if it ends before that."""
    while vocabulary_of(hall) is None and not hall.ended:
        time.sleep(0.02)
    return vocabulary_of(hall)


class Speaking:
    """Lets a person type on while what they said is being read. A stop waits for nothing."""

    def __init__(self, hall: Any):
        self.hall = hall
        self._waiting: queue.Queue[tuple[str, str]] = queue.Queue()
        threading.Thread(target=self._speak, name="speaking", daemon=True).start()

    def put(self, person: str, text: str) -> None:
        from coterie.talk.stop import stops

        known = names_once_begun(self.hall)
        if known is not None and stops(text, known) is not None:
            self.hall.speak(person, text)
        else:
            self._waiting.put((person, text))

    def finish(self) -> None:
        """Return when all that was said has reached the team."""
        self._waiting.join()

    def _speak(self) -> None:
        while True:
            person, text = self._waiting.get()
            try:
                self.hall.speak(person, text)
            finally:
                self._waiting.task_done()


#: Words typed before the name of a newcomer, and whether that is a person.
NEWCOMERS = {"a new robot is here": False, "a new person is here": True}


def _lessons_in(file: Path | None) -> str:
    """What is said to teach what is in a file; nothing where there is none yet."""
    if file is None or not file.exists():
        return ""
    from coterie.mission.dialogue.talker import lessons_in

    return lessons_in(file)


def newcomer(joining: Callable[[str], Change], inputs: Inputs, live: Live | None, text: str) -> str:
    """Let a robot or person join at `join rover.toml` or "A new robot is here: Rover.", with the card in the file of
    that name, or one that is built in; a person gets a link to the page. The answer, empty if nobody joins."""
    word, _, file = text.partition(" ")
    new = text.strip(" .!").lower().partition(":")
    if new[0] in NEWCOMERS and new[2].strip():
        name = text.strip(" .!").partition(":")[2].strip()
        card = f"{name.lower()}.toml"
        word, file = "join", f"person:{name}" if NEWCOMERS[new[0]] else card if Path(card).exists() else name
    card_like = file.endswith(".toml") or file.startswith("person:") or (file[:1].isupper() and " " not in file)
    if word.lower() != "join" or not card_like:
        return ""
    try:
        change = joining(file.strip())
    except CoterieError as err:
        return str(err)
    inputs.put(change)
    if live is not None and change.data["card"].person:
        show_links(live.admit(change.data["robot"]), quiet=True, cert=live.cert)
    return f"{change.data['robot']} joins, and can {', '.join(s for s in change.data['card'].skills if s != WAIT)}."


class Keyboard:
    """Reads what is typed. `nurse: ...` speaks as another person: this is the team's own terminal."""

    def __init__(self, hall: Any, who: str, printer: Printer, taught: Path | None, people: Iterable[str] = ()):
        self.hall, self.who, self.printer = hall, who, printer
        self._lessons = _lessons_in(taught)
        self.expected = tuple(people)  # of the scene, also before it has begun
        self.lines: Iterable[str] | None = None  # of an editor at which a person types; else the standard input
        self.stays = False  # the talk goes on at a page when nothing more is typed
        self.joins: Callable[[str], str] = lambda text: ""  # lets a newcomer join (`newcomer`)

    def read(self) -> None:
        """In a thread of its own."""
        self._begin()
        speaking = Speaking(self.hall) if self.lines is not None else None
        speak = self.hall.speak if speaking is None else speaking.put
        for row in sys.stdin if self.lines is None else self.lines:
            text = row.strip()
            if text.lower() in QUIT:
                if speaking is not None:
                    speaking.finish()
                self._answered()
                self.hall.end()
                return
            if words := self.joins(text):
                say(words)
            elif text:
                speak(*self.speaker(text))
        if speaking is not None:
            speaking.finish()
        self.after()

    def speaker(self, text: str) -> tuple[str, str]:
        """The speaker and the words. A name that nobody here has is that of a visitor, who may ask and stop, and has
        neither the rights of this terminal nor those of anybody else."""
        from coterie.mission.dialogue.listening import named_speaker
        from coterie.mission.language.understand import known_words

        people, others = {*self.expected, self.who, *self._people()}, set(known_words())
        for names in self._vocabulary():
            others |= {w for name in names for w in (name, *name.split())}
        said = named_speaker(text, people, others)
        if said is None:
            return self.who, text
        if said.person not in self.printer.people:
            self.printer.people.add(said.person)
            if not said.known:
                new = f"{said.person} is new here: a visitor, who may ask, report and stop."
                say(f"({new} Without a name {self.who} speaks.)")
        return said.person, said.words

    def _vocabulary(self) -> list[list[str]]:
        """Names of the scene that are no person's."""
        known = vocabulary_of(self.hall)
        return [] if known is None else [[p for p, (kind, _) in known.phrases.items() if kind != "person"]]

    def names(self) -> list[str]:
        """Completions while typing: names of the scene, and of people who speak here."""
        from coterie.talk.vocabulary import KINDS
        from coterie.talk.wording import Wording

        known = vocabulary_of(self.hall)
        found = [] if known is None else [Wording(known).name(n).removeprefix("the ") for n in known.names(*KINDS)]
        return list(dict.fromkeys((*found, *self.expected, *self._people())))

    def _answered(self) -> None:
        """Wait for the answer to what was said before quitting, but not for long at a keyboard."""
        until = time.monotonic() + (AT_LEAST_S if sys.stdin.isatty() else math.inf)
        while not self.hall.ended and self.hall.unanswered() and time.monotonic() < until:
            time.sleep(0.02)

    def _people(self) -> Mapping[str, Any]:
        mission = self.hall.mission
        if mission is None:
            authority = getattr(self.hall, "authority", None)  # of a team in a house
            return {} if authority is None else authority.members
        return mission.authority.members

    def _begin(self) -> None:
        if not self._lessons:
            return
        from coterie.episode.inputs import Utterance

        self.hall.spoken[self.who] = self.hall.spoken.get(self.who, 0) + 1
        self.hall.inputs.put(Utterance(self.who, self._lessons))

    def after(self) -> None:
        """At the end of the input the talk ends when robots have nothing left to do."""
        if self.stays:
            return
        time.sleep(0.2)
        while not self.hall.ended and (self.hall.inputs.waiting or self.hall.moving()):
            time.sleep(0.1)
        self.hall.end()
