"""An episode at the table as a film: arms move as they did, under the round, the actions and how far the team is.

A log of the table world begins with its scene as MJCF text, and every round holds the fact `frames`: the positions of
all joints at moments of the round. Nothing else is needed, so a film can be made long after the episode.
"""

from __future__ import annotations

import io
import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.lazy import need
from coterie.core.record import read
from coterie.core.records import StartEvent
from coterie.log.fold import spread
from coterie.log.state import BEGINNING, State
from coterie.render.files import check_picture_path, each, save_film, save_image
from coterie.render.pictures import Jointed, Pictures
from coterie.render.raster import need_pillow
from coterie.render.shapes import Drawing
from coterie.worlds.tabletop.build import TABLE_AT, TABLE_HALF
from coterie.worlds.tabletop.captions import Round, poses_of, rounds
from coterie.worlds.tabletop.closeups import HAND, Director, Focus, chosen, in_hand
from coterie.worlds.tabletop.scenery import Close, Moment, Picture, Scenery, folded, graspable, taken_up

WIDTH, HEIGHT = 640, 480
MOST = 120  # frames in a film, and rounds on a sheet
TWEEN_MS, KEY_MS, REST_MS, LAST_MS = 80, 320, 900, 3000
FLOOR, RAIL_UNDER = -0.5, 0.06  # [m] the floor, and how far below a base its rail lies
FRAME_S, VIEW_S, CLOSES_S = 0.25, 0.02, 10.0  # between poses of a log and of a viewer; a window closes
SAMPLES = 12  # pictures of which the palette is made
Held = dict[int, list[dict[str, str]]]  # round -> at each of its moments, robot -> thing


class Shot(NamedTuple):
    picture: Picture
    ms: int  # how long it is shown


def load_scene(start: Mapping[str, Any]) -> tuple[Any, Any]:
    """MuJoCo's model and data of the scene in the first line of a log."""
    mjcf = start.get("mjcf")
    if not mjcf:
        raise CoterieError("The log has no scene with arms: its first line has no 'mjcf'.")
    mujoco = need("mujoco", "arms", "Scenes of arms need")
    try:
        model = _furnished(mujoco, mjcf)
    except ValueError as err:
        raise CoterieError(f"MuJoCo cannot read the scene of the log: {err}") from err
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    return model, data


def _furnished(mujoco: Any, mjcf: str) -> Any:
    """The scene with what carries it, which nothing in it touches: legs of the table, and rails under the arms."""
    spec = mujoco.MjSpec.from_string(mjcf)
    box, wood, steel = mujoco.mjtGeom.mjGEOM_BOX, [0.62, 0.53, 0.42, 1.0], [0.55, 0.57, 0.60, 1.0]

    def block(at: Sequence[float], half: Sequence[float], rgba: Sequence[float]) -> None:
        spec.worldbody.add_geom(
            type=box, pos=list(at), size=list(half), rgba=list(rgba), contype=0, conaffinity=0, group=1
        )  # fmt: skip

    (x, y, z), (a, b, c) = TABLE_AT, TABLE_HALF
    middle, half = (z - c + FLOOR) / 2, (z - c - FLOOR) / 2
    for sx in (-1, 1):
        for sy in (-1, 1):
            block((x + sx * (a - 0.08), y + sy * (b - 0.06), middle), (0.035, 0.035, half), wood)
    for joint in spec.joints:
        if joint.type == mujoco.mjtJoint.mjJNT_SLIDE and joint.name.endswith("/slide"):
            base = joint.parent.pos
            low, high = (float(base[0] + r) for r in joint.range)
            top = float(base[2]) - RAIL_UNDER
            block(((low + high) / 2, base[1], top - 0.02), ((high - low) / 2 + 0.1, 0.035, 0.02), steel)
            for end in (low, high):
                block((end, base[1], (top - 0.04 + FLOOR) / 2), (0.025, 0.025, (top - 0.04 - FLOOR) / 2), steel)
    return spec.compile()


