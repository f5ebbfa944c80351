"""Pictures of a MuJoCo scene without OpenGL, display or graphics card: numpy finds the pixels, Pillow smooths them.

They can be made on any machine, and the same scene gives the same bytes.

    picture = Solids(model, camera=fit(model, data))
    Image.fromarray(picture.frame(data, "Round 3", {"box_1": "red box"})).save("scene.png")
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.core.errors import unknown_name
from coterie.render.raster import need_pillow
from coterie.render.solids.geoms import BOX, PLANE, Geoms
from coterie.render.solids.notes import Area, Tag, write
from coterie.render.solids.zbuffer import FACES, Array, Canvas, Ints, Light, scaled

CELLS = 256  # along the longer side of the ground
SHARP, SOFT = 0.4, 0.22  # how dark a shadow is under a thing that touches the ground, and under one far above it
CLEAR = 0.12  # metres above the ground at which a shadow has only its soft part
SIDES = 20
_TURN = np.arange(SIDES) * (2 * np.pi / SIDES)
ROUND = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=1)


@dataclass
class Ground:
    """A level surface, and the pixels at which it is seen."""

    geom: int
    z: float
    low: Array  # the corner of the part that can be dark, x and y
    size: Array
    pixels: Ints  # flat, in the picture
    cells: Ints  # of those pixels, flat, in the picture of shadows

    @staticmethod
    def shape(size: Array) -> tuple[int, int]:
        """Columns and rows of the picture of shadows."""
        cell = float(size.max()) / CELLS
        return max(1, round(size[0] / cell)), max(1, round(size[1] / cell))


def make_ground(
    geom: int, z: float, low: Array, size: Array, rows_cols: tuple[Ints, Ints], across: int, xy: Array
) -> Ground:
    """`xy`: where on the ground each pixel lies.

    Four neighbours, which become one pixel in the end, look at four places within a cell, so that cells are not seen.
    """
    cols, rows = Ground.shape(size)
    aside = np.stack([rows_cols[1] % 2, rows_cols[0] % 2], axis=1) / 2 - 0.25
    pixels = rows_cols[0] * across + rows_cols[1]
    place = np.floor((xy - low) / size * (cols, rows) + aside)
    inside = (place >= 0).all(axis=1) & (place < (cols, rows)).all(axis=1)
    place = place[inside].astype(np.intp)
    return Ground(geom, z, low, size, pixels[inside], place[:, 1] * cols + place[:, 0])


def darkness(ground: Ground, points: Array, radii: Array, sun: Array) -> NDArray[np.uint8] | None:
    """How dark every cell of a ground is, flat; None where nothing stands on it.

    A solid is the hull of its `points` (n, k, 3), made thicker by its radius. Each is drawn twice: sharp, as far as it
    is near the ground, and soft.
    """
    from PIL import Image, ImageChops, ImageDraw, ImageFilter

    above = points[:, :, 2] - ground.z
    rises = (above.max(axis=1) + radii > 0.002) & np.isfinite(radii)
    points, radii, above = points[rises], radii[rises], np.maximum(above[rises], 0)
    if not len(points):
        return None
    flat = points[:, :, :2] - above[:, :, None] * (sun[:2] / sun[2])
    cols, rows = Ground.shape(ground.size)
    hull = (_hulls(flat, radii) - ground.low) / ground.size * (cols, rows)
    touching = np.clip(1 - (above.min(axis=1) - radii) / CLEAR, 0, 1)
    cell = float(ground.size.max()) / CELLS
    dark = None
    for amount, blur, most in ((touching, 0.009, SHARP), (1 - 0.6 * touching, 0.035, SOFT)):
        layer = Image.new("L", (cols, rows), 0)
        pen = ImageDraw.Draw(layer)
        for i in np.argsort(amount, kind="stable"):  # the darkest comes last
            if amount[i] > 0.01:
                pen.polygon(hull[i].ravel().tolist(), fill=int(255 * most * amount[i]))
        layer = layer.filter(ImageFilter.GaussianBlur(max(blur / cell, 1.2)))
        dark = layer if dark is None else ImageChops.screen(dark, layer)
    fine: Any = dark
    return np.asarray(fine).ravel()


def _hulls(flat: Array, radii: Array) -> Array:
    """The outline of each heap of points: the farthest one in each direction, moved outwards by the radius."""
    far = (flat @ ROUND.T).argmax(axis=1)
    corners: Array = np.take_along_axis(flat, far[:, :, None], axis=1)
    return corners + radii[:, None, None] * ROUND


FINER = 2  # pictures are drawn so many times larger and scaled down, which smooths their edges
PAPER = (247, 246, 243)
SUN = (-0.42, -0.3, 1.0)  # to the light: to the right of the picture, into it, up


@dataclass(frozen=True)
class Camera:
    """As MuJoCo's free camera: it looks at a point from a distance, in degrees; below the horizon is negative."""

    azimuth: float = 90.0
    elevation: float = -30.0
    distance: float = 2.0
    lookat: tuple[float, float, float] = (0.0, 0.0, 0.15)
    fovy: float = 40.0

    def axes(self) -> Array:
        """Rows: to the right, up, and into the picture."""
        a, e = math.radians(self.azimuth), math.radians(self.elevation)
        into = np.array([math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)])
        right = np.array([math.sin(a), -math.cos(a), 0.0])
        return np.stack([right, np.cross(right, into), into])

    def eye(self) -> Array:
        return np.asarray(self.lookat) - self.distance * self.axes()[2]


