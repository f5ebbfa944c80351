"""Robots that come later: their bodies and where they stand at first, drawn from the seed of a task as its team is.

A newcomer's draw depends on nothing but the task and its number, so that every method that is tried as a stranger gets
the same body at the same place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coterie.core.card import Card
from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.core.task import Task
from coterie.worlds.household.bodies import STRANGER, USUAL, drawn
from coterie.worlds.household.tasks.draw import starts_in

NAMES = (STRANGER, "Yuri", "Xenia", "Walt", "Vera", "Umar", "Tess", "Sven")  # of strangers, in this order
ARMS = {"": None, "arm": True, "eye": False}  # what may be said of a body: nothing, with an arm, without one


def newcomer(task: Task, number: int = 0, body: str = "") -> Mapping[str, Any]:
    """Who comes as the stranger of that number: a body that may lack an arm, somewhere on the free floor.

    The draws are the same whatever was said of its arm: a robot that is told to have none is otherwise as it would be.
    """
    house = task.setting.house
    about = (task.about.get(key) for key in ("level", "team"))
    rng = rng_of("stranger", number, house.name, task.name, *about, task.seed)
    taken = {name for name, _ in task.robots} | {str(c.data.get("robot", "")) for c in task.changes}
    name = next(n for n in (*NAMES[number:], *(f"Stranger{i}" for i in range(99))) if n not in taken)
    arm = rng.random() < 0.5
    card = drawn(rng, arm if ARMS.get(body) is None else ARMS[body], name)
    if body not in ARMS:
        card = _usual(body)
    ((_, start),) = starts_in(house, [name], rng)
    return {"robot": name, "card": card, "start": tuple(start)}


def _usual(body: str) -> Card:
    if body not in USUAL:
        words = f"arm, eye, {', '.join(USUAL)}"
        raise CoterieError(f"No robot '{body}' for a stranger. There are: {words}; without one, it is drawn.")
    return USUAL[body]
