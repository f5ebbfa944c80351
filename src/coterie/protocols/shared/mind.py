"""The base of the stages of DynaHMRC: options, one robot's state, and asking with one repetition."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from coterie.core.action import UNREAD, WAIT, Action
from coterie.core.facts import Belief, Fact
from coterie.core.protocol import Ask, Prompt, Reply, RobotView
from coterie.protocols.shared import replies, words
from coterie.protocols.shared.conversation import Conversation
from coterie.protocols.shared.hearing import NO_SIGNS, Signs, notice
from coterie.protocols.shared.memory import Memory
from coterie.protocols.shared.reading import Reading, shift_for
from coterie.protocols.shared.replies import Misread, ask_twice, clean, quoted
from coterie.protocols.shared.templates import render
from coterie.protocols.shared.together import own_part, together

T = TypeVar("T")
Asking = Generator[list[Ask], Sequence[Reply], T]
LATE = 2  # barriers that words of a stage may come late
MOST_WAITED = 4  # barriers that a robot's model may be asked, twice if need be, before its words come
SHARED_PLAN = "everybody searches and brings what is needed"  # where nobody wrote one


@dataclass(frozen=True)
class Options:
    """Settings of the protocol; the defaults are the paper's where it gives them."""

    style: str = "compact"  # of the prompts; "full" for large models, "paper" without anything computed for them
    memory: int = 10  # K
    long_memory: int = 20  # of a discussion
    goal_aware: bool = True  # memory that knows what a change of goal made stale
    interval: int = 10  # steps between discussions
    rounds: int = 3  # of voting before the referee
    leader: bool = True
    reflection: bool = True
    feedback: bool = True
    random_votes: float = 0.0
    share: bool = True  # words carry what their sender believes of itself and of the things it names
    exact: bool = False  # queues of exactly K, which cannot be cached so well
    reelect: bool = True  # a leader that vanished is replaced
    conversation: bool = False  # requests for actions are turns of one conversation


@dataclass
class Mind:
    """One robot's state between decisions."""

    options: Options
    me: RobotView = field(default=None)  # type: ignore[assignment]
    memory: Memory = field(default_factory=Memory)
    conversation: Conversation = field(default_factory=Conversation)
    introduced: bool = False
    known: frozenset[str] = frozenset()  # teammates met
    leader: str | None = None
    elections: int = 0
    discussed: int = 0  # step of the last discussion
    words_alone: bool = False  # no facts travel with what is said
    ears: Callable[[], None] = lambda: None  # takes in what has just been said
    signs: Signs = NO_SIGNS  # of teammates, where no heartbeat tells who is there

    def reading(self) -> Reading:
        if self.options.feedback:
            return Reading.of(self.me, self.signs.missed)
        return Reading(replace(self.me, belief=unheeding(self.me.belief)), self.signs.missed)

    def look_out(self) -> None:
        """Note who is there; the prompt says when there was the last sign of whom."""
        if self.options.style == "paper":  # nothing is computed for the model, who is gone neither
            return
        self.signs = notice(self.me, self.signs)
        self.memory.signs = dict(self.signs.alive) if self.me.pulse is not None else {}

    def miss(self, names: Iterable[str]) -> None:
        """These did not answer when everybody was to."""
        if self.me.pulse is not None and self.options.style != "paper":
            self.signs = self.signs._replace(missed=self.signs.missed | (set(names) - set(self.me.pulse)))

    def prompt(self, template: str, long: bool = False, **extra: str) -> Prompt:
        r, style = self.reading(), self.options.style
        own = {"plan": self.plan_line(), "team": self.team_line(words.team(r)), **extra}
        values = words.values(r, self.memory, style, long, self.plan() if self.options.leader else None, own)
        return render(f"dynahmrc/{template}", style, values)

    def tell(self, pred: str, args: tuple[str, ...], value: Any, text: str, grounds: Sequence[Fact] = ()) -> None:
        """Say something inside a decision, as words and as a fact about what was said."""
        fact = Fact(pred, args, value, self.me.time, self.me.name)
        self.me.belief.tell(fact)
        self.me.say(text, facts=[fact, *grounds])

    def plan(self) -> str:
        plan = self.me.belief.value("team_plan")
        return plan if isinstance(plan, str) else ""

    def plan_line(self) -> str:
        """The plan as a robot's words: another robot wrote it, so that it is quoted and never an instruction. In a
        large team a robot is told its own part."""
        plan = clean(own_part(self.plan(), self.me.name, len(self.online())))
        return f'{self.leader or "The team"}\'s plan: "{plan}"' if plan else "There is no plan; decide for yourself."

    def team_line(self, cards: str) -> str:
        """The teammates by their cards; where only words travel, by what they said of themselves."""
        if self.options.share and not (self.words_alone and "unknown yet" in cards):
            return cards
        told = self.quotes("intro", [n for n in self.online() if n != self.me.name and self.said("intro", n)])
        return (
            " ".join(f"{names} says: {words}." for names, words in told)
            or f"{', '.join(n for n in self.online() if n != self.me.name) or 'nobody'}, unknown yet"
        )

    def said(self, pred: str, name: str) -> Any:
        """The words of a robot under a heading, or an empty text."""
        value = self.me.belief.value(pred, name)
        return value if isinstance(value, (str, tuple)) else ""

    def quotes(self, pred: str, names: Iterable[str], otherwise: str = "") -> list[tuple[str, str]]:
        """The words of robots under a heading, or else under another one; in a large team the same words once."""
        said = [(n, quoted(self.said(pred, n) or (self.said(otherwise, n) if otherwise else ""))) for n in names]
        return together(said, len(self.online()))

    def fresh(self, pred: str, name: str) -> bool:
        """True if a robot said something under a heading in this very moment."""
        fact = self.me.belief.fact(pred, name)
        return fact is not None and fact.time >= self.me.time

    def online(self) -> list[str]:
        return sorted({self.me.name, *self.me.heartbeat} - self.signs.missed)


