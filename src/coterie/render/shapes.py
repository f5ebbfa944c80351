"""A drawing as a list of plain shapes, in pixels from the upper left corner; SVG and raster files are made of it."""

from __future__ import annotations

from typing import NamedTuple

from coterie.core.lazy import np

Point = tuple[float, float]


class Box(NamedTuple):
    x: float
    y: float
    w: float
    h: float
    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    radius: float = 0.0


class Disc(NamedTuple):
    x: float
    y: float
    r: float
    fill: str = ""
    stroke: str = ""
    width: float = 1.0


class Path(NamedTuple):
    points: tuple[Point, ...]
    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    closed: bool = False
    dash: tuple[float, float] | None = None  # (drawn, left out)


class Text(NamedTuple):
    x: float
    y: float  # of the baseline
    text: str
    size: float = 12.0
    fill: str = "#2b2b33"
    anchor: str = "start"  # or "middle", "end"
    bold: bool = False
    halo: str = ""  # a border in this colour keeps letters legible on any ground


class Bitmap(NamedTuple):
    """Pixels, stretched over an area: red, green, blue and how opaque, a byte each."""

    x: float
    y: float
    w: float
    h: float
    pixels: np.ndarray  # (rows, columns, 4)
    smooth: bool = False  # blend neighbours, or show every pixel as a square


Shape = Box | Disc | Path | Text | Bitmap


class Drawing:
    """A list of shapes on a ground, with the words that describe it to those who cannot see it."""

    def __init__(self, width: float, height: float, ground: str = "#ffffff", title: str = ""):
        self.width, self.height, self.ground, self.title = width, height, ground, title
        self.shapes: list[Shape] = []

    def add(self, *shapes: Shape) -> None:
        self.shapes.extend(shapes)


def line(a: Point, b: Point, stroke: str, width: float = 1.0, dash: tuple[float, float] | None = None) -> Path:
    return Path((a, b), stroke=stroke, width=width, dash=dash)


def moved(shape: Shape, dx: float, dy: float) -> Shape:
    if isinstance(shape, Path):
        return shape._replace(points=tuple((x + dx, y + dy) for x, y in shape.points))
    return shape._replace(x=shape.x + dx, y=shape.y + dy)
