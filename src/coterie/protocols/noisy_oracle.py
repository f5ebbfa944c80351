"""A player that errs: it follows the teacher, and now and then does something else, or the same again after it failed.

The teacher labels whatever state that leads to, so that a pupil has seen how to get out of states in which the teacher
itself would never be.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import partial
from typing import Final

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Prompt, Reply
from coterie.core.seeds import rng_of
from coterie.models import Kind, Model, Options, inner_model, models, share_in
from coterie.protocols.dynahmrc.oracle import Oracle, answer
from coterie.protocols.dynahmrc.oracle_paper import is_paper, with_digests
from coterie.protocols.shared.conversation import unfolded
from coterie.protocols.shared.dialects import Part, retold
from coterie.protocols.shared.templates import first, read

PARTS: Final = ("makers", "unseen")  # dialects besides the held-out one, by name
AGAIN = 0.5  # of failures: the same is tried once more
_SKILL = re.compile(r"^(\w+)\(.*?\): ", re.M)
_DEED = re.compile(r"\d+ ((\w+)\([^;]*?\)) FAILED")
_PLACES = re.compile(r"^Places with their sides: (.*)$", re.M)
_THING = re.compile(r"\b[a-z]+(?:_[a-z]+)*_\d+\b")


class Straying(Oracle):
    """The text oracle, of whose actions a share is replaced by others that the prompt allows."""

    def __init__(self, share: float):
        self.share, self.name = share, f"straying:{share:g}"

    def said(self, ask: Ask) -> str:
        ask = ask._replace(prompt=tuple(unfolded(ask.prompt)))
        rng, right = random.Random(ask.seed), answer(ask.prompt)
        if of_table(ask.prompt[0][1]):
            return spoilt(right, "\n".join(t for _, t in ask.prompt), rng) if rng.random() < self.share else right
        text = told(ask.prompt)
        if "\nOption: " in right:
            return self._option(text, right, rng)
        if "You coordinate a team" in ask.prompt[0][1]:
            return self._orders(text, right, rng)
        if "\nLeader: " in right:
            return self._vote(ask, text, right)
        if "\nAction: " not in right:
            return right
        done = re.search(r"^Done lately: (.*)$", text, re.M)
        last = _DEED.match(done.group(1).split("; ")[-1]) if done else None
        if last is not None and rng.random() < AGAIN * min(1.0, 3 * self.share):
            return f"Thought: Once more.\nAction: {last.group(1)}"
        if rng.random() >= self.share:
            return right
        other = some_action(text, rng)
        return f"Thought: Let me try this.\nAction: {other}" if other else right

    def _vote(self, ask: Ask, text: str, right: str) -> str:
        """In some elections everybody votes for itself, round after round, so that a referee has to decide."""
        me = re.match(r"You are (\w+)\. Your team elects", ask.prompt[0][1])
        lines = re.findall(r"^(?:Goal|Candidates): .*$", text, re.M)  # the same for all who vote
        if me is None or rng_of("quarrel", *lines).random() >= self.share:
            return right
        return f"Thought: I can do it.\nLeader: {me.group(1)}"

    def _option(self, text: str, right: str, rng: random.Random) -> str:
        """Another of the options, among them what has just failed."""
        if rng.random() >= self.share:
            return right
        letters = re.findall(r"^([A-Z]{1,2})\. ", text, re.M)
        return f"Thought: Let me try this.\nOption: {rng.choice(letters)}" if letters else right

    def _orders(self, text: str, right: str, rng: random.Random) -> str:
        """Some of the robots are told something else."""
        lines = []
        for line in right.splitlines():
            name, mark, _ = line.partition(": ")
            able = re.search(rf"\b{re.escape(name)}: [^()]+ \(([^()]*)\)", text) if mark else None
            other = ""
            if able is not None and rng.random() < self.share:
                other = some_action(text, rng, [*able.group(1).split(", "), "wait"])
            lines.append(f"{name}: {other}" if other else line)
        return "\n".join(lines)


def told(prompt: Prompt) -> str:
    """The text of a prompt; where places and past stand apart in it, with the lines of a short one."""
    text = "\n".join(t for _, t in prompt)
    page = read(("dynahmrc/hmrc",), prompt) if "\nScene graph (" in text else None
    if page is None or not is_paper(page):
        return text
    page = with_digests(page)
    lines = ("Places with their sides", "places"), ("Work table", "table_line"), ("Done lately", "lately")
    return "\n".join([text, *(f"{head}: {page[slot]}" for head, slot in lines)])


def some_action(text: str, rng: random.Random, able: Sequence[str] = ()) -> str:
    """An action that can be read, whether it makes sense or not. `able`: of these skills; else of those in the text."""
    skills = [s for s in dict.fromkeys(able or _SKILL.findall(text)) if s != "communicate"]
    listed = _PLACES.search(text)
    places = [item.split(" ")[0] for item in listed.group(1).split(", ")] if listed else []
    table = re.search(r"^Work table: (\w+)", text, re.M)
    things = [t for t in dict.fromkeys(_THING.findall(text)) if t not in places]
    every = [*places, *([table.group(1)] if table else [])]
    for skill in rng.sample(skills, len(skills)):
        if skill == "navigate" and every:
            return f"navigate({rng.choice(every)}, {rng.randrange(3)})"
        if skill == "open" and places:
            return f"open({rng.choice(places)})"
        if skill == "pick" and things:
            return f"pick({rng.choice(things)})"
        if skill == "place" and things and every:
            return f"place({rng.choice(things)}, {rng.choice(every)})"
        if skill == "wait":
            return "wait()"
    return ""


models.put(
    "straying",
    Kind(
        "straying:SHARE",
        "the oracle, with a share of its actions replaced: for training",
        lambda rest, _: Straying(share_in("straying", rest, "other actions", 0.1)),
    ),
)


UNREADABLE = 0.3  # of what is spoilt
_OPPOSITES = {"yes": "no", "no": "yes", "agree": "object", "object": "agree"}


class Garbled(Oracle):
    """The oracle, of whose replies a share is spoilt."""

    def __init__(self, share: float, robot: str = ""):
        self.share, self.robot = share, robot
        self.name = f"garbled:{share:g}" + (f"@{robot}" if robot else "")

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        return [self._spoilt(ask, reply) for ask, reply in zip(asks, super().answer(asks))]

    def _spoilt(self, ask: Ask, reply: Reply) -> Reply:
        rng = random.Random(ask.seed)
        if rng.random() >= self.share or self.robot not in ("", ask.robot):
            return reply
        system = ask.prompt[0][1] if ask.prompt else ""
        if of_table(system) and "EXECUTE" not in reply.text:
            return reply
        if rng.random() < UNREADABLE:
            return reply._replace(text=f"Well, let me see. {reply.text[: len(reply.text) // 3]}")
        if of_table(system):
            return reply._replace(text=spoilt(reply.text, "\n".join(text for _, text in ask.prompt), rng))
        return reply._replace(text=misnamed(reply.text, "\n".join(text for _, text in ask.prompt), rng))


def misnamed(text: str, prompt: str, rng: random.Random) -> str:
    """The same reply with one name of the prompt for another of its kind, or with yes for no."""
    head, mark, last = text.rpartition("\n")
    named = _THING.findall(last)
    for name in sorted(set(named)):
        room = name.startswith("room_")
        others = sorted({n for n in _THING.findall(prompt) if n.startswith("room_") == room and n != name})
        if others:
            return head + mark + re.sub(rf"\b{name}\b", rng.choice(others), last)
    return head + mark + re.sub(r"\b(?:yes|no|agree|object)\b", lambda m: _OPPOSITES[m.group()], last)


def _make_garbled(rest: str, options: Options) -> Model:
    share, _, robot = rest.partition("@")
    return Garbled(share_in("garbled", share, "spoilt replies", 0.3), robot)


_GARBLED = "the oracle, with a share of its replies (to one robot) corrupted: a weaker model"
models.put("garbled", Kind("garbled:SHARE[@ROBOT]", _GARBLED, _make_garbled))


MARK = "around a table"  # in the first line of a planner's prompt
LOW = 0.05  # [m] below the table's top: where hands are sent to by a spoilt path
_LINE = re.compile(r"^(NAME (\w+) ACTION )(.*)$", re.M)
_POINT = re.compile(r"\((-?[\d.]+), (-?[\d.]+), (-?[\d.]+)\)")


def of_table(prompt: str) -> bool:
    return MARK in prompt.partition("\n")[0]


def spoilt(text: str, prompt: str, rng: random.Random) -> str:
    """The same reply with a plan that is not what was meant; one without a plan stays as it is."""
    lines = _LINE.findall(text)
    ways = [_exchanged, _renamed, _renamed, *([_sunk] if _POINT.search(text) else [])]
    rng.shuffle(ways)
    for way in ways if lines else ():
        new = way(text, prompt, rng)
        if new != text:
            return new
    return text


def _renamed(text: str, prompt: str, rng: random.Random) -> str:
    """One name of the plan for another of the prompt's objects or targets."""
    kinds = _listed(prompt)
    head, body = text.split("EXECUTE", 1)
    named = sorted({(word, n) for n, kind in enumerate(kinds) for word in kind if re.search(rf"\b{word}\b", body)})
    if not named:
        return text
    word, kind = rng.choice(named)
    others = [w for w in dict.fromkeys(kinds[kind]) if w != word]
    if not others:
        return text
    return f"{head}EXECUTE" + re.sub(rf"\b{word}\b", rng.choice(others), body, count=1)


