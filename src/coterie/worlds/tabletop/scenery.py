"""How one moment of a job is shown: the whole table, a close-up set in, and names where viewers look for them.

A hand wears its robot's name and that of what it holds; things that the round is about wear theirs on the table.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.event import Event
from coterie.core.record import read
from coterie.core.records import StartEvent
from coterie.render.labels import shorten, width, wrap
from coterie.render.solids.notes import LETTERS, caption_height, captioned
from coterie.render.solids.solids import Camera, Solids, fit
from coterie.worlds.tabletop.closeups import FINGER, HAND, has
from coterie.worlds.tabletop.job import Layout, Xyz
from coterie.worlds.tabletop.jobs import jobs
from coterie.worlds.tabletop.views import angles, view_of

Picture = NDArray[np.uint8]
STRIP = 0.31  # share of the height below the scene, for the caption and close-ups beside it
INSET = 0.29  # share of the width that a close-up takes, where there are two
EDGE = 8  # [px] between close-ups and the picture's edge
TITLE = 16  # [px] for the words above a close-up
FRAME_GREY = 150
TAKEN = 0.09  # [m] from a place, within which a thing there is named instead
ABOVE = np.array([0.0, 0.0, 0.04])  # [m] where the name of a thing stands, seen from its middle
STACK = 0.075  # [m] between the middles of things of which one lies on the other
STACK_SIDE = 0.09  # [m] from its middle to its side
BESIDE, LINE = 58, 19  # [px] from the side of a stack to its names, and from one of them to the next
AT_WORK = 0.26  # [m] from a thing, within which names keep off a hand
AROUND, CROWDED = 0.45, 0.2  # [m] from the middle of a close-up, within which things are named in it
MANY = 12  # lines of a caption, above which they are cut to three a sentence
SMALL = 0.12  # [m] a place that its name would hide
RESULT, TABLE = "the result", "the table"


class Close(NamedTuple):
    """A close-up: its title, from where it looks, and what it is about."""

    title: str
    camera: Camera
    thing: str = ""


class Moment(NamedTuple):
    """The state of one moment: what hands hold, what the round is about, and the close-ups."""

    held: Mapping[str, str] = {}  # robot -> thing
    about: Collection[str] = ()
    over: bool = False  # the task is
    close: Sequence[Close] = ()  # where nobody does anything, they stay as they were
    away: Collection[str] = ()  # robots that left


class Scenery:
    """One job as it is shown: the whole table from its camera, below it a caption and one or two close-ups."""

    def __init__(self, events: Sequence[Event], model: Any, data: Any, size: tuple[int, int], lines: int = 0):
        start = read(StartEvent, events[0]).raw
        self.model, self.job, self.size = model, str(start.get("job", "")), size
        own, (across, height) = view_of(self.job, start.get("shown", {})), size
        asked = angles(str(start.get("config", {}).get("camera", "")), own)
        close = self.close = Camera(own.from_azimuth, own.from_elevation, own.distance, own.at, 40.0)
        self.alone = asked is None  # the close-up fills the picture
        self.strip = min(height // 2, max(caption_height(lines), 0 if self.alone else round(height * STRIP)))
        upper = (across, height - self.strip)
        whole = close if asked is None else fit(model, data, *asked, aspect=upper[0] / upper[1])
        self.view, self.stays = Solids(model, *upper, whole), own.stays
        self.stacks = own.stacks
        elevation, far = own.last or (own.from_elevation, own.distance)
        self.result = replace(close, elevation=elevation, distance=far)
        self.wide = across - 2 * EDGE if not lines else beside(across)
        self.shown: list[Close] = [Close("", close)]
        self._views: dict[Any, Solids] = {}
        names = graspable(start, self.job)
        self.things = {n: int(model.body(n).id) for n in names if has(model, n)}  # name -> body
        bodies = {b: model.body(b).name for b in range(model.nbody)}
        self.tools = jobs.get(self.job).tools if self.job in jobs else {}
        self.hands = [b for b, n in bodies.items() if n.endswith(HAND) or FINGER in n or n in self.tools.values()]
        places = _places(start, self.job)
        small = [n for n in places if has(model, n) and model.geom_rbound[model.body(n).geomadr].max() < SMALL]
        self.marks = {int(model.body(n).id): n for n in small}
        self.near, self.places = (places, {}) if own.places_close and not self.alone else ({}, places)

    def frame(self, data: Any, caption: str, labels: Mapping[str, str] | None, moment: Moment | None = None) -> Picture:
        moment = moment or Moment()
        worn = {body: self._worn(body, name, moment) for body, name in (labels or {}).items()}
        at = {n: data.xpos[body] + ABOVE for n, body in self.things.items()}
        stack = _stacked(at) if self.stacks else []
        told = at if moment.over and self.stays else moment.about
        free = {n: p for n, p in at.items() if n in told and n not in {*stack, *moment.held.values()}}
        named = {**free, **_empty(self.places, at)}
        kept = self.things if self.alone else {*named, *moment.held.values(), *(c.thing for c in moment.close)}
        above = self.view.frame(data, "", worn, named, self._at_work(data, kept))
        if not self.strip:
            return above
        if moment.over and not self.stays:
            self.shown = [Close(RESULT, self.close)]
        elif moment.close:
            self.shown = list(moment.close)
        return np.concatenate([above, self._below(data, caption, [] if self.alone else self.shown, at, stack)])

    def _below(
        self, data: Any, caption: str, shown: Sequence[Close], at: Mapping[str, np.ndarray], stack: Sequence[str]
    ) -> Picture:
        """The caption, and close-ups beside it: two, or one that is as wide as both."""
        whole, room = self.size[0], self.wide
        across = (room - EDGE * (len(shown) - 1)) // max(1, len(shown))
        small = (across, self.strip - 2 * EDGE - TITLE)
        corners = [(whole - EDGE - room + n * (across + EDGE), EDGE + TITLE) for n in range(len(shown))]
        titles = [(x, EDGE + TITLE - 4, _fitting(c.title, across)) for (x, _), c in zip(corners, shown)]
        strip = captioned((whole, self.strip), caption, titles)
        views = {(small, c.camera): self._views.get((small, c.camera)) for c in shown}
        self._views = {key: view or Solids(self.model, *small, key[1]) for key, view in views.items()}
        for (x, y), close in zip(corners, shown):
            view = self._views[small, close.camera]
            wide = len(shown) == 1 and close.title != TABLE
            named = self._named(data, close, view, at, stack) if wide else ({}, {})
            picture = view.frame(data, "", None, *named)
            strip[y - 1 : y + small[1] + 1, x - 1 : x + across + 1] = FRAME_GREY
            strip[y : y + small[1], x : x + across] = picture
        return strip

    def _named(
        self, data: Any, close: Close, view: Solids, at: Mapping[str, np.ndarray], stack: Sequence[str]
    ) -> tuple[dict[str, Any], dict[int, str]]:
        """The labels of a close-up, where there is room for them, and what they keep off."""
        piled = self._piled(view, at, stack if _looks_at(close.camera, at, stack) else [])
        named = {**piled, **self._around(close, at, stack), **_empty(self.near, at)}
        return named, self._at_work(data, {*named, close.thing})

    def _piled(self, view: Solids, at: Mapping[str, np.ndarray], stack: Sequence[str]) -> dict[str, Any]:
        """Names of a stack: one above the other as its layers are, on the side on which fewer other things lie."""
        if not stack:
            return {}
        camera, (right, up, _) = view.camera, view.camera.axes()
        px = 2 * math.tan(math.radians(camera.fovy) / 2) * camera.distance / view.height  # [m]
        middle = (at[stack[0]] + at[stack[-1]]) / 2 - ABOVE
        x, _, depth = camera.axes() @ (middle - camera.eye())
        others = [camera.axes() @ (p - ABOVE - camera.eye()) for n, p in at.items() if n not in stack]
        apart = [u / w * depth - x for u, _, w in others]  # [m] to the right, as it looks

        def crowded(side: int) -> int:
            return sum(0 < side * u < STACK_SIDE + 3 * BESIDE * px for u in apart)

        side = min((-1, 1), key=crowded)
        there = middle + side * right * (STACK_SIDE + BESIDE * px)
        return {n: there + up * LINE * px * (k - (len(stack) - 1) / 2 - 0.3) for k, n in enumerate(stack)}

    def _around(self, close: Close, at: Mapping[str, np.ndarray], stack: Sequence[str]) -> dict[str, Any]:
        """Things near the middle of a close-up, nearer beside a stack, which has names enough; not the one in its
        title."""
        far = CROWDED if stack else AROUND
        others = {n: p for n, p in at.items() if n not in stack and (n != close.thing or n not in close.title)}
        return {n: p for n, p in others.items() if np.linalg.norm(p - close.camera.lookat) < far}

    def closes(self) -> bool:
        """True if the result can be shown alone."""
        return not self.alone and bool(self.things)

    def closing(self, data: Any, caption: str) -> Picture:
        """The result, as large as the table was before, which is now set in; names tell where things are."""
        at = {n: data.xpos[body] + ABOVE for n, body in self.things.items()}
        stack = _stacked(at) if self.stacks else []
        near = at if self.stays else self._around(Close(RESULT, self.result), at, stack)
        places = {**self.near, **self.places}
        named = {_standing(n, p, places): p for n, p in near.items()}
        view = Solids(self.model, self.view.width, self.view.height, self.result)
        words = {**self._piled(view, at, stack), **named, **_empty(places, at)}
        told = {body: _standing(n, at[n], places) if n in near else n for body, n in self._at_work(data, near).items()}
        clear = self._at_work(data, {*near, *stack}) | {b: t for b, t in told.items() if t in named}
        above = view.frame(data, "", None, words, clear)
        below = self._below(data, caption, [Close(TABLE, self.view.camera)], at, stack)
        return np.concatenate([above, below])

    def _at_work(self, data: Any, names: Collection[str]) -> dict[int, str]:
        """Bodies that no name may cover: these things, with their own, and what of a hand is at one of them."""
        things = {body: n for n, body in self.things.items() if n in names}
        near = [b for b in self.hands if any(np.linalg.norm(data.xpos[b] - data.xpos[t]) < AT_WORK for t in things)]
        roots = {int(self.model.body_rootid[t]) for t in things}
        loose = [r for r in roots if self.model.body_dofnum[r] == 6]  # a rope as well, and no door
        hanging = np.flatnonzero(np.isin(self.model.body_rootid, loose))
        return dict.fromkeys([*near, *hanging.tolist()], "") | self.marks | things

    def _worn(self, body: str, name: str, moment: Moment) -> str:
        robot = body.removesuffix(HAND)
        what = "away" if robot in moment.away else moment.held.get(robot) or self.tools.get(robot)
        return f"{name}: {what}" if what else name


def _fitting(title: str, across: int) -> str:
    """A title, without where its thing goes if there is no room for that."""
    short = title.partition(" → ")[0]
    return shorten(title if width(title, LETTERS - 1) <= across else short, LETTERS - 1, across)


def beside(across: int) -> int:
    """How wide close-ups beside a caption are in all."""
    return 2 * round(across * INSET) + EDGE


def folded(caption: str, across: int, whole: Collection[str] = ()) -> str:
    """A caption beside close-ups: what is too long for a line goes on in the next four, or two where much is told, and
    that in `whole` to its end."""
    room = across - beside(across) - 2 * EDGE - 12
    heading, *lines = caption.splitlines()
    if width(heading, LETTERS, bold=True) > room:
        lines[:0] = heading.split(" · ")[-1:] if " · " in heading else []
        heading = shorten(heading.rpartition(" · ")[0] or heading, LETTERS, room, bold=True)
    for most in (5, 3):
        rows = [wrap(line, LETTERS, room, 9 if line in whole else most) or [" "] for line in lines]
        if sum(map(len, rows)) < MANY:
            break
    return "\n".join([heading, *(line for row in rows for line in row)])


def _standing(name: str, at: np.ndarray, places: Mapping[str, Xyz]) -> str:
    """A thing's name, with that of the place where it is."""
    there = [place for place, p in places.items() if np.hypot(*(at[:2] - p[:2])) <= TAKEN]
    return f"{name} at {there[0]}" if there else name


