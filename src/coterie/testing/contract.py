"""The contracts of robot cards, protocols and models."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable, Container, Sequence
from dataclasses import fields
from typing import Any, NamedTuple, get_args

from coterie.core.action import Action
from coterie.core.card import MOBILITIES, Card
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.event import from_line
from coterie.core.expr import fluents
from coterie.core.facts import Belief
from coterie.core.protocol import Ask, Asking, Decision, Option, Party, Reply, Sees, TeamProtocol, TeamView, sound_reply
from coterie.core.skills import Skills
from coterie.core.task import Change, Task
from coterie.core.world import World
from coterie.episode.loop import Settings, run
from coterie.episode.setup import build
from coterie.log.file import Log
from coterie.models.chat import Model, NoModel
from coterie.testing.must import face, first_difference, must, must_be_json, short
from coterie.worlds import worlds

Answer = Callable[[Sequence[Ask]], Sequence[Reply]]
_TURNS = 1000  # more requests in one decision than any protocol needs
_QUIET = 16  # and more barriers in a row at which it neither asks nor says anything


# -- robots -------------------------------------------------------------------------------------------------------
def check_robot(card: Card, skills: Container[str] | None = None) -> None:
    """The card makes sense: its skills exist in `skills`, its numbers can be true, it survives JSON.

    Without `skills`, they are those of the world in which the body is registered, or of one that has them all.
    """
    must(isinstance(card, Card), f"A robot is described by a Card, not by {short(card)}.")
    for name in ("body", "name", "about"):
        text = getattr(card, name)
        must(isinstance(text, str) and text.strip() and "\n" not in text, f"`{name}` must be one line of text.")
    must(
        card.mobility in MOBILITIES, f"{card.body}: mobility is {card.mobility!r}, not one of {', '.join(MOBILITIES)}."
    )
    must(isinstance(card.skills, tuple), f"{card.body}: `skills` must be a tuple of names.")
    must(card.skills, f"{card.body} has no skills, so it can do nothing.")
    must(len(set(card.skills)) == len(card.skills), f"{card.body}: a skill is listed twice in {card.skills}.")
    known = skills if skills is not None else _skills_for(card)
    for skill in card.skills:
        must(skill in known, f"{card.body}: there is no skill '{skill}'.")
    for f in fields(card):
        value = getattr(card, f.name)
        if f.name.endswith(("_m", "_mps", "_kg")) and not (value is None and f.default is None):
            number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
            must(number, f"{card.body}: `{f.name}` is {value!r}, not a number.")
            must(value >= 0 or f.name == "reach_low_m", f"{card.body}: `{f.name}` is {value}; it cannot be negative.")
    must(card.footprint_m > 0 and card.height_m > 0, f"{card.body}: a body has a footprint and a height above 0.")
    must(not card.moves or card.speed_mps > 0, f"{card.body}: a {card.mobility} robot needs a speed above 0.")
    must(card.reach_low_m <= card.reach_high_m, f"{card.body}: `reach_low_m` is above `reach_high_m`.")
    must(not card.manipulates or card.reach_m > 0, f"{card.body} takes things up, so it needs `reach_m` above 0.")
    declared = [known.get(s) for s in card.skills] if isinstance(known, Skills) else []
    for able in declared:
        judged = {f.pred for c in able.when for f in fluents(c.expr) if f.args == ("?robot",)}
        lacks = [n for n in ("reach_m", "payload_kg") if n.rpartition("_")[0] in judged and not getattr(card, n)]
        must(not lacks, f"{card.body} can `{able.name}`, so it needs {' and '.join(f'`{n}`' for n in lacks)} above 0.")
    battery = card.battery_steps
    must(
        battery is None or (isinstance(battery, int) and battery >= 1), f"{card.body}: `battery_steps` is {battery!r}."
    )
    must_be_json(card, f"The card of {card.body}")
    data = json.loads(json.dumps(card.to_json()))
    must(Card.from_json(data) == card, f"The card of {card.body} does not survive JSON.")


def _skills_for(card: Card) -> Skills:
    """Of the world that has this very body; else of the one that has most of its skills."""
    entries = [entry for _, entry in worlds.items()]
    home = next((e for e in entries if card.body in e.bodies and set(card.skills) & set(e.skills)), None)
    home = home or max(entries, key=lambda e: sum(s in e.skills for s in card.skills))
    return home.skills


# -- models -------------------------------------------------------------------------------------------------------
_PROMPTS = ("Say yes.", "Say no.", "Ça va? 你好", "", "word " * 500)


def check_model(model: Any, asks: Sequence[Ask] | None = None, deterministic: bool = True) -> None:
    """N requests get N replies in their order; with `deterministic`, each the same in company as alone."""
    must(isinstance(getattr(model, "name", None), str) and model.name, "A model needs a `name`.")
    must(callable(getattr(model, "answer", None)), f"The model '{model.name}' needs a method `answer(asks)`.")
    if asks is None:
        asks = [
            Ask("Alice", "test", i, 0, (("system", "Be brief."), ("user", t)), None, i) for i, t in enumerate(_PROMPTS)
        ]
    must(list(model.answer([])) == [], f"The model '{model.name}' must give no reply to no request.")
    together = _replies(model, asks)
    if deterministic:
        for ask, reply in zip(asks, together):
            (alone,) = _replies(model, [ask])
            must(
                alone.text == reply.text,
                f"The model '{model.name}' answered {short(ask.prompt)} with {short(reply.text)} in a batch and with "
                f"{short(alone.text)} alone; replies must come in the order of the requests and not depend on company.",
            )


def _replies(model: Any, asks: Sequence[Ask]) -> list[Reply]:
    replies = list(model.answer(list(asks)))
    must(len(replies) == len(asks), f"The model '{model.name}' gave {len(replies)} replies to {len(asks)} requests.")
    for reply in replies:
        try:
            sound_reply(reply).text.encode()
        except CoterieError as err:
            raise AssertionError(f"The model '{model.name}': {err}") from err
        except UnicodeEncodeError as err:
            raise AssertionError(f"The model '{model.name}' gave text that no log can hold: {err}.") from err
    return replies


# -- protocols ----------------------------------------------------------------------------------------------------
class Trial(NamedTuple):
    """An episode that is ready to begin. Everything in it is fresh, so that it can be played again."""

    world: World
    task: Task
    parties: Sequence[Party]
    answer: Answer
    settings: Settings = Settings()


def check_protocol(
    make_protocol: Callable[[], TeamProtocol],
    make_episode: Callable[[Callable[[], TeamProtocol]], Trial],
    cuts: int = 5,
) -> None:
    """Plays `make_episode(make_protocol)` a few times: whole, again, and resumed at `cuts` places of its log.

    Every decision is watched. The replies of the first play are given again in the others, so that a model that
    cannot repeat itself does no harm.
    """
    made = make_protocol()
    must(isinstance(made, TeamProtocol), f"{short(made)} is not a TeamProtocol.")
    name = type(made).__name__
    must(made.sees in get_args(Sees), f"{name}.sees is {made.sees!r}, not one of {', '.join(get_args(Sees))}.")
    trial = make_episode(_watched(make_protocol, name))
    first = _lines(trial, trial.answer, [])
    must(
        any(from_line(line).kind in ("act", "did") for line in first),
        f"{name} was never asked to decide in this episode.",
    )
    replies = [Reply(**e.data) for e in map(from_line, first) if e.kind == "reply"]
    for i in range(cuts + 1):
        past = first[: len(first) * i // (cuts + 1)]
        trial = make_episode(_watched(make_protocol, name))
        lines = _lines(trial, _again(replies, past), past)
        how = f"when resumed after line {len(past)}" if past else "when run again with the same seed and replies"
        must(lines == first, f"{name} gives another log {how}: {first_difference(first, lines)}.")


def _lines(trial: Trial, answer: Answer, past: list[str]) -> list[str]:
    log = Log(past=past)
    run(trial.world, trial.task, trial.parties, log, answer, trial.settings)
    return log.lines()


def _again(replies: Sequence[Reply], past: Sequence[str]) -> Answer:
    rest = iter(replies[sum(from_line(line).kind == "reply" for line in past) :])
    return lambda asks: [next(rest, Reply("")) for _ in asks]


def _watched(make: Callable[[], TeamProtocol], name: str) -> Callable[[], TeamProtocol]:
    beliefs: dict[str, Belief] = {}  # of all robots in this episode, so that meddling across minds is noticed
    return lambda: _Watched(make(), name, beliefs)


class _Watched(TeamProtocol):
    """A protocol that is looked at while it decides."""

    def __init__(self, inner: TeamProtocol, name: str, beliefs: dict[str, Belief]):
        self.inner, self.name, self.beliefs = inner, name, beliefs
        self.sees = inner.sees

    def told(self, change: Change) -> None:
        self.inner.told(change)

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        self._check_view(team, idle)
        self.beliefs.update({n: v.belief for n, v in team.robots.items()})
        deciding = self.inner.decide(team, list(idle))
        must(
            inspect.isgenerator(deciding), f"{self.name}.decide must be a generator: `yield` at least once in its body."
        )
        replies: Sequence[Reply] | None = None
        quiet = 0
        for _ in range(_TURNS):
            before = self._untouchable(team)
            try:
                asks = deciding.send(replies)  # type: ignore[arg-type]
            except StopIteration as end:
                self._check_untouched(before, team)
                return self._decisions(end.value, idle)
            self._check_untouched(before, team)
            self._check_asks(asks, team)
            quiet = 0 if asks else quiet + 1
            if quiet > _QUIET:
                raise AssertionError(f"{self.name}.decide stood at {quiet} barriers in a row and came to no end.")
            replies = yield asks
        raise AssertionError(f"{self.name}.decide yielded {_TURNS} times in one decision and came to no end.")

    def _check_view(self, team: TeamView, idle: Sequence[str]) -> None:
        if self.sees == "own":
            must(
                list(team.robots) == list(idle), f"{self.name} sees its own robot only, yet it was shown {team.robots}."
            )
        if self.sees != "truth":
            must(team.world is None and team.task is None, f"{self.name} may not see the truth, yet it was shown it.")

    def _untouchable(self, team: TeamView) -> tuple[dict[str, int], str]:
        """Beliefs are written by sight and messages; a mind may note what it concludes in its own belief alone."""
        own = team.robots if self.sees == "own" else ()
        cursors = {n: b.cursor for n, b in self.beliefs.items() if n not in own}
        return cursors, face(team.world) if team.world is not None else ""

    def _check_untouched(self, before: tuple[dict[str, int], str], team: TeamView) -> None:
        cursors, world = self._untouchable(team)
        for robot, cursor in before[0].items():
            must(cursors.get(robot) == cursor, f"{self.name} wrote into the belief of {robot} while deciding.")
        must(world == before[1], f"{self.name} left the world in another state than it found it in while deciding.")

    def _check_asks(self, asks: Any, team: TeamView) -> None:
        must(isinstance(asks, list), f"{self.name} must yield a list of Ask, not {short(asks)}.")
        for ask in asks:
            must(isinstance(ask, Ask), f"{self.name} must yield a list of Ask, but there is {short(ask)} in it.")
            must(
                ask.robot in team.robots,
                f"{self.name} asked in the name of '{ask.robot}', which is not one of its robots, "
                f"{', '.join(team.robots)}; so nobody would pay for the thinking.",
            )
            pairs = isinstance(ask.prompt, tuple) and all(
                isinstance(p, tuple) and len(p) == 2 and all(isinstance(t, str) for t in p) for p in ask.prompt
            )
            must(pairs and ask.prompt, f"{self.name}: a prompt is a tuple of (role, text), not {short(ask.prompt)}.")

    def _decisions(self, decisions: Any, idle: Sequence[str]) -> dict[str, Decision]:
        must(hasattr(decisions, "items"), f"{self.name} must return a mapping robot -> action, not {short(decisions)}.")
        for robot in idle:
            must(robot in decisions, f"{self.name} returned no decision for {robot}, which is idle.")
        for robot, decision in decisions.items():
            must(robot in idle, f"{self.name} decided for {robot}, which is not idle.")
            must(isinstance(decision, (Action, Option)), f"{self.name}: {robot} cannot do {short(decision)}.")
            if isinstance(decision, Action):
                must(
                    isinstance(decision.skill, str), f"{self.name}: {short(decision.skill)} is not the name of a skill."
                )
                must(isinstance(decision.args, tuple), f"{self.name}: the arguments of {decision} must be a tuple.")
                must_be_json(decision.args, f"{self.name}: {short(str(decision))} for {robot}")
                must(
                    _hashable(decision.args),
                    f"{self.name}: {short(str(decision))} has a list or a table among its arguments; give a tuple.",
                )
        return dict(decisions)


def _hashable(args: tuple[Any, ...]) -> bool:
    """Arguments become part of facts, and facts are looked up by their arguments."""
    try:
        hash(args)
    except TypeError:
        return False
    return True


def indoor_trial(make: Callable[[], TeamProtocol], model: Model | None = None, **config: Any) -> Trial:
    """An episode with a team that decides by `make()`; `config` is as for `coterie.episode.play.Config`."""
    world, task = build(Config(**config))
    party = Party("team", make, tuple(n for n, _ in task.robots))
    return Trial(world, task, [party], (model or NoModel()).answer, Settings(seed=config.get("seed", 0)))
