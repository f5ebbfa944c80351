"""Chance, as the lower bound: any action of the card, or any that is not known to be impossible."""

from __future__ import annotations

import random

from coterie.core.action import COMMUNICATE, Action
from coterie.core.judge import known_verdict
from coterie.core.kinds import Kind
from coterie.core.protocol import RobotView, SoloProtocol
from coterie.core.seeds import rng_of


class Random(SoloProtocol):
    """A random action of the card on names from the map and from what was seen."""

    about = "random actions of the card"
    tries = 1

    def act(self, me: RobotView) -> Action:
        rng = rng_of(me.seed, me.name, "random", me.step)
        action = _draw(me, rng)
        for _ in range(self.tries - 1):
            if known_verdict(me, action).ok is not False:
                break
            action = _draw(me, rng)
        return action


class RandomLegal(Random):
    """Draws again while the robot itself knows that the action cannot work."""

    about = "random actions that the robot does not know to be impossible"
    tries = 30


def _draw(me: RobotView, rng: random.Random) -> Action:
    name = rng.choice(me.card.skills)
    skill = me.skills[name]
    if name == COMMUNICATE:
        to = rng.choice([*me.heartbeat, "all"])
        return Action(name, ("Hello, I am still looking.", (to,)))
    return Action(name, tuple(_value(me, me.language.kind(p.kind), rng) for p in skill.params))


def _value(me: RobotView, kind: Kind, rng: random.Random) -> object:
    if kind.span is not None:
        return round(rng.uniform(*kind.span), 2)
    if kind.held:
        holding = me.look("holding", me.name)
        if isinstance(holding, str):
            return holding
    names = kind.names(me)
    if not names:
        return "" if kind.quoted else "nothing"
    value = rng.choice(names)
    return (value,) if kind.many else value