def fit(
    model: Any, data: Any, azimuth: float = 90.0, elevation: float = -35.0, aspect: float = 4 / 3, below: float = 0.0
) -> Camera:
    """A camera that sees all of the scene, with a share of the height left free at the lower end for a caption."""
    geoms = Geoms(model)
    points, radii = geoms.hull
    shown = geoms.shown(geoms.rgba()) & np.isfinite(radii)
    if not shown.any():
        return Camera(azimuth, elevation)
    world = (placed(data, points)[shown]).reshape(-1, 3)
    round_ = np.repeat(radii[shown], points.shape[1])
    camera = Camera(azimuth, elevation, 1.0, tuple(((world.min(0) + world.max(0)) / 2).tolist()))
    axes, tan = camera.axes(), math.tan(math.radians(camera.fovy) / 2) * 0.96
    up = tan * (1 - below)
    for _ in range(8):  # distance and middle depend on each other
        side, height, deep = axes @ (world - camera.lookat).T
        away = np.abs([side / (tan * aspect), height / up]).max(axis=0) - deep + 1.2 * round_ / up
        camera = replace(camera, distance=float(max(away.max(), 0.1)))
        depth = deep + camera.distance
        shift = [(np.min(v / depth) + np.max(v / depth)) / 2 * camera.distance for v in (side, height)]
        middle = np.asarray(camera.lookat) + shift[0] * axes[0] + shift[1] * axes[1]
        camera = replace(camera, lookat=tuple(middle.tolist()))
    lower = np.asarray(camera.lookat) - axes[1] * (tan * below * camera.distance)
    return replace(camera, lookat=tuple(lower.tolist()))


def placed(data: Any, points: Array) -> Array:
    """Points of geoms, (n, k, 3), in the world."""
    return np.einsum("gij,gkj->gki", data.geom_xmat.reshape(-1, 3, 3), points) + data.geom_xpos[:, None]


