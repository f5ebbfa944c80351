"""A world as an entry: the one place through which everybody else reaches it.

Configuration, command line, bench, pictures and validator know no world by name. They find the entry that a task
belongs to and ask it. Built-in worlds stand in `worlds` the way a world of a user's own does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.expr import Lookup
from coterie.core.facts import Belief
from coterie.core.language import Language
from coterie.core.registry import Registry
from coterie.core.senses import Senses
from coterie.core.skill import Rule, Skill
from coterie.core.skills import Skills
from coterie.core.task import Change, Goal, Task
from coterie.core.world import World

if TYPE_CHECKING:
    from coterie.core.event import Event
    from coterie.core.records import StartEvent  # many records, which only readers of logs need

TaskFactory = Callable[[Config], Task]


class Grounds(NamedTuple):
    """The public part of a world: a mind, in any process, needs no more of it than this and its belief."""

    map: Mapping[tuple[str, ...], object]
    listings: Mapping[str, str]
    lookup: Callable[[Belief], Lookup]
    skill: Callable[[str], Skill | None]
    rules: tuple[Rule, ...] = ()  # public ones


#: Options of a run that only some worlds know, and how people type them.
_KNOWN = ("team", "scene", "level", "changes", "noise", "arms", "cards", "steps", "camera", "stranger", "real", "teams")
OPTIONS = {name: f"--{name}" for name in (*_KNOWN, "physics")} | {
    "changes": "--change",
    "cards": "--card",
    "teams": "--same-tasks",
}
_WHY_NOT = {"real": "Nothing takes in what its robots report; with --drive, the world is simulated beside."}
_USUAL = {f.name: f.default for f in fields(Config)}


class WorldEntry:
    """Subclass it, give it a name and tasks, say how a world is made, and put one into `worlds`.

    Everything else has a default: a world without pictures is told in words, one without levels takes none.
    """

    name = ""
    about = ""  # one line for people
    place = ""  # where its tasks are played, in a word or two: "rooms", "table"
    protocol = "random-legal"  # the default protocol
    like: Sequence[str] = ()  # worlds that it extends: their protocols work here, too
    expert = ""  # who shows that a task can be done, for the validator; empty: `protocol`
    takes: frozenset[str] = frozenset()  # the OPTIONS that mean something here
    usual: Mapping[str, str] = {}  # the default team, scene and level
    recall: Any = None  # what is asked before a protocol where a memo is used; None: nothing is remembered here

    def __init__(self) -> None:
        self.tasks: Registry[TaskFactory] = Registry("task")
        self.bodies: Registry[Card] = Registry("robot")
        self.skills = Skills(self.name)

    @property
    def language(self) -> Language:
        """How the skills of this world are said, read and filled in."""
        return Language(self.skills)

    # -- making ---------------------------------------------------------------------------------------------------
    def settle(self, config: Config) -> Config:
        """Fill in the options that were left open, and refuse those that this world cannot provide."""
        for option, words in OPTIONS.items():
            if option not in self.takes and getattr(config, option) not in (_USUAL[option], self.usual.get(option)):
                why = f" {_WHY_NOT[option]}" if option in _WHY_NOT else ""
                raise CoterieError(f"'{config.task}' takes no {words}; leave it out.{why}")
        filled: dict[str, Any] = {k: getattr(config, k) or v for k, v in self.usual.items()}
        return replace(config, **filled)

    def task(self, config: Config) -> Task:
        """The task that a settled configuration names."""
        return self.tasks.get(config.task)(config)

    def world(self, task: Task, config: Config) -> World:
        """A fresh world for a task."""
        raise NotImplementedError(f"The world '{self.name}' does not say how it is made.")

    def read_card(self, path: Path) -> Card:
        """The body of a robot from a file."""
        raise CoterieError(f"The world '{self.name}' reads no robot cards from files.")

    def newcomer(self, task: Task, config: Config, number: int, body: str) -> Mapping[str, Any]:
        """Return the data of the change `join` for a stranger: its `robot`, `card` and `start`, drawn from the seed.

        `number` counts strangers from 0; `body` is what was said of its build, or empty.
        """
        raise CoterieError(f"'{config.task}' takes no --stranger; leave it out.")

    def joining(self, config: Config, file: str) -> Change:
        """The change by which a robot joins an episode that runs, from the file of its card."""
        raise CoterieError(f"Robots do not join '{config.task}' by their cards.")

    def thinking_s(self, task: Task) -> float:
        """Simulated time that a call of a model takes in a task; 0 where minds answer at once."""
        return 0.0

    # -- for minds that sit elsewhere -----------------------------------------------------------------------------
    def ground(self, start: StartEvent) -> dict[str, Any]:
        """The part of a log's first line that a mind in another process is told: the place, never what is hidden in
        it."""
        return {"world": self.name}

    def grounds(self, ground: Mapping[str, Any]) -> Grounds:
        """The place, from what `ground` gave."""
        raise CoterieError(f"The world '{self.name}' offers no grounds, so minds in it cannot sit in other processes.")

    def senses(self) -> Senses | None:
        """Return how a learning environment turns beliefs into numbers; None where this world does not support it."""
        return None

    def segments(self) -> Sequence[str]:
        """The classes that a segmentation of its cameras' pictures tells apart; none where robots have no cameras."""
        return ()

    def twin(self, config: Config) -> Any:
        """Return what plays many worlds of a configuration at once; None where this world has no such twin."""
        return None

    # -- for lists and tables -------------------------------------------------------------------------------------
    def levels(self) -> Mapping[str, str]:
        """The levels of its tasks, each with a remark or none."""
        return {}

    def teams(self) -> Mapping[str, Sequence[tuple[str, Card]]]:
        """Teams that have a name here, with the robots in them; unless said otherwise, the usual one."""
        usual = self.usual.get("team", "")
        bodies = usual.split("-")
        known = all(body in self.bodies for body in bodies)
        return {usual: [(self.bodies.get(b).name, self.bodies.get(b)) for b in bodies]} if usual and known else {}

    def amiss(self) -> Sequence[str]:
        """Sentences about robots that should be here and cannot be used."""
        return ()

    def mended(self, config: Config) -> Sequence[str]:
        """Sentences about a scene that was read from a file: what is odd in it, and how that is taken."""
        return ()

    def missed(self, events: Sequence[Event]) -> Sequence[str]:
        """Sentences about what an episode that did not reach its goal lacked, and why, from its log alone."""
        return ()

    def scenes(self) -> Sequence[tuple[str, str]]:
        """Its scenes by name, each in a few words; unless said otherwise, the usual one."""
        return [(self.usual["scene"], "")] if self.usual.get("scene") else []

    def has_scene(self, name: str) -> bool:
        return name in dict(self.scenes())

    def example(self, task: str, scene: str, stranger: str = "") -> Mapping[str, Any]:
        """Scene, level and seed that `coterie run` shows where a task, perhaps a scene and a stranger, and nothing else
        is named.

        Benchmarks do not ask."""
        return {}

    def changes(self) -> Mapping[str, str]:
        """Return the values of `--change` that this world knows, as people type them, each with a description."""
        return {}

    def planning_s(self, world: World) -> float | None:
        """Wall time that planning motion has taken in a world so far [s]; None where none is planned."""
        return None

    def stream(self, task: str) -> str:
        """Episodes that share a stream are of use to each other in a memo."""
        return self.name

    def shelf(self, level: str) -> str:
        """In a bench, levels of one shelf fill one memo; a level that says what a memo may know of has its own."""
        return ""

    def domain(self, chart: Mapping[tuple[str, ...], object]) -> Any:
        """Return what a mission knows of this world besides its skills, from its map (`coterie.mission.domain`);
        None where people give no goals here."""
        return None

    def asked(self, config: Config, phrases: Sequence[str]) -> Goal:
        """The goal that phrases of people mean together."""
        raise CoterieError(f"In the world '{self.name}' nobody gives goals in words.")

    def lessons(self, config: Config) -> str:
        """The file of what was taught before, with which a talk in a place begins; empty where there is none."""
        return ""

    def task_for(self, config: Config, goal: Goal) -> Task:
        """The task of a settled configuration with another goal than its own."""
        return replace(self.task(config), goal=goal)

    # -- for readers of logs --------------------------------------------------------------------------------------
    def pictures(self) -> Any:
        """Draws logs of this world (see `coterie.render.pictures`); None where there is nothing to draw."""
        return None

    def reached(self, goal: Mapping[str, Any], world: World) -> bool | None:
        """Whether a goal, as the log has it, is reached: judged apart from the goal's own code, for the validator.

        None where a world offers no second opinion.
        """
        return None


worlds: Registry[WorldEntry] = Registry("world")