def _empty(places: Mapping[str, Xyz], at: Mapping[str, np.ndarray]) -> dict[str, Xyz]:
    """Places at which nothing is: the name of a place would cover what is there."""
    return {n: p for n, p in places.items() if all(np.hypot(*(a[:2] - p[:2])) > TAKEN for a in at.values())}


def _looks_at(camera: Camera, at: Mapping[str, np.ndarray], stack: Sequence[str]) -> bool:
    """True if a close-up is about a stack; elsewhere there is no room beside it for its names."""
    return any(float(np.linalg.norm(at[n] - ABOVE - camera.lookat)) < CROWDED for n in stack)


def _stacked(at: Mapping[str, np.ndarray]) -> list[str]:
    """Things that lie on each other, the lowest first: their names would cover them, and stand beside them instead."""
    near = {
        n: [m for m in at if m != n and float(np.hypot(*(at[m][:2] - at[n][:2]))) < STACK and at[m][2] != at[n][2]]
        for n in at
    }
    return sorted((n for n in at if near[n]), key=lambda n: float(at[n][2]))


def graspable(start: Mapping[str, Any], job: str) -> tuple[str, ...]:
    """Names of what hands may hold, as a log's first line tells."""
    if job not in jobs or "layout" not in start:
        return tuple(start.get("shown", {}).get("things", ()))
    return tuple(jobs.get(job).graspable(Layout.from_json(start["layout"])))


def taken_up(start: Mapping[str, Any], job: str) -> tuple[str, ...]:
    """The same where hands take things; a tool that is in a hand for good carries what lies on it."""
    takes = job not in jobs or any(verb.startswith("pick") for verbs in jobs.get(job).verbs.values() for verb in verbs)
    return graspable(start, job) if takes else ()


def _places(start: Mapping[str, Any], job: str) -> dict[str, Xyz]:
    """Names of panels, slots and other places that plans speak of."""
    if job not in jobs or "layout" not in start:
        return {n: (x, y, z) for n, (x, y, z) in start.get("shown", {}).get("places", {}).items()}
    return dict(jobs.get(job).places(Layout.from_json(start["layout"])))
