"""Pictures of episodes as files, made from their logs alone. The suffix of the name decides the kind.

A world that can be drawn offers a `Pictures`: it says how one state looks, and has pictures, overviews and films.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.files import draft
from coterie.log.fold import frames, state_at
from coterie.log.state import State

if TYPE_CHECKING:
    from coterie.render.shapes import Drawing
    from coterie.render.stage import Stage

PNG_SCALE = 1.6  # sharp on fine screens
FILM_SCALE = 0.8
REST_MS, LAST_MS = 700, 3000
MOST_SHOTS = 240  # in a film; a longer episode is shown in fewer pictures, not in a film of gigabytes

Run = tuple[str, str, str]  # letters, their colour and that behind them; empty: as the terminal has it


class Pictures:
    """How logs of one world are drawn. `draw` is all that a world has to say; the rest may be bettered."""

    def draw(self, state: State) -> Drawing:
        """What a person would see after a step."""
        raise NotImplementedError

    def picture(self, events: Sequence[Event], path: Path, step: int | None = None) -> Path:
        """The state after a step (the last one by default) as .svg or .png."""
        check_picture_path(path)
        return save(self.draw(state_at(events, step)), path)

    def overview(self, events: Sequence[Event], path: Path) -> Path:
        """The whole episode in one picture."""
        return self.picture(events, path)

    def beside(self, events: Sequence[Event], path: Path, robot: str, step: int | None = None) -> Path:
        """What one robot sees and believes, in worlds where that is more than a picture of the step."""
        return self.overview(events, path) if step is None else self.picture(events, path, step)

    def whereabouts(self, state: State, robot: str) -> str:
        """Where a robot is, in a word or two; empty where nobody can tell."""
        return str(state.robots[robot].at or "")

    def glimpse(self, state: State, columns: int, rows: int) -> list[list[Run]]:
        """A map for a terminal, line by line, within so many letters; none where the world has nothing of the kind."""
        return []

    def stages(self, states: Iterable[State]) -> Iterator[Stage]:
        """Every state for a page on which the team moves; where nothing better is said, as whole pictures."""
        from coterie.render.labels import Area
        from coterie.render.stage import Stage

        for state in states:
            page = self.draw(state)
            yield Stage(Area(0.0, 0.0, page.width, page.height), page.shapes, ground=page.ground)

    def stills(self, events: Sequence[Event]) -> Iterator[tuple[int, bytes]]:
        """For worlds that are pixels and not shapes: pictures as JPEG, each with its step, in order."""
        return iter(())

    def gif(self, events: Sequence[Event], path: Path) -> Path:
        """The episode as a moving picture."""
        from coterie.render.progress import each
        from coterie.render.raster import to_image

        check_picture_path(path, (".gif",))
        states = list(frames(events, MOST_SHOTS))
        images = [to_image(self.draw(state), FILM_SCALE) for state in each(states, len(states))]
        times = [REST_MS] * (len(images) - 1) + [LAST_MS]
        return save_film(images, times, path)


def check_picture_path(path: Path, suffixes: tuple[str, ...] = (".svg", ".png")) -> None:
    """Complain before a long run rather than after it."""
    if path.suffix.lower() not in suffixes:
        raise CoterieError(f"'{path}' must end in {' or '.join(suffixes)}.")
    if path.suffix.lower() != ".svg":
        from coterie.render.raster import need_pillow

        need_pillow()


def save(drawing: Drawing, path: Path) -> Path:
    from coterie.render.raster import to_image
    from coterie.render.svg import to_svg

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft(path) as part:
            if path.suffix.lower() == ".svg":
                part.write_text(to_svg(drawing), encoding="utf-8")
            else:
                to_image(drawing, PNG_SCALE).save(part, format="PNG", optimize=True)
    except OSError as err:
        raise CoterieError(f"Cannot write the picture '{path}': {err.strerror}.") from err
    return path


def save_film(images: Sequence[Any], times: Sequence[int], path: Path) -> Path:
    """Images of one size as an animated GIF."""
    first, *rest = images
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft(path) as part:
            first.save(part, "GIF", save_all=True, append_images=rest, duration=list(times), loop=0, optimize=False)
    except OSError as err:
        raise CoterieError(f"Cannot write the film '{path}': {err.strerror}.") from err
    return path


def common_palette(some: Sequence[Any]) -> Any:
    """One palette for a whole film: the commonest colours of some of its pictures, so that none flickers."""
    from PIL import Image

    sheet = Image.new("RGB", (some[0].width, some[0].height * len(some)))
    for i, image in enumerate(some):
        sheet.paste(image, (0, i * some[0].height))
    counted: Any = sorted(sheet.getcolors(1 << 24) or (), reverse=True)[:256]
    reference = Image.new("P", (1, 1))
    reference.putpalette([value for _, colour in counted for value in colour])
    return reference