def _exchanged(text: str, prompt: str, rng: random.Random) -> str:
    """Two robots get each other's part."""
    lines = _LINE.findall(text)
    if len(lines) < 2:
        return text
    (_, a, mine), (_, b, theirs) = rng.sample(lines, 2)
    part = {a: theirs, b: mine}
    return _LINE.sub(lambda m: f"{m[1]}{part.get(m[2], m[3])}", text)


def _sunk(text: str, prompt: str, rng: random.Random) -> str:
    """A hand is sent through the table."""
    return _POINT.sub(lambda m: f"({m.group(1)}, {m.group(2)}, {LOW:.2f})", text, count=rng.randint(1, 4))


def _listed(prompt: str) -> list[list[str]]:
    """The objects and the targets that a prompt names."""
    heads = ("Objects", "Targets")
    return [re.findall(r"[\w-]+", "".join(re.findall(rf"^{head}: (.*)$", prompt, re.M))) for head in heads]


class Mistaken(Oracle):
    """The oracle with wrong opinions about a share of all things at the table, always in the same way: about a thing by
    its name, wherever it lies; `stubborn`: as it lies in a job, so that it may be right where it lies elsewhere."""

    def __init__(self, share: float, stubborn: bool = False):
        self.share, self.kind = share, "stubborn" if stubborn else "mistaken"
        self.name = f"{self.kind}:{share:g}"

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        replies = zip(asks, super().answer(asks))
        return [r._replace(text=self._wrong(r.text, "\n".join(t for _, t in ask.prompt))) for ask, r in replies]

    def _wrong(self, text: str, prompt: str) -> str:
        things, targets = _listed(prompt)

        def one(m: re.Match[str]) -> str:
            named = [word for word in re.findall(r"[\w-]+", m[3].partition(" PATH")[0]) if word in {*things, *targets}]
            key = self._about(named[0], prompt) if named else ()
            if not named or rng_of(self.kind, *key).random() >= self.share:
                return m[0]
            wrong, kind = (named[1], targets) if len(named) > 1 else (named[0], things)
            others = [word for word in dict.fromkeys(kind) if word not in named]
            other = rng_of(self.kind, *key, *others).choice(others) if others else wrong
            return m[1] + re.sub(rf"\b{wrong}\b", other, m[3], count=1)

        return _LINE.sub(one, text)

    def _about(self, thing: str, prompt: str) -> tuple[str, ...]:
        """The facts that decide whether it is wrong about a thing."""
        if self.kind == "mistaken":
            return (thing,)
        job, seen = first(r"^Task: ([\w-]+)\.", prompt), first(r"^All see: (.*?)\.?$", prompt)
        return (job, thing, next((e for e in seen.split("; ") if re.match(rf"{re.escape(thing)}\b", e)), ""))


