"""Changes of an indoor world while robots work in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coterie.core.card import Card
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.event import Event
from coterie.core.task import Change
from coterie.worlds.indoor.state import HouseState

HOUSE = "house"  # who announces what happens to doors
KINDS = ("goal", "zones", "join", "leave", "door", "news", "nothing")


#: Required keys of each kind of change; where there are two, one of them.
_NEEDS: dict[str, list[tuple[str, ...]]] = {
    "goal": [("goal",)],
    "zones": [("closed", "choose")],
    "join": [("robot",), ("card",)],
    "leave": [("robot", "choose")],
    "door": [("door",), ("open", "choose")],
    "news": [("text",)],
    "nothing": [],
}


def check_change(world: HouseState, change: Change) -> None:
    """Complain about a change that cannot be made, before anything has happened."""
    if change.kind not in _NEEDS:
        raise unknown_name("kind of change", change.kind, KINDS)
    for keys in _NEEDS[change.kind]:
        if not any(key in change.data for key in keys):
            raise CoterieError(f"A change of kind '{change.kind}' needs `{'` or `'.join(keys)}`.")
    data = change.data
    if change.kind == "goal" and not hasattr(data["goal"], "progress"):
        raise CoterieError(f"The change needs a goal, not {data['goal']!r:.60}.")
    if change.kind == "zones":
        both = [*data.get("closed", {}).values(), *data.get("opened", {}).values()]
        for zone in [z for zones in both for z in zones]:
            name = zone.partition("/")[0]
            if name not in world.scene.piece and zone not in world.scene.room:
                raise unknown_name("piece of furniture or room", name, [*world.scene.piece, *world.scene.room])
        for robot, zones in data.get("closed", {}).items():
            here = world.scene.room_at(world.truth["pose", robot]) if robot in world.cards else None
            if here in zones:
                raise CoterieError(f"'{here}' cannot be closed to {robot}, which is in it.")
    if change.kind == "leave" and "choose" not in data and data["robot"] not in world.cards:
        raise unknown_name("robot", data["robot"], world.cards)
    if change.kind == "join" and not isinstance(data["card"], Card):
        raise CoterieError(f"Who joins needs a robot card, not {data['card']!r:.60}.")
    if change.kind == "door" and "choose" not in data and world.truth.get(("open", data["door"])) is None:
        known = [key[1] for key in world.truth if key[0] == "open"]
        raise unknown_name("door or container", data["door"], known)


def apply_change(world: HouseState, change: Change) -> list[Event]:
    """Apply a settled change; the first event says what happened and whether it mattered."""
    data = dict(change.data)
    extra: list[Event] = []
    if change.kind == "goal":
        world.goal = data["goal"]
        data["text"] = world.goal.text()
        world.version += 1
    elif change.kind == "zones":
        for key, free in _zones(data):
            world.set(key, free)
        if data.get("said"):  # by somebody who wants to be heeded; other zones are found out
            facts = [[k[0], list(k[1:]), free, world.now] for k, free in _zones(data)]
            extra = [_message(world, change.source, data["said"], facts, change.told)]
    elif change.kind == "news":
        facts = [[p, list(a), v, world.now] for p, a, v in data.get("facts", ())]
        extra = [_message(world, change.source, data["text"], facts, change.told)]
    elif change.kind == "join":
        extra = _join(world, data)
    elif change.kind == "leave":
        data["dropped"] = world.remove_robot(data["robot"])
    elif change.kind == "door":
        if "choose" in data:  # not settled: as it is wished
            data["open"] = data.pop("choose")["open"]
        if not data["open"] and world.truth["open", data["door"]] and world.look("in_doorway", data["door"]):
            raise CoterieError(f"'{data['door']}' cannot be closed: a robot stands in the doorway.")
        world.set(("open", data["door"]), bool(data["open"]))
        if change.told and "kept" not in data:
            extra = [_announced(world, data["door"], bool(data["open"]), change.told)]
    first = Event(-1, 0, world.now, "change", change.source, {"kind": change.kind, **data})
    return [first, *extra]


def _zones(data: Mapping[str, Any]) -> list[tuple[tuple[str, ...], bool]]:
    """Closed or opened zones, as facts: a room, a piece of furniture, or "furniture/stand" for one side of it."""
    found: list[tuple[tuple[str, ...], bool]] = []
    for free, zones in ((False, data.get("closed", {})), (True, data.get("opened", {}))):
        for robot, places in zones.items():
            for zone in places:
                place, _, stand = zone.partition("/")
                found.append((("stand_allowed", robot, place, stand) if stand else ("allowed", robot, place), free))
    return found


def _announced(world: HouseState, door: str, is_open: bool, to: tuple[str, ...]) -> Event:
    text = f"{door} is now {'open' if is_open else 'closed'}."
    return _message(world, HOUSE, text, [["open", [door], is_open, world.now]], to)


def _message(world: HouseState, by: str, text: str, facts: list[list[Any]], to: tuple[str, ...]) -> Event:
    return Event(-1, 0, world.now, "message", by, {"to": list(to), "text": text, "facts": facts})


def _join(world: HouseState, data: dict[str, Any]) -> list[Event]:
    """A robot comes in. It says itself who it is, if it cares to; so do those who are there."""
    name, card = data["robot"], data["card"]
    assert isinstance(card, Card)
    world.add_robot(name, card, data.get("start"))
    return [Event(-1, 0, world.now, "join", name, {"card": card, "party": data.get("party", "")})]
