"""Pictures of episodes, made from their logs alone.

A world that can be drawn offers a `Pictures`: `plan` says what stays the same, `frame` describes the state after a
step, both as plain data (`coterie.render.describe`). Pictures, overviews, films, pages and maps in a terminal follow
from that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from coterie.core.event import Event
from coterie.log.fold import spread, state_at, states
from coterie.log.state import BEGINNING, State
from coterie.render.files import MOST_SHOTS, check_picture_path, save, save_film

if TYPE_CHECKING:
    from coterie.render.describe import FloorPlan, Frame
    from coterie.render.map.draw import Stage
    from coterie.render.map.terminal import Run
    from coterie.render.shapes import Drawing

MOST_FRAMES = MOST_SHOTS // 2  # one takes as long to draw as two on the way
FILM_SCALE, REST_MS, LAST_MS = 0.8, 700, 3000  # of films of a world's own drawings


class Jointed(NamedTuple):
    """A scene of bodies and joints: MuJoCo's model and data, the bodies that are robots' hands, and those of things."""

    model: Any
    data: Any
    hands: Mapping[str, str]  # robot -> body
    things: Set[str]


class Pictures:
    """How logs of one world are drawn: subclass it and say `plan` and `frame`.

    A world whose pictures are no maps gives shapes instead (`draw`), and everything else is made of them."""

    def plan(self, state: State) -> FloorPlan:
        """The part of a picture that stays the same during an episode."""
        raise NotImplementedError

    def frame(self, state: State, whole: bool = False) -> Frame:
        """The changing part of a picture, after a step; `whole`: of the episode up to it."""
        raise NotImplementedError

    def frames(self, moments: Iterable[State], shown: Callable[[State], bool], whole: bool = False) -> Iterator[Frame]:
        """A frame for each state that is shown. All states of an episode come, one after the other: worlds that tell
        what has happened before read them here."""
        return (self.frame(state, whole) for state in moments if shown(state))

    def jointed(self, state: State) -> Jointed | None:
        """The scene, in worlds whose robots are bodies with joints."""
        return None

    def poses(self, event: Event) -> list[tuple[float, Sequence[float]]]:
        """Moments [s] that an event tells of, each with the positions of all joints of that scene."""
        return []

    def draw(self, state: State) -> Drawing:
        """A drawing of one state."""
        from coterie.render.map.draw import draw

        return draw(self.plan(state), self.frame(state))

    def picture(self, events: Sequence[Event], path: Path, step: int | None = None) -> Path:
        """The state after a step (the last one by default) as .svg or .png."""
        check_picture_path(path)
        return save(self._drawing(events, step), path)

    def overview(self, events: Sequence[Event], path: Path) -> Path:
        """The whole episode in one picture."""
        check_picture_path(path)
        return save(self._drawing(events, None, whole=True), path)

    def small(self, events: Sequence[Event], path: Path) -> Path:
        """The map of the last state alone, without the words around it."""
        if self._draws_itself():
            return self.picture(events, path)
        check_picture_path(path)
        return save(self._drawing(events, None, bare=True), path)

    def _drawing(self, events: Sequence[Event], step: int | None, whole: bool = False, bare: bool = False) -> Drawing:
        state = state_at(events, step)
        if self._draws_itself():
            return self.draw(state)
        from coterie.render.map.draw import draw, map_alone

        plan, last = self.plan(state), state.step
        *_, frame = self.frames(states(events), lambda s: s.step == last, whole)
        return map_alone(plan, frame) if bare else draw(plan, frame)

    def _draws_itself(self) -> bool:
        return type(self).draw is not Pictures.draw

    def beside(self, events: Sequence[Event], path: Path, robot: str, step: int | None = None) -> Path:
        """Draw what one robot sees and believes, in worlds where that is more than a picture of the step."""
        return self.overview(events, path) if step is None else self.picture(events, path, step)

    def whereabouts(self, state: State, robot: str) -> str:
        """Where a robot is, in a word or two; empty where nobody can tell."""
        return str(state.robots[robot].at or "")

    def glimpse(self, state: State, columns: int, rows: int) -> list[list[Run]]:
        """A map for a terminal, line by line, within so many letters, in worlds whose ground has to be explored."""
        return []

    def stages(self, moments: Iterable[State]) -> Iterator[Stage]:
        """Every state for a page on which the team moves."""
        from coterie.render.labels import Area
        from coterie.render.map.draw import Stage, stages

        if self._draws_itself():
            for state in moments:
                page = self.draw(state)
                yield Stage(Area(0.0, 0.0, page.width, page.height), page.shapes, background=page.ground)
            return
        coming = iter(moments)
        first = next(coming)
        yield from stages(self.plan(first), self.frames(chain([first], coming), lambda s: True))

    def stills(self, events: Sequence[Event], since: int = BEGINNING) -> Iterator[tuple[int, bytes]]:
        """For worlds that are pixels and not shapes: pictures as JPEG, each with its step, in order; `since`: from that
        step on."""
        return iter(())

    def gif(self, events: Sequence[Event], path: Path) -> Path:
        """The episode as a moving picture."""
        check_picture_path(path, (".gif",))
        kept = film_steps(events)
        if self._draws_itself():
            return save_film(*self._images(events, kept), path)
        from coterie.render.map.film import save_map_film

        plan = self.plan(state_at(events))
        return save_map_film(plan, list(self.frames(states(events), lambda s: s.step in kept)), path)

    def _images(self, events: Sequence[Event], kept: set[int]) -> tuple[list[Any], list[int]]:
        from coterie.render.files import each
        from coterie.render.raster import to_image

        some = (s for s in states(events) if s.step in kept)
        images = [to_image(self.draw(state), FILM_SCALE) for state in each(some, len(kept))]
        return images, [REST_MS] * (len(images) - 1) + [LAST_MS]


def film_steps(events: Sequence[Event]) -> set[int]:
    """The steps that a film shows: evenly spread, and those in which something was taken or laid down, as far as there
    is room."""
    steps: list[int] = []
    moved: list[int] = []
    before: dict[str, Any] = {}
    for state in states(events):
        held = {name: robot.holding for name, robot in state.robots.items()}
        moved += [state.step] if held != before else []
        steps.append(state.step)
        before = held
    even = {steps[i] for i in spread(len(steps), MOST_FRAMES)}
    return even | {moved[i] for i in spread(len(moved), MOST_FRAMES)} if len(steps) > MOST_FRAMES else even
