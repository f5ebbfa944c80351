"""The yard from above."""

from __future__ import annotations

from coterie.log.state import State
from coterie.render.describe import Agent, FloorPlan, Frame, Item, Point, Region
from coterie.render.pictures import Pictures
from coterie.render.states import agent, colours, frame, subtitle, title


class YardPictures(Pictures):
    def plan(self, state: State) -> FloorPlan:
        scene = state.start.scene
        cells = [(x, y) for y in range(scene["height"]) for x in range(scene["width"])]
        regions = tuple(Region(f"{x},{y}", _square(x, y), "cell", note=f"{x},{y}") for x, y in cells)
        return FloorPlan(title(state.start), subtitle(state.start), regions)

    def frame(self, state: State, whole: bool = False) -> Frame:
        wanted = {str(thing) for thing, _ in state.goal.get("homes", ())} | set(state.goal.get("beams", ()))
        items = [
            Item(t.name, _spot(t.place, 0.2), t.kind, t.colour, label=t.name, wanted=t.name in wanted)
            for t in state.things.values()
            if t.place not in state.robots
        ]
        hue = colours(state)
        agents: list[Agent] = []
        for name, robot in state.robots.items():
            at = _spot(robot.at, 0.5) if robot.at is not None else None
            held = next((Item(t.name, (0, 0), t.kind) for t in state.things.values() if t.place == name), None)
            words = f"at {robot.at}" + (f", holds {held.name}" if held is not None else "")
            agents.append(agent(state, robot, hue[name], whole, at=at, held=held, where=words))
        return frame(state, whole, items=tuple(items), agents=tuple(agents))


def _spot(cell: str, up: float) -> Point:
    """The middle of a cell, or below it; rows are counted downwards."""
    x, y = (int(v) for v in cell.split(","))
    return x + 0.5, -y - 1 + up


def _square(x: int, y: int) -> tuple[Point, ...]:
    return (x, -y - 1), (x + 1, -y - 1), (x + 1, -y), (x, -y)
