"""Search with a language model as common sense: where unseen targets may be, and which actions to try first.

The model is asked once for every set of missing targets, and once per robot for every situation; answers are kept. A
reply that cannot be read is no advice: the search goes on as if all were alike, and `unread` counts it.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence

from coterie.core.protocol import Ask, Prompt, Reply, RobotView, TeamView
from coterie.core.replies.sections import spoken
from coterie.protocols.dynahmrc.oracle import answers, decided
from coterie.protocols.dynahmrc.oracle_scene import division, needed_of
from coterie.protocols.mcts import Mcts, Places, Policy
from coterie.protocols.mcts.model import NAVIGATE, OPEN, PICK, PLACE, WAIT, Model
from coterie.protocols.mcts.search import Search
from coterie.protocols.shared import words
from coterie.protocols.shared.memory import Memory
from coterie.protocols.shared.reading import Reading
from coterie.protocols.shared.templates import Page, render

STAND = "stand_pose_"  # which prompts leave out
_CALL = re.compile(r"([A-Za-z]+)\s*\(([^()\n]{0,200})\)")

Asks = Generator[list[Ask], Sequence[Reply], Places]


class LlmMcts(Mcts):
    about = "tree search with a language model's advice on places and actions"
    prompts = "mcts"
    replies = {"places": 128, "policy": 64}
    stages = {"places": "where things may be", "policy": "what to try first"}

    def __init__(self, iterations: int = 1000, style: str = "compact"):
        super().__init__(iterations)
        self.style = style
        self.unread = 0  # replies without any advice in them
        self._places: dict[tuple[str, ...], Places] = {}
        self._replies: dict[Prompt, str] = {}  # to policies; read anew each time, since numbers may have changed
        self._advised: dict[int, dict[int, float]] = {}  # of this decision, by robot

    def places(self, team: TeamView, model: Model, idle: Sequence[str]) -> Asks:
        missing = tuple(model.things[t] for t, _, _ in model.guesses)
        if not missing:
            return {}
        if missing not in self._places:
            prompt = places_prompt(team.robots[idle[0]], model, missing, self.style)
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
                prompts[r] = policy_prompt(team.robots[name], model, r, self.handling_first, self.style)
        new = [r for r, p in prompts.items() if p not in self._replies]
        if new:
            replies = yield [Ask(model.robots[r], "policy", team.step, 0, prompts[r]) for r in new]
            self._replies.update({prompts[r]: reply.text for r, reply in zip(new, replies)})
        self._advised = {r: read_actions(self._replies[p], model) for r, p in prompts.items()}
        self.unread += sum(not self._advised[r] for r in new)
        return {(r, a): weight for r, advice in self._advised.items() for a, weight in advice.items()}

    def why(self, search: Search, r: int, a: int) -> str:
        tried = super().why(search, r, a)
        advice = self._advised.get(r)
        if advice is None:
            return tried
        if not advice:
            return f"{tried} The advice could not be read.".strip()
        return f"{tried} As advised.".strip() if a in advice else tried


# -- asking -----------------------------------------------------------------------------------------------------------
def places_prompt(me: RobotView, model: Model, missing: Sequence[str], style: str = "compact") -> Prompt:
    """The places nobody has looked at, or all where that says nothing, and what is missing."""
    unseen, lines = model.bits(model.start.unseen), []
    for f in [model.furniture[i] for i in unseen] or model.furniture:
        shut = ", a container" if me.look("openable", f) else ""
        lines.append(_plain(f"- {f} ({me.look('room', f)}{shut})"))
    return render("mcts/places", style, {"homes": "\n".join(lines), "missing": _plain(", ".join(missing))})


def policy_prompt(me: RobotView, model: Model, r: int, handling_first: bool, style: str = "compact") -> Prompt:
    """One robot's situation from what all know; no step number, so that the same situation is the same prompt."""
    values = words.values(Reading(me), Memory(0), style)
    failed = ""
    if me.outcome is not None and not me.outcome.ok:
        failed = _plain(f"{me.outcome.action} failed: {me.outcome.reason}")
    own = {"others": _others(model, r), "failed": failed, "options": "; ".join(_options(model, r, handling_first))}
    return render("mcts/policy", style, values.but(own))


