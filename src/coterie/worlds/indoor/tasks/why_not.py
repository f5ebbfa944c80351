"""Why a team cannot do a task: a table of robots against what each target asks for."""

from __future__ import annotations

from coterie.core.card import Card
from coterie.worlds.indoor.joint import Planner


def why_not(planner: Planner) -> str:
    """For every target that cannot be brought to the arm, what stops each robot."""
    lines = []
    for thing in planner.to_fetch():
        if planner.ways(thing):
            continue
        world = planner.world
        place, spot = world.truth["where", thing], world.truth["spot", thing]
        lines.append(f"  {thing} ({world.things[thing].mass_kg:.1f} kg) lies at {place}, {spot[2]:.1f} m high:")
        for name, card in planner.cards.items():
            lines.append(f"    {name} ({card.body}): {_obstacle(planner, name, card, thing)}")
    return "\n".join(lines)


def _obstacle(planner: Planner, name: str, card: Card, thing: str) -> str:
    spot = planner.world.truth["spot", thing]
    if not card.moves:
        return "cannot move"
    if not card.manipulates:
        return "cannot pick"
    if planner.world.things[thing].mass_kg > card.payload_kg:
        return f"lifts only {card.payload_kg:.1f} kg"
    if not card.reach_low_m <= spot[2] <= card.reach_high_m:
        return f"works only between {card.reach_low_m:.1f} and {card.reach_high_m:.1f} m"
    if planner.pick_stand(name, thing) is None:
        return "finds no stand pose from which it reaches it"
    if planner.drop_stand(name) is None:
        return "finds no stand pose from which it can hand over to the arm"
    box = planner.shut(thing)
    if box is not None and not any(planner.open_stand(o, box) for o in planner.openers):
        return f"{box} is closed, and nobody in the team can open it"
    return "nothing"