class _Film:
    """A log made ready to be shown: its scene, its rounds, what hands hold, and where close-ups look."""

    def __init__(self, events: Sequence[Event], size: tuple[int, int], captions: bool = True):
        need_pillow()
        self.model, self.data = load_scene(events[0].data if events else {})
        self.mujoco = need("mujoco", "arms", "Scenes of arms need")
        self.story = [r for r in rounds(events) if r.poses]
        poses = [pose for r in self.story for pose in r.poses]
        odd = next((len(pose) for pose in poses if len(pose) != self.model.nq), None)
        if odd is not None:
            raise CoterieError(f"A frame of the log has {odd} positions, the scene has {self.model.nq}.")
        told = product(self.story if captions else (), (False, True))
        self.said = {(r.step, over): folded(r.caption(over), size[0], r.news) for r, over in told}
        self.lines = max((1 + words.count("\n") for words in self.said.values()), default=0)
        self.begin()
        self.scenery, self.labels = Scenery(events, self.model, self.data, size, self.lines), _hands(events)
        start = read(StartEvent, events[0]).raw
        found = in_hand(self.mujoco, self.model, self.data, poses, taken_up(start, str(start.get("job", ""))))
        self.held = {r.step: [next(found) for _ in r.poses] for r in self.story}
        self.worn = _worn(self.story, self.held)
        self.director = Director(self.mujoco, self.model, self.data, self.scenery.things, self.scenery.close)

    def begin(self) -> None:
        for r in self.story[:1]:
            self._pose(r.poses[0])

    def _pose(self, pose: Sequence[float]) -> None:
        self.data.qpos[:] = pose
        self.mujoco.mj_kinematics(self.model, self.data)

    def foci(self, now: Round) -> list[Focus]:
        return self.director.foci(now, self.held[now.step])

    def frame(self, now: Round, i: int, foci: Sequence[Focus], words: str = "", done: bool = False) -> Picture:
        """The picture of a moment of a round."""
        self._pose(now.poses[i])
        close = [Close(f.title, f.camera(i), f.thing) for f in chosen(foci, i)]
        moment = Moment(self.worn[now.step][i], now.about, done, close, now.away)
        return self.scenery.frame(self.data, words, self.labels, moment)


def shots(
    events: Sequence[Event], most: int = MOST, size: tuple[int, int] = (WIDTH, HEIGHT), last: bool = False
) -> Iterator[Shot]:
    """The pictures of an episode, each with its time; of every round at least the last moment is shown.

    Of an episode that goes on and on some rounds are shown, evenly spread; with `last`, only the last one.
    """
    film = _Film(events, size)
    if not film.story:
        raise CoterieError("The log has no moment to show: no round holds the fact 'frames'.")
    story = film.story[-1:] if last else [film.story[i] for i in spread(len(film.story), MOST)]
    closing = most > 1 and story[-1].end is not None and film.scenery.closes()
    for now, kept in zip(story, thinned([len(r.poses) for r in story], most)):
        foci = film.foci(now)
        keys = {key for focus in foci for key in focus.keys} if most > 1 else set()
        for i in sorted({*kept, *keys}):
            over = i == len(now.poses) - 1
            rest = LAST_MS if now is story[-1] and not closing else REST_MS
            words = _padded(film.said[now.step, over], film.lines)
            picture = film.frame(now, i, foci, words, over and now.end is not None)
            yield Shot(picture, rest if over else KEY_MS if i in keys else TWEEN_MS)
    if closing:
        yield Shot(film.scenery.closing(film.data, words), LAST_MS)


def _worn(story: Sequence[Round], held: Held) -> Held:
    """The same with what a hand took and has not moved yet, the handle of a door, say."""
    worn: Held = {}
    still: dict[str, str] = {}
    for r in story:
        worn[r.step] = []
        for i, now in enumerate(held[r.step]):
            still |= r.taken() if i == len(r.poses) - 1 else {}
            still = {who: thing for who, thing in still.items() if who not in now and who not in r.away}
            worn[r.step].append({**still, **now})
    return worn


def _padded(caption: str, lines: int) -> str:
    """Captions of one height, so that the picture above them does not jump."""
    return caption + "\n " * (lines - caption.count("\n") - 1)


