"""Why a team cannot do a task: a table of robots against what each target asks for."""

from __future__ import annotations

from coterie.core.card import Card
from coterie.worlds.indoor.plans.joint import Planner


def why_not(planner: Planner) -> str:
    """For every target that cannot be brought to the arm, what stops each robot."""
    lines = []
    for thing in planner.to_fetch():
        if planner.ways(thing):
            continue
        world = planner.world
        place, spot = world.truth["where", thing], world.truth["spot", thing]
        lines.append(f"  {thing} ({world.mass(thing):.1f} kg) lies at {place}, {spot[2]:.1f} m high:")
        for name, card in planner.cards.items():
            lines.append(f"    {name} ({card.body}): {_obstacle(planner, name, card, thing)}")
    return "\n".join(lines)


def _obstacle(planner: Planner, name: str, card: Card, thing: str) -> str:
    spot = planner.world.truth["spot", thing]
    if not card.moves:
        return "cannot move"
    if not card.manipulates:
        return "cannot pick"
    if planner.world.mass(thing) > card.payload_kg:
        return f"lifts only {card.payload_kg:.1f} kg"
    if not card.reach_low_m <= spot[2] <= card.reach_high_m:
        return f"works only between {card.reach_low_m:.1f} and {card.reach_high_m:.1f} m"
    door = _locked_out(planner, card, name, thing)
    if door is not None:
        return f"{door} is closed, and nobody in the team can open it"
    if planner.pick_stand(name, thing) is None:
        return "finds no stand pose from which it reaches it"
    if planner.goal.kind == "bring":
        return _sealed(planner, thing) or _not_home(planner, name, thing)
    if planner.drop_stand(name) is None:
        return "finds no stand pose from which it can hand over to the arm"
    return _sealed(planner, thing) or "nothing"


def _sealed(planner: Planner, thing: str) -> str:
    box = planner.shut(thing)
    if box is not None and not any(planner.open_stand(o, box) for o in planner.openers):
        return f"{box} is closed, and nobody in the team can open it"
    return ""


def _locked_out(planner: Planner, card: Card, name: str, thing: str) -> str | None:
    """The closed door that keeps a robot from where a thing lies."""
    doors, fluents = planner.doors, planner.fluents
    furniture = fluents.base_of(planner.world.look, planner.world.truth["where", thing])
    f = planner.scene.piece.get(furniture or "")
    if not doors.stuck or f is None:
        return None
    barred = [fluents.barrier(card, planner.pose(name), s, doors.stuck) for s in f.stands]
    return None if None in barred or not barred else barred[0]


def _not_home(planner: Planner, name: str, thing: str) -> str:
    home = str(planner.goal.home(thing))
    shut = planner.world.truth.get(("open", home)) is False
    if shut and not any(planner.open_stand(o, home) for o in planner.openers):
        return f"{home} is closed, and nobody in the team can open it"
    if all(w.carrier != name for w in planner.ways(thing)):
        return f"finds no way to put it to {home}"
    return "nothing"
