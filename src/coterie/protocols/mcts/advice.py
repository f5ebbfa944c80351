"""Search with a language model as common sense: where unseen targets may be, and which actions to try first.

The model is asked once for every set of missing targets, and once per robot for every situation; answers are kept. A
reply that cannot be read is no advice: the search goes on as if all were alike, and `unread` counts it.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence

from coterie.core.protocol import Ask, Prompt, Reply, RobotView, TeamView
from coterie.protocols.mcts.model import NAVIGATE, OPEN, PICK, PLACE, WAIT, Model
from coterie.protocols.mcts.protocol import Mcts, Places, Policy
from coterie.protocols.mcts.search import Search

MOST_CHARS = 4000  # of a reply that are read
_CALL = re.compile(r"([A-Za-z]+)\s*\(([^()\n]{0,200})\)")

PLACES_SYSTEM = (
    "You know how people keep their homes. Robots look for things; tell them where to look first. "
    "Answer with one line for each thing: its name, a colon, and up to three places, the likeliest first."
)
POLICY_SYSTEM = (
    "You advise {name}, {about}, in a team of robots. {goal} "
    "Name up to three actions that {name} should try next, the best first, one on each line, written as they are "
    "listed. Add nothing else."
)

Asks = Generator[list[Ask], Sequence[Reply], Places]


class LlmMcts(Mcts):
    about = "tree search with a language model's advice on places and actions"

    def __init__(self, iterations: int = 1000):
        super().__init__(iterations)
        self.unread = 0  # replies without any advice in them
        self._places: dict[tuple[str, ...], Places] = {}
        self._policies: dict[Prompt, dict[int, float]] = {}
        self._advised: dict[int, dict[int, float]] = {}  # of this decision, by robot

    def places(self, team: TeamView, model: Model, idle: Sequence[str]) -> Asks:
        missing = tuple(model.things[t] for t, _, _ in model.guesses)
        if not missing:
            return {}
        if missing not in self._places:
            prompt = places_prompt(team.robots[idle[0]], model, missing)
            (reply,) = yield [Ask(idle[0], "places", team.step, 0, prompt)]
            self._places[missing] = read_places(reply.text, missing, model.furniture)
            self.unread += not self._places[missing]
        return self._places[missing]

    def policy(
        self, team: TeamView, model: Model, idle: Sequence[str]
    ) -> Generator[list[Ask], Sequence[Reply], Policy]:
        prompts: dict[int, Prompt] = {}
        for r, name in enumerate(model.robots):
            if name in idle and len(model.actions(model.start, r, (), self.handling_first)) > 1:
                prompts[r] = policy_prompt(team.robots[name], model, r, self.handling_first)
        new = [r for r, p in prompts.items() if p not in self._policies]
        if new:
            replies = yield [Ask(model.robots[r], "policy", team.step, 0, prompts[r]) for r in new]
            for r, reply in zip(new, replies):
                self._policies[prompts[r]] = read_actions(reply.text, model)
                self.unread += not self._policies[prompts[r]]
        self._advised = {r: self._policies[p] for r, p in prompts.items()}
        return {(r, a): weight for r, advice in self._advised.items() for a, weight in advice.items()}

    def why(self, search: Search, r: int, a: int) -> str:
        words = super().why(search, r, a)
        advice = self._advised.get(r)
        if advice is None:
            return words
        if not advice:
            return f"{words} The advice could not be read.".strip()
        return f"{words} As advised.".strip() if a in advice else words


# -- asking -----------------------------------------------------------------------------------------------------------
def places_prompt(me: RobotView, model: Model, missing: Sequence[str]) -> Prompt:
    lines = []
    for f in model.furniture:
        shut = ", a container" if me.look("openable", f) else ""
        lines.append(f"- {f} ({me.look('room', f)}{shut})")
    text = f"Places:\n{_lines(lines)}\nMissing: {_plain(', '.join(missing))}"
    return (("system", PLACES_SYSTEM), ("user", text))


def policy_prompt(me: RobotView, model: Model, r: int, handling_first: bool) -> Prompt:
    """What never changes first, then what does; no step number, so that the same situation is the same prompt."""
    goal = me.belief.value("goal")
    system = POLICY_SYSTEM.format(name=me.name, about=me.card.about, goal=_plain(goal.text()))  # type: ignore[attr-defined]
    s = model.start
    lines = []
    for o, name in enumerate(model.robots):
        at = model.loc_furniture[s.loc[o]]
        hand = model.things[s.held[o]] if s.held[o] >= 0 else "nothing"
        lines.append(f"{name} is at {model.furniture[at] if at >= 0 else 'no furniture'} and holds {hand}.")
    for p, inside in zip(model.platforms, s.inside):
        if inside:
            lines.append(f"On {p}: {', '.join(model.things[t] for t in inside)}.")
    for t in model.bits(s.wants):
        place = model.pos_place[s.pos[t]]
        if place < len(model.furniture):
            lines.append(f"{model.things[t]} is at {model.furniture[place]}.")
    if s.hidden:
        lines.append(f"Not found yet: {', '.join(model.things[t] for t in model.bits(s.hidden))}.")
        lines.append(
            f"Nobody has looked at: {', '.join(model.furniture[f] for f in model.bits(s.unseen)) or 'nothing'}."
        )
    if me.outcome is not None and not me.outcome.ok:
        lines.append(f"{me.outcome.action} failed: {me.outcome.reason}")
    lines.append(f"Actions: {'; '.join(_options(model, r, handling_first))}")
    return (("system", system), ("user", _lines(lines)))


def _options(model: Model, r: int, handling_first: bool) -> list[str]:
    out: list[str] = []
    sides: dict[str, list[str]] = {}
    for a in model.actions(model.start, r, (), handling_first):
        skill, args = model.words(model.start, r, a)
        if skill == "navigate":
            sides.setdefault(args[0], []).append(args[1])
        else:
            out.append(f"{skill}({', '.join(args)})")
    return out + [f"navigate({f}, {'|'.join(stands)})" for f, stands in sides.items()]


def _plain(text: str) -> str:
    """Names and feedback stay on their line."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _lines(lines: Sequence[str]) -> str:
    return "\n".join(_plain(line) for line in lines)


