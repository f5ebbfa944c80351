"""Pictures as files: the suffix of the name decides the kind."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.view.draw import draw
from coterie.view.raster import need_pillow, to_image
from coterie.view.shapes import Drawing
from coterie.view.state import frames, state_at
from coterie.view.svg import to_svg

PNG_SCALE = 1.6  # sharp on fine screens


def picture(events: Sequence[Event], path: Path, step: int | None = None) -> Path:
    """The state after a step (the last one by default) as .svg or .png."""
    check_picture_path(path)
    if _has_arms(events):
        from coterie.view.arms_film import save_film, until

        return save_film(until(events, step), _png(path), labels=_hands(events))
    return save(draw(state_at(events, step)), path)


def overview(events: Sequence[Event], path: Path) -> Path:
    """The whole episode in one picture: how it ended, and each robot's way with numbered stops."""
    from coterie.view.journey import draw_overview

    check_picture_path(path)
    if _has_arms(events):
        from coterie.view.arms_film import save_sheet

        return save_sheet(events, _png(path), labels=_hands(events))
    return save(draw_overview(state_at(events)), path)


def gif(events: Sequence[Event], path: Path) -> Path:
    """The episode as a moving picture."""
    from coterie.view.film import save_film

    check_picture_path(path, (".gif",))
    if _has_arms(events):
        from coterie.view import arms_film

        return arms_film.save_film(events, path, labels=_hands(events))
    return save_film(frames(events), path)


def _has_arms(events: Sequence[Event]) -> bool:
    return bool(events) and "mjcf" in events[0].data


def _hands(events: Sequence[Event]) -> dict[str, str]:
    """Every hand wears the name of its robot."""
    return {f"{robot}/hand": robot for robot in events[0].data["robots"]}


def _png(path: Path) -> Path:
    if path.suffix.lower() == ".svg":
        raise CoterieError(
            f"Pictures of arms have many shades and no lines to draw: save '{path.with_suffix('.png')}'."
        )
    return path


def check_picture_path(path: Path, suffixes: tuple[str, ...] = (".svg", ".png")) -> None:
    """Complain before a long run rather than after it."""
    if path.suffix.lower() not in suffixes:
        raise CoterieError(f"'{path}' must end in {' or '.join(suffixes)}.")
    if path.suffix.lower() != ".svg":
        need_pillow()


def save(drawing: Drawing, path: Path) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix.lower() == ".svg":
            path.write_text(to_svg(drawing), encoding="utf-8")
        else:
            to_image(drawing, PNG_SCALE).save(path, optimize=True)
    except OSError as err:
        raise CoterieError(f"Cannot write the picture '{path}': {err.strerror}.") from err
    return path