def _others(model: Model, r: int) -> str:
    """Where the teammates are and what they hold, which nobody needs to say in a team that pools its beliefs."""
    parts, s = [], model.start
    for o, name in enumerate(model.robots):
        at = model.loc_furniture[s.loc[o]]
        hand = f" with {model.things[s.held[o]]}" if s.held[o] >= 0 else ""
        if o != r:
            parts.append(f"{name} is at {model.furniture[at] if at >= 0 else 'no furniture'}{hand}.")
    return _plain(" ".join(parts))


def _options(model: Model, r: int, handling_first: bool) -> list[str]:
    """The actions that the search may choose from now; the sides of one piece of furniture are named together."""
    out: list[str] = []
    sides: dict[str, list[str]] = {}
    for a in model.actions(model.start, r, (), handling_first):
        skill, args = model.words(model.start, r, a)
        if skill == "navigate":
            sides.setdefault(args[0], []).append(args[1].removeprefix(STAND))
        else:
            out.append(f"{skill}({', '.join(args)})")
    return [_plain(o) for o in [*out, *(f"navigate({f}, {'|'.join(stands)})" for f, stands in sides.items())]]


def _plain(text: str) -> str:
    """Names and feedback stay on their line."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


# -- reading ----------------------------------------------------------------------------------------------------------
def read_places(text: str, missing: Sequence[str], furniture: Sequence[str]) -> Places:
    """For each thing the places named on its line, or on any line where none has the thing; the first counts most."""
    lines = spoken(text).splitlines()
    found: dict[str, dict[str, float]] = {}
    for thing in missing:
        own = [line for line in lines if _mentions(line, [thing])]
        named = list(dict.fromkeys(n for line in own or lines for n in _mentions(line, furniture)))
        if named:
            found[thing] = {n: 1.0 / (i + 1) for i, n in enumerate(named)}
    return found


def read_actions(text: str, model: Model) -> dict[int, float]:
    """Actions written as calls; failing that, things, furniture and platforms that are mentioned at all."""
    text = spoken(text)
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
    said = re.findall(r"[0-9]+", inside.partition(",")[2])
    wanted = [k for k in sides if str(model.loc_stand[k]).removeprefix(STAND) in said]
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


MOST = 3  # of what each prompt asks for


def _places(page: Page) -> str:
    """Open places first, since they are seen soonest; without knowledge of habits, things are spread over them."""
    listed = re.findall(r"^- (\S+) \((.*)\)$", page["homes"], re.M)
    places = [p for p, about in listed if "container" not in about] + [p for p, about in listed if "container" in about]
    lines = []
    for i, thing in enumerate(page["missing"].split(", ")):
        start = MOST * i % max(1, len(places))
        lines.append(f"{thing}: {', '.join((places[start:] + places[:start])[:MOST])}")
    return "\n".join(lines)


def _policy(page: Page) -> str:
    """The action that DynaHMRC's oracle would take; where the search has no such action, what is at hand."""
    listed = page["options"].split("; ")
    told = f'0 communicate("{" ".join(needed_of(page))}") ok'
    _, action = decided(page.but(plan=f'The plan: "{division(page)}"', lately=told, step="0", options=""))
    if any(_means(option, action) for option in listed):
        return action
    return "\n".join([o for o in listed if o.startswith(("place(", "pick(", "open("))][:MOST] or ["wait()"])


def _means(option: str, action: str) -> bool:
    """`navigate(bed, 0|2)` stands for both of its sides."""
    skill, _, inner = option.rstrip(")").partition("(")
    place, _, sides = inner.partition(", ")
    choices: Sequence[str] = sides.split("|") if skill == "navigate" else [sides]
    return action in [f"{skill}({', '.join(filter(None, (place, side)))})" for side in choices]


answers.update({"mcts/places": _places, "mcts/policy": _policy})
