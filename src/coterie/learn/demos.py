"""Demonstrations and corrections: episodes are played, and a teacher labels every request.

The teacher reads the prompt alone, so that whatever it knows, a pupil could know. Where the teacher plays itself, these
are demonstrations; where a pupil plays, they are corrections of the states that it reaches. Where another model plays
well in its own way, its actions may be what is learnt, and the teacher says why.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from coterie.bench.playing import Job, Running, Undrawn, dealt, side_by_side
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.protocol import Ask, Prompt, Reply
from coterie.core.seeds import rng_of
from coterie.learn.chosen import IDLE, SILENT, TALK, chosen, kind_of
from coterie.learn.rename import Renaming, shuffled
from coterie.learn.samples import WAITS, Sample, reworded, times
from coterie.learn.splits import spared
from coterie.models import Model
from coterie.models.choices import read_choices, snap
from coterie.protocols.dynahmrc.oracle import reasoned
from coterie.protocols.shared.templates import LENGTHS

Teacher = Callable[[Prompt], str]
Whose = Literal["teacher", "played"]  # the actions that are learnt
RENAMED = 0.9  # of samples
FROM_GRAPH = (480, 240)  # characters of a thought and of a message where much has to be found out from a scene graph
_MESSAGE = re.compile(r'communicate\("([^"]*)"(.*)', re.S)
_DRAFT = re.compile(r"Message: (.*)")
_ACTION = re.compile(r"^Action: .*$", re.M)
_FORMED = re.compile(r"Thought: .+\nAction: \w+\(.*\)")
_COUNTED_ON = re.compile(r"mug|cup|milk|cereal|\w+_handle|rope_\w+")  # at the table, by the teacher


class Played(NamedTuple):
    """The end of one episode, and the samples made of it."""

    config: Config
    success: bool
    steps: int
    samples: list[Sample]


def teach(prompt: Prompt) -> str:
    """The text oracle, with its reasons; it complains about prompts that it cannot read."""
    from coterie.protocols.dynahmrc.oracle import answer

    return answer(prompt, reasons=True)


class _Taken:
    """The requests of one episode, as they come."""

    def __init__(self, running: Running):
        self.running = running
        self.asked: list[tuple[Ask, str, bool]] = []
        self.before = Counter[tuple[object, ...]]()  # requests of one robot at one stage and step
        self._last: dict[str, str] = {}
        self.robots: dict[str, None] = {}  # all that were ever there

    def take(self, replies: Sequence[Reply]) -> None:
        self.robots.update(dict.fromkeys(self.running.world.robots()))
        for ask, reply in zip(self.running.asks, replies):
            found = chosen(ask.prompt, reply.text)
            same = bool(found) and self._last.get(ask.robot) == found and kind_of(found) not in IDLE
            if found and not found.startswith((SILENT, f"{TALK}: ")):  # what is drafted before it acts is no action
                self._last[ask.robot] = found
            self.asked.append((ask, reply.text, same))

    def names(self) -> list[str]:
        world: Any = self.running.world
        if not hasattr(world, "scene"):  # arms around a table, or houses, where names say what a thing is
            return [thing for thing in world.map().get(("things",), ()) if not _COUNTED_ON.fullmatch(thing)]
        scene, setting = world.scene, world.setting
        found = [x.name for x in (*scene.rooms, *scene.doors, *scene.furniture)]
        found += list(world.things)
        found += [p.name for p in getattr(setting, "platforms", ())]
        return found


def played(
    configs: Iterable[Config],
    player: Model,
    at_once: int = 1,
    teacher: Teacher = teach,
    rename: float = RENAMED,
    whose: Whose = "teacher",
) -> Iterator[Played]:
    """Episodes side by side, whose requests are put to the player together. `whose`: with "played", actions of the
    player that worked are the labels."""
    taken: dict[int, _Taken] = {}

    def answer(running: Sequence[Running]) -> None:
        replies = player.answer([ask for one in running for ask in one.asks])
        for one, mine in list(dealt(running, replies)):
            taken.setdefault(id(one), _Taken(one)).take(mine)
            one.go_on(mine)

    for one in side_by_side((job_of(c, "demonstration") for c in configs), at_once, answer):
        if isinstance(one, Undrawn):  # with this team in this house
            continue
        if one.crash is not None:
            raise one.crash
        found = taken.pop(id(one)) if id(one) in taken else _Taken(one)
        yield _labelled(found, teacher, rename, whose)


def job_of(config: Config, method: str) -> Job:
    """An episode that is played for no table."""
    return Job(f"{config.scene}/{config.seed}", method, config, {})


def _labelled(one: _Taken, teacher: Teacher, rename: float, whose: Whose) -> Played:
    config, end = one.running.config, one.running.log.events[-1]
    names, robots = one.names(), list(one.robots)
    rename = rename if names else 0.0
    told, found = config.to_json().__repr__(), list[Sample]()
    worked = _worked(one) if whose == "played" else None
    talks = _conversations(one)
    for number, (ask, said, same) in enumerate(one.asked):
        turns = talks[_beginning(ask)]
        if not ask.attempt and len(one.asked[turns[-1][0]][0].prompt) > len(ask.prompt):  # a conversation that goes on
            continue
        did = None if worked is None else [*(turn[-1] in worked for turn in turns[:-1]), number in worked]
        # Words are drawn for each request by itself: what other robots met has no part in a robot's samples.
        key = (ask.robot, ask.stage, ask.step, ask.attempt)
        rng = rng_of("samples", told, *key, one.before[key])
        one.before[key] += 1
        sample = _sample(ask, said, same, names, robots, rng, teacher, rename, did)
        if sample is None:
            continue
        found.append(sample)
        for _ in range(times(sample.rare) - 1):
            more = _sample(ask, said, same, names, robots, rng, teacher, rename, did)
            found += [more] if more is not None else []
    return Played(config, bool(end.data.get("success")), end.step, found)


def _conversations(one: _Taken) -> dict[tuple[object, ...], list[list[int]]]:
    """The turns of each conversation: the numbers of their requests, of which all but the first are repetitions."""
    talks: dict[tuple[object, ...], list[list[int]]] = {}
    for number, (ask, _, _) in enumerate(one.asked):
        turns = talks.setdefault(_beginning(ask), [])
        if ask.attempt and turns:
            turns[-1].append(number)
        else:
            turns.append([number])
    return talks


def _worked(one: _Taken) -> set[int]:
    """Requests whose action was done in the end; not those that failed, were refused or asked again."""
    events: list[Event] = one.running.log.events
    begun = {e.seq: e.step for e in events if e.kind == "act"}
    done = {
        (e.who, begun.get(e.causes[0], e.step) if e.causes else e.step)
        for e in events
        if e.kind == "outcome" and e.data["status"] == "done"
    }
    last = {(ask.robot, ask.stage, ask.step): number for number, (ask, _, _) in enumerate(one.asked)}
    return {number for (robot, _, step), number in last.items() if (robot, step) in done}


def _beginning(ask: Ask) -> tuple[object, ...]:
    return (ask.robot, ask.stage, ask.prompt[:2])


def _sample(
    ask: Ask, said: str, same: bool, names: list[str], robots: list[str], rng: random.Random, teacher: Teacher,
    rename: float, did: Sequence[bool] | None,
) -> Sample | None:  # fmt: skip
    """`did`: whether the action of each turn worked, where the player's are learnt; None: the teacher's are."""
    shown, held = spared(ask.prompt), read_choices(ask.choices)
    if shown is None:
        return None
    prompt = shown
    renaming = Renaming(names, robots, rng) if rng.random() < rename else None
    if renaming is not None:
        prompt, said = shuffled(renaming.prompt(prompt), rng), renaming.text(said)
    turns = [n for n, (role, _) in enumerate(prompt) if role == "assistant" and not ask.attempt]
    try:
        reply, *before = [_taught(prompt[:n], teacher) for n in (len(prompt), *turns)]
    except CoterieError:
        return None
    if renaming is not None:  # the teacher knows our own words alone; a pupil learns to read what means the same
        prompt = reworded(prompt, rng)
    if held.kind == "strings":  # the embedded model is held to saying one of them and nothing else
        allowed = [renaming.text(s) for s in held.value] if renaming is not None else held.value
        reply = snap(reply.rpartition(":")[2].strip(), allowed) or ""
    if did is not None and turns:
        return _as_played(Sample(ask.stage, prompt, said, step=ask.step), turns, did[-len(turns) - 1 :], rng)
    if did is not None and _ACTION.search(reply):
        if not did[-1]:
            return None
        reply, said, same = brief(reasoned(said, reply), _lengths(prompt)), "", False
    earlier = tuple(_worth(words, prompt[n][1], rng) for words, n in zip(before, turns))
    return Sample(ask.stage, prompt, reply, said if said != reply else "", same, ask.step, earlier) if reply else None


def _taught(prompt: Prompt, teacher: Teacher) -> str:
    return brief(teacher(prompt), _lengths(prompt))


def _lengths(prompt: Prompt) -> tuple[int, int]:
    return FROM_GRAPH if any("\nScene graph (" in text for _, text in prompt) else LENGTHS["compact"]


def _as_played(sample: Sample, turns: Sequence[int], did: Sequence[bool], rng: random.Random) -> Sample | None:
    """A conversation up to the last turn that worked, in which the player learns what it said itself, wherever that
    worked and has a thought and an action."""
    said = [*(sample.prompt[n][1] for n in turns), sample.reply]
    learnt = [_worth(text, text, rng) if ok and _FORMED.fullmatch(text) else "" for text, ok in zip(said, did)]
    last = max((n for n, text in enumerate(learnt) if text), default=None)
    if last is None:
        return None
    prompt = sample.prompt[: [*turns, len(sample.prompt)][last]]
    return sample._replace(prompt=prompt, reply=learnt[last], earlier=tuple(learnt[:last]))


def _worth(reply: str, said: str, rng: random.Random) -> str:
    """What is learnt in an earlier turn of a conversation: of waiting that was right only a share."""
    idle = reply.endswith("Action: wait()") and said.endswith("Action: wait()")
    return "" if idle and rng.random() >= WAITS else reply


def brief(reply: str, lengths: tuple[int, int] = LENGTHS["compact"]) -> str:
    """With a thought and a message that are no longer than the grammar lets them be: a message loses whole sentences
    from its end, for half a name would be wrong."""
    head, mark, rest = reply.partition("\nAction: ")
    if not mark:
        head, mark, rest = reply.partition("\nOption: ")
    if not mark:
        draft = _DRAFT.fullmatch(reply)
        return f"Message: {_shorter(draft[1], lengths[1])}" if draft else reply
    thought, (most, words) = head.removeprefix("Thought: "), lengths
    if len(thought) > most:
        head = f"Thought: {thought[: most - 1].rpartition(' ')[0].rstrip(' ,;:.')}."
    if (found := _MESSAGE.fullmatch(rest)) and len(found[1]) > words:
        rest = f'communicate("{_shorter(found[1], words)}"{found[2]}'
    return head + mark + rest


def _shorter(told: str, most: int) -> str:
    if len(told) <= most:
        return told
    some = told[: most + 1]
    cut = some.rfind(". ") if ". " in some else max(some.rfind("; "), some.rfind(", "))
    return f"{some[:cut].rstrip(' ,;.')}." if cut > 0 else told
