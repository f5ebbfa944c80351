"""Descriptions of episodes for pictures, as plain data: the floor plan once, and a frame for every step.

A world fills these in from its log (`Pictures.plan` and `Pictures.frame`); everything in `coterie.render.map` draws
them, as SVG, PNG, film, page or letters in a terminal. Nothing here has to be worked out by a viewer: words are written
out, and lengths are metres with y upwards.
"""

from __future__ import annotations

from coterie.core.frozen import frozen

Point = tuple[float, float]
Outline = tuple[Point, ...]


# -- the floor plan, which stays the same -------------------------------------------------------------------------
@frozen
class Region:
    """A part of the ground: a room, or a cell."""

    name: str
    outline: Outline
    kind: str = ""  # gives its colour
    label: str = ""
    note: str = ""  # in small letters below the label


@frozen
class Door:
    """A passage through a wall, from one jamb to the other."""

    name: str
    a: Point
    b: Point


@frozen
class Fixture:
    """Furniture, or anything else that stays where it is. How it looks is one of `render.palette.LOOKS`."""

    name: str
    outline: Outline
    look: str = "wood"
    region: str = ""
    label: str = ""  # words that are shown where they fit into it
    named: bool = False  # whether its name is shown in any case, with what lies there
    on: str = ""  # the fixture that it stands on
    stands: tuple[Point, ...] = ()  # where robots stand at it; at a container, the first is at its front


@frozen
class FloorPlan:
    """All that stays the same during an episode."""

    title: str
    subtitle: str = ""
    regions: tuple[Region, ...] = ()
    walls: tuple[Outline, ...] = ()  # lines
    doors: tuple[Door, ...] = ()
    fixtures: tuple[Fixture, ...] = ()
    wall_m: float = 0.16
    inset: str = ""  # the fixture that is also shown from near
    wanted: str = "target"  # the word for things that the goal is about
    trail_steps: int = 3  # for which a page shows the path of a robot

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        xs, ys = zip(*(p for region in self.regions for p in region.outline))
        return min(xs), min(ys), max(xs), max(ys)


# -- a frame: one moment ------------------------------------------------------------------------------------------
@frozen
class Item:
    """A thing."""

    name: str
    at: Point
    kind: str = ""
    colour: str = ""  # a word, like "red"; empty: one that its kind always gets
    place: str = ""  # the fixture that it lies at, if any
    label: str = ""  # empty: it is shown, and not named
    wanted: bool = False  # the goal is about it
    hidden: bool = False  # no robot has seen it yet


@frozen
class Agent:
    """A robot: where it is, what it holds, says and does."""

    name: str
    colour: str
    at: Point | None = None  # None: not on the map
    heading_deg: float = 90.0  # where its arm or camera points
    mobility: str = "ground"  # or "fixed", "air"
    base: str = "wheels"  # or "legs", "person", or "" for a body that goes nowhere
    arm: bool = False
    view_deg: float = 0.0  # how wide its camera looks; 0: that is not shown
    body: str = ""
    online: bool = True
    held: Item | None = None
    tag: str = ""  # beside its name, where it carries what is no single item
    where: str = ""
    doing: str = ""
    status: str = ""  # of what it does: "" while under way, "done", or how it failed
    note: str = ""  # why it does that, or why it failed
    said: str = ""  # in this step
    path: tuple[Point, ...] = ()  # on which it came here since the frame before; empty: straight


@frozen
class Trail:
    """Where a robot went; `age` in steps makes it fainter, `loaded` says that it carried something."""

    agent: str
    points: tuple[Point, ...]
    age: int = 0
    loaded: bool = False


@frozen
class Pin:
    """A mark on the map: where a robot set out ("start"), stopped ("stop"), took ("take") or laid ("put") something."""

    at: Point
    agent: str
    kind: str = "stop"
    words: str = ""


@frozen
class Barrier:
    """A fixture that is closed to a robot; `at`: only from there."""

    agent: str
    fixture: str
    at: Point | None = None


@frozen
class Cells:
    """Colours of square cells of the ground, row by row from the lowest; a blank is left as it is, "a" is the first
    colour (#rrggbb or #rrggbbaa), and so on."""

    low: Point  # [m] the lower left corner
    cell_m: float
    colours: tuple[str, ...]
    rows: tuple[str, ...]


@frozen
class Bar:
    """A share that is reached, with words beside it."""

    name: str
    share: float
    words: str = ""


@frozen
class Row:
    """A line of a section: a number, a dot or the step in front of it; words of an agent begin with its name."""

    text: str
    agent: str = ""
    lead: str = ""
    number: int = 0
    item: Item | None = None
    note: str = ""  # a second line
    tone: str = ""  # of the second line, or of the only one: "good", "bad", "grey"


@frozen
class Section:
    """Words beside the map."""

    title: str
    rows: tuple[Row, ...] = ()


@frozen
class Span:
    """An action of a robot from one time to another [s]."""

    agent: str
    begin: float
    end: float
    words: str = ""
    failed: bool = False


@frozen
class Mark:
    """A moment on the timeline [s]; its tone is that of a row."""

    at: float
    tone: str = ""


@frozen
class Frame:
    """The state after a step, or at the end of an episode that is shown as a whole."""

    step: int
    when: str
    goal: str = ""
    bars: tuple[Bar, ...] = ()
    items: tuple[Item, ...] = ()
    agents: tuple[Agent, ...] = ()
    trails: tuple[Trail, ...] = ()
    pins: tuple[Pin, ...] = ()
    barriers: tuple[Barrier, ...] = ()
    shut: frozenset[str] = frozenset()  # doors and containers
    unseen: frozenset[str] = frozenset()  # fixtures that no robot has seen
    named: frozenset[str] = frozenset()  # fixtures whose names matter now
    cells: Cells | None = None
    sections: tuple[Section, ...] = ()
    news: str = ""  # the last change
    fresh: bool = False  # whether that was a few steps ago
    busy: bool = False  # whether there is something new to read, so that a film rests here
    whole: bool = False  # whether it tells the whole episode
    spans: tuple[Span, ...] = ()  # a timeline below the map
    marks: tuple[Mark, ...] = ()
    marked: str = ""  # what the marks mean