class Solids:
    """Draws frames of one model from one camera. What never moves is drawn once."""

    def __init__(
        self,
        model: Any,
        width: int = 640,
        height: int = 480,
        camera: Camera | None = None,
        background: tuple[int, int, int] = PAPER,
    ):
        need_pillow()
        self.model, self.width, self.height = model, width, height
        self.camera = camera or Camera()
        self.background = background
        self.geoms = Geoms(model)
        self._axes, self._eye = self.camera.axes(), self.camera.eye()
        w, h = width * FINER, height * FINER
        tan = math.tan(math.radians(self.camera.fovy) / 2)
        self._px = ((np.arange(w) + 0.5) / h * 2 - w / h) * tan
        self._py = (1 - (np.arange(h) + 0.5) / h * 2) * tan
        flat = np.array([self._axes[0], np.cross([0.0, 0.0, 1.0], self._axes[0]), [0.0, 0.0, 1.0]])
        sun = np.asarray(SUN) @ flat
        self._sun = sun / np.linalg.norm(sun)
        mirror = self._sun - self._axes[2]
        mirror = mirror / np.linalg.norm(mirror)
        self._light = Light(self._axes @ self._sun, self._axes @ mirror)
        owner = np.where(self.geoms.kind == PLANE, -1, self.geoms.body)
        self._bodies = np.concatenate([[-1], owner])  # by code; background and floors, -1, have no outline
        self._still, self._work = (Canvas(self._px, self._py, 2 * tan / h, FACES * (model.ngeom + 1)) for _ in range(2))
        self._grounds: list[Ground] = []
        self._key = b""

    def frame(
        self,
        data: Any,
        caption: str = "",
        labels: Mapping[str, str] | None = None,
        places: Mapping[str, Sequence[float]] | None = None,
        clear: Mapping[int, str] | None = None,
    ) -> NDArray[np.uint8]:
        """The scene as (height, width, 3) bytes. The first line of a caption is a heading; labels are by body,
        `places` are names of points in the world, and words keep off the bodies `clear`, numbers with their names."""
        from PIL import Image

        rgba = self.geoms.rgba()
        shown = self.geoms.shown(rgba)
        pos = (data.geom_xpos - self._eye) @ self._axes.T
        mat = self._axes @ data.geom_xmat.reshape(-1, 3, 3)
        world = placed(data, self.geoms.hull[0])
        solid = shown & (rgba[:, 3] >= 0.999)
        self._prepare(pos, mat, rgba, solid & self.geoms.still, data)
        canvas = self._work
        canvas.copy_from(self._still)
        self._shade(canvas, world, solid)
        for g in np.flatnonzero(solid & ~self.geoms.still):
            self.geoms.draw(canvas, int(g), pos[g], mat[g], self._light, rgba[g])
        canvas.outline(self._bodies)
        glassy = np.flatnonzero(shown & ~solid)
        for g in glassy[np.argsort(-(pos[glassy] ** 2).sum(axis=1), kind="stable")]:  # far ones first
            self._blend(canvas, int(g), pos[g], mat[g], rgba[g])
        size = (self.width * FINER, self.height * FINER)
        image = Image.frombuffer("RGBX", size, canvas.colour, "raw", "RGBX", 0, 1).reduce(FINER).convert("RGB")
        tags = self._tags(data, world, shown, labels or {}) + self._spots(places or {})
        parts = {b: shown & (self.geoms.body == b) for b in clear or ()}
        seen = {b: self._area(world[mine], self.geoms.hull[1][mine]) for b, mine in parts.items()}
        areas = {b: a for b, a in seen.items() if a is not None}
        feet = {clear[b]: ((a[0] + a[2]) / 2, (a[1] + a[3]) / 2) for b, a in areas.items()} if clear else {}
        tags = [tag._replace(foot=feet.get(tag.text)) for tag in tags]
        return np.array(write(image, caption, tags, list(areas.values())))

    # -- what never moves ---------------------------------------------------------------------------------------------

    def _prepare(self, pos: Array, mat: Array, rgba: Array, which: NDArray[np.bool_], data: Any) -> None:
        key = b"".join(
            np.ascontiguousarray(a).tobytes()
            for a in (which, pos[which], mat[which], rgba[which], np.asarray(self.model.geom_size)[which])
        )
        if key == self._key:
            return
        canvas = self._still
        canvas.w[:], canvas.code[:] = 0, 0
        canvas.colour[:] = self._paper()
        for g in np.flatnonzero(which):
            self.geoms.draw(canvas, int(g), pos[g], mat[g], self._light, rgba[g])
        self._fade(canvas)
        self._grounds = [
            ground for g in np.flatnonzero(which) if (ground := self._ground(canvas, int(g), data)) is not None
        ]
        self._key = key

    def _paper(self) -> NDArray[np.uint32]:
        """The background, a little darker towards the top."""
        rows = len(self._py)
        share = 0.93 + 0.07 * np.minimum(np.arange(rows) / (0.6 * rows), 1)
        out = np.full((rows, 4), 255, np.uint8)
        out[:, :3] = np.rint(np.asarray(self.background) * share[:, None])
        return out.view(np.uint32)

    def _fade(self, canvas: Canvas) -> None:
        """A floor loses itself in the background instead of ending in a hard horizon."""
        rows, cols = np.nonzero((canvas.code >= FACES) & (self._bodies[canvas.code // FACES] < 0))
        xy = self._on_ground(canvas, rows, cols)
        far = np.linalg.norm(xy - np.asarray(self.camera.lookat)[:2], axis=1) / self.camera.distance
        sizes = self.geoms.size[self.geoms.kind == PLANE, :2]
        end = min(
            1.6, 0.85 * sizes[sizes > 0].min(initial=np.inf) / self.camera.distance
        )  # before the floor itself ends
        share = np.clip((far - 0.3 * end) / (0.7 * end), 0, 1)
        share = share * share * (3 - 2 * share)
        under = np.broadcast_to(self._paper(), canvas.colour.shape)[rows, cols]
        canvas.colour[rows, cols] = _mixed(canvas.colour[rows, cols], under, share)

    def _on_ground(self, canvas: Canvas, rows: Any, cols: Any) -> Array:
        """Where in the world the solids at some pixels are, x and y."""
        depth = 1 / canvas.w[rows, cols].astype(float)
        side, up = self._px[cols] * depth, self._py[rows] * depth
        a = self._axes
        return np.stack([side * a[0, i] + up * a[1, i] + depth * a[2, i] + self._eye[i] for i in (0, 1)], axis=1)

    def _ground(self, canvas: Canvas, g: int, data: Any) -> Ground | None:
        """A floor, or a box that is wide enough to be a table."""
        level = float(data.geom_xmat[g][8]) > 0.999
        size = np.asarray(self.model.geom_size[g])
        turn, place = np.abs(data.geom_xmat[g].reshape(3, 3)[:2, :2]), data.geom_xpos[g]
        if not level or not (self.geoms.kind[g] == PLANE or (self.geoms.kind[g] == BOX and min(size[:2]) > 0.12)):
            return None
        half, middle, z = turn @ size[:2], place[:2], float(place[2] + size[2])
        if self.geoms.kind[g] == PLANE:
            z = float(place[2])
            half, middle = np.full(2, 0.75 * self.camera.distance), np.asarray(self.camera.lookat)[:2]
        rows, cols = np.nonzero(canvas.code == (g + 1) * FACES)  # the upper face
        xy = self._on_ground(canvas, rows, cols)
        return make_ground(g, z, middle - half, 2 * half, (rows, cols), len(self._px), xy)

    # -- what is new in a frame ---------------------------------------------------------------------------------------

    def _shade(self, canvas: Canvas, world: Array, solid: NDArray[np.bool_]) -> None:
        pixels = canvas.colour.reshape(-1)
        for ground in self._grounds:
            casts = solid.copy()
            casts[ground.geom] = False
            dark = darkness(ground, world[casts], self.geoms.hull[1][casts], self._sun)
            if dark is not None:
                here = dark.take(ground.cells)
                some = np.flatnonzero(here > 2)
                at = ground.pixels[some]
                pixels[at] = scaled(pixels[at], np.uint32(256) - here[some])

    def _blend(self, canvas: Canvas, g: int, pos: Array, mat: Array, rgba: Array) -> None:
        """A translucent geom: drawn on a copy, which is then mixed in, so that its parts do not shine through."""
        at = self.geoms.window(canvas, g, pos, mat)
        if at is None:
            return
        part = canvas.cut(at)
        self.geoms.draw(part, g, pos, mat, self._light, rgba)
        part.outline(self._bodies)
        hit = part.code // FACES == g + 1
        share = np.full(int(hit.sum()), 1 - rgba[3], np.float32)
        canvas.colour[at][hit] = _mixed(part.colour[hit], canvas.colour[at][hit], share)

    # -- words --------------------------------------------------------------------------------------------------------

    def _tags(self, data: Any, world: Array, shown: NDArray[np.bool_], labels: Mapping[str, str]) -> list[Tag]:
        """Where the labels of bodies stand: above what is seen of each."""
        tags = []
        for name, text in labels.items():
            try:
                body = int(self.model.body(name).id)
            except KeyError:
                known = [self.model.body(i).name for i in range(self.model.nbody)]
                raise unknown_name("body", name, known) from None
            mine = shown & (self.geoms.body == body)
            points = world[mine].reshape(-1, 3) if mine.any() else data.xpos[body][None]
            area = self._area(points)
            if text and area is not None:
                tags.append(Tag((area[0] + area[2]) / 2, area[1] - 6, text))
        return sorted(tags, key=lambda t: -t.y)

    def _area(self, points: Array, round_: Array | None = None) -> Area | None:
        """Where in the picture points of the world are, with what is round about them, cut off at its edges; None for
        such as are behind it."""
        side, up, deep = self._axes @ (points.reshape(-1, 3) - self._eye).T
        if not len(deep) or deep.min() <= 0:
            return None
        r = np.zeros(len(deep)) if round_ is None else np.repeat(round_, len(deep) // len(round_))
        sides, ups = np.concatenate([side - r, side + r]), np.concatenate([up - r, up + r])
        x = np.interp(sides / np.tile(deep, 2), self._px, np.arange(len(self._px))) / FINER
        y = np.interp(-ups / np.tile(deep, 2), -self._py, np.arange(len(self._py))) / FINER
        return float(x.min()), float(y.min()), float(x.max()), float(y.max())

    def _spots(self, places: Mapping[str, Sequence[float]]) -> list[Tag]:
        """Where names of points stand, as far as these are in the picture."""
        tags = []
        for text, at in places.items():
            side, up, deep = self._axes @ (np.asarray(at, float) - self._eye)
            x, y = side / max(deep, 1e-9), up / max(deep, 1e-9)
            if deep > 0 and self._px[0] < x < self._px[-1] and self._py[-1] < y < self._py[0]:
                column = float(np.interp(x, self._px, np.arange(len(self._px)))) / FINER
                row = float(np.interp(-y, -self._py, np.arange(len(self._py)))) / FINER
                tags.append(Tag(column, row, text))
        return tags


def _mixed(pixels: NDArray[np.uint32], under: NDArray[np.uint32], share: Array) -> NDArray[np.uint32]:
    """Pixels with a share of what is under them."""
    a, b = (np.ascontiguousarray(v).view(np.uint8).reshape(-1, 4).astype(np.float32) for v in (pixels, under))
    out = np.rint(a + (b - a) * share.astype(np.float32)[:, None]).astype(np.uint8)
    return out.view(np.uint32)[:, 0]
