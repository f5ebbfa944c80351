"""Pictures of houses, drawn from logs alone: a step, an episode, a film, what one robot sees and believes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from coterie.core.event import Event
from coterie.log.fold import state_at
from coterie.log.state import State
from coterie.render.pictures import Pictures, Run, check_picture_path, save
from coterie.render.shapes import Drawing
from coterie.render.stage import Stage
from coterie.worlds.household.pictures.beside import draw_beside
from coterie.worlds.household.pictures.draw import draw
from coterie.worlds.household.pictures.film import save_household_film
from coterie.worlds.household.pictures.glimpse import glimpse
from coterie.worlds.household.pictures.plan import Plan, room_words
from coterie.worlds.household.pictures.stages import stages
from coterie.worlds.household.pictures.story import Story


class HouseholdPictures(Pictures):
    def draw(self, state: State) -> Drawing:
        plan = Plan.of(state.start)
        return draw(state, plan, Story.told(plan, [state]))

    def picture(self, events: Sequence[Event], path: Path, step: int | None = None) -> Path:
        check_picture_path(path)
        state = state_at(events, step)
        plan = Plan.of(state.start)
        return save(draw(state, plan, Story.of(plan, events, step)), path)

    def overview(self, events: Sequence[Event], path: Path) -> Path:
        """How the episode ended, all ways, and what was carried where."""
        check_picture_path(path)
        state = state_at(events)
        plan = Plan.of(state.start)
        return save(draw(state, plan, Story.of(plan, events), whole=True), path)

    def beside(self, events: Sequence[Event], path: Path, robot: str, step: int | None = None) -> Path:
        """What a robot's camera shows after a step, beside what it believes."""
        check_picture_path(path)
        state = state_at(events, step)
        return save(draw_beside(state, Plan.of(state.start), robot), path)

    def gif(self, events: Sequence[Event], path: Path) -> Path:
        check_picture_path(path, (".gif",))
        return save_household_film(events, path)

    def glimpse(self, state: State, columns: int, rows: int) -> list[list[Run]]:
        return glimpse(state, Plan.of(state.start), columns, rows)

    def whereabouts(self, state: State, robot: str) -> str:
        pose = state.robots[robot].pose
        room = None if pose is None else Plan.of(state.start).room_at(pose)
        return "" if room is None else f"{room.name} ({room_words(room.kind)})"

    def stages(self, states: Iterable[State]) -> Iterator[Stage]:
        return stages(states)
