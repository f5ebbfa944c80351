"""Pictures of houses that robots explore, described from logs alone: what is known of the house, what was carried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from coterie.core.event import Event
from coterie.log.fold import state_at
from coterie.log.state import State
from coterie.render.describe import FloorPlan, Frame
from coterie.render.files import check_picture_path, save
from coterie.render.map.terminal import Run, letters
from coterie.render.pictures import Pictures
from coterie.worlds.household.pictures.beside import draw_beside
from coterie.worlds.household.pictures.plan import Plan, room_words
from coterie.worlds.household.pictures.views import Story, floor_plan, frame_of


class HouseholdPictures(Pictures):
    def plan(self, state: State) -> FloorPlan:
        return floor_plan(state, Plan.of(state.start))

    def frame(self, state: State, whole: bool = False) -> Frame:
        plan = Plan.of(state.start)
        return frame_of(state, plan, Story.begun(plan, state), whole)

    def frames(self, moments: Iterable[State], shown: Callable[[State], bool], whole: bool = False) -> Iterator[Frame]:
        """Carried things are read from all states."""
        story: Story | None = None
        for state in moments:
            plan = Plan.of(state.start)
            story = story.follow(state) if story is not None else Story.begun(plan, state)
            if shown(state):
                yield frame_of(state, plan, story, whole)

    def beside(self, events: Sequence[Event], path: Path, robot: str, step: int | None = None) -> Path:
        """The camera image of a robot after a step, beside its beliefs."""
        check_picture_path(path)
        state = state_at(events, step)
        return save(draw_beside(state, Plan.of(state.start), robot), path)

    def glimpse(self, state: State, columns: int, rows: int) -> list[list[Run]]:
        return letters(self.plan(state), self.frame(state), columns, rows)

    def whereabouts(self, state: State, robot: str) -> str:
        pose = state.robots[robot].pose
        room = None if pose is None else Plan.of(state.start).room_at(pose)
        return "" if room is None else f"{room.name} ({room_words(room.kind)})"