def thinned(counts: Sequence[int], most: int) -> list[list[int]]:
    """Which moments of each round are kept, evenly spread with the last one, so that about `most` remain in all."""
    share = min(1.0, most / max(1, sum(counts)))
    kept = []
    for count in counts:
        n = max(1, min(count, int(count * share)))
        kept.append([count - 1 - (n - 1 - k) * count // n for k in range(n)])
    return kept


def until(events: Sequence[Event], step: int | None) -> list[Event]:
    """The beginning of an episode, up to the end of a step."""
    return [e for e in events if step is None or e.step < max(1, step) or e.kind == "start"]


def save_sheet(events: Sequence[Event], path: Path, columns: int = 3) -> Path:
    """How each round ended, one picture beside the other."""
    taken = [s.picture for s in shots(events, most=1)]
    columns = min(columns, len(taken))
    height, width, _ = taken[0].shape
    sheet = np.full((-(-len(taken) // columns) * height, columns * width, 3), 255, dtype=np.uint8)
    for i, shot in enumerate(taken):
        y, x = i // columns * height, i % columns * width
        sheet[y : y + height, x : x + width] = shot
    return save_png(sheet, path)


def save_png(picture: Picture, path: Path) -> Path:
    need_pillow()
    from PIL import Image

    return save_image(Image.fromarray(picture), path)


def save_gif(frames: Sequence[Picture], path: Path, ms: int | Sequence[int] = TWEEN_MS) -> Path:
    """One palette for all pictures, so that none flickers; without dither only what moves is stored."""
    need_pillow()
    from PIL import Image

    if not len(frames):
        raise CoterieError("A film needs at least one picture.")
    reference = _palette(frames)
    images = [Image.fromarray(f).quantize(palette=reference, dither=Image.Dither.NONE) for f in frames]
    return save_film(images, [ms] * len(images) if isinstance(ms, int) else ms, path)


def _palette(frames: Sequence[Picture]) -> Any:
    """255 colours for a whole film; the last is left free, since a film marks with it what has not changed.

    Rare colours count more than their share: a small thing must not take the colour of a large one.
    """
    from PIL import Image

    n = min(SAMPLES, len(frames))
    some = np.stack([frames[i * (len(frames) - 1) // max(1, n - 1)][::2, ::2] for i in range(n)]).reshape(-1, 3)
    packed = (some >> 2).astype(np.int32) @ np.array([1 << 12, 1 << 6, 1])
    found, count = np.unique(packed, return_counts=True)
    often = np.repeat(found, np.ceil(np.sqrt(count)).astype(int))
    colours = np.stack([often >> 12, (often >> 6) & 63, often & 63], axis=1).astype(np.uint8) * 4 + 2
    return Image.fromarray(colours[None]).quantize(255, Image.Quantize.MEDIANCUT, kmeans=1)


class TablePictures(Pictures):
    """Arms have many shades and no lines to draw: their pictures are pixels."""

    cameras = True  # the scene is solid: it can be shown from anywhere

    def jointed(self, state: State) -> Jointed:
        model, data = load_scene(state.start.raw)
        start, known = state.start.raw, {model.body(b).name for b in range(model.nbody)}
        hands = {robot: f"{robot}{HAND}" for robot in state.start.robots if f"{robot}{HAND}" in known}
        return Jointed(model, data, hands, known & set(graspable(start, str(start.get("job", "")))))

    def poses(self, event: Event) -> list[tuple[float, Sequence[float]]]:
        return poses_of(event)

    def trajectories(self, events: Sequence[Event], folder: Path) -> list[Path]:
        from coterie.worlds.tabletop.trajectories import save

        return save(load_scene(events[0].data)[0], events, folder)

    def view(self, events: Sequence[Event]) -> None:
        """Play the episode in MuJoCo's own viewer, until its window is closed or the episode is over."""
        model, data = load_scene(events[0].data)
        if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            raise CoterieError("MuJoCo's viewer needs a display, and there is none; save a film: --gif FILE.")
        from mujoco import mj_kinematics, viewer

        poses = np.array([pose for r in rounds(events) for pose in r.poses])
        others = set(threading.enumerate())
        with viewer.launch_passive(model, data, show_left_ui=False, show_right_ui=False) as window:
            begun = time.monotonic()
            while window.is_running() and (at := (time.monotonic() - begun) / FRAME_S) < len(poses) - 1:
                before, share = int(at), at % 1
                data.qpos[:] = (1 - share) * poses[before] + share * poses[before + 1]
                mj_kinematics(model, data)
                window.sync()
                time.sleep(VIEW_S)
        for thread in set(threading.enumerate()) - others:  # a window that is still closing at exit crashes
            thread.join(CLOSES_S)

    def draw(self, state: State) -> Drawing:
        raise CoterieError("Pictures of arms are made from their motion, not from single facts.")

    def picture(self, events: Sequence[Event], path: Path, step: int | None = None) -> Path:
        check_picture_path(path)
        (only,) = shots(until(events, step), most=1, last=True)
        return save_png(only.picture, _png(path))

    def overview(self, events: Sequence[Event], path: Path) -> Path:
        check_picture_path(path)
        return save_sheet(events, _png(path))

    def stills(self, events: Sequence[Event], since: int = BEGINNING) -> Iterator[tuple[int, bytes]]:
        """How it began, and moments of every round."""
        for step, picture in moments_shown(events, since=since):
            yield step, jpeg(picture)

    def gif(self, events: Sequence[Event], path: Path) -> Path:
        check_picture_path(path, (".gif",))
        taken = list(each(shots(events)))
        return save_gif([s.picture for s in taken], path, [s.ms for s in taken])


def moments_shown(events: Sequence[Event], most: int = 90, since: int = BEGINNING) -> Iterator[tuple[int, Picture]]:
    """Pictures without words, each with its round; before the first round, -1. Of each round the end is shown."""
    film = _Film(events, (WIDTH, HEIGHT), captions=False)
    if since <= BEGINNING:
        film.begin()
        yield BEGINNING, film.scenery.frame(film.data, "", film.labels)
    story = [film.story[i] for i in spread(len(film.story), most)]
    for now, kept in zip(story, thinned([len(r.poses) for r in story], most)):
        foci = film.foci(now)
        for i in kept if now.step >= since else ():
            yield now.step, film.frame(now, i, foci)


def jpeg(picture: Picture, quality: int = 82) -> bytes:
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(picture).save(file, "JPEG", quality=quality, optimize=True)
    return file.getvalue()


def _hands(events: Sequence[Event]) -> dict[str, str]:
    """Every hand wears the name of its robot."""
    return {f"{robot}/hand": robot for robot in read(StartEvent, events[0]).robots}


def _png(path: Path) -> Path:
    if path.suffix.lower() == ".svg":
        raise CoterieError(
            f"Pictures of arms have many shades and no lines to draw: save '{path.with_suffix('.png')}'."
        )
    return path