def _make_mistaken(kind: str, rest: str, options: Options) -> Model:
    return Mistaken(share_in(kind, rest, "things it errs about", 0.2), kind == "stubborn")


_ERRS = "the oracle, wrong about a share of things at the table, always in the same way"
for _kind, _about in (("mistaken", _ERRS), ("stubborn", f"{_ERRS} while they lie where they do")):
    models.put(_kind, Kind(f"{_kind}:SHARE", _about, partial(_make_mistaken, _kind)))


class Reworded:
    """Another model, to which teammates speak as in a part of the dialects that no training draws from."""

    def __init__(self, model: Model, share: float = 1.0, part: Part = "held"):
        self.model, self.share, self.part = model, share, part
        how = part if part != "held" else f"{share:g}" if share != 1.0 else ""
        self.name = ":".join(filter(None, ("reworded", how, model.name)))

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        return self.model.answer([ask._replace(prompt=retold(ask.prompt, self.part, self._draw)) for ask in asks])

    def _draw(self, words: str) -> random.Random | None:
        rng = rng_of("reworded", words)
        return rng if rng.random() < self.share else None


def _make_reworded(rest: str, options: Options) -> Model:
    head, mark, model = rest.partition(":")
    shared = head.replace(".", "", 1).isdigit()
    if mark and not model and (shared or head in PARTS):
        raise CoterieError(f"'reworded:{rest}' is no model: name one after it, like reworded:{head}:oracle.")
    for part in PARTS:
        if mark and head == part:
            return Reworded(inner_model(model, options), part=part)
    share = share_in("reworded", head, "what is said otherwise", 0.5) if mark and shared else 1.0
    return Reworded(inner_model(model if mark and shared else rest, options), share)


_REWORDED = "MODEL, to which teammates speak a dialect (reworded:0.5:MODEL: half of it; makers, unseen: others)"
models.put("reworded", Kind("reworded:MODEL", _REWORDED, _make_reworded))
