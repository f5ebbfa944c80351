"""A house from above, drawn from the log: one step, a whole episode, or a film of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from coterie.core.event import Event
from coterie.log.fold import frames, state_at
from coterie.log.state import State
from coterie.render.pictures import Pictures, check_picture_path, save
from coterie.render.shapes import Drawing
from coterie.render.stage import Stage
from coterie.worlds.indoor.pictures.draw import draw
from coterie.worlds.indoor.pictures.film import MOST_STILLS, save_house_film
from coterie.worlds.indoor.pictures.journey import draw_overview
from coterie.worlds.indoor.pictures.stages import stages


class HousePictures(Pictures):
    def draw(self, state: State) -> Drawing:
        return draw(state)

    def overview(self, events: Sequence[Event], path: Path) -> Path:
        """How the episode ended, and each robot's way with numbered stops."""
        check_picture_path(path)
        return save(draw_overview(state_at(events)), path)

    def gif(self, events: Sequence[Event], path: Path) -> Path:
        check_picture_path(path, (".gif",))
        return save_house_film(frames(events, MOST_STILLS), path)

    def stages(self, states: Iterable[State]) -> Iterator[Stage]:
        return stages(states)
