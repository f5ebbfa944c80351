"""Pictures and films as files. The suffix of the name decides the kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from coterie.core.errors import CoterieError
from coterie.core.files import drafted

if TYPE_CHECKING:
    from coterie.render.shapes import Drawing

PNG_SCALE = 1.6  # sharp on fine screens
MOST_SHOTS = 240  # in a film; a longer episode is shown in fewer pictures, not in a film of gigabytes


def check_picture_path(path: Path, suffixes: tuple[str, ...] = (".svg", ".png")) -> None:
    """Complain before a long run rather than after it."""
    if path.suffix.lower() not in suffixes:
        raise CoterieError(f"'{path}' must end in {' or '.join(suffixes)}.")
    if path.suffix.lower() != ".svg":
        from coterie.render.raster import need_pillow

        need_pillow()


def save(drawing: Drawing, path: Path) -> Path:
    """Write a drawing as .svg or .png."""
    from coterie.render.raster import to_image
    from coterie.render.svg import to_svg

    if path.suffix.lower() != ".svg":
        return save_image(to_image(drawing, PNG_SCALE), path)
    with drafted(path, "the picture") as part:
        part.write_text(to_svg(drawing), encoding="utf-8")
    return path


def save_image(image: Any, path: Path) -> Path:
    """Write an image of Pillow as .png."""
    with drafted(path, "the picture") as part:
        image.save(part, format="PNG", optimize=True)
    return path


def save_film(images: Sequence[Any], times: Sequence[int], path: Path) -> Path:
    """Images of one size as an animated GIF; times are milliseconds."""
    first, *rest = images
    with drafted(path, "the film") as part:
        first.save(part, "GIF", save_all=True, append_images=rest, duration=list(times), loop=0, optimize=False)
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


T = TypeVar("T")
Told = Callable[[int, int], None]  # pictures drawn, pictures in all (0: not known)
_told: ContextVar[Told | None] = ContextVar("told", default=None)


@contextmanager
def telling(told: Told) -> Iterator[None]:
    """While this holds, `told` is called with every picture that is drawn."""
    token = _told.set(told)
    try:
        yield
    finally:
        _told.reset(token)


def each(items: Iterable[T], total: int = 0) -> Iterator[T]:
    """The items, one after the other, each a picture that is drawn."""
    told = _told.get()
    for done, item in enumerate(items):
        if told is not None:
            told(done, total)
        yield item