# -- reading ----------------------------------------------------------------------------------------------------------
def read_places(text: str, missing: Sequence[str], furniture: Sequence[str]) -> Places:
    """For each thing the places named on its line, or on any line where none has the thing; the first counts most."""
    lines = text[:MOST_CHARS].splitlines()
    found: dict[str, dict[str, float]] = {}
    for thing in missing:
        own = [line for line in lines if _mentions(line, [thing])]
        named = list(dict.fromkeys(n for line in own or lines for n in _mentions(line, furniture)))
        if named:
            found[thing] = {n: 1.0 / (i + 1) for i, n in enumerate(named)}
    return found


def read_actions(text: str, model: Model) -> dict[int, float]:
    """Actions written as calls; failing that, things, furniture and platforms that are mentioned at all."""
    text = text[:MOST_CHARS]
    weights: dict[int, float] = {}
    rank = 0
    for skill, inside in _CALL.findall(text):
        numbers = _numbers(skill.lower(), inside, model)
        for a in numbers:
            weights.setdefault(a, 1.0 / ((rank + 1) * len(numbers)))
        rank += bool(numbers)
    if weights:
        return weights
    for i, name in enumerate(_mentions(text, [*model.things, *model.furniture, *model.platforms])):
        numbers = [a for skill in ("pick", "navigate", "open", "place") for a in _numbers(skill, name, model)]
        for a in numbers:
            weights.setdefault(a, 1.0 / ((i + 1) * len(numbers)))
    return weights


def _numbers(skill: str, inside: str, model: Model) -> list[int]:
    """Actions of the model that a call may mean: one, or several where it leaves the stand pose open."""
    if skill == "wait":
        return [WAIT]
    if skill == "pick":
        return [PICK + model.things.index(t) for t in _mentions(inside, model.things)[:1]]
    if skill == "place":
        places = [*model.furniture, *model.platforms]
        return [PLACE + places.index(p) for p in _mentions(inside, places)[-1:]]
    named = _mentions(inside, model.furniture)[:1]
    if skill == "open":
        return [OPEN + model.furniture.index(f) for f in named]
    if skill != "navigate" or not named:
        return []
    f = model.furniture.index(named[0])
    sides = [k for k, at in enumerate(model.loc_furniture) if at == f and model.loc_stand[k] is not None]
    wanted = [k for k in sides if _mentions(inside, [str(model.loc_stand[k])])]
    return [NAVIGATE + k for k in wanted or sides]


def _mentions(text: str, names: Sequence[str]) -> list[str]:
    """Which names occur as whole words, in the order of their first appearance."""
    low = text.lower()
    found = []
    for name in names:
        match = re.search(rf"(?<![\w-]){re.escape(name.lower())}(?![\w-])", low)
        if match:
            found.append((match.start(), name))
    return [name for _, name in sorted(found)]
