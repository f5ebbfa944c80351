"""Jobs from TOML files; `docs/own_job.md` shows one from top to bottom. Complaints name the line and the fix."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.bounds import MB, MOST_TOML, MOST_WORD, brief, is_word, read_bounded
from coterie.core.errors import unknown_name
from coterie.core.reader import Reader, load_toml
from coterie.memo import Family, families
from coterie.motion.bodies import BODIES, Mount, tool_of
from coterie.motion.needs import mujoco
from coterie.render.palette import rgb, thing
from coterie.worlds.tabletop.bodies import card_of
from coterie.worlds.tabletop.build import MARK, TABLE_AT, TABLE_HALF, Rgba
from coterie.worlds.tabletop.declared import Posts
from coterie.worlds.tabletop.job import TABLE_TOP, Box, Xyz
from coterie.worlds.tabletop.own_jobs.job import HELD, HOWS, TABLE, VERBS, Place, Thing, Wish, WrittenJob
from coterie.worlds.tabletop.views import VIEWS

SUFFIX = ".toml"
BASE_Z = 0.1  # [m] of a base, where a file says nothing else
MOST_ROUNDS, MOST_ARMS, MOST_ROWS = 200, 6, 60
SHAPES = ("box", "cylinder", "ball", "mesh")
MOST_MESH = 64 * MB
WIDEST_M = 0.5  # of a thing
TOUCHING_M = 0.002  # fingers need a little more room than a thing is wide


def job_named(path: str) -> WrittenJob:
    """The job of a file, read once as long as it stays as it is."""
    return _read(path, read_bounded(Path(path), "job file", MOST_TOML))


@lru_cache(maxsize=32)
def _read(path: str, text: bytes) -> WrittenJob:
    job = _File(Path(path)).job()
    families.put(job.name, Family(base_steps=job.rounds), replace=True)
    return job


class _File:
    """A file that is read, with the names that it has given so far."""

    def __init__(self, path: Path):
        self.path, self.r = path, Reader(load_toml(path, "job"), str(path))
        self.kinds: dict[str, str] = {TABLE: "part of every scene", "floor": "part of every scene"}

    def job(self) -> WrittenJob:
        r = self.r
        r.text("world")  # which other readers look at
        name = r.text("name", self.path.stem[:MOST_WORD], most=MOST_WORD)
        if not is_word(name.replace("-", "_")) or name in VIEWS:
            raise r.fail(f"`name` is {brief(name)}; use letters, digits, - and _, and no name of a job that is there.")
        about = r.text("about", "", most=300)
        rounds = r.number("rounds", 10, low=1, high=MOST_ROUNDS, whole=True)
        self.places = {n: self.place(n, t) for n, t in self.named("place")}
        rows = {n: t for n, t in self.named("thing")}
        self.things = {n: self.thing(n, t) for n, t in rows.items()}
        arms = {n: self.arm(n, t) for n, t in self.named("arm")}
        for what, some, fix in (("arm", arms, 'body = "panda"'), ("thing", rows, "at = [0.0, 0.5]")):
            if not some:
                raise r.fail(f"a job needs at least one [[{what}]], with `name = ...` and `{fix}`.")
        for n, place in self.places.items():
            self.known(r, f"place '{n}': `takes`", place.takes, self.things)
        for n, t in rows.items():
            self.held(t, self.things[n], [mount for mount, _ in arms.values()])
        mounts = tuple(mount for mount, _ in arms.values())
        job = WrittenJob(
            name=name, about=about, rounds=rounds, mounts=mounts, verbs={n: verbs for n, (_, verbs) in arms.items()},
            boxes={m.name: _box(m) for m in mounts}, spots=self.places, items=self.things,
            wishes=self.wishes("goal", mounts), later=self.wishes("later_goal", mounts),
            clutter=self.clutter(), view=self.view(),
        )  # fmt: skip
        if not job.wishes:
            raise r.fail('nothing is asked for; add a line like goal = ["cup on tray"].')
        r.done()
        return job

    # -- rows -----------------------------------------------------------------------------------------------------
    def named(self, key: str) -> Iterator[tuple[str, Reader]]:
        """Tables of a kind with their names, which nothing else has."""
        for t in self.r.tables(key, MOST_ARMS if key == "arm" else MOST_ROWS):
            name = t.text("name", required=True, most=MOST_WORD)
            if not is_word(name):
                raise t.fail(f"`name` is {brief(name)}; use letters, digits and _ only.")
            if name in self.kinds:
                raise t.fail(f"'{name}' is a {self.kinds[name]} already; give this one another name.")
            self.kinds[name] = key
            yield name, t

    def known(self, t: Reader, what: str, names: Collection[str], among: Collection[str]) -> None:
        for name in names:
            if name not in among:
                raise t.fail(f"{what}: {unknown_name('name', name, among)}")

    def on_table(self, t: Reader, key: str, x: float, y: float) -> None:
        if abs(x - TABLE_AT[0]) > TABLE_HALF[0] or abs(y - TABLE_AT[1]) > TABLE_HALF[1]:
            (a, b, _), (c, d, _) = TABLE_AT, TABLE_HALF
            spans = f"x {a - c:g} to {a + c:g}, y {b - d:g} to {b + d:g}"
            raise t.fail(f"`{key}` [{x:g}, {y:g}] is not on the table, which covers {spans}; move it.")

    def arm(self, name: str, t: Reader) -> tuple[Mount, tuple[str, ...]]:
        body = t.text("body", required=True)
        if body.endswith(SUFFIX):
            body = str((self.path.parent / body).absolute())
            card_of(body)
        elif body not in BODIES:
            raise t.fail(f"`body`: {unknown_name('arm', body, [*BODIES, 'FILE.toml'])}")
        at = t.raw("at")
        z = at[2] if isinstance(at, list) and len(at) == 3 else BASE_Z
        x, y = t.numbers("at", 2, required=True) if z is BASE_Z else t.numbers("at", 3)[:2]
        if abs(y - TABLE_AT[1]) < TABLE_HALF[1] and abs(x - TABLE_AT[0]) < TABLE_HALF[0] and z < TABLE_TOP:
            raise t.fail(f"`at` [{x:g}, {y:g}] is in the table; an arm stands beside it, at y -0.05 or 1.05, say.")
        rail = t.numbers("rail", 2)
        if rail is not None and not rail[0] <= 0.0 <= rail[1]:
            raise t.fail("`rail` goes from where the base slides to on the left of `at` to the right: [-0.5, 0.5].")
        verbs = t.texts("verbs", ("pick_place",))
        self.known(t, "`verbs`", verbs, VERBS)
        if not set(verbs) - {"wait"}:
            raise t.fail(f"`verbs` names nothing to do; choose of {', '.join(VERBS)}.")
        turn = math.radians(t.number("turn", 0.0, low=-360, high=360))
        home = t.raw("home")
        joints = tuple(t.numbers("home", len(home) if isinstance(home, list) else 6) or ())
        t.done()
        return Mount(name, body, (x, y, z), turn, rail, joints), tuple(dict.fromkeys((*verbs, "wait")))

    def place(self, name: str, t: Reader) -> Place:
        x, y = t.numbers("at", 2, required=True)
        self.on_table(t, "at", x, y)
        a, b = self.sizes(t, 2)
        height, walls = t.number("height", 0.0, low=0.0, high=0.6), t.number("walls", 0.0, low=0.0, high=0.3)
        place = Place(name, (x, y), (a, b), height, walls, self.colour(t, name, MARK), t.texts("takes"))
        t.done()
        return place

    def thing(self, name: str, t: Reader) -> Thing:
        shape = t.text("shape", "mesh" if "mesh" in t.data else "box", choices=SHAPES)
        mesh: tuple[tuple[float, ...], tuple[int, ...]] = ((), ())
        if shape == "mesh":
            file, scale = t.text("mesh", required=True), t.number("scale", 1.0, low=1e-6, high=1e6)
            half, mesh = _mesh(t, self.path.parent / file, scale)
        else:
            half = self.sizes(t, 3)
            if (shape == "ball" and len(set(half)) > 1) or (shape == "cylinder" and half[0] != half[1]):
                raise t.fail(f"`size` of a {shape} has {'three' if shape == 'ball' else 'two first'} numbers alike.")
        if max(half) > WIDEST_M / 2:
            raise t.fail(f"it is {2 * max(half):.2f} m long; things are up to {WIDEST_M} m.")
        at, area, on = t.numbers("at", 2), t.numbers("area", 4), t.texts("on")
        if sum((at is not None, area is not None, bool(on))) != 1:
            raise t.fail('say where it lies: one of `at = [x, y]`, `area = [x0, y0, x1, y1]` and `on = ["place"]`.')
        self.known(t, "`on`", on, self.places)
        if at is not None:
            self.on_table(t, "at", *at)
        if area is not None:
            self.on_table(t, "area", *area[:2])
            self.on_table(t, "area", *area[2:])
            if area[0] > area[2] or area[1] > area[3]:
                raise t.fail("`area` is [least x, least y, largest x, largest y] in metres.")
        turn = t.number("turn", 0.0 if at is not None else None, low=-360, high=360)
        mass = t.number("mass_kg", 0.1, low=0.001, high=20.0)
        rgba = self.colour(t, name)
        t.done()
        return Thing(name, shape, half, mass, rgba, at, area, on, None if turn is None else math.radians(turn), mesh)

    def held(self, t: Reader, item: Thing, mounts: list[Mount]) -> None:
        """Complain about a thing that no arm could take."""
        why = {m.name: _unheld(item, m.body) for m in mounts}
        if all(why.values()):
            told = "; ".join(f"{words} of {name}" for name, words in why.items())
            raise t.fail(f"no arm can take it: {told}. Make it smaller or lighter, or take another `body`.")

    def sizes(self, t: Reader, count: int) -> Any:
        """Whole sizes in metres, as half ones."""
        sizes = t.numbers("size", count, required=True)
        if not all(0.001 <= v <= 3.0 for v in sizes):
            raise t.fail(f"`size` {brief(list(sizes))} is in metres, from 0.001 to 3.")
        return tuple(v / 2 for v in sizes)

    def colour(self, t: Reader, name: str, usual: Rgba | None = None) -> Rgba:
        said = t.text("colour", None)
        if said is None and usual is not None:
            return usual
        known = thing(name, said or "")
        if said and said.startswith("#"):
            known = said
        try:
            red, green, blue = (v / 255 for v in rgb(known))
        except ValueError:
            raise t.fail(f'`colour` is {brief(said)}; write a name like "red", or "#rrggbb".') from None
        return (red, green, blue, 1.0)

    # -- the rest -------------------------------------------------------------------------------------------------
    def wishes(self, key: str, mounts: Collection[Mount]) -> tuple[Wish, ...]:
        found = []
        for text in self.r.texts(key):
            words = text.split()
            if len(words) != 3 or words[1] not in HOWS:
                raise self.r.fail(f"`{key}`: '{text}' is no wish; write it like \"cup on tray\" ({', '.join(HOWS)}).")
            wish = Wish(*words)
            self.known(self.r, f"`{key}` '{text}'", [wish.thing], self.things)
            others = [m.name for m in mounts] if wish.how == HELD else [*self.places, TABLE, *self.things]
            self.known(self.r, f"`{key}` '{text}'", [wish.other], [o for o in others if o != wish.thing])
            found.append(wish)
        for a in found:
            clash = [b for b in found if a.how != "off" and b.how != "off" and a.thing == b.thing and a != b]
            if clash:
                raise self.r.fail(f"`{key}`: '{a}' and '{clash[0]}' cannot both be; leave one out.")
        return tuple(found)

    def clutter(self) -> tuple[Posts, ...]:
        t = self.r.table("clutter")
        posts = t.number("posts", 4, low=0, high=20, whole=True)
        x0, y0, x1, y1 = t.numbers("area", 4, default=[-1.0, 0.2, 1.0, 0.8])
        top = t.numbers("top", 2, default=[0.4, 0.6])
        keep = t.number("keep", 0.17, low=0.05, high=1.0)
        t.done()
        return (Posts(posts, (x0, x1), (y0, y1), (top[0], top[1]), keep),)

    def view(self) -> tuple[Any, ...]:
        t = self.r.table("view")
        if not t.data:
            return ()
        azimuth, elevation = t.number("azimuth", 90.0, low=-360, high=360), t.number("elevation", -50.0, -89, -1)
        at = t.numbers("at", 3, default=[0.0, 0.5, 0.2])
        far = t.number("distance", 1.0, low=0.2, high=5.0)
        t.done()
        return (azimuth, elevation, list(at), far, azimuth, elevation)


def _box(mount: Mount) -> Box:
    """Where a hand could ever be: as far as the arm is long from where its base slides."""
    (x, y, _), far = mount.at, card_of(mount.body).reach_m or 1.0
    low, high = mount.rail or (0.0, 0.0)
    return Box((x + low - far, x + high + far), (y - far, y + far))


def _unheld(item: Thing, body: str) -> str:
    """Why a hand cannot take a thing; empty where it can."""
    heaviest, opening = card_of(body).payload_kg, 2 * tool_of(body).opening
    if heaviest and item.mass > heaviest:
        return f"{item.mass:g} kg are more than the {heaviest:g} kg"
    narrow = 2 * min(item.half[:2])
    if opening and narrow > opening - TOUCHING_M:
        return f"{1000 * narrow:.0f} mm are wider than the fingers ({1000 * opening:.0f} mm)"
    return ""


def _mesh(t: Reader, path: Path, scale: float) -> tuple[Xyz, tuple[tuple[float, ...], tuple[int, ...]]]:
    """Half sizes, corners and faces of a mesh file, its middle at the origin; it stands as the file has it."""
    from coterie.motion.makers.packed import fewer

    mj = mujoco()
    if path.suffix.lower() not in (".stl", ".obj"):
        raise t.fail(f"`mesh` is {brief(path.name)}; STL and OBJ files are read.")
    spec = mj.MjSpec()
    spec.assets = {path.name: read_bounded(path, "mesh", MOST_MESH)}
    shell = mj.mjtMeshInertia.mjMESH_INERTIA_SHELL
    spec.add_mesh(name="it", file=path.name, scale=[scale] * 3, inertia=shell)
    spec.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname="it")
    try:
        model = spec.compile()
    except ValueError as err:
        raise t.fail(f"`mesh`: MuJoCo cannot read {path.name}: {str(err).splitlines()[0]}.") from None
    turn = np.empty(9)
    mj.mju_quat2Mat(turn, model.mesh_quat[0])
    corners = np.array(model.mesh_vert, float) @ turn.reshape(3, 3).T + model.mesh_pos[0]
    corners, faces = fewer(corners, np.array(model.mesh_face, int))
    low, high = corners.min(0), corners.max(0)
    x, y, z = (float(v) for v in (high - low) / 2)
    flat = tuple(round(float(v), 5) for v in (corners - (low + high) / 2).ravel())
    return (x, y, z), (flat, tuple(int(v) for v in faces.ravel()))
