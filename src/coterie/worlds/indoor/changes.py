"""What may happen to an indoor world while robots work in it."""

from __future__ import annotations

from typing import Any

from coterie.core.card import Card
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.event import Event
from coterie.core.task import Change
from coterie.worlds.indoor.state import HouseState

KINDS = ("goal", "zones", "join", "leave", "door", "nothing")


def apply_change(world: HouseState, change: Change) -> list[Event]:
    """Apply a settled change; the first event says what happened and whether it mattered."""
    data = dict(change.data)
    extra: list[Event] = []
    if change.kind == "goal":
        world.goal = data["goal"]
        data["text"] = world.goal.text()
        world.version += 1
    elif change.kind == "zones":
        for robot, places in data["closed"].items():
            for zone in places:  # a piece of furniture, or "furniture/stand" for one side of it
                place, _, stand = zone.partition("/")
                if place not in world.scene.by_name:
                    raise unknown_name("piece of furniture", place, world.scene.by_name)
                key = ("stand_allowed", robot, place, stand) if stand else ("allowed", robot, place)
                world.set(key, False)
    elif change.kind == "join":
        extra = _join(world, data)
    elif change.kind == "leave":
        name = data["robot"]
        if name not in world.cards:
            raise unknown_name("robot", name, world.cards)
        data["dropped"] = world.remove_robot(name)
    elif change.kind == "door":
        if world.truth.get(("open", data["door"])) is None:
            raise CoterieError(f"'{data['door']}' is neither a door nor a container.")
        if not data["open"] and world.look("in_doorway", data["door"]):
            raise CoterieError(f"'{data['door']}' cannot be closed: a robot stands in the doorway.")
        world.set(("open", data["door"]), bool(data["open"]))
    elif change.kind != "nothing":
        raise unknown_name("kind of change", change.kind, KINDS)
    first = Event(-1, 0, world.now, "change", change.source, {"kind": change.kind, **data})
    return [first, *extra]


def _join(world: HouseState, data: dict[str, Any]) -> list[Event]:
    name, card = data["robot"], data["card"]
    assert isinstance(card, Card)
    others = dict(world.cards)
    world.add_robot(name, card, data.get("start"))
    text = f"I am {name}, {card.about}. I have just joined."
    events = [
        Event(-1, 0, world.now, "join", name, {"card": card, "party": data.get("party", "")}),
        Event(
            -1,
            0,
            world.now,
            "message",
            name,
            {"to": ["all"], "text": text, "facts": [["card", [name], card, world.now]]},
        ),
    ]
    for other, theirs in others.items():  # the newcomer hears who is there
        text = f"I am {other}, {theirs.about}."
        facts: list[list[Any]] = [["card", [other], theirs, world.now]]
        if not theirs.moves:
            facts.append(["pose", [other], world.truth["pose", other], world.now])
        events.append(Event(-1, 0, world.now, "message", other, {"to": [name], "text": text, "facts": facts}))
    return events