LESSONS = frozenset({"allowed", "stand_allowed", "may_place"})  # learnt by failing, or from one who failed


def unheeding(belief: Belief) -> Belief:
    """A belief as one has it who never reads feedback: without what only a failure teaches."""
    found = Belief(belief.base, belief.listings)
    found.tell_all(f for f in (*belief.since(0), *belief.facts()) if f.pred not in LESSONS)  # what changed, what stands
    return found


def wait_until(arrived: Callable[[], bool]) -> Asking[None]:
    """Wait for words of others that are sure to be said, but not sure to arrive; then go on without them."""
    for _ in range(MOST_WAITED):
        if arrived():
            return
        yield []


def hear(mind: Mind, pred: str, anew: bool = False) -> Asking[None]:
    """Let everybody's words of a stage arrive; those of one who was asked twice come later. `anew`: since now."""
    for _ in range(1 + LATE):
        yield []
        mind.ears()
        if all(mind.said(pred, n) and not (anew and not mind.fresh(pred, n)) for n in mind.online()):
            return


def _echoes(words: str, asked: str) -> bool:
    """True if a reply only repeats the words in which its parts were described."""
    if len(words.split()) < 3:
        return False
    asked = asked.lower()
    return all(s.strip().lower() in asked for s in re.split(r"[.;!\n]", words) if s.strip())


def ask(
    mind: Mind, stage: str, prompt: Prompt, read: Callable[[str], T | Misread], choices: Any = None, who: str = ""
) -> Asking[T | Misread]:
    """Ask, and ask once more with the reason if the reply cannot be read."""

    def no_echo(reply: str) -> T | Misread:
        result = read(reply)
        if isinstance(result, str) and _echoes(result, prompt[0][1]):
            return Misread("it repeats what was asked for instead of answering it")
        return result

    request = Ask(who or mind.me.name, stage, mind.me.step, 0, prompt, choices)
    return (yield from ask_twice(request, read, "the lines asked for", no_echo))


# -- shifting the base ------------------------------------------------------------------------------------------------
# Shifting the base a little: a second call that shows a costmap around the robot and asks for a spot on it.
CELL_M = 0.2
HALF = 6  # cells of the costmap to each side


def shift(mind: Mind, r: Reading, first: Action) -> Asking[Action]:
    """The second call: a costmap around the robot, and a spot to choose on it. The rivals make it too."""
    thing = out_of_reach(r, first.why)
    if thing is None:
        return first if len(first.args) == 2 else Action(WAIT, (), "there is nothing here to move closer to")
    prompt = mind.prompt("move", object=thing, cell=f"{CELL_M:.1f}", costmap=costmap(r, thing))
    found = yield from ask(
        mind, "MV", prompt, lambda reply: replies.shift(reply) or replies.Misread("it has no two numbers")
    )
    if isinstance(found, replies.Misread):
        return first if len(first.args) == 2 else Action(WAIT, (), "unreadable reply: no shift", origin=UNREAD)
    return Action("move", found, first.why)


def out_of_reach(r: Reading, why: str = "") -> str | None:
    """A needed thing in view that the arm does not reach from here, the one named if there are several."""
    near = [t for t in r.missing if r.in_view(t) and r.spot(t) is not None]
    far = [t for t in near if r.card.gap(r.pose, r.spot(t)) > r.card.reach_m]  # type: ignore[arg-type]
    return next((t for t in far if replies.names_it(t, why)), far[0] if far else None)


def costmap(r: Reading, thing: str) -> str:
    """The surroundings as text, +y up."""
    spot: Any = r.spot(thing)
    tx, ty = round((spot[0] - r.pose[0]) / CELL_M), round((spot[1] - r.pose[1]) / CELL_M)
    rows = []
    for j in range(HALF, -HALF - 1, -1):
        row = ""
        for i in range(-HALF, HALF + 1):
            dx, dy = i * CELL_M, j * CELL_M
            if (i, j) == (0, 0):
                row += "R"
            elif (i, j) == (tx, ty):
                row += "T"
            elif r.look("move_free", r.name, dx, dy) is False:
                row += "#"
            else:
                near = r.card.gap((r.pose[0] + dx, r.pose[1] + dy), spot) <= r.card.reach_m
                row += "o" if near else "."
        rows.append(f"{row}  dy={j * CELL_M:+.1f}")
    rows.append(f"dx runs from {-HALF * CELL_M:+.1f} (left) to {HALF * CELL_M:+.1f} (right)")
    if not any("o" in row.partition(" ")[0] for row in rows[:-1]):
        rows.append(_between_the_signs(r, spot))
    return "\n".join(rows)


def _between_the_signs(r: Reading, spot: Any) -> str:
    """Room may be so narrow that no sign of the map falls on a good spot: then the map says where one is."""
    found = shift_for(r, spot)
    if found is None:
        return "No spot here is close enough."
    return f"No sign falls on it, but this spot is free and close enough: {found[0]:+.2f}, {found[1]:+.2f}"
